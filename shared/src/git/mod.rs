//! Access to one Git repository, to read and never to write (an export writes a new one beside): the only code that names `gix`.
//!
//! What a [`Repository`] yields depends on its objects alone (P-01). Configuration is read for the object format and
//! nothing else; the environment, replace refs, grafts, the index file and the work tree are not looked at. Names of
//! revisions are resolved once, for the operator; everything after that starts at a [`Pin`](crate::ids::Pin) and is
//! re-hashed on the way down (P-04).

mod error;
mod export;
mod format;
mod kept;
mod location;
mod lookup;
mod read;
mod repository;
mod revision;
mod tree;
mod walk;

pub use error::{GitError, ObjectKind};
pub use export::Exported;
pub use read::{MAX_ALLOCATION_BYTES, MAX_COMMIT_BYTES, MAX_TREE_BYTES, Objects};
pub use repository::Repository;
pub use tree::EntryKind;
pub use walk::{MAX_ENTRIES, MAX_WALK_BYTES, Visit};
