//! Random terms on random repositories: every search equals the naive scan of the same Git objects, as full sets of
//! (path, line), and for literals also `git grep`.

use std::path::Path;

use pincite_indexer::{HintsWanted, IndexOptions, NoProgress};
use pincite_query::{Answer, Engine};
use pincite_shared::git::Repository;
use pincite_shared::ids::Oid;
use pincite_shared::settings::Settings;
use pincite_shared::wire::request::{Request, SearchMode};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::naive::{Corpus, Hits, Mode};
use crate::pincite::hits;
use crate::support::oracle::git_grep_fixed;
use crate::support::repository::TestRepository;

fn engine(repository: &Path, commit: &str, index: &Path, options: &IndexOptions) -> Engine {
    let open = Repository::open(repository).unwrap();
    let commit = Oid::from_hex(commit).unwrap();
    pincite_indexer::index(&open, index, commit, options, &NoProgress).unwrap();
    Engine::open(open, index, Some(commit), Settings::unlimited()).unwrap()
}

fn found(engine: &Engine, term: &str, mode: Mode, prefix: &str) -> Hits {
    let mode = match mode {
        Mode::Word => SearchMode::Word,
        Mode::Literal => SearchMode::Literal,
        Mode::Decimal => SearchMode::Decimal,
    };
    let request = Request::Search { text: term.into(), mode, path_prefix: prefix.into(), max_matches: None };
    let answer = engine.answer(&request).unwrap();
    let Answer::Search(result) = &answer else { unreachable!("a search gives a search result") };
    let listed = hits(&serde_json::to_value(&answer).unwrap());
    assert_eq!(result.searches[0].matches, listed.len() as u64, "totals are exact");
    assert_eq!(result.searches[0].complete, result.searches[0].skipped.is_empty());
    listed
}

/// Modes in which a text is a term.
fn modes(term: &str) -> Vec<Mode> {
    let mut modes = vec![Mode::Literal];
    let word = regex::Regex::new(r"^\w+$").unwrap();
    if word.is_match(term) {
        modes.push(Mode::Word);
    }
    if term.bytes().all(|byte| byte.is_ascii_digit()) {
        modes.push(Mode::Decimal);
    }
    modes
}

fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => "[abc_]{1,4}".prop_map(String::into_bytes),
        4 => "[0-9]{1,4}".prop_map(String::into_bytes),
        4 => "[ .,;'()=+\\-]".prop_map(String::into_bytes),
        2 => "\r?\n".prop_map(String::into_bytes),
        1 => "u32|ull|e5|0x1F|é|\u{301}|größe|\u{2028}|\r|\"".prop_map(String::into_bytes),
        1 => proptest::collection::vec(any::<u8>(), 1..3).prop_map(|mut bytes| {
            // A NUL makes the whole file binary; the planted repository covers that.
            bytes.retain(|byte| *byte != 0);
            bytes
        }),
    ]
}

fn files() -> impl Strategy<Value = Vec<(String, Vec<u8>)>> {
    let path = prop_oneof!["src/[ab]\\.c", "src/[ab]/[ab]\\.(py|sql|txt)", "[abc](\\.md)?"];
    let content = proptest::collection::vec(piece(), 0..120).prop_map(|pieces| pieces.concat());
    proptest::collection::vec((path, content), 1..10)
}

/// Terms cut out of the files at random places, so that most occur, and some that do not.
fn terms() -> impl Strategy<Value = Vec<(usize, usize, usize)>> {
    proptest::collection::vec((0usize..1 << 16, 0usize..1 << 16, 1usize..9), 1..40)
}

