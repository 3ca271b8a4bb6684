//! Reads a whole index back: every checksum, every table, every manifest, and the Git objects behind them.

use std::collections::HashSet;
use std::path::Path;

use pincite_shared::git::{GitError, Repository};
use pincite_shared::ids::Oid;
use pincite_shared::index_format::IndexError;
use pincite_shared::index_format::generation::{CommitRecord, Generation, SegmentRecord};
use pincite_shared::index_format::hints::HintsFile;
use pincite_shared::index_format::manifest::{Manifest, State};
use pincite_shared::index_format::sealed::SealedFile;
use pincite_shared::index_format::segment_files::SegmentFiles;
use rayon::prelude::*;
use serde::Serialize;

use crate::error::IndexingError;
use crate::segment::read_table;

/// What a check read.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CheckReport {
    /// Index files.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Blobs of indexed documents re-hashed, each once; commits and trees are re-hashed as well and not counted.
    pub blobs: u64,
    /// Blobs of indexed documents that the clone no longer has.
    pub missing_blobs: u64,
}

/// Checks everything.
///
/// # Errors
/// `index_corrupt` with the first file that is not what was written, `object_corrupt` with the first object.
pub fn check(repository: &Repository, directory: &Path) -> Result<CheckReport, IndexingError> {
    // All is opened before anything is read, because a prune meanwhile may unlink it.
    let opened = Generation::open_with(directory, |generation| Opened::new(directory, generation))?;
    let mut report = CheckReport::default();
    for file in opened.files() {
        file.read_all()?;
        report.files += 1;
        report.bytes += file.disk_bytes();
    }
    for (record, files, hints) in &opened.segments {
        // Fails when the table has another number of documents.
        read_table(files, record)?;
        files.inverted(record.documents)?.check()?;
        let hints = HintsFile::open(hints.clone())?;
        for document in 0..record.documents {
            hints.check(document)?;
        }
    }
    let mut seen = HashSet::new();
    for manifest in opened.manifests {
        let manifest = Manifest::open(manifest)?;
        manifest.check()?;
        check_commit(repository, directory, &manifest, &mut seen, &mut report)?;
    }
    Ok(report)
}

/// Every file of a generation.
struct Opened {
    /// Each with its hints.
    segments: Vec<(SegmentRecord, SegmentFiles, SealedFile)>,
    manifests: Vec<SealedFile>,
}

impl Opened {
    fn new(directory: &Path, generation: Generation) -> Result<Self, IndexError> {
        let segment = |record: SegmentRecord| {
            let files = SegmentFiles::open(directory, &record)?;
            let hints = SealedFile::open(directory, &record.hints.file)?;
            Ok((record, files, hints))
        };
        let manifest = |commit: &CommitRecord| SealedFile::open(directory, &commit.manifest);
        Ok(Self {
            manifests: generation.commits.iter().map(manifest).collect::<Result<_, _>>()?,
            segments: generation.segments.into_iter().map(segment).collect::<Result<_, IndexError>>()?,
        })
    }

    fn files(&self) -> impl Iterator<Item = &SealedFile> {
        self.segments.iter().flat_map(|(_, files, hints)| files.files().chain([hints])).chain(&self.manifests)
    }
}

/// Compares a manifest with the re-hashed trees and re-hashes those of its blobs that were not seen yet.
fn check_commit(
    repository: &Repository,
    directory: &Path,
    manifest: &Manifest,
    seen: &mut HashSet<Oid>,
    report: &mut CheckReport,
) -> Result<(), IndexingError> {
    if !repository.has_object(manifest.pin().commit) {
        // A commit that was collected from the clone can not be compared; its postings are whole all the same.
        return Ok(());
    }
    let pin = repository.pin(manifest.pin().commit)?;
    let mut listed: Vec<(Vec<u8>, Oid)> = Vec::new();
    repository.objects().walk(&pin, &mut |path, _, id| {
        listed.push((path.to_vec(), id));
        Ok(())
    })?;
    listed.sort_unstable();
    let mut blobs = Vec::new();
    for row in 0..manifest.len() {
        let entry = manifest.entry(row)?;
        if listed.get(row as usize) != Some(&(entry.path.clone(), entry.id)) {
            let reason = format!("{:?} is not what the commit has", String::from_utf8_lossy(&entry.path));
            return Err(IndexError::corrupt(directory, reason).into());
        }
        if matches!(entry.state, State::Document { .. }) {
            blobs.push(entry.id);
        }
    }
    if listed.len() != manifest.len() as usize {
        return Err(IndexError::corrupt(directory, "a manifest lacks paths of its commit").into());
    }
    // Commits have most blobs in common.
    blobs.retain(|blob| seen.insert(*blob));
    let present: Vec<bool> = blobs
        .par_iter()
        .map_init(
            || (repository.objects(), Vec::new()),
            |(objects, buffer), blob| Ok::<_, GitError>(objects.blob(*blob, u64::MAX, buffer)?.is_some()),
        )
        .collect::<Result<_, _>>()?;
    report.blobs += present.iter().filter(|present| **present).count() as u64;
    report.missing_blobs += present.iter().filter(|present| !**present).count() as u64;
    Ok(())
}
