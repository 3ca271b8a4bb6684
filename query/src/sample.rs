//! Draws terms of each kind from a commit's own files, for benchmarks: the same seed gives the same terms.

use std::collections::BTreeSet;

use fastrand::Rng;
use pincite_shared::deadline::Deadline;
use pincite_shared::failure::{Code, Failure};
use pincite_shared::index_format::manifest::{Row, State};
use pincite_shared::term::is_identifier;
use pincite_shared::tokenizer::{TokenKind, scan};
use pincite_shared::wire::request::{Request, SearchMode};

use crate::engine::{Engine, Session};

/// What a benchmark asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SampleKind {
    /// A whole word; frequent ones are drawn as often as they stand in the text.
    Word,
    /// A whole decimal number.
    Decimal,
    /// A fixed string of several words with what stands between them.
    Phrase,
    /// A piece from within a word.
    Piece,
    /// A word that is nowhere.
    Absent,
    /// `source.context` of a word.
    Context,
    /// `source.context` of a number.
    ContextOfNumber,
}

impl SampleKind {
    /// Every kind, in the order of the report.
    pub const ALL: [Self; 7] =
        [Self::Word, Self::Decimal, Self::Phrase, Self::Piece, Self::Absent, Self::Context, Self::ContextOfNumber];

    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Word => "word",
            Self::Decimal => "decimal",
            Self::Phrase => "phrase",
            Self::Piece => "piece",
            Self::Absent => "absent",
            Self::Context => "context",
            Self::ContextOfNumber => "context_of_number",
        }
    }

    fn request(self, text: String) -> Request {
        let search = |mode| Request::Search { text: text.clone(), mode, path_prefix: String::new(), max_matches: None };
        match self {
            Self::Word | Self::Absent => search(SearchMode::Word),
            Self::Decimal => search(SearchMode::Decimal),
            Self::Phrase | Self::Piece => search(SearchMode::Literal),
            Self::Context | Self::ContextOfNumber => Request::context(text.clone(), ""),
        }
    }
}

/// How often a file is drawn for each term that is wanted, before the commit is said to have none.
const TRIES: usize = 200;

/// Files larger than this are not drawn from: a sample should not take longer than what it measures.
const MAX_DRAWN_BYTES: u64 = 1 << 20;

/// Up to `count` different requests of each kind.
///
/// # Errors
/// `not_found` when no file of the commit is searchable; of the index and the repository.
pub fn sample(engine: &Engine, seed: u64, count: usize) -> Result<Vec<(SampleKind, Vec<Request>)>, Failure> {
    let manifest = &engine.snapshot.manifest;
    let mut rows: Vec<Row> = Vec::new();
    for row in 0..manifest.len() {
        let facts = manifest.facts(row)?;
        if matches!(facts.state, State::Document { .. }) && (1..=MAX_DRAWN_BYTES).contains(&facts.bytes) {
            rows.push(row);
        }
    }
    if rows.is_empty() {
        return Err(Failure::new(Code::NotFound, "no file of the commit is searchable, so no term can be drawn"));
    }
    let session = Session::new(engine, Deadline::never())?;
    let evidence = session.evidence();
    let mut rng = Rng::with_seed(seed);
    let mut samples = Vec::new();
    for kind in SampleKind::ALL {
        let mut texts = BTreeSet::new();
        let mut requests = Vec::new();
        for _ in 0..TRIES * count {
            if requests.len() == count {
                break;
            }
            let file = evidence.read(rows[rng.usize(..rows.len())])?;
            let Some(text) = draw(kind, file.bytes(), &mut rng) else { continue };
            if texts.insert(text.clone()) {
                requests.push(kind.request(text));
            }
        }
        samples.push((kind, requests));
    }
    Ok(samples)
}

fn draw(kind: SampleKind, bytes: &[u8], rng: &mut Rng) -> Option<String> {
    let mut tokens: Vec<(TokenKind, &[u8], usize)> = Vec::new();
    scan(bytes, &mut |token| tokens.push((token.kind, token.text, token.start)));
    let pick = |wanted: &dyn Fn(TokenKind, &str) -> bool, rng: &mut Rng| -> Option<(String, usize)> {
        let start = rng.usize(..tokens.len().max(1));
        let turned = tokens.iter().skip(start).chain(tokens.iter().take(start));
        let mut texts = turned.filter_map(|(kind, text, at)| Some((*kind, str::from_utf8(text).ok()?, *at)));
        texts.find(|(kind, text, _)| wanted(*kind, text)).map(|(_, text, at)| (text.to_owned(), at))
    };
    let word = |kind: TokenKind, text: &str| kind == TokenKind::Word && is_identifier(text) && text.len() > 2;
    let number = |kind: TokenKind, text: &str| kind == TokenKind::Decimal && (2..=9).contains(&text.len());
    match kind {
        SampleKind::Word | SampleKind::Context => pick(&word, rng).map(|(text, _)| text),
        SampleKind::Decimal | SampleKind::ContextOfNumber => pick(&number, rng).map(|(text, _)| text),
        SampleKind::Absent => {
            let (text, _) = pick(&word, rng)?;
            let noise: String = (0..8).map(|_| rng.lowercase()).collect();
            Some(format!("{}_{noise}", &text.chars().take(40).collect::<String>()))
        }
        SampleKind::Piece => {
            let long = |kind: TokenKind, text: &str| word(kind, text) && text.is_ascii() && text.len() > 6;
            let (text, _) = pick(&long, rng)?;
            let start = rng.usize(1..text.len() - 4);
            let end = rng.usize(start + 3..text.len());
            Some(text[start..end].to_owned())
        }
        SampleKind::Phrase => {
            let (_, at) = pick(&word, rng)?;
            let line = bytes[at..].split(|byte| matches!(byte, b'\n' | b'\r')).next()?;
            let line = str::from_utf8(&line[..line.len().min(60)]).ok()?;
            let length = rng.usize(8..=40);
            let phrase: String = line.chars().take(length).collect();
            let phrase = phrase.trim_end();
            (phrase.len() >= 6 && !is_identifier(phrase)).then(|| phrase.to_owned())
        }
    }
}
