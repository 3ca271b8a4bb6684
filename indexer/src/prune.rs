//! Removes commits from an index, and then the documents that no other commit needs.

use std::collections::HashSet;
use std::path::Path;

use pincite_shared::ids::Oid;
use pincite_shared::index_format::documents::DocumentKey;
use pincite_shared::index_format::generation::Generation;
use pincite_shared::index_format::manifest::{Manifest, State};
use pincite_shared::index_format::sealed::SealedFile;
use serde::Serialize;

use crate::compact::{self, Source};
use crate::error::IndexingError;
use crate::garbage;
use crate::lock::WriterLock;

/// Which commits to remove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PruneWhat {
    /// All but the newest so many, by the order in which they were indexed.
    Keep(usize),
    /// These.
    Commits(Vec<Oid>),
}

/// What a prune did.
#[derive(Clone, Debug, Serialize)]
pub struct PruneReport {
    /// Commits removed.
    pub removed: Vec<String>,
    /// Commits still indexed.
    pub kept: Vec<String>,
    /// Documents removed.
    pub removed_documents: u64,
    /// Bytes of the index before.
    pub bytes_before: u64,
    /// Bytes of the index now.
    pub bytes_after: u64,
    /// Identity of the whole index now.
    pub index_id: String,
}

/// Removes commits.
///
/// # Errors
/// [`IndexingError::NotIndexed`] for a commit that is not there; the index then stays as it was.
pub fn prune(directory: &Path, what: &PruneWhat) -> Result<PruneReport, IndexingError> {
    // Without a published index there is nothing to lock either.
    Generation::load(directory)?;
    let _lock = WriterLock::acquire(directory)?;
    let mut generation = Generation::load(directory)?;
    garbage::prepare(directory)?;
    garbage::collect(directory, &generation)?;
    let bytes_before = generation.bytes();
    let documents = |generation: &Generation| -> u64 {
        generation.segments.iter().map(|segment| u64::from(segment.documents)).sum()
    };
    let documents_before = documents(&generation);
    let removed = wanted(&generation, what)?;
    generation.commits.retain(|commit| !removed.contains(&commit.commit));
    let (alive, keys) = living(directory, &generation)?;
    let mut sources = Vec::new();
    for (number, segment) in generation.segments.iter().enumerate() {
        if alive[number].iter().any(|alive| !alive) || segment.documents == 0 {
            sources.push(Source { segment: number, alive: Some(alive[number].clone()) });
        }
    }
    // Each segment is rewritten on its own: what a nightly job added together also leaves together.
    let sources: Vec<Vec<Source>> = sources.into_iter().map(|source| vec![source]).collect();
    if !removed.is_empty() || !sources.is_empty() {
        compact::rewrite(directory, &mut generation, sources, Some(&keys))?;
        generation.number += 1;
        generation.publish(directory)?;
    }
    garbage::collect(directory, &generation)?;
    Ok(PruneReport {
        removed,
        kept: generation.commits.iter().map(|commit| commit.commit.clone()).collect(),
        removed_documents: documents_before - documents(&generation),
        bytes_before,
        bytes_after: generation.bytes(),
        index_id: generation.id(),
    })
}

fn wanted(generation: &Generation, what: &PruneWhat) -> Result<Vec<String>, IndexingError> {
    let all: Vec<String> = generation.commits.iter().map(|commit| commit.commit.clone()).collect();
    match what {
        PruneWhat::Keep(keep) => Ok(all[..all.len().saturating_sub(*keep)].to_vec()),
        PruneWhat::Commits(commits) => {
            let named: Vec<String> = commits.iter().map(ToString::to_string).collect();
            match named.iter().find(|commit| !all.contains(commit)) {
                Some(commit) => Err(IndexingError::NotIndexed { commit: commit.clone() }),
                None => Ok(all.into_iter().filter(|commit| named.contains(commit)).collect()),
            }
        }
    }
}

/// Per segment and document whether a commit needs it, and every document that one needs.
fn living(directory: &Path, generation: &Generation) -> Result<(Vec<Vec<bool>>, HashSet<DocumentKey>), IndexingError> {
    let mut alive: Vec<Vec<bool>> =
        generation.segments.iter().map(|segment| vec![false; segment.documents as usize]).collect();
    let mut keys = HashSet::new();
    for commit in &generation.commits {
        let manifest = Manifest::open(SealedFile::open(directory, &commit.manifest)?)?;
        let numbers = compact::numbers(directory, generation, manifest.segments())?;
        for row in 0..manifest.len() {
            let facts = manifest.facts(row)?;
            keys.insert(DocumentKey { blob: manifest.id(row)?, language: facts.language });
            if let State::Document { segment, document } = facts.state {
                alive[numbers[segment as usize]][document as usize] = true;
            }
        }
    }
    Ok((alive, keys))
}
