use proptest::prelude::*;
use regex::Regex;

use super::*;

/// A transcription of the rules as regular expressions, with look-around done by hand; on text, a line at a time.
fn naive(bytes: &[u8]) -> Vec<(TokenKind, String, u32)> {
    let word = Regex::new(r"\w+").unwrap();
    let tail =
        Regex::new(r"^(?:[uU](?:[lL]{0,2}|[zZ])|[lL]{1,2}[uU]?|[zZ][uU]?|[iu](?:8|16|32|64|128|size)|n)?$").unwrap();
    let fraction = Regex::new(r"^(?:\.[0-9]|\.?[eE][+-]?[0-9]|'[0-9])").unwrap();
    let float = Regex::new(r"^\.[fFlL](?:\W|$)").unwrap();
    let lead = Regex::new(r"(?:(?:^|[^\w)\].])\.|[0-9][.'])$").unwrap();
    let text = String::from_utf8_lossy(bytes);
    let mut found = Vec::new();
    for (number, line) in text.split('\n').enumerate() {
        for run in word.find_iter(line) {
            let mut give = |kind, text: &str| found.push((kind, text.to_owned(), number as u32));
            if run.as_str().len() > MAX_WORD_BYTES {
                give(TokenKind::Long, run.as_str());
                continue;
            }
            let digits = run.as_str().bytes().take_while(u8::is_ascii_digit).count();
            let (number, suffix) = run.as_str().split_at(digits);
            let after = &line[run.start() + digits..];
            let is_decimal = digits > 0
                && tail.is_match(suffix)
                && !fraction.is_match(after)
                && !float.is_match(after)
                && !lead.is_match(&line[..run.start()]);
            if is_decimal && suffix.is_empty() {
                give(TokenKind::Decimal, number);
                continue;
            }
            if is_decimal {
                give(TokenKind::SuffixedDecimal, number);
            }
            give(TokenKind::Word, run.as_str());
        }
    }
    found
}

fn scanned(bytes: &[u8]) -> Vec<(TokenKind, String, u32)> {
    let mut found = Vec::new();
    scan(bytes, &mut |token| {
        assert_eq!(&bytes[token.start..token.start + token.text.len()], token.text);
        found.push((token.kind, String::from_utf8(token.text.to_vec()).unwrap(), token.line));
    });
    found
}

/// `Some(suffix)` when 23487 is a decimal token of the line.
fn decimal(line: &str) -> Option<bool> {
    scanned(line.as_bytes()).into_iter().find_map(|(kind, text, _)| match kind {
        TokenKind::Decimal if text == "23487" => Some(false),
        TokenKind::SuffixedDecimal if text == "23487" => Some(true),
        _ => None,
    })
}

// T-05
#[test]
fn decimal_tokens_are_whole_numbers() {
    for line in [
        "= 23487,",
        "(23487)",
        "-23487",
        "See 23487.",
        "23487. Next",
        "0..23487",
        "'23487'",
        "x.23487",
        "f().23487",
        "a[1].23487",
        "23487",
        "[23487]",
        "23487\r",
        "\u{feff}23487",
        "é 23487",
        "23487é".split_at(5).0,
        "23487;e3",
        "23487.foo",
        "23487.fx",
        "23487 .5",
        "1 '23487'",
        "23487..5",
    ] {
        assert_eq!(decimal(line), Some(false), "{line}");
    }
    for suffix in [
        "u", "U", "l", "L", "ul", "UL", "ull", "ULL", "ll", "LL", "lu", "llu", "z", "uz", "zu", "u8", "i16", "u32",
        "i64", "u128", "usize", "isize", "n",
    ] {
        assert_eq!(decimal(&format!("= 23487{suffix};")), Some(true), "{suffix}");
    }
    for line in [
        "123487",
        "23487.5",
        "1.23487",
        "23487e3",
        "x23487",
        "23487x",
        "0x23487",
        "3.3.23487",
        ".23487",
        "23487.f",
        "23487'000",
        "1'23487",
        "23487_000",
        "234870",
        "é23487",
        "23487é",
        "23487.e5",
        "23487.L",
        " .23487",
        "=.23487",
        "23487uu",
        "23487lll",
        "23487u9",
        "_23487",
        "23487E+3",
        "23487.e-3",
    ] {
        assert_eq!(decimal(line), None, "{line}");
    }
}

// T-02
#[test]
fn words_are_runs_of_word_characters() {
    let check = |bytes: &[u8], expected: &[&str]| {
        let words: Vec<String> = scanned(bytes).into_iter().map(|(_, text, _)| text).collect();
        assert_eq!(words, expected);
    };
    check(b"foo_bar->baz(qux);", &["foo_bar", "baz", "qux"]);
    check("größe e\u{301}tat a\u{203f}b".as_bytes(), &["größe", "e\u{301}tat", "a\u{203f}b"]);
    check(b"caf\xe9bar \xc3\x28x", &["caf", "bar", "x"]);
    check("x$y #z a-b".as_bytes(), &["x", "y", "z", "a", "b"]);
    check("0x1F 1e5".as_bytes(), &["0x1F", "1e5"]);
}

#[test]
fn long_runs_are_marked() {
    let long = "a".repeat(MAX_WORD_BYTES + 1);
    assert_eq!(scanned(format!("x\n{long} y").as_bytes())[1].0, TokenKind::Long);
    assert_eq!(scanned("a".repeat(MAX_WORD_BYTES).as_bytes())[0].0, TokenKind::Word);
}

fn nasty() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => "[0-9]{1,3}".prop_map(String::into_bytes),
        4 => "[.'eE+_uULlnzZfx\\- )\\]]".prop_map(String::into_bytes),
        1 => "u32|i8|usize|ull".prop_map(String::into_bytes),
        1 => "é|\u{301}|\u{203f}|\u{2028}|٣|\u{feff}|日本".prop_map(String::into_bytes),
        1 => "\r?\n|\r|\0|\"".prop_map(String::into_bytes),
        1 => proptest::collection::vec(any::<u8>(), 1..3),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    // T-02 T-05: the fast scanner finds what the rules say.
    #[test]
    fn scanning_equals_the_rules(bytes in nasty()) {
        prop_assert_eq!(scanned(&bytes), naive(&bytes));
    }
}
