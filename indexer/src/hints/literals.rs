//! String, character and regular-expression literals of each language, for the lexer.
//!
//! A literal that may not hold a line end but is not closed ends with its line, any other with the file.

use memchr::{memchr, memchr2, memchr3, memmem};
use pincite_shared::language::Language;

use super::lexer::{Kind, Lexer};

/// Whether a literal may run over line ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lines {
    One,
    Many,
}

impl Lexer<'_> {
    /// Reads the literal that begins with the sign `byte`; `None`, and nothing read, if none does.
    pub(super) fn literal(&mut self, byte: u8) -> Option<Kind> {
        use Language::*;
        match (self.language, byte) {
            (CSharp, b'@' | b'$') => return self.c_sharp_literal(),
            (Lua, b'[') => return self.long_bracket().then_some(Kind::Text),
            (Go, b'`') => {
                self.at += 1;
                self.until(b"`", self.at - 1);
            }
            (JavaScript | TypeScript | Tsx, b'`') => {
                self.at += 1;
                return Some(self.template());
            }
            (JavaScript | TypeScript | Tsx, b'/') if self.operand_expected => {
                self.regular_expression();
                return Some(Kind::Other);
            }
            (Sql, b'`') => {
                self.quoted(b'`', Lines::One);
                return Some(Kind::Word);
            }
            (Sql, b'"' | b'\'') => self.quoted(byte, Lines::Many),
            (Rust, b'\'') => return Some(self.rust_quote()),
            (Rust, b'"') => self.quoted(byte, Lines::Many),
            (Python, b'"' | b'\'') => self.python_literal(byte, self.at),
            (Java | CSharp, b'"') if self.source[self.at..].starts_with(b"\"\"\"") => self.text_block(self.at),
            (_, b'"' | b'\'') => self.quoted(byte, Lines::One),
            _ => return None,
        }
        Some(Kind::Text)
    }

    /// Reads the literal whose prefix is the word from `start` to here; false, and nothing read, if it is none.
    pub(super) fn prefixed_literal(&mut self, start: usize) -> bool {
        let quote = self.peek(0);
        let prefix = &self.source[start..self.at];
        match self.language {
            Language::C | Language::Cpp if quote != b'#' => match prefix {
                b"R" | b"LR" | b"uR" | b"UR" | b"u8R" if quote == b'"' => self.cpp_raw(start),
                b"L" | b"u" | b"U" | b"u8" => self.quoted(quote, Lines::One),
                _ => return false,
            },
            Language::Python if quote != b'#' && prefix.len() <= 2 => {
                if !prefix.iter().all(|byte| b"rRbBuUfFtT".contains(byte)) {
                    return false;
                }
                self.python_literal(quote, start);
            }
            Language::Rust => match prefix {
                b"r" | b"br" | b"cr" if quote != b'\'' => return self.rust_raw(start),
                b"b" | b"c" if quote != b'#' => self.quoted(quote, Lines::Many),
                _ => return false,
            },
            Language::Sql if quote == b'\'' && matches!(prefix, b"N" | b"x" | b"X" | b"b" | b"B" | b"E") => {
                self.quoted(quote, Lines::Many);
            }
            _ => return false,
        }
        true
    }

    /// From the quote here to the next one that no backslash escapes. A doubled quote in SQL is part of the text.
    fn quoted(&mut self, quote: u8, lines: Lines) {
        let start = self.at;
        self.at += 1;
        loop {
            let rest = &self.source[self.at..];
            let found = match lines {
                Lines::One => memchr3(quote, b'\\', b'\n', rest),
                Lines::Many => memchr2(quote, b'\\', rest),
            };
            let Some(skipped) = found else {
                self.at = self.source.len();
                break;
            };
            self.at += skipped;
            match self.source[self.at] {
                b'\n' => break,
                b'\\' if quote != b'`' => {
                    self.at = (self.at + if self.peek(1) == b'\r' { 3 } else { 2 }).min(self.source.len());
                }
                byte if byte == quote && self.language == Language::Sql && self.peek(1) == quote => self.at += 2,
                byte => {
                    self.at += 1;
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        self.count_lines(start);
    }

    /// To behind `closing`, or to the end of the file; lines are counted from `start`.
    fn until(&mut self, closing: &[u8], start: usize) {
        self.at = match memmem::find(&self.source[self.at..], closing) {
            Some(skipped) => self.at + skipped + closing.len(),
            None => self.source.len(),
        };
        self.count_lines(start);
    }

    fn python_literal(&mut self, quote: u8, start: usize) {
        let triple = [quote; 3];
        if !self.source[self.at..].starts_with(&triple) {
            // Raw strings too: a backslash keeps the quote from closing them.
            self.quoted(quote, Lines::One);
            return;
        }
        self.at += 3;
        loop {
            let Some(skipped) = memchr2(quote, b'\\', &self.source[self.at..]) else {
                self.at = self.source.len();
                break;
            };
            self.at += skipped;
            if self.source[self.at] == b'\\' {
                self.at = (self.at + 2).min(self.source.len());
            } else if self.source[self.at..].starts_with(&triple) {
                self.at += 3;
                break;
            } else {
                self.at += 1;
            }
        }
        self.count_lines(start);
    }

    /// `"""…"""` of Java, and of C# with any number of quotes from three on.
    fn text_block(&mut self, start: usize) {
        let run = self.source[self.at..].iter().take_while(|&&byte| byte == b'"').count();
        let quotes = if self.language == Language::CSharp { run } else { 3 };
        let closing = self.source[self.at..self.at + quotes].to_vec();
        self.at += quotes;
        self.until(&closing, start);
    }

    /// `R"x(…)x"`
    fn cpp_raw(&mut self, start: usize) {
        let rest = &self.source[self.at + 1..];
        // The standard allows 16 bytes of delimiter.
        let Some(length) = memchr(b'(', &rest[..rest.len().min(17)]) else {
            self.quoted(b'"', Lines::One);
            return;
        };
        let closing = [b")", &rest[..length], b"\""].concat();
        self.at += length + 2;
        self.until(&closing, start);
    }

    /// `r"…"`, `r#"…"#`; a raw identifier `r#name` is not one.
    fn rust_raw(&mut self, start: usize) -> bool {
        let hashes = self.source[self.at..].iter().take_while(|&&byte| byte == b'#').count();
        if self.peek(hashes) != b'"' {
            return false;
        }
        let mut closing = vec![b'#'; hashes + 1];
        closing[0] = b'"';
        self.at += hashes + 1;
        self.until(&closing, start);
        true
    }

    /// A character or a lifetime.
    fn rust_quote(&mut self) -> Kind {
        let character = self.peek(1);
        let width = match character {
            0xf0.. => 4,
            0xe0.. => 3,
            0xc0.. => 2,
            _ => 1,
        };
        if character == b'\\' || self.peek(1 + width) == b'\'' {
            self.quoted(b'\'', Lines::One);
            return Kind::Text;
        }
        self.at += 1;
        while self.peek(0).is_ascii_alphanumeric() || self.peek(0) == b'_' {
            self.at += 1;
        }
        Kind::Other
    }

    /// `@"…"`, `$"…"`, `$@"…"`, `$"""…"""`; `@name` is no literal.
    fn c_sharp_literal(&mut self) -> Option<Kind> {
        let start = self.at;
        let prefix = self.source[start..].iter().take_while(|&&byte| matches!(byte, b'@' | b'$')).count();
        if self.peek(prefix) != b'"' {
            // The whole run at once, so that a long one is not counted again from each of its bytes.
            self.at += prefix;
            return Some(Kind::Other);
        }
        let verbatim = self.source[start..start + prefix].contains(&b'@');
        let filled = self.source[start..start + prefix].contains(&b'$');
        self.at += prefix;
        if !verbatim && self.source[self.at..].starts_with(b"\"\"\"") {
            self.text_block(start);
        } else {
            self.at += 1;
            self.c_sharp_text(verbatim, filled);
            self.count_lines(start);
        }
        Some(if filled { Kind::Other } else { Kind::Text })
    }

    fn c_sharp_text(&mut self, verbatim: bool, filled: bool) {
        let mut holes = 0_u32;
        while let Some(&byte) = self.source.get(self.at) {
            self.at += 1;
            match byte {
                b'\n' if !verbatim => {
                    self.at -= 1;
                    return;
                }
                b'\\' if !verbatim => self.at = (self.at + 1).min(self.source.len()),
                b'{' | b'}' if filled && holes == 0 && self.peek(0) == byte => self.at += 1,
                b'{' if filled => holes += 1,
                b'}' => holes = holes.saturating_sub(1),
                b'"' if holes > 0 => {
                    // A literal inside a hole.
                    let rest = &self.source[self.at..];
                    self.at += memchr2(b'"', b'\n', rest).map_or(rest.len(), |length| length + 1);
                    if self.source[self.at - 1] == b'\n' {
                        self.at -= 1;
                    }
                }
                b'"' if verbatim && self.peek(0) == b'"' => self.at += 1,
                b'"' => return,
                _ => {}
            }
        }
    }

    /// Lua's `[[…]]` and `[==[…]==]`; false, and nothing read, if none begins here.
    pub(super) fn long_bracket(&mut self) -> bool {
        if self.peek(0) != b'[' {
            return false;
        }
        let level = self.source[self.at + 1..].iter().take_while(|&&byte| byte == b'=').count();
        if self.peek(level + 1) != b'[' {
            return false;
        }
        let start = self.at;
        let mut closing = vec![b'='; level + 2];
        closing[0] = b']';
        closing[level + 1] = b']';
        self.at += level + 2;
        self.until(&closing, start);
        true
    }

    /// A regular expression is no value that a name is looked for in.
    fn regular_expression(&mut self) {
        self.at += 1;
        let mut in_class = false;
        while let Some(&byte) = self.source.get(self.at) {
            match byte {
                b'\n' => return,
                b'\\' if self.peek(1) != b'\n' => self.at = (self.at + 2).min(self.source.len()),
                b'/' if !in_class => {
                    self.at += 1;
                    return;
                }
                _ => {
                    in_class = (in_class || byte == b'[') && byte != b']';
                    self.at += 1;
                }
            }
        }
    }
}
