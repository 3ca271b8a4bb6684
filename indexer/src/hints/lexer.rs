//! Tokens for the byte scanner: words, numbers, literals and the few signs that bindings and functions need.
//!
//! It knows the comments and literals of each language and nothing of its grammar. Every byte is looked at a bounded
//! number of times, whatever the input: what is not closed ends at the line's or the file's end and is never read
//! again. The source need not be valid UTF-8; bytes from 0x80 on count as word bytes.

use memchr::{memchr, memchr_iter, memchr2, memchr3};
use pincite_shared::language::Language;

use super::keywords::Keywords;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An identifier or keyword; in SQL a quoted one as well, its quotes left out.
    Word,
    /// A number with its suffix.
    Number,
    /// A whole string or character literal, with prefix and quotes.
    Text,
    /// `=`
    Assign,
    /// `:=`
    Walrus,
    /// `:`
    Colon,
    /// What joins the parts of a path: `.`, `::`, `?.`, and `->` where it reaches into an object.
    Separator,
    /// `->` before a result type.
    Arrow,
    /// `=>`
    FatArrow,
    /// `,`
    Comma,
    /// `;`
    Semicolon,
    /// An opening bracket.
    Open(Bracket),
    /// A closing bracket.
    Close(Bracket),
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`, `&`, `<`, `>`, `~`: what may stand between a type and a name.
    TypeSign,
    /// `@`
    At,
    /// The `#` that begins a line of the C preprocessor; its line ends with a `Newline`.
    Directive,
    /// The end of a line, where lines matter: not in C (but for directives), C#, Java, Rust and SQL.
    Newline,
    /// Any other sign, and template literals with parts to fill in.
    Other,
    /// The end of the source.
    End,
}

/// The three kinds of brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bracket {
    /// `(` and `)`
    Round,
    /// `[` and `]`
    Square,
    /// `{` and `}`
    Curly,
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// What it is.
    pub(super) kind: Kind,
    /// Its first byte.
    pub(super) start: usize,
    /// The byte after its last.
    pub(super) end: usize,
    /// The line of its first byte, from 1.
    pub(super) line: u32,
}

/// Reads tokens one after another.
pub(super) struct Lexer<'s> {
    pub(super) language: Language,
    pub(super) keywords: &'static Keywords,
    pub(super) source: &'s [u8],
    pub(super) at: usize,
    pub(super) line: u32,
    /// Whether line ends are tokens now.
    newlines: bool,
    in_directive: bool,
    /// Only blanks and comments were seen on this line.
    line_start: bool,
    /// Where the language has regular expressions: a `/` now would begin one.
    pub(super) operand_expected: bool,
    /// Open curly brackets inside each template literal's `${…}` that is open.
    template_depths: Vec<u32>,
}

/// Classes of bytes, for one look-up per byte.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Line,
    Word,
    Digit,
    Sign,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Sign; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'\n' => Class::Line,
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => Class::Blank,
            b'0'..=b'9' => Class::Digit,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => Class::Word,
            _ => Class::Sign,
        };
        byte += 1;
    }
    classes
};

fn is_word_byte(byte: u8) -> bool {
    matches!(CLASSES[usize::from(byte)], Class::Word | Class::Digit)
}

