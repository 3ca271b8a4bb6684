//! Builds one segment from a shard of blobs: postings, document table, vocabulary and scanner hints.

mod documents;
mod files;
mod token_stream;

pub(crate) use files::{NewSegment, SegmentFolder, read_table, write_hints};
pub(crate) use token_stream::tokenizers;

use std::path::Path;

use pincite_shared::git::Objects;
use pincite_shared::index_format::documents::DocumentTable;
use pincite_shared::index_format::generation::HintsState;
use pincite_shared::index_format::hints as hint_format;
use pincite_shared::index_format::terms;
use pincite_shared::skip::SkipReason;
use pincite_shared::text::{Content, classify};
use tantivy::directory::RamDirectory;
use tantivy::{Index, IndexSettings, SingleSegmentIndexWriter};

use crate::error::IndexingError;
use crate::hints;
use crate::progress::Progress;
use crate::walk::NewBlob;
use documents::BlobDocument;

/// First size of tantivy's term table; it grows by itself.
const TERM_TABLE_BYTES: usize = 32 << 20;

/// Reads the blobs of a shard and writes a segment called `name` with its hints.
///
/// Returns `None` when no blob of the shard is searchable and none has to be remembered.
pub(crate) fn build(
    directory: &Path,
    name: &str,
    objects: &Objects,
    blobs: &[NewBlob],
    progress: &dyn Progress,
) -> Result<NewSegment, IndexingError> {
    let (schema, field) = terms::schema();
    let ram = RamDirectory::create();
    let mut writer: SingleSegmentIndexWriter<BlobDocument> = Index::builder()
        .schema(schema)
        .settings(settings())
        .tokenizers(tokenizers())
        .single_segment_index_writer(ram.clone(), TERM_TABLE_BYTES)?;
    let mut table = DocumentTable::default();
    let mut hint_records = Vec::new();
    let mut lost = Vec::new();
    let mut blob_bytes = 0;
    for blob in blobs {
        let mut buffer = Vec::new();
        progress.advance(blob.bytes);
        if objects.blob(blob.key.blob, blob.bytes, &mut buffer)?.is_none() {
            // The header was there and the content is not: a damaged pack.
            lost.push(blob.key.blob);
            continue;
        }
        let reason = match classify(&buffer) {
            Content::Text => None,
            Content::Binary => Some(SkipReason::Binary),
            Content::Utf16 => Some(SkipReason::Utf16),
            Content::LfsPointer => Some(SkipReason::LfsPointer),
        };
        if let Some(reason) = reason {
            table.unsearchable.push((blob.key, reason));
            continue;
        }
        let derived = blob.key.language.map(|language| hints::lexical(language, &buffer)).unwrap_or_default();
        hint_records.push(hint_format::encode(&derived, &buffer));
        table.documents.push(blob.key);
        blob_bytes += blob.bytes;
        writer.add_document(BlobDocument::new(field, buffer))?;
    }
    let index = writer.finalize()?;
    let folder = SegmentFolder { directory, name };
    folder.write(&ram, &index, table, blob_bytes, (HintsState::Lexical, &hint_records), lost)
}

/// Nothing is stored, so nothing is compressed.
pub(crate) fn settings() -> IndexSettings {
    IndexSettings { docstore_compress_dedicated_thread: false, ..IndexSettings::default() }
}
