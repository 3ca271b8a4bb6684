//! The files of a segment, by their plain names.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::IndexError;
use super::generation::SegmentRecord;
use super::inverted::Inverted;
use super::layout;
use super::sealed::SealedFile;

/// The opened files of one segment.
#[derive(Clone, Debug)]
pub struct SegmentFiles {
    /// The segment's folder, for error messages.
    directory: PathBuf,
    /// By plain name, in the order of the record.
    files: Arc<[(String, SealedFile)]>,
}

impl SegmentFiles {
    /// Opens all files of a segment of the index in `index`. They stay readable after a prune.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] when one is not what the record says.
    pub fn open(index: &Path, record: &SegmentRecord) -> Result<Self, IndexError> {
        Self::open_some(index, record, |_| true)
    }

    /// Opens what queries need of a segment: its inverted index, and nothing else.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_inverted(index: &Path, record: &SegmentRecord) -> Result<Inverted, IndexError> {
        let wanted = |name: &str| name == layout::VOCABULARY || name == layout::POSTINGS;
        Self::open_some(index, record, wanted)?.inverted(record.documents)
    }

    fn open_some(index: &Path, record: &SegmentRecord, wanted: impl Fn(&str) -> bool) -> Result<Self, IndexError> {
        let mut files = Vec::new();
        for file in &record.files {
            let name = Path::new(&file.name).file_name().and_then(|name| name.to_str());
            let name = name.ok_or_else(|| IndexError::corrupt(index, format!("{:?} is no file name", file.name)))?;
            if wanted(name) {
                files.push((name.to_owned(), SealedFile::open(index, file)?));
            }
        }
        Ok(Self { directory: index.join(layout::SEGMENTS).join(&record.name), files: files.into() })
    }

    /// All of its files.
    pub fn files(&self) -> impl Iterator<Item = &SealedFile> {
        self.files.iter().map(|(_, file)| file)
    }

    /// A file by its plain name.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] when the segment has none.
    pub fn file(&self, name: &str) -> Result<&SealedFile, IndexError> {
        let file = self.files.iter().find(|(own, _)| own == name).map(|(_, file)| file);
        file.ok_or_else(|| IndexError::corrupt(&self.directory, format!("it has no {name}")))
    }

    /// Its inverted index, of so many documents.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] when a file is missing, or they do not belong together.
    pub fn inverted(&self, documents: u32) -> Result<Inverted, IndexError> {
        let (vocabulary, postings) = (self.file(layout::VOCABULARY)?, self.file(layout::POSTINGS)?);
        Inverted::open(vocabulary.clone(), postings.clone(), documents)
    }
}
