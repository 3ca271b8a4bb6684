//! Lines: a line ends at LF, and a CR before it is no part of it (T-01).

use crate::ids::LineNumber;

/// Number of lines: LFs, and one more for a last line without one.
pub fn line_count(bytes: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', bytes).count() + usize::from(!bytes.is_empty() && !bytes.ends_with(b"\n"))
}

/// All lines, without LF and the CR before it. A CR at the end of a last line without LF is left out as well.
pub fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', rest);
        let line = &rest[..end.unwrap_or(rest.len())];
        rest = end.map_or(&[], |end| &rest[end + 1..]);
        Some(without_cr(line))
    })
}

fn without_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Bytes between two marks of a [`LineIndex`]: a look-up counts the LFs of half as many, and making the index costs no
/// more than counting all.
const MARKED: usize = 512;

/// Tells where the lines of one blob are.
#[derive(Clone, Debug)]
pub struct LineIndex {
    lines: usize,
    /// How many LFs stand before each [`MARKED`] bytes.
    marks: Vec<u32>,
}

impl LineIndex {
    /// Counts the lines of a blob.
    pub fn new(bytes: &[u8]) -> Self {
        let mut marks = Vec::with_capacity(bytes.len().div_ceil(MARKED));
        let mut before = 0;
        for part in bytes.chunks(MARKED) {
            marks.push(before as u32);
            before += memchr::memchr_iter(b'\n', part).count();
        }
        let open = !bytes.is_empty() && !bytes.ends_with(b"\n");
        Self { lines: before + usize::from(open), marks }
    }

    /// Number of lines.
    pub fn len(&self) -> usize {
        self.lines
    }

    /// Whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.lines == 0
    }

    /// Where a line of the blob that the index was made of begins, in bytes.
    pub fn start(&self, bytes: &[u8], number: LineNumber) -> Option<usize> {
        let before = number.get() as usize - 1;
        if before >= self.lines {
            return None;
        }
        if before == 0 {
            return Some(0);
        }
        let part = self.marks.partition_point(|mark| (*mark as usize) < before).checked_sub(1)?;
        let from = part * MARKED;
        let ahead = before - self.marks[part] as usize;
        memchr::memchr_iter(b'\n', bytes.get(from..)?).nth(ahead - 1).map(|at| from + at + 1)
    }

    /// A line of the blob that the index was made of, without its line end.
    pub fn line<'a>(&self, bytes: &'a [u8], number: LineNumber) -> Option<&'a [u8]> {
        lines(bytes.get(self.start(bytes, number)?..)?).next()
    }
}

/// The next line that is asked for mostly stands so few further on, where counting on is faster than asking the index.
const NEXT_LINES: u32 = 32;

/// Cuts lines of one blob; fastest when they are asked for in ascending order.
pub struct LineCursor<'a> {
    bytes: &'a [u8],
    index: &'a LineIndex,
    /// The line that was asked for last, and where it begins.
    last: (LineNumber, usize),
}

impl<'a> LineCursor<'a> {
    /// Begins before the first line of the blob that the index was made of.
    pub fn new(bytes: &'a [u8], index: &'a LineIndex) -> Self {
        Self { bytes, index, last: (LineNumber::from_index(0), 0) }
    }

    /// Where a line begins, in bytes.
    pub fn start(&mut self, number: LineNumber) -> Option<usize> {
        if number.get() as usize > self.index.len() {
            return None;
        }
        let (known, at) = self.last;
        let start = match number.get().checked_sub(known.get()) {
            Some(0) => at,
            Some(further @ 1..=NEXT_LINES) => {
                let mut ends = memchr::memchr_iter(b'\n', self.bytes.get(at..)?);
                at + ends.nth(further as usize - 1)? + 1
            }
            _ => self.index.start(self.bytes, number)?,
        };
        self.last = (number, start);
        Some(start)
    }

    /// A line without its line end.
    pub fn line(&mut self, number: LineNumber) -> Option<&'a [u8]> {
        let start = self.start(number)?;
        lines(self.bytes.get(start..)?).next()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    // T-01
    #[test]
    fn a_line_ends_at_lf() {
        let check = |text: &[u8], expected: &[&[u8]]| {
            assert_eq!(lines(text).collect::<Vec<_>>(), expected);
            assert_eq!(line_count(text), expected.len());
            let index = LineIndex::new(text);
            assert_eq!(index.len(), expected.len());
            for (at, line) in expected.iter().enumerate() {
                assert_eq!(index.line(text, LineNumber::from_index(at as u32)), Some(*line));
            }
            assert_eq!(index.line(text, LineNumber::from_index(expected.len() as u32)), None);
        };
        check(b"", &[]);
        check(b"a", &[b"a"]);
        check(b"a\n", &[b"a"]);
        check(b"a\r\nb\r\n", &[b"a", b"b"]);
        check(b"a\n\nb", &[b"a", b"", b"b"]);
        check(b"\n", &[b""]);
        check(b"a\rb\nc\x0cd\n", &[b"a\rb", b"c\x0cd"]);
        check("a\u{2028}b\u{85}c".as_bytes(), &["a\u{2028}b\u{85}c".as_bytes()]);
        check(b"a\r", &[b"a"]);
    }

    proptest! {
        // T-01: texts long enough for several marks.
        #[test]
        fn the_index_agrees_with_the_lines(
            parts in proptest::collection::vec((0usize..900, 0usize..40, any::<bool>()), 0..12),
            ended in any::<bool>(),
        ) {
            let mut text = Vec::new();
            for (length, ends, carriage) in parts {
                text.extend(std::iter::repeat_n(b'x', length));
                text.extend(std::iter::repeat_n(if carriage { &b"\r\n"[..] } else { b"\n" }, ends).flatten());
            }
            text.extend(if ended { b"\n" } else { b"y" });
            let index = LineIndex::new(&text);
            prop_assert_eq!(index.len(), line_count(&text));
            for stride in [1, 3, 40] {
                let mut cursor = LineCursor::new(&text, &index);
                for at in (0..index.len() + 2).step_by(stride) {
                    let number = LineNumber::from_index(at as u32);
                    prop_assert_eq!(cursor.line(number), index.line(&text, number));
                    prop_assert_eq!(cursor.start(number), index.start(&text, number));
                }
                prop_assert_eq!(cursor.line(LineNumber::from_index(0)), index.line(&text, LineNumber::from_index(0)));
            }
            let mut start = 0;
            for (at, line) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
                let number = LineNumber::from_index(at as u32);
                prop_assert_eq!(index.start(&text, number), Some(start));
                prop_assert_eq!(index.line(&text, number), lines(&text).nth(at));
                start += line.len();
            }
            prop_assert_eq!(index.start(&text, LineNumber::from_index(index.len() as u32)), None);
        }
    }
}
