//! Lays a finished segment down as sealed files, first under a temporary name.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use pincite_shared::ids::Oid;
use pincite_shared::index_format::documents::DocumentTable;
use pincite_shared::index_format::generation::{HintsRecord, HintsState, SegmentRecord, sync_folder};
use pincite_shared::index_format::sealed::{FileRecord, SealedFile, SealedWriter};
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
        hint_records: &[Vec<u8>],
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
        let target = self.directory.join(layout::SEGMENTS).join(self.name);
        fs::rename(&temporary, &target).map_err(IndexError::io(&target))?;
        sync_folder(&self.directory.join(layout::SEGMENTS))?;
        let hints = HintsRecord {
            state: HintsState::Lexical,
            not_parsed: 0,
            file: write_hints(self.directory, self.name, HintsState::Lexical, hint_records)?,
        };
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
    let target = directory.join(&record.name);
    fs::rename(&temporary, &target).map_err(IndexError::io(&target))?;
    sync_folder(&directory.join(layout::HINTS))?;
    Ok(record)
}

/// Opens the sealed files of a published segment by their plain names.
pub(crate) fn open_files(directory: &Path, record: &SegmentRecord) -> Result<HashMap<PathBuf, SealedFile>, IndexError> {
    let mut files = HashMap::new();
    for file in &record.files {
        let name = Path::new(&file.name).file_name().map(PathBuf::from).unwrap_or_default();
        files.insert(name, SealedFile::open(directory, file)?);
    }
    Ok(files)
}

/// The document table of a published segment.
pub(crate) fn read_table(directory: &Path, record: &SegmentRecord) -> Result<DocumentTable, IndexError> {
    let files = open_files(directory, record)?;
    let file = files.get(Path::new(layout::DOCUMENTS));
    let file = file.ok_or_else(|| IndexError::corrupt(directory, format!("{} has no document table", record.name)))?;
    let table = DocumentTable::read(file)?;
    if table.documents.len() != record.documents as usize {
        return Err(IndexError::corrupt(file.path(), "its number of documents is not the segment's"));
    }
    Ok(table)
}

/// A published segment as tantivy opens it.
pub(crate) fn open_segment(directory: &Path, record: &SegmentRecord) -> Result<SegmentFiles, IndexError> {
    Ok(SegmentFiles::new(directory.join(layout::SEGMENTS).join(&record.name), open_files(directory, record)?))
}
