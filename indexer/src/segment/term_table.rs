//! The terms of the documents of a segment that is being built, in memory.
//!
//! Each term has a stream of its lines in chunks of one arena, encoded as it grows: a line costs one to three bytes, not
//! a number of its own. A term is taken once a line: its last line is at hand, so a repetition costs a look-up and
//! nothing more, however long the line is.

use pincite_shared::index_format::inverted::InvertedWriter;
use pincite_shared::index_format::postings::{ListEncoder, put_varint, take_varint};
use pincite_shared::index_format::vocabulary::order;
use pincite_shared::index_format::{IndexError, terms};
use pincite_shared::tokenizer::{TokenKind, scan};
use xxhash_rust::xxh3::xxh3_64;

/// First and last size of a term's chunks: most terms need no second one, and frequent ones waste little.
const CHUNK: std::ops::RangeInclusive<u32> = 8..=1 << 11;
/// Bytes of a chunk that name the next one.
const LINK: u32 = 4;

/// Tokens that are added together.
const BATCH: usize = 64;

/// A token that is to be added.
struct Waiting<'a> {
    mark: Option<u8>,
    text: &'a [u8],
    hash: u32,
    slot: u64,
    line: u32,
}

/// One term.
#[derive(Clone, Copy, Debug)]
struct Term {
    /// Its key in [`TermTable::keys`].
    key: (u32, u32),
    /// Its first chunk, and where its next byte goes.
    head: u32,
    at: u32,
    /// Free bytes at `at`, and the size of the chunk.
    free: u16,
    chunk: u16,
    /// Its last document and line.
    document: u32,
    line: u32,
}

/// The terms so far.
#[derive(Debug, Default)]
pub(super) struct TermTable {
    terms: Vec<Term>,
    keys: Vec<u8>,
    chunks: Vec<u8>,
    /// Open addressing: the upper half of an entry is a part of the hash, the lower the number of the term plus one.
    slots: Vec<u64>,
    documents: u32,
    /// The encoding of the line that is being added.
    line: Vec<u8>,
}

impl TermTable {
    /// Documents added.
    pub(super) fn documents(&self) -> u32 {
        self.documents
    }

    /// Bytes of memory that the table takes.
    pub(super) fn bytes(&self) -> u64 {
        let terms = self.terms.len() * size_of::<Term>();
        (terms + self.keys.len() + self.chunks.len() + self.slots.len() * size_of::<u64>()) as u64
    }

    /// Adds the tokens of a document under the next number.
    pub(super) fn add_document(&mut self, text: &[u8]) {
        let document = self.documents;
        self.documents += 1;
        let mut waiting = Vec::with_capacity(BATCH);
        scan(text, &mut |token| {
            let (mark, text) = match token.kind {
                TokenKind::Word => (None, token.text),
                TokenKind::Decimal => (Some(terms::DECIMAL), token.text),
                TokenKind::SuffixedDecimal => (Some(terms::SUFFIXED), token.text),
                TokenKind::Long => (Some(terms::LONG), &[][..]),
            };
            let hash = xxh3_64(text) as u32 ^ u32::from(mark.unwrap_or_default()).wrapping_mul(0x9e37_79b1);
            waiting.push(Waiting { mark, text, hash, slot: 0, line: token.line });
            if waiting.len() == BATCH {
                self.add(&mut waiting, document);
            }
        });
        self.add(&mut waiting, document);
    }

    /// Adds some tokens of a document. First all their slots are fetched, then all their terms: the table is far larger
    /// than any cache, and like this the memory is waited for once and not once a token.
    fn add(&mut self, waiting: &mut Vec<Waiting<'_>>, document: u32) {
        self.make_room(waiting.len());
        let mask = self.slots.len() - 1;
        for token in waiting.iter_mut() {
            token.slot = self.slots[token.hash as usize & mask];
        }
        for token in waiting.drain(..) {
            let number = match self.is(token.slot, &token) {
                true => token.slot as u32 as usize - 1,
                false => self.number(&token),
            };
            self.add_line(number, document, token.line);
        }
    }

    fn add_line(&mut self, number: usize, document: u32, line: u32) {
        let term = &mut self.terms[number];
        self.line.clear();
        if term.document != document {
            // The distance is at least one: documents are counted from one here.
            put_varint(&mut self.line, u64::from(document.wrapping_sub(term.document)) << 1 | 1);
            put_varint(&mut self.line, u64::from(line));
        } else if line > term.line {
            put_varint(&mut self.line, u64::from(line - term.line) << 1);
        } else {
            return;
        }
        (term.document, term.line) = (document, line);
        write(&mut self.chunks, term, &self.line);
    }

