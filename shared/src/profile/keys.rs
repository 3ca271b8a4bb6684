//! The table of configuration keys: name, type, range, and one line on each. Defaults are those of
//! [`Settings`](crate::settings::Settings) and stand only there.

use std::path::PathBuf;

use super::Profile;
use super::fields::{
    ENTITY_TABLE_FIELDS, EXTENSION, LABEL, LOCATION_FIELDS, PREFIX, SCOPE_FIELDS, TYPE_MARKER_FIELDS,
    normalize_extension, normalize_label, normalize_prefix, set_scope,
};
use super::tables::{Field, Values};
use crate::settings::{EntityTable, LocationPaths, Protocol, ScopeName, SelectionSettings, TypeMarker};

/// A place for a number in the profile.
#[derive(Debug)]
pub enum Number<'a> {
    /// A count.
    U32(&'a mut u32),
    /// Bytes or milliseconds.
    U64(&'a mut u64),
}

/// What a key holds, and where in the profile it goes.
#[derive(Clone, Copy, Debug)]
pub enum KeyKind {
    /// A string that is not empty.
    Text(fn(&mut Profile) -> &mut Option<String>),
    /// A path; a relative one starts at the profile's folder.
    Path(fn(&mut Profile) -> &mut Option<PathBuf>),
    /// A full object id, which goes to `commit`.
    Commit,
    /// `true` or `false`.
    Bool(fn(&mut Profile) -> &mut bool),
    /// An integer from `min` to `max`.
    Integer {
        /// The least value.
        min: u32,
        /// The greatest value; with 32 bits, sums of a few of them never overflow 64.
        max: u32,
        /// Where it goes.
        field: fn(&mut Profile) -> Number<'_>,
    },
    /// An array of strings without order: sorted, duplicates collapsed.
    Strings {
        /// What an entry may be.
        allowed: &'static str,
        /// The entry in its normal form; `None` refuses it.
        normalize: fn(&str) -> Option<String>,
        /// Where they go.
        field: fn(&mut Profile) -> &mut Vec<String>,
    },
    /// The protocol's number.
    Protocol,
    /// An array of tables.
    Tables {
        /// What each table holds.
        fields: &'static [Field],
        /// Adds one table to the settings.
        add: fn(&mut SelectionSettings, &Values),
    },
    /// A table of tables, one for each scope.
    Scopes {
        /// What each table holds.
        fields: &'static [Field],
        /// Sets one scope.
        set: fn(&mut SelectionSettings, ScopeName, &Values),
    },
}

/// A configuration key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The table it stands in.
    pub table: &'static str,
    /// Its name in the table.
    pub name: &'static str,
    /// What it holds.
    pub kind: KeyKind,
    /// The protocol that reads it; it is refused under an earlier one.
    pub protocol: Protocol,
    /// What it does, in one line with its unit.
    pub about: &'static str,
}

impl Key {
    /// The name with the table: `limits.max_lines`.
    pub fn dotted(&self) -> String {
        format!("{}.{}", self.table, self.name)
    }

    /// What the key may hold, as it stands in errors and in the documentation.
    pub fn allowed(&self) -> String {
        match self.kind {
            KeyKind::Text(_) => "a string that is not empty".into(),
            KeyKind::Path(_) => "a path (a string that is not empty)".into(),
            KeyKind::Commit => "a full object id (a string of 40 or 64 hexadecimal digits)".into(),
            KeyKind::Bool(_) => "true or false".into(),
            KeyKind::Integer { min, max, .. } => format!("an integer from {min} to {max}"),
            KeyKind::Strings { allowed, .. } => format!("an array of strings, each {allowed},"),
            KeyKind::Protocol => "the integer 1 or 2".into(),
            KeyKind::Tables { .. } => "an array of tables".into(),
            KeyKind::Scopes { .. } => format!("a table of tables named {}", ScopeName::allowed()),
        }
    }

    /// The value without the key, as TOML; `None` when the key has no default or is a table.
    pub fn default_toml(&self) -> Option<String> {
        let mut profile = Profile::default();
        match self.kind {
            KeyKind::Bool(field) => Some(field(&mut profile).to_string()),
            KeyKind::Integer { field, .. } => Some(match field(&mut profile) {
                Number::U32(number) => number.to_string(),
                Number::U64(number) => number.to_string(),
            }),
            // Debug output of words and prefixes has no escapes, so it is TOML.
            KeyKind::Strings { field, .. } => Some(format!("{:?}", field(&mut profile))),
            KeyKind::Protocol => Some(Protocol::default().number().to_string()),
            KeyKind::Text(_) | KeyKind::Path(_) | KeyKind::Commit | KeyKind::Tables { .. } | KeyKind::Scopes { .. } => {
                None
            }
        }
    }
}

