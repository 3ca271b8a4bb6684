//! Controlled errors: a stable code, a sentence for a person, and the offending field (L-07).
//!
//! Operations have error enums of their own (`git::GitError`, `profile::ProfileError`, …); each converts into a
//! [`Failure`] at the boundary where a user or a model sees it. This is the only place that maps causes to codes.

use std::fmt;

/// The stable codes of the wire protocol, as written in `docs/protocol.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// A request has an unknown member, a wrong type, or a value out of range.
    InvalidRequest,
    /// A path or prefix that is absolute, has `..`, a backslash, … (L-06).
    UnsafePath,
    /// A repository, revision, commit or file that is not there.
    NotFound,
    /// A path prefix outside the scope (protocol 2).
    OutsideScope,
    /// An entity that the interpretation context does not name (protocol 2).
    UnknownEntity,
    /// The tool is switched off in the profile.
    Disabled,
    /// An index, context or package that was made for something else.
    SettingsMismatch,
    /// No action is left in the budget.
    BudgetExhausted,
    /// `timeout_ms` ran out.
    Timeout,
    /// The answer exceeds `max_result_bytes`.
    ResultTooLarge,
    /// There is no index that can answer: none was built, the commit is not in it, or its format is older or newer.
    IndexMissing,
    /// Another process writes to the index.
    IndexBusy,
    /// The index is damaged.
    IndexCorrupt,
    /// A package lacks files, or a file of it does not have the hash that names it.
    PackageCorrupt,
    /// A Git object that is needed is not in the clone.
    ObjectMissing,
    /// A Git object does not have the hash that names it, or can not be decoded (P-04).
    ObjectCorrupt,
    /// The profile has an unknown key, a wrong type, or a value out of range.
    InvalidProfile,
    /// A defect of pincite, or a fault of the machine such as a full disk.
    Internal,
}

impl Code {
    /// Every code, in the order of the documentation.
    pub const ALL: [Self; 18] = [
        Self::InvalidRequest,
        Self::UnsafePath,
        Self::NotFound,
        Self::OutsideScope,
        Self::UnknownEntity,
        Self::Disabled,
        Self::SettingsMismatch,
        Self::BudgetExhausted,
        Self::Timeout,
        Self::ResultTooLarge,
        Self::IndexMissing,
        Self::IndexBusy,
        Self::IndexCorrupt,
        Self::PackageCorrupt,
        Self::ObjectMissing,
        Self::ObjectCorrupt,
        Self::InvalidProfile,
        Self::Internal,
    ];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::UnsafePath => "unsafe_path",
            Self::NotFound => "not_found",
            Self::OutsideScope => "outside_scope",
            Self::UnknownEntity => "unknown_entity",
            Self::Disabled => "disabled",
            Self::SettingsMismatch => "settings_mismatch",
            Self::BudgetExhausted => "budget_exhausted",
            Self::Timeout => "timeout",
            Self::ResultTooLarge => "result_too_large",
            Self::IndexMissing => "index_missing",
            Self::IndexBusy => "index_busy",
            Self::IndexCorrupt => "index_corrupt",
            Self::PackageCorrupt => "package_corrupt",
            Self::ObjectMissing => "object_missing",
            Self::ObjectCorrupt => "object_corrupt",
            Self::InvalidProfile => "invalid_profile",
            Self::Internal => "internal",
        }
    }
}

/// A controlled error as a user or a model sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The stable code.
    pub code: Code,
    /// What is wrong, what is allowed, and what to do next, for a person.
    pub message: String,
    /// The request member, flag or configuration key that is at fault, when one is.
    pub field: Option<String>,
}

impl Failure {
    /// A failure without a field.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), field: None }
    }

    /// Names the offending field.
    #[must_use]
    pub fn field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}
