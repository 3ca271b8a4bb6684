//! Colours on a terminal, and text that can not steer one.

use std::borrow::Cow;
use std::env;
use std::io::{self, IsTerminal};

/// Whether to colour: on a terminal, and never with `NO_COLOR`.
pub(crate) fn coloured() -> bool {
    io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Control characters but tabs, shown as Unicode's pictures of them: source text never moves a cursor or sets a title.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let picture = |c: char| match c {
        '\u{7f}' => '\u{2421}',
        c if (c as u32) < 0x20 && c != '\t' => char::from_u32(0x2400 + c as u32).unwrap_or(char::REPLACEMENT_CHARACTER),
        c if is_unsafe(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    Cow::Owned(text.chars().map(picture).collect())
}

fn is_unsafe(c: char) -> bool {
    c != '\t' && c.is_control()
}

/// Paints text when `on`.
pub(crate) fn paint(on: bool, code: &str, text: &str) -> String {
    if on { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}

/// Bytes for a person.
pub(crate) fn bytes(count: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = count as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{count} B") } else { format!("{value:.1} {}", units[unit]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_become_pictures() {
        assert_eq!(printable("a\tb"), "a\tb");
        assert_eq!(printable("\x1b]0;x\x07\r\n\x7f\u{9b}"), "␛]0;x␇␍␊␡\u{fffd}");
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!([bytes(0), bytes(1023), bytes(1024), bytes(3 << 30)], ["0 B", "1023 B", "1.0 KiB", "3.0 GiB"]);
    }
}
