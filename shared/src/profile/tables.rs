//! Keys that are tables themselves: `[source_analysis.scopes.NAME]` and `[[source_analysis.type_markers]]`.
//!
//! Their fields stand in tables of [`Field`]s, as keys stand in `KEYS`: reading, errors and documentation come from
//! them.

use std::ops::Range;

use toml_edit::{Item, TableLike, Value};

use super::ProfileProblem;
use super::keys::{Key, KeyKind};
use crate::settings::{ScopeName, SelectionSettings};

/// A field of such a table.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Whether the table needs it.
    pub required: bool,
    /// Whether it holds an array of strings instead of one.
    pub list: bool,
    /// What a string may be.
    pub allowed: &'static str,
    /// The string in its normal form; `None` refuses it.
    pub normalize: fn(&str) -> Option<String>,
    /// What it does, in one line.
    pub about: &'static str,
}

impl Field {
    /// What the field may hold, as it stands in errors and in the documentation.
    pub fn allowed(&self) -> String {
        match self.list {
            true => format!("an array of strings, each {},", self.allowed),
            false => format!("a string: {}", self.allowed),
        }
    }
}

/// The fields of one table as they were read.
#[derive(Debug, Default)]
pub struct Values(Vec<(&'static str, Vec<String>)>);

impl Values {
    /// A list, when the field was given; sorted, without duplicates.
    pub fn given(&self, name: &str) -> Option<Vec<String>> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, values)| values.clone())
    }

    /// A list, empty when the field was not given.
    pub fn list(&self, name: &str) -> Vec<String> {
        self.given(name).unwrap_or_default()
    }

    /// A required string.
    pub fn text(&self, name: &str) -> String {
        self.list(name).into_iter().next().unwrap_or_default()
    }
}

/// What is wrong with a table, the name of the field when one is at fault, and where it stands.
pub(super) struct TableFault {
    pub(super) field: Option<String>,
    pub(super) span: Option<Range<usize>>,
    pub(super) problem: Box<ProfileProblem>,
}

impl TableFault {
    fn new(field: Option<&str>, span: Option<Range<usize>>, problem: ProfileProblem) -> Self {
        Self { field: field.map(str::to_owned), span, problem: Box::new(problem) }
    }
}

/// Shows a value as it stands in the file.
type Written<'a> = &'a dyn Fn(Option<Range<usize>>) -> String;

/// Puts the tables of a key in their place; a key that is no table is left alone.
pub(super) fn put(
    settings: &mut SelectionSettings,
    key: &Key,
    item: &Item,
    written: Written<'_>,
) -> Result<(), TableFault> {
    let wrong_type = |field: Option<&str>, item: &Item, span| {
        let dotted = field.map_or(key.dotted(), |field| format!("{}.{field}", key.dotted()));
        let allowed = if field.is_some() { "a table".to_owned() } else { key.allowed() };
        let problem = ProfileProblem::WrongType { key: dotted, found: item.type_name(), allowed };
        TableFault::new(field, span, problem)
    };
    match key.kind {
        KeyKind::Tables { fields, add } => {
            for table in entries(item).ok_or_else(|| wrong_type(None, item, None))? {
                // A table of an array has no key of its own; its first field tells the line.
                let first = table.iter().next().and_then(|(name, _)| table.key(name)).and_then(|key| key.span());
                add(settings, &read(key, fields, table, first.or_else(|| item.span()), written)?);
            }
        }
        KeyKind::Scopes { fields, set } => {
            let scopes = item.as_table_like().ok_or_else(|| wrong_type(None, item, None))?;
            for (name, item) in scopes.iter() {
                let span = scopes.key(name).and_then(|key| key.span()).or_else(|| item.span());
                let Some(scope) = ScopeName::from_name(name) else {
                    let dotted = format!("{}.{name}", key.dotted());
                    let problem = ProfileProblem::UnknownScope { key: dotted, allowed: ScopeName::allowed() };
                    return Err(TableFault::new(Some(name), span, problem));
                };
                let table = item.as_table_like().ok_or_else(|| wrong_type(Some(name), item, span.clone()))?;
                let values = read(key, fields, table, span, written).map_err(|fault| {
                    let field = fault.field.map_or(name.to_owned(), |field| format!("{name}.{field}"));
                    TableFault { field: Some(field), ..fault }
                })?;
                set(settings, scope, &values);
            }
        }
        _ => {}
    }
    Ok(())
}

/// The tables of an array of tables, written with `[[…]]` or inline.
fn entries(item: &Item) -> Option<Vec<&dyn TableLike>> {
    match item {
        Item::ArrayOfTables(array) => Some(array.iter().map(|table| table as &dyn TableLike).collect()),
        Item::Value(Value::Array(array)) => {
            array.iter().map(|value| value.as_inline_table().map(|table| table as &dyn TableLike)).collect()
        }
        _ => None,
    }
}

/// Reads the fields of one table.
fn read(
    key: &Key,
    fields: &'static [Field],
    table: &dyn TableLike,
    at: Option<Range<usize>>,
    written: Written<'_>,
) -> Result<Values, TableFault> {
    let dotted = |name: &str| format!("{}.{name}", key.dotted());
    let mut values = Values::default();
    for (name, item) in table.iter() {
        let span = table.key(name).and_then(|key| key.span()).or_else(|| item.span());
        let fault = |span, problem| TableFault::new(Some(name), span, problem);
        let Some(field) = fields.iter().find(|field| field.name == name) else {
            let allowed = fields.iter().map(|field| format!("`{}`", field.name)).collect::<Vec<_>>().join(", ");
            return Err(fault(span, ProfileProblem::UnknownKey { key: dotted(name), allowed, nearest: None }));
        };
        let wrong_type = || {
            let problem =
                ProfileProblem::WrongType { key: dotted(name), found: item.type_name(), allowed: field.allowed() };
            fault(span.clone(), problem)
        };
        let normal = |value: &Value| {
            value.as_str().and_then(field.normalize).ok_or_else(|| {
                let at = value.span().or_else(|| span.clone());
                let found = written(at.clone());
                fault(at, ProfileProblem::NotAllowed { key: dotted(name), found, allowed: field.allowed.into() })
            })
        };
        let mut list = Vec::new();
        match (field.list, item.as_value()) {
            (true, Some(Value::Array(array))) => {
                for value in array {
                    list.push(normal(value)?);
                }
            }
            (false, Some(value @ Value::String(_))) => list.push(normal(value)?),
            _ => return Err(wrong_type()),
        }
        list.sort();
        list.dedup();
        values.0.push((field.name, list));
    }
    let is_missing = |field: &&Field| field.required && values.list(field.name).is_empty();
    match fields.iter().find(is_missing) {
        Some(field) => {
            let problem = ProfileProblem::MissingField { key: dotted(field.name), allowed: field.allowed() };
            Err(TableFault::new(Some(field.name), at, problem))
        }
        None => Ok(values),
    }
}
