//! Which names a search leads to, by the hints of the files it found (C1-02, C1-03).
//!
//! Assignments: the name left of a simple assignment whose right side is the requested term, at a considered match.
//! Registrations: function names with a configured prefix, in files that the request or an assignment found. A file
//! that only a registration found (a central loader) is never looked into, nor is one that the request found because
//! its term is a registration itself.

use pincite_shared::failure::Failure;
use pincite_shared::hints::{FunctionKind, FunctionName, HintOrigin};
use pincite_shared::ids::LineNumber;
use pincite_shared::index_format::IndexError;
use pincite_shared::index_format::manifest::{Manifest, Row, State};
use pincite_shared::wire::result::{WireOrigin, WirePath};

use super::ChainSearch;
use crate::index::Snapshot;
use crate::verification::{DocumentHints, Evidence};

/// An assignment may break its line between name and value; the value is looked for on this many lines more.
pub(crate) const VALUE_REACH: u32 = 2;

/// Why a search is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Request,
    Assignment(Place),
    Registration(Place),
}

/// Where a name was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) search: String,
    pub(crate) row: Row,
    pub(crate) line: LineNumber,
    pub(crate) hint: HintOrigin,
}

/// A name to search next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Lead {
    pub(crate) name: String,
    pub(crate) origin: Origin,
}

impl Origin {
    pub(crate) fn place(&self) -> Option<&Place> {
        match self {
            Self::Request => None,
            Self::Assignment(place) | Self::Registration(place) => Some(place),
        }
    }

    pub(crate) fn to_wire(&self, manifest: &Manifest) -> Result<WireOrigin, IndexError> {
        let kind = match self {
            Self::Request => "request",
            Self::Assignment(_) => "assignment",
            Self::Registration(_) => "registration",
        };
        let Some(place) = self.place() else {
            return Ok(WireOrigin { kind: kind.into(), group: None, search: None, path: None, line: None, hint: None });
        };
        place.to_wire(kind, None, manifest)
    }
}

impl Place {
    /// The origin of a search for a name that stands here.
    pub(crate) fn to_wire(
        &self,
        kind: &'static str,
        group: Option<String>,
        manifest: &Manifest,
    ) -> Result<WireOrigin, IndexError> {
        Ok(WireOrigin {
            kind: kind.into(),
            group,
            search: Some(self.search.clone()),
            path: Some(WirePath::new(manifest.path(self.row)?)),
            line: Some(self.line.get()),
            hint: Some(
                match self.hint {
                    HintOrigin::Syntax => "syntax",
                    HintOrigin::Lexical => "lexical",
                }
                .into(),
            ),
        })
    }
}

/// The names bound to the request's term, in the order of path and line, each once.
pub(super) fn assignments(
    snapshot: &Snapshot,
    evidence: &mut Evidence<'_>,
    request: &ChainSearch,
) -> Result<Vec<Lead>, Failure> {
    let mut leads: Vec<Lead> = Vec::new();
    for same in request.considered.chunk_by(|a, b| a.0 == b.0) {
        let row = same[0].0;
        let Some(hints) = hints_of(snapshot, row)? else { continue };
        let at_match = |line: LineNumber| {
            let near = line.get()..=line.get().saturating_add(VALUE_REACH);
            same.iter().any(|(_, matched)| near.contains(&matched.get()))
        };
        let assignments = evidence.file(row)?.assignments(&hints, at_match)?;
        for one in assignments.iter().filter(|one| is_value(&one.value, request.term.text())) {
            if one.name == request.term.text() {
                continue;
            }
            if !leads.iter().any(|lead| lead.name == one.name) {
                let place = Place { search: request.id.clone(), row, line: one.line, hint: one.origin };
                leads.push(Lead { name: one.name.clone(), origin: Origin::Assignment(place) });
            }
        }
    }
    Ok(leads)
}

