//! What can be wrong with a profile, and where.

use std::path::PathBuf;

use crate::failure::{Code, Failure};

/// A profile that can not be used: nothing runs.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {problem}", .file.display(), .line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct ProfileError {
    /// The file as the operator named it.
    pub file: PathBuf,
    /// The line at fault, starting at 1, when one is.
    pub line: Option<u32>,
    /// The key at fault with its table, such as `limits.max_lines`, when one is.
    pub key: Option<String>,
    /// What is wrong and what is allowed; boxed, as it is many times larger than a line number.
    pub problem: Box<ProfileProblem>,
}

/// What is wrong with a profile.
#[derive(Debug, thiserror::Error)]
pub enum ProfileProblem {
    /// There is no such file.
    #[error("there is no profile here; docs/configuration.md has every key, `--profile FILE` names another file")]
    Missing,
    /// The operating system does not let the file be read.
    #[error("the profile can not be read: {0}")]
    Unreadable(std::io::Error),
    /// The file is larger than any profile.
    #[error("the profile has more than {limit} bytes, which is the most that is allowed")]
    TooLarge {
        /// The largest size, in bytes.
        limit: u64,
    },
    /// The file is not text.
    #[error("the profile is not valid UTF-8; only UTF-8 text is allowed")]
    NotUtf8,
    /// The file is not TOML.
    #[error("this is not valid TOML (column {column}): {message}")]
    Syntax {
        /// The column in characters, starting at 1.
        column: u32,
        /// What the parser says, on one line.
        message: String,
    },
    /// A table that pincite does not know.
    #[error("`{key}` is not a table of the profile; {allowed} are allowed{}", suggestion(.nearest))]
    UnknownTable {
        /// The name as written.
        key: String,
        /// The tables that are known.
        allowed: String,
        /// The known name that is nearest to it.
        nearest: Option<String>,
    },
    /// A key that pincite does not know.
    #[error("`{key}` is not a configuration key{}; the table takes {allowed}", suggestion(.nearest))]
    UnknownKey {
        /// The key as written, with its table.
        key: String,
        /// The keys that the table takes.
        allowed: String,
        /// The known key that is nearest to it.
        nearest: Option<String>,
    },
    /// A value of another type.
    #[error("`{key}` is of type {found}; {allowed} is allowed")]
    WrongType {
        /// The key, with its table.
        key: String,
        /// The type that was found.
        found: &'static str,
        /// The value that is allowed.
        allowed: String,
    },
    /// A value of the right type that is not allowed.
    #[error("`{key}` is {found}; {allowed} is allowed")]
    NotAllowed {
        /// The key, with its table.
        key: String,
        /// The value as written, shortened.
        found: String,
        /// The value that is allowed.
        allowed: String,
    },
    /// A key of protocol 2 under protocol 1.
    #[error("`{key}` needs `protocol = 2`; it is not allowed under protocol 1")]
    NeedsProtocol2 {
        /// The key, with its table.
        key: String,
    },
    /// A table of protocol 2 without a field that it needs.
    #[error("`{key}` is missing or empty; the table needs it: {}", .allowed.trim_end_matches(','))]
    MissingField {
        /// The field, with its table.
        key: String,
        /// The value that is allowed.
        allowed: String,
    },
    /// A scope that requests can not name.
    #[error("`{key}` is not a scope; {allowed} are allowed")]
    UnknownScope {
        /// The table's name.
        key: String,
        /// The scopes that there are.
        allowed: String,
    },
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map(|nearest| format!(" (did you mean `{nearest}`?)")).unwrap_or_default()
}

impl From<ProfileError> for Failure {
    fn from(error: ProfileError) -> Self {
        Self { code: Code::InvalidProfile, message: error.to_string(), field: error.key }
    }
}
