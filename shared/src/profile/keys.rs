//! The table of configuration keys: name, type, range, and one line on each. Defaults are those of
//! [`Settings`](crate::settings::Settings) and stand only there.

use std::path::PathBuf;

use super::Profile;

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
    /// A key or table of protocol 2, refused in this version.
    Protocol2,
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
    /// What it does, in one line with its unit.
    pub about: &'static str,
}

impl Key {
    /// The name with the table: `limits.max_lines`.
    pub fn dotted(&self) -> String {
        format!("{}.{}", self.table, self.name)
    }

    /// The protocol that the key belongs to.
    pub fn protocol(&self) -> u32 {
        if matches!(self.kind, KeyKind::Protocol2) { 2 } else { 1 }
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
            KeyKind::Protocol => "the integer 1".into(),
            KeyKind::Protocol2 => "nothing under protocol 1".into(),
        }
    }

    /// The value without the key, as TOML; `None` when the key has no default or is not of this version.
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
            KeyKind::Protocol => Some(crate::settings::PROTOCOL.to_string()),
            KeyKind::Text(_) | KeyKind::Path(_) | KeyKind::Commit | KeyKind::Protocol2 => None,
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
    analysis("protocol", KeyKind::Protocol, "The rules of selection; 2 is not in this version."),
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
            allowed: "the beginning of an identifier (letters, digits and `_`, not beginning with a digit)",
            normalize: normalize_prefix,
            field: |p| &mut p.settings.source_analysis.registration_prefixes,
        },
        "Beginnings of registration functions' names, which are followed from a match; empty follows none.",
    ),
    analysis(
        "extensions",
        KeyKind::Strings {
            allowed: "a file extension such as `cpp` (without `/`, inner dots or spaces)",
            normalize: normalize_extension,
            field: |p| &mut p.settings.source_analysis.extensions,
        },
        "Extensions of the files that are searched, in any case, with or without the leading dot; empty means every \
         text file.",
    ),
    protocol2("max_anchors", "Anchors of one query."),
    protocol2("max_candidates", "Files that are ranked."),
    protocol2("max_weak_summaries", "Files summarized for weak numeric matches."),
    protocol2("focus_roles", "Roles of the entities that a query is about."),
    protocol2("context_fact_names", "Facts that may name a location."),
    protocol2("scopes", "Named sets of paths (a table of tables)."),
    protocol2("type_markers", "Prefixes of constants by entity type (an array of tables)."),
    protocol2("entity_tables", "Database tables by entity type (an array of tables)."),
    protocol2("location_paths", "Paths by location (an array of tables)."),
];

const fn project(name: &'static str, kind: KeyKind, about: &'static str) -> Key {
    Key { table: "project", name, kind, about }
}

const fn analysis(name: &'static str, kind: KeyKind, about: &'static str) -> Key {
    Key { table: "source_analysis", name, kind, about }
}

const fn protocol2(name: &'static str, about: &'static str) -> Key {
    analysis(name, KeyKind::Protocol2, about)
}

type NumberField = fn(&mut Profile) -> Number<'_>;

const fn limit(name: &'static str, min: u32, max: u32, field: NumberField, about: &'static str) -> Key {
    Key { table: "limits", name, kind: KeyKind::Integer { min, max, field }, about }
}

const fn count(name: &'static str, min: u32, max: u32, field: NumberField, about: &'static str) -> Key {
    analysis(name, KeyKind::Integer { min, max, field }, about)
}

fn normalize_prefix(entry: &str) -> Option<String> {
    let first = entry.chars().next()?;
    let word = |c: char| c.is_alphanumeric() || c == '_';
    (!first.is_numeric() && entry.chars().all(word)).then(|| entry.to_owned())
}

/// The form that [`crate::path::extension`] yields: ASCII lower case. It never holds an inner dot, so `tar.gz`
/// would match nothing and is refused.
fn normalize_extension(entry: &str) -> Option<String> {
    let name = entry.strip_prefix('.').unwrap_or(entry);
    let bad = |c: char| matches!(c, '.' | '/' | '\\') || c.is_whitespace() || c.is_control();
    (!name.is_empty() && !name.contains(bad)).then(|| name.to_ascii_lowercase())
}
