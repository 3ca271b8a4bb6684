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

/// Where the lines of a blob begin.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    /// Finds all lines.
    pub fn new(bytes: &[u8]) -> Self {
        let mut starts = Vec::new();
        if !bytes.is_empty() {
            starts.push(0);
            starts.extend(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1).filter(|start| *start < bytes.len()));
        }
        Self { starts }
    }

    /// Number of lines.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are no lines.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Where a line begins, in bytes.
    pub fn start(&self, number: LineNumber) -> Option<usize> {
        self.starts.get(number.get() as usize - 1).copied()
    }

    /// A line of the blob that the index was made of, without its line end.
    pub fn line<'a>(&self, bytes: &'a [u8], number: LineNumber) -> Option<&'a [u8]> {
        let at = number.get() as usize - 1;
        let start = *self.starts.get(at)?;
        let end = self.starts.get(at + 1).copied().unwrap_or(bytes.len());
        let line = bytes.get(start..end)?;
        Some(without_cr(line.strip_suffix(b"\n").unwrap_or(line)))
    }
}

#[cfg(test)]
mod tests {
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
}