// A-01 T-02 T-03 T-04 T-05 X-01
#[test]
fn every_search_equals_a_naive_scan() {
    let config = Config { cases: 24, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(
        config,
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    let strategy = (files(), terms(), "[ab1.' ]{1,3}", "(src/|src/a|[ab])?");
    let result = runner.run(&strategy, |(files, cuts, invented, prefix)| {
        let repository = TestRepository::new();
        let mut by_path = std::collections::BTreeMap::new();
        by_path.extend(files);
        // A file and a folder of one name can not stand beside each other.
        for (path, content) in &by_path {
            repository.raw_entry("100644", path, content);
        }
        let commit = repository.commit("random");
        let corpus = Corpus::read(repository.path(), &commit);
        let index = tempfile::tempdir().unwrap();
        // Half of the time each document becomes a segment of its own, and many of them are joined.
        let memory_bytes = if cuts.len().is_multiple_of(2) { 1 } else { IndexOptions::default().memory_bytes };
        let options = IndexOptions { hints: HintsWanted::Lexical, memory_bytes, ..IndexOptions::default() };
        let engine = engine(repository.path(), &commit, index.path(), &options);
        let all: Vec<&Vec<u8>> = by_path.values().collect();
        let mut candidates = vec![invented];
        for (file, at, len) in cuts {
            let bytes = all[file % all.len()];
            let text = String::from_utf8_lossy(bytes);
            let chars: Vec<char> = text.chars().collect();
            if chars.is_empty() {
                continue;
            }
            let start = at % chars.len();
            candidates.push(chars[start..chars.len().min(start + len)].iter().collect());
        }
        for term in candidates {
            if term.is_empty() || term.contains(['\n', '\r', '\u{fffd}']) {
                continue;
            }
            for mode in modes(&term) {
                let expected = corpus.search(&term, mode, prefix.as_bytes());
                prop_assert_eq!(found(&engine, &term, mode, &prefix), expected, "{:?} {:?} {:?}", term, mode, prefix);
            }
            let by_git = git_grep_fixed(repository.path(), &commit, term.as_bytes(), prefix.as_bytes());
            prop_assert_eq!(found(&engine, &term, Mode::Literal, &prefix), by_git, "git grep {:?}", term);
        }
        Ok(())
    });
    result.unwrap();
}

/// The project's own sources as a repository.
fn own_sources() -> (TestRepository, String) {
    let repository = TestRepository::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<_> =
        ["cli", "shared", "indexer", "query", "tests"].iter().map(|name| root.join(name)).collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                repository.write(&name, std::fs::read(&path).unwrap());
            }
        }
    }
    let commit = repository.commit("sources");
    (repository, commit)
}

// A-01 T-04: real code, real terms.
#[test]
fn searches_of_real_code_equal_a_naive_scan() {
    let (repository, commit) = own_sources();
    let corpus = Corpus::read(repository.path(), &commit);
    let index = tempfile::tempdir().unwrap();
    // Small segments, so that several take part.
    let options = IndexOptions { memory_bytes: 1 << 20, ..IndexOptions::default() };
    let engine = engine(repository.path(), &commit, index.path(), &options);
    for term in [
        "fn",
        "Deadline",
        "impl",
        "self",
        "ssert",
        "->",
        "&mut ",
        "\"\\n\"",
        "0",
        "256",
        "1_024",
        "u8",
        "Option<",
        "e",
        "_",
        " => ",
        "…",
        "é",
        "//!",
        "use crate::",
        "naive",
        "23487",
        "); }",
        "pincite_shared::wire::request::{Request",
        "no such term anywhere but here",
    ] {
        for mode in modes(term) {
            for prefix in ["", "shared/", "query/src/s"] {
                let expected = corpus.search(term, mode, prefix.as_bytes());
                assert_eq!(found(&engine, term, mode, prefix), expected, "{term:?} {mode:?} {prefix:?}");
            }
        }
    }
}

// C1-09 X-01: threads and memory change no answer and no identity; one query twice gives the same bytes.
#[test]
fn builds_are_deterministic() {
    let (repository, commit) = own_sources();
    let mut answers: Vec<Vec<String>> = Vec::new();
    for (threads, memory) in [(1, 1 << 30), (4, 1 << 30), (3, 16 << 20)] {
        let index = tempfile::tempdir().unwrap();
        let threads = std::num::NonZeroUsize::new(threads).unwrap();
        let options = IndexOptions { threads, memory_bytes: memory, ..IndexOptions::default() };
        let mut engine = engine(repository.path(), &commit, index.path(), &options);
        let mut own = vec![engine.snapshot().generation().id()];
        for _ in 0..2 {
            for text in ["Deadline", "->", "256", "max_total_lines"] {
                let mut ask = |request: Request| {
                    own.push(engine.answer(&request).unwrap().to_json(u64::MAX).unwrap());
                };
                ask(Request::Search {
                    text: text.into(),
                    mode: SearchMode::Auto,
                    path_prefix: String::new(),
                    max_matches: Some(50),
                });
                ask(Request::context(text, ""));
            }
            // A second engine on the same index.
            let open = Repository::open(repository.path()).unwrap();
            engine = Engine::open(open, index.path(), None, Settings::unlimited()).unwrap();
        }
        assert_eq!(own[1..9], own[9..17], "the same question gives the same bytes");
        answers.push(own);
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
}
