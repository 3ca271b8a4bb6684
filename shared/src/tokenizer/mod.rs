//! Words and decimal tokens: one scanner for index and query time (T-02, T-05).
//!
//! Works on bytes. A byte that is no part of valid UTF-8 is no word character. Nothing here knows of terms; [`crate::term`]
//! matches them with the rules of this module.

mod decimal;
mod number;
mod scan;
mod words;

pub use decimal::{DecimalToken, MAX_SUFFIX, begins_integer_suffix, decimal_at, is_integer_suffix};
pub use number::{NumberPart, RunShape, for_each_number_part, holds_separated, number_part, run_shape};
pub use scan::{MAX_WORD_BYTES, Token, TokenKind, scan};
pub use words::{is_word, word_char_after, word_char_before};

#[cfg(test)]
mod tests;
