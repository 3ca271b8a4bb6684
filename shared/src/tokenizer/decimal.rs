//! Decimal tokens: which runs of ASCII digits are whole numbers (T-05).

use super::words::{char_before, word_char_after};

/// The longest integer suffix has five characters (`usize`, `isize`).
pub const MAX_SUFFIX: usize = 5;

/// A run of digits that is a decimal token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecimalToken {
    /// Whether an integer suffix follows the digits.
    pub suffix: bool,
}

/// Whether `text` is an integer suffix of C, C++, Rust or JavaScript; the empty text is one.
pub fn is_integer_suffix(text: &str) -> bool {
    match text.as_bytes() {
        [] | [b'n'] => true,
        [b'u' | b'U'] | [b'u' | b'U', b'l' | b'L' | b'z' | b'Z'] => true,
        [b'u' | b'U', b'l' | b'L', b'l' | b'L'] => true,
        [b'l' | b'L'] | [b'l' | b'L', b'l' | b'L' | b'u' | b'U'] => true,
        [b'l' | b'L', b'l' | b'L', b'u' | b'U'] => true,
        [b'z' | b'Z'] | [b'z' | b'Z', b'u' | b'U'] => true,
        [b'i' | b'u', width @ ..] => matches!(width, b"8" | b"16" | b"32" | b"64" | b"128" | b"size"),
        _ => false,
    }
}

/// Whether an integer suffix may begin with `text`. Says yes a little too often: case is not looked at.
pub fn begins_integer_suffix(text: &[u8]) -> bool {
    const LOWER_CASE: [&[u8]; 20] = [
        b"n", b"ull", b"uz", b"llu", b"lu", b"zu", b"i8", b"i16", b"i32", b"i64", b"i128", b"isize", b"u8", b"u16",
        b"u32", b"u64", b"u128", b"usize", b"ul", b"ll",
    ];
    let begins = |suffix: &&[u8]| suffix.get(..text.len()).is_some_and(|begun| begun.eq_ignore_ascii_case(text));
    LOWER_CASE.iter().any(begins)
}

/// Whether the digits at `start..end` are a decimal token. A word begins at `start`, and `end` is behind the last of
/// its leading digits. Bytes beyond the line decide nothing: no rule looks past a line end.
pub fn decimal_at(bytes: &[u8], start: usize, end: usize) -> Option<DecimalToken> {
    let mut run_end = end;
    while word_char_after(bytes, run_end) {
        run_end += 1;
        if run_end - end > MAX_SUFFIX {
            return None;
        }
    }
    let suffix = str::from_utf8(&bytes[end..run_end]).ok()?;
    if !is_integer_suffix(suffix) || is_fraction_after(&bytes[end..]) || is_fraction_before(bytes, start) {
        return None;
    }
    Some(DecimalToken { suffix: !suffix.is_empty() })
}

/// A decimal point with digits, a float suffix or an exponent, or a digit separator.
pub(super) fn is_fraction_after(after: &[u8]) -> bool {
    let digit = |at: usize| after.get(at).is_some_and(u8::is_ascii_digit);
    let exponent = |at: usize| {
        let sign = matches!(after.get(at + 1), Some(b'+' | b'-'));
        matches!(after.get(at), Some(b'e' | b'E')) && digit(at + 1 + usize::from(sign))
    };
    match after.first() {
        Some(b'.') => {
            let float_suffix = matches!(after.get(1), Some(b'f' | b'F' | b'l' | b'L')) && !word_char_after(after, 2);
            digit(1) || float_suffix || exponent(1)
        }
        Some(b'\'') => digit(1),
        _ => exponent(0),
    }
}

/// A decimal point or a digit separator that belongs to the number: behind a digit, or a point that is no member
/// access (behind a word, `)` or `]`) and no range (behind another point).
pub(super) fn is_fraction_before(bytes: &[u8], start: usize) -> bool {
    let Some(mark @ (b'.' | b'\'')) = start.checked_sub(1).map(|at| bytes[at]) else { return false };
    let at = start - 1;
    let before = at.checked_sub(1).map(|before| bytes[before]);
    match before {
        Some(byte) if byte.is_ascii_digit() => true,
        _ if mark == b'\'' => false,
        None | Some(b'\n') => true,
        Some(b')' | b']' | b'.') => false,
        Some(_) => !char_before(bytes, at).is_some_and(super::is_word),
    }
}
