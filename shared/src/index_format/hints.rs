//! The hints of a segment's documents.
//!
//! ```text
//! "PCHINT01" | version u32 | document count u32 | per document and one more: offset of its record u64 | records
//! record: bincode, see `Stored`; empty for a document without hints
//! ```
//!
//! A record has no names, only where they stand in the blob: whoever follows a hint has read that blob anyway, and a
//! record is a few bytes a hint instead of the larger part of an index.

use std::collections::HashMap;
use std::path::Path;

use bincode::{Decode, Encode};
use memchr::memmem;

use crate::hints::{Assignment, FunctionKind, FunctionName, HintOrigin, Hints};
use crate::ids::LineNumber;
use crate::text::{LineCursor, LineIndex};

use super::HINTS_VERSION;
use super::error::IndexError;
use super::records;
use super::sealed::{FileRecord, SealedFile, SealedWriter};

const MAGIC: &[u8; 8] = b"PCHINT01";
const HEADER: usize = 8 + 4 + 4;

/// A text is looked for from the start of its line over so many bytes; a value may stand on one of the next lines.
const REACH: usize = 4_096;
/// Bytes of a line in which a text most likely stands.
const NEAR: usize = 160;

/// Offset from the start of the hint's line, and length; or a number in [`Stored::written_out`] and length 0.
type Place = (u32, u32);

/// Lines are differences to the hint before.
#[derive(Default, Encode, Decode)]
struct Stored {
    /// Texts that do not stand in the blob as they are, such as a value with a blank behind its sign.
    written_out: Vec<String>,
    /// Line difference, name, value, lexical only.
    assignments: Vec<(u32, Place, Place, bool)>,
    /// Line difference, name, kind × 2 + lexical only.
    functions: Vec<(u32, Place, u8)>,
}

/// Finds the texts of a blob's hints in the blob.
struct Places<'a> {
    source: &'a [u8],
    starts: Vec<usize>,
    written_out: Vec<String>,
    /// Numbers in `written_out`: a line of 50,000 tokens has most of its texts beyond the reach.
    known: HashMap<String, u32>,
}

impl Places<'_> {
    fn of(&mut self, line: LineNumber, text: &str) -> Place {
        let start = self.starts.get(line.get() as usize - 1).copied().unwrap_or(self.source.len());
        let piece = &self.source[start..self.source.len().min(start + REACH)];
        if let Some(at) = find(piece, text.as_bytes()) {
            return (at as u32, text.len() as u32);
        }
        let next = self.written_out.len() as u32;
        let at = *self.known.entry(text.to_owned()).or_insert(next);
        if at == next {
            self.written_out.push(text.to_owned());
        }
        (at, 0)
    }
}

/// Where a text that is not empty begins in a piece. Nearly all stand near the beginning, where trying each place costs
/// less than it takes to prepare a search.
fn find(piece: &[u8], text: &[u8]) -> Option<usize> {
    let first = *text.first()?;
    let near = &piece[..piece.len().min(NEAR)];
    let mut starts = memchr::memchr_iter(first, near);
    starts.find(|at| piece[*at..].starts_with(text)).or_else(|| memmem::find(piece, text))
}

/// The record of a document's hints.
pub fn encode(hints: &Hints, source: &[u8]) -> Vec<u8> {
    if hints.assignments.is_empty() && hints.functions.is_empty() {
        return Vec::new();
    }
    let mut starts = vec![0];
    starts.extend(memchr::memchr_iter(b'\n', source).map(|feed| feed + 1));
    let mut places = Places { source, starts, written_out: Vec::new(), known: HashMap::new() };
    let mut stored = Stored::default();
    let mut last = 0;
    for one in &hints.assignments {
        let (name, value) = (places.of(one.line, &one.name), places.of(one.line, &one.value));
        stored.assignments.push((one.line.get() - last, name, value, one.origin == HintOrigin::Lexical));
        last = one.line.get();
    }
    last = 0;
    for one in &hints.functions {
        let kind = match one.kind {
            FunctionKind::Definition => 0,
            FunctionKind::Declaration => 2,
            FunctionKind::Call => 4,
        };
        let name = places.of(one.line, &one.name);
        stored.functions.push((one.line.get() - last, name, kind + u8::from(one.origin == HintOrigin::Lexical)));
        last = one.line.get();
    }
    stored.written_out = places.written_out;
    records::encode(&stored)
}

/// Cuts the texts of hints from their blob.
struct Texts<'a> {
    source: &'a [u8],
    lines: LineCursor<'a>,
    written_out: Vec<String>,
}

impl<'a> Texts<'a> {
    fn new(source: &'a [u8], lines: &'a LineIndex, written_out: Vec<String>) -> Self {
        Self { source, lines: LineCursor::new(source, lines), written_out }
    }

