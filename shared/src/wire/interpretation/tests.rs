//! Rows of interpretations, and what they become or why they are refused.

use serde_json::{Value, json};

use super::{Interpretation, InterpretationDocument};
use crate::failure::Code;

fn example() -> Value {
    json!({
        "interpretation": 1,
        "entities": [
            {"id": "N0005", "type": "creature", "ids": [23487], "names": ["Wolpertinger"], "roles": ["target"],
             "source": {"document": "case", "pointer": "/observations/3"}},
            {"id": "N0004", "type": "quest", "ids": [23487, 9], "names": ["B", "A", "B"], "roles": [],
             "source": {"document": "case", "pointer": "/observations/2"}}],
        "facts": [{"name": "zone", "value": "Howling Fjord", "entity": "N0005",
                   "source": {"document": "case", "pointer": "/facts/0"}}],
        "records": [
            {"table": "creature_template", "row": {"entry": 23487, "ScriptName": "npc_wolpertinger"},
             "source": {"document": "capture", "pointer": "/rows/0"}},
            {"table": "creature_template", "row": {"entry": 5, "ScriptName": null},
             "source": {"document": "capture", "pointer": "/rows/1"}}]
    })
}

// C2-06: the canonical form does not depend on the order of anything, and its text has the hash that names it.
#[test]
fn the_canonical_form_has_no_order() {
    let value = example();
    let one = Interpretation::parse(&value).expect("an example");
    let mut turned = value.clone();
    for list in ["entities", "records"] {
        turned[list].as_array_mut().expect("a list").reverse();
    }
    turned["entities"][0]["names"] = json!(["A", "B"]);
    let other = Interpretation::parse(&turned).expect("the same");
    assert_eq!(one, other);
    assert_eq!(one.document().entities[0].id, "N0004");
    assert_eq!(one.document().entities[0].ids, [9, 23487]);
    // Reading the canonical text again changes nothing.
    let again = Interpretation::parse_str(one.canonical_text()).expect("the canonical text");
    assert_eq!(again.canonical_text(), one.canonical_text());
    assert_eq!(one.sha256().len(), 64);
    let plain: InterpretationDocument = serde_json::from_str(one.canonical_text()).expect("the derived form agrees");
    assert_eq!(&plain, one.document());
    turned["entities"][0]["ids"] = json!([9]);
    assert_ne!(Interpretation::parse(&turned).expect("another").sha256(), one.sha256());
    let empty = Interpretation::parse(&json!({"interpretation": 1})).expect("no entities");
    assert_eq!(empty.canonical_text(), r#"{"entities":[],"facts":[],"interpretation":1,"records":[]}"#);
}

#[test]
fn the_canonical_text_is_that_of_rfc_8785() {
    let text = r#"{"records":[{"table":"t","row":{"b":1.50,"a":"é\u000f€"},"source":{"pointer":"","document":"d"}}],"interpretation":1}"#;
    let read = Interpretation::parse_str(text).expect("a record");
    assert_eq!(
        read.canonical_text(),
        "{\"entities\":[],\"facts\":[],\"interpretation\":1,\"records\":[{\"row\":{\"a\":\"é\\u000f€\",\"b\":1.5},\
         \"source\":{\"document\":\"d\",\"pointer\":\"\"},\"table\":\"t\"}]}"
    );
}

// C2-02
#[test]
fn faults_name_their_json_pointer() {
    let check = |change: &dyn Fn(&mut Value), pointer: &str, says: &str| {
        let mut value = example();
        change(&mut value);
        let failure = Interpretation::parse(&value).expect_err(pointer);
        assert_eq!(failure.code, Code::InvalidRequest);
        assert_eq!(failure.field, Some(format!("interpretation{pointer}")), "{failure}");
        assert!(failure.message.contains(says), "{failure}");
        assert!(pointer.is_empty() || failure.message.contains(pointer), "{failure}");
    };
    check(&|v| *v = json!([]), "", "is an array; an object is needed");
    check(&|v| v["interpretation"] = json!(2), "/interpretation", "1 is allowed");
    check(&|v| v["anchors"] = json!([]), "/anchors", "`entities`, `facts`, `records` are allowed");
    check(&|v| v["entities"] = json!({}), "/entities", "an array is needed");
    check(&|v| v["entities"][1]["id"] = json!("N0005"), "/entities/1/id", "which another entity has");
    check(&|v| v["entities"][0]["id"] = json!(""), "/entities/0/id", "1 to 256");
    check(&|v| v["entities"][0]["ids"][0] = json!("23487"), "/entities/0/ids/0", "is a string; an integer");
    check(&|v| v["entities"][0]["ids"][0] = json!(-1), "/entities/0/ids/0", "is -1; an integer from 0");
    check(&|v| v["entities"][0]["ids"][0] = json!(1u64 << 53), "/entities/0/ids/0", "an integer from 0");
    check(&|v| v["entities"][0]["names"][0] = json!("a\nb"), "/entities/0/names/0", "a plain line");
    check(&|v| v["entities"][0]["script"] = json!("x"), "/entities/0/script", "is not a member here");
    check(&|v| v["entities"][0]["a/b~"] = json!("x"), "/entities/0/a~1b~0", "is not a member here");
    check(&|v| v["entities"][0]["source"]["pointer"] = json!("rows"), "/entities/0/source/pointer", "a JSON Pointer");
    check(&|v| v["entities"][0]["source"]["sha256"] = json!("ab"), "/entities/0/source/sha256", "64 lower case");
    check(&|v| drop(v["entities"][0].as_object_mut().map(|e| e.remove("source"))), "/entities/0", "lacks `source`");
    check(&|v| v["facts"][0]["entity"] = json!("N9"), "/facts/0/entity", "which no entity has");
    check(&|v| v["facts"][0]["value"] = json!(3), "/facts/0/value", "a string is needed");
    check(&|v| v["records"][0]["row"] = json!([]), "/records/0/row", "an object is needed");
    check(&|v| v["records"][0]["row"]["entry"] = json!(u64::MAX), "/records/0/row/entry", "write it as a string");
    check(&|v| v["records"][0]["row"]["entry"] = json!([1]), "/records/0/row/entry", "a plain value");
    let twice = r#"{"interpretation":1,"interpretation":1}"#;
    let failure = Interpretation::parse_str(twice).expect_err(twice);
    assert_eq!(failure.field.as_deref(), Some("interpretation"));
    assert!(failure.message.contains("the interpretation is not valid JSON"), "{failure}");
    assert!(Interpretation::parse_str("").is_err());
}
