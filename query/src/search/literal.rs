//! Literals: which lines can hold a fixed string, by its word runs.
//!
//! A run inside the term is a whole word of the text. A run that touches an end of the term may be part of a longer
//! word; the vocabulary tells which words. The lines of all runs intersect; what is left is checked in the blobs. Only
//! a term that is nothing but one run needs no check: a line holds it when one of its words does.

use pincite_shared::failure::Failure;
use pincite_shared::index_format::postings::PostingList;
use pincite_shared::index_format::terms;
use pincite_shared::index_format::vocabulary::Cut;
use pincite_shared::term::{Run, Term};

use super::check::{self, Candidate};
use super::{Budget, Found, Ground, Scanned, Spot, spots};
use crate::failure::timed_out;
use crate::index::Segment;

/// A run that expands to more words than this in one segment narrows nothing that a check would not do as well.
const MAX_EXPANSION: usize = 1 << 20;
/// Nor does one with more documents in its postings than this.
const MAX_POSTINGS: u64 = 8 << 20;
/// A run is used to narrow the candidates only while its postings are at most this many times their number.
const WORTHWHILE: u64 = 64;

pub(super) fn search(ground: &Ground<'_>, term: &Term, budget: Budget) -> Result<Found, Failure> {
    let runs = term.runs();
    if let [run] = runs.as_slice()
        && run.cut_left
        && run.cut_right
    {
        return search_within_words(ground, term, run, budget);
    }
    let mut candidates = Vec::new();
    let mut over = Scanned::Candidates;
    let narrowed = ground.each_segment(|number, segment| narrow(ground, number, segment, &runs))?;
    for (number, documents) in narrowed.into_iter().enumerate() {
        match documents {
            Some(documents) => {
                candidates.extend(documents.into_iter().map(|document| Candidate { segment: number, document }));
            }
            None => {
                over = Scanned::Scope;
                let all = ground.scope.documents(number);
                candidates.extend(all.map(|document| Candidate { segment: number, document }));
            }
        }
    }
    let mut found = Found::new(Vec::new());
    check::check(ground, term, candidates, over, budget, &mut found)?;
    found.sort();
    Ok(found)
}

/// A term that is one run, cut at both ends: the lines of all words that hold it. Lines with a run too long to be
/// kept as a word are read.
fn search_within_words(ground: &Ground<'_>, term: &Term, run: &Run, budget: Budget) -> Result<Found, Failure> {
    let mut found = Found::new(Vec::new());
    let mut unsure = Vec::new();
    let by_segment = ground.each_segment(|number, segment| {
        let mut long = Vec::new();
        if let Some(list) = segment.inverted.list(&[terms::LONG])? {
            segment.inverted.postings().for_each_document(&list, |document, _| {
                if ground.scope.holds(number, document) {
                    long.push(document);
                }
            })?;
        }
        let all = ground.expansions.get(number, segment, &run.text, Cut::Both, usize::MAX)?;
        let mut lines = Vec::new();
        for list in all.iter().flat_map(|all| all.iter()) {
            ground.deadline.check().map_err(timed_out)?;
            segment.inverted.postings().for_each_line(
                list,
                |document| ground.scope.holds(number, document) && long.binary_search(&document).is_err(),
                |document, line| lines.push(Spot::new(document, line)),
            )?;
        }
        Ok((lines, long))
    })?;
    for (number, (lines, long)) in by_segment.into_iter().enumerate() {
        found.push_lines(ground.scope, number, lines);
        unsure.extend(long.into_iter().map(|document| Candidate { segment: number, document }));
    }
    if !unsure.is_empty() {
        check::check(ground, term, unsure, Scanned::Candidates, budget, &mut found)?;
    }
    found.sort();
    Ok(found)
}

/// The postings of one run in one segment.
struct RunPostings {
    lists: Vec<PostingList>,
    /// Documents in all of them together.
    documents: u64,
}

/// The documents of a segment and scope that can hold all runs on one line, ascending; `None` when no run narrows
/// them.
fn narrow(ground: &Ground<'_>, number: usize, segment: &Segment, runs: &[Run]) -> Result<Option<Vec<u32>>, Failure> {
    let mut usable = Vec::new();
    for run in runs {
        if let Some(postings) = postings_of(ground, number, segment, run)? {
            if postings.lists.is_empty() {
                return Ok(Some(Vec::new()));
            }
            usable.push(postings);
        }
    }
    usable.sort_by_key(|postings| postings.documents);
    let mut usable = usable.into_iter();
    let Some(first) = usable.next() else { return Ok(None) };
    let mut lines = Vec::new();
    for list in &first.lists {
        let wanted = |document| ground.scope.holds(number, document);
        let push = |document, line| lines.push(Spot::new(document, line));
        segment.inverted.postings().for_each_line(list, wanted, push)?;
    }
    spots::to_set(&mut lines);
    for postings in usable {
        ground.deadline.check().map_err(timed_out)?;
        if postings.documents > WORTHWHILE * lines.len() as u64 + 100_000 {
            break;
        }
        let documents = spots::documents(&lines);
        let mut other = Vec::new();
        for list in &postings.lists {
            let push = |document, line| other.push(Spot::new(document, line));
            segment.inverted.postings().for_each_line_in(list, &documents, push)?;
        }
        other.sort();
        spots::intersect(&mut lines, &other);
    }
    Ok(Some(spots::documents(&lines)))
}

/// `None` when the run stands in too many words to narrow anything.
fn postings_of(
    ground: &Ground<'_>,
    number: usize,
    segment: &Segment,
    run: &Run,
) -> Result<Option<RunPostings>, Failure> {
    let text = run.text.as_bytes();
    let mut found: Vec<PostingList> = Vec::new();
    let cut = match (run.cut_left, run.cut_right) {
        (false, false) => None,
        (true, false) => Some(Cut::Left),
        (false, true) => Some(Cut::Right),
        (true, true) => Some(Cut::Both),
    };
    match cut {
        None => {
            found.extend(segment.inverted.list(text)?);
            if text.iter().all(u8::is_ascii_digit) {
                found.extend(segment.inverted.list(&terms::marked(terms::DECIMAL, text))?);
            }
        }
        Some(cut) => {
            let expanded = ground.expansions.get(number, segment, &run.text, cut, MAX_EXPANSION)?;
            let Some(expanded) = expanded else { return Ok(None) };
            found.extend(expanded.iter().cloned());
            found.extend(segment.inverted.list(&[terms::LONG])?);
        }
    }
    let documents = found.iter().map(|list| u64::from(list.documents)).sum();
    Ok((documents <= MAX_POSTINGS).then_some(RunPostings { lists: found, documents }))
}
