//! The tools: names, schemas, and how arguments become a query.
//!
//! Schemas come from [`pincite_shared::wire::schema`]. Two things differ. At the root of an input schema stand no
//! `oneOf`, `anyOf` and `not`, which several models' interfaces refuse; the reader still holds to them and names the
//! member. An output schema also allows the error object, because some clients check the structured content of errors.

use std::sync::Arc;

use pincite_shared::failure::{Code, Failure};
use pincite_shared::settings::Protocol;
use pincite_shared::wire::query::Query;
use pincite_shared::wire::request::Request;
use pincite_shared::wire::schema;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Map, Value, json};

/// The tool that takes whole requests, one or a bundle.
const PROJECT_QUERY: &str = "project_query";

/// A row for each tool: name, kind, title, description. The one to begin with stands first.
const TOOLS: [(&str, Option<&str>, &str, &str); 5] = [
    (
        "source_context",
        Some("source.context"),
        "Search a term and follow it",
        "Begin with this one. Searches a name, string or number, follows what it is bound to and registered in, and \
         returns merged windows of code from the pinned commit with line numbers: one call instead of many searches \
         and reads.",
    ),
    (
        "source_search",
        Some("source.search"),
        "Find every line with a term",
        "Finds every line of the pinned commit that holds a term, with exact totals. For counting, or for what \
         source_context left out. With `complete: true` an empty answer means that the text is not there.",
    ),
    (
        "source_read",
        Some("source.read"),
        "Read lines of one file",
        "Reads lines of one file of the pinned commit, both ends included. Takes `path`, or `path_base64` for a path \
         that is not UTF-8. For more of a file than source_context showed; go on at `next_start_line`.",
    ),
    (
        "source_list",
        Some("source.list"),
        "List paths",
        "Lists paths of the pinned commit and whether each is searched, page by page: `next_after` of one page is \
         `after` of the next.",
    ),
    (
        PROJECT_QUERY,
        None,
        "Ask one request or a bundle",
        "Takes one request with its `kind` and the members of that kind, or a bundle `{\"queries\": [...]}` of up to 16 \
         requests that are answered in order; an error in one does not spoil the others. For several independent \
         questions at once; else begin with source_context.",
    ),
];

/// All tools, as listed.
pub(crate) fn tools(protocol: Protocol) -> Vec<Tool> {
    // Also with a package: what is recorded there are the answers; what they are about stays as it is.
    let annotations = ToolAnnotations::new().read_only(true).destructive(false).idempotent(true).open_world(false);
    TOOLS
        .iter()
        .map(|&(name, kind, title, description)| {
            let (input, output) = match kind {
                Some(kind) => (kind_input(kind, protocol), kind_output(kind, protocol)),
                None => (query_input(protocol), query_output(protocol)),
            };
            Tool::new(name, description, Arc::new(input))
                .with_raw_output_schema(Arc::new(output))
                .with_annotations(annotations.clone())
                .with_title(title)
        })
        .collect()
}

/// The query that a tool's arguments ask; `None` for a tool that does not exist.
pub(crate) fn query(tool: &str, arguments: Option<JsonObject>, protocol: Protocol) -> Option<Result<Query, Failure>> {
    let kind = TOOLS.iter().find(|row| row.0 == tool)?.1;
    let mut arguments = arguments.unwrap_or_default();
    let Some(kind) = kind else { return Some(Query::parse(&Value::Object(arguments), protocol)) };
    if arguments.contains_key("kind") {
        let message = format!("`kind` is not an argument of {tool}, which stands for one kind; leave it out");
        return Some(Err(Failure::new(Code::InvalidRequest, message).field("kind")));
    }
    arguments.insert("kind".into(), kind.into());
    Some(Request::parse(&Value::Object(arguments), protocol).map(Query::One))
}

/// Definitions that several schemas have in common, gathered at one root.
#[derive(Default)]
struct Definitions(Map<String, Value>);

impl Definitions {
    /// Takes the definitions out of a schema, so that it can stand inside another one.
    fn hoist(&mut self, mut schema: Value) -> Value {
        if let Some(map) = schema.as_object_mut() {
            map.shift_remove("$schema");
            if let Some(Value::Object(inner)) = map.shift_remove("$defs") {
                self.0.extend(inner);
            }
        }
        schema
    }
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// A root that some client can not refuse: an object without combinators and without a dialect.
fn plain_root(schema: &mut JsonObject) {
    for member in ["$schema", "oneOf", "anyOf", "allOf", "not", "title"] {
        schema.shift_remove(member);
    }
}

fn kind_input(kind: &str, protocol: Protocol) -> JsonObject {
    let mut schema = object(schema::request_schema(kind, protocol).unwrap_or_default());
    plain_root(&mut schema);
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.shift_remove("kind");
    }
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.retain(|name| name != "kind");
    }
    schema
}

