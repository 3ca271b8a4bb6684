//! From a pin to its paths, and from its paths to the blobs that the index does not know yet.

use std::collections::{HashMap, HashSet};

use pincite_shared::git::{EntryKind, Repository};
use pincite_shared::ids::{Oid, Pin};
use pincite_shared::index_format::documents::DocumentKey;
use pincite_shared::language::Language;
use pincite_shared::path;
use pincite_shared::skip::SkipReason;
use rayon::prelude::*;

use crate::error::IndexingError;
use crate::progress::{Phase, Progress};

/// A path as the trees have it.
pub(crate) struct WalkedPath {
    pub(crate) path: Vec<u8>,
    pub(crate) kind: EntryKind,
    pub(crate) id: Oid,
    pub(crate) language: Option<Language>,
}

impl WalkedPath {
    /// The document that the path would be; `None` for links and submodules.
    pub(crate) fn key(&self) -> Option<DocumentKey> {
        let is_file = matches!(self.kind, EntryKind::File | EntryKind::Executable);
        is_file.then_some(DocumentKey { blob: self.id, language: self.language })
    }
}

/// All paths of the commit, sorted.
pub(crate) fn walk(
    repository: &Repository,
    pin: &Pin,
    progress: &dyn Progress,
) -> Result<Vec<WalkedPath>, IndexingError> {
    progress.begin(Phase::Walk, None);
    let mut paths = Vec::new();
    repository.objects().walk(pin, &mut |path, kind, id| {
        let language = Language::of_extension(&path::extension(path));
        paths.push(WalkedPath { path: path.to_vec(), kind, id, language });
        progress.advance(1);
        Ok(())
    })?;
    paths.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(paths)
}

/// What is known of a document before or after reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// It is this document of this segment (by number in the run's list).
    Document { segment: u32, document: u32 },
    /// It was read and is not searchable.
    Unsearchable(SkipReason),
}

/// A blob to read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewBlob {
    pub(crate) key: DocumentKey,
    pub(crate) bytes: u64,
}

/// Sizes by blob; `None` for what the clone lacks.
pub(crate) type Sizes = HashMap<Oid, Option<u64>>;

/// The size of every blob of the commit, from object headers.
pub(crate) fn sizes(repository: &Repository, paths: &[WalkedPath]) -> Result<Sizes, IndexingError> {
    let unique: HashSet<Oid> = paths.iter().filter_map(|path| path.key()).map(|key| key.blob).collect();
    let unique: Vec<Oid> = unique.into_iter().collect();
    let sizes: Vec<Option<u64>> = unique
        .par_iter()
        .map_init(|| repository.objects(), |objects, blob| objects.blob_size(*blob))
        .collect::<Result<_, _>>()?;
    Ok(unique.into_iter().zip(sizes).collect())
}

/// The blobs that are neither known nor missing nor too large, in the order of their first paths.
pub(crate) fn new_blobs(
    paths: &[WalkedPath],
    sizes: &Sizes,
    known: &HashMap<DocumentKey, Known>,
    max_file_bytes: u64,
) -> Vec<NewBlob> {
    let mut seen = HashSet::new();
    let keys = paths.iter().filter_map(WalkedPath::key);
    let fresh = keys.filter(|key| !known.contains_key(key) && seen.insert(*key));
    fresh
        .filter_map(|key| match sizes.get(&key.blob) {
            Some(Some(bytes)) if *bytes <= max_file_bytes => Some(NewBlob { key, bytes: *bytes }),
            _ => None,
        })
        .collect()
}

/// Cuts the list into runs of at most `shard` bytes; a larger blob stands alone.
pub(crate) fn shards(blobs: &[NewBlob], shard: u64) -> Vec<&[NewBlob]> {
    let mut shards = Vec::new();
    let mut start = 0;
    let mut bytes = 0;
    for (at, blob) in blobs.iter().enumerate() {
        if at > start && bytes + blob.bytes > shard {
            shards.push(&blobs[start..at]);
            (start, bytes) = (at, 0);
        }
        bytes += blob.bytes;
    }
    if start < blobs.len() {
        shards.push(&blobs[start..]);
    }
    shards
}
