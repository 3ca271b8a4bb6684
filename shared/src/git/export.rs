//! Copies single objects into a small bare repository of its own, for evidence that travels. The repository that
//! is read from is never written to.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use gix::objs::Write as _;

use super::read::MAX_COMMIT_BYTES;
use super::{EntryKind, GitError, MAX_ALLOCATION_BYTES, MAX_TREE_BYTES, ObjectKind, Repository};
use crate::ids::{ObjectFormat, Oid, Pin};

/// What was copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Commits, trees and blobs.
    pub objects: u64,
    /// Their bytes before compression.
    pub bytes: u64,
}

impl Repository {
    /// Writes a bare repository to the new directory `target` that holds the pinned commit, for each path of `contents`
    /// the trees on the way and its blob, and for each path of `names` the trees alone, all re-hashed. It is no whole
    /// history: only these objects are there.
    ///
    /// # Errors
    /// An object that the clone lacks or that is corrupt; what the system says about `target`.
    pub fn export(
        &self,
        pin: &Pin,
        contents: &BTreeSet<Vec<u8>>,
        names: &BTreeSet<Vec<u8>>,
        target: &Path,
    ) -> Result<Exported, GitError> {
        let io = |source| GitError::Io { doing: format!("writing {}", target.display()), source };
        for folder in ["objects", "refs/heads"] {
            fs::create_dir_all(target.join(folder)).map_err(io)?;
        }
        fs::write(target.join("HEAD"), format!("{}\n", pin.commit)).map_err(io)?;
        let (version, extension, kind) = match self.object_format() {
            ObjectFormat::Sha1 => (0, "", gix::hash::Kind::Sha1),
            ObjectFormat::Sha256 => (1, "[extensions]\n\tobjectFormat = sha256\n", gix::hash::Kind::Sha256),
        };
        let config = format!("[core]\n\trepositoryformatversion = {version}\n\tbare = true\n{extension}");
        fs::write(target.join("config"), config).map_err(io)?;
        let mut copy = Copy {
            objects: self.objects(),
            store: gix::odb::loose::Store::at(target.join("objects"), kind),
            target,
            done: BTreeSet::new(),
            exported: Exported::default(),
        };
        copy.object(pin.commit, ObjectKind::Commit, MAX_COMMIT_BYTES)?;
        copy.object(pin.tree, ObjectKind::Tree, MAX_TREE_BYTES)?;
        for path in contents {
            copy.path(pin, path, Wanted::Content)?;
        }
        for path in names {
            copy.path(pin, path, Wanted::Name)?;
        }
        Ok(copy.exported)
    }
}

/// How much of a path travels.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Content,
    Name,
}

struct Copy<'a> {
    objects: super::Objects,
    store: gix::odb::loose::Store,
    target: &'a Path,
    done: BTreeSet<Vec<u8>>,
    exported: Exported,
}

impl Copy<'_> {
    fn path(&mut self, pin: &Pin, path: &[u8], wanted: Wanted) -> Result<(), GitError> {
        let mut tree = self.objects.tree(pin.tree)?;
        for segment in path.split(|byte| *byte == b'/') {
            let Some(entry) = tree.find(segment) else { return Ok(()) };
            let (oid, kind) = (entry.oid, entry.kind);
            match kind {
                None => {
                    self.object(oid, ObjectKind::Tree, MAX_TREE_BYTES)?;
                    tree = self.objects.tree(oid)?;
                }
                // The commit of a submodule lies in another repository.
                Some(EntryKind::Submodule) => return Ok(()),
                Some(_) if wanted == Wanted::Name => return Ok(()),
                Some(_) => return self.object(oid, ObjectKind::Blob, MAX_ALLOCATION_BYTES),
            }
        }
        Ok(())
    }

    fn object(&mut self, oid: Oid, kind: ObjectKind, max_bytes: u64) -> Result<(), GitError> {
        if !self.done.insert(oid.as_bytes().to_vec()) {
            return Ok(());
        }
        let mut buffer = Vec::new();
        let data =
            self.objects.read(oid, kind, max_bytes, &mut buffer)?.ok_or(GitError::ObjectMissing { id: oid, kind })?;
        let gix_kind = match kind {
            ObjectKind::Blob => gix::objs::Kind::Blob,
            ObjectKind::Tree => gix::objs::Kind::Tree,
            ObjectKind::Commit => gix::objs::Kind::Commit,
            ObjectKind::Tag => gix::objs::Kind::Tag,
        };
        let written = self.store.write_buf(gix_kind, data).map_err(|error| GitError::Io {
            doing: format!("writing {oid} below {}", self.target.display()),
            source: std::io::Error::other(error.to_string()),
        })?;
        if written.as_bytes() != oid.as_bytes() {
            return Err(GitError::corrupt(oid, "its copy got another hash"));
        }
        self.exported.objects += 1;
        self.exported.bytes += data.len() as u64;
        Ok(())
    }
}