impl<'s> Lexer<'s> {
    /// A lexer at the start of `source`.
    pub(super) fn new(language: Language, source: &'s [u8]) -> Self {
        Self {
            language,
            keywords: Keywords::of(language),
            source,
            at: if source.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 },
            line: 1,
            newlines: matches!(
                language,
                Language::Go
                    | Language::JavaScript
                    | Language::Lua
                    | Language::Python
                    | Language::TypeScript
                    | Language::Tsx
            ),
            in_directive: false,
            line_start: true,
            operand_expected: true,
            template_depths: Vec::new(),
        }
    }

    /// The byte `ahead` of the current one; 0 behind the end.
    pub(super) fn peek(&self, ahead: usize) -> u8 {
        self.source.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn has_preprocessor(&self) -> bool {
        matches!(self.language, Language::C | Language::Cpp)
    }

    fn is_script(&self) -> bool {
        matches!(self.language, Language::JavaScript | Language::TypeScript | Language::Tsx)
    }

    /// The next token; `End` again and again behind the last.
    pub(super) fn next_token(&mut self) -> Token {
        let source = self.source;
        loop {
            let start = self.at;
            let Some(&byte) = source.get(start) else {
                return Token { kind: Kind::End, start, end: start, line: self.line };
            };
            let line = self.line;
            match CLASSES[usize::from(byte)] {
                Class::Blank => {
                    let rest = &source[start..];
                    let run = rest.iter().position(|&byte| CLASSES[usize::from(byte)] != Class::Blank);
                    self.at += run.unwrap_or(rest.len());
                    continue;
                }
                Class::Line => {
                    self.at += 1;
                    self.line = self.line.saturating_add(1);
                    self.line_start = true;
                    if self.newlines || self.in_directive {
                        self.in_directive = false;
                        return self.token(Kind::Newline, start, line);
                    }
                    continue;
                }
                _ if matches!(byte, b'/' | b'-' | b'#') && self.skip_comment(byte) => continue,
                _ if byte == b'\\' && matches!(self.peek(1), b'\n' | b'\r') => {
                    // A continued line: its end is not one.
                    self.at += if self.source[start..].starts_with(b"\\\r\n") { 3 } else { 2 };
                    self.line = self.line.saturating_add(u32::from(self.source[self.at - 1] == b'\n'));
                    continue;
                }
                _ => {}
            }
            let first = std::mem::replace(&mut self.line_start, false);
            let kind = match CLASSES[usize::from(byte)] {
                Class::Word => self.word(),
                Class::Digit => self.number(),
                _ if byte == b'#' && first && self.has_preprocessor() => {
                    self.at += 1;
                    self.in_directive = true;
                    Kind::Directive
                }
                _ => match self.literal(byte) {
                    Some(kind) => kind,
                    None => self.sign(byte),
                },
            };
            let token = self.token(kind, start, line);
            self.operand_expected = !matches!(kind, Kind::Word | Kind::Number | Kind::Text | Kind::Close(_));
            if token.end - token.start > 1 && kind == Kind::Word && byte == b'`' {
                return Token { start: token.start + 1, end: (token.end - 1).max(token.start + 1), ..token };
            }
            return token;
        }
    }

    fn token(&self, kind: Kind, start: usize, line: u32) -> Token {
        Token { kind, start, end: self.at, line }
    }

    /// Skips the comment that begins here; false if none does.
    fn skip_comment(&mut self, byte: u8) -> bool {
        let next = self.peek(1);
        match (self.language, byte) {
            (Language::Python, b'#') | (Language::Sql, b'#') => self.skip_line(),
            (Language::Sql, b'-') if next == b'-' => self.skip_line(),
            (Language::Lua, b'-') if next == b'-' => {
                self.at += 2;
                if !self.long_bracket() {
                    self.skip_line();
                }
            }
            (Language::Python | Language::Lua, _) => return false,
            (_, b'/') if next == b'*' => self.skip_block(),
            (Language::Sql, _) => return false,
            (_, b'/') if next == b'/' => self.skip_line(),
            _ => return false,
        }
        true
    }

    /// To the line's end, which stays; in C a backslash carries a comment on.
    fn skip_line(&mut self) {
        loop {
            let Some(length) = memchr(b'\n', &self.source[self.at..]) else {
                self.at = self.source.len();
                return;
            };
            let end = self.at + length;
            let text = &self.source[self.at..end];
            self.at = end;
            if !self.has_preprocessor() || !text.strip_suffix(b"\r").unwrap_or(text).ends_with(b"\\") {
                return;
            }
            self.at += 1;
            self.line = self.line.saturating_add(1);
        }
    }

    fn skip_block(&mut self) {
        let start = self.at;
        self.at += 2;
        let mut depth = 1_u32;
        while depth > 0 {
            let rest = &self.source[self.at..];
            let found = if self.language == Language::Rust { memchr2(b'*', b'/', rest) } else { memchr(b'*', rest) };
            let Some(skipped) = found else {
                self.at = self.source.len();
                break;
            };
            self.at += skipped;
            match (self.peek(0), self.peek(1)) {
                (b'*', b'/') => (depth, self.at) = (depth - 1, self.at + 2),
                (b'/', b'*') => (depth, self.at) = (depth + 1, self.at + 2),
                _ => self.at += 1,
            }
        }
        self.count_lines(start);
    }

    /// Adds the line ends between `start` and here.
    pub(super) fn count_lines(&mut self, start: usize) {
        let lines = memchr_iter(b'\n', &self.source[start..self.at]).count();
        self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
    }

    fn word(&mut self) -> Kind {
        let start = self.at;
        let rest = &self.source[start..];
        let dollar = self.is_script();
        let length = rest.iter().position(|&byte| !(is_word_byte(byte) || (dollar && byte == b'$')));
        self.at += length.unwrap_or(rest.len());
        if matches!(self.peek(0), b'"' | b'\'' | b'#') && self.at - start <= 4 && self.prefixed_literal(start) {
            return Kind::Text;
        }
        Kind::Word
    }

    fn number(&mut self) -> Kind {
        let mut previous = 0;
        loop {
            let byte = self.peek(0);
            let goes_on = match byte {
                b'.' => self.peek(1) != b'.' && previous != b'.' && !self.peek(1).is_ascii_alphabetic(),
                b'+' | b'-' => {
                    matches!(previous, b'e' | b'E') && self.peek(1).is_ascii_digit() && !self.is_hexadecimal()
                }
                b'\'' => self.has_preprocessor() && self.peek(1).is_ascii_alphanumeric(),
                _ => is_word_byte(byte),
            };
            if !goes_on || self.at >= self.source.len() {
                return Kind::Number;
            }
            previous = byte;
            self.at += 1;
        }
    }

    /// Whether the sign before which we stand follows a hexadecimal digit rather than an exponent: `0xe+1`.
    fn is_hexadecimal(&self) -> bool {
        // Long enough for every number that is read by people; keeps this look back bounded.
        let from = self.at.saturating_sub(20);
        self.source[from..self.at].windows(2).any(|pair| matches!(pair, b"0x" | b"0X"))
    }

    fn sign(&mut self, byte: u8) -> Kind {
        let (next, third) = (self.peek(1), self.peek(2));
        let (kind, length) = match byte {
            b'=' if next == b'=' => {
                let run = self.source[self.at..].iter().take_while(|&&byte| byte == b'=').count();
                (Kind::Other, run)
            }
            b'=' if next == b'>' => (Kind::FatArrow, 2),
            b'=' => (Kind::Assign, 1),
            b':' if next == b'=' => (Kind::Walrus, 2),
            b':' if next == b':' => (Kind::Separator, 2),
            b':' => (Kind::Colon, 1),
            b'.' if next == b'.' => (Kind::Other, if matches!(third, b'=' | b'.') { 3 } else { 2 }),
            b'.' if next.is_ascii_digit() && self.operand_expected => {
                self.at += 1;
                return self.number();
            }
            b'.' => (Kind::Separator, 1),
            b'?' if next == b'.' && !third.is_ascii_digit() => (Kind::Separator, 2),
            b'-' if next == b'>' && self.has_preprocessor() => (Kind::Separator, 2),
            b'-' if next == b'>' => (Kind::Arrow, 2),
            b'+' | b'-' if next == byte => (Kind::Other, 2),
            b'+' if next != b'=' => (Kind::Plus, 1),
            b'-' if next != b'=' => (Kind::Minus, 1),
            b'<' if next == b'<' => (Kind::Other, 2),
            b'&' | b'|' | b'?' if next == byte => (Kind::Other, 2),
            b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^' | b'<' | b'>' | b'!' | b'~' | b'?'
                if next == b'=' =>
            {
                (Kind::Other, 2)
            }
            b'*' | b'&' | b'<' | b'>' | b'~' => (Kind::TypeSign, 1),
            b',' => (Kind::Comma, 1),
            b';' => (Kind::Semicolon, 1),
            b'(' => (Kind::Open(Bracket::Round), 1),
            b')' => (Kind::Close(Bracket::Round), 1),
            b'[' => (Kind::Open(Bracket::Square), 1),
            b']' => (Kind::Close(Bracket::Square), 1),
            b'{' => {
                if let Some(depth) = self.template_depths.last_mut() {
                    *depth += 1;
                }
                (Kind::Open(Bracket::Curly), 1)
            }
            b'}' => return self.close_curly(),
            b'@' => (Kind::At, 1),
            _ => (Kind::Other, 1),
        };
        self.at += length;
        kind
    }

    /// A `}`: a bracket, or the end of a template literal's `${…}`, whose text goes on behind it.
    fn close_curly(&mut self) -> Kind {
        self.at += 1;
        match self.template_depths.last_mut() {
            Some(0) => {
                self.template_depths.pop();
                self.template();
                Kind::Other
            }
            Some(depth) => {
                *depth -= 1;
                Kind::Close(Bracket::Curly)
            }
            None => Kind::Close(Bracket::Curly),
        }
    }

    /// Reads template text to its end or its next `${`.
    pub(super) fn template(&mut self) -> Kind {
        let start = self.at;
        let mut kind = Kind::Text;
        loop {
            let Some(skipped) = memchr3(b'`', b'\\', b'$', &self.source[self.at..]) else {
                self.at = self.source.len();
                break;
            };
            self.at += skipped + 1;
            match self.source[self.at - 1] {
                b'`' => break,
                b'\\' => self.at = (self.at + 1).min(self.source.len()),
                _ if self.peek(0) == b'{' => {
                    self.at += 1;
                    self.template_depths.push(0);
                    kind = Kind::Other;
                    break;
                }
                _ => {}
            }
        }
        self.count_lines(start);
        kind
    }
}