/// Whether a right side is the term: the token itself, a number with its sign or suffix, or a string's content.
pub(crate) fn is_value(value: &str, term: &str) -> bool {
    if value == term {
        return true;
    }
    if term.bytes().all(|byte| byte.is_ascii_digit()) {
        let unsigned = value.strip_prefix(['-', '+']).unwrap_or(value);
        return unsigned.strip_prefix(term).is_some_and(pincite_shared::tokenizer::is_integer_suffix);
    }
    let quoted = value.find(['"', '\'', '`']).map(|at| &value[at..]);
    quoted.and_then(|quoted| quoted.get(1..quoted.len() - 1)).is_some_and(|content| content == term)
}

/// Function names with a configured prefix in the files that the searches found, in the order of path and line, each
/// name once: at its definition, else its declaration, else its first call in the first file that has it.
pub(super) fn registrations(
    snapshot: &Snapshot,
    evidence: &mut Evidence<'_>,
    searches: &[ChainSearch],
    prefixes: &[String],
) -> Result<Vec<Lead>, Failure> {
    let is_registration = |name: &str| prefixes.iter().any(|prefix| name.starts_with(prefix.as_str()));
    if prefixes.is_empty() {
        return Ok(Vec::new());
    }
    let mut files: Vec<(Row, &str)> = Vec::new();
    for search in searches.iter().filter(|search| !is_registration(search.term.text())) {
        for (row, _) in &search.considered {
            if !files.iter().any(|(known, _)| known == row) {
                files.push((*row, &search.id));
            }
        }
    }
    files.sort_unstable();
    let mut leads: Vec<Lead> = Vec::new();
    for (row, search) in files {
        for one in registration_names(snapshot, evidence, row, &is_registration)? {
            if !leads.iter().any(|lead| lead.name == one.name) {
                let place = Place { search: search.into(), row, line: one.line, hint: one.origin };
                leads.push(Lead { name: one.name.clone(), origin: Origin::Registration(place) });
            }
        }
    }
    Ok(leads)
}

/// The registrations of one file in the order of their lines, each at its definition, else its declaration, else its
/// first call. Their names are cut from the re-hashed blob.
pub(crate) fn registration_names(
    snapshot: &Snapshot,
    evidence: &mut Evidence<'_>,
    row: Row,
    is_registration: &dyn Fn(&str) -> bool,
) -> Result<Vec<FunctionName>, Failure> {
    let Some(hints) = hints_of(snapshot, row)? else { return Ok(Vec::new()) };
    let mut names = evidence.file(row)?.functions(&hints, is_registration)?;
    names.sort_by(|a, b| (&a.name, rank(a.kind), a.line).cmp(&(&b.name, rank(b.kind), b.line)));
    names.dedup_by(|a, b| a.name == b.name);
    names.sort_by(|a, b| (a.line, &a.name).cmp(&(b.line, &b.name)));
    Ok(names)
}

fn rank(kind: FunctionKind) -> u8 {
    match kind {
        FunctionKind::Definition => 0,
        FunctionKind::Declaration => 1,
        FunctionKind::Call => 2,
    }
}

/// Where the hints of a file are; `None` when it is not a document.
pub(crate) fn hints_of(snapshot: &Snapshot, row: Row) -> Result<Option<DocumentHints>, Failure> {
    match snapshot.manifest.facts(row)?.state {
        State::Document { segment, document } => match snapshot.segments.get(segment as usize) {
            Some(segment) => Ok(Some((segment.hints()?, document))),
            None => Err(IndexError::corrupt(&snapshot.directory, format!("there is no segment {segment}")).into()),
        },
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::is_value;

    // C1-02
    #[test]
    fn right_sides_are_compared_as_values() {
        for (value, term, expected) in [
            ("23487", "23487", true),
            ("-23487", "23487", true),
            ("23487u", "23487", true),
            ("23487.0", "23487", false),
            ("234870", "23487", false),
            ("NAME", "NAME", true),
            ("\"npc_x\"", "npc_x", true),
            ("L\"npc_x\"", "npc_x", true),
            ("'npc_x'", "npc_x", true),
            ("\"npc_xy\"", "npc_x", false),
            ("\"", "npc_x", false),
        ] {
            assert_eq!(is_value(value, term), expected, "{value} {term}");
        }
    }
}
