//! Lays a finished segment down as sealed files, first under a temporary name.

use std::fs;
use std::path::{Path, PathBuf};

use pincite_shared::ids::Oid;
use pincite_shared::index_format::documents::DocumentTable;
use pincite_shared::index_format::generation::{HintsRecord, HintsState, SegmentRecord, settle, sync_folder};
use pincite_shared::index_format::sealed::{FileRecord, SealedWriter};
use pincite_shared::index_format::tantivy_files::SegmentFiles;
use pincite_shared::index_format::vocabulary::VocabularyWriter;
use pincite_shared::index_format::{IndexError, hints, layout, terms};
use tantivy::directory::RamDirectory;
use tantivy::{Directory, Index};

use crate::error::IndexingError;

/// A segment that is on disk but not published.
pub(crate) struct NewSegment {
    pub(crate) record: SegmentRecord,
    pub(crate) table: DocumentTable,
    /// Blobs whose header was there and whose content was not.
    pub(crate) lost: Vec<Oid>,
}

/// Where a segment is written.
pub(crate) struct SegmentFolder<'a> {
    pub(crate) directory: &'a Path,
    pub(crate) name: &'a str,
}

impl SegmentFolder<'_> {
    /// Writes all files of a segment and syncs them.
    pub(crate) fn write(
        &self,
        ram: &RamDirectory,
        index: &Index,
        table: DocumentTable,
        blob_bytes: u64,
        (state, hint_records): (HintsState, &[Vec<u8>]),
        lost: Vec<Oid>,
    ) -> Result<NewSegment, IndexingError> {
        let temporary = self.directory.join(layout::TEMPORARY).join(self.name);
        fs::create_dir_all(&temporary).map_err(IndexError::io(&temporary))?;
        let named = |file: &str| format!("{}/{}/{file}", layout::SEGMENTS, self.name);
        let mut files = Vec::new();
        let mut names: Vec<PathBuf> = index.directory().list_managed_files().into_iter().collect();
        names.retain(|name| ram.exists(name).unwrap_or_default());
        names.sort_unstable();
        for name in names {
            let bytes = match name.to_str() {
                Some("meta.json") => ram.atomic_read(&name).map_err(tantivy::TantivyError::from)?,
                _ => {
                    let slice = ram.open_read(&name).map_err(tantivy::TantivyError::from)?;
                    slice.read_bytes().map_err(IndexError::io(&temporary))?.to_vec()
                }
            };
            let plain = name.to_string_lossy().into_owned();
            let mut writer = SealedWriter::create(&temporary.join(&name))?;
            writer.write(&bytes)?;
            files.push(writer.finish(named(&plain))?);
        }
        let id_len = table.documents.first().or(table.unsearchable.first().map(|(key, _)| key));
        let id_len = id_len.map_or(20, |key| key.blob.as_bytes().len());
        files.push(table.write(&temporary.join(layout::DOCUMENTS), named(layout::DOCUMENTS), id_len)?);
        files.push(self.vocabulary(index)?.write(&temporary.join(layout::VOCABULARY), named(layout::VOCABULARY))?);
        sync_folder(&temporary)?;
        settle(self.directory, &temporary, &format!("{}/{}", layout::SEGMENTS, self.name))?;
        let hints =
            HintsRecord { state, not_parsed: 0, file: write_hints(self.directory, self.name, state, hint_records)? };
        let documents = table.documents.len() as u32;
        let record = SegmentRecord { name: self.name.into(), documents, blob_bytes, files, hints };
        Ok(NewSegment { record, table, lost })
    }

    fn vocabulary(&self, index: &Index) -> Result<VocabularyWriter, IndexingError> {
        let mut vocabulary = VocabularyWriter::new();
        let (_, field) = terms::schema();
        for segment in index.searchable_segments()? {
            let inverted = tantivy::SegmentReader::open(&segment)?.inverted_index(field)?;
            let mut terms = inverted.terms().stream().map_err(IndexError::io(self.directory))?;
            while terms.advance() {
                vocabulary.push(terms.key());
            }
        }
        Ok(vocabulary)
    }
}

/// Writes the hint file of a segment.
pub(crate) fn write_hints(
    directory: &Path,
    segment: &str,
    state: HintsState,
    records: &[Vec<u8>],
) -> Result<FileRecord, IndexError> {
    let state = match state {
        HintsState::Lexical => "lexical",
        HintsState::Syntax => "syntax",
    };
    let plain = format!("{segment}.{state}");
    let temporary = directory.join(layout::TEMPORARY).join(&plain);
    if temporary.exists() {
        fs::remove_file(&temporary).map_err(IndexError::io(&temporary))?;
    }
    let record = hints::write(&temporary, format!("{}/{plain}", layout::HINTS), records)?;
    settle(directory, &temporary, &record.name)?;
    Ok(record)
}

/// The document table of a published segment.
pub(crate) fn read_table(directory: &Path, record: &SegmentRecord) -> Result<DocumentTable, IndexError> {
    let files = SegmentFiles::open(directory, record)?;
    let file = files.file(layout::DOCUMENTS)?;
    let table = DocumentTable::read(file)?;
    if table.documents.len() != record.documents as usize {
        return Err(IndexError::corrupt(file.path(), "its number of documents is not the segment's"));
    }
    Ok(table)
}
