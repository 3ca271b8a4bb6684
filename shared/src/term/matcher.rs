//! Finds a term in bytes. This is what every answer is checked with.

use memchr::memmem;

use crate::tokenizer::{decimal_at, word_char_after, word_char_before};

use super::{Mode, Term};

/// A term in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// First byte.
    pub start: usize,
    /// Behind the last byte; a suffix is not included.
    pub end: usize,
    /// Whether an integer suffix follows.
    pub suffix: bool,
}

/// Finds one term.
#[derive(Clone, Debug)]
pub struct Matcher {
    finder: memmem::Finder<'static>,
    len: usize,
    mode: Mode,
}

impl Matcher {
    /// A matcher for a term.
    pub fn new(term: &Term) -> Self {
        let needle = term.text().as_bytes();
        Self { finder: memmem::Finder::new(needle).into_owned(), len: needle.len(), mode: term.mode() }
    }

    /// Whether the needle at `at` is the term by its mode.
    fn accepts(&self, bytes: &[u8], at: usize) -> Option<Occurrence> {
        let end = at + self.len;
        let occurrence = |suffix| Occurrence { start: at, end, suffix };
        match self.mode {
            Mode::Literal => Some(occurrence(false)),
            _ if word_char_before(bytes, at) => None,
            Mode::Word => (!word_char_after(bytes, end)).then(|| occurrence(false)),
            // Another digit behind the needle is no suffix, so a longer number is refused here too.
            Mode::Decimal => decimal_at(bytes, at, end).map(|token| occurrence(token.suffix)),
        }
    }

    /// Whether a line holds the term.
    pub fn is_match(&self, line: &[u8]) -> bool {
        self.next(line, 0).is_some()
    }

    fn next(&self, bytes: &[u8], mut from: usize) -> Option<Occurrence> {
        loop {
            let at = from + self.finder.find(&bytes[from..])?;
            if let Some(found) = self.accepts(bytes, at) {
                return Some(found);
            }
            from = at + 1;
        }
    }

    /// All occurrences in a line, from left to right, without overlaps.
    pub fn find_all(&self, line: &[u8]) -> Vec<Occurrence> {
        let mut from = 0;
        std::iter::from_fn(|| {
            let found = self.next(line, from)?;
            from = found.end;
            Some(found)
        })
        .collect()
    }

    /// Calls `visit` with the zero-based number and the bytes (without line end) of each line that holds the term.
    pub fn for_each_matching_line(&self, bytes: &[u8], visit: &mut impl FnMut(u32, &[u8])) {
        let (mut line, mut start, mut from) = (0u32, 0, 0);
        // Neither a term nor a rule reaches over a line end, so the whole blob is searched at once.
        while let Some(found) = self.next(bytes, from) {
            for feed in memchr::memchr_iter(b'\n', &bytes[start..found.start]) {
                line = line.saturating_add(1);
                from = start + feed + 1;
            }
            start = start.max(from);
            let end = memchr::memchr(b'\n', &bytes[found.end..]).map_or(bytes.len(), |at| found.end + at);
            visit(line, bytes[start..end].strip_suffix(b"\r").unwrap_or(&bytes[start..end]));
            if end == bytes.len() {
                return;
            }
            line = line.saturating_add(1);
            (start, from) = (end + 1, end + 1);
        }
    }
}

/// The occurrences as [start, end) in characters of the line as it is shown, where each bad byte sequence is one
/// character.
pub fn char_columns(line: &[u8], occurrences: &[Occurrence]) -> Vec<[u32; 2]> {
    let mut columns = Vec::with_capacity(occurrences.len());
    let mut marks = occurrences.iter().flat_map(|one| [one.start, one.end]).peekable();
    let (mut at, mut column, mut start) = (0, 0u32, None);
    let mut take = |at: usize, column: u32| {
        while marks.next_if(|mark| *mark <= at).is_some() {
            match start.take() {
                None => start = Some(column),
                Some(start) => columns.push([start, column]),
            }
        }
    };
    for chunk in line.utf8_chunks() {
        for c in chunk.valid().chars() {
            take(at, column);
            at += c.len_utf8();
            column = column.saturating_add(1);
        }
        if !chunk.invalid().is_empty() {
            take(at, column);
            at += chunk.invalid().len();
            column = column.saturating_add(1);
        }
    }
    take(at, column);
    columns
}
