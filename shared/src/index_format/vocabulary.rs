//! The vocabulary of a segment: its distinct terms as one flat, sorted text, for substring search.
//!
//! ```text
//! "PCVOCA01" | term count u64 | text length u64 | text | per 64th term: offset in the text u64
//! text: each term, in the order of the term dictionary, followed by LF
//! ```
//!
//! The number of a term's line is its ordinal in tantivy's dictionary. A term has no LF, since words have none.

use std::path::Path;

use memchr::memmem;

use super::error::IndexError;
use super::sealed::{FileRecord, SealedFile, SealedWriter};
use super::terms;

const MAGIC: &[u8; 8] = b"PCVOCA01";
const HEADER: usize = 8 + 8 + 8;
const STEP: usize = 64;

/// Writes a vocabulary term by term, in dictionary order.
pub struct VocabularyWriter {
    text: Vec<u8>,
    offsets: Vec<u64>,
    terms: u64,
}

impl VocabularyWriter {
    /// An empty vocabulary.
    #[allow(clippy::new_without_default, reason = "a writer that is made by default says nothing to a reader")]
    pub fn new() -> Self {
        Self { text: Vec::new(), offsets: Vec::new(), terms: 0 }
    }

    /// Appends the next term.
    pub fn push(&mut self, term: &[u8]) {
        if self.terms.is_multiple_of(STEP as u64) {
            self.offsets.push(self.text.len() as u64);
        }
        self.text.extend_from_slice(term);
        self.text.push(b'\n');
        self.terms += 1;
    }

    /// Writes the sealed file.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, path: &Path, name: String) -> Result<FileRecord, IndexError> {
        let mut writer = SealedWriter::create(path)?;
        writer.write(MAGIC)?;
        writer.write(&self.terms.to_le_bytes())?;
        writer.write(&(self.text.len() as u64).to_le_bytes())?;
        writer.write(&self.text)?;
        for offset in &self.offsets {
            writer.write(&offset.to_le_bytes())?;
        }
        writer.finish(name)
    }
}

/// How a word run of a term may continue in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The run may be the end of a longer word.
    Left,
    /// The run may be the beginning of a longer word.
    Right,
    /// The run may stand anywhere in a word.
    Both,
}

/// A vocabulary for reading.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    file: SealedFile,
    terms: u64,
    text: usize,
}

impl Vocabulary {
    /// Opens a vocabulary; its text is checked when it is first searched.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] when it is not one.
    pub fn open(file: SealedFile) -> Result<Self, IndexError> {
        let broken = || IndexError::corrupt(file.path(), "it is not a vocabulary");
        if file.len() < HEADER {
            return Err(broken());
        }
        let header = file.read(0..HEADER)?;
        let number = |at: usize| u64::from_le_bytes(header[at..at + 8].try_into().unwrap_or_default());
        let (terms, text) = (number(8), number(16));
        let sparse = terms.div_ceil(STEP as u64).checked_mul(8);
        let whole = sparse.and_then(|sparse| sparse.checked_add(text)?.checked_add(HEADER as u64));
        if !header.starts_with(MAGIC) || whole != Some(file.len() as u64) {
            return Err(broken());
        }
        let text = usize::try_from(text).map_err(|_| broken())?;
        Ok(Self { terms, text, file })
    }

    /// Number of terms.
    pub fn len(&self) -> u64 {
        self.terms
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.terms == 0
    }

