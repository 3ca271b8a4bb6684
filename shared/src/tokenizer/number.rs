//! What digits are a part of when they are no decimal token of their own.

use super::decimal::{decimal_at, is_fraction_after, is_fraction_before, is_integer_suffix};
use super::scan::MAX_WORD_BYTES;
use super::words::{word_char_after, word_char_before};

/// What an occurrence of digits is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NumberPart {
    /// A decimal token.
    Whole,
    /// Part of a word that is no number: `x23487`, `0x23487`, `23487x`.
    Word,
    /// Part of a longer run of digits or of a number with separators: `123487`, `23487'000`, `23487_000`.
    LongerNumber,
    /// Part of a floating-point number: `23487.5`, `1.23487`, `23487e3`, `3.3.23487`.
    Float,
}

/// What a run of word characters is by itself, without its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunShape {
    /// No number, whatever stands beside it.
    Word,
    /// Digits, perhaps in groups, with an exponent.
    Exponent,
    /// Digits, perhaps in groups, perhaps with an integer suffix.
    Integer {
        /// Bytes of the digits and the underscores between them.
        body: usize,
    },
    /// Digits with something behind them that makes them a number only as the last part of a float (`5f` in `1.5f`)
    /// or before the sign of an exponent (`23487e` in `23487e+3`).
    Open {
        /// As above.
        body: usize,
    },
}

