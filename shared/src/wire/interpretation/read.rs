//! Reads an interpretation strictly; each fault names its JSON Pointer and says what is allowed.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::super::members::{kind_of, shown};
use super::super::pointer::below;
use super::{Entity, Fact, InterpretationDocument, Record, Source};
use crate::failure::{Code, Failure};

/// The largest integer that every reader of JSON keeps exactly (RFC 8785).
const MAX_INTEGER: u64 = (1 << 53) - 1;
/// Characters of a name, value or other text.
const MAX_CHARS: usize = 256;

/// A value and where it stands.
#[derive(Clone)]
struct At<'a> {
    value: &'a Value,
    pointer: String,
}

impl<'a> At<'a> {
    fn fault(&self, problem: impl AsRef<str>) -> Failure {
        let shown = if self.pointer.is_empty() { "the document" } else { &self.pointer };
        let message = format!("the interpretation is refused: {shown} {}", problem.as_ref());
        Failure::new(Code::InvalidRequest, message).field(format!("interpretation{}", self.pointer))
    }

    fn wrong_type(&self, needed: &str) -> Failure {
        self.fault(format!("is {}; {needed} is needed", kind_of(self.value)))
    }

    /// The members of an object that has no others than `names`.
    fn object(&self, names: &[&str]) -> Result<&'a Map<String, Value>, Failure> {
        let map = self.value.as_object().ok_or_else(|| self.wrong_type("an object"))?;
        match map.keys().find(|name| !names.contains(&name.as_str())) {
            Some(unknown) => {
                let allowed = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
                let at = At { value: &map[unknown], pointer: below(&self.pointer, &shown(unknown)) };
                Err(at.fault(format!("is not a member here; {allowed} are allowed")))
            }
            None => Ok(map),
        }
    }

    fn member(&self, name: &str) -> Option<At<'a>> {
        self.value.get(name).map(|value| At { value, pointer: below(&self.pointer, name) })
    }

    fn needed(&self, name: &str) -> Result<At<'a>, Failure> {
        self.member(name).ok_or_else(|| self.fault(format!("lacks `{name}`, which it needs")))
    }

    /// The entries of an optional array.
    fn entries(&self, name: &str) -> Result<Vec<At<'a>>, Failure> {
        let Some(at) = self.member(name) else { return Ok(Vec::new()) };
        let array = at.value.as_array().ok_or_else(|| at.wrong_type("an array"))?;
        let entry = |(number, value): (usize, &'a Value)| At { value, pointer: format!("{}/{number}", at.pointer) };
        Ok(array.iter().enumerate().map(entry).collect())
    }

    /// One line of text.
    fn text(&self) -> Result<String, Failure> {
        let text = self.value.as_str().ok_or_else(|| self.wrong_type("a string"))?;
        let chars = text.chars().count();
        if chars == 0 || chars > MAX_CHARS {
            return Err(self.fault(format!("has {chars} characters; 1 to {MAX_CHARS} are allowed")));
        }
        if text.contains(char::is_control) || text.trim() != text {
            return Err(self.fault("has control characters, or blanks at its ends; a plain line is allowed"));
        }
        Ok(text.to_owned())
    }

    fn texts(&self, name: &str) -> Result<Vec<String>, Failure> {
        self.entries(name)?.iter().map(At::text).collect()
    }

    fn number(&self) -> Result<u64, Failure> {
        self.value.as_u64().filter(|number| *number <= MAX_INTEGER).ok_or_else(|| {
            let found = if self.value.is_number() { self.value.to_string() } else { kind_of(self.value).to_owned() };
            self.fault(format!("is {found}; an integer from 0 to {MAX_INTEGER} is allowed"))
        })
    }

    fn source(&self) -> Result<Source, Failure> {
        let at = self.needed("source")?;
        at.object(&["document", "sha256", "pointer"])?;
        let pointer = at.needed("pointer")?;
        let text = pointer.value.as_str().ok_or_else(|| pointer.wrong_type("a string"))?;
        if !is_pointer(text) {
            return Err(pointer.fault(format!("is {:?}; a JSON Pointer such as \"/rows/0\" is allowed", shown(text))));
        }
        let sha256 = at.member("sha256").map(|at| at.sha256()).transpose()?;
        Ok(Source { document: at.needed("document")?.text()?, sha256, pointer: text.to_owned() })
    }

    fn sha256(&self) -> Result<String, Failure> {
        let text = self.value.as_str().ok_or_else(|| self.wrong_type("a string"))?;
        let is_hash = text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_hash
            .then(|| text.to_owned())
            .ok_or_else(|| self.fault(format!("is {:?}; 64 lower case hexadecimal digits are allowed", shown(text))))
    }
}