fn kind_output(kind: &str, protocol: Protocol) -> JsonObject {
    let mut definitions = Definitions::default();
    let result = definitions.hoist(schema::result_schema(kind, protocol).unwrap_or_default());
    let error = definitions.hoist(schema::error_schema());
    object(json!({"type": "object", "anyOf": [result, error], "$defs": definitions.0}))
}

/// Every member of every kind in one object, and `queries`.
fn query_input(protocol: Protocol) -> JsonObject {
    let mut definitions = Definitions::default();
    let query = definitions.hoist(schema::query_schema(protocol));
    let mut properties = Map::new();
    properties.insert("kind".into(), json!({"type": "string", "enum": Request::KINDS}));
    for kind in Request::KINDS {
        for (name, schema) in
            kind_input(kind, protocol).get("properties").and_then(Value::as_object).into_iter().flatten()
        {
            properties.entry(name.clone()).or_insert_with(|| schema.clone());
        }
    }
    if let Some(queries) = query.pointer("/anyOf/1/properties/queries") {
        properties.insert("queries".into(), queries.clone());
    }
    object(json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "$defs": definitions.0,
    }))
}

fn query_output(protocol: Protocol) -> JsonObject {
    let mut definitions = Definitions::default();
    let mut one: Vec<Value> = Request::KINDS
        .iter()
        .filter_map(|kind| schema::result_schema(kind, protocol))
        .map(|schema| definitions.hoist(schema))
        .collect();
    one.push(definitions.hoist(schema::error_schema()));
    definitions.0.insert("reply".into(), json!({"anyOf": one}));
    let reply = json!({"$ref": "#/$defs/reply"});
    let bundle = json!({
        "type": "object",
        "properties": {"results": {"type": "array", "items": reply}},
        "required": ["results"],
        "additionalProperties": false,
    });
    object(json!({"type": "object", "anyOf": [reply, bundle], "$defs": definitions.0}))
}

#[cfg(test)]
mod tests {
    use super::*;

    // Definitions are gathered by name; one name must never stand for two things.
    #[test]
    fn definitions_of_one_name_are_equal() {
        Protocol::ALL.into_iter().for_each(check_definitions);
    }

    fn check_definitions(protocol: Protocol) {
        let mut seen: Map<String, Value> = Map::new();
        let results = Request::KINDS.iter().filter_map(|kind| schema::result_schema(kind, protocol));
        for schema in results.chain([schema::error_schema(), schema::query_schema(protocol)]) {
            for (name, definition) in schema["$defs"].as_object().into_iter().flatten() {
                let first = seen.entry(name.clone()).or_insert_with(|| definition.clone());
                assert_eq!(first, definition, "{name}");
            }
        }
    }

    #[test]
    fn roots_are_objects_that_every_client_takes() {
        for tool in Protocol::ALL.into_iter().flat_map(tools) {
            assert_eq!(tool.input_schema["type"], "object", "{}", tool.name);
            for member in ["$schema", "oneOf", "anyOf", "allOf", "not"] {
                assert!(!tool.input_schema.contains_key(member), "{member} in {}", tool.name);
            }
            assert_eq!(tool.output_schema.as_ref().map(|schema| schema["type"].clone()), Some("object".into()));
            for schema in [Some(&tool.input_schema), tool.output_schema.as_ref()].into_iter().flatten() {
                jsonschema::validator_for(&Value::Object((**schema).clone())).expect("a schema");
            }
        }
    }

    #[test]
    fn arguments_are_read_as_strictly_as_requests() {
        let field = |tool: &str, arguments: Value| {
            let query = query(tool, Some(object(arguments)), Protocol::One).expect("a tool");
            query.err().map(|failure| (failure.code, failure.field.unwrap_or_default()))
        };
        let fault = |field: &str| Some((Code::InvalidRequest, field.to_owned()));
        assert_eq!(field("source_context", json!({"text": "a"})), None);
        assert_eq!(field("source_context", json!({"text": "a", "commit": "b"})), fault("commit"));
        assert_eq!(field("source_context", json!({"text": "a", "kind": "source.context"})), fault("kind"));
        assert_eq!(field("source_read", json!({"start_line": 1, "end_line": 2})), fault("path"));
        assert_eq!(field("project_query", json!({"kind": "source.list"})), None);
        assert_eq!(field("project_query", json!({"queries": [], "kind": "source.list"})), fault("kind"));
        assert_eq!(field("project_query", json!({})), fault("kind"));
        assert!(query("source_delete", None, Protocol::One).is_none());
    }
}
