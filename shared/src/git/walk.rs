//! All files of a commit, in byte order of their full paths.
//!
//! The walk keeps its own stack, one frame for each level, and one path buffer, so depth costs neither stack nor more
//! memory than the trees on the way. Its budgets stop trees that name the same sub tree over and over.

use std::sync::Arc;

use super::tree::Tree;
use super::{EntryKind, GitError, Objects};
use crate::ids::{Oid, Pin};

/// Entries of all trees of one commit, directories included.
pub const MAX_ENTRIES: u64 = 10_000_000;
/// Bytes of all trees and all full paths of one commit. The visitor may keep the paths, so they count.
pub const MAX_WALK_BYTES: u64 = 2 << 30;

/// Called for each entry that is not a directory: full path, kind, object id.
pub type Visit<'a> = dyn FnMut(&[u8], EntryKind, Oid) -> Result<(), GitError> + 'a;

struct Frame {
    tree: Arc<Tree>,
    next: usize,
    /// Length of the directory's path with its slash.
    path_len: usize,
}

struct Budget {
    commit: Oid,
    entries: u64,
    bytes: u64,
}

impl Budget {
    fn spend(&mut self, entries: usize, bytes: usize) -> Result<(), GitError> {
        self.entries = self.entries.saturating_add(entries as u64);
        self.bytes = self.bytes.saturating_add(bytes as u64);
        let over = |max, what| Err(GitError::TooManyEntries { commit: self.commit, max, what });
        if self.entries > MAX_ENTRIES {
            return over(MAX_ENTRIES, "entries");
        }
        if self.bytes > MAX_WALK_BYTES {
            return over(MAX_WALK_BYTES, "bytes of trees and paths");
        }
        Ok(())
    }
}

impl Objects {
    /// Visits every entry of the pinned commit that is not a directory, in byte order of full paths. The commit and
    /// each tree are re-hashed; blobs are not looked at.
    ///
    /// # Errors
    /// [`GitError::ObjectMissing`] and [`GitError::ObjectCorrupt`] for a commit or tree, [`GitError::TooManyEntries`]
    /// beyond [`MAX_ENTRIES`] or [`MAX_WALK_BYTES`], and whatever `visit` returns.
    pub fn walk(&self, pin: &Pin, visit: &mut Visit<'_>) -> Result<(), GitError> {
        self.check_pin(pin)?;
        let mut budget = Budget { commit: pin.commit, entries: 0, bytes: 0 };
        let mut path = Vec::new();
        let mut stack = vec![self.enter(pin.tree, 0, &mut budget)?];
        while let Some(frame) = stack.last_mut() {
            path.truncate(frame.path_len);
            let Some(entry) = frame.tree.entry(frame.next) else {
                stack.pop();
                continue;
            };
            frame.next += 1;
            path.extend_from_slice(entry.name);
            match entry.kind {
                Some(kind) => {
                    budget.spend(0, path.len())?;
                    visit(&path, kind, entry.oid)?;
                }
                None => {
                    path.push(b'/');
                    let oid = entry.oid;
                    stack.push(self.enter(oid, path.len(), &mut budget)?);
                }
            }
        }
        Ok(())
    }

    fn enter(&self, oid: Oid, path_len: usize, budget: &mut Budget) -> Result<Frame, GitError> {
        let tree = self.tree(oid)?;
        budget.spend(tree.len(), tree.byte_len())?;
        Ok(Frame { tree, next: 0, path_len })
    }
}
