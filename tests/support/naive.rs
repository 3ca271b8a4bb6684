//! A search that nobody could get wrong: every blob, every line, one regular expression. Shares no code with the product.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use regex::Regex;

use crate::support::oracle::{blob, ls_tree};

/// (path, line from 1).
pub type Hits = BTreeSet<(Vec<u8>, u32)>;

/// How a term is matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Word,
    Literal,
    Decimal,
}

/// All files of a commit in memory.
pub struct Corpus {
    pub files: BTreeMap<Vec<u8>, Vec<u8>>,
}

/// What is not searched, told by the bytes.
pub fn skip_reason(bytes: &[u8]) -> Option<&'static str> {
    let start = &bytes[..bytes.len().min(8_000)];
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        return Some("utf16");
    }
    if start.contains(&0) {
        let half: Vec<bool> = start.iter().map(|byte| *byte == 0).collect();
        let nuls = |offset: usize| half.iter().skip(offset).step_by(2).filter(|nul| **nul).count();
        let alternates =
            half.len() >= 4 && (nuls(0) == half.len() / 2 && nuls(1) == 0 || nuls(1) == half.len() / 2 && nuls(0) == 0);
        return Some(if alternates { "utf16" } else { "binary" });
    }
    (bytes.len() < 1_024 && bytes.starts_with(b"version https://git-lfs.github.com/spec/v1\noid "))
        .then_some("lfs_pointer")
}

impl Corpus {
    /// Reads every regular file that Git has.
    pub fn read(repository: &Path, commit: &str) -> Self {
        let entries = ls_tree(repository, commit);
        let files = entries.into_iter().filter(|entry| entry.mode.starts_with("100"));
        Self { files: files.map(|entry| (entry.path, blob(repository, &entry.oid))).collect() }
    }

    /// Every line of a searchable file below `prefix` that holds the term.
    pub fn search(&self, term: &str, mode: Mode, prefix: &[u8]) -> Hits {
        let mut hits = Hits::new();
        for (path, bytes) in self.files.iter().filter(|(path, _)| path.starts_with(prefix)) {
            if skip_reason(bytes).is_some() {
                continue;
            }
            for (line, number) in bytes.split(|byte| *byte == b'\n').zip(1..) {
                if holds(line, term, mode) {
                    hits.insert((path.clone(), number));
                }
            }
        }
        hits
    }
}

fn holds(line: &[u8], term: &str, mode: Mode) -> bool {
    if !line.windows(term.len()).any(|part| part == term.as_bytes()) {
        return false;
    }
    if mode == Mode::Literal {
        return true;
    }
    thread_local! {
        static RULES: [Regex; 5] = [
            r"\w+",
            r"^(?:[uU](?:[lL]{0,2}|[zZ])|[lL]{1,2}[uU]?|[zZ][uU]?|[iu](?:8|16|32|64|128|size)|n)?$",
            r"^(?:\.[0-9]|\.?[eE][+-]?[0-9]|'[0-9])",
            r"^\.[fFlL](?:\W|$)",
            r"(?:(?:^|[^\w)\].])\.|[0-9][.'])$",
        ].map(|rule| Regex::new(rule).unwrap());
    }
    let text = String::from_utf8_lossy(line);
    RULES.with(|[word, suffix, fraction, float, lead]| {
        word.find_iter(&text).any(|run| {
            if mode == Mode::Word {
                return run.as_str() == term;
            }
            let digits = run.as_str().bytes().take_while(u8::is_ascii_digit).count();
            let after = &text[run.start() + digits..];
            &run.as_str()[..digits] == term
                && suffix.is_match(&run.as_str()[digits..])
                && !fraction.is_match(after)
                && !float.is_match(after)
                && !lead.is_match(&text[..run.start()])
        })
    })
}
