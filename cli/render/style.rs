//! Colours, and numbers for people.

use std::env;
use std::io::{self, IsTerminal};
use std::sync::OnceLock;

use crate::flags::ColorKind;

static CHOSEN: OnceLock<ColorKind> = OnceLock::new();

/// Settles once, before anything is printed, when to colour.
pub(crate) fn choose_colour(kind: ColorKind) {
    // Only the command line chooses, and it comes first.
    let _ = CHOSEN.set(kind);
}

/// Whether to colour standard output.
pub(crate) fn coloured() -> bool {
    coloured_on(&io::stdout())
}

/// Whether to colour a stream: as chosen; by default on a terminal, and never with `NO_COLOR`.
pub(crate) fn coloured_on(stream: &impl IsTerminal) -> bool {
    match CHOSEN.get() {
        Some(ColorKind::Always) => true,
        Some(ColorKind::Never) => false,
        Some(ColorKind::Auto) | None => {
            stream.is_terminal() && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    }
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
    fn sizes_have_units() {
        assert_eq!([bytes(0), bytes(1023), bytes(1024), bytes(3 << 30)], ["0 B", "1023 B", "1.0 KiB", "3.0 GiB"]);
    }
}