    fn get(&mut self, line: LineNumber, (at, len): Place) -> Option<&str> {
        if len == 0 {
            return self.written_out.get(at as usize).map(String::as_str);
        }
        let start = self.lines.start(line)?.checked_add(at as usize)?;
        str::from_utf8(self.source.get(start..start.checked_add(len as usize)?)?).ok()
    }
}

fn origin(lexical: bool) -> HintOrigin {
    if lexical { HintOrigin::Lexical } else { HintOrigin::Syntax }
}

fn decode(bytes: &[u8]) -> Option<Stored> {
    if bytes.is_empty() { Some(Stored::default()) } else { records::decode(bytes) }
}

fn assignments(
    bytes: &[u8],
    source: &[u8],
    lines: &LineIndex,
    wanted: impl Fn(LineNumber) -> bool,
) -> Option<Vec<Assignment>> {
    let stored = decode(bytes)?;
    let mut texts = Texts::new(source, lines, stored.written_out);
    let mut found = Vec::new();
    let mut line = 0u32;
    for (step, name, value, lexical) in stored.assignments {
        line = line.checked_add(step)?;
        let line = LineNumber::new(line)?;
        if wanted(line) {
            let (name, value) = (texts.get(line, name)?.to_owned(), texts.get(line, value)?.to_owned());
            found.push(Assignment { line, name, value, origin: origin(lexical) });
        }
    }
    Some(found)
}

fn functions(
    bytes: &[u8],
    source: &[u8],
    lines: &LineIndex,
    wanted: impl Fn(&str) -> bool,
) -> Option<Vec<FunctionName>> {
    let stored = decode(bytes)?;
    let mut texts = Texts::new(source, lines, stored.written_out);
    let mut found = Vec::new();
    let mut line = 0u32;
    for (step, name, kind) in stored.functions {
        line = line.checked_add(step)?;
        let line = LineNumber::new(line)?;
        let what = match kind / 2 {
            0 => FunctionKind::Definition,
            1 => FunctionKind::Declaration,
            2 => FunctionKind::Call,
            _ => return None,
        };
        let name = texts.get(line, name)?;
        if wanted(name) {
            found.push(FunctionName { line, name: name.to_owned(), kind: what, origin: origin(kind % 2 == 1) });
        }
    }
    Some(found)
}

/// Writes the encoded hints of all documents of a segment, in document order.
///
/// # Errors
/// What the system says.
pub fn write(path: &Path, name: String, documents: &[Vec<u8>]) -> Result<FileRecord, IndexError> {
    let mut writer = SealedWriter::create(path)?;
    writer.write(MAGIC)?;
    writer.write(&HINTS_VERSION.to_le_bytes())?;
    writer.write(&(documents.len() as u32).to_le_bytes())?;
    let mut offset = 0u64;
    for bytes in documents {
        writer.write(&offset.to_le_bytes())?;
        offset += bytes.len() as u64;
    }
    writer.write(&offset.to_le_bytes())?;
    for bytes in documents {
        writer.write(bytes)?;
    }
    writer.finish(name)
}

/// Where an assignment stands and how long its texts are; `None` for a length that is not known without the blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssignmentSize {
    /// Where the name stands.
    pub line: LineNumber,
    /// Bytes of the name.
    pub name: Option<u32>,
    /// Bytes of the value.
    pub value: Option<u32>,
}

/// The hints of a segment for reading.
#[derive(Clone, Debug)]
pub struct HintsFile {
    file: SealedFile,
    documents: u32,
}

impl HintsFile {
    /// Opens a hint file.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] when it is not one of this version.
    pub fn open(file: SealedFile) -> Result<Self, IndexError> {
        let broken = || IndexError::corrupt(file.path(), "it is not a hint file of this version");
        if file.len() < HEADER {
            return Err(broken());
        }
        let header = file.read(0..HEADER)?;
        let documents = u32::from_le_bytes(header[12..16].try_into().unwrap_or_default());
        let table = HEADER as u64 + (u64::from(documents) + 1) * 8;
        if !header.starts_with(MAGIC) || header[8..12] != HINTS_VERSION.to_le_bytes() || table > file.len() as u64 {
            return Err(broken());
        }
        Ok(Self { documents, file })
    }

    /// Number of documents.
    pub fn len(&self) -> u32 {
        self.documents
    }

    /// Whether there are no documents.
    pub fn is_empty(&self) -> bool {
        self.documents == 0
    }

