//! JSON Schemas (2020-12) of requests, results and errors, generated from the wire types.
//!
//! Requests are read by hand ([`super::request`]), so their members stand here once more for the generator; a test
//! holds both against the same rows. What JSON Schema can not say, such as which paths are safe, is the reader's alone.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::query::MAX_QUERIES;
use super::request::Request;
use super::result::{ContextResult, ListResult, ReadResult, SearchResult, WireError};
use super::selection::SelectionResult;
use crate::failure::Code;
use crate::settings::Protocol;

/// Search a term, follow what it is bound to and registered in, and return merged windows of code.
#[derive(Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only its schema is used")]
struct ContextRequest {
    #[schemars(extend("const" = "source.context"))]
    kind: String,
    /// An identifier is searched as a whole word, anything else as a fixed, case-sensitive string; one line.
    #[schemars(length(min = 1, max = 256), extend("pattern" = r"^[^\r\n]*$"))]
    text: String,
    /// Only paths that begin with this, byte by byte; `src/` does not cover `src2/a.c`.
    #[serde(default)]
    path_prefix: String,
}

/// Search a term and what an interpretation says about it, select files by signals, and return merged windows of code.
#[derive(Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only its schema is used")]
struct SelectionRequest {
    #[schemars(extend("const" = "source.context"))]
    kind: String,
    /// An identifier is searched as a whole word, digits as a whole decimal number, anything else as a fixed string.
    #[schemars(length(min = 1, max = 256), extend("pattern" = r"^[^\r\n]*$"))]
    text: String,
    /// Only paths that begin with this, byte by byte; empty is the whole scope.
    #[serde(default)]
    path_prefix: String,
    /// Ids of entities of the interpretation context that the question is about.
    #[serde(default)]
    #[schemars(length(max = 64), extend("uniqueItems" = true))]
    entity_refs: Vec<String>,
    /// The search space; `historical_sql` only when it is asked for.
    #[serde(default)]
    #[schemars(extend("enum" = ["code", "schema", "historical_sql"], "default" = "code"))]
    scope: String,
}

/// Find every line that holds a term.
#[derive(Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only its schema is used")]
struct SearchRequest {
    #[schemars(extend("const" = "source.search"))]
    kind: String,
    /// What is looked for; one line.
    #[schemars(length(min = 1, max = 256), extend("pattern" = r"^[^\r\n]*$"))]
    text: String,
    /// `word`: a whole word; `literal`: a fixed string; `decimal`: a whole decimal number; `auto`: `word` for an
    /// identifier, else `literal`.
    #[serde(default)]
    #[schemars(extend("enum" = ["auto", "word", "literal", "decimal"], "default" = "auto"))]
    mode: String,
    /// Only paths that begin with this, byte by byte.
    #[serde(default)]
    path_prefix: String,
    /// Matches listed, at most the configured number, which is the default. Totals stay exact.
    #[schemars(range(min = 1))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32")]
    max_matches: Option<u32>,
}

/// Read lines of one file.
#[derive(Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only its schema is used")]
struct ReadRequest {
    #[schemars(extend("const" = "source.read"))]
    kind: String,
    /// The file, relative to the repository's root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    path: Option<String>,
    /// The same as bytes in base64, for a path that is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    path_base64: Option<String>,
    /// First line, counted from 1.
    #[schemars(range(min = 1))]
    start_line: u32,
    /// Last line, included; at least `start_line`.
    #[schemars(range(min = 1))]
    end_line: u32,
}

/// List paths and whether each is searched.
#[derive(Deserialize, JsonSchema, Serialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only its schema is used")]
struct ListRequest {
    #[schemars(extend("const" = "source.list"))]
    kind: String,
    /// Only paths that begin with this, byte by byte.
    #[serde(default)]
    path_prefix: String,
    /// The `next_after` of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    after: Option<String>,
    /// The `next_after_base64` of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    after_base64: Option<String>,
}

