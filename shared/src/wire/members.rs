//! The members of a request object, each read with its type and rule; a fault names the member.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use crate::failure::{Code, Failure};
use crate::path::{check_path, check_prefix};

/// Characters of a search text.
const MAX_TEXT_CHARS: usize = 256;

/// Characters of a name or value that an error repeats.
const MAX_SHOWN_CHARS: usize = 100;

/// `text` as an error repeats it: shortened.
pub(super) fn shown(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The failure of one member.
pub(super) fn fault(member: &str, problem: impl AsRef<str>) -> Failure {
    Failure::new(Code::InvalidRequest, format!("`{member}` {}", problem.as_ref())).field(member)
}

/// A request object.
#[derive(Clone, Copy)]
pub(super) struct Members<'a>(pub(super) &'a Map<String, Value>);

impl<'a> Members<'a> {
    /// Refuses every member that is not named (P-02).
    pub(super) fn allow(self, kind: &str, names: &[&str]) -> Result<(), Failure> {
        match self.0.keys().find(|name| !names.contains(&name.as_str())) {
            Some(unknown) => {
                let allowed = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                Err(fault(&shown(unknown), format!("is not a member of a `{kind}` request; {allowed} are allowed")))
            }
            None => Ok(()),
        }
    }

    pub(super) fn string(self, name: &str) -> Result<Option<&'a str>, Failure> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(fault(name, format!("is {}; a string is needed", kind_of(other)))),
        }
    }

    /// An array of up to `most` strings, none twice.
    pub(super) fn strings(self, name: &str, most: usize) -> Result<Vec<String>, Failure> {
        let Some(value) = self.0.get(name) else { return Ok(Vec::new()) };
        let Value::Array(entries) = value else {
            return Err(fault(name, format!("is {}; an array of strings is needed", kind_of(value))));
        };
        if entries.len() > most {
            return Err(fault(name, format!("has {} entries; up to {most} are allowed", entries.len())));
        }
        let mut list: Vec<String> = Vec::new();
        for entry in entries {
            match entry {
                Value::String(text) if list.contains(text) => {
                    return Err(fault(name, format!("has {:?} twice", shown(text))));
                }
                Value::String(text) => list.push(text.clone()),
                other => return Err(fault(name, format!("has {} in it; strings are allowed", kind_of(other)))),
            }
        }
        Ok(list)
    }

    /// A number of lines or matches: an integer of 1 or more.
    pub(super) fn positive(self, name: &str) -> Result<Option<u32>, Failure> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        // A float such as 1e3 or 1.0 is no integer on the wire: clients that mean a line number write one.
        let number = value.as_u64().and_then(|number| u32::try_from(number).ok()).filter(|number| *number > 0);
        let found = || if value.is_number() { value.to_string() } else { kind_of(value).to_owned() };
        number
            .map(Some)
            .ok_or_else(|| fault(name, format!("is {}; an integer from 1 to {} is allowed", found(), u32::MAX)))
    }

    pub(super) fn text(self) -> Result<String, Failure> {
        let text = required("text", self.string("text")?)?;
        let chars = text.chars().count();
        if chars == 0 || chars > MAX_TEXT_CHARS {
            return Err(fault("text", format!("has {chars} characters; 1 to {MAX_TEXT_CHARS} are allowed")));
        }
        if text.contains(['\n', '\r']) {
            return Err(fault("text", "has a line break; one line is allowed"));
        }
        Ok(text.to_owned())
    }

    pub(super) fn path_prefix(self) -> Result<String, Failure> {
        let prefix = self.string("path_prefix")?.unwrap_or_default();
        check_prefix(prefix.as_bytes()).map_err(|error| error.into_failure("path_prefix", prefix.as_bytes()))?;
        Ok(prefix.to_owned())
    }

    /// The path of a file: `name`, or its bytes in `encoded`, which paths that are not UTF-8 need.
    pub(super) fn path(self, name: &str, encoded: &str) -> Result<Option<Vec<u8>>, Failure> {
        let (field, path) = match (self.string(name)?, self.string(encoded)?) {
            (None, None) => return Ok(None),
            (Some(_), Some(_)) => return Err(fault(encoded, format!("stands beside `{name}`; only one is allowed"))),
            (Some(text), None) => (name, text.as_bytes().to_vec()),
            (None, Some(text)) => {
                let bytes = STANDARD
                    .decode(text)
                    .map_err(|error| fault(encoded, format!("is not Base64 (standard alphabet, padded): {error}")))?;
                (encoded, bytes)
            }
        };
        check_path(&path).map_err(|error| error.into_failure(field, &path))?;
        Ok(Some(path))
    }
}

/// The value of a member that a request must have.
pub(super) fn required<T>(name: &str, value: Option<T>) -> Result<T, Failure> {
    value.ok_or_else(|| fault(name, "is missing; the request needs it"))
}

/// Writes a path as the member that holds it without loss.
pub(super) fn put_path(map: &mut Map<String, Value>, name: &str, encoded: &str, path: &[u8]) {
    match std::str::from_utf8(path) {
        Ok(text) => map.insert(name.into(), text.into()),
        Err(_) => map.insert(encoded.into(), STANDARD.encode(path).into()),
    };
}

/// The JSON type in words.
pub(super) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}
