//! The vocabulary of a segment: its distinct terms as one flat, sorted text, for substring search.
//!
//! ```text
//! "PCVOCA01" | term count u64 | text
//! text: each term, in the order of the term dictionary, followed by LF
//! ```
//!
//! A term has no LF, since words have none. A substring is found by one pass over the text at memory speed, a prefix by
//! bisection.

use std::ops::Range;
use std::path::Path;

use memchr::{memchr, memmem, memrchr};

use super::error::IndexError;
use super::sealed::{FileRecord, SealedFile, SealedWriter};
use super::terms;

const MAGIC: &[u8; 8] = b"PCVOCA01";
const HEADER: usize = 8 + 8;

/// Writes a vocabulary term by term, in dictionary order.
pub struct VocabularyWriter {
    text: Vec<u8>,
    terms: u64,
}

impl VocabularyWriter {
    /// An empty vocabulary.
    #[allow(clippy::new_without_default, reason = "a writer that is made by default says nothing to a reader")]
    pub fn new() -> Self {
        Self { text: Vec::new(), terms: 0 }
    }

    /// Appends the next term.
    pub fn push(&mut self, term: &[u8]) {
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
        writer.write(&self.text)?;
        writer.finish(name)
    }
}

/// How a word run of a term may continue in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
}

impl Vocabulary {
    /// Opens a vocabulary; its text is checked when it is first searched.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] when it is not one.
    pub fn open(file: SealedFile) -> Result<Self, IndexError> {
        if file.len() < HEADER || !file.read(0..HEADER)?.starts_with(MAGIC) {
            return Err(IndexError::corrupt(file.path(), "it is not a vocabulary"));
        }
        let terms = u64::from_le_bytes(file.read(8..HEADER)?.try_into().unwrap_or_default());
        Ok(Self { terms, file })
    }

    /// Number of terms.
    pub fn len(&self) -> u64 {
        self.terms
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.terms == 0
    }

    fn text(&self) -> Result<&[u8], IndexError> {
        self.file.read(HEADER..self.file.len())
    }

    /// The keys, ascending, of all words and decimal tokens that hold `run` where `cut` allows; `None` when there are
    /// more than `limit`.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn expand(&self, run: &[u8], cut: Cut, limit: usize) -> Result<Option<Vec<&[u8]>>, IndexError> {
        let text = self.text()?;
        let mut keys: Vec<&[u8]> = Vec::new();
        match cut {
            Cut::Right => {
                for key in [terms::marked(terms::DECIMAL, run), run.to_vec()] {
                    for term in text[prefix_range(text, &key)].split_inclusive(|byte| *byte == b'\n') {
                        if keys.len() == limit {
                            return Ok(None);
                        }
                        keys.push(&term[..term.len() - 1]);
                    }
                }
            }
            Cut::Left | Cut::Both => {
                let mut needle = run.to_vec();
                if cut == Cut::Left {
                    needle.push(b'\n');
                }
                let finder = memmem::Finder::new(&needle);
                let mut from = 0;
                while let Some(at) = finder.find(&text[from..]) {
                    let hit = from + at;
                    let start = memrchr(b'\n', &text[..hit]).map_or(0, |feed| feed + 1);
                    let last = hit + needle.len() - 1;
                    let end = last + memchr(b'\n', &text[last..]).unwrap_or(text.len() - last);
                    from = (end + 1).min(text.len());
                    // Suffixed decimals are words as well, and a long run is no word.
                    if !matches!(text[start], terms::SUFFIXED | terms::LONG) {
                        if keys.len() == limit {
                            return Ok(None);
                        }
                        keys.push(&text[start..end]);
                    }
                }
            }
        }
        Ok(Some(keys))
    }

    /// The keys, ascending, of all words and decimal tokens in which `find` finds something. It is given the rest of the
    /// text, of many terms at once, and returns where its first hit begins and ends; no hit reaches over a LF.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn keys_where(&self, find: impl Fn(&[u8]) -> Option<Range<usize>>) -> Result<Vec<&[u8]>, IndexError> {
        let text = self.text()?;
        let mut keys: Vec<&[u8]> = Vec::new();
        let mut from = 0;
        while let Some(hit) = find(&text[from..]) {
            let start = memrchr(b'\n', &text[..from + hit.start]).map_or(0, |feed| feed + 1);
            let end = memchr(b'\n', &text[from + hit.start..]).map_or(text.len(), |feed| from + hit.start + feed);
            from = (end + 1).min(text.len());
            if text.get(start).is_some_and(|first| !matches!(*first, terms::SUFFIXED | terms::LONG)) {
                keys.push(&text[start..end]);
            }
            if from == text.len() {
                break;
            }
        }
        Ok(keys)
    }

    /// All terms from the beginning, for `status --check`.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`].
    pub fn terms(&self) -> Result<impl Iterator<Item = &[u8]>, IndexError> {
        Ok(self.text()?.split_inclusive(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\n").unwrap_or(line)))
    }
}

/// The bytes of all terms that begin with `prefix`.
fn prefix_range(text: &[u8], prefix: &[u8]) -> Range<usize> {
    let start = first_term(text, |term| term < prefix);
    let end = first_term(text, |term| term < prefix || term.starts_with(prefix));
    start..end
}

/// Where the first term begins for which `before` does not hold; it holds for a beginning of the sorted terms.
fn first_term(text: &[u8], before: impl Fn(&[u8]) -> bool) -> usize {
    let (mut low, mut high) = (0, text.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = memrchr(b'\n', &text[low..middle]).map_or(low, |feed| low + feed + 1);
        let end = memchr(b'\n', &text[middle..]).map_or(text.len(), |feed| middle + feed);
        if before(&text[start..end]) {
            low = (end + 1).min(text.len());
        } else {
            high = start;
        }
    }
    low
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
            let find = |text: &[u8]| memmem::find(text, run.as_bytes()).map(|at| at..at + run.len());
            let expanded = vocabulary.expand(run.as_bytes(), Cut::Both, usize::MAX).unwrap();
            prop_assert_eq!(Some(vocabulary.keys_where(find).unwrap()), expanded);
            for cut in [Cut::Left, Cut::Right, Cut::Both] {
                let naive: Vec<&[u8]> = words.iter().map(Vec::as_slice).filter(|word| {
                    let plain = word.strip_prefix(&[terms::DECIMAL]).unwrap_or(*word);
                    !matches!(plain[0], terms::SUFFIXED | terms::LONG) && match cut {
                        Cut::Left => plain.ends_with(run.as_bytes()),
                        Cut::Right => plain.starts_with(run.as_bytes()),
                        Cut::Both => memmem::find(plain, run.as_bytes()).is_some(),
                    }
                }).collect();
                prop_assert_eq!(vocabulary.expand(run.as_bytes(), cut, usize::MAX).unwrap(), Some(naive.clone()));
                if !naive.is_empty() {
                    prop_assert_eq!(vocabulary.expand(run.as_bytes(), cut, naive.len() - 1).unwrap(), None);
                }
            }
        }
    }
}
