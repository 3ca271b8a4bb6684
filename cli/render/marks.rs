//! Where terms stand in lines that are shown.

use std::collections::HashMap;
use std::ops::Range;

use pincite_shared::term::{Matcher, Mode, RequestedMode, Term};

/// Byte ranges of a shown line for columns in characters of the whole line.
///
/// A line that was shortened keeps its columns only when its beginning is shown; one that begins with `…` was cut on the
/// left, by how much is not said, so nothing of it is marked.
pub(crate) fn ranges(text: &str, columns: &[[u32; 2]], shortened: bool) -> Vec<Range<usize>> {
    if shortened && text.starts_with('…') {
        return Vec::new();
    }
    let shown = if shortened { text.strip_suffix('…').unwrap_or(text) } else { text };
    let starts: Vec<usize> = shown.char_indices().map(|(at, _)| at).chain([shown.len()]).collect();
    let byte = |column: u32| starts.get(column as usize).copied().unwrap_or(shown.len());
    let ranges = columns.iter().map(|[start, end]| byte(*start)..byte(*end));
    ranges.filter(|range| !range.is_empty()).collect()
}

/// The terms of an answer's searches, to mark in its windows.
#[derive(Default)]
pub(crate) struct Terms(HashMap<String, Matcher>);

impl Terms {
    /// Adds a search by its id. What is no term, in a file from elsewhere, marks nothing.
    pub(crate) fn add(&mut self, search: &str, text: &str, mode: &str) {
        let modes = [Mode::Word, Mode::Literal, Mode::Decimal];
        let mode = modes.into_iter().find(|known| known.name() == mode);
        if let Some(Ok(term)) = mode.map(|mode| Term::new(text, RequestedMode::Exactly(mode))) {
            self.0.insert(search.into(), Matcher::new(&term));
        }
    }

    /// Where the terms of these searches stand in a line, without overlaps.
    pub(crate) fn ranges<'a>(&self, searches: impl Iterator<Item = &'a str>, text: &str) -> Vec<Range<usize>> {
        let matchers = searches.filter_map(|search| self.0.get(search));
        let mut all: Vec<Range<usize>> =
            matchers.flat_map(|one| one.find_all(text.as_bytes())).map(|found| found.start..found.end).collect();
        all.sort_unstable_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
        let mut end = 0;
        all.retain(|range| {
            let free = range.start >= end;
            if free {
                end = range.end;
            }
            free
        });
        all
    }
}

/// Calls `part` with each piece of a text and whether it is marked; ranges are ascending and do not overlap.
pub(crate) fn split(text: &str, marked: &[Range<usize>], mut part: impl FnMut(&str, bool)) {
    let mut at = 0;
    for range in marked {
        if let (Some(before), Some(hit)) = (text.get(at..range.start), text.get(range.clone())) {
            part(before, false);
            part(hit, true);
            at = range.end;
        }
    }
    part(text.get(at..).unwrap_or_default(), false);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, ranges: &[Range<usize>]) -> String {
        let mut out = String::new();
        split(text, ranges, |part, hit| out += &if hit { format!("[{part}]") } else { part.to_owned() });
        out
    }

    #[test]
    fn columns_are_characters() {
        let check = |text: &str, columns: &[[u32; 2]], shortened, expected: &str| {
            assert_eq!(marked(text, &ranges(text, columns, shortened)), expected);
        };
        check("ä = 7; ö = 7;", &[[4, 5], [11, 12]], false, "ä = [7]; ö = [7];");
        check("abc", &[], false, "abc");
        check("abcd…", &[[2, 9]], true, "ab[cd]…");
        check("abcd…", &[[7, 9]], true, "abcd…");
        check("…abcd…", &[[20, 22]], true, "…abcd…");
        check("abc", &[[2, 99]], false, "ab[c]");
    }

    #[test]
    fn terms_are_marked_as_they_were_matched() {
        let mut terms = Terms::default();
        terms.add("s1", "7", "decimal");
        terms.add("s2", "x7", "word");
        terms.add("s3", "not a word", "word");
        let all = ["s1", "s2", "s3", "s9"];
        let text = "x7 = 7u + 77 + x7;";
        assert_eq!(marked(text, &terms.ranges(all.into_iter(), text)), "[x7] = [7]u + 77 + [x7];");
    }
}
