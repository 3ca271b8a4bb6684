//! What a token is called in the vocabulary.
//!
//! One field holds all tokens. A word is stored as it is. The other kinds carry a first byte that no word can begin
//! with, so that a whole-word look-up, a decimal look-up and a substring search never mix them up:
//!
//! | key | from | found by |
//! | --- | --- | --- |
//! | word | a run of word characters, also number fragments such as `0x1F` | word, literal |
//! | `\x01` digits | a decimal token | decimal, literal |
//! | `\x02` digits | a decimal token with an integer suffix, whose whole run is stored as a word too | decimal |
//! | `\x03` | a line that has a run longer than the tokenizer keeps | literal, as a line to read |

/// First byte of a decimal token.
pub const DECIMAL: u8 = 1;
/// First byte of a decimal token whose run goes on with an integer suffix.
pub const SUFFIXED: u8 = 2;
/// The key of lines with an overlong run.
pub const LONG: u8 = 3;

/// The key of digits under one of the marked kinds.
pub fn marked(kind: u8, digits: &[u8]) -> Vec<u8> {
    let mut key = Vec::with_capacity(digits.len() + 1);
    key.push(kind);
    key.extend_from_slice(digits);
    key
}