    /// Whether a slot is the one of a token's term.
    fn is(&self, slot: u64, token: &Waiting<'_>) -> bool {
        if slot == 0 || (slot >> 32) as u32 != token.hash {
            return false;
        }
        let (start, end) = self.terms[slot as u32 as usize - 1].key;
        let key = &self.keys[start as usize..end as usize];
        match token.mark {
            None => key == token.text,
            Some(mark) => key.split_first() == Some((&mark, token.text)),
        }
    }

    /// The number of a token's term, which is given one if it is new.
    fn number(&mut self, token: &Waiting<'_>) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = token.hash as usize & mask;
        while self.slots[at] != 0 {
            if self.is(self.slots[at], token) {
                return self.slots[at] as u32 as usize - 1;
            }
            at = (at + 1) & mask;
        }
        let start = self.keys.len() as u32;
        self.keys.extend(token.mark);
        self.keys.extend_from_slice(token.text);
        let head = self.chunks.len() as u32;
        let size = *CHUNK.start();
        self.chunks.resize(self.chunks.len() + (size + LINK) as usize, 0);
        self.terms.push(Term {
            key: (start, self.keys.len() as u32),
            head,
            at: head,
            free: size as u16,
            chunk: size as u16,
            document: u32::MAX,
            line: 0,
        });
        self.slots[at] = u64::from(token.hash) << 32 | self.terms.len() as u64;
        self.terms.len() - 1
    }

    /// Keeps half of the slots free after so many more terms.
    fn make_room(&mut self, more: usize) {
        if (self.terms.len() + more) * 2 < self.slots.len() {
            return;
        }
        let size = (self.slots.len() * 2).max(1 << 12);
        let mask = size - 1;
        let old = std::mem::replace(&mut self.slots, vec![0; size]);
        for slot in old.into_iter().filter(|slot| *slot != 0) {
            let mut at = (slot >> 32) as usize & mask;
            while self.slots[at] != 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }

    /// Writes all terms in the order of the vocabulary.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn write(mut self, to: &mut InvertedWriter) -> Result<(), IndexError> {
        // Not needed any more, and large.
        self.slots = Vec::new();
        let key = |number: u32| {
            let (start, end) = self.terms[number as usize].key;
            &self.keys[start as usize..end as usize]
        };
        // Most comparisons are decided by the first bytes, without going to the keys.
        let mut sorted: Vec<(u128, u32)> =
            (0..self.terms.len() as u32).map(|number| (beginning(key(number)), number)).collect();
        sorted.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| order(key(a.1), key(b.1))));
        let mut list = ListEncoder::default();
        let mut stream = Vec::new();
        for (_, number) in sorted {
            read(&self.chunks, &self.terms[number as usize], &mut stream);
            let (mut at, mut document, mut line) = (0, u32::MAX, 0);
            while let Some(head) = take_varint(&stream, &mut at) {
                let distance = (head >> 1) as u32;
                if head & 1 == 1 {
                    document = document.wrapping_add(distance);
                    line = take_varint(&stream, &mut at).unwrap_or_default() as u32;
                } else {
                    line += distance;
                }
                list.add(document, line);
            }
            to.push(key(number), &mut list)?;
        }
        Ok(())
    }
}

/// The first sixteen bytes of a key in lower case, as a number that is ordered as they are.
fn beginning(key: &[u8]) -> u128 {
    let mut bytes = [0; 16];
    bytes.iter_mut().zip(key).for_each(|(to, byte)| *to = byte.to_ascii_lowercase());
    u128::from_be_bytes(bytes)
}

/// Appends to the stream of a term.
fn write(chunks: &mut Vec<u8>, term: &mut Term, bytes: &[u8]) {
    for byte in bytes {
        if term.free == 0 {
            let next = chunks.len() as u32;
            let size = (u32::from(term.chunk) * 2).min(*CHUNK.end());
            chunks[term.at as usize..(term.at + LINK) as usize].copy_from_slice(&next.to_le_bytes());
            chunks.resize(chunks.len() + (size + LINK) as usize, 0);
            (term.at, term.free, term.chunk) = (next, size as u16, size as u16);
        }
        chunks[term.at as usize] = *byte;
        term.at += 1;
        term.free -= 1;
    }
}

/// The stream of a term.
fn read(chunks: &[u8], term: &Term, stream: &mut Vec<u8>) {
    stream.clear();
    let (mut at, mut size) = (term.head, *CHUNK.start());
    loop {
        let end = at + size;
        if term.at >= at && term.at <= end && term.at + u32::from(term.free) == end {
            stream.extend_from_slice(&chunks[at as usize..term.at as usize]);
            return;
        }
        stream.extend_from_slice(&chunks[at as usize..end as usize]);
        let link = &chunks[end as usize..(end + LINK) as usize];
        at = u32::from_le_bytes(link.try_into().unwrap_or_default());
        size = (size * 2).min(*CHUNK.end());
    }
}
