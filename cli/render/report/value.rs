//! Members of JSON from elsewhere, read with patience: what is missing or of another type is empty, and never a fault.

use serde_json::Value;

/// A member as text; numbers and booleans too. Empty when there is none.
pub(super) fn text(value: &Value, name: &str) -> String {
    value.get(name).map(shown).unwrap_or_default()
}

/// A member as a list; empty when it is none.
pub(super) fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// A member as a number.
pub(super) fn number(value: &Value, name: &str) -> Option<u64> {
    value.get(name).and_then(Value::as_u64)
}

/// Whether a member is true.
pub(super) fn is_true(value: &Value, name: &str) -> bool {
    value.get(name).and_then(Value::as_bool) == Some(true)
}

/// Members of an object member: names and values; empty when it is none.
pub(super) fn members<'a>(value: &'a Value, name: &str) -> Vec<(&'a str, &'a Value)> {
    let map = value.get(name).and_then(Value::as_object);
    map.map(|map| map.iter().map(|(name, value)| (name.as_str(), value)).collect()).unwrap_or_default()
}

/// Whether a member is there and neither null, nor empty.
pub(super) fn says_something(value: &Value, name: &str) -> bool {
    match value.get(name) {
        None | Some(Value::Null) => false,
        Some(Value::Array(list)) => !list.is_empty(),
        Some(Value::Object(map)) => !map.is_empty(),
        Some(Value::String(text)) => !text.is_empty(),
        Some(_) => true,
    }
}

/// A value as text: a string as it is, null as nothing, anything else as JSON.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Members of an object beside these.
pub(super) fn unknown<'a>(value: &'a Value, known: &[&str]) -> Vec<(&'a str, &'a Value)> {
    let all = value.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value));
    all.filter(|(name, _)| !known.contains(name)).collect()
}

/// A member that counts, with what it counts: `1 line`, `2 lines`.
pub(super) fn counted(value: &Value, name: &str, one: &str) -> String {
    let count = text(value, name);
    let ending = if count == "1" { "" } else { "s" };
    format!("{count} {one}{ending}")
}
