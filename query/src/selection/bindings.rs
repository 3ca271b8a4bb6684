//! Typed bindings: the number of an entity, bound to a name with a marker of the entity's proven type (C2-09, C2-11).
//!
//! A text heuristic on hints. A file is read only when it has an assignment of a fitting size on a line with a match.

use pincite_shared::failure::Failure;
use pincite_shared::hints::{Assignment, HintOrigin};
use pincite_shared::ids::LineNumber;
use pincite_shared::index_format::hints::AssignmentSize;
use pincite_shared::index_format::manifest::Row;
use pincite_shared::limits::LimitName;
use pincite_shared::term::Mode;
use pincite_shared::tokenizer::MAX_SUFFIX;
use rayon::prelude::*;

use super::anchors::Kind;
use super::chain::{Chain, Searched};
use super::table::Signal;
use crate::completeness::Limits;
use crate::failure::timed_out;
use crate::search::Budget;
use crate::source_context::follow::{VALUE_REACH, hints_of, is_value};
use crate::verification::{DocumentHints, Evidence};

/// More files than this are worth waking other threads.
const FEW_FILES: usize = 8;

/// A typed binding in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Binding {
    pub(crate) name: String,
    /// Where the name stands.
    pub(crate) line: LineNumber,
    /// The line of the match that is the bound value.
    pub(crate) value_line: LineNumber,
    pub(crate) hint: HintOrigin,
    /// The anchor group of the number.
    pub(crate) group: usize,
}

/// Looks for typed bindings at the matches of a number, and for other values at the matches of a constant.
pub(super) fn weigh(
    chain: &Chain<'_>,
    search: &mut Searched,
    budget: Budget,
    limits: &mut Limits,
) -> Result<(), Failure> {
    let typed: Vec<(usize, String)> = search
        .reasons
        .iter()
        .filter(|(group, _)| chain.groups[*group].kind == Kind::TypedId)
        .filter_map(|(group, _)| Some((*group, chain.groups[*group].entity_type.clone()?)))
        .collect();
    let constant = search.reasons.iter().find(|(_, signal)| *signal == Signal::Constant).map(|(group, _)| *group);
    if search.term.mode() == Mode::Decimal && !typed.is_empty() {
        let settings = &chain.session.engine.settings.source_analysis.selection;
        let digits = search.term.text().len();
        let shortest = settings.type_markers.iter().flat_map(|one| one.prefixes.iter().map(String::len)).min();
        let fits = |size: &AssignmentSize| {
            let long_enough = size.name.is_none_or(|bytes| bytes as usize > shortest.unwrap_or(0));
            // The number, maybe with a plus sign and a suffix.
            long_enough && size.value.is_none_or(|bytes| (digits..=digits + 1 + MAX_SUFFIX).contains(&(bytes as usize)))
        };
        for (row, lines, assignments) in assignments_at(chain, search, &fits, budget, limits)? {
            let bound = assignments.iter().filter_map(|one| {
                let value_line = next_line(&lines, one.line)?;
                // A sign makes it another number than the entity's.
                let is_bound = is_value(&one.value, search.term.text()) && !one.value.starts_with('-');
                let group = typed.iter().find(|(_, entity_type)| settings.is_marked(&one.name, entity_type))?.0;
                let (name, line, hint) = (one.name.clone(), one.line, one.origin);
                is_bound.then_some(Binding { name, line, value_line, hint, group })
            });
            let bound: Vec<Binding> = bound.collect();
            if !bound.is_empty() {
                search.bindings.insert(row, bound);
            }
        }
    } else if let Some(group) = constant {
        let number = chain.groups[group].text.clone();
        let own = search.term.text().len();
        let fits = |size: &AssignmentSize| size.name.is_none_or(|bytes| bytes as usize == own);
        for (row, _, assignments) in assignments_at(chain, search, &fits, budget, limits)? {
            let mut own = assignments.iter().filter(|one| one.name == search.term.text()).peekable();
            if own.peek().is_some() && own.all(|one| !is_value(&one.value, &number)) {
                search.namesakes.insert(row);
            }
        }
    }
    Ok(())
}

/// The match that may be the value of a name at `start`; it may stand on a line behind that of the name.
fn next_line(lines: &[LineNumber], start: LineNumber) -> Option<LineNumber> {
    let next = lines.get(lines.partition_point(|line| *line < start))?;
    (next.get() <= start.get().saturating_add(VALUE_REACH)).then_some(*next)
}

/// A file that has an assignment at a match, with the lines of the matches.
struct Candidate {
    row: Row,
    lines: Vec<LineNumber>,
    hints: DocumentHints,
}

/// The weighed files that have a fitting assignment at a match, with the lines of the matches and the assignments there.
type AtMatches = Vec<(Row, Vec<LineNumber>, Vec<Assignment>)>;

/// Blobs are read in the order of their paths, within the bytes that a search may read.
fn assignments_at(
    chain: &Chain<'_>,
    search: &Searched,
    fits: &dyn Fn(&AssignmentSize) -> bool,
    budget: Budget,
    limits: &mut Limits,
) -> Result<AtMatches, Failure> {
    let session = chain.session;
    let candidates = candidates(chain, search, fits, budget, limits)?;
    let cut = |evidence: &mut Evidence<'_>, one: Candidate| {
        session.deadline.check().map_err(timed_out)?;
        // Not kept: most of many files are looked at once.
        let at_match = |line: LineNumber| next_line(&one.lines, line).is_some();
        let assignments = evidence.read(one.row)?.assignments(&one.hints, at_match)?;
        Ok((one.row, one.lines, assignments))
    };
    if candidates.len() <= FEW_FILES {
        let mut evidence = session.evidence();
        return candidates.into_iter().map(|one| cut(&mut evidence, one)).collect();
    }
    candidates.into_par_iter().map_init(|| session.evidence(), cut).collect()
}

/// The files that are worth reading, by path.
fn candidates(
    chain: &Chain<'_>,
    search: &Searched,
    fits: &dyn Fn(&AssignmentSize) -> bool,
    budget: Budget,
    limits: &mut Limits,
) -> Result<Vec<Candidate>, Failure> {
    let snapshot = &chain.session.engine.snapshot;
    let picked: Vec<usize> = (0..search.weighed).collect();
    let lines = search.found.lines_of(snapshot, &picked)?;
    let mut read = 0u64;
    let mut found = Vec::new();
    for (hits, lines) in search.found.rows.iter().zip(lines) {
        chain.session.deadline.check().map_err(timed_out)?;
        let Some(hints) = hints_of(snapshot, hits.row)? else { continue };
        let at_match = |size: &AssignmentSize| fits(size) && next_line(&lines, size.line).is_some();
        if !hints.0.assignment_sizes(hints.1)?.iter().any(at_match) {
            continue;
        }
        read += snapshot.manifest.facts(hits.row)?.bytes;
        if read > budget.bytes {
            let most = chain.session.engine.settings.limits.max_search_bytes;
            limits.reached(LimitName::MaxSearchBytes, most, Some(&search.id));
            break;
        }
        found.push(Candidate { row: hits.row, lines, hints });
    }
    Ok(found)
}
