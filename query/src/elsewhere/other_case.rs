//! Literals in other case. A single run is found by its keys, as the literal itself is. Of several runs, the lines that
//! have all of them in any case are read.

use pincite_shared::failure::Failure;
use pincite_shared::index_format::postings::PostingList;
use pincite_shared::index_format::terms;
use pincite_shared::term::Run;

use super::gather::{Gather, frequency};
use super::lines::{Lines, any_case};
use super::patterns::AnyCase;
use super::{Category, Elsewhere, Reason, SHORT, may_pass};
use crate::failure::timed_out;
use crate::index::Segment;
use crate::search::{Spot, spots};

pub(super) fn gather(
    search: &Gather<'_>,
    passing: bool,
    lines: &mut Lines,
    elsewhere: &mut Elsewhere,
) -> Result<(), Failure> {
    let runs = search.term.runs();
    if let [run] = runs.as_slice()
        && run.cut_left
        && run.cut_right
    {
        if !passing {
            elsewhere.leave_out(Category::OtherCase, Reason::LargeVocabulary);
            return Ok(());
        }
        return within_words(search, lines);
    }
    let mut usable = Vec::new();
    for run in &runs {
        let chars = run.text.chars().count();
        let by_walk = !run.cut_left && (!run.cut_right || chars >= SHORT);
        if by_walk || may_pass(search.ground, search.found, chars) {
            usable.push(run);
        }
    }
    if usable.is_empty() {
        elsewhere.leave_out(Category::OtherCase, Reason::LargeVocabulary);
        return Ok(());
    }
    search.each(|number, segment| {
        let places = with_all(search, number, segment, &usable)?;
        lines.unsure(Category::OtherCase, number, places);
        Ok(())
    })
}

/// Lines of the words that hold the run in other case only. Words that hold it as it is are counted.
fn within_words(search: &Gather<'_>, lines: &mut Lines) -> Result<(), Failure> {
    let matcher = any_case(search.term.text())?;
    let found = search.ground.each_segment(|number, segment| {
        let mut places = Vec::new();
        let terms = segment.inverted.terms_where(|text| matcher.find(text).map(|hit| hit.range()))?;
        for (_, list) in terms.into_iter().filter(|(key, _)| !search.is_counted(key)) {
            places.extend(search.lines_of(number, segment, &list)?);
        }
        Ok((places, search.long_lines(number, segment)?))
    })?;
    for (number, (places, long)) in found.into_iter().enumerate() {
        lines.sure(Category::OtherCase, number, places);
        lines.unsure(Category::OtherCase, number, long);
    }
    Ok(())
}

/// Lines that have all runs in any case.
fn with_all(search: &Gather<'_>, number: usize, segment: &Segment, runs: &[&Run]) -> Result<Vec<Spot>, Failure> {
    let mut postings = Vec::new();
    for run in runs {
        search.ground.deadline.check().map_err(timed_out)?;
        let terms = postings_of(segment, run)?;
        if terms.is_empty() {
            return Ok(Vec::new());
        }
        postings.push(terms);
    }
    postings.sort_by_key(|terms| frequency(terms));
    let mut places = Vec::new();
    let mut postings = postings.into_iter();
    for term in &postings.next().unwrap_or_default() {
        places.extend(search.lines_of(number, segment, term)?);
    }
    spots::to_set(&mut places);
    for terms in postings {
        places = search.among(segment, places, &terms)?;
    }
    Ok(places)
}

fn postings_of(segment: &Segment, run: &Run) -> Result<Vec<PostingList>, Failure> {
    let mut found: Vec<PostingList> = Vec::new();
    if run.cut_left {
        let matcher = any_case(&format!("{}\n", run.text))?;
        let terms = segment.inverted.terms_where(|text| matcher.find(text).map(|hit| hit.range()))?;
        found.extend(terms.into_iter().map(|(_, list)| list));
    } else {
        let digit = run.text.starts_with(|c: char| c.is_ascii_digit());
        let marks: &[Option<u8>] = if digit { &[None, Some(terms::DECIMAL)] } else { &[None] };
        for mark in marks {
            let terms = segment.inverted.matching(&AnyCase::new(*mark, &run.text, run.cut_right))?;
            found.extend(terms.into_iter().map(|(_, list)| list));
        }
    }
    if run.cut_left || run.cut_right {
        found.extend(segment.inverted.list(&[terms::LONG])?);
    }
    Ok(found)
}
