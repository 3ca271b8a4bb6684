//! How a line is shown: valid UTF-8, and not longer than a limit.

use std::borrow::Cow;

/// The text of a line, and whether bytes that are not valid UTF-8 were replaced by U+FFFD (T-07).
pub fn lossy(line: &[u8]) -> (Cow<'_, str>, bool) {
    let text = String::from_utf8_lossy(line);
    let replaced = matches!(text, Cow::Owned(_));
    (text, replaced)
}

/// A line that may have been cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortened {
    /// The text, with `…` behind it when it was cut.
    pub text: String,
    chars: Option<u64>,
}

impl Shortened {
    /// Characters of the whole line, when it was cut.
    pub fn chars_if_cut(&self) -> Option<u64> {
        self.chars
    }
}

/// Keeps the first `max_chars` characters of a line (L-03).
pub fn shorten(line: &str, max_chars: usize) -> Shortened {
    // No character is less than a byte, so most lines are not counted at all.
    if line.len() <= max_chars {
        return Shortened { text: line.into(), chars: None };
    }
    match line.char_indices().nth(max_chars) {
        None => Shortened { text: line.into(), chars: None },
        Some((end, _)) => {
            let rest = line[end..].chars().count();
            Shortened { text: format!("{}…", &line[..end]), chars: Some((max_chars + rest) as u64) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // L-03
    #[test]
    fn long_lines_are_cut_at_characters() {
        let check = |line: &str, max, text: &str, chars| {
            assert_eq!(shorten(line, max), Shortened { text: text.into(), chars });
        };
        check("abc", 3, "abc", None);
        check("abcd", 3, "abc…", Some(4));
        check("äöü", 3, "äöü", None);
        check("äöüß", 3, "äöü…", Some(4));
        check("", 3, "", None);
    }

    // T-07
    #[test]
    fn bad_bytes_are_replaced() {
        assert_eq!(lossy(b"caf\xe9"), ("caf\u{fffd}".into(), true));
        assert_eq!(lossy("café \u{fffd}".as_bytes()), ("café \u{fffd}".into(), false));
    }
}
