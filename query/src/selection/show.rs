//! What is shown of the selected files: matches in turn, windows, and summaries of weak files (C2-13, C2-16).

use std::collections::BTreeMap;

use pincite_shared::failure::Failure;
use pincite_shared::ids::LineNumber;
use pincite_shared::index_format::manifest::Row;
use pincite_shared::limits::LimitName;
use pincite_shared::term::Matcher;
use pincite_shared::wire::result::WirePath;
use pincite_shared::wire::selection::WireWeakNumeric;

use super::chain::{Chain, Searched};
use super::classes::Weighed;
use super::table::Signal;
use crate::completeness::Limits;
use crate::failure::timed_out;
use crate::source_context::windows::{self, Plan};

/// Lines that a summary of a weak file names.
const WEAK_LINES: usize = 8;

/// The considered matches of one search.
pub(super) struct Considered {
    /// By path and line.
    pub(super) matches: Vec<(Row, LineNumber)>,
    /// Those that deserve a window, by file, each with the strength of its signal.
    strong: BTreeMap<Row, Vec<(Signal, LineNumber)>>,
}

/// The lines of one file, those with more than a bare number first.
fn lines_by_weight(search: &Searched, row: Row, lines: Vec<LineNumber>) -> Vec<(Signal, LineNumber)> {
    let best = search.reasons.iter().map(|(_, signal)| *signal).min().unwrap_or(Signal::Number);
    let best = if search.namesakes.contains(&row) && best == Signal::Constant { Signal::Namesake } else { best };
    let bound = |line: &LineNumber| {
        search.bindings.get(&row).into_iter().flatten().any(|one| one.value_line == *line || one.line == *line)
    };
    let weight = |line: LineNumber| (if bound(&line) { best.min(Signal::Binding) } else { best }, line);
    let mut weighted: Vec<_> = lines.into_iter().map(weight).collect();
    weighted.sort_unstable();
    weighted
}

/// The matches of a search in the selected files: the first of each file, then the second of each, up to `max_matches`,
/// each checked in its blob.
pub(super) fn consider(
    chain: &mut Chain<'_>,
    number: usize,
    selected: &[Weighed],
    limits: &mut Limits,
) -> Result<Considered, Failure> {
    let engine = chain.session.engine;
    let most = engine.settings.source_analysis.max_matches as usize;
    let search = &chain.searches[number];
    let place = |file: &Weighed| search.found.rows.binary_search_by_key(&file.row, |hits| hits.row).ok();
    let picked: Vec<(Row, usize)> = selected
        .iter()
        .filter(|file| search.weighs(file.row))
        .filter_map(|file| Some((file.row, place(file)?)))
        .collect();
    let total: u64 = picked.iter().map(|(_, place)| u64::from(search.found.rows[*place].count)).sum();
    if total > most as u64 {
        limits.reached(LimitName::MaxMatches, most as u64, Some(&search.id));
    }
    let places: Vec<usize> = picked.iter().map(|(_, place)| *place).collect();
    let lines = search.found.lines_of(&engine.snapshot, &places)?;
    let files: Vec<(Row, Vec<(Signal, LineNumber)>)> =
        picked.iter().zip(lines).map(|((row, _), lines)| (*row, lines_by_weight(search, *row, lines))).collect();
    let mut taken = Vec::new();
    let longest = files.iter().map(|(_, lines)| lines.len()).max().unwrap_or_default();
    for turn in 0..longest.min(most) {
        taken.extend(
            files.iter().filter_map(|(row, lines)| lines.get(turn).map(|(signal, line)| (*row, *line, *signal))),
        );
    }
    taken.truncate(most);
    let matcher = Matcher::new(&search.term);
    let mut strong: BTreeMap<Row, Vec<(Signal, LineNumber)>> = BTreeMap::new();
    for (row, line, signal) in &taken {
        chain.session.deadline.check().map_err(timed_out)?;
        let file = chain.evidence.file(*row)?;
        chain.evidence.check_match(&file, *line, &matcher)?;
        if *signal != Signal::Number {
            strong.entry(*row).or_default().push((*signal, *line));
        }
    }
    let mut matches: Vec<_> = taken.into_iter().map(|(row, line, _)| (row, line)).collect();
    matches.sort_unstable();
    Ok(Considered { matches, strong })
}

/// Windows: first the places in selected files that led to a further search, then the strongest match of each file in
/// the order of their relevance, the second of each, and so on. A bare number gets none.
pub(super) fn lay_out(
    chain: &mut Chain<'_>,
    selected: &[Weighed],
    considered: &[Considered],
    limits: &mut Limits,
) -> Result<Plan, Failure> {
    let is_selected = |row: Row| selected.iter().any(|file| file.row == row);
    let mut places: Vec<(Row, LineNumber)> = chain
        .searches
        .iter()
        .filter_map(|search| search.origin.place())
        .filter(|place| is_selected(place.row))
        .map(|place| (place.row, place.line))
        .collect();
    let by_file: Vec<(Row, Vec<(Signal, LineNumber)>)> = selected
        .iter()
        .map(|file| {
            let all = considered.iter().filter_map(|search| search.strong.get(&file.row)).flatten();
            let mut lines: Vec<_> = all.copied().collect();
            lines.sort_unstable();
            (file.row, lines)
        })
        .collect();
    let longest = by_file.iter().map(|(_, lines)| lines.len()).max().unwrap_or_default();
    for turn in 0..longest {
        places.extend(by_file.iter().filter_map(|(row, lines)| lines.get(turn).map(|(_, line)| (*row, *line))));
    }
    let in_match_order = considered.iter().flat_map(|search| search.matches.iter().map(|(row, _)| *row));
    windows::lay_out(chain.session, &mut chain.evidence, places, in_match_order, limits)
}

/// The summary of a weak file: its lines over all searches, and the first of them, checked in the blob.
pub(super) fn summarize(chain: &mut Chain<'_>, row: Row) -> Result<WireWeakNumeric, Failure> {
    let engine = chain.session.engine;
    let mut lines: BTreeMap<LineNumber, usize> = BTreeMap::new();
    for (number, search) in chain.searches.iter().enumerate().filter(|(_, search)| search.weighs(row)) {
        let Ok(place) = search.found.rows.binary_search_by_key(&row, |hits| hits.row) else { continue };
        for line in search.found.lines_of(&engine.snapshot, &[place])?.into_iter().flatten() {
            lines.entry(line).or_insert(number);
        }
    }
    chain.session.deadline.check().map_err(timed_out)?;
    let file = chain.evidence.file(row)?;
    let first: Vec<(LineNumber, usize)> =
        lines.iter().take(WEAK_LINES).map(|(line, number)| (*line, *number)).collect();
    for (line, number) in &first {
        chain.evidence.check_match(&file, *line, &Matcher::new(&chain.searches[*number].term))?;
    }
    Ok(WireWeakNumeric {
        path: WirePath::new(engine.snapshot.manifest.path(row)?),
        count: lines.len() as u64,
        lines: first.into_iter().map(|(line, _)| line.get()).collect(),
    })
}
