//! Names the lines of each category by the keys of the index: those that the keys decide, and those to be read.

use memchr::memmem;
use pincite_shared::failure::Failure;
use pincite_shared::index_format::postings::PostingList;
use pincite_shared::index_format::terms;
use pincite_shared::index_format::vocabulary::Cut;
use pincite_shared::term::{Mode, Term};
use pincite_shared::tokenizer::{RunShape, run_shape};

use super::lines::{Lines, has_quotes};
use super::patterns::{AnyCase, Digits, Hexadecimal};
use super::{Category, Elsewhere, Reason, may_pass, other_case};
use crate::failure::timed_out;
use crate::index::Segment;
use crate::search::{Found, Ground, Spot, spots};

/// Lines of a key: what they are, what they may be, where they are.
type Inside = (Option<Category>, &'static [Category], Vec<Spot>);

/// One search whose lines are not to be counted again.
pub(super) struct Gather<'a> {
    pub(super) ground: &'a Ground<'a>,
    pub(super) term: &'a Term,
    pub(super) found: &'a Found,
}

impl Gather<'_> {
    /// Every line of the categories, or the reason why one is left out.
    pub(super) fn all(
        &self,
        categories: &[Category],
        lines: &mut Lines,
        elsewhere: &mut Elsewhere,
    ) -> Result<(), Failure> {
        let chars = self.term.text().chars().count();
        let passing = may_pass(self.ground, self.found, chars);
        for category in categories {
            match category {
                Category::OtherCase if self.term.mode() == Mode::Word => {
                    let found = self.ground.each_segment(|number, segment| self.word_in_other_case(number, segment))?;
                    pieces(found, |number, places| lines.sure(*category, number, places));
                }
                Category::OtherCase => other_case::gather(self, passing, lines, elsewhere)?,
                Category::AsHexadecimal => {
                    let found = self.ground.each_segment(|number, segment| self.hexadecimal(number, segment))?;
                    pieces(found, |number, places| lines.sure(*category, number, places));
                }
                Category::WithSeparators => {
                    let found = self.ground.each_segment(|number, segment| self.with_separators(number, segment))?;
                    pieces(found, |number, places| lines.unsure(*category, number, places));
                }
                inside if !passing => elsewhere.leave_out(*inside, Reason::LargeVocabulary),
                // One pass is for all three.
                Category::InsideLongerWords => self.inside(lines)?,
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn each(&self, mut of: impl FnMut(usize, &Segment) -> Result<(), Failure>) -> Result<(), Failure> {
        for (number, segment) in self.ground.snapshot.segments.iter().enumerate() {
            self.ground.deadline.check().map_err(timed_out)?;
            of(number, segment)?;
        }
        Ok(())
    }

    /// The lines of the scope that have the key.
    pub(super) fn lines_of(&self, number: usize, segment: &Segment, list: &PostingList) -> Result<Vec<Spot>, Failure> {
        self.ground.deadline.check().map_err(timed_out)?;
        let mut lines = Vec::new();
        let wanted = |document| self.ground.scope.holds(number, document);
        let push = |document, line| lines.push(Spot::new(document, line));
        segment.inverted.postings().for_each_line(list, wanted, push)?;
        Ok(lines)
    }

    /// Lines with a run that is too long to be kept as a word.
    pub(super) fn long_lines(&self, number: usize, segment: &Segment) -> Result<Vec<Spot>, Failure> {
        match segment.inverted.list(&[terms::LONG])? {
            Some(list) => self.lines_of(number, segment, &list),
            None => Ok(Vec::new()),
        }
    }

    fn word_in_other_case(&self, number: usize, segment: &Segment) -> Result<Vec<Vec<Spot>>, Failure> {
        let text = self.term.text();
        let keys = segment.inverted.matching(&AnyCase::new(None, text, false))?;
        let other = keys.iter().filter(|(key, _)| *key != text.as_bytes());
        other.map(|(_, list)| self.lines_of(number, segment, list)).collect()
    }

    fn hexadecimal(&self, number: usize, segment: &Segment) -> Result<Vec<Vec<Spot>>, Failure> {
        let keys = segment.inverted.matching(&Hexadecimal::new(self.term.text().as_bytes()))?;
        keys.iter().map(|(_, list)| self.lines_of(number, segment, list)).collect()
    }

    /// Numbers with `_` are one key. Those with `'` are several, none of which is a decimal token: a line can hold one
    /// when it has a proper beginning of the digits and a proper end of them as words.
    fn with_separators(&self, number: usize, segment: &Segment) -> Result<Vec<Vec<Spot>>, Failure> {
        let digits = self.term.text().as_bytes();
        let keys = segment.inverted.matching(&Digits { digits, separated: true })?;
        let lines = keys.iter().map(|(_, list)| self.lines_of(number, segment, list));
        let mut lines = lines.collect::<Result<Vec<_>, _>>()?;
        let (mut first, mut last) = (Vec::new(), Vec::new());
        for cut in 1..digits.len() {
            first.extend(segment.inverted.list(&digits[..cut])?);
            let ends = segment.inverted.matching(&Digits { digits: &digits[cut..], separated: false })?;
            last.extend(ends.into_iter().map(|(_, list)| list));
        }
        if first.is_empty() || last.is_empty() {
            return Ok(lines);
        }
        if frequency(&first) > frequency(&last) {
            std::mem::swap(&mut first, &mut last);
        }
        let mut both = Vec::new();
        for list in &first {
            self.ground.deadline.check().map_err(timed_out)?;
            let wanted = |document| has_quotes(self.ground, number, document);
            let push = |document, line| both.push(Spot::new(document, line));
            segment.inverted.postings().for_each_line(list, wanted, push)?;
        }
        lines.push(self.among(segment, both, &last)?);
        Ok(lines)
    }

    /// Those of the places that have one of the keys too.
    pub(super) fn among(
        &self,
        segment: &Segment,
        mut places: Vec<Spot>,
        lists: &[PostingList],
    ) -> Result<Vec<Spot>, Failure> {
        spots::to_set(&mut places);
        let documents = spots::documents(&places);
        let mut other = Vec::new();
        for list in lists {
            self.ground.deadline.check().map_err(timed_out)?;
            let push = |document, line| other.push(Spot::new(document, line));
            segment.inverted.postings().for_each_line_in(list, &documents, push)?;
        }
        other.sort();
        spots::intersect(&mut places, &other);
        Ok(places)
    }

    /// Every key that holds the term and is more than the term.
    fn inside(&self, lines: &mut Lines) -> Result<(), Failure> {
        let found = self.ground.each_segment(|number, segment| self.inside_of(number, segment))?;
        for (number, (keys, long)) in found.into_iter().enumerate() {
            for (sure, unsure, places) in keys {
                for category in unsure {
                    lines.unsure(*category, number, places.clone());
                }
                if let Some(category) = sure {
                    lines.sure(category, number, places);
                }
            }
            if self.term.mode() == Mode::Decimal {
                lines.unsure(Category::InsideLongerNumbers, number, long.clone());
                lines.unsure(Category::InFloats, number, long.clone());
            }
            lines.unsure(Category::InsideLongerWords, number, long);
        }
        Ok(())
    }

    /// The lines of each such key of a segment, with what they are for sure and what they may be; and its long lines.
    fn inside_of(&self, number: usize, segment: &Segment) -> Result<(Vec<Inside>, Vec<Spot>), Failure> {
        let text = self.term.text().as_bytes();
        let decimal = self.term.mode() == Mode::Decimal;
        let mut found = Vec::new();
        for (key, list) in segment.inverted.expand(text, Cut::Both, usize::MAX)?.unwrap_or_default() {
            let (sure, unsure): (Option<Category>, &[Category]) = if decimal {
                number_categories(key, text)
            } else {
                let word = key.strip_prefix(&[terms::DECIMAL]).unwrap_or(key);
                ((word != text).then_some(Category::InsideLongerWords), &[])
            };
            if sure.is_none() && unsure.is_empty() {
                continue;
            }
            found.push((sure, unsure, self.lines_of(number, segment, &list)?));
        }
        Ok((found, self.long_lines(number, segment)?))
    }

    /// Whether the key holds the term as it is, so that the search counts its lines.
    pub(super) fn is_counted(&self, key: &[u8]) -> bool {
        memmem::find(key, self.term.text().as_bytes()).is_some()
    }
}

/// Hands on the lines that were found in each segment.
fn pieces(found: Vec<Vec<Vec<Spot>>>, mut to: impl FnMut(usize, Vec<Spot>)) {
    for (number, lists) in found.into_iter().enumerate() {
        lists.into_iter().for_each(|places| to(number, places));
    }
}

pub(super) fn frequency(lists: &[PostingList]) -> u64 {
    lists.iter().map(|list| u64::from(list.documents)).sum()
}

/// What a key that holds digits makes of them: what is sure, and what depends on the text beside it.
fn number_categories(key: &[u8], digits: &[u8]) -> (Option<Category>, &'static [Category]) {
    use Category::{InFloats, InsideLongerNumbers, InsideLongerWords};
    if let Some(token) = key.strip_prefix(&[terms::DECIMAL]) {
        return ((token != digits).then_some(InsideLongerNumbers), &[]);
    }
    match run_shape(key) {
        RunShape::Word => (Some(InsideLongerWords), &[]),
        RunShape::Exponent => (Some(InFloats), &[]),
        RunShape::Integer { .. } => (None, &[InsideLongerNumbers, InFloats]),
        RunShape::Open { .. } => (None, &[InsideLongerWords, InFloats]),
    }
}
