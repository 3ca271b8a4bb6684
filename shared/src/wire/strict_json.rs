//! JSON text without doubt: a member that stands twice in an object is refused, where `serde_json` keeps the last.
//!
//! Depth is bounded by `serde_json` (128); the caller bounds the text's length.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::failure::{Code, Failure};

/// The value that `text` holds.
///
/// # Errors
/// `invalid_request` when the text is not one JSON value, a number is out of range, or a member stands twice (then
/// the field is that member).
pub fn parse(text: &str) -> Result<Value, Failure> {
    parse_document(text, "the request")
}

/// As [`parse`], for a document that errors call `what`.
///
/// # Errors
/// As [`parse`].
pub fn parse_document(text: &str, what: &str) -> Result<Value, Failure> {
    let duplicate = RefCell::new(None);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Strict { duplicate: &duplicate }
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value));
    value.map_err(|error| {
        let failure = Failure::new(Code::InvalidRequest, format!("{what} is not valid JSON: {error}"));
        match duplicate.take() {
            Some(member) => failure.field(member),
            None => failure,
        }
    })
}

#[derive(Clone, Copy)]
struct Strict<'a> {
    duplicate: &'a RefCell<Option<String>>,
}

impl<'de> DeserializeSeed<'de> for Strict<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Strict<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(entry) = entries.next_element_seed(self)? {
            list.push(entry);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            if map.contains_key(&name) {
                let name = super::members::shown(&name);
                self.duplicate.replace(Some(name.clone()));
                return Err(A::Error::custom(format_args!("the member `{name}` stands twice")));
            }
            map.insert(name, members.next_value_seed(self)?);
        }
        Ok(Value::Object(map))
    }
}
