//! The document table of a segment: which blob a document is, and which blobs were read but hold no searchable text.
//!
//! ```text
//! "PCDOCS01" | id length u8 | document count u32 | unsearchable count u32
//! documents:    per document, in document order: id | language u8 (255 = none)
//! unsearchable: per blob: id | language u8 | skip reason u8
//! ```
//!
//! The unsearchable ones are kept so that the next commit does not read them again.

use std::path::Path;

use crate::ids::Oid;
use crate::language::Language;
use crate::skip::SkipReason;

use super::error::IndexError;
use super::sealed::{FileRecord, SealedFile, SealedWriter};

const MAGIC: &[u8; 8] = b"PCDOCS01";
const HEADER: usize = 8 + 1 + 4 + 4;
const NO_LANGUAGE: u8 = 255;

/// A blob as a document: the same bytes under a path of another language are another document, since their hints
/// differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentKey {
    /// The blob.
    pub blob: Oid,
    /// The language that its paths' extension tells.
    pub language: Option<Language>,
}

/// What is known of all blobs of a segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentTable {
    /// Searchable blobs; the index is the document id.
    pub documents: Vec<DocumentKey>,
    /// Blobs whose content is not searched, and why (`binary`, `utf16`, `lfs_pointer`).
    pub unsearchable: Vec<(DocumentKey, SkipReason)>,
}

pub(super) fn language_number(language: Option<Language>) -> u8 {
    language.and_then(|one| Language::ALL.iter().position(|known| *known == one)).map_or(NO_LANGUAGE, |at| at as u8)
}

pub(super) fn language_of(number: u8) -> Option<Option<Language>> {
    match number {
        NO_LANGUAGE => Some(None),
        _ => Language::ALL.get(usize::from(number)).map(|language| Some(*language)),
    }
}

impl DocumentTable {
    /// Writes the table as the sealed file `name` below `directory`.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, path: &Path, name: String, id_len: usize) -> Result<FileRecord, IndexError> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(id_len as u8);
        bytes.extend_from_slice(&(self.documents.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&(self.unsearchable.len() as u32).to_le_bytes());
        for key in &self.documents {
            bytes.extend_from_slice(key.blob.as_bytes());
            bytes.push(language_number(key.language));
        }
        for (key, reason) in &self.unsearchable {
            bytes.extend_from_slice(key.blob.as_bytes());
            bytes.push(language_number(key.language));
            bytes.push(SkipReason::ALL.iter().position(|known| known == reason).map_or(u8::MAX, |at| at as u8));
        }
        let mut writer = SealedWriter::create(path)?;
        writer.write(&bytes)?;
        writer.finish(name)
    }

    /// Reads a whole table.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] when it is not one.
    pub fn read(file: &SealedFile) -> Result<Self, IndexError> {
        let bytes = file.read_all()?;
        Self::decode(bytes).ok_or_else(|| IndexError::corrupt(file.path(), "it is not a document table"))
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let header = bytes.get(..HEADER)?;
        let id_len = usize::from(header[8]);
        let number = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().unwrap_or_default()) as usize;
        let (documents, unsearchable) = (number(9), number(13));
        let first = documents.checked_mul(id_len + 1)?;
        let second = unsearchable.checked_mul(id_len + 2)?;
        if !header.starts_with(MAGIC) || bytes.len() != HEADER.checked_add(first)?.checked_add(second)? {
            return None;
        }
        let key = |row: &[u8]| {
            Some(DocumentKey { blob: Oid::from_bytes(&row[..id_len])?, language: language_of(row[id_len])? })
        };
        let (first, second) = bytes[HEADER..].split_at(first);
        Some(Self {
            documents: first.chunks_exact(id_len + 1).map(key).collect::<Option<_>>()?,
            unsearchable: second
                .chunks_exact(id_len + 2)
                .map(|row| Some((key(row)?, *SkipReason::ALL.get(usize::from(row[id_len + 1]))?)))
                .collect::<Option<_>>()?,
        })
    }
}
