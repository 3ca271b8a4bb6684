//! The posting lists of a segment: which documents hold a term, and on which lines.
//!
//! ```text
//! list of each term, in the order of the vocabulary | list count u64 | document count u32 | "PCPOST01"
//! list:       (length of the body << 1 | 1 if it has one document) as varint | body
//! body:       [document count - 2 | length of documents] as varints, skips, unless it has one document
//!             documents | lines
//! skips:      per 128 documents but the first: document before them u32, where their documents begin u64, where
//!             their lines begin u64 (both from the beginning of their stream)
//! documents:  per document: (distance to the one before << 1 | 1 if it has several lines) | [line count - 2], varints
//! lines:      per document: first line | distance to the line before, for each other one, varints
//! ```
//!
//! Fixed-width numbers are little endian; varints are LEB128. Lines are counted from zero, and the distance of the first
//! document is its number. Documents and lines are kept apart, so that counting does not read lines, and a term that is
//! everywhere can be counted in a hundredth of its lines' bytes. Skips make the lines of a few documents cheap.

use std::ops::Range;
use std::path::Path;

use super::error::IndexError;
use super::sealed::{FileRecord, SealedFile, SealedWriter};

const MAGIC: &[u8; 8] = b"PCPOST01";
const TRAILER: usize = 8 + 4 + 8;
/// Documents between two skips.
const BLOCK: u32 = 128;
const SKIP: usize = 4 + 8 + 8;
/// No list has more bytes than this before its skips, or before the lines of its one document.
const MAX_HEAD: usize = 40;

