//! Lays a finished segment down as sealed files, first under a temporary name.

use std::fs;
use std::path::{Path, PathBuf};

use pincite_shared::index_format::documents::DocumentTable;
use pincite_shared::index_format::generation::{HintsRecord, HintsState, SegmentRecord, settle, sync_folder};
use pincite_shared::index_format::inverted::InvertedWriter;
use pincite_shared::index_format::sealed::FileRecord;
use pincite_shared::index_format::segment_files::SegmentFiles;
use pincite_shared::index_format::{IndexError, hints, layout};

use crate::error::IndexingError;

/// A segment that is on disk but not published.
pub(crate) struct NewSegment {
    pub(crate) record: SegmentRecord,
    pub(crate) table: DocumentTable,
}

/// The folder of a segment that is being written.
pub(crate) struct SegmentFolder<'a> {
    directory: &'a Path,
    name: &'a str,
    temporary: PathBuf,
    /// Its terms.
    pub(crate) inverted: InvertedWriter,
}

impl<'a> SegmentFolder<'a> {
    /// Begins a segment.
    pub(crate) fn create(directory: &'a Path, name: &'a str) -> Result<Self, IndexingError> {
        let temporary = directory.join(layout::TEMPORARY).join(name);
        fs::create_dir_all(&temporary).map_err(IndexError::io(&temporary))?;
        let inverted = InvertedWriter::create(&temporary)?;
        Ok(Self { directory, name, temporary, inverted })
    }

    /// Writes everything else, syncs it, and gives the folder its name.
    pub(crate) fn finish(
        self,
        table: DocumentTable,
        blob_bytes: u64,
        state: HintsState,
        hint_records: &[Vec<u8>],
    ) -> Result<NewSegment, IndexingError> {
        let Self { directory, name, temporary, inverted } = self;
        let named = |file: &str| format!("{}/{name}/{file}", layout::SEGMENTS);
        let documents = table.documents.len() as u32;
        let mut files = inverted.finish(documents, named)?.to_vec();
        let id_len = table.documents.first().or(table.unsearchable.first().map(|(key, _)| key));
        let id_len = id_len.map_or(20, |key| key.blob.as_bytes().len());
        files.push(table.write(&temporary.join(layout::DOCUMENTS), named(layout::DOCUMENTS), id_len)?);
        sync_folder(&temporary)?;
        settle(directory, &temporary, &format!("{}/{name}", layout::SEGMENTS))?;
        let hints = HintsRecord { state, not_parsed: 0, file: write_hints(directory, name, state, hint_records)? };
        let record = SegmentRecord { name: name.into(), documents, blob_bytes, files, hints };
        Ok(NewSegment { record, table })
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
pub(crate) fn read_table(files: &SegmentFiles, record: &SegmentRecord) -> Result<DocumentTable, IndexError> {
    let file = files.file(layout::DOCUMENTS)?;
    let table = DocumentTable::read(file)?;
    if table.documents.len() != record.documents as usize {
        return Err(IndexError::corrupt(file.path(), "its number of documents is not the segment's"));
    }
    Ok(table)
}
