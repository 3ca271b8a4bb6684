//! Why indexing, pruning or checking ends early.

use pincite_shared::failure::{Code, Failure};
use pincite_shared::git::GitError;
use pincite_shared::index_format::IndexError;

/// A fault of the repository, the index, or the request. The published index stays as it was.
#[derive(Debug, thiserror::Error)]
pub enum IndexingError {
    /// Git objects.
    #[error(transparent)]
    Git(#[from] GitError),
    /// The index directory.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// Nothing to index.
    #[error("commit {commit} has no files; there is nothing to index")]
    EmptyCommit {
        /// The commit.
        commit: String,
    },
    /// `--strict` and blobs that the clone lacks.
    #[error(
        "{count} blobs of the commit are not in this clone, the first is {path:?}; fetch them, or index without \
         --strict to record them as skipped"
    )]
    MissingBlobs {
        /// How many paths.
        count: u64,
        /// The first of them.
        path: String,
    },
    /// An index of the other object format.
    #[error("the index holds {found} objects and the repository {wanted}; name another directory with --index")]
    ObjectFormat {
        /// What the index holds.
        found: String,
        /// What the repository has.
        wanted: String,
    },
    /// `prune` was asked for a commit that is not there.
    #[error("commit {commit} is not in the index; `pincite status` lists those that are")]
    NotIndexed {
        /// The commit as asked.
        commit: String,
    },
    /// Threads could not be started.
    #[error("starting threads failed: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl From<IndexingError> for Failure {
    fn from(error: IndexingError) -> Self {
        let message = error.to_string();
        match error {
            IndexingError::Git(error) => error.into(),
            IndexingError::Index(error) => error.into(),
            IndexingError::EmptyCommit { .. } => Self::new(Code::NotFound, message).field("rev"),
            IndexingError::MissingBlobs { .. } => Self::new(Code::ObjectMissing, message).field("strict"),
            IndexingError::ObjectFormat { .. } => Self::new(Code::SettingsMismatch, message).field("index"),
            IndexingError::NotIndexed { .. } => Self::new(Code::NotFound, message).field("commit"),
            IndexingError::Threads(_) => Self::new(Code::Internal, message),
        }
    }
}
