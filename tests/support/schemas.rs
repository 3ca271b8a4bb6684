//! Every result and error that a test meets is held against the published schemas.

use std::collections::HashMap;
use std::path::Path;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

/// The contract of protocol 1 as it is published in `docs/contract/`.
pub static CONTRACT: LazyLock<Value> = LazyLock::new(|| published(1));

fn published(protocol: u64) -> Value {
    let name = format!("docs/contract/protocol-{protocol}.json");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

static RESULTS: LazyLock<HashMap<(u64, String), Validator>> = LazyLock::new(|| {
    let mut all = HashMap::new();
    for protocol in [1, 2] {
        for (kind, schema) in published(protocol)["results"].as_object().unwrap() {
            all.insert((protocol, kind.clone()), jsonschema::validator_for(schema).unwrap());
        }
    }
    all
});

static ERROR: LazyLock<Validator> = LazyLock::new(|| jsonschema::validator_for(&CONTRACT["error"]).unwrap());

/// Panics unless a result, an error or a bundle of them is valid.
pub fn check(value: &Value) {
    if let Some(results) = value.get("results") {
        return results.as_array().unwrap().iter().for_each(check);
    }
    let validator = match value.get("error") {
        Some(_) => &*ERROR,
        None => &RESULTS[&(value["protocol"].as_u64().unwrap(), value["kind"].as_str().unwrap().to_owned())],
    };
    let faults: Vec<String> =
        validator.iter_errors(value).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
    assert!(faults.is_empty(), "{faults:?}\n{value:#}");
}
