//! The scanner: one pass over the bytes, no allocation.

use super::decimal::decimal_at;
use super::words::{char_at, is_word};

/// A longer run is not kept as a word. A term has at most 256 characters, which are at most 1,024 bytes, so no term
/// can be a whole word that is longer.
pub const MAX_WORD_BYTES: usize = 1_024;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TokenKind {
    /// A run of word characters that is not a decimal token without suffix; also fragments of numbers.
    Word,
    /// A decimal token that is the whole run.
    Decimal,
    /// The digits of a decimal token with an integer suffix; the whole run is given as a word too.
    SuffixedDecimal,
    /// A run of more than [`MAX_WORD_BYTES`].
    Long,
}

/// A token of a blob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: TokenKind,
    /// Its bytes, valid UTF-8.
    pub text: &'a [u8],
    /// Zero-based number of its line.
    pub line: u32,
    /// Where it begins in the blob.
    pub start: usize,
}

const OTHER: u8 = 0;
const WORD: u8 = 1;
const LINE_FEED: u8 = 2;
const NOT_ASCII: u8 = 3;

const CLASSES: [u8; 256] = {
    let mut classes = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        let value = byte as u8;
        if value.is_ascii_alphanumeric() || value == b'_' {
            classes[byte] = WORD;
        } else if value == b'\n' {
            classes[byte] = LINE_FEED;
        } else if value >= 0x80 {
            classes[byte] = NOT_ASCII;
        }
        byte += 1;
    }
    classes
};

/// Gives every token to `sink`, in the order of their starts; a decimal token comes before the word of the same run.
pub fn scan<'a>(bytes: &'a [u8], sink: &mut impl FnMut(Token<'a>)) {
    let mut line = 0u32;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match CLASSES[usize::from(*byte)] {
            WORD => {}
            LINE_FEED => {
                line = line.saturating_add(1);
                at += 1;
                continue;
            }
            NOT_ASCII => match char_at(bytes, at) {
                Some(c) if is_word(c) => {}
                Some(c) => {
                    at += c.len_utf8();
                    continue;
                }
                None => {
                    at += 1;
                    continue;
                }
            },
            _ => {
                at += 1;
                continue;
            }
        }
        let start = at;
        at = end_of_run(bytes, start);
        emit(bytes, start, at, line, sink);
    }
}

/// Where the run of word characters that begins at `at` ends.
fn end_of_run(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        match CLASSES[usize::from(*byte)] {
            WORD => at += 1,
            NOT_ASCII => match char_at(bytes, at) {
                Some(c) if is_word(c) => at += c.len_utf8(),
                _ => break,
            },
            _ => break,
        }
    }
    at
}

fn emit<'a>(bytes: &'a [u8], start: usize, end: usize, line: u32, sink: &mut impl FnMut(Token<'a>)) {
    let mut give = |kind, end: usize| sink(Token { kind, text: &bytes[start..end], line, start });
    if end - start > MAX_WORD_BYTES {
        return give(TokenKind::Long, end);
    }
    if bytes[start].is_ascii_digit() {
        let digits = bytes[start..end].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if let Some(decimal) = decimal_at(bytes, start, start + digits) {
            if !decimal.suffix {
                return give(TokenKind::Decimal, end);
            }
            give(TokenKind::SuffixedDecimal, start + digits);
        }
    }
    give(TokenKind::Word, end);
}
