//! Objects that were re-hashed once by this process and kept for whoever asks next: what is in memory can not change on
//! the disk any more, so it is not read again (P-04).

use std::fmt;
use std::sync::Arc;

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use super::tree::Tree;
use crate::ids::Oid;

/// Bytes of objects that a repository keeps unless told otherwise.
pub(super) const DEFAULT_BYTES: u64 = 32 << 20;
/// Objects that the table has room for at first; it grows.
const FIRST_OBJECTS: usize = 256;

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
        // Shards divide the bytes among them, and refuse what is larger than their part: with one, a large folder or file
        // is kept as well. Its lock is held for a look-up only.
        let options =
            OptionsBuilder::new().shards(1).estimated_items_capacity(FIRST_OBJECTS).weight_capacity(bytes).build();
        let options = options.expect("both capacities are given");
        Self(Cache::with_options(options, Memory, DefaultHashBuilder::default(), DefaultLifecycle::default()))
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
