//! A published generation, opened for one commit.

use std::path::{Path, PathBuf};

use pincite_shared::ids::Oid;
use pincite_shared::index_format::IndexError;
use pincite_shared::index_format::generation::{CommitRecord, Generation};
use pincite_shared::index_format::manifest::Manifest;
use pincite_shared::index_format::sealed::SealedFile;

use super::Segment;

/// What one commit's answers come from; never changes once opened.
pub struct Snapshot {
    pub(crate) directory: PathBuf,
    pub(crate) generation: Generation,
    pub(crate) commit: CommitRecord,
    pub(crate) manifest: Manifest,
    /// In the order of [`Manifest::segments`].
    pub(crate) segments: Vec<Segment>,
}

impl Snapshot {
    /// Opens the newest generation for a commit; without one, for the commit indexed last.
    ///
    /// # Errors
    /// [`IndexError`]; `CommitNotIndexed` when the index does not hold the commit.
    pub fn open(directory: &Path, commit: Option<Oid>) -> Result<Self, IndexError> {
        Generation::open_with(directory, |generation| Self::open_generation(directory, generation, commit))
    }

    fn open_generation(directory: &Path, generation: Generation, commit: Option<Oid>) -> Result<Self, IndexError> {
        let record = match commit {
            Some(commit) => generation.commit(&commit.to_string()),
            // By order, not by time: clocks go back.
            None => generation.commits.last(),
        };
        let Some(record) = record.cloned() else {
            return Err(match commit {
                Some(commit) => {
                    IndexError::CommitNotIndexed { directory: directory.into(), commit: commit.to_string() }
                }
                None => IndexError::NoCommit { directory: directory.into() },
            });
        };
        let manifest = Manifest::open(SealedFile::open(directory, &record.manifest)?)?;
        let mut segments = Vec::new();
        for (name, documents) in manifest.segments() {
            let found = generation.segments.iter().find(|segment| segment.name == *name);
            match found {
                Some(segment) if segment.documents == *documents => segments.push(Segment::open(directory, segment)?),
                _ => return Err(IndexError::corrupt(directory, format!("segment {name} is not the manifest's"))),
            }
        }
        Ok(Self { directory: directory.into(), generation, commit: record, manifest, segments })
    }

    /// The record of the commit.
    pub fn commit(&self) -> &CommitRecord {
        &self.commit
    }

    /// The whole generation.
    pub fn generation(&self) -> &Generation {
        &self.generation
    }

    /// Bytes of all files of the commit that can be searched: the size of what the index was made of, and unlike the size
    /// of any file of the index the same however the segments were cut.
    pub(crate) fn text_bytes(&self) -> u64 {
        self.commit.bytes
    }
}