/// Whether a text is a JSON Pointer (RFC 6901): empty, or tokens that each begin with `/`.
fn is_pointer(text: &str) -> bool {
    let escapes = text.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    (text.is_empty() || text.starts_with('/')) && escapes && text.chars().count() <= MAX_CHARS
}

pub(super) fn document(value: &Value) -> Result<InterpretationDocument, Failure> {
    let root = At { value, pointer: String::new() };
    root.object(&["interpretation", "entities", "facts", "records"])?;
    let version = root.needed("interpretation")?;
    if version.value.as_u64() != Some(1) {
        return Err(version.fault("is not a version that is known; 1 is allowed"));
    }
    let mut entities: Vec<Entity> = Vec::new();
    let mut known: HashSet<String> = HashSet::new();
    for at in root.entries("entities")? {
        let entity = entity(&at)?;
        if !known.insert(entity.id.clone()) {
            return Err(at.needed("id")?.fault(format!("is {:?}, which another entity has", shown(&entity.id))));
        }
        entities.push(entity);
    }
    let mut facts = Vec::new();
    for at in root.entries("facts")? {
        let fact = fact(&at)?;
        if let Some(named) = &fact.entity
            && !known.contains(named)
        {
            return Err(at.needed("entity")?.fault(format!("is {:?}, which no entity has", shown(named))));
        }
        facts.push(fact);
    }
    let records = root.entries("records")?.iter().map(record).collect::<Result<_, _>>()?;
    Ok(InterpretationDocument { interpretation: 1, entities, facts, records })
}

fn entity(at: &At<'_>) -> Result<Entity, Failure> {
    at.object(&["id", "type", "ids", "names", "roles", "source"])?;
    Ok(Entity {
        id: at.needed("id")?.text()?,
        entity_type: at.needed("type")?.text()?,
        ids: at.entries("ids")?.iter().map(At::number).collect::<Result<_, _>>()?,
        names: at.texts("names")?,
        roles: at.texts("roles")?,
        source: at.source()?,
    })
}

fn fact(at: &At<'_>) -> Result<Fact, Failure> {
    at.object(&["name", "value", "entity", "source"])?;
    Ok(Fact {
        name: at.needed("name")?.text()?,
        value: at.needed("value")?.text()?,
        entity: at.member("entity").map(|at| at.text()).transpose()?,
        source: at.source()?,
    })
}

fn record(at: &At<'_>) -> Result<Record, Failure> {
    at.object(&["table", "row", "source"])?;
    let row = at.needed("row")?;
    let columns = row.value.as_object().ok_or_else(|| row.wrong_type("an object"))?;
    for (name, value) in columns {
        let cell = At { value, pointer: below(&row.pointer, name) };
        match value {
            Value::Null | Value::Bool(_) | Value::String(_) => {}
            Value::Number(number) if number.as_u64().is_some_and(|number| number <= MAX_INTEGER) => {}
            Value::Number(number) if number.as_i64().is_some_and(|number| number.unsigned_abs() <= MAX_INTEGER) => {}
            Value::Number(number) if number.is_f64() => {}
            Value::Number(number) => {
                let problem =
                    format!("is {number}, which not every reader of JSON keeps exactly; write it as a string");
                return Err(cell.fault(problem));
            }
            other => return Err(cell.fault(format!("is {}; a plain value is allowed", kind_of(other)))),
        }
    }
    Ok(Record { table: at.needed("table")?.text()?, row: columns.clone(), source: at.source()? })
}
