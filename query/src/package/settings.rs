//! Settings of a context: read back, and compared so that a person sees what differs.

use pincite_shared::profile::settings_from_canonical;
use pincite_shared::settings::Settings;
use serde_json::Value;

/// Where two values differ first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The member, with dots.
    pub key: String,
    /// What stands there in the first value.
    pub left: String,
    /// What stands there in the second value.
    pub right: String,
}

pub(super) fn of_context(value: &Value) -> Result<Settings, String> {
    settings_from_canonical(value).map_err(|problem| format!("`settings` can not be used: {problem}"))
}

/// The first difference of two JSON values, by the order of their members' names.
pub fn first_difference(left: &Value, right: &Value) -> Option<Difference> {
    let (Value::Object(a), Value::Object(b)) = (left, right) else {
        let shown = |value: &Value| value.to_string();
        return (left != right).then(|| Difference { key: String::new(), left: shown(left), right: shown(right) });
    };
    let mut names: Vec<&String> = a.keys().chain(b.keys()).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().find_map(|name| {
        let mut one = match (a.get(name), b.get(name)) {
            (Some(left), Some(right)) => first_difference(left, right)?,
            (left, right) => {
                let shown = |value: Option<&Value>| value.map_or("missing".to_owned(), Value::to_string);
                Difference { key: String::new(), left: shown(left), right: shown(right) }
            }
        };
        one.key = if one.key.is_empty() { name.clone() } else { format!("{name}.{}", one.key) };
        Some(one)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    //
    #[test]
    fn the_first_difference_is_named() {
        let check = |left: Value, right: Value, expected: Option<(&str, &str, &str)>| {
            let found = first_difference(&left, &right);
            assert_eq!(found.as_ref().map(|one| (&*one.key, &*one.left, &*one.right)), expected, "{left} {right}");
        };
        check(json!({"a": {"b": 1}}), json!({"a": {"b": 1}}), None);
        check(json!({"a": {"b": 1, "c": 2}}), json!({"a": {"c": 3, "b": 1}}), Some(("a.c", "2", "3")));
        check(json!({"z": 1, "a": [1]}), json!({"z": 2, "a": [2]}), Some(("a", "[1]", "[2]")));
        check(json!({"a": 1}), json!({}), Some(("a", "1", "missing")));
    }
}
