//! What can go wrong while reading a repository, and the failure that a person sees.

use std::fmt;
use std::path::PathBuf;

use crate::failure::{Code, Failure};
use crate::ids::Oid;

/// The four kinds of Git objects, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// File content.
    Blob,
    /// A directory.
    Tree,
    /// A commit.
    Commit,
    /// An annotated tag.
    Tag,
}

impl fmt::Display for ObjectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Blob => "blob",
            Self::Tree => "tree",
            Self::Commit => "commit",
            Self::Tag => "tag",
        })
    }
}

/// Why a repository, a revision or an object could not be read.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// There is no Git repository at the path.
    #[error(
        "{} is not a Git repository ({reason}); give a work tree, a `.git` directory or a bare repository",
        path.display()
    )]
    NotARepository {
        /// The directory that was asked for.
        path: PathBuf,
        /// What is missing there.
        reason: String,
    },
    /// The repository needs something that pincite can not read.
    #[error(
        "the repository {} has a format that can not be read: {reason}; convert it with `git clone` into a plain one",
        path.display()
    )]
    UnsupportedFormat {
        /// The repository's directory.
        path: PathBuf,
        /// The setting or extension, and its value.
        reason: String,
    },
    /// No object answers to the revision.
    #[error("revision `{rev}` was not found in the repository ({reason}); give a branch, a tag or a full commit id")]
    RevisionNotFound {
        /// The revision as the operator wrote it.
        rev: String,
        /// What the search met.
        reason: String,
    },
    /// An abbreviated id, or a name, that several objects answer to.
    #[error("revision `{rev}` is ambiguous ({reason}); give the full commit id")]
    Ambiguous {
        /// The revision as the operator wrote it.
        rev: String,
        /// The candidates.
        reason: String,
    },
    /// The revision names an object that is no commit and leads to none.
    #[error("revision `{rev}` names the {kind} {id}, not a commit; give a branch, a tag or a full commit id")]
    NotACommit {
        /// The revision as the operator wrote it.
        rev: String,
        /// The object it names.
        id: Oid,
        /// What that object is.
        kind: ObjectKind,
    },
    /// The clone lacks an object without which nothing can be answered.
    #[error("the {kind} {id} is not in the clone; fetch it (a shallow or partial clone may lack it) and try again")]
    ObjectMissing {
        /// The object.
        id: Oid,
        /// What it should have been.
        kind: ObjectKind,
    },
    /// An object does not have the hash that names it, is of another kind, or can not be decoded (P-04).
    #[error("the object {id} is corrupt: {reason}; run `git fsck` and restore it from an intact clone")]
    ObjectCorrupt {
        /// The object as it was asked for.
        id: Oid,
        /// What does not fit.
        reason: String,
    },
    /// An object is larger than the caller, or [`super::MAX_ALLOCATION_BYTES`], allows. Nothing was read.
    #[error("the {kind} {id} has {size} bytes; at most {max_bytes} are read")]
    TooLarge {
        /// The object.
        id: Oid,
        /// What it is.
        kind: ObjectKind,
        /// Its size in bytes, as its header claims.
        size: u64,
        /// The bound in bytes.
        max_bytes: u64,
    },
    /// The commit's tree has more entries or longer paths than any honest one.
    #[error("the tree of commit {commit} has more than {max} {what}; no such tree is read")]
    TooManyEntries {
        /// The commit that was walked.
        commit: Oid,
        /// The bound that bit.
        max: u64,
        /// What was counted: entries, or bytes of trees and paths.
        what: &'static str,
    },
    /// The file system refused, for a reason other than absence.
    #[error("{doing}: {source}")]
    Io {
        /// What was being done, with the path or the object.
        doing: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The caller's visitor stopped the walk.
    #[error("{0}")]
    Stopped(Failure),
}

impl GitError {
    pub(super) fn corrupt(id: Oid, reason: impl Into<String>) -> Self {
        Self::ObjectCorrupt { id, reason: reason.into() }
    }

    fn code_and_field(&self) -> (Code, Option<&'static str>) {
        match self {
            Self::NotARepository { .. } | Self::UnsupportedFormat { .. } => (Code::NotFound, Some("repo")),
            Self::RevisionNotFound { .. } | Self::Ambiguous { .. } | Self::NotACommit { .. } => {
                (Code::NotFound, Some("rev"))
            }
            Self::ObjectMissing { .. } => (Code::ObjectMissing, None),
            // A commit or tree beyond every bound is damage or malice; blobs over their limit become a skip reason
            // before they get here.
            Self::ObjectCorrupt { .. } | Self::TooLarge { .. } | Self::TooManyEntries { .. } => {
                (Code::ObjectCorrupt, None)
            }
            Self::Io { .. } | Self::Stopped(_) => (Code::Internal, None),
        }
    }
}

impl From<GitError> for Failure {
    fn from(error: GitError) -> Self {
        let (code, field) = error.code_and_field();
        match error {
            GitError::Stopped(failure) => failure,
            error => Self { code, message: error.to_string(), field: field.map(str::to_owned) },
        }
    }
}
