//! Spellings of a name: which texts are one name, and which of them are searched (C2-04, C2-08).
//!
//! Two texts are spellings of one name when they are equal after everything but letters and digits is taken out and
//! upper case is made lower: `Howling Fjord`, `howling_fjord`, `HowlingFjord`. Such texts are one anchor group.

/// What all spellings of a name have in common; empty for a text without letters and digits.
pub(crate) fn key(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a text can be a name: one without a letter is no more than a number or a sign.
pub(crate) fn has_letter(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
}

/// The words of a name: cut at everything but letters and digits, and before an upper case letter that follows a lower
/// case letter or a digit.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last: Option<char> = None;
    for c in text.chars() {
        if c.is_alphanumeric() {
            let begins = match last {
                None => true,
                Some(last) => c.is_uppercase() && (last.is_lowercase() || last.is_numeric()),
            };
            match words.last_mut() {
                Some(word) if !begins => word.push(c),
                _ => words.push(c.into()),
            }
            last = Some(c);
        } else {
            last = None;
        }
    }
    words
}

/// The other spellings of a name that are searched, in this order: the words separated by `_` and joined, as they are
/// spelled; then separated by `_` in lower case, in upper case; then joined in lower case, in upper case.
///
/// Blanks between words are tried as well when the name is written without them.
pub(crate) fn variants(text: &str) -> Vec<String> {
    let words = words(text);
    let (separated, joined, spaced) = (words.join("_"), words.concat(), words.join(" "));
    let all = [
        separated.clone(),
        joined.clone(),
        separated.to_lowercase(),
        separated.to_uppercase(),
        joined.to_lowercase(),
        joined.to_uppercase(),
        spaced,
    ];
    let mut variants: Vec<String> = Vec::new();
    for one in all {
        if one != text && !one.is_empty() && !variants.contains(&one) {
            variants.push(one);
        }
    }
    variants
}

#[cfg(test)]
mod tests {
    use super::*;

    // C2-04 C2-08
    #[test]
    fn names_have_spellings() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(variants(text), expected, "{text}");
            for variant in expected {
                assert_eq!(key(variant), key(text), "{variant} is the same name");
            }
        };
        check("Wolpertinger", &["wolpertinger", "WOLPERTINGER"]);
        check(
            "Howling Fjord",
            &["Howling_Fjord", "HowlingFjord", "howling_fjord", "HOWLING_FJORD", "howlingfjord", "HOWLINGFJORD"],
        );
        check(
            "HowlingFjord",
            &["Howling_Fjord", "howling_fjord", "HOWLING_FJORD", "howlingfjord", "HOWLINGFJORD", "Howling Fjord"],
        );
        check(
            "Kel'Thuzad",
            &["Kel_Thuzad", "KelThuzad", "kel_thuzad", "KEL_THUZAD", "kelthuzad", "KELTHUZAD", "Kel Thuzad"],
        );
        check("boss_garr", &["bossgarr", "BOSS_GARR", "BOSSGARR", "boss garr"]);
        check("!?", &[]);
        assert_ne!(key("Wing 3"), key("Wing 4"));
        assert!(!has_letter("23487") && !has_letter("-3.5") && has_letter("Wing 3"));
    }
}
