//! Every result and error that a test meets is held against the published schemas.

use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

/// The contract as it is published in `docs/contract/`.
pub static CONTRACT: LazyLock<Value> = LazyLock::new(|| {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/contract/protocol-1.json");
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
});

static RESULTS: LazyLock<HashMap<String, Validator>> = LazyLock::new(|| {
    let schemas = CONTRACT["results"].as_object().unwrap();
    schemas.iter().map(|(kind, schema)| (kind.clone(), jsonschema::validator_for(schema).unwrap())).collect()
});

static ERROR: LazyLock<Validator> = LazyLock::new(|| jsonschema::validator_for(&CONTRACT["error"]).unwrap());

/// Panics unless a result, an error or a bundle of them is valid.
pub fn check(value: &Value) {
    if let Some(results) = value.get("results") {
        return results.as_array().unwrap().iter().for_each(check);
    }
    let validator = match value.get("error") {
        Some(_) => &*ERROR,
        None => &RESULTS[value["kind"].as_str().unwrap()],
    };
    let faults: Vec<String> =
        validator.iter_errors(value).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
    assert!(faults.is_empty(), "{faults:?}\n{value:#}");
}
