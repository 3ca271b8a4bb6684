//! Objects that were re-hashed once by this process and kept for whoever asks next: what is in memory can not change on
//! the disk any more, so it is not read again (P-04).

use std::fmt;
use std::sync::Arc;

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::tree::Tree;
use crate::ids::Oid;

/// Bytes of objects that a repository keeps unless told otherwise.
pub(super) const DEFAULT_BYTES: u64 = 32 << 20;
/// What an object weighs, for the first size of the table. Far too much on purpose: quick_cache divides its bytes among
/// shards, as many as such a guess fills, and refuses what is larger than a shard's part. So there is one shard, and a
/// large directory or file is kept as well.
const GUESSED_BYTES: u64 = 1 << 20;

#[derive(Clone)]
enum Object {
    Blob(Arc<[u8]>),
    Tree(Arc<Tree>),
}

#[derive(Clone)]
struct Memory;

impl Weighter<Oid, Object> for Memory {
    fn weight(&self, _: &Oid, object: &Object) -> u64 {
        let own = match object {
            Object::Blob(blob) => blob.len(),
            Object::Tree(tree) => tree.memory(),
        };
        (size_of::<(Oid, Object)>() + own) as u64
    }
}

/// The kept objects of one repository, shared by its readers. Bounded by their bytes; what is asked for again stays
/// longest, so that one pass over many blobs does not drive out the others.
pub(super) struct Kept(Cache<Oid, Object, Memory>);

impl Kept {
    pub(super) fn new(bytes: u64) -> Self {
        Self(Cache::with_weighter(usize::try_from(bytes / GUESSED_BYTES).unwrap_or(usize::MAX), bytes, Memory))
    }

    /// Bytes that may be kept.
    pub(super) fn capacity(&self) -> u64 {
        self.0.capacity()
    }

    pub(super) fn blob(&self, id: Oid) -> Option<Arc<[u8]>> {
        match self.0.get(&id) {
            Some(Object::Blob(blob)) => Some(blob),
            _ => None,
        }
    }

    pub(super) fn tree(&self, id: Oid) -> Option<Arc<Tree>> {
        match self.0.get(&id) {
            Some(Object::Tree(tree)) => Some(tree),
            _ => None,
        }
    }

    /// Keeps a blob whose hash is `id`.
    pub(super) fn insert_blob(&self, id: Oid, blob: &[u8]) -> Arc<[u8]> {
        let blob: Arc<[u8]> = blob.into();
        self.0.insert(id, Object::Blob(Arc::clone(&blob)));
        blob
    }

    /// Keeps the tree that was decoded from the object whose hash is `id`.
    pub(super) fn insert_tree(&self, id: Oid, tree: &Arc<Tree>) {
        self.0.insert(id, Object::Tree(Arc::clone(tree)));
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").field("bytes", &self.0.weight()).field("of", &self.0.capacity()).finish()
    }
}
