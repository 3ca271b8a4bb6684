//! One segment of a snapshot: its inverted index and hints. Nothing but the ends of its files is read before it is needed.

use std::path::{Path, PathBuf};

use pincite_shared::index_format::error::IndexError;
use pincite_shared::index_format::generation::SegmentRecord;
use pincite_shared::index_format::hints::HintsFile;
use pincite_shared::index_format::inverted::Inverted;
use pincite_shared::index_format::sealed::SealedFile;
use pincite_shared::index_format::segment_files::SegmentFiles;

/// A segment whose files are all mapped, so that it stays readable after a prune.
pub(crate) struct Segment {
    /// Its terms and their postings.
    pub(crate) inverted: Inverted,
    folder: PathBuf,
    hints: SealedFile,
}

impl Segment {
    pub(crate) fn open(index: &Path, record: &SegmentRecord) -> Result<Self, IndexError> {
        let files = SegmentFiles::open(index, record)?;
        Ok(Self {
            inverted: files.inverted(record.documents)?,
            folder: files.directory().to_owned(),
            hints: SealedFile::open(index, &record.hints.file)?,
        })
    }

    pub(crate) fn hints(&self) -> Result<HintsFile, IndexError> {
        HintsFile::open(self.hints.clone())
    }

    pub(crate) fn corrupt(&self, reason: impl Into<String>) -> IndexError {
        IndexError::corrupt(&self.folder, reason)
    }
}
