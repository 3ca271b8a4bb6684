//! Rows of requests, and what they become or why they are refused.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::Request;
use crate::failure::Code;
use crate::settings::Protocol::{One, Two};

/// The request is read, and is written back as `expected`, which means the same.
fn check(text: &str, expected: Value) {
    let request = Request::parse_str(text, One).expect(text);
    let value = request.to_value();
    assert_eq!(value.to_string(), expected.to_string(), "{text}");
    assert_eq!(Request::parse(&value, One), Ok(request), "{text}");
}

/// The request is refused for `field`, and the message holds `says`.
fn refuse(text: &str, code: Code, field: Option<&str>, says: &str) {
    let failure = Request::parse_str(text, One).expect_err(text);
    assert_eq!(failure.code, code, "{text}: {failure}");
    assert_eq!(failure.field.as_deref(), field, "{text}: {failure}");
    assert!(failure.message.contains(says), "{text}: {failure}");
}

#[test]
fn requests_are_read_and_written_back() {
    check(
        r#"{"text":"23487","kind":"source.context"}"#,
        json!({"kind": "source.context", "text": "23487", "path_prefix": ""}),
    );
    check(
        r#"{"kind":"source.search","text":"--output=x","path_prefix":"src/"}"#,
        json!({"kind": "source.search", "text": "--output=x", "mode": "auto", "path_prefix": "src/"}),
    );
    check(
        r#"{"kind":"source.search","text":"1","mode":"decimal","max_matches":3}"#,
        json!({"kind": "source.search", "text": "1", "mode": "decimal", "path_prefix": "", "max_matches": 3}),
    );
    check(
        r#"{"kind":"source.read","path":"-a.c","start_line":1,"end_line":4294967295}"#,
        json!({"kind": "source.read", "path": "-a.c", "start_line": 1, "end_line": u32::MAX}),
    );
    // Bytes that are UTF-8 come back as text, others stay encoded.
    check(
        r#"{"kind":"source.read","path_base64":"YS5j","start_line":2,"end_line":2}"#,
        json!({"kind": "source.read", "path": "a.c", "start_line": 2, "end_line": 2}),
    );
    check(
        r#"{"kind":"source.list","after_base64":"YS//"}"#,
        json!({"kind": "source.list", "path_prefix": "", "after_base64": "YS//"}),
    );
    check(r#"{"kind":"source.list"}"#, json!({"kind": "source.list", "path_prefix": ""}));
}

// P-02
#[test]
fn unknown_members_are_refused() {
    for name in
        ["repository", "commit", "revision", "remote", "git_options", "entity_refs", "scope", "Text", "", "max_matches"]
    {
        let text = format!(r#"{{"kind":"source.context","text":"a","{name}":"x"}}"#);
        refuse(&text, Code::InvalidRequest, Some(name), "`kind`, `text`, `path_prefix` are allowed");
    }
    let long = "m".repeat(5000);
    let failure = Request::parse(&json!({"kind": "source.list", long: 1}), One).expect_err("an unknown member");
    assert!(failure.message.len() < 400, "{failure}");
}

#[test]
fn wrong_members_are_refused() {
    let invalid = Code::InvalidRequest;
    refuse("[]", invalid, None, "an array; an object is needed");
    refuse("{}", invalid, Some("kind"), "is missing");
    refuse(r#"{"kind":1}"#, invalid, Some("kind"), "a number; a string is needed");
    refuse(r#"{"kind":"source.grep"}"#, invalid, Some("kind"), "`source.context`, ");
    refuse(r#"{"kind":"source.context"}"#, invalid, Some("text"), "is missing");
    for (text, says) in [
        ("null", "null; a string"),
        ("7", "a number"),
        (r#""""#, "0 characters; 1 to 256"),
        (r#""a\nb""#, "line break"),
        (r#""a\rb""#, "line break"),
    ] {
        refuse(&format!(r#"{{"kind":"source.context","text":{text}}}"#), invalid, Some("text"), says);
    }
    let sized = |chars: usize| json!({"kind": "source.context", "text": "é".repeat(chars)});
    assert!(Request::parse(&sized(256), One).is_ok());
    assert!(Request::parse(&sized(257), One).is_err());
    refuse(r#"{"kind":"source.search","text":"a","mode":"regex"}"#, invalid, Some("mode"), "`auto`, `word`");
    for number in ["0", "-1", "1.5", "1.0", "1e3", "\"3\"", "null", "4294967296", "18446744073709551616", "[1]"] {
        let says = "an integer from 1 to 4294967295";
        let text = format!(r#"{{"kind":"source.search","text":"a","max_matches":{number}}}"#);
        refuse(&text, invalid, Some("max_matches"), says);
        let text = format!(r#"{{"kind":"source.read","path":"a","start_line":{number},"end_line":9}}"#);
        refuse(&text, invalid, Some("start_line"), says);
    }
    refuse(r#"{"kind":"source.read","path":"a","start_line":1}"#, invalid, Some("end_line"), "is missing");
    refuse(r#"{"kind":"source.read","path":"a","start_line":2,"end_line":1}"#, invalid, Some("end_line"), "reversed");
    refuse(r#"{"kind":"source.read","start_line":1,"end_line":1}"#, invalid, Some("path"), "is missing");
    let both = r#"{"kind":"source.read","path":"a","path_base64":"YQ==","start_line":1,"end_line":1}"#;
    refuse(both, invalid, Some("path_base64"), "only one is allowed");
    for bad in ["YQ", "Y Q==", "_-==", "é"] {
        let text = format!(r#"{{"kind":"source.list","after_base64":"{bad}"}}"#);
        refuse(&text, invalid, Some("after_base64"), "Base64");
    }
}

// L-06
#[test]
fn unsafe_paths_are_refused() {
    for bad in ["/etc/passwd", "a/../b", "./a", "a//b", "a\\\\b", "a\\u0000", ":(glob)a"] {
        let read = format!(r#"{{"kind":"source.read","path":"{bad}","start_line":1,"end_line":1}}"#);
        refuse(&read, Code::UnsafePath, Some("path"), "`path` ");
        for kind in ["source.context", "source.search"] {
            let text = format!(r#"{{"kind":"{kind}","text":"a","path_prefix":"{bad}"}}"#);
            refuse(&text, Code::UnsafePath, Some("path_prefix"), "`path_prefix` ");
        }
        let list = format!(r#"{{"kind":"source.list","after":"{bad}"}}"#);
        refuse(&list, Code::UnsafePath, Some("after"), "`after` ");
    }
    refuse(r#"{"kind":"source.list","after":""}"#, Code::UnsafePath, Some("after"), "is empty");
    refuse(r#"{"kind":"source.list","after_base64":"Li4="}"#, Code::UnsafePath, Some("after_base64"), "`..`");
}

#[test]
fn text_must_be_one_plain_json_value() {
    let invalid = Code::InvalidRequest;
    let twice = r#"{"kind":"source.context","text":"a","text":"b"}"#;
    refuse(twice, invalid, Some("text"), "`text` stands twice");
    refuse(r#"{"kind":"source.list","after":{"x":1,"x":1}}"#, invalid, Some("x"), "stands twice");
    refuse("", invalid, None, "not valid JSON");
    refuse(r#"{"kind":"source.list"} {}"#, invalid, None, "not valid JSON");
    refuse(r#"{"kind":"source.list","after":1e999}"#, invalid, None, "out of range");
    refuse(&"[".repeat(100_000), invalid, None, "recursion limit");
}

/// Values that often have the right names and types.
fn json_values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0u32..4).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        "source\\.(context|search|read|list)".prop_map(Value::from),
    ];
    let name = prop_oneof![
        "kind|text|mode|path|path_base64|path_prefix|start_line|end_line|after|max_matches|entity_refs|scope",
        ".{0,4}"
    ];
    leaf.prop_recursive(3, 24, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            (prop::collection::vec((name.clone(), inner), 0..6), "source\\.(context|search|read|list)").prop_map(
                |(members, kind)| {
                    let mut map: serde_json::Map<_, _> = members.into_iter().collect();
                    map.entry("kind").or_insert(kind.into());
                    Value::Object(map)
                }
            ),
        ]
    })
}

// C2-01 C2-02: references and scopes are members of protocol 2 only, and no request can hand in anchors.
#[test]
fn protocol_2_has_references_and_scopes() {
    let read = |text: &str| Request::parse_str(text, Two);
    let plain = read(r#"{"kind":"source.context","text":"23487"}"#).expect("a plain request");
    let filled =
        json!({"kind": "source.context", "text": "23487", "path_prefix": "", "entity_refs": [], "scope": "code"});
    assert_eq!(plain.to_value().to_string(), filled.to_string());
    assert_eq!(Request::parse(&filled, Two), Ok(plain.clone()));
    let bare = Request::context("23487", "");
    assert_eq!(bare.clone().settled(Two), Ok(plain.clone()));
    assert_eq!(bare.clone().settled(One), Ok(bare));
    let twice = Request::Context {
        text: "a".into(),
        path_prefix: String::new(),
        entity_refs: vec!["N1".into(), "N1".into()],
        scope: None,
    };
    assert_eq!(twice.settled(Two).expect_err("one twice").field.as_deref(), Some("entity_refs"));
    assert_eq!(plain.settled(One).expect_err("a scope").field.as_deref(), Some("scope"));
    let full = read(r#"{"kind":"source.context","text":"a","entity_refs":["N0005"],"scope":"historical_sql"}"#);
    let value = full.expect("references").to_value();
    assert_eq!((&value["entity_refs"], &value["scope"]), (&json!(["N0005"]), &json!("historical_sql")));
    for (member, value, says) in [
        ("entity_refs", r#""N0005""#, "an array of strings is needed"),
        ("entity_refs", "[1]", "has a number in it"),
        ("entity_refs", r#"["a","a"]"#, "has \"a\" twice"),
        ("scope", r#""docs""#, "`code`, `schema`, `historical_sql` are allowed"),
        ("scope", "1", "a string is needed"),
        ("anchors", "[]", "`path_prefix`, `entity_refs`, `scope` are allowed"),
        ("interpretation", "{}", "is not a member"),
    ] {
        let text = format!(r#"{{"kind":"source.context","text":"a","{member}":{value}}}"#);
        let failure = read(&text).expect_err(&text);
        assert_eq!(failure.field.as_deref(), Some(member), "{failure}");
        assert!(failure.message.contains(says), "{failure}");
        // Protocol 1 knows none of them and says what it always said.
        refuse(&text, Code::InvalidRequest, Some(member), "`kind`, `text`, `path_prefix` are allowed");
    }
    let many: Vec<String> = (0..65).map(|n| n.to_string()).collect();
    let text = json!({"kind": "source.context", "text": "a", "entity_refs": many});
    assert!(Request::parse(&text, Two).expect_err("too many").message.contains("has 65 entries; up to 64"));
    assert!(read(r#"{"kind":"source.search","text":"a","scope":"code"}"#).is_err());
}

proptest! {
    #[test]
    fn any_json_is_read_or_refused(value in json_values()) {
        for protocol in [One, Two] {
            let parsed = Request::parse(&value, protocol);
            prop_assert_eq!(&Request::parse_str(&value.to_string(), protocol).is_ok(), &parsed.is_ok());
            if let Ok(request) = parsed {
                prop_assert_eq!(Request::parse(&request.to_value(), protocol), Ok(request));
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in ".{0,80}") {
        let _ = Request::parse_str(&text, Two);
    }
}
