//! The rest of the commit: the same search outside the prefix, and in the files that the extensions leave out.

use pincite_shared::failure::Failure;
use pincite_shared::term::Term;

use super::{Category, Elsewhere, Room};
use crate::engine::Session;
use crate::scope::{Part, ScopeRules};
use crate::search::{self, Budget};

/// The parts of the commit that a scope leaves out by its prefix, its search space and its extensions.
pub(super) fn parts(rules: &ScopeRules) -> Vec<(Category, Part)> {
    let mut parts = Vec::new();
    if !rules.prefix.is_empty() {
        parts.push((Category::OutsidePathPrefix, Part::OutsidePrefix));
    }
    if !rules.paths.is_empty() {
        parts.push((Category::OutsideScope, Part::OutsideScope));
    }
    if !rules.extensions.is_empty() || !rules.exclude.is_empty() {
        parts.push((Category::OutsideExtensions, Part::OutsideExtensions));
    }
    parts
}

/// Searches each part, if `room` allows to read all that it needs.
pub(super) fn count(
    session: &Session<'_>,
    rules: &ScopeRules,
    term: &Term,
    room: &mut Room,
    elsewhere: &mut Elsewhere,
) -> Result<(), Failure> {
    for (category, part) in parts(rules) {
        let scope = session.engine.scope(ScopeRules { part, ..rules.clone() })?;
        if scope.searched == 0 {
            continue;
        }
        let found = search::search(&session.ground(&scope), term, Budget { bytes: room.bytes, partly: false })?;
        if found.cut {
            elsewhere.leave_out(category, room.reason);
            continue;
        }
        room.bytes -= found.scanned.map_or(0, |report| report.bytes).min(room.bytes);
        elsewhere.count(category, found.total());
    }
    Ok(())
}
