//! One segment of a snapshot: its inverted index and hints. Nothing but the ends of its files is read before it is needed.

use std::path::{Path, PathBuf};

use pincite_shared::index_format::error::IndexError;
use pincite_shared::index_format::generation::SegmentRecord;
use pincite_shared::index_format::hints::HintsFile;
use pincite_shared::index_format::inverted::Inverted;
use pincite_shared::index_format::layout;
use pincite_shared::index_format::sealed::LaterFile;
use pincite_shared::index_format::segment_files::SegmentFiles;

/// A segment whose files are all open, so that it stays readable after a prune.
pub(crate) struct Segment {
    /// Its terms and their postings.
    pub(crate) inverted: Inverted,
    folder: PathBuf,
    hints: LaterFile,
}

impl Segment {
    pub(crate) fn open(index: &Path, record: &SegmentRecord) -> Result<Self, IndexError> {
        Ok(Self {
            inverted: SegmentFiles::open_inverted(index, record)?,
            folder: index.join(layout::SEGMENTS).join(&record.name),
            hints: LaterFile::open(index, &record.hints.file)?,
        })
    }

    pub(crate) fn hints(&self) -> Result<HintsFile, IndexError> {
        HintsFile::open(self.hints.sealed()?.clone())
    }

    pub(crate) fn corrupt(&self, reason: impl Into<String>) -> IndexError {
        IndexError::corrupt(&self.folder, reason)
    }
}
