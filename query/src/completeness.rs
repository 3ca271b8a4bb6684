//! What an answer may claim: status, limits, skips, and the fixed sentences about what it does not claim.

use std::collections::BTreeMap;

use pincite_shared::limits::{LimitName, LimitReached};
use pincite_shared::wire::result::{Name, WireLimit};

use crate::scope::Scope;

/// The notice of `source.context` (L-05, C1-10, T-06).
pub(crate) const CONTEXT_NOTICE: &str = "Lexical candidates and their windows from the pinned commit; no verified \
    call graph, no execution and no cause is claimed, and a complete status covers only this bounded chain of \
    searches. Equal numbers may name different things. What was not found excludes nothing: not symbolic constants, \
    other notations (hexadecimal, digit separators), generated code, database control, other file types or dynamic \
    paths.";

/// The notice of `source.context` under protocol 2 (C2-13).
pub(crate) const SELECTION_NOTICE: &str = "Lexical candidates and their windows from the pinned commit; no verified \
    call graph, no execution and no cause is claimed, and a complete status covers only this bounded chain of \
    searches. Classes describe relevance to the search, never confidence in a cause; bindings are text heuristics. No \
    primary file means only that no strong candidate is among the hits that were weighed. What was not found excludes \
    nothing: not symbolic constants, other notations (hexadecimal, digit separators), generated code, database \
    control, other scopes and file types, anchors that were not searched, or dynamic paths.";

/// The notice of `source.search`.
pub(crate) const SEARCH_NOTICE: &str = "Lines of the pinned commit that hold the term as text, within the scope \
    that the search states. Other notations (hexadecimal, digit separators, symbolic constants), generated code and \
    what was skipped or lies outside are neither covered nor excluded.";

/// The notice of `source.read`.
pub(crate) const READ_NOTICE: &str = "Lines of one file of the pinned commit. Completeness speaks only of the \
    requested range up to the end of this file.";

/// The notice of `source.list`.
pub(crate) const LIST_NOTICE: &str = "Paths of the pinned commit below the prefix. A path that is not searchable is \
    listed with the reason.";

/// Collects the limits that bit, in a fixed order and each once.
#[derive(Debug, Default)]
pub(crate) struct Limits(Vec<LimitReached>);

impl Limits {
    pub(crate) fn reached(&mut self, limit: LimitName, configured: u64, search: Option<&str>) {
        let one = LimitReached { limit, configured, search: search.map(str::to_owned) };
        if !self.0.contains(&one) {
            self.0.push(one);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn into_wire(mut self) -> Vec<WireLimit> {
        self.0.sort();
        let wire = |one: LimitReached| WireLimit {
            limit: one.limit.name().into(),
            configured: one.configured,
            search: one.search,
        };
        self.0.into_iter().map(wire).collect()
    }
}

/// The skip counts of a scope by wire name.
pub(crate) fn skipped(scope: &Scope) -> BTreeMap<Name, u64> {
    scope.skipped.iter().map(|(reason, count)| (reason.name().into(), *count)).collect()
}

/// What a scope leaves out by wire name.
pub(crate) fn outside(scope: &Scope) -> BTreeMap<Name, u64> {
    scope.outside.iter().map(|(reason, count)| (reason.name().into(), *count)).collect()
}

/// What a reader should know before taking an empty answer for an absence.
pub(crate) fn warnings(scope: &Scope, prefix: &str) -> Vec<String> {
    if scope.rows.is_empty() && !prefix.is_empty() {
        return vec![format!("path_prefix {prefix:?} matches no file of the commit, so nothing was searched")];
    }
    if scope.searched == 0 {
        return vec!["no file of the scope is searchable, so nothing was searched".into()];
    }
    Vec::new()
}
