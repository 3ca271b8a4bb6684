//! Terms: what is searched, how it is matched, and where it stands in a line (T-03, T-04, T-05).

mod error;
mod matcher;

pub use error::TermError;
pub use matcher::{Matcher, Occurrence, char_columns};

use crate::tokenizer::is_word;

/// The longest term, in characters.
pub const MAX_TERM_CHARS: usize = 256;

/// How a term is matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    /// As a whole word.
    Word,
    /// As a fixed string within one line.
    Literal,
    /// As a decimal token.
    Decimal,
}

impl Mode {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::Word => "word",
            Self::Literal => "literal",
            Self::Decimal => "decimal",
        }
    }
}

/// How a request wants a term matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RequestedMode {
    /// An identifier as a word, anything else as a literal (T-03, T-04).
    Auto,
    /// This mode and no other.
    Exactly(Mode),
}

/// A checked term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    text: String,
    mode: Mode,
}

/// A run of word characters in a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its characters.
    pub text: String,
    /// Whether it begins the term, so that a word of the text may have more before it.
    pub cut_left: bool,
    /// Whether it ends the term, so that a word of the text may have more behind it.
    pub cut_right: bool,
}

impl Term {
    /// Checks a term and settles how it is matched.
    ///
    /// # Errors
    /// The first rule it breaks.
    pub fn new(text: &str, requested: RequestedMode) -> Result<Self, TermError> {
        if text.is_empty() {
            return Err(TermError::Empty);
        }
        let chars = text.chars().count();
        if chars > MAX_TERM_CHARS {
            return Err(TermError::TooLong { chars });
        }
        if text.contains(['\n', '\r']) {
            return Err(TermError::LineBreak);
        }
        let is_one_word = text.chars().all(is_word);
        let mode = match requested {
            RequestedMode::Auto if is_identifier(text) => Mode::Word,
            RequestedMode::Auto => Mode::Literal,
            RequestedMode::Exactly(Mode::Word) if !is_one_word => return Err(TermError::NotAWord),
            RequestedMode::Exactly(Mode::Decimal) if !text.bytes().all(|byte| byte.is_ascii_digit()) => {
                return Err(TermError::NotDecimal);
            }
            RequestedMode::Exactly(mode) => mode,
        };
        Ok(Self { text: text.into(), mode })
    }

    /// The term.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How it is matched.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The term's runs of word characters, from left to right.
    pub fn runs(&self) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let mut open = false;
        for (at, c) in self.text.char_indices() {
            match (is_word(c), runs.last_mut()) {
                (true, Some(run)) if open => run.text.push(c),
                (true, _) => runs.push(Run { text: c.into(), cut_left: at == 0, cut_right: false }),
                (false, _) => {}
            }
            open = is_word(c);
        }
        if let Some(last) = runs.last_mut().filter(|_| open) {
            last.cut_right = true;
        }
        runs
    }
}

/// Whether a text is one word that does not start with a decimal digit (T-03).
pub fn is_identifier(text: &str) -> bool {
    text.chars().all(is_word) && text.chars().next().is_some_and(|first| !first.is_ascii_digit())
}

#[cfg(test)]
mod tests;