/// Appends a number in seven bits a byte, lowest first.
pub fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads what [`put_varint`] wrote, and moves `at` behind it; `None` when the bytes end within it.
#[inline]
pub fn take_varint(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let first = *bytes.get(*at)?;
    *at += 1;
    if first < 0x80 {
        return Some(u64::from(first));
    }
    let mut value = u64::from(first & 0x7f);
    for shift in (7..64).step_by(7) {
        let byte = *bytes.get(*at)?;
        *at += 1;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[inline]
fn take_u32(bytes: &[u8], at: &mut usize) -> Option<u32> {
    u32::try_from(take_varint(bytes, at)?).ok()
}

/// Moves `at` behind `count` varints.
fn skip_varints(bytes: &[u8], at: &mut usize, mut count: u32) -> Option<()> {
    // Eight bytes at once while surely not all numbers end within them.
    while let Some(eight) = bytes.get(*at..*at + 8) {
        let eight = u64::from_le_bytes(eight.try_into().ok()?);
        let ends = (!eight & 0x8080_8080_8080_8080).count_ones();
        if ends >= count {
            break;
        }
        count -= ends;
        *at += 8;
    }
    while count > 0 {
        count -= u32::from(*bytes.get(*at)? < 0x80);
        *at += 1;
    }
    Some(())
}

/// Encodes one list after the other.
#[derive(Debug, Default)]
pub struct ListEncoder {
    documents: Vec<u8>,
    lines: Vec<u8>,
    skips: Vec<u8>,
    /// Documents begun.
    count: u32,
    /// The document begun last, and the one before it.
    document: u32,
    before: u32,
    /// Its lines, and the last of them.
    line_count: u32,
    line: u32,
}

impl ListEncoder {
    /// Adds a line of a document. Documents ascend, and so do the lines of each.
    pub fn add(&mut self, document: u32, line: u32) {
        if self.count == 0 || document != self.document {
            debug_assert!(self.count == 0 || document > self.document, "documents ascend");
            self.close_document();
            if self.count > 0 && self.count.is_multiple_of(BLOCK) {
                self.skips.extend_from_slice(&self.document.to_le_bytes());
                self.skips.extend_from_slice(&(self.documents.len() as u64).to_le_bytes());
                self.skips.extend_from_slice(&(self.lines.len() as u64).to_le_bytes());
            }
            self.before = self.document;
            self.document = document;
            self.count += 1;
            self.line_count = 1;
            put_varint(&mut self.lines, u64::from(line));
        } else {
            debug_assert!(line > self.line, "lines ascend");
            self.line_count += 1;
            put_varint(&mut self.lines, u64::from(line - self.line));
        }
        self.line = line;
    }

    /// Whether nothing was added since the last list was finished.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    fn close_document(&mut self) {
        if self.count == 0 {
            return;
        }
        let distance = u64::from(self.document - self.before);
        put_varint(&mut self.documents, distance << 1 | u64::from(self.line_count > 1));
        if self.line_count > 1 {
            put_varint(&mut self.documents, u64::from(self.line_count - 2));
        }
    }

    /// Appends the list to `out` and begins the next one.
    fn finish(&mut self, out: &mut Vec<u8>) {
        self.close_document();
        let mut head = Vec::with_capacity(MAX_HEAD);
        if self.count > 1 {
            put_varint(&mut head, u64::from(self.count - 2));
            put_varint(&mut head, self.documents.len() as u64);
        }
        let parts = [&head, &self.skips, &self.documents, &self.lines];
        let length: usize = parts.iter().map(|part| part.len()).sum();
        put_varint(out, (length as u64) << 1 | u64::from(self.count == 1));
        parts.iter().for_each(|part| out.extend_from_slice(part));
        self.documents.clear();
        self.lines.clear();
        self.skips.clear();
        (self.count, self.document, self.before) = (0, 0, 0);
    }
}

/// Writes the lists of a segment in the order of its vocabulary.
pub struct PostingsWriter {
    file: SealedWriter,
    /// The list that is being written.
    buffer: Vec<u8>,
    lists: u64,
}

impl PostingsWriter {
    /// Creates the file, which must not exist.
    ///
    /// # Errors
    /// What the system says.
    pub fn create(path: &Path) -> Result<Self, IndexError> {
        Ok(Self { file: SealedWriter::create(path)?, buffer: Vec::new(), lists: 0 })
    }

    /// Where the next list will begin.
    pub fn position(&self) -> u64 {
        self.file.position()
    }

    /// Appends a list, which must have a line, and empties the encoder.
    ///
    /// # Errors
    /// What the system says.
    pub fn push(&mut self, list: &mut ListEncoder) -> Result<(), IndexError> {
        debug_assert!(!list.is_empty(), "a term has a document");
        self.buffer.clear();
        list.finish(&mut self.buffer);
        self.lists += 1;
        self.file.write(&self.buffer)
    }

    /// Writes the end and syncs the file.
    ///
    /// # Errors
    /// What the system says.
    pub fn finish(mut self, name: String, documents: u32) -> Result<FileRecord, IndexError> {
        self.file.write(&self.lists.to_le_bytes())?;
        self.file.write(&documents.to_le_bytes())?;
        self.file.write(MAGIC)?;
        self.file.finish(name)
    }
}

/// The lists of a segment for reading.
#[derive(Clone, Debug)]
pub struct Postings {
    file: SealedFile,
    lists: u64,
    documents: u32,
    end: usize,
}

/// Where one list is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostingList {
    /// Documents in it.
    pub documents: u32,
    skips: usize,
    documents_at: usize,
    lines_at: usize,
    end: usize,
}

/// Some documents of a list that follow each other, with their lines.
struct Block<'a> {
    documents: &'a [u8],
    lines: &'a [u8],
    /// The document before them; 0 for the first ones.
    before: u32,
}

impl Postings {
    /// Opens the lists of a segment; each is checked when it is read.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] when they are none, or those of a segment with other documents.
    pub fn open(file: SealedFile, documents: u32) -> Result<Self, IndexError> {
        let end = file.len().checked_sub(TRAILER);
        let trailer = end.map(|end| file.read(end..file.len())).transpose()?;
        let (Some(end), Some(trailer)) = (end, trailer.filter(|trailer| trailer.ends_with(MAGIC))) else {
            return Err(IndexError::corrupt(file.path(), "it holds no posting lists"));
        };
        let lists = u64::from_le_bytes(trailer[..8].try_into().unwrap_or_default());
        if trailer[8..12] != documents.to_le_bytes() {
            return Err(IndexError::corrupt(file.path(), "its number of documents is not the segment's"));
        }
        Ok(Self { file, lists, documents, end })
    }

