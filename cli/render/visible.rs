//! Text that can neither steer a terminal nor hide something from a reader.
//!
//! Source text may hold control characters, which move cursors and set titles; bidirectional controls, which show lines
//! in another order than a compiler reads them ("Trojan Source"); and characters without any picture, which make two
//! different names look alike. All of them are shown; none is ever sent.

use std::borrow::Cow;

/// Whether a character has no picture of its own: Unicode's property `Default_Ignorable_Code_Point`, which has the
/// bidirectional controls, zero-width characters, variation selectors and tags; line and paragraph separators; and the
/// interlinear annotation characters.
pub(crate) fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// The picture of a character that is not shown as it is: a control character's own picture, or the number of a hidden
/// one. Tabs are left to whoever shows the text.
pub(crate) fn picture(c: char) -> Option<Cow<'static, str>> {
    match c {
        '\t' => None,
        '\u{7f}' => Some("\u{2421}".into()),
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + c as u32).map(|picture| picture.to_string().into()),
        c => number(c).map(Cow::Owned),
    }
}

/// The number of a character that is not shown as it is. Pages have numbers for control characters too: not every font
/// has their pictures, and a page has room.
pub(crate) fn number(c: char) -> Option<String> {
    (c != '\t' && (c.is_control() || is_hidden(c))).then(|| format!("⟨U+{:04X}⟩", c as u32))
}

/// Text with pictures in place of what can not be seen.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    // Nearly all text, told without looking at its characters.
    let is_plain = text.bytes().all(|byte| byte == b'\t' || (b' '..=b'~').contains(&byte));
    if is_plain || !text.chars().any(|c| picture(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match picture(c) {
            Some(picture) => out.push_str(&picture),
            None => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_become_pictures() {
        assert_eq!(printable("a\tb"), "a\tb");
        assert_eq!(printable("\x1b]0;x\x07\r\n\x7f\u{9b}"), "␛]0;x␇␍␊␡⟨U+009B⟩");
    }

    #[test]
    fn what_hides_is_named() {
        assert_eq!(printable("if (a\u{202e} \u{2066}// x\u{2069})"), "if (a⟨U+202E⟩ ⟨U+2066⟩// x⟨U+2069⟩)");
        assert_eq!(printable("a\u{200b}b\u{feff}\u{e0041}"), "a⟨U+200B⟩b⟨U+FEFF⟩⟨U+E0041⟩");
        assert_eq!(printable("größe 名 é"), "größe 名 é");
    }

    // The table against the one of the regex crate.
    #[test]
    fn the_table_is_unicodes() {
        let ignorable = regex::Regex::new(r"^\p{Default_Ignorable_Code_Point}$").unwrap();
        let bidi = regex::Regex::new(r"^\p{Bidi_Control}$").unwrap();
        let ours = |c: char| matches!(c, '\u{2028}' | '\u{2029}' | '\u{fff9}'..='\u{fffb}');
        for c in ('\u{80}'..=char::MAX).filter(|c| !c.is_alphanumeric() || is_hidden(*c)) {
            let text = c.to_string();
            assert_eq!(is_hidden(c), ignorable.is_match(&text) || ours(c), "U+{:04X}", c as u32);
            assert!(is_hidden(c) || !bidi.is_match(&text), "U+{:04X}", c as u32);
        }
    }
}
