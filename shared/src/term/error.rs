//! Why a text is no term.

use crate::failure::{Code, Failure};

use super::MAX_TERM_CHARS;

/// A rule that a text breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TermError {
    /// Nothing to search for.
    #[error("`text` is empty; 1 to {MAX_TERM_CHARS} characters are allowed")]
    Empty,
    /// Longer than [`MAX_TERM_CHARS`].
    #[error("`text` has {chars} characters; 1 to {MAX_TERM_CHARS} are allowed")]
    TooLong {
        /// Its characters.
        chars: usize,
    },
    /// A search never spans lines.
    #[error("`text` has a line break; a term is searched within one line")]
    LineBreak,
    /// Mode `word` with something else.
    #[error("mode `word` needs a `text` that is one word (letters, digits, `_`); use `literal` or `auto`")]
    NotAWord,
    /// Mode `decimal` with something else.
    #[error("mode `decimal` needs a `text` of digits 0 to 9 only; use `literal` or `auto`")]
    NotDecimal,
}

impl TermError {
    /// The failure, naming the member that is at fault.
    pub fn into_failure(self, field: &str) -> Failure {
        let field = if matches!(self, Self::NotAWord | Self::NotDecimal) { "mode" } else { field };
        Failure::new(Code::InvalidRequest, self.to_string()).field(field)
    }
}
