//! Which lines are shown: windows around matches and registration candidates, merged, within the limits (C1-04, C1-08).
//!
//! Windows are granted in an order that keeps a chain readable when limits bite: first the places that led to a
//! further search (an assignment, a registration), then the matches of all searches in turn, the first of each, the
//! second of each, and so on. So a frequent term can not crowd out the registration it led to. The order of the answer is
//! another one and does not depend on the limits.

use std::collections::BTreeMap;

use pincite_shared::failure::Failure;
use pincite_shared::ids::LineNumber;
use pincite_shared::index_format::manifest::Row;
use pincite_shared::limits::LimitName;

use super::ChainSearch;
use super::follow::Lead;
use crate::completeness::Limits;
use crate::engine::Session;
use crate::verification::Evidence;

/// Lines of a file, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: LineNumber,
    pub(crate) end: LineNumber,
}

/// What is shown.
#[derive(Debug)]
pub(crate) struct Plan {
    /// In the order of the answer.
    pub(crate) files: Vec<(Row, Vec<Span>)>,
}

impl Plan {
    pub(crate) fn shows(&self, row: Row, line: LineNumber) -> bool {
        let file = self.files.iter().find(|(known, _)| *known == row);
        file.is_some_and(|(_, spans)| spans.iter().any(|span| span.start <= line && line <= span.end))
    }
}

/// The limits on windows.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    context: u32,
    files: usize,
    blocks: usize,
    lines: u64,
}

pub(super) fn plan(
    session: &Session<'_>,
    evidence: &mut Evidence<'_>,
    searches: &[ChainSearch],
    leads: &[Lead],
    limits: &mut Limits,
) -> Result<Plan, Failure> {
    let in_match_order = searches.iter().flat_map(|search| search.considered.iter().map(|(row, _)| *row));
    lay_out(session, evidence, order(searches, leads), in_match_order, limits)
}

/// Grants windows to places, most wanted first, and puts the files in the order given, then by path.
pub(crate) fn lay_out(
    session: &Session<'_>,
    evidence: &mut Evidence<'_>,
    places: Vec<(Row, LineNumber)>,
    in_order: impl Iterator<Item = Row>,
    limits: &mut Limits,
) -> Result<Plan, Failure> {
    let analysis = &session.engine.settings.source_analysis;
    let bounds = Bounds {
        context: analysis.context_lines,
        files: analysis.max_files as usize,
        blocks: analysis.max_blocks as usize,
        lines: u64::from(analysis.max_total_lines),
    };
    let mut granted: BTreeMap<Row, Vec<(u32, u32)>> = BTreeMap::new();
    for (row, line) in places {
        let end_of_file = evidence.file(row)?.line_count();
        match grant(&mut granted, &bounds, row, line.get(), end_of_file) {
            Granted::Whole => {}
            Granted::Trimmed | Granted::NoLines => {
                limits.reached(LimitName::MaxTotalLines, bounds.lines, None);
            }
            Granted::NoFile => limits.reached(LimitName::MaxFiles, bounds.files as u64, None),
            Granted::NoBlock => limits.reached(LimitName::MaxBlocks, bounds.blocks as u64, None),
        }
    }
    let mut files: Vec<(Row, Vec<Span>)> = Vec::new();
    let rest: Vec<Row> = granted.keys().copied().collect();
    for row in in_order.chain(rest) {
        if let Some(spans) = granted.remove(&row) {
            let span =
                |(start, end)| Span { start: LineNumber::from_index(start - 1), end: LineNumber::from_index(end - 1) };
            files.push((row, spans.into_iter().map(span).collect()));
        }
    }
    Ok(Plan { files })
}

/// The places to show, most wanted first.
fn order(searches: &[ChainSearch], leads: &[Lead]) -> Vec<(Row, LineNumber)> {
    let mut places = Vec::new();
    let followed = |lead: &&Lead| searches.iter().any(|search| search.origin == lead.origin);
    places.extend(leads.iter().filter(followed).filter_map(|lead| lead.origin.place()).map(|at| (at.row, at.line)));
    let longest = searches.iter().map(|search| search.considered.len()).max().unwrap_or_default();
    for turn in 0..longest {
        places.extend(searches.iter().filter_map(|search| search.considered.get(turn)));
    }
    places.extend(leads.iter().filter_map(|lead| lead.origin.place()).map(|at| (at.row, at.line)));
    places
}

