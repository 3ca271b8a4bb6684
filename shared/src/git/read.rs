//! Single objects: bounded by their header before anything is allocated, then re-hashed (P-04, P-05).

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use gix::objs::Find as _;
use gix::odb::Header as _;

use super::kept::Kept;
use super::tree::Tree;
use super::{GitError, ObjectKind};
use crate::ids::{ObjectFormat, Oid, Pin};

/// Bytes of one commit or tag object.
pub const MAX_COMMIT_BYTES: u64 = 64 << 20;
/// Bytes of one tree object; a directory of a million files has about 50 million.
pub const MAX_TREE_BYTES: u64 = 256 << 20;
/// Bytes of one allocation that a pack asks for. Deltas are applied to objects below `core.bigFileThreshold`
/// (512 MiB) only, so honest packs stay below.
pub const MAX_ALLOCATION_BYTES: u64 = 1 << 30;

/// Bytes of delta bases that one reader keeps. Reading in tree order meets the same bases again within a few megabytes.
const DELTA_BASE_BYTES: usize = 16 << 20;

type Store = gix::odb::Cache<gix::odb::store::Handle<Arc<gix::odb::Store>>>;

/// Reads objects, for one thread. Every object that is returned has the hash that names it.
pub struct Objects {
    store: Store,
    format: ObjectFormat,
    /// Decompressed objects that are kept elsewhere pass through here.
    scratch: RefCell<Vec<u8>>,
    kept: Arc<Kept>,
    /// The pin whose commit object was re-hashed last.
    checked: Cell<Option<Pin>>,
}

impl Objects {
    pub(super) fn new(store: &Arc<gix::odb::Store>, format: ObjectFormat, kept: &Arc<Kept>) -> Self {
        let mut store = store.to_cache_arc();
        // Without this each missing object lists all packs again; partial clones lack tens of thousands.
        store.refresh_never();
        store.set_pack_cache(|| Box::new(gix::odb::pack::cache::lru::MemoryCappedHashmap::new(DELTA_BASE_BYTES)));
        Self { store, format, scratch: RefCell::default(), kept: Arc::clone(kept), checked: Cell::new(None) }
    }

    /// The size in bytes that the header of a blob claims, without reading the blob; `None` when the clone lacks it.
    ///
    /// # Errors
    /// [`GitError::ObjectCorrupt`] when the object is no blob or its header can not be decoded.
    pub fn blob_size(&self, oid: Oid) -> Result<Option<u64>, GitError> {
        self.header(oid, ObjectKind::Blob)
    }

