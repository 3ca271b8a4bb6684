//! Decides whether the tokens right of a sign are one single value: a number, a name or path, or a literal.

use pincite_shared::language::Language;

use super::keywords::Meaning;
use super::lexer::{Bracket, Kind, Lexer, Token};

/// A token with its text and, if it is a word, its meaning.
#[derive(Clone, Copy)]
pub(super) struct Item<'s> {
    pub(super) token: Token,
    pub(super) text: &'s [u8],
    pub(super) meaning: Meaning,
}

impl<'s> Item<'s> {
    /// The lexer's next token; every token but a word means a name.
    pub(super) fn next(lexer: &mut Lexer<'s>) -> Self {
        let token = lexer.next_token();
        let source = lexer.source;
        let text = &source[token.start..token.end];
        let meaning = if token.kind == Kind::Word { lexer.keywords.meaning(text) } else { Meaning::Name };
        Self { token, text, meaning }
    }
}

/// String literals with more bytes are no values: they are text, not names or numbers.
const MAX_LITERAL_BYTES: usize = 256;

/// What the tokens so far are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Start,
    Signed,
    Name,
    Separator,
    Literal,
    /// A whole value and a line end that need not be the value's end.
    LineEnd,
}

/// What to do with a value after a token.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// Show it the next token.
    More,
    /// It ended before this token.
    Done,
    /// It is no single value.
    Rejected,
}

/// Whether a line end is the end of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEnd {
    /// Always.
    Ends,
    /// Unless an operator follows.
    MayEnd,
    /// Never: inside brackets.
    Blank,
}

/// A value being read.
#[derive(Clone, Copy)]
pub(super) struct Value {
    stage: Stage,
    start: usize,
    end: usize,
    negative: bool,
    open_brackets: u32,
    allow_brackets: bool,
}

impl Value {
    /// Nothing read yet.
    pub(super) fn new() -> Self {
        Self { stage: Stage::Start, start: 0, end: 0, negative: false, open_brackets: 0, allow_brackets: false }
    }

    /// The same for the value of a macro, which may stand in round brackets.
    pub(super) fn of_macro() -> Self {
        Self { allow_brackets: true, ..Self::new() }
    }

    /// Takes the next token.
    pub(super) fn push(&mut self, language: Language, item: Item<'_>, line_end: LineEnd) -> Progress {
        let Item { token, meaning, .. } = item;
        match self.stage {
            Stage::Start | Stage::Signed => self.begin(token, meaning),
            Stage::Separator if token.kind == Kind::Word && meaning != Meaning::Control => {
                self.take(Stage::Name, token)
            }
            Stage::Separator => Progress::Rejected,
            Stage::Name if token.kind == Kind::Separator => {
                self.stage = Stage::Separator;
                Progress::More
            }
            Stage::Name | Stage::Literal | Stage::LineEnd => self.finish(language, item, line_end),
        }
    }

    fn begin(&mut self, token: Token, meaning: Meaning) -> Progress {
        let first = self.stage == Stage::Start;
        match token.kind {
            Kind::Minus | Kind::Plus if first => {
                self.negative = token.kind == Kind::Minus;
                self.stage = Stage::Signed;
                Progress::More
            }
            Kind::Word if matches!(meaning, Meaning::Name | Meaning::Constant) => self.take(Stage::Name, token),
            Kind::Number => self.take(Stage::Literal, token),
            Kind::Text if first && token.end - token.start <= MAX_LITERAL_BYTES => self.take(Stage::Literal, token),
            Kind::Open(Bracket::Round) if first && self.allow_brackets => {
                self.open_brackets += 1;
                Progress::More
            }
            // A name of SQL has its sign before it.
            Kind::Newline | Kind::At if first => Progress::More,
            _ => Progress::Rejected,
        }
    }

    fn take(&mut self, stage: Stage, token: Token) -> Progress {
        (self.stage, self.start, self.end) = (stage, token.start, token.end);
        Progress::More
    }

    fn finish(&mut self, language: Language, item: Item<'_>, line_end: LineEnd) -> Progress {
        match item.token.kind {
            Kind::Close(Bracket::Round) if self.open_brackets > 0 => {
                self.open_brackets -= 1;
                self.stage = Stage::Literal;
                Progress::More
            }
            _ if self.open_brackets > 0 => Progress::Rejected,
            Kind::Comma | Kind::Semicolon | Kind::Close(_) | Kind::End => Progress::Done,
            Kind::Newline => match line_end {
                LineEnd::Ends => Progress::Done,
                LineEnd::Blank => Progress::More,
                LineEnd::MayEnd => {
                    self.stage = Stage::LineEnd;
                    Progress::More
                }
            },
            // Two values in a row are no expression: the second begins something else.
            Kind::Word if matches!(language, Language::Lua | Language::Sql) && !is_operator(language, item.text) => {
                Progress::Done
            }
            Kind::Word | Kind::Number | Kind::At | Kind::Open(Bracket::Curly) if self.stage == Stage::LineEnd => {
                if is_operator(language, item.text) {
                    Progress::Rejected
                } else {
                    Progress::Done
                }
            }
            _ => Progress::Rejected,
        }
    }

    /// Whether it is one of TypeScript's own types, which makes `name: value` a declaration.
    pub(super) fn is_predefined_type(&self, source: &[u8]) -> bool {
        matches!(
            &source[self.start..self.end],
            b"string" | b"number" | b"boolean" | b"any" | b"unknown" | b"never" | b"object" | b"bigint" | b"symbol"
        )
    }

    /// The value's text; `None` if it is not UTF-8.
    pub(super) fn text(&self, source: &[u8]) -> Option<String> {
        let text = std::str::from_utf8(source.get(self.start..self.end)?).ok()?;
        Some(if self.negative { format!("-{text}") } else { text.to_owned() })
    }
}

/// Whether a word goes on with an expression, so that what precedes it is not the whole value.
fn is_operator(language: Language, word: &[u8]) -> bool {
    match language {
        Language::Lua => matches!(word, b"and" | b"or"),
        // AND and OR end a comparison, and `column = 5` in a condition is wanted.
        Language::Sql => [&b"DIV"[..], b"MOD", b"XOR", b"COLLATE"].iter().any(|known| word.eq_ignore_ascii_case(known)),
        _ => matches!(word, b"in" | b"instanceof" | b"as" | b"is" | b"satisfies"),
    }
}

/// The value that `text` as a whole is; used where a grammar already cut it out.
pub(super) fn single(language: Language, text: &[u8], mut value: Value) -> Option<String> {
    // A path may be long, but a longer text is an expression in all but made-up cases.
    if text.len() > 4 * MAX_LITERAL_BYTES {
        return None;
    }
    let mut lexer = Lexer::new(language, text);
    loop {
        let item = Item::next(&mut lexer);
        match value.push(language, item, LineEnd::Blank) {
            Progress::More => {}
            Progress::Done if item.token.kind == Kind::End => return value.text(text),
            Progress::Done | Progress::Rejected => return None,
        }
    }
}
