//! Settings from their canonical JSON: what a context or a capture stores becomes settings again.

use std::path::Path;

use serde_json::Value;

use super::Profile;
use crate::settings::Settings;

/// The settings whose canonical form is `value`.
///
/// It has the keys of a profile, so it is read as one, with the same rules.
///
/// # Errors
/// What is wrong with it, for a person; also when it is not exactly the canonical form of what it says.
pub fn settings_from_canonical(value: &Value) -> Result<Settings, String> {
    let toml = to_toml(value).ok_or("they are no object of tables")?;
    let profile = Profile::parse(&toml, Path::new("settings")).map_err(|error| error.problem.to_string())?;
    let settings = profile.settings;
    if settings.canonical_json() == *value { Ok(settings) } else { Err("they are not in canonical form".into()) }
}

fn to_toml(value: &Value) -> Option<String> {
    let mut text = String::new();
    for (table, members) in value.as_object()? {
        text.push_str(&format!("[{table}]\n"));
        for (key, value) in members.as_object()? {
            text.push_str(&format!("{} = {}\n", quoted(key), inline(value)?));
        }
    }
    Some(text)
}

fn inline(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(list) => format!("[{}]", list.iter().map(inline).collect::<Option<Vec<_>>>()?.join(", ")),
        Value::Object(map) => {
            let member = |(key, value): (&String, &Value)| Some(format!("{} = {}", quoted(key), inline(value)?));
            format!("{{{}}}", map.iter().map(member).collect::<Option<Vec<_>>>()?.join(", "))
        }
    })
}

/// A TOML basic string; its escapes are those of JSON but for DEL, which TOML wants escaped.
fn quoted(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    //
    #[test]
    fn settings_survive_their_canonical_form() {
        let mut settings = Settings::default();
        settings.limits.max_lines = 7;
        settings.source_analysis.registration_prefixes = vec!["AddSC_".into(), "register_".into()];
        settings.source_analysis.extensions = Vec::new();
        assert_eq!(settings_from_canonical(&settings.canonical_json()), Ok(settings.clone()));
        let two = "[source_analysis]\nprotocol = 2\nmax_anchors = 3\nfocus_roles = ['a\\b']\n\
                   [source_analysis.scopes.code]\npaths = ['src/']\nexclude_extensions = ['sql']\n\
                   [source_analysis.scopes.schema]\npaths = ['sql/']\nextensions = []\n\
                   [[source_analysis.type_markers]]\ntype = 'creature'\nprefixes = ['NPC_']\n\
                   [[source_analysis.entity_tables]]\ntype = 'creature'\ntable = 't'\nid_column = 'i'\n\
                   script_column = 's'\n\
                   [[source_analysis.location_paths]]\nlocation = 'Fjord \u{e9}'\npaths = ['src/f/']\n";
        let two = Profile::parse(two, Path::new("two")).unwrap().settings;
        assert_eq!(settings_from_canonical(&two.canonical_json()), Ok(two));
        let mut value = settings.canonical_json();
        value["limits"]["max_lines"] = json!(0);
        assert!(settings_from_canonical(&value).unwrap_err().contains("max_lines"));
        value["limits"].as_object_mut().unwrap().remove("max_lines");
        assert!(settings_from_canonical(&value).unwrap_err().contains("canonical"));
        for bad in [json!(null), json!([]), json!({"limits": 1}), json!({"]\nx": {}}), json!({"limits": {"a": null}})] {
            assert!(settings_from_canonical(&bad).is_err(), "{bad}");
        }
    }
}