/// The schema of a kind's request under a protocol; `None` for a kind that is not known.
pub fn request_schema(kind: &str, protocol: Protocol) -> Option<Value> {
    let mut schema = match kind {
        "source.context" if protocol == Protocol::Two => schema_of::<SelectionRequest>(),
        "source.context" => schema_of::<ContextRequest>(),
        "source.search" => schema_of::<SearchRequest>(),
        "source.read" => schema_of::<ReadRequest>(),
        "source.list" => schema_of::<ListRequest>(),
        _ => return None,
    };
    let one_of = |names: [&str; 2]| json!(names.map(|name| json!({"required": [name]})));
    let map = schema.as_object_mut()?;
    match kind {
        "source.read" => drop(map.insert("oneOf".into(), one_of(["path", "path_base64"]))),
        "source.list" => drop(map.insert("not".into(), json!({"required": ["after", "after_base64"]}))),
        _ => {}
    }
    Some(schema)
}

/// The schema of a kind's result under a protocol; `None` for a kind that is not known.
pub fn result_schema(kind: &str, protocol: Protocol) -> Option<Value> {
    let (mut schema, statuses): (Value, &[&str]) = match kind {
        "source.context" => (
            match protocol {
                Protocol::One => schema_of::<ContextResult>(),
                Protocol::Two => schema_of::<SelectionResult>(),
            },
            &["complete_configured_source_context", "partial_configured_source_context"],
        ),
        "source.search" => (schema_of::<SearchResult>(), &["complete_source_search", "partial_source_search"]),
        "source.read" => (schema_of::<ReadResult>(), &["complete_source_read", "partial_source_read"]),
        "source.list" => (schema_of::<ListResult>(), &["complete_source_list"]),
        _ => return None,
    };
    let properties = schema.get_mut("properties")?.as_object_mut()?;
    properties.insert("kind".into(), json!({"const": kind}));
    properties.insert("protocol".into(), json!({"const": protocol.number()}));
    properties.insert("status".into(), json!({"enum": statuses}));
    properties.insert("request".into(), without_dialect(request_schema(kind, protocol)?));
    if protocol == Protocol::One {
        // Members of protocol 2, which never stand in an answer of protocol 1.
        for (of, member) in [("WireSearch", "scope"), ("WireOrigin", "group")] {
            let members = schema.pointer_mut(&format!("/$defs/{of}/properties")).and_then(Value::as_object_mut);
            members.map(|members| members.shift_remove(member));
        }
    }
    Some(schema)
}

/// The schema of an error object.
pub fn error_schema() -> Value {
    let mut schema = schema_of::<WireError>();
    if let Some(code) = schema.pointer_mut("/$defs/WireErrorBody/properties/code") {
        code["enum"] = json!(Code::ALL.map(Code::name));
    }
    schema
}

/// The schema of a `project.query` request: one request or a bundle.
pub fn query_schema(protocol: Protocol) -> Value {
    let requests: Vec<Value> =
        Request::KINDS.iter().filter_map(|kind| request_schema(kind, protocol)).map(without_dialect).collect();
    json!({
        "$schema": DIALECT,
        "title": "project.query",
        "anyOf": [
            {"$ref": "#/$defs/request"},
            {
                "type": "object",
                "properties": {
                    "queries": {
                        "type": "array", "minItems": 1, "maxItems": MAX_QUERIES, "items": {"$ref": "#/$defs/request"},
                    },
                },
                "required": ["queries"],
                "additionalProperties": false,
            },
        ],
        "$defs": {"request": {"anyOf": requests}},
    })
}

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

fn schema_of<T: JsonSchema>() -> Value {
    let schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
    let mut value = Schema::to_value(schema);
    close(&mut value);
    value
}

/// Objects have no members but the named ones, and integers no format that only their generator knows.
fn close(value: &mut Value) {
    match value {
        Value::Object(map) => {
            if map.contains_key("properties") {
                map.entry("additionalProperties").or_insert(Value::Bool(false));
            }
            if map.get("format").and_then(Value::as_str).is_some_and(|format| format.starts_with("uint")) {
                map.remove("format");
            }
            map.values_mut().for_each(close);
        }
        Value::Array(list) => list.iter_mut().for_each(close),
        _ => {}
    }
}