    /// A whole blob, read into `buffer`, whose capacity is used again; `None` when the clone lacks it.
    ///
    /// # Errors
    /// [`GitError::TooLarge`] before anything is allocated; [`GitError::ObjectCorrupt`] when the object is no blob, can
    /// not be decoded, or has another hash.
    pub fn blob<'a>(&self, oid: Oid, max_bytes: u64, buffer: &'a mut Vec<u8>) -> Result<Option<&'a [u8]>, GitError> {
        self.read(oid, ObjectKind::Blob, max_bytes, buffer)
    }

    /// A whole blob that is kept for whoever asks next, in the bounds of [`Repository::keeping`]; `None` when the clone
    /// lacks it. It was re-hashed when it was read, now or earlier by this process.
    ///
    /// [`Repository::keeping`]: super::Repository::keeping
    ///
    /// # Errors
    /// As [`Self::blob`].
    pub fn kept_blob(&self, oid: Oid, max_bytes: u64) -> Result<Option<Arc<[u8]>>, GitError> {
        if let Some(blob) = self.kept.blob(oid) {
            return match blob.len() as u64 {
                size if size > max_bytes => {
                    Err(GitError::TooLarge { id: oid, kind: ObjectKind::Blob, size, max_bytes })
                }
                _ => Ok(Some(blob)),
            };
        }
        let mut scratch = self.scratch.take();
        let read = self.read(oid, ObjectKind::Blob, max_bytes, &mut scratch);
        let blob = read.map(|data| data.map(|data| self.kept.insert_blob(oid, data)));
        self.give_back(scratch);
        blob
    }

    /// What `look` makes of a blob; `None` when the clone lacks it. As [`Self::kept_blob`], but a blob that has to be
    /// read is kept only if `look` says so beside its result, so that one who looks through many keeps the few.
    ///
    /// # Errors
    /// As [`Self::blob`].
    pub fn look_at_blob<T>(
        &self,
        oid: Oid,
        max_bytes: u64,
        look: impl FnOnce(&[u8]) -> (T, bool),
    ) -> Result<Option<T>, GitError> {
        if let Some(blob) = self.kept.blob(oid).filter(|blob| blob.len() as u64 <= max_bytes) {
            return Ok(Some(look(&blob).0));
        }
        let mut scratch = self.scratch.take();
        let read = self.read(oid, ObjectKind::Blob, max_bytes, &mut scratch);
        let result = read.map(|data| {
            data.map(|data| {
                let (result, keep) = look(data);
                if keep {
                    self.kept.insert_blob(oid, data);
                }
                result
            })
        });
        self.give_back(scratch);
        result
    }

    /// Whether so many bytes of blobs can be kept without driving out most of what is kept already.
    pub fn has_room_for(&self, bytes: u64) -> bool {
        bytes <= self.kept.capacity() / 2
    }

    /// One huge object must not keep its buffer for the life of the reader.
    fn give_back(&self, scratch: Vec<u8>) {
        if scratch.capacity() <= 16 << 20 {
            self.scratch.replace(scratch);
        }
    }

    pub(super) fn exists(&self, oid: Oid) -> bool {
        oid.format() == self.format
            && guarded(oid, || Ok(gix::objs::Exists::exists(&self.store, &to_gix(oid)))).unwrap_or(false)
    }

    /// The kind that an object's header claims.
    pub(super) fn kind(&self, oid: Oid) -> Result<Option<ObjectKind>, GitError> {
        Ok(self.any_header(oid)?.map(|(kind, _)| kind))
    }

    /// Re-hashes the pin's commit, once, and checks that it names the pin's tree.
    pub(super) fn check_pin(&self, pin: &Pin) -> Result<(), GitError> {
        if self.checked.get().as_ref() == Some(pin) {
            return Ok(());
        }
        let tree = self.commit_tree(pin.commit)?;
        if tree != pin.tree {
            let reason = format!("it names the tree {tree}, but {} was recorded", pin.tree);
            return Err(GitError::corrupt(pin.commit, reason));
        }
        self.checked.set(Some(*pin));
        Ok(())
    }

    /// The tree that a re-hashed commit names.
    pub(super) fn commit_tree(&self, commit: Oid) -> Result<Oid, GitError> {
        self.first_link(commit, ObjectKind::Commit, b"tree ")
    }

    /// The object that a re-hashed tag names.
    pub(super) fn tag_target(&self, tag: Oid) -> Result<Oid, GitError> {
        self.first_link(tag, ObjectKind::Tag, b"object ")
    }

    /// A re-hashed, checked tree.
    pub(super) fn tree(&self, oid: Oid) -> Result<Arc<Tree>, GitError> {
        if let Some(tree) = self.kept.tree(oid) {
            return Ok(tree);
        }
        let mut scratch = self.scratch.take();
        let read = self.read(oid, ObjectKind::Tree, MAX_TREE_BYTES, &mut scratch).and_then(|data| {
            let data = data.ok_or(GitError::ObjectMissing { id: oid, kind: ObjectKind::Tree })?;
            Tree::decode(oid, data).map(Arc::new)
        });
        self.give_back(scratch);
        let tree = read?;
        self.kept.insert_tree(oid, &tree);
        Ok(tree)
    }

    /// The id in the first line, which Git requires to be `<key><hex id>`.
    fn first_link(&self, id: Oid, kind: ObjectKind, key: &[u8]) -> Result<Oid, GitError> {
        let mut scratch = self.scratch.borrow_mut();
        let data = self.read(id, kind, MAX_COMMIT_BYTES, &mut scratch)?.ok_or(GitError::ObjectMissing { id, kind })?;
        let line = data.split(|byte| *byte == b'\n').next().unwrap_or_default();
        line.strip_prefix(key)
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(Oid::from_hex)
            .filter(|target| target.format() == self.format)
            .ok_or_else(|| {
                let key = String::from_utf8_lossy(key);
                GitError::corrupt(id, format!("its first line is not `{}` and an object id", key.trim_end()))
            })
    }

    fn any_header(&self, oid: Oid) -> Result<Option<(ObjectKind, u64)>, GitError> {
        if oid.format() != self.format {
            return Ok(None);
        }
        let header = guarded(oid, || self.store.try_header(&to_gix(oid)))?;
        Ok(header.map(|header| (from_gix(header.kind()), header.size())))
    }

    fn header(&self, oid: Oid, kind: ObjectKind) -> Result<Option<u64>, GitError> {
        match self.any_header(oid)? {
            None => Ok(None),
            Some((found, size)) if found == kind => Ok(Some(size)),
            Some((found, _)) => Err(GitError::corrupt(oid, format!("it is a {found} where a {kind} belongs"))),
        }
    }

    /// A whole object of the kind, re-hashed.
    pub(super) fn read<'a>(
        &self,
        oid: Oid,
        kind: ObjectKind,
        max_bytes: u64,
        buffer: &'a mut Vec<u8>,
    ) -> Result<Option<&'a [u8]>, GitError> {
        let Some(size) = self.header(oid, kind)? else {
            return Ok(None);
        };
        let max_bytes = max_bytes.min(MAX_ALLOCATION_BYTES);
        if size > max_bytes {
            return Err(GitError::TooLarge { id: oid, kind, size, max_bytes });
        }
        let name = to_gix(oid);
        let found = guarded(oid, || match self.store.try_find(&name, buffer)? {
            None => Ok(None),
            Some(data) => {
                data.verify_checksum(&name)?;
                Ok(Some((from_gix(data.kind), data.data.len())))
            }
        })?;
        match found {
            None => Ok(None),
            Some((found, len)) if found == kind && len as u64 == size => Ok(buffer.get(..len)),
            Some((found, len)) => Err(GitError::corrupt(
                oid,
                format!("its header claims a {kind} of {size} bytes, it is a {found} of {len}"),
            )),
        }
    }
}