/// The shape of a whole run.
pub fn run_shape(run: &[u8]) -> RunShape {
    let mut body = run.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if body == 0 {
        return RunShape::Word;
    }
    loop {
        let underscores = run[body..].iter().take_while(|byte| **byte == b'_').count();
        let digits = run[body + underscores..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if underscores == 0 || digits == 0 {
            break;
        }
        body += underscores + digits;
    }
    let rest = &run[body..];
    if str::from_utf8(rest).is_ok_and(is_integer_suffix) {
        return RunShape::Integer { body };
    }
    match rest {
        [b'e' | b'E', digit, ..] if digit.is_ascii_digit() => RunShape::Exponent,
        [b'e' | b'E' | b'f' | b'F' | b'd' | b'D'] | b"f32" | b"f64" => RunShape::Open { body },
        _ => RunShape::Word,
    }
}

/// What the digits at `start..end` are. Bytes beyond the line decide nothing.
pub fn number_part(bytes: &[u8], start: usize, end: usize) -> NumberPart {
    if !word_char_before(bytes, start) && decimal_at(bytes, start, end).is_some() {
        return NumberPart::Whole;
    }
    let (run_start, run_end) = run_around(bytes, start, end);
    let point_before = run_start > 0 && bytes[run_start - 1] == b'.' && is_fraction_before(bytes, run_start);
    let body = match run_shape(&bytes[run_start..run_end]) {
        RunShape::Word => return NumberPart::Word,
        RunShape::Exponent => return NumberPart::Float,
        RunShape::Integer { body } => body,
        RunShape::Open { .. } if point_before => return NumberPart::Float,
        // `is_fraction_after` sees the exponent; a letter that begins none makes a word.
        RunShape::Open { body } if is_fraction_after(&bytes[run_start + body..]) => body,
        RunShape::Open { .. } => return NumberPart::Word,
    };
    let after = &bytes[run_start + body..];
    if point_before || is_fraction_after(after) && after.first() != Some(&b'\'') {
        NumberPart::Float
    } else {
        NumberPart::LongerNumber
    }
}

/// Gives what the occurrences of `digits` in a line are, once for each run of word characters that has some: but for a
/// whole number, which is its run's first, all occurrences in a run are the same.
pub fn for_each_number_part(line: &[u8], digits: &[u8], visit: &mut impl FnMut(NumberPart)) {
    let finder = memchr::memmem::Finder::new(digits);
    let mut from = 0;
    while let Some(found) = finder.find(&line[from..]) {
        let (start, end) = (from + found, from + found + digits.len());
        visit(number_part(line, start, end));
        from = run_around(line, end, end).1.max(start + 1);
    }
}

/// The whole run of word characters around `start..end`, which lies in one.
fn run_around(bytes: &[u8], mut start: usize, mut end: usize) -> (usize, usize) {
    while word_char_before(bytes, start) {
        start -= 1;
        while start > 0 && bytes[start] & 0b1100_0000 == 0b1000_0000 {
            start -= 1;
        }
    }
    while word_char_after(bytes, end) {
        // A valid character begins here, so its first byte tells its length.
        end += match bytes[end] {
            ..0x80 => 1,
            0x80..0xe0 => 2,
            0xe0..0xf0 => 3,
            0xf0.. => 4,
        };
    }
    (start, end)
}

/// Whether the line holds `digits` as one number with separators between them, or before its integer suffix: any
/// number of `_`, or with `quotes` one `'` at a time. It is a whole number by the rules of decimal tokens, and like a
/// word not longer than [`MAX_WORD_BYTES`] where it is one run.
pub fn holds_separated(line: &[u8], digits: &[u8], quotes: bool) -> bool {
    let Some(first) = digits.first() else { return false };
    memchr::memchr_iter(*first, line).any(|start| {
        !word_char_before(line, start)
            && (separated_at(line, start, digits, b'_') || quotes && separated_at(line, start, digits, b'\''))
    })
}

fn separated_at(line: &[u8], start: usize, digits: &[u8], separator: u8) -> bool {
    let (mut at, mut seen) = (start, false);
    for (number, digit) in digits.iter().enumerate() {
        while number > 0 && line.get(at) == Some(&separator) && (separator == b'_' || line[at - 1] != separator) {
            (at, seen) = (at + 1, true);
        }
        if line.get(at) != Some(digit) {
            return false;
        }
        at += 1;
    }
    let before_suffix = if separator == b'_' { line[at..].iter().take_while(|byte| **byte == b'_').count() } else { 0 };
    let run = run_around(line, at, at).1 - start;
    if separator == b'_' && run > MAX_WORD_BYTES {
        return false;
    }
    let token = decimal_at(line, start, at + before_suffix);
    token.is_some_and(|token| if before_suffix > 0 { token.suffix } else { seen })
}

#[cfg(test)]
mod tests {
    use super::*;

    //
    #[test]
    fn an_occurrence_is_one_of_four() {
        use NumberPart::{Float, LongerNumber, Whole, Word};
        for (line, expected) in [
            ("= 23487,", Whole),
            ("23487ull", Whole),
            ("x.23487", Whole),
            ("x23487", Word),
            ("_23487", Word),
            ("0x23487", Word),
            ("23487x", Word),
            ("23487_", Word),
            ("23487_u32", Word),
            ("23487é", Word),
            ("é23487", Word),
            ("a-é_23487é b", Word),
            ("23487f", Word),
            ("23487e", Word),
            ("23487e;3", Word),
            ("1a23487", Word),
            ("123487", LongerNumber),
            ("234870", LongerNumber),
            ("123487u", LongerNumber),
            ("23487_000", LongerNumber),
            ("1_23487", LongerNumber),
            ("1_23487u64", LongerNumber),
            ("23487'000", LongerNumber),
            ("1'23487", LongerNumber),
            ("1'23487'000u", LongerNumber),
            ("x.123487", LongerNumber),
            ("23487.5", Float),
            ("1.23487", Float),
            ("1.23487f", Float),
            ("1.23487f32", Float),
            (".23487", Float),
            ("3.3.23487", Float),
            ("23487.f", Float),
            ("23487.e5", Float),
            ("23487e3", Float),
            ("23487e+3", Float),
            ("23487E-3", Float),
            ("123487.5", Float),
            ("1.123487", Float),
            ("1_23487.5", Float),
            ("1.23487e-3", Float),
            ("1e23487", Float),
            ("1.5e23487", Float),
            ("1.23487u", Float),
        ] {
            let at = line.find("23487").unwrap();
            assert_eq!(number_part(line.as_bytes(), at, at + 5), expected, "{line}");
        }
    }

    // a bad byte ends a run, also one that looks like the rest of a character.
    #[test]
    fn bad_bytes_are_no_part_of_a_run() {
        let line = b"a1.23487\xb0f \xb0123487\xc3\xa9\xb0x";
        assert_eq!(number_part(line, 3, 8), NumberPart::Float);
        assert_eq!(number_part(line, 13, 18), NumberPart::Word);
        assert_eq!(run_around(line, 13, 18), (12, 20));
    }

    //
    #[test]
    fn separated_numbers_are_whole_numbers() {
        for line in ["= 23_487;", "2_3_4__87u32", "23_487_u64", "23487_u32", "(2_3487)"] {
            assert!(holds_separated(line.as_bytes(), b"23487", false), "{line}");
        }
        for line in ["= 23'487;", "23'487ull", "2'3'4'8'7", "x 123'487 23'487"] {
            assert!(holds_separated(line.as_bytes(), b"23487", true), "{line}");
            assert!(!holds_separated(line.as_bytes(), b"23487", false), "{line}");
        }
        for line in [
            "23487",
            "23487u",
            "23_487_",
            "123_487",
            "23_4870",
            "23_487.5",
            "1.23_487",
            "x23_487",
            "23_487x",
            "23''487",
            "23'487'000",
            "1'23'487",
            "2_3'487",
            "'23487'",
            "23'487.5",
            "_23_487",
        ] {
            assert!(!holds_separated(line.as_bytes(), b"23487", true), "{line}");
        }
    }
}