    /// Number of lists.
    pub fn len(&self) -> u64 {
        self.lists
    }

    /// Whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.lists == 0
    }

    fn corrupt(&self) -> IndexError {
        IndexError::corrupt(self.file.path(), "a posting list is not one")
    }

    /// The list that begins at `at`, after `skipped` others that begin there.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn list(&self, at: u64, skipped: u32) -> Result<PostingList, IndexError> {
        let mut at = usize::try_from(at).unwrap_or(usize::MAX);
        for _ in 0..skipped {
            at = self.body(at)?.1.end;
        }
        let (single, body) = self.body(at)?;
        self.decode_head(single, &body).ok_or_else(|| self.corrupt())
    }

    /// The list behind another one; `None` behind the last.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn next(&self, list: Option<&PostingList>) -> Result<Option<PostingList>, IndexError> {
        match list.map_or(0, |list| list.end) {
            end if end == self.end => Ok(None),
            end => self.list(end as u64, 0).map(Some),
        }
    }

    /// Whether the list at `at` has one document, and where its body is.
    fn body(&self, at: usize) -> Result<(bool, Range<usize>), IndexError> {
        if at >= self.end {
            return Err(self.corrupt());
        }
        let bytes = self.file.read(at..self.end.min(at + 10))?;
        let mut used = 0;
        let head = take_varint(bytes, &mut used).ok_or_else(|| self.corrupt())?;
        let start = at + used;
        let end = usize::try_from(head >> 1).ok().and_then(|length| start.checked_add(length));
        let end = end.filter(|end| *end <= self.end).ok_or_else(|| self.corrupt())?;
        Ok((head & 1 == 1, start..end))
    }

    fn decode_head(&self, single: bool, body: &Range<usize>) -> Option<PostingList> {
        let bytes = self.file.read(body.start..body.end.min(body.start + MAX_HEAD)).ok()?;
        let mut used = 0;
        if single {
            let head = take_varint(bytes, &mut used)?;
            if head & 1 == 1 {
                take_varint(bytes, &mut used)?;
            }
            let (documents_at, lines_at) = (body.start, body.start + used);
            return Some(PostingList { documents: 1, skips: documents_at, documents_at, lines_at, end: body.end });
        }
        let documents = take_u32(bytes, &mut used)?.checked_add(2)?;
        let length = usize::try_from(take_varint(bytes, &mut used)?).ok()?;
        let skips = body.start + used;
        let documents_at = skips + ((documents - 1) / BLOCK) as usize * SKIP;
        let lines_at = documents_at.checked_add(length)?;
        let list = PostingList { documents, skips, documents_at, lines_at, end: body.end };
        (lines_at <= body.end && documents <= self.documents).then_some(list)
    }

    /// Calls `visit` with each document of the list, ascending, and the number of its lines.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn for_each_document(&self, list: &PostingList, mut visit: impl FnMut(u32, u32)) -> Result<(), IndexError> {
        let bytes = self.file.read(list.documents_at..list.lines_at)?;
        let (mut at, mut before) = (0, 0);
        for number in 0..list.documents {
            let (document, lines) = self.document(bytes, &mut at, before, number).ok_or_else(|| self.corrupt())?;
            visit(document, lines);
            before = document;
        }
        if at == bytes.len() { Ok(()) } else { Err(self.corrupt()) }
    }

    /// The next document and the number of its lines.
    #[inline]
    fn document(&self, bytes: &[u8], at: &mut usize, before: u32, number: u32) -> Option<(u32, u32)> {
        let head = take_varint(bytes, at)?;
        let distance = u32::try_from(head >> 1).ok()?;
        let document = before.checked_add(distance)?;
        let lines = if head & 1 == 0 { 1 } else { take_u32(bytes, at)?.checked_add(2)? };
        (document < self.documents && (distance > 0 || number == 0)).then_some((document, lines))
    }

    /// Calls `visit` with each line of each document for which `wanted` holds, ascending.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn for_each_line(
        &self,
        list: &PostingList,
        mut wanted: impl FnMut(u32) -> bool,
        mut visit: impl FnMut(u32, u32),
    ) -> Result<(), IndexError> {
        for number in 0..=last_block(list) {
            self.for_each_line_of_block(list, number, &mut wanted, &mut visit)?;
        }
        Ok(())
    }

    /// As [`Self::for_each_line`], for ascending documents, of which few are in the list or the other way round.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn for_each_line_in(
        &self,
        list: &PostingList,
        documents: &[u32],
        mut visit: impl FnMut(u32, u32),
    ) -> Result<(), IndexError> {
        let mut wanted = documents.iter().copied().peekable();
        let mut number = 0;
        while let Some(first) = wanted.peek()
            && number <= last_block(list)
        {
            number = self.block_of(list, number, *first)?;
            let is_wanted = |document| {
                while wanted.next_if(|one| *one < document).is_some() {}
                wanted.next_if_eq(&document).is_some()
            };
            self.for_each_line_of_block(list, number, is_wanted, &mut visit)?;
            number += 1;
        }
        Ok(())
    }

    fn for_each_line_of_block(
        &self,
        list: &PostingList,
        number: u32,
        mut wanted: impl FnMut(u32) -> bool,
        mut visit: impl FnMut(u32, u32),
    ) -> Result<(), IndexError> {
        let block = self.block(list, number)?;
        let (mut at, mut lines_at, mut before) = (0, 0, block.before);
        for place in number * BLOCK..list.documents.min((number + 1) * BLOCK) {
            let found = self.document(block.documents, &mut at, before, place);
            let (document, count) = found.ok_or_else(|| self.corrupt())?;
            before = document;
            if wanted(document) {
                lines(block.lines, &mut lines_at, count, |line| visit(document, line))
            } else {
                skip_varints(block.lines, &mut lines_at, count)
            }
            .ok_or_else(|| self.corrupt())?;
        }
        match (at, lines_at) == (block.documents.len(), block.lines.len()) {
            true => Ok(()),
            false => Err(self.corrupt()),
        }
    }

    /// The last block from `from` on that can hold a document.
    fn block_of(&self, list: &PostingList, from: u32, document: u32) -> Result<u32, IndexError> {
        let (mut low, mut high) = (from, last_block(list));
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            if self.skip(list, middle)?.0 < document {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        Ok(low)
    }

    /// The document before a block, and where its documents and its lines begin; for any block but the first.
    fn skip(&self, list: &PostingList, block: u32) -> Result<(u32, u64, u64), IndexError> {
        let at = list.skips + (block as usize - 1) * SKIP;
        let bytes = self.file.read(at..at + SKIP)?;
        let number = |range: Range<usize>| u64::from_le_bytes(bytes[range].try_into().unwrap_or_default());
        let before = u32::from_le_bytes(bytes[..4].try_into().unwrap_or_default());
        Ok((before, number(4..12), number(12..20)))
    }

    fn block(&self, list: &PostingList, number: u32) -> Result<Block<'_>, IndexError> {
        let bounds = |number: u32| -> Result<(u32, usize, usize), IndexError> {
            if number == 0 {
                return Ok((0, list.documents_at, list.lines_at));
            }
            if number > last_block(list) {
                return Ok((0, list.lines_at, list.end));
            }
            let (before, documents, lines) = self.skip(list, number)?;
            let place = |start: usize, offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).saturating_add(start);
            Ok((before, place(list.documents_at, documents), place(list.lines_at, lines)))
        };
        let (before, documents, lines) = bounds(number)?;
        let (_, documents_end, lines_end) = bounds(number + 1)?;
        if documents_end > list.lines_at || lines_end > list.end {
            return Err(self.corrupt());
        }
        Ok(Block {
            documents: self.file.read(documents..documents_end)?,
            lines: self.file.read(lines..lines_end)?,
            before,
        })
    }
}

