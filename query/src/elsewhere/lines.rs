//! The lines of each category: less those that the search counts, those in doubt read and checked, then counted.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use memchr::memmem;
use pincite_shared::failure::{Code, Failure};
use pincite_shared::ids::LineNumber;
use pincite_shared::language::Language;
use pincite_shared::term::{Mode, Term};
use pincite_shared::text::LineIndex;
use pincite_shared::tokenizer::{NumberPart, for_each_number_part, holds_separated, word_char_after, word_char_before};
use regex::bytes::{Regex, RegexBuilder};

use super::{Category, Elsewhere, Room};
use crate::search::check::{self, Candidate, Job};
use crate::search::{Found, Ground};

/// (segment, document, line).
type Place = (u32, u32, u32);

/// Collects lines.
pub(super) struct Lines<'a> {
    term: &'a Term,
    any_case: Option<Regex>,
    sure: BTreeMap<Category, Vec<Place>>,
    unsure: BTreeMap<Category, Vec<Place>>,
}

/// Finds a text in any case.
pub(super) fn any_case(text: &str) -> Result<Regex, Failure> {
    let built = RegexBuilder::new(&regex::escape(text)).case_insensitive(true).size_limit(64 << 20).build();
    built.map_err(|error| Failure::new(Code::Internal, format!("a term is no regular expression: {error}")))
}

/// Whether `'` separates digits in a document, as it does in C and C++ only.
pub(super) fn has_quotes(ground: &Ground<'_>, number: usize, document: u32) -> bool {
    let row = ground.scope.rows_of(number, document).next();
    let facts = row.and_then(|row| ground.snapshot.manifest.facts(row).ok());
    matches!(facts.and_then(|facts| facts.language), Some(Language::C | Language::Cpp))
}

impl<'a> Lines<'a> {
    pub(super) fn new(term: &'a Term) -> Result<Self, Failure> {
        let any_case = if term.mode() == Mode::Literal { Some(any_case(term.text())?) } else { None };
        Ok(Self { term, any_case, sure: BTreeMap::new(), unsure: BTreeMap::new() })
    }

    /// Lines that belong to a category unless the search counts them.
    pub(super) fn sure(&mut self, category: Category, segment: usize, lines: Vec<(u32, u32)>) {
        add(&mut self.sure, category, segment, lines);
    }

    /// Lines that may belong to it.
    pub(super) fn unsure(&mut self, category: Category, segment: usize, lines: Vec<(u32, u32)>) {
        add(&mut self.unsure, category, segment, lines);
    }

    /// Counts every category that was gathered; what would need more reading than `room` is left out.
    pub(super) fn settle(
        mut self,
        ground: &Ground<'_>,
        found: &Found,
        room: &mut Room,
        elsewhere: &mut Elsewhere,
    ) -> Result<(), Failure> {
        self.take_away_counted(ground, found)?;
        let mut granted: BTreeMap<(u32, u32), Vec<(Category, u32)>> = BTreeMap::new();
        for (category, unsure) in std::mem::take(&mut self.unsure) {
            let open: BTreeSet<(u32, u32)> = unsure.iter().map(|place| (place.0, place.1)).collect();
            let jobs = jobs(ground, open.into_iter().filter(|document| !granted.contains_key(document)))?;
            let bytes: u64 = jobs.iter().map(|job| job.bytes).sum();
            if bytes > room.bytes {
                self.sure.remove(&category);
                elsewhere.leave_out(category, room.reason);
                continue;
            }
            room.bytes -= bytes;
            for (segment, document, line) in unsure {
                granted.entry((segment, document)).or_default().push((category, line));
            }
        }
        for (category, place) in self.check(ground, &granted)? {
            self.sure.entry(category).or_default().push(place);
        }
        for (category, mut places) in self.sure {
            places.sort_unstable();
            places.dedup();
            let paths = |place: &Place| ground.scope.rows_of(place.0 as usize, place.1).count() as u64;
            elsewhere.count(category, places.iter().map(paths).sum());
        }
        Ok(())
    }

