//! Builds segments from a shard of blobs: terms with their postings, document table and scanner hints.

mod files;
mod merge;
mod term_table;

pub(crate) use files::{NewSegment, SegmentFolder, read_table, write_hints};
pub(crate) use merge::{Part, merge};

use std::path::Path;

use pincite_shared::git::Objects;
use pincite_shared::ids::Oid;
use pincite_shared::index_format::documents::DocumentTable;
use pincite_shared::index_format::generation::HintsState;
use pincite_shared::index_format::hints as hint_format;
use pincite_shared::skip::SkipReason;
use pincite_shared::text::{Content, classify};

use crate::error::IndexingError;
use crate::hints;
use crate::progress::Progress;
use crate::walk::NewBlob;
use term_table::TermTable;

/// What one shard became.
#[derive(Default)]
pub(crate) struct Built {
    pub(crate) segments: Vec<NewSegment>,
    /// Blobs whose header was there and whose content was not: a damaged pack.
    pub(crate) lost: Vec<Oid>,
}

/// Reads the blobs of a shard and writes a segment called `name` with its hints; further ones when it would take more
/// than about `memory` bytes before it is written.
pub(crate) fn build(
    directory: &Path,
    name: &str,
    objects: &Objects,
    blobs: &[NewBlob],
    memory: u64,
    progress: &dyn Progress,
) -> Result<Built, IndexingError> {
    let mut built = Built::default();
    let mut open = Open::default();
    let mut buffer = Vec::new();
    for blob in blobs {
        progress.advance(blob.bytes);
        if open.bytes() >= memory {
            let name = numbered(name, built.segments.len());
            built.segments.push(std::mem::take(&mut open).write(directory, &name)?);
        }
        match objects.blob(blob.key.blob, blob.bytes, &mut buffer)? {
            Some(content) => open.add(blob, content),
            None => built.lost.push(blob.key.blob),
        }
    }
    if !open.is_empty() || built.segments.is_empty() {
        let name = numbered(name, built.segments.len());
        built.segments.push(open.write(directory, &name)?);
    }
    Ok(built)
}

/// The first segment of a shard has the shard's name.
fn numbered(name: &str, number: usize) -> String {
    if number == 0 { name.into() } else { format!("{name}-{number}") }
}

/// A segment that is still in memory.
#[derive(Default)]
struct Open {
    terms: TermTable,
    table: DocumentTable,
    hints: Vec<Vec<u8>>,
    hint_bytes: u64,
    blob_bytes: u64,
}

impl Open {
    fn bytes(&self) -> u64 {
        self.terms.bytes() + self.hint_bytes
    }

    fn is_empty(&self) -> bool {
        self.table.documents.is_empty() && self.table.unsearchable.is_empty()
    }

    fn add(&mut self, blob: &NewBlob, content: &[u8]) {
        let reason = match classify(content) {
            Content::Text => None,
            Content::Binary => Some(SkipReason::Binary),
            Content::Utf16 => Some(SkipReason::Utf16),
            Content::LfsPointer => Some(SkipReason::LfsPointer),
        };
        if let Some(reason) = reason {
            self.table.unsearchable.push((blob.key, reason));
            return;
        }
        let derived = blob.key.language.map(|language| hints::lexical(language, content)).unwrap_or_default();
        let encoded = hint_format::encode(&derived, content);
        self.hint_bytes += (encoded.len() + size_of::<Vec<u8>>()) as u64;
        self.hints.push(encoded);
        self.table.documents.push(blob.key);
        self.blob_bytes += blob.bytes;
        self.terms.add_document(content);
    }

    fn write(self, directory: &Path, name: &str) -> Result<NewSegment, IndexingError> {
        let documents = self.terms.documents();
        debug_assert_eq!(documents as usize, self.table.documents.len(), "each document has a row");
        let mut folder = SegmentFolder::create(directory, name)?;
        self.terms.write(&mut folder.inverted)?;
        folder.finish(self.table, self.blob_bytes, HintsState::Lexical, &self.hints)
    }
}
