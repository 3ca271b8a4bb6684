//! What a naive scan says about lines that a search does not count: every line, one regular expression after the other.
//! Shares no code with the product.

use std::collections::BTreeMap;

use regex::Regex;

use crate::naive::{Corpus, Hits, Mode, skip_reason};

const SUFFIX: &str = "(?:[uU](?:[lL]{0,2}|[zZ])|[lL]{1,2}[uU]?|[zZ][uU]?|[iu](?:8|16|32|64|128|size)|n)";
const FRACTION: &str = r"^(?:\.[0-9]|\.?[eE][+-]?[0-9]|'[0-9]|\.[fFlL](?:\W|$))";
const LEAD: &str = r"(?:(?:^|[^\w)\].])\.|[0-9][.'])$";

/// Lines by category, without zeros. `extensions` empty is every file.
pub fn elsewhere(corpus: &Corpus, term: &str, mode: Mode, prefix: &[u8], extensions: &[&str]) -> BTreeMap<String, u64> {
    let everywhere = corpus.search(term, mode, b"");
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let mut add = |category: &str| *counts.entry(category.into()).or_default() += 1;
    let (mut own, outside): (Hits, Hits) = everywhere.into_iter().partition(|(path, _)| path.starts_with(prefix));
    outside.iter().for_each(|_| add("outside_path_prefix"));
    own.retain(|(path, _)| {
        let configured = is_configured(path, extensions);
        if !configured {
            add("outside_extensions");
        }
        configured
    });
    let rules = Rules::new(term);
    for (path, bytes) in &corpus.files {
        if !path.starts_with(prefix) || !is_configured(path, extensions) || skip_reason(bytes).is_some() {
            continue;
        }
        let c = matches!(extension(path).as_str(), "c" | "cc" | "cpp" | "cxx" | "h" | "hh" | "hpp" | "hxx" | "inc");
        for (line, number) in bytes.split(|byte| *byte == b'\n').zip(1..) {
            if !own.contains(&(path.clone(), number)) {
                let line = String::from_utf8_lossy(line);
                rules.categories(line.strip_suffix('\r').unwrap_or(&line), mode, c).into_iter().for_each(&mut add);
            }
        }
    }
    counts
}

fn extension(path: &[u8]) -> String {
    let path = String::from_utf8_lossy(path).to_lowercase();
    let name = path.rsplit('/').next().unwrap_or_default();
    name.rsplit_once('.').map(|(_, extension)| extension.to_owned()).unwrap_or_default()
}

fn is_configured(path: &[u8], extensions: &[&str]) -> bool {
    extensions.is_empty() || extensions.contains(&extension(path).as_str())
}

struct Rules {
    term: String,
    word: Regex,
    other_case: Regex,
    other_word: Regex,
    exponent: Regex,
    signed: Regex,
    number: Regex,
    last_of_float: Regex,
    suffix: Regex,
    fraction: Regex,
    point: Regex,
    lead: Regex,
    /// For terms of digits.
    notations: Option<(Regex, Regex, Regex)>,
}

impl Rules {
    fn new(term: &str) -> Self {
        let rule = |text: &str| Regex::new(text).unwrap();
        let literal = regex::escape(term);
        let groups = "[0-9]+(?:_+[0-9]+)*";
        let notations = term.bytes().all(|byte| byte.is_ascii_digit()).then(|| {
            let value: u128 = term.parse().unwrap();
            let hexadecimal = if value == 0 { "0+".to_owned() } else { format!("0*(?i:{value:x})") };
            let with = |separator: &str| term.chars().map(String::from).collect::<Vec<_>>().join(separator);
            (
                rule(&format!("^0[xX]{hexadecimal}{SUFFIX}?$")),
                rule(&format!("^({})(_*)({SUFFIX}?)$", with("_*"))),
                rule(&format!("^{}", with("'?"))),
            )
        });
        Self {
            term: term.into(),
            word: rule(r"\w+"),
            other_case: rule(&format!("(?i){literal}")),
            other_word: rule(&format!("(?i)^{literal}$")),
            exponent: rule(&format!("^{groups}[eE][0-9]")),
            signed: rule(&format!("^{groups}[eE]$")),
            number: rule(&format!("^({groups}){SUFFIX}?$")),
            last_of_float: rule(&format!("^{groups}(?:{SUFFIX}|[eEfFdD]|f32|f64)?$")),
            suffix: rule(&format!("^{SUFFIX}?$")),
            fraction: rule(FRACTION),
            point: rule(r"(?:^|[^\w)\].]|[0-9])\.$"),
            lead: rule(LEAD),
            notations,
        }
    }