impl fmt::Debug for Objects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Objects").field("format", &self.format).finish_non_exhaustive()
    }
}

/// Runs a decoder over bytes from outside. Its errors are corruption unless the system says otherwise; a panic in it is
/// one as well: the decoders assert some facts about packs that a damaged one breaks.
fn guarded<T>(oid: Oid, decode: impl FnOnce() -> gix::Result<T>) -> Result<T, GitError> {
    match catch_unwind(AssertUnwindSafe(decode)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => {
            let refused = error
                .iter_errors()
                .filter_map(|error| error.downcast_ref::<std::io::Error>())
                .find_map(std::io::Error::raw_os_error);
            match refused {
                Some(code) => Err(GitError::Io {
                    doing: format!("reading the object {oid}"),
                    source: std::io::Error::from_raw_os_error(code),
                }),
                None => Err(GitError::corrupt(oid, error.probable_cause().to_string())),
            }
        }
        Err(_) => Err(GitError::corrupt(oid, "the pack that holds it can not be decoded")),
    }
}

fn to_gix(oid: Oid) -> gix::ObjectId {
    gix::ObjectId::from_bytes_or_panic(oid.as_bytes())
}

fn from_gix(kind: gix::objs::Kind) -> ObjectKind {
    match kind {
        gix::objs::Kind::Blob => ObjectKind::Blob,
        gix::objs::Kind::Tree => ObjectKind::Tree,
        gix::objs::Kind::Commit => ObjectKind::Commit,
        gix::objs::Kind::Tag => ObjectKind::Tag,
    }
}
