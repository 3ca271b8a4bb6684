//! JSON text without doubt: a member that stands twice in an object is refused, where `serde_json` keeps the last.
//!
//! Depth is bounded by `serde_json` (128); the caller bounds the text's length.

use std::cell::RefCell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::members::shown;
use super::pointer;
use crate::failure::{Code, Failure};

/// The value that `text` holds.
///
/// # Errors
/// `invalid_request` when the text is not one JSON value, a number is out of range, or a member stands twice (then
/// the field is that member, and the message has the JSON Pointer of its object).
pub fn parse(text: &str) -> Result<Value, Failure> {
    parse_document(text, "the request")
}

/// As [`parse`], for a document that errors call `what`.
///
/// # Errors
/// As [`parse`].
pub fn parse_document(text: &str, what: &str) -> Result<Value, Failure> {
    let doubled = RefCell::new(None);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Strict { doubled: &doubled }
        .deserialize(&mut deserializer)
        .and_then(|value| deserializer.end().map(|()| value));
    value.map_err(|error| {
        let fault = |problem: &dyn fmt::Display| {
            Failure::new(Code::InvalidRequest, format!("{what} is not valid JSON: {problem}"))
        };
        match doubled.take() {
            Some(Doubled { member, steps }) => fault(&match steps.is_empty() {
                true => error.to_string(),
                false => {
                    let object = steps.iter().rev().fold(String::new(), |pointer, step| pointer::below(&pointer, step));
                    format!("in {object} {error}")
                }
            })
            .field(member),
            None => fault(&error),
        }
    })
}

/// A member that stands twice.
struct Doubled {
    member: String,
    /// The way to its object, from there to the root.
    steps: Vec<String>,
}

#[derive(Clone, Copy)]
struct Strict<'a> {
    doubled: &'a RefCell<Option<Doubled>>,
}

impl Strict<'_> {
    /// Notes one more step of the way to a member that stands twice, on the way back from it.
    fn step<T, E>(self, result: Result<T, E>, name: impl FnOnce() -> String) -> Result<T, E> {
        if let (Err(_), Some(doubled)) = (&result, self.doubled.borrow_mut().as_mut()) {
            doubled.steps.push(name());
        }
        result
    }
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
        while let Some(entry) = self.step(entries.next_element_seed(self), || list.len().to_string())? {
            list.push(entry);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = members.next_key::<String>()? {
            if map.contains_key(&name) {
                let member = shown(&name);
                let error = A::Error::custom(format_args!("the member `{member}` stands twice"));
                self.doubled.replace(Some(Doubled { member, steps: Vec::new() }));
                return Err(error);
            }
            let value = self.step(members.next_value_seed(self), || shown(&name))?;
            map.insert(name, value);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_that_stands_twice_is_found_at_any_depth() {
        let check = |text: &str, member: &str, says: &str| {
            let failure = parse(text).expect_err(text);
            assert_eq!(failure.field.as_deref(), Some(member), "{text}: {failure}");
            assert!(failure.message.contains(says), "{text}: {failure}");
        };
        check(r#"{"a":1,"a":1}"#, "a", "JSON: the member `a` stands twice at line 1");
        check(
            r#"[0,{"a":{"b/c~":[{"x":1},{"x":1,"y":2,"x":3}]}}]"#,
            "x",
            "in /1/a/b~1c~0/1 the member `x` stands twice",
        );
        check(r#"{"a":[],"b":{"":{"k":1,"\u006b":1}}}"#, "k", "in /b/ the member `k` stands twice");
        let deep = format!("{}{}{}", r#"{"a":["#.repeat(60), r#"{"z":1,"z":1}"#, "]}".repeat(60));
        check(&deep, "z", &format!("in {} the member `z` stands twice", "/a/0".repeat(60)));
        // Members of different objects are different members.
        assert!(parse(r#"[{"a":{"a":1}},{"a":2}]"#).is_ok());
        let broken = parse(r#"{"a":[1,}"#).expect_err("broken");
        assert_eq!((broken.field, broken.message.contains(" in /")), (None, false));
    }
}