    /// The ordinals, ascending, of all words and decimal tokens that hold `run` where `cut` allows; stops after
    /// `limit` of them and says so with `None`.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn expand(&self, run: &[u8], cut: Cut, limit: usize) -> Result<Option<Vec<u64>>, IndexError> {
        let text = self.file.read(HEADER..HEADER + self.text)?;
        let mut needle = Vec::with_capacity(run.len() + 1);
        needle.extend_from_slice(run);
        if cut == Cut::Left {
            needle.push(b'\n');
        }
        let mut ordinals: Vec<u64> = Vec::new();
        let mut walk = Walk { text, offsets: self.offsets()?, ordinal: 0, start: 0 };
        let finder = memmem::Finder::new(&needle);
        let mut from = 0;
        while let Some(at) = finder.find(&text[from..]) {
            let hit = from + at;
            let (ordinal, start, end) = walk.advance_to(hit);
            from = end;
            let marked = text.get(start).copied().unwrap_or_default();
            let first = if marked == terms::DECIMAL { start + 1 } else { start };
            let fits = match cut {
                // A term may hold the run earlier without being begun by it.
                Cut::Right => text[first..end].starts_with(run),
                Cut::Left => text[first..end - 1].ends_with(run),
                Cut::Both => true,
            };
            if fits && marked != terms::SUFFIXED && marked != terms::LONG {
                if ordinals.len() == limit {
                    return Ok(None);
                }
                ordinals.push(ordinal);
            }
        }
        Ok(Some(ordinals))
    }

    /// All terms from the beginning, for `status --check` and for merging.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn terms(&self) -> Result<impl Iterator<Item = &[u8]>, IndexError> {
        let text = self.file.read(HEADER..HEADER + self.text)?;
        Ok(text.split_inclusive(|byte| *byte == b'\n').map(|line| &line[..line.len() - 1]))
    }

    fn offsets(&self) -> Result<&[u8], IndexError> {
        self.file.read(HEADER + self.text..self.file.len())
    }
}

/// Walks forward through the text with the ordinal of the term at hand.
struct Walk<'a> {
    text: &'a [u8],
    offsets: &'a [u8],
    ordinal: u64,
    start: usize,
}

impl Walk<'_> {
    /// Ordinal, start and end (behind its LF) of the term that covers byte `at`, which is not before the last one.
    fn advance_to(&mut self, at: usize) -> (u64, usize, usize) {
        // The last sparse entry at or before `at`; entries are sorted.
        let entry = |index: usize| {
            let bytes = self.offsets.get(index * 8..index * 8 + 8).and_then(|bytes| bytes.try_into().ok());
            bytes.map_or(usize::MAX, |bytes| u64::from_le_bytes(bytes) as usize)
        };
        let mut low = (self.ordinal / STEP as u64) as usize;
        let mut step = 1;
        while entry(low + step) <= at {
            low += step;
            step *= 2;
        }
        while step > 0 {
            if entry(low + step) <= at {
                low += step;
            }
            step /= 2;
        }
        if (low * STEP) as u64 > self.ordinal {
            self.ordinal = (low * STEP) as u64;
            self.start = entry(low);
        }
        loop {
            let end = match memchr::memchr(b'\n', &self.text[self.start..]) {
                Some(len) => self.start + len + 1,
                None => self.text.len(),
            };
            if at < end || end == self.text.len() {
                return (self.ordinal, self.start, end);
            }
            self.start = end;
            self.ordinal += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vocabulary(words: &[Vec<u8>]) -> Vocabulary {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = VocabularyWriter::new();
        words.iter().for_each(|word| writer.push(word));
        let record = writer.write(&folder.path().join("v"), "v".into()).unwrap();
        Vocabulary::open(SealedFile::open(folder.path(), &record).unwrap()).unwrap()
    }

    proptest! {
        // T-04: the expansion of a cut word is what a loop over all terms finds.
        #[test]
        fn expansion_equals_a_loop(
            words in proptest::collection::btree_set("[\u{1}\u{2}\u{3}]?[ab1]{1,6}", 0..400),
            run in "[ab1]{1,3}",
        ) {
            let words: Vec<Vec<u8>> = words.into_iter().map(String::into_bytes).collect();
            let vocabulary = vocabulary(&words);
            prop_assert_eq!(vocabulary.terms().unwrap().map(<[u8]>::to_vec).collect::<Vec<_>>(), words.clone());
            for cut in [Cut::Left, Cut::Right, Cut::Both] {
                let naive: Vec<u64> = words.iter().enumerate().filter(|(_, word)| {
                    let plain = word.strip_prefix(&[terms::DECIMAL]).unwrap_or(word);
                    !matches!(plain[0], terms::SUFFIXED | terms::LONG) && match cut {
                        Cut::Left => plain.ends_with(run.as_bytes()),
                        Cut::Right => plain.starts_with(run.as_bytes()),
                        Cut::Both => memmem::find(plain, run.as_bytes()).is_some(),
                    }
                }).map(|(at, _)| at as u64).collect();
                prop_assert_eq!(vocabulary.expand(run.as_bytes(), cut, usize::MAX).unwrap(), Some(naive.clone()));
                if !naive.is_empty() {
                    prop_assert_eq!(vocabulary.expand(run.as_bytes(), cut, naive.len() - 1).unwrap(), None);
                }
            }
        }
    }
}