    /// Takes away what the search counts, and from what is in doubt what is sure.
    fn take_away_counted(&mut self, ground: &Ground<'_>, found: &Found) -> Result<(), Failure> {
        for places in self.sure.values_mut().chain(self.unsure.values_mut()) {
            places.sort_unstable();
            places.dedup();
        }
        let all = || self.sure.values().chain(self.unsure.values()).flatten();
        let documents: BTreeSet<(u32, u32)> = all().map(|place| (place.0, place.1)).collect();
        let documents: Vec<(u32, u32)> = documents.into_iter().collect();
        let mut counted: Vec<Place> = Vec::new();
        for same in documents.chunk_by(|a, b| a.0 == b.0) {
            let own: Vec<u32> = same.iter().map(|(_, document)| *document).collect();
            let lines = found.lines_in(ground, same[0].0 as usize, &own)?;
            counted.extend(lines.into_iter().map(|(document, line)| (same[0].0, document, line)));
        }
        for places in self.sure.values_mut().chain(self.unsure.values_mut()) {
            places.retain(|place| counted.binary_search(place).is_err());
        }
        for (category, places) in &mut self.unsure {
            if let Some(sure) = self.sure.get(category) {
                places.retain(|place| sure.binary_search(place).is_err());
            }
        }
        Ok(())
    }

    /// Reads the documents and gives the lines that belong to their categories.
    fn check(
        &self,
        ground: &Ground<'_>,
        granted: &BTreeMap<(u32, u32), Vec<(Category, u32)>>,
    ) -> Result<Vec<(Category, Place)>, Failure> {
        let jobs = jobs(ground, granted.keys().copied())?;
        let quotes: HashMap<(usize, u32), bool> = jobs
            .iter()
            .map(|job| (job.candidate.segment, job.candidate.document))
            .map(|(segment, document)| ((segment, document), has_quotes(ground, segment, document)))
            .collect();
        let read = check::read(ground, &jobs, |job, blob| {
            let Candidate { segment, document } = job.candidate;
            let quotes = quotes.get(&(segment, document)).is_some_and(|quotes| *quotes);
            let index = LineIndex::new(blob);
            let wanted = granted.get(&(segment as u32, document)).map(Vec::as_slice).unwrap_or_default();
            let holding = wanted.iter().filter(|(category, line)| {
                let line = index.line(blob, LineNumber::from_index(*line)).unwrap_or_default();
                self.holds(*category, line, quotes)
            });
            holding.map(|(category, line)| (*category, (segment as u32, document, *line))).collect::<Vec<_>>()
        })?;
        Ok(read.into_iter().flatten().collect())
    }

    /// Whether a line belongs to a category, told by its bytes.
    fn holds(&self, category: Category, line: &[u8], quotes: bool) -> bool {
        let text = self.term.text().as_bytes();
        let is_part = |wanted: NumberPart| {
            let mut is = false;
            for_each_number_part(line, text, &mut |part| is |= part == wanted);
            is
        };
        match category {
            Category::OtherCase => self.any_case.as_ref().is_some_and(|any_case| any_case.is_match(line)),
            Category::InsideLongerWords if self.term.mode() == Mode::Word => {
                let len = text.len();
                memmem::find_iter(line, text).any(|at| word_char_before(line, at) || word_char_after(line, at + len))
            }
            Category::InsideLongerWords => is_part(NumberPart::Word),
            Category::InsideLongerNumbers => is_part(NumberPart::LongerNumber),
            Category::InFloats => is_part(NumberPart::Float),
            Category::WithSeparators => holds_separated(line, text, quotes),
            // Keys and scopes decide these.
            Category::AsHexadecimal
            | Category::OutsidePathPrefix
            | Category::OutsideScope
            | Category::OutsideExtensions => false,
        }
    }
}

fn add(to: &mut BTreeMap<Category, Vec<Place>>, category: Category, segment: usize, lines: Vec<(u32, u32)>) {
    to.entry(category).or_default().extend(lines.into_iter().map(|(document, line)| (segment as u32, document, line)));
}

fn jobs(ground: &Ground<'_>, documents: impl Iterator<Item = (u32, u32)>) -> Result<Vec<Job>, Failure> {
    check::jobs(
        ground,
        documents.map(|(segment, document)| Candidate { segment: segment as usize, document }).collect(),
    )
}