    fn categories(&self, line: &str, mode: Mode, c: bool) -> std::collections::BTreeSet<&'static str> {
        let mut found = std::collections::BTreeSet::new();
        if mode == Mode::Literal && self.other_case.is_match(line) {
            found.insert("other_case");
        }
        for run in self.word.find_iter(line) {
            let holds = run.as_str().contains(&self.term);
            match mode {
                Mode::Literal => {}
                Mode::Word if self.other_word.is_match(run.as_str()) => {
                    found.insert("other_case");
                }
                Mode::Word if holds => {
                    found.insert("inside_longer_words");
                }
                Mode::Decimal if holds => {
                    found.insert(self.part(line, run.start(), run.end()));
                }
                _ => {}
            }
        }
        if mode != Mode::Word && self.is_hexadecimal(line) {
            found.insert("as_hexadecimal");
        }
        if mode != Mode::Word && self.is_separated(line, c) {
            found.insert("with_separators");
        }
        found
    }

    fn part(&self, line: &str, start: usize, end: usize) -> &'static str {
        let (before, run, after) = (&line[..start], &line[start..end], &line[end..]);
        let signed = self.signed.is_match(run) && after.starts_with(['+', '-']);
        let signed = signed && after[1..].starts_with(|c: char| c.is_ascii_digit());
        let ends_float = self.point.is_match(before) && self.last_of_float.is_match(run);
        let groups = self.number.captures(run).map(|groups| groups[1].len());
        let begins_float = groups == Some(run.len()) && self.fraction.is_match(after) && after.starts_with('.');
        if self.exponent.is_match(run) || signed || ends_float || begins_float {
            "in_floats"
        } else if groups.is_some() {
            "inside_longer_numbers"
        } else {
            "inside_longer_words"
        }
    }

    fn is_hexadecimal(&self, line: &str) -> bool {
        let Some((hexadecimal, _, _)) = &self.notations else { return false };
        self.word.find_iter(line).any(|run| hexadecimal.is_match(run.as_str()))
    }

    fn is_separated(&self, line: &str, c: bool) -> bool {
        let Some((_, underscores, quotes)) = &self.notations else { return false };
        let by_underscores = self.word.find_iter(line).any(|run| {
            let Some(groups) = underscores.captures(run.as_str()) else { return false };
            let (number, trail, suffix) = (&groups[1], &groups[2], &groups[3]);
            let after = &line[run.start() + number.len() + trail.len()..];
            (number.contains('_') || !trail.is_empty())
                && (trail.is_empty() || !suffix.is_empty())
                && !self.fraction.is_match(after)
                && !self.lead.is_match(&line[..run.start()])
        });
        let by_quotes = c
            && line.char_indices().any(|(at, _)| {
                let Some(number) = quotes.find(&line[at..]) else { return false };
                let after = &line[at + number.end()..];
                let suffix = self.word.find(after).filter(|run| run.start() == 0).map_or("", |run| run.as_str());
                number.as_str().contains('\'')
                    && self.word.find_iter(&line[..at]).all(|run| run.end() < at)
                    && self.suffix.is_match(suffix)
                    && !self.fraction.is_match(after)
                    && !self.lead.is_match(&line[..at])
            });
        by_underscores || by_quotes
    }
}
