//! Why a file's content is not searched (T-07, P-06, A-02).
//!
//! Two families: *skipped* files lie in the scope but could not be searched and make an answer partial; what lies
//! *outside* is left out by the scope's own rules and does not.

/// Content in the scope that could not be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SkipReason {
    /// A NUL byte within the first 8,000 bytes, Git's own rule.
    Binary,
    /// More bytes than `max_file_bytes`.
    TooLarge,
    /// UTF-16 text, with or without a byte order mark.
    Utf16,
    /// A Git LFS pointer: the real content is not in the repository.
    LfsPointer,
    /// The clone lacks the blob (partial clone, damaged pack).
    MissingObject,
}

impl SkipReason {
    /// Every reason, in the order of the documentation.
    pub const ALL: [Self; 5] = [Self::Binary, Self::TooLarge, Self::Utf16, Self::LfsPointer, Self::MissingObject];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::TooLarge => "too_large",
            Self::Utf16 => "utf16",
            Self::LfsPointer => "lfs_pointer",
            Self::MissingObject => "missing_object",
        }
    }
}

/// What the scope leaves out by its own rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OutsideReason {
    /// The file's extension is not configured.
    Extensions,
    /// A symbolic link: its target path is not source text.
    Symlinks,
    /// A submodule: its content is another repository.
    Submodules,
    /// The path is not of the search space that was asked for (protocol 2).
    Scope,
}

impl OutsideReason {
    /// Every reason, in the order of the documentation.
    pub const ALL: [Self; 4] = [Self::Extensions, Self::Symlinks, Self::Submodules, Self::Scope];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Extensions => "extensions",
            Self::Symlinks => "symlinks",
            Self::Submodules => "submodules",
            Self::Scope => "scope",
        }
    }
}