fn last_block(list: &PostingList) -> u32 {
    (list.documents - 1) / BLOCK
}

/// Calls `visit` with each of `count` lines.
#[inline]
fn lines(bytes: &[u8], at: &mut usize, count: u32, mut visit: impl FnMut(u32)) -> Option<()> {
    let mut line = take_u32(bytes, at)?;
    visit(line);
    for _ in 1..count {
        let distance = take_u32(bytes, at)?;
        line = line.checked_add(distance).filter(|_| distance > 0)?;
        visit(line);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    type Model = BTreeMap<u32, std::collections::BTreeSet<u32>>;

    fn postings(lists: &[Model], documents: u32) -> Postings {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p");
        let mut writer = PostingsWriter::create(&path).unwrap();
        let mut encoder = ListEncoder::default();
        for list in lists {
            list.iter().for_each(|(document, lines)| lines.iter().for_each(|line| encoder.add(*document, *line)));
            writer.push(&mut encoder).unwrap();
        }
        let record = writer.finish("p".into(), documents).unwrap();
        Postings::open(SealedFile::open(folder.path(), &record).unwrap(), documents).unwrap()
    }

    fn model() -> impl Strategy<Value = Model> {
        let lines = proptest::collection::btree_set(prop_oneof![0u32..300, 0u32..40_000_000], 1..12);
        proptest::collection::btree_map(0u32..3_000, lines, 1..700)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        // X-01: a list gives back what was written, whole, filtered, or document by document.
        #[test]
        fn lists_are_what_was_written(lists in proptest::collection::vec(model(), 1..6), step in 1usize..90) {
            let postings = postings(&lists, 3_000);
            prop_assert_eq!(postings.len(), lists.len() as u64);
            let mut last = None;
            for (number, model) in lists.iter().enumerate() {
                let list = postings.next(last.as_ref()).unwrap().unwrap();
                prop_assert_eq!(list, postings.list(0, number as u32).unwrap());
                prop_assert_eq!(list.documents as usize, model.len());
                let mut counts = Vec::new();
                postings.for_each_document(&list, |document, count| counts.push((document, count))).unwrap();
                let expected: Vec<_> = model.iter().map(|(document, lines)| (*document, lines.len() as u32)).collect();
                prop_assert_eq!(counts, expected);
                let flat = |keep: &dyn Fn(u32) -> bool| -> Vec<(u32, u32)> {
                    let kept = model.iter().filter(|(document, _)| keep(**document));
                    kept.flat_map(|(document, lines)| lines.iter().map(|line| (*document, *line))).collect()
                };
                let even = |document: u32| document.is_multiple_of(2);
                let mut found = Vec::new();
                postings.for_each_line(&list, even, |document, line| found.push((document, line))).unwrap();
                prop_assert_eq!(found, flat(&even));
                let some: Vec<u32> = (0..3_000).step_by(step).collect();
                let mut found = Vec::new();
                postings.for_each_line_in(&list, &some, |document, line| found.push((document, line))).unwrap();
                prop_assert_eq!(found, flat(&|document| some.contains(&document)));
                last = Some(list);
            }
            prop_assert_eq!(postings.next(last.as_ref()).unwrap(), None);
        }

        #[test]
        fn varints_come_back(values in proptest::collection::vec(any::<u64>(), 0..50)) {
            let mut bytes = Vec::new();
            values.iter().for_each(|value| put_varint(&mut bytes, *value));
            let mut at = 0;
            let back: Vec<u64> = values.iter().map_while(|_| take_varint(&bytes, &mut at)).collect();
            prop_assert_eq!((back, at), (values.clone(), bytes.len()));
            let mut skipped = 0;
            prop_assert_eq!(skip_varints(&bytes, &mut skipped, values.len() as u32), Some(()));
            prop_assert_eq!(skipped, bytes.len());
        }
    }
}
