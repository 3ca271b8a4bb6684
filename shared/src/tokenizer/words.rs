//! Word characters: the `\w` of the regex crate (T-02).

/// Whether a character is part of words.
pub fn is_word(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() || c == '_' } else { regex_syntax::is_word_character(c) }
}

/// The character that begins at `at`, if it is valid UTF-8 there.
pub(super) fn char_at(bytes: &[u8], at: usize) -> Option<char> {
    let first = *bytes.get(at)?;
    if first.is_ascii() {
        return Some(char::from(first));
    }
    let piece = &bytes[at..bytes.len().min(at + 4)];
    let valid = match str::from_utf8(piece) {
        Ok(text) => text,
        Err(error) => str::from_utf8(&piece[..error.valid_up_to()]).unwrap_or_default(),
    };
    valid.chars().next()
}

/// The character that ends at `at`, if it is valid UTF-8 there.
pub(super) fn char_before(bytes: &[u8], at: usize) -> Option<char> {
    let start = (1..=4.min(at)).map(|back| at - back).find(|start| !is_continuation(bytes[*start]))?;
    let mut chars = str::from_utf8(&bytes[start..at]).ok()?.chars();
    chars.next().filter(|_| chars.next().is_none())
}

fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// Whether a word character begins at `at`.
pub fn word_char_after(bytes: &[u8], at: usize) -> bool {
    char_at(bytes, at).is_some_and(is_word)
}

/// Whether a word character ends at `at`.
pub fn word_char_before(bytes: &[u8], at: usize) -> bool {
    char_before(bytes, at).is_some_and(is_word)
}
