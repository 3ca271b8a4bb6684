//! Why an index can not be used.

use std::io;
use std::path::PathBuf;

use crate::failure::{Code, Failure};

/// A fault of the index, with the file it was found in.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// No generation was ever published in this directory.
    #[error("there is no index in {}; build it with `pincite index`", .directory.display())]
    Missing {
        /// The index directory.
        directory: PathBuf,
    },
    /// Every commit was pruned.
    #[error("the index in {} holds no commit; add one with `pincite index`", .directory.display())]
    NoCommit {
        /// The index directory.
        directory: PathBuf,
    },
    /// Another version of pincite wrote it.
    #[error(
        "the index in {} has format {found}, and this version reads format {readable}; build it again with \
         `pincite index` after removing the directory", .directory.display()
    )]
    Format {
        /// The index directory.
        directory: PathBuf,
        /// What `CURRENT` says.
        found: u32,
        /// What can be read.
        readable: u32,
    },
    /// A file is not what was written.
    #[error(
        "the index file {} is damaged: {reason}; remove the index directory and build it again with `pincite index`",
        .file.display()
    )]
    Corrupt {
        /// The damaged file.
        file: PathBuf,
        /// What was found.
        reason: String,
    },
    /// The commit is not among those indexed.
    #[error("commit {commit} is not in the index in {}; add it with `pincite index --rev {commit}`", .directory.display())]
    CommitNotIndexed {
        /// The index directory.
        directory: PathBuf,
        /// The commit asked for.
        commit: String,
    },
    /// None of the indexed commits is in this repository.
    #[error(
        "the index in {} belongs to another repository ({}): none of its commits is in this one; name another \
         directory with --index", .directory.display(), .recorded.display()
    )]
    OtherRepository {
        /// The index directory.
        directory: PathBuf,
        /// The Git directory it was built from.
        recorded: PathBuf,
    },
    /// Another process writes.
    #[error("another process is writing to the index in {}; try again when it has ended", .directory.display())]
    Busy {
        /// The index directory.
        directory: PathBuf,
    },
    /// The name given for the index directory is something else.
    #[error("{} is not a directory; name one for the index with --index", .directory.display())]
    NotADirectory {
        /// What was given.
        directory: PathBuf,
    },
    /// The directory holds something that pincite did not write, or is part of the repository.
    #[error("{} {reason}; name an empty or new directory for the index with --index", .directory.display())]
    NotForAnIndex {
        /// What was given.
        directory: PathBuf,
        /// Why it is refused.
        reason: &'static str,
    },
    /// The machine refused.
    #[error("{}: {source}", .file.display())]
    Io {
        /// The file or directory.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl IndexError {
    /// A [`IndexError::Corrupt`] for a file.
    pub fn corrupt(file: impl Into<PathBuf>, reason: impl Into<String>) -> Self {
        Self::Corrupt { file: file.into(), reason: reason.into() }
    }

    /// Wraps a system error with its file; `map_err(IndexError::io(path))`.
    pub fn io(file: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let file = file.into();
        move |source| Self::Io { file, source }
    }
}

impl From<IndexError> for Failure {
    fn from(error: IndexError) -> Self {
        let code = match &error {
            IndexError::Missing { .. }
            | IndexError::NoCommit { .. }
            | IndexError::Format { .. }
            | IndexError::CommitNotIndexed { .. } => Code::IndexMissing,
            IndexError::Corrupt { .. } => Code::IndexCorrupt,
            IndexError::OtherRepository { .. } => Code::SettingsMismatch,
            IndexError::Busy { .. } => Code::IndexBusy,
            IndexError::NotADirectory { .. } | IndexError::NotForAnIndex { .. } => Code::InvalidRequest,
            IndexError::Io { .. } => Code::Internal,
        };
        Self::new(code, error.to_string()).field("index")
    }
}
