//! Hands the tokens of a blob to tantivy: each once a line, with the line as its position.

use pincite_shared::index_format::terms;
use pincite_shared::tokenizer::{TokenKind, scan};
use tantivy::tokenizer::{TextAnalyzer, Token, TokenStream, Tokenizer, TokenizerManager};

/// tantivy's registry with our tokenizer only.
pub(crate) fn tokenizers() -> TokenizerManager {
    let manager = TokenizerManager::new();
    manager.register(terms::TOKENIZER, TextAnalyzer::from(LineTokenizer));
    manager
}

#[derive(Clone)]
struct LineTokenizer;

impl Tokenizer for LineTokenizer {
    type TokenStream<'a> = LineTokens<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> LineTokens<'a> {
        LineTokens { text, token: Token::default(), collected: None }
    }
}

struct LineTokens<'a> {
    text: &'a str,
    token: Token,
    /// Only for callers that pull; tantivy's indexing pushes through [`TokenStream::process`].
    collected: Option<std::vec::IntoIter<Token>>,
}

impl TokenStream for LineTokens<'_> {
    fn advance(&mut self) -> bool {
        if self.collected.is_none() {
            let mut all = Vec::new();
            self.process(&mut |token| all.push(token.clone()));
            self.collected = Some(all.into_iter());
        }
        match self.collected.as_mut().and_then(Iterator::next) {
            Some(token) => {
                self.token = token;
                true
            }
            None => false,
        }
    }

    fn token(&self) -> &Token {
        &self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.token
    }

    fn process(&mut self, sink: &mut dyn FnMut(&Token)) {
        let mut token = Token { position: 0, ..Token::default() };
        let mut seen = SeenOnLine::default();
        let text = self.text.as_bytes();
        scan(text, &mut |found| {
            let mark = match found.kind {
                TokenKind::Word => None,
                TokenKind::Decimal => Some(terms::DECIMAL),
                TokenKind::SuffixedDecimal => Some(terms::SUFFIXED),
                TokenKind::Long => Some(terms::LONG),
            };
            let start = if mark == Some(terms::LONG) { 0..0 } else { found.start..found.start + found.text.len() };
            if !seen.is_new(text, found.line, mark.unwrap_or(0), start.clone()) {
                return;
            }
            let line = found.line as usize;
            // tantivy does not check this in release builds, and answers wrongly if it does not hold.
            assert!(line >= token.position, "lines never decrease within a blob");
            token.position = line;
            token.text.clear();
            token.text.extend(mark.map(char::from));
            // The text is valid UTF-8 and a run begins and ends at characters.
            token.text.push_str(self.text.get(start).unwrap_or_default());
            sink(&token);
        });
    }
}

/// The distinct tokens of the current line. Small lines are searched one by one, long ones through a table, so that
/// a line of 50,000 tokens costs no more a token than any other.
#[derive(Default)]
struct SeenOnLine {
    line: u32,
    tokens: Vec<(u8, std::ops::Range<usize>)>,
    /// Positions in `tokens` plus one, by hash; used once there are more than [`SMALL`] tokens.
    table: Vec<u32>,
}

const SMALL: usize = 12;

impl SeenOnLine {
    fn is_new(&mut self, text: &[u8], line: u32, mark: u8, range: std::ops::Range<usize>) -> bool {
        if line != self.line {
            self.line = line;
            self.tokens.clear();
            self.table.clear();
        }
        let bytes = &text[range.clone()];
        if self.tokens.len() < SMALL {
            if self.tokens.iter().any(|(other, known)| *other == mark && text[known.clone()] == *bytes) {
                return false;
            }
            self.tokens.push((mark, range));
            return true;
        }
        if self.tokens.len() * 2 >= self.table.len() {
            self.grow(text);
        }
        match self.slot(text, mark, bytes) {
            Ok(_) => false,
            Err(free) => {
                self.tokens.push((mark, range));
                self.table[free] = self.tokens.len() as u32;
                true
            }
        }
    }

    /// Where the token is, or the free slot where it belongs.
    fn slot(&self, text: &[u8], mark: u8, bytes: &[u8]) -> Result<usize, usize> {
        let mask = self.table.len() - 1;
        let mut at = hash(mark, bytes) as usize & mask;
        loop {
            match self.table[at] {
                0 => return Err(at),
                number => {
                    let (other, known) = &self.tokens[number as usize - 1];
                    if *other == mark && text[known.clone()] == *bytes {
                        return Ok(at);
                    }
                }
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self, text: &[u8]) {
        self.table = vec![0; (self.table.len() * 2).max(SMALL.next_power_of_two() * 4)];
        for number in 0..self.tokens.len() {
            let (mark, range) = self.tokens[number].clone();
            if let Err(free) = self.slot(text, mark, &text[range]) {
                self.table[free] = number as u32 + 1;
            }
        }
    }
}

/// FNV-1a; only spreads tokens over a table, equality is by bytes.
fn hash(mark: u8, bytes: &[u8]) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = bytes.iter().fold(mix(0xcbf2_9ce4_8422_2325, &mark), mix);
    hash ^ (hash >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<(usize, String)> {
        let mut found = Vec::new();
        LineTokenizer.token_stream(text).process(&mut |token| found.push((token.position, token.text.clone())));
        found
    }

    //
    #[test]
    fn a_token_is_given_once_a_line() {
        let expected = [(0, "a"), (0, "\u{1}1"), (1, "a"), (1, "b")].map(|(line, text)| (line, text.to_owned()));
        assert_eq!(tokens("a 1 a 1 a\na b a"), expected);
    }

    #[test]
    fn long_lines_keep_every_distinct_token() {
        let line: Vec<String> = (0..5_000).map(|number| format!("w{}", number % 1_700)).collect();
        let found = tokens(&line.join(" "));
        assert_eq!(found.len(), 1_700);
        let distinct: std::collections::HashSet<_> = found.iter().map(|(_, text)| text).collect();
        assert_eq!(distinct.len(), 1_700);
    }

    #[test]
    fn pulling_gives_what_pushing_gives() {
        let (mut pulled, mut tokenizer) = (Vec::new(), LineTokenizer);
        let mut stream = tokenizer.token_stream("x = 1u\ny");
        while stream.advance() {
            pulled.push((stream.token().position, stream.token().text.clone()));
        }
        assert_eq!(pulled, tokens("x = 1u\ny"));
    }
}
