//! The lines of each category: less those that the search counts, those in doubt read and checked, then counted.

use std::collections::{BTreeMap, HashMap};

use memchr::memmem;
use pincite_shared::failure::{Code, Failure};
use pincite_shared::ids::LineNumber;
use pincite_shared::language::Language;
use pincite_shared::term::{Mode, Term};
use pincite_shared::text::LineIndex;
use pincite_shared::tokenizer::{NumberPart, for_each_number_part, holds_separated, word_char_after, word_char_before};
use rayon::prelude::*;
use regex::bytes::{Regex, RegexBuilder};

use super::{Category, Elsewhere, Room};
use crate::search::check::{self, Candidate, Job};
use crate::search::{Found, Ground, Spot, spots};

/// Lines by category and segment.
type Gathered = BTreeMap<Category, BTreeMap<usize, Vec<Spot>>>;

/// Sets with more spots than this are worth waking other threads.
const MANY_SPOTS: usize = 20_000;

/// A document by its segment and its number there.
type Document = (usize, u32);

/// Collects lines.
pub(super) struct Lines<'a> {
    term: &'a Term,
    any_case: Option<Regex>,
    sure: Gathered,
    unsure: Gathered,
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
    pub(super) fn sure(&mut self, category: Category, segment: usize, lines: Vec<Spot>) {
        add(&mut self.sure, category, segment, lines);
    }

    /// Lines that may belong to it.
    pub(super) fn unsure(&mut self, category: Category, segment: usize, lines: Vec<Spot>) {
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
        let mut granted: BTreeMap<Document, Vec<(Category, u32)>> = BTreeMap::new();
        for (category, unsure) in std::mem::take(&mut self.unsure) {
            let all = unsure
                .iter()
                .flat_map(|(segment, set)| spots::documents(set).into_iter().map(move |document| (*segment, document)));
            let jobs = jobs(ground, all.filter(|document| !granted.contains_key(document)))?;
            let bytes: u64 = jobs.iter().map(|job| job.bytes).sum();
            if bytes > room.bytes {
                self.sure.remove(&category);
                elsewhere.leave_out(category, room.reason);
                continue;
            }
            room.bytes -= bytes;
            for (segment, set) in unsure {
                for spot in set {
                    granted.entry((segment, spot.document())).or_default().push((category, spot.line()));
                }
            }
        }
        for (category, segment, spot) in self.check(ground, &granted)? {
            add(&mut self.sure, category, segment, vec![spot]);
        }
        for (category, segments) in self.sure {
            let mut lines = 0;
            for (segment, mut set) in segments {
                spots::to_set(&mut set);
                for same in set.chunk_by(|a, b| a.document() == b.document()) {
                    lines += (same.len() * ground.scope.rows_of(segment, same[0].document()).count()) as u64;
                }
            }
            elsewhere.count(category, lines);
        }
        Ok(())
    }

    /// Takes away what the search counts, and from what is in doubt what is sure.
    fn take_away_counted(&mut self, ground: &Ground<'_>, found: &Found) -> Result<(), Failure> {
        let mut by_segment: BTreeMap<usize, Vec<&mut Vec<Spot>>> = BTreeMap::new();
        for (segment, set) in self.sure.values_mut().chain(self.unsure.values_mut()).flatten() {
            by_segment.entry(*segment).or_default().push(set);
        }
        let all: usize = by_segment.values().flatten().map(|set| set.len()).sum();
        let take_away = |(segment, mut sets): (usize, Vec<&mut Vec<Spot>>)| {
            sets.iter_mut().for_each(|set| spots::to_set(set));
            let mut documents: Vec<u32> = sets.iter().flat_map(|set| spots::documents(set)).collect();
            documents.sort();
            documents.dedup();
            let counted = found.lines_in(ground, segment, &documents)?;
            sets.iter_mut().for_each(|set| spots::subtract(set, &counted));
            Ok::<(), Failure>(())
        };
        if all > MANY_SPOTS {
            by_segment.into_par_iter().try_for_each(take_away)?;
        } else {
            by_segment.into_iter().try_for_each(take_away)?;
        }
        for (category, unsure) in &mut self.unsure {
            for (segment, set) in unsure {
                if let Some(sure) = self.sure.get(category).and_then(|sure| sure.get(segment)) {
                    spots::subtract(set, sure);
                }
            }
        }
        Ok(())
    }

    /// Reads the documents and gives the lines that belong to their categories.
    fn check(
        &self,
        ground: &Ground<'_>,
        granted: &BTreeMap<Document, Vec<(Category, u32)>>,
    ) -> Result<Vec<(Category, usize, Spot)>, Failure> {
        let jobs = jobs(ground, granted.keys().copied())?;
        let quotes: HashMap<Document, bool> = jobs
            .iter()
            .map(|job| (job.candidate.segment, job.candidate.document))
            .map(|(segment, document)| ((segment, document), has_quotes(ground, segment, document)))
            .collect();
        let holding = |job: &Job, blob: &[u8]| {
            let Candidate { segment, document } = job.candidate;
            let quotes = quotes.get(&(segment, document)).is_some_and(|quotes| *quotes);
            let index = LineIndex::new(blob);
            let wanted = granted.get(&(segment, document)).map(Vec::as_slice).unwrap_or_default();
            let holding = wanted.iter().filter(|(category, line)| {
                let line = index.line(blob, LineNumber::from_index(*line)).unwrap_or_default();
                self.holds(*category, line, quotes)
            });
            holding.map(|(category, line)| (*category, segment, Spot::new(document, *line))).collect::<Vec<_>>()
        };
        let read = check::read(ground, &jobs, holding, |_| false)?;
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

fn add(to: &mut Gathered, category: Category, segment: usize, lines: Vec<Spot>) {
    to.entry(category).or_default().entry(segment).or_default().extend(lines);
}

fn jobs(ground: &Ground<'_>, documents: impl Iterator<Item = Document>) -> Result<Vec<Job>, Failure> {
    check::jobs(ground, documents.map(|(segment, document)| Candidate { segment, document }).collect())
}
