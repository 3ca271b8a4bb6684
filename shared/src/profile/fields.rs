//! What strings of a profile may be, and the fields of keys that are tables.

use super::tables::{Field, Values};
use crate::path::check_prefix;
use crate::settings::{ScopeName, ScopeSettings, SelectionSettings};

/// What a type, role, table, column, fact or place may be called.
pub(super) const LABEL: &str = "1 to 256 characters without control characters or blanks at the ends";
pub(super) const PREFIX: &str = "the beginning of an identifier (letters, digits and `_`, not beginning with a digit)";
pub(super) const EXTENSION: &str = "a file extension such as `cpp` (without `/`, inner dots or spaces)";
const PATHS: &str = "the beginning of a path such as `src/` (relative, without `.`, `..` and empty segments)";

const fn label(name: &'static str, about: &'static str) -> Field {
    Field { name, required: true, list: false, allowed: LABEL, normalize: normalize_label, about }
}

const fn paths(required: bool, about: &'static str) -> Field {
    Field { name: "paths", required, list: true, allowed: PATHS, normalize: normalize_path, about }
}

const fn extensions(name: &'static str, about: &'static str) -> Field {
    Field { name, required: false, list: true, allowed: EXTENSION, normalize: normalize_extension, about }
}

pub(super) const SCOPE_FIELDS: &[Field] = &[
    paths(false, "Beginnings of the paths that are searched, byte by byte; none means every path."),
    extensions("extensions", "Extensions instead of `source_analysis.extensions`; empty means every text file."),
    extensions("exclude_extensions", "Extensions that are left out."),
];

pub(super) const TYPE_MARKER_FIELDS: &[Field] = &[
    label("type", "The type of entities."),
    Field {
        name: "prefixes",
        required: true,
        list: true,
        allowed: PREFIX,
        normalize: normalize_prefix,
        about: "Beginnings of names.",
    },
];

pub(super) const ENTITY_TABLE_FIELDS: &[Field] = &[
    label("type", "The type of the entities that the table describes."),
    label("table", "The table's name, as records have it."),
    label("id_column", "The column with the entity's number."),
    label("script_column", "The column with the script's name."),
];

pub(super) const LOCATION_FIELDS: &[Field] = &[
    label("location", "The place, as context facts name it."),
    paths(true, "Beginnings of the paths of its code, byte by byte."),
];

pub(super) fn set_scope(settings: &mut SelectionSettings, name: ScopeName, values: &Values) {
    let scope = ScopeSettings {
        paths: values.list("paths"),
        extensions: values.given("extensions"),
        exclude_extensions: values.list("exclude_extensions"),
    };
    settings.scopes.insert(name, scope);
}

pub(super) fn normalize_prefix(entry: &str) -> Option<String> {
    let first = entry.chars().next()?;
    let word = |c: char| c.is_alphanumeric() || c == '_';
    (!first.is_numeric() && entry.chars().all(word)).then(|| entry.to_owned())
}

/// The form that [`crate::path::extension`] yields: ASCII lower case. It never holds an inner dot, so `tar.gz`
/// would match nothing and is refused.
pub(super) fn normalize_extension(entry: &str) -> Option<String> {
    let name = entry.strip_prefix('.').unwrap_or(entry);
    let bad = |c: char| matches!(c, '.' | '/' | '\\') || c.is_whitespace() || c.is_control();
    (!name.is_empty() && !name.contains(bad)).then(|| name.to_ascii_lowercase())
}

pub(super) fn normalize_label(entry: &str) -> Option<String> {
    let fits = (1..=256).contains(&entry.chars().count());
    (fits && entry.trim() == entry && !entry.contains(char::is_control)).then(|| entry.to_owned())
}

fn normalize_path(entry: &str) -> Option<String> {
    (!entry.is_empty() && check_prefix(entry.as_bytes()).is_ok()).then(|| entry.to_owned())
}