#[derive(Debug, PartialEq, Eq)]
enum Granted {
    Whole,
    Trimmed,
    NoFile,
    NoBlock,
    NoLines,
}

/// Adds the window around a line, or as much of it as the line limit leaves, or nothing.
fn grant(
    granted: &mut BTreeMap<Row, Vec<(u32, u32)>>,
    bounds: &Bounds,
    row: Row,
    line: u32,
    end_of_file: u32,
) -> Granted {
    if !granted.contains_key(&row) && granted.len() >= bounds.files {
        return Granted::NoFile;
    }
    let used = |spans: &[(u32, u32)]| spans.iter().map(|(start, end)| u64::from(end - start) + 1).sum::<u64>();
    let before: u64 = granted.values().map(|spans| used(spans)).sum();
    let blocks: usize = granted.values().map(Vec::len).sum();
    let own = granted.get(&row).cloned().unwrap_or_default();
    let others = (before - used(&own), blocks - own.len());
    let attempt = |context: u32| {
        let start = line.saturating_sub(context).max(1);
        let end = line.saturating_add(context).min(end_of_file.max(line));
        let merged = merge(&own, (start, end));
        let fits_lines = others.0 + used(&merged) <= bounds.lines;
        let fits_blocks = others.1 + merged.len() <= bounds.blocks;
        (merged, fits_lines, fits_blocks)
    };
    let (merged, fits_lines, fits_blocks) = attempt(bounds.context);
    if !fits_blocks {
        return Granted::NoBlock;
    }
    if fits_lines {
        granted.insert(row, merged);
        return Granted::Whole;
    }
    // Fewer lines never need more blocks than there are without merging, so both are asked again.
    let fitting = |context: &u32| matches!(attempt(*context), (_, true, true));
    let (mut low, mut high) = (0, bounds.context);
    if !fitting(&0) {
        return Granted::NoLines;
    }
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if fitting(&middle) { low = middle } else { high = middle }
    }
    granted.insert(row, attempt(low).0);
    Granted::Trimmed
}

/// Adds a span to sorted spans and joins those that overlap or touch.
fn merge(spans: &[(u32, u32)], span: (u32, u32)) -> Vec<(u32, u32)> {
    let mut all = spans.to_vec();
    all.push(span);
    all.sort_unstable();
    let mut merged: Vec<(u32, u32)> = Vec::new();
    for (start, end) in all {
        match merged.last_mut() {
            Some(last) if start <= last.1.saturating_add(1) => last.1 = last.1.max(end),
            _ => merged.push((start, end)),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    // C1-04
    #[test]
    fn windows_that_overlap_or_touch_are_one() {
        let check = |spans: &[(u32, u32)], span, expected: &[(u32, u32)]| assert_eq!(merge(spans, span), expected);
        check(&[], (1, 5), &[(1, 5)]);
        check(&[(1, 5)], (6, 9), &[(1, 9)]);
        check(&[(1, 5)], (7, 9), &[(1, 5), (7, 9)]);
        check(&[(1, 5), (20, 30)], (4, 21), &[(1, 30)]);
        check(&[(10, 20)], (12, 13), &[(10, 20)]);
    }

    // C1-08
    #[test]
    fn the_limits_hold() {
        let bounds = Bounds { context: 3, files: 2, blocks: 2, lines: 10 };
        let mut granted = BTreeMap::new();
        assert_eq!(grant(&mut granted, &bounds, 1, 10, 100), Granted::Whole);
        assert_eq!(grant(&mut granted, &bounds, 1, 50, 100), Granted::Trimmed);
        assert_eq!(granted[&1], [(7, 13), (49, 51)]);
        assert_eq!(grant(&mut granted, &bounds, 2, 5, 100), Granted::NoBlock);
        assert_eq!(grant(&mut granted, &bounds, 1, 52, 100), Granted::NoLines);
        let bounds = Bounds { context: 0, files: 1, blocks: 9, lines: 9 };
        assert_eq!(grant(&mut granted, &bounds, 3, 5, 100), Granted::NoFile);
    }

    #[test]
    fn a_window_ends_with_the_file() {
        let bounds = Bounds { context: 8, files: 2, blocks: 2, lines: 100 };
        let mut granted = BTreeMap::new();
        assert_eq!(grant(&mut granted, &bounds, 1, 2, 4), Granted::Whole);
        assert_eq!(granted[&1], [(1, 4)]);
    }
}