    /// The encoded hints of a document, for copying.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn encoded(&self, document: u32) -> Result<&[u8], IndexError> {
        if document >= self.documents {
            return Err(IndexError::corrupt(self.file.path(), format!("it has no document {document}")));
        }
        let records = HEADER + (self.documents as usize + 1) * 8;
        let at = HEADER + document as usize * 8;
        let ends = self.file.read(at..at + 16)?;
        let offset = |at: usize| {
            let offset = u64::from_le_bytes(ends[at..at + 8].try_into().unwrap_or_default());
            usize::try_from(offset).ok().and_then(|offset| offset.checked_add(records)).unwrap_or(usize::MAX)
        };
        self.file.read(offset(0)..offset(8))
    }

    /// The assignments of a document, whose blob is `source`, on wanted lines.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn assignments(
        &self,
        document: u32,
        source: &[u8],
        lines: &LineIndex,
        wanted: impl Fn(LineNumber) -> bool,
    ) -> Result<Vec<Assignment>, IndexError> {
        assignments(self.encoded(document)?, source, lines, wanted).ok_or_else(|| self.undecodable(document))
    }

    /// The function names of a document, whose blob is `source`, that are wanted.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn functions(
        &self,
        document: u32,
        source: &[u8],
        lines: &LineIndex,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<FunctionName>, IndexError> {
        functions(self.encoded(document)?, source, lines, wanted).ok_or_else(|| self.undecodable(document))
    }

    /// Lines and sizes of a document's assignments, by line, for deciding whether its blob is worth reading.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn assignment_sizes(&self, document: u32) -> Result<Vec<AssignmentSize>, IndexError> {
        let stored = decode(self.encoded(document)?).ok_or_else(|| self.undecodable(document))?;
        let mut line = 0u32;
        let mut size = |(step, name, value, _): &(u32, Place, Place, bool)| {
            line = line.checked_add(*step)?;
            // A text that is written out has length 0 in its place.
            let bytes = |(_, len): &Place| Some(*len).filter(|len| *len > 0);
            Some(AssignmentSize { line: LineNumber::new(line)?, name: bytes(name), value: bytes(value) })
        };
        let sizes: Option<Vec<_>> = stored.assignments.iter().map(&mut size).collect();
        sizes.ok_or_else(|| self.undecodable(document))
    }

    /// Decodes a document's record without its blob.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn check(&self, document: u32) -> Result<(), IndexError> {
        decode(self.encoded(document)?).map(drop).ok_or_else(|| self.undecodable(document))
    }

    fn undecodable(&self, document: u32) -> IndexError {
        IndexError::corrupt(self.file.path(), format!("document {document} does not decode"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that is stored for a document.
    fn all(file: &HintsFile, document: u32, source: &[u8]) -> Result<Hints, IndexError> {
        let lines = LineIndex::new(source);
        Ok(Hints {
            assignments: file.assignments(document, source, &lines, |_| true)?,
            functions: file.functions(document, source, &lines, |_| true)?,
        })
    }

    #[test]
    fn hints_survive() {
        let line = |number| LineNumber::new(number).unwrap();
        let hints = Hints {
            assignments: vec![
                Assignment { line: line(3), name: "A".into(), value: "23487".into(), origin: HintOrigin::Syntax },
                Assignment { line: line(3), name: "B".into(), value: "A".into(), origin: HintOrigin::Lexical },
            ],
            functions: vec![
                FunctionName { line: line(1), name: "f".into(), kind: FunctionKind::Call, origin: HintOrigin::Lexical },
                FunctionName {
                    line: line(9),
                    name: "A".into(),
                    kind: FunctionKind::Definition,
                    origin: HintOrigin::Syntax,
                },
            ],
        };
        let source = b"f(x);\n\nA = 23487; B = A;\n\n\n\n\n\nint A() {}\n";
        let folder = tempfile::tempdir().unwrap();
        let documents = [Vec::new(), encode(&hints, source), Vec::new()];
        assert!(documents[1].len() < 50, "a few bytes a hint");
        let record = write(&folder.path().join("h"), "h".into(), &documents).unwrap();
        let file = HintsFile::open(SealedFile::open(folder.path(), &record).unwrap()).unwrap();
        assert_eq!(all(&file, 0, source).unwrap(), Hints::default());
        assert_eq!(all(&file, 1, source).unwrap(), hints);
        assert_eq!(all(&file, 2, source).unwrap(), Hints::default());
        assert!(all(&file, 3, source).is_err());
        let size = |value| AssignmentSize { line: line(3), name: Some(1), value: Some(value) };
        assert_eq!(file.assignment_sizes(1).unwrap(), [size(5), size(1)]);
        assert_eq!(file.assignment_sizes(0).unwrap(), []);
        assert!(all(&file, 1, b"another blob").is_err());
    }

    #[test]
    fn texts_that_are_not_in_the_blob_are_written_out() {
        let line = LineNumber::new(1).unwrap();
        let value = "-5".to_owned();
        let assignments = vec![Assignment { line, name: "x".into(), value, origin: HintOrigin::Lexical }];
        let hints = Hints { assignments, functions: Vec::new() };
        let source = b"x = - 5;";
        let lines = LineIndex::new(source);
        assert_eq!(super::assignments(&encode(&hints, source), source, &lines, |_| true), Some(hints.assignments));
    }
}
