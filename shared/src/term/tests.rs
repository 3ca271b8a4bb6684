use proptest::prelude::*;

use super::*;
use crate::text::lines;
use crate::tokenizer::{TokenKind, scan};

fn term(text: &str, mode: Mode) -> Term {
    Term::new(text, RequestedMode::Exactly(mode)).unwrap()
}

// T-03
#[test]
fn identifiers_are_words_and_the_rest_is_literal() {
    let check = |text: &str, mode| assert_eq!(Term::new(text, RequestedMode::Auto).unwrap().mode(), mode, "{text}");
    check("foo_bar", Mode::Word);
    check("größe", Mode::Word);
    check("_1", Mode::Word);
    check("23487", Mode::Literal);
    check("3d_model", Mode::Literal);
    check("->CastSpell(", Mode::Literal);
    check("a b", Mode::Literal);
    check("--output=x", Mode::Literal);
    check("-e", Mode::Literal);
}

#[test]
fn bad_terms_are_refused() {
    let check = |text: &str, requested, expected| assert_eq!(Term::new(text, requested), Err(expected), "{text}");
    check("", RequestedMode::Auto, TermError::Empty);
    check(&"é".repeat(257), RequestedMode::Auto, TermError::TooLong { chars: 257 });
    check("a\nb", RequestedMode::Auto, TermError::LineBreak);
    check("a\r", RequestedMode::Auto, TermError::LineBreak);
    check("a-b", RequestedMode::Exactly(Mode::Word), TermError::NotAWord);
    check("12a", RequestedMode::Exactly(Mode::Decimal), TermError::NotDecimal);
    assert!(Term::new(&"é".repeat(256), RequestedMode::Auto).is_ok());
    assert_eq!(TermError::NotAWord.into_failure("text").field.as_deref(), Some("mode"));
}

#[test]
fn runs_know_whether_they_are_cut() {
    let check = |text: &str, expected: &[(&str, bool, bool)]| {
        let runs = term(text, Mode::Literal).runs();
        let runs: Vec<_> = runs.iter().map(|run| (run.text.as_str(), run.cut_left, run.cut_right)).collect();
        assert_eq!(runs, expected, "{text}");
    };
    check("foo", &[("foo", true, true)]);
    check("->Cast(", &[("Cast", false, false)]);
    check("a.b.c", &[("a", true, false), ("b", false, false), ("c", false, true)]);
    check("--", &[]);
    check("é x", &[("é", true, false), ("x", false, true)]);
}

#[test]
fn columns_are_characters() {
    let matcher = Matcher::new(&term("x", Mode::Literal));
    let check = |line: &[u8], expected: &[[u32; 2]]| {
        assert_eq!(char_columns(line, &matcher.find_all(line)), expected);
    };
    check(b"x", &[[0, 1]]);
    check("éx x".as_bytes(), &[[1, 2], [3, 4]]);
    check(b"\xff\xfex", &[[2, 3]]);
    check(b"xx", &[[0, 1], [1, 2]]);
    check(b"", &[]);
}

// T-04
#[test]
fn overlapping_literals_are_counted_from_the_left() {
    let found = Matcher::new(&term("aa", Mode::Literal)).find_all(b"aaaaa");
    assert_eq!(found.iter().map(|one| one.start).collect::<Vec<_>>(), [0, 2]);
}

fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => "[ab1]{1,2}".prop_map(String::into_bytes),
        3 => "[.'eu_ ()-]".prop_map(String::into_bytes),
        2 => "\r?\n".prop_map(String::into_bytes),
        1 => "é|\u{301}|\r".prop_map(String::into_bytes),
        1 => proptest::collection::vec(128u8..=255, 1..3),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    // T-02 T-03 T-04 T-05: matching a line, scanning a blob and tokens agree.
    #[test]
    fn matching_agrees_with_tokens(pieces in proptest::collection::vec(piece(), 0..30), text in "[ab1é]{1,2}|[ab1]?[.' (]{1,2}[ab1]?|1{1,3}") {
        let bytes = pieces.concat();
        for mode in [Mode::Word, Mode::Literal, Mode::Decimal] {
            let Ok(term) = Term::new(&text, RequestedMode::Exactly(mode)) else { continue };
            let matcher = Matcher::new(&term);
            let by_line: Vec<u32> = lines(&bytes).zip(0..).filter(|(line, _)| matcher.is_match(line)).map(|(_, at)| at).collect();
            let mut at_once = Vec::new();
            matcher.for_each_matching_line(&bytes, &mut |at, line| {
                assert!(matcher.is_match(line));
                at_once.push(at);
            });
            prop_assert_eq!(&by_line, &at_once);
            let mut by_token = Vec::new();
            scan(&bytes, &mut |token| {
                let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
                let fits = token.text == text.as_bytes() && match token.kind {
                    TokenKind::Word | TokenKind::Long => mode == Mode::Word,
                    TokenKind::Decimal => mode == Mode::Decimal || mode == Mode::Word && is_digits,
                    TokenKind::SuffixedDecimal => mode == Mode::Decimal,
                };
                if fits && mode != Mode::Literal {
                    by_token.push(token.line);
                }
            });
            by_token.dedup();
            if mode == Mode::Literal {
                by_token = lines(&bytes).zip(0..).filter(|(line, _)| line.windows(text.len()).any(|part| part == text.as_bytes())).map(|(_, at)| at).collect();
            }
            prop_assert_eq!(by_line, by_token);
        }
    }
}
