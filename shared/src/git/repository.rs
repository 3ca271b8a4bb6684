//! A repository: opened by its layout alone, shared by reference, read through one [`Objects`] per thread.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::format::{Format, read_format};
use super::kept::{self, Kept};
use super::location::{self, Location};
use super::read::{MAX_ALLOCATION_BYTES, Objects};
use super::{GitError, revision};
use crate::ids::{ObjectFormat, Oid, Pin};

/// One Git repository, to read. It is never written to, and nothing in it is executed (P-03).
///
/// The list of packs is read when the first object is asked for and not again: packs that a later `git gc` writes are
/// found after opening the repository anew. Packs once opened stay readable when they are deleted.
pub struct Repository {
    pub(super) private_dir: PathBuf,
    pub(super) common_dir: PathBuf,
    pub(super) format: Format,
    store: Arc<gix::odb::Store>,
    kept: Arc<Kept>,
}

impl Repository {
    /// Opens the repository at `dir`: a work tree's root, a `.git` directory, a bare repository, or a linked work tree.
    /// Directories above are not searched. The owner does not matter.
    ///
    /// # Errors
    /// No repository there, a format that can not be read, or alternates that form a cycle or can not be read.
    pub fn open(dir: &Path) -> Result<Self, GitError> {
        Self::at(location::locate(dir)?)
    }

    /// Opens the repository around `start`, searching upwards.
    ///
    /// # Errors
    /// Those of [`Self::open`].
    pub fn discover(start: &Path) -> Result<Self, GitError> {
        Self::at(location::discover(start)?)
    }

    fn at(location: Location) -> Result<Self, GitError> {
        let format = read_format(&location.common)?;
        let objects = location.common.join("objects");
        // The object store is opened below `gix::Repository`, which would read configuration, the environment and
        // replace refs.
        let options = gix::odb::store::init::Options {
            alloc_limit_bytes: Some(usize::try_from(MAX_ALLOCATION_BYTES).unwrap_or(usize::MAX)),
            current_dir: Some(location.common.clone()),
            ..Default::default()
        };
        let kind = match format.objects {
            ObjectFormat::Sha1 => gix::hash::Kind::Sha1,
            ObjectFormat::Sha256 => gix::hash::Kind::Sha256,
        };
        let no_replacements = &mut std::iter::empty();
        let store = gix::odb::Store::at_opts(objects.clone(), kind, no_replacements, options).map_err(|source| {
            GitError::Io { doing: format!("opening the object store {}", objects.display()), source }
        })?;
        Ok(Self {
            private_dir: location.private,
            common_dir: location.common,
            format,
            store: Arc::new(store),
            kept: Arc::new(Kept::new(kept::DEFAULT_BYTES)),
        })
    }

    /// The same repository with room for so many bytes of trees and blobs that were re-hashed once and are then kept in
    /// memory for the next look-up ([`Objects::kept_blob`]); 0 keeps none.
    #[must_use]
    pub fn keeping(self, bytes: u64) -> Self {
        Self { kept: Arc::new(Kept::new(bytes)), ..self }
    }

    /// The repository opened anew, which finds packs that were written meanwhile; with the objects that are kept.
    ///
    /// # Errors
    /// Those of [`Self::open`].
    pub fn reopen(&self) -> Result<Self, GitError> {
        Ok(Self { kept: Arc::clone(&self.kept), ..Self::open(&self.common_dir)? })
    }

    /// The canonical common Git directory: the same for a repository and all of its linked work trees.
    pub fn git_dir(&self) -> &Path {
        &self.common_dir
    }

    /// The repository's object format.
    pub fn object_format(&self) -> ObjectFormat {
        self.format.objects
    }

    /// The full id of the commit that the operator's `rev` names: a full id, or a branch, tag or other revision
    /// expression of Git that leads to one commit. Tags are peeled.
    ///
    /// # Errors
    /// Nothing, several objects, or something that is no commit answers to `rev`.
    pub fn resolve(&self, rev: &str) -> Result<Oid, GitError> {
        revision::resolve(self, rev)
    }

    /// The pin of a commit, after re-hashing the commit object. The tree's presence is not checked.
    ///
    /// # Errors
    /// [`GitError::ObjectMissing`], [`GitError::ObjectCorrupt`], [`GitError::TooLarge`].
    pub fn pin(&self, commit: Oid) -> Result<Pin, GitError> {
        let tree = self.objects().commit_tree(commit)?;
        Ok(Pin { commit, tree })
    }

    /// Whether the clone has the object, as far as its indexes and file names tell.
    pub fn has_object(&self, oid: Oid) -> bool {
        self.objects().exists(oid)
    }

    /// A reader for one thread. Cheap, but it caches delta bases, so use it for more than one object.
    pub fn objects(&self) -> Objects {
        Objects::new(&self.store, self.format.objects, &self.kept)
    }
}

impl fmt::Debug for Repository {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Repository").field("git_dir", &self.common_dir).finish_non_exhaustive()
    }
}
