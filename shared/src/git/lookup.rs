//! One path of a commit: the chain commit → trees, re-hashed from the top (P-04).

use super::{EntryKind, GitError, Objects};
use crate::ids::{Oid, Pin};

impl Objects {
    /// What the pinned commit holds at `path`, byte for byte; `None` when that is nothing or a directory. The commit
    /// and every tree on the way are re-hashed, or were by this process before.
    ///
    /// # Errors
    /// [`GitError::ObjectMissing`] and [`GitError::ObjectCorrupt`] for the commit or a tree on the way.
    pub fn lookup(&self, pin: &Pin, path: &[u8]) -> Result<Option<(EntryKind, Oid)>, GitError> {
        self.check_pin(pin)?;
        let mut tree = self.tree(pin.tree)?;
        let mut segments = path.split(|byte| *byte == b'/').peekable();
        while let Some(segment) = segments.next() {
            let Some(entry) = tree.find(segment) else {
                return Ok(None);
            };
            match (entry.kind, segments.peek().is_some()) {
                (Some(kind), false) => return Ok(Some((kind, entry.oid))),
                (None, true) => {
                    let oid = entry.oid;
                    tree = self.tree(oid)?;
                }
                (Some(_), true) | (None, false) => return Ok(None),
            }
        }
        Ok(None)
    }
}