/// A schema to stand inside another one.
fn without_dialect(mut schema: Value) -> Value {
    schema.as_object_mut().map(|map: &mut Map<String, Value>| map.shift_remove("$schema"));
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    // Q-03: what a schema allows is what the reader takes, but for the rules on paths, line breaks and order.
    #[test]
    fn request_schemas_agree_with_the_reader() {
        let schema = |kind: &str| jsonschema::validator_for(&request_schema(kind, Protocol::One).unwrap()).unwrap();
        for (text, expected) in [
            (r#"{"kind":"source.context","text":"a"}"#, true),
            (r#"{"kind":"source.context","text":"a","path_prefix":"src/"}"#, true),
            (r#"{"kind":"source.context","text":""}"#, false),
            (r#"{"kind":"source.context","text":"a\nb"}"#, false),
            (r#"{"kind":"source.context"}"#, false),
            (r#"{"kind":"source.context","text":"a","scope":"code"}"#, false),
            (r#"{"kind":"source.context","text":7}"#, false),
            (r#"{"kind":"source.search","text":"a","mode":"word","max_matches":3}"#, true),
            (r#"{"kind":"source.search","text":"a","mode":"regex"}"#, false),
            (r#"{"kind":"source.search","text":"a","max_matches":0}"#, false),
            (r#"{"kind":"source.search","text":"a","max_matches":null}"#, false),
            (r#"{"kind":"source.read","path":"a.c","start_line":1,"end_line":2}"#, true),
            (r#"{"kind":"source.read","path_base64":"YS5j","start_line":1,"end_line":2}"#, true),
            (r#"{"kind":"source.read","path":"a","path_base64":"YS5j","start_line":1,"end_line":2}"#, false),
            (r#"{"kind":"source.read","start_line":1,"end_line":2}"#, false),
            (r#"{"kind":"source.read","path":"a.c","start_line":0,"end_line":2}"#, false),
            (r#"{"kind":"source.read","path":"a.c","start_line":1.5,"end_line":2}"#, false),
            (r#"{"kind":"source.read","path":"a.c","start_line":"1","end_line":2}"#, false),
            (r#"{"kind":"source.list"}"#, true),
            (r#"{"kind":"source.list","after":"a","after_base64":"YQ=="}"#, false),
            (r#"{"kind":"source.list","repository":"x"}"#, false),
        ] {
            let value: Value = serde_json::from_str(text).unwrap();
            let kind = value["kind"].as_str().unwrap();
            assert_eq!(Request::parse(&value, Protocol::One).is_ok(), expected, "the reader, {text}");
            assert_eq!(schema(kind).is_valid(&value), expected, "the schema, {text}");
            let query = jsonschema::validator_for(&query_schema(Protocol::One)).unwrap();
            assert_eq!(query.is_valid(&value), expected, "the query, {text}");
            assert_eq!(query.is_valid(&json!({"queries": [value]})), expected, "the bundle, {text}");
        }
    }

    // C2-02 Q-03: protocol 2 knows two members more.
    #[test]
    fn the_request_of_protocol_2_has_its_own_schema() {
        let schema = jsonschema::validator_for(&request_schema("source.context", Protocol::Two).unwrap()).unwrap();
        for (text, expected) in [
            (r#"{"kind":"source.context","text":"a"}"#, true),
            (r#"{"kind":"source.context","text":"a","entity_refs":["N1"],"scope":"schema"}"#, true),
            (r#"{"kind":"source.context","text":"a","entity_refs":["N1","N1"]}"#, false),
            (r#"{"kind":"source.context","text":"a","entity_refs":"N1"}"#, false),
            (r#"{"kind":"source.context","text":"a","scope":"sql"}"#, false),
            (r#"{"kind":"source.context","text":"a","anchors":[]}"#, false),
        ] {
            let value: Value = serde_json::from_str(text).unwrap();
            assert_eq!(Request::parse(&value, Protocol::Two).is_ok(), expected, "the reader, {text}");
            assert_eq!(schema.is_valid(&value), expected, "the schema, {text}");
        }
    }
}