/// The tables, in the order of the documentation.
pub const TABLES: [(&str, &str); 3] = [
    ("project", "Which repository and commit are answered from. All keys are optional."),
    ("limits", "The bounds of every request."),
    (
        "source_analysis",
        "What `source.context` follows and shows. A profile switches it on by having this table: without the table \
         `source.context` answers `disabled`. Without any profile it is on, with the defaults.",
    ),
];

const MIB: u32 = 1 << 20;

/// Every key, in the order of the documentation.
pub const KEYS: &[Key] = &[
    project("name", KeyKind::Text(|p| &mut p.name), "The project's name, for the operator; no answer depends on it."),
    project(
        "repository",
        KeyKind::Path(|p| &mut p.repository),
        "The Git repository; a relative path starts at the profile's folder.",
    ),
    project("commit", KeyKind::Commit, "The commit that is answered from, never abbreviated."),
    project(
        "index",
        KeyKind::Path(|p| &mut p.index),
        "The index directory; a relative path starts at the profile's folder. Default: one per repository in the cache.",
    ),
    limit(
        "timeout_ms",
        1,
        3_600_000,
        |p| Number::U64(&mut p.settings.limits.timeout_ms),
        "Milliseconds for one request.",
    ),
    limit(
        "max_file_bytes",
        1,
        1024 * MIB,
        |p| Number::U64(&mut p.settings.limits.max_file_bytes),
        "Bytes of a file; larger ones are skipped and counted as `too_large`.",
    ),
    limit(
        "max_search_bytes",
        1,
        u32::MAX,
        |p| Number::U64(&mut p.settings.limits.max_search_bytes),
        "Bytes of file content read to answer one query.",
    ),
    limit(
        "max_result_bytes",
        1024,
        256 * MIB,
        |p| Number::U64(&mut p.settings.limits.max_result_bytes),
        "Bytes of an answer's JSON; a larger answer is the error `result_too_large`.",
    ),
    limit("max_lines", 1, 100_000, |p| Number::U32(&mut p.settings.limits.max_lines), "Lines of one `source.read`."),
    limit(
        "max_line_chars",
        1,
        1_000_000,
        |p| Number::U32(&mut p.settings.limits.max_line_chars),
        "Characters of a line; longer lines are shortened and listed as such.",
    ),
    analysis(
        "enabled",
        KeyKind::Bool(|p| &mut p.settings.source_analysis.enabled),
        "Whether `source.context` answers.",
    ),
    analysis(
        "protocol",
        KeyKind::Protocol,
        "The rules of selection: 1, or 2 for the rules of [selection.md](selection.md).",
    ),
    count(
        "context_lines",
        0,
        1_000,
        |p| Number::U32(&mut p.settings.source_analysis.context_lines),
        "Lines shown before and after each match.",
    ),
    count(
        "max_searches",
        1,
        1_000,
        |p| Number::U32(&mut p.settings.source_analysis.max_searches),
        "Searches of one query, the requested one included.",
    ),
    count(
        "max_matches",
        1,
        1_000_000,
        |p| Number::U32(&mut p.settings.source_analysis.max_matches),
        "Matches considered per search; totals stay exact.",
    ),
    count("max_files", 1, 100_000, |p| Number::U32(&mut p.settings.source_analysis.max_files), "Files with windows."),
    count(
        "max_blocks",
        1,
        100_000,
        |p| Number::U32(&mut p.settings.source_analysis.max_blocks),
        "Windows after merging.",
    ),
    count(
        "max_total_lines",
        1,
        1_000_000,
        |p| Number::U32(&mut p.settings.source_analysis.max_total_lines),
        "Lines in all windows together.",
    ),
    analysis(
        "registration_prefixes",
        KeyKind::Strings {
            allowed: PREFIX,
            normalize: normalize_prefix,
            field: |p| &mut p.settings.source_analysis.registration_prefixes,
        },
        "Beginnings of registration functions' names, which are followed from a match; empty follows none.",
    ),
    analysis(
        "extensions",
        KeyKind::Strings {
            allowed: EXTENSION,
            normalize: normalize_extension,
            field: |p| &mut p.settings.source_analysis.extensions,
        },
        "Extensions of the files that are searched, in any case, with or without the leading dot; empty means every \
         text file.",
    ),
    second(
        "max_anchors",
        KeyKind::Integer {
            min: 1,
            max: 1_000,
            field: |p| Number::U32(&mut p.settings.source_analysis.selection.max_anchors),
        },
        "Anchor groups of one query, the requested text included.",
    ),
    second(
        "max_candidates",
        KeyKind::Integer {
            min: 1,
            max: 1_000_000,
            field: |p| Number::U32(&mut p.settings.source_analysis.selection.max_candidates),
        },
        "Files of one search that are weighed; totals stay exact.",
    ),
    second(
        "max_weak_summaries",
        KeyKind::Integer {
            min: 0,
            max: 100_000,
            field: |p| Number::U32(&mut p.settings.source_analysis.selection.max_weak_summaries),
        },
        "Files with weak numeric matches that are summarized.",
    ),
    second(
        "focus_roles",
        KeyKind::Strings {
            allowed: LABEL,
            normalize: normalize_label,
            field: |p| &mut p.settings.source_analysis.selection.focus_roles,
        },
        "Roles of the entities that a case is about; their names become context anchors.",
    ),
    second(
        "context_fact_names",
        KeyKind::Strings {
            allowed: LABEL,
            normalize: normalize_label,
            field: |p| &mut p.settings.source_analysis.selection.context_fact_names,
        },
        "Names of the facts whose values become context anchors and tell the places of a case.",
    ),
    second(
        "scopes",
        KeyKind::Scopes { fields: SCOPE_FIELDS, set: set_scope },
        "The search spaces. Without `code`, it is every path, without SQL; the others are not there until they are \
         configured.",
    ),
    second(
        "type_markers",
        KeyKind::Tables {
            fields: TYPE_MARKER_FIELDS,
            add: |settings, values| {
                let (entity_type, prefixes) = (values.text("type"), values.list("prefixes"));
                match settings.type_markers.iter_mut().find(|one| one.entity_type == entity_type) {
                    Some(known) => join(&mut known.prefixes, prefixes),
                    None => settings.type_markers.push(TypeMarker { entity_type, prefixes }),
                }
            },
        },
        "Namespaces: how names of constants begin that hold numbers of a type of entities. The longest beginning \
         decides.",
    ),
    second(
        "entity_tables",
        KeyKind::Tables {
            fields: ENTITY_TABLE_FIELDS,
            add: |settings, values| {
                let table = EntityTable {
                    entity_type: values.text("type"),
                    table: values.text("table"),
                    id_column: values.text("id_column"),
                    script_column: values.text("script_column"),
                };
                if !settings.entity_tables.contains(&table) {
                    settings.entity_tables.push(table);
                }
            },
        },
        "Database tables whose captured records prove script names.",
    ),
    second(
        "location_paths",
        KeyKind::Tables {
            fields: LOCATION_FIELDS,
            add: |settings, values| {
                let (location, paths) = (values.text("location"), values.list("paths"));
                match settings.location_paths.iter_mut().find(|one| one.location == location) {
                    Some(known) => join(&mut known.paths, paths),
                    None => settings.location_paths.push(LocationPaths { location, paths }),
                }
            },
        },
        "Where the code of known places lies; the longest path decides.",
    ),
];

/// Adds to a list without order.
fn join(list: &mut Vec<String>, more: Vec<String>) {
    list.extend(more);
    list.sort();
    list.dedup();
}

const fn project(name: &'static str, kind: KeyKind, about: &'static str) -> Key {
    Key { table: "project", name, kind, protocol: Protocol::One, about }
}

const fn analysis(name: &'static str, kind: KeyKind, about: &'static str) -> Key {
    Key { table: "source_analysis", name, kind, protocol: Protocol::One, about }
}

const fn second(name: &'static str, kind: KeyKind, about: &'static str) -> Key {
    Key { table: "source_analysis", name, kind, protocol: Protocol::Two, about }
}

type NumberField = fn(&mut Profile) -> Number<'_>;

const fn limit(name: &'static str, min: u32, max: u32, field: NumberField, about: &'static str) -> Key {
    Key { table: "limits", name, kind: KeyKind::Integer { min, max, field }, protocol: Protocol::One, about }
}

const fn count(name: &'static str, min: u32, max: u32, field: NumberField, about: &'static str) -> Key {
    analysis(name, KeyKind::Integer { min, max, field }, about)
}
