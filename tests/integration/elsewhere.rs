//! `elsewhere`: what a search does not count equals a naive scan, in every category, or is left out with the reason.

use std::collections::BTreeMap;
use std::path::Path;

use pincite_indexer::{HintsWanted, IndexOptions, NoProgress};
use pincite_query::{Answer, Engine};
use pincite_shared::git::Repository;
use pincite_shared::ids::Oid;
use pincite_shared::settings::Settings;
use pincite_shared::wire::request::{Request, SearchMode};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

use crate::naive::{Corpus, Mode};
use crate::naive_elsewhere::elsewhere;
use crate::pincite::Pincite;
use crate::support::repository::TestRepository;

fn engine(repository: &Path, commit: &str, index: &Path, options: &IndexOptions, extensions: &[&str]) -> Engine {
    let commit = Oid::from_hex(commit).unwrap();
    pincite_indexer::index(&Repository::open(repository).unwrap(), index, commit, options, &NoProgress).unwrap();
    let mut settings = Settings::unlimited();
    settings.source_analysis.extensions = extensions.iter().map(|one| (*one).to_owned()).collect();
    Engine::open(Repository::open(repository).unwrap(), index, Some(commit), settings).unwrap()
}

fn asked(engine: &Engine, term: &str, mode: Mode, prefix: &str) -> (BTreeMap<String, u64>, bool) {
    let mode = match mode {
        Mode::Word => SearchMode::Word,
        Mode::Literal => SearchMode::Literal,
        Mode::Decimal => SearchMode::Decimal,
    };
    let request = Request::Search { text: term.into(), mode, path_prefix: prefix.into(), max_matches: Some(1) };
    let Answer::Search(result) = engine.answer(&request).unwrap() else { unreachable!("a search was asked") };
    let search = &result.searches[0];
    let counts = search.elsewhere.iter().map(|(name, count)| (name.to_string(), *count)).collect();
    (counts, search.elsewhere_left_out.is_empty())
}

fn modes(term: &str) -> Vec<Mode> {
    let mut modes = vec![Mode::Literal];
    if regex::Regex::new(r"^\w+$").unwrap().is_match(term) {
        modes.push(Mode::Word);
    }
    if term.bytes().all(|byte| byte.is_ascii_digit()) {
        modes.push(Mode::Decimal);
    }
    modes
}

fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        6 => "[abAB]{1,3}_?".prop_map(String::into_bytes),
        4 => "[12]{1,4}".prop_map(String::into_bytes),
        3 => "[.'_ e+\\-]".prop_map(String::into_bytes),
        3 => "[ ,;(]".prop_map(String::into_bytes),
        2 => "[ ;][12]{1,2}[_'.][12]{1,2}(u|[.']1|f)?[ ;]".prop_map(String::into_bytes),
        2 => "[ ;]0[xX]0?([12bBcC]|1[56])(u|ull|_)?[ ;]".prop_map(String::into_bytes),
        2 => "\r?\n".prop_map(String::into_bytes),
        1 => "0x|u32|ull|f|e5|1[.]2f|k|\u{212a}|ß|ẞ|é|É|\u{301}".prop_map(String::into_bytes),
        1 => proptest::collection::vec(128u8.., 1..3),
    ]
}

fn files() -> impl Strategy<Value = Vec<(String, Vec<u8>)>> {
    let path = prop_oneof!["src/[ab]\\.c", "src/[ab]/[ab]\\.(py|sql|txt|h)", "[abc](\\.md)?"];
    let content = proptest::collection::vec(piece(), 0..160).prop_map(|pieces| pieces.concat());
    proptest::collection::vec((path, content), 1..10)
}

/// Terms cut out of the files, and some made up.
fn terms() -> impl Strategy<Value = (Vec<(usize, usize, usize)>, Vec<String>)> {
    let cut = (0usize..1 << 16, 0usize..1 << 16, 1usize..7);
    (proptest::collection::vec(cut, 1..40), proptest::collection::vec("[12]{1,4}|[abAB]{1,3}|[aB][. ]b", 1..12))
}

// A-03 X-01
#[test]
fn every_category_equals_a_naive_scan() {
    let config = Config { cases: 32, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let seen = std::cell::RefCell::new(BTreeMap::<String, u64>::new());
    let strategy = (files(), terms(), "(src/|src/a|[ab])?", any::<bool>());
    let result = runner.run(&strategy, |(files, (cuts, invented), prefix, filtered)| {
        let repository = TestRepository::new();
        let by_path: BTreeMap<String, Vec<u8>> = files.into_iter().collect();
        for (path, content) in &by_path {
            repository.raw_entry("100644", path, content);
        }
        let commit = repository.commit("random");
        let corpus = Corpus::read(repository.path(), &commit);
        let index = tempfile::tempdir().unwrap();
        let options = IndexOptions { hints: HintsWanted::Lexical, ..IndexOptions::default() };
        let extensions: &[&str] = if filtered { &["c", "md", "sql"] } else { &[] };
        let engine = engine(repository.path(), &commit, index.path(), &options, extensions);
        let all: Vec<String> = by_path.values().map(|bytes| String::from_utf8_lossy(bytes).into_owned()).collect();
        let mut candidates = invented;
        for (file, at, len) in cuts {
            let chars: Vec<char> = all[file % all.len()].chars().collect();
            if !chars.is_empty() {
                let start = at % chars.len();
                candidates.push(chars[start..chars.len().min(start + len)].iter().collect());
            }
        }
        for term in candidates {
            if term.is_empty() || term.contains(['\n', '\r', '\u{fffd}']) {
                continue;
            }
            for mode in modes(&term) {
                let expected = elsewhere(&corpus, &term, mode, prefix.as_bytes(), extensions);
                let (found, is_whole) = asked(&engine, &term, mode, &prefix);
                prop_assert_eq!(&found, &expected, "{:?} {:?} {:?} {:?}", term, mode, prefix, extensions);
                prop_assert!(is_whole, "nothing is left out of so little text");
                for (category, count) in found {
                    *seen.borrow_mut().entry(category).or_default() += count;
                }
            }
        }
        Ok(())
    });
    result.unwrap();
    let seen = seen.into_inner();
    assert_eq!(seen.len(), 8, "every category took part: {seen:?}");
}

/// One line in every category of the decimal 23487, of the word `Spell` and of the literal `Spell(x)`.
fn planted() -> TestRepository {
    let repository = TestRepository::new();
    let lines = [
        "a = 23487;",
        "b = 123487;",
        "c = 23487'000;",
        "d = 23487.5;",
        "e = 0x5BBF;",
        "f = 23'487u;",
        "g = 23_487;",
        "x23487 = 1;",
        "Spell(x)",
        "SPELL(X)",
        "spell(X);",
        "SpellBook",
    ];
    repository.write("src/a.cpp", lines.join("\n"));
    repository.write("src/notes.txt", "23487 Spell(x)\n23487\n");
    repository.write("other/b.cpp", "23487; Spell(x)\n");
    repository.commit("planted");
    repository
}

// A-03
#[test]
fn every_category_has_its_name() {
    let repository = planted();
    let pincite = Pincite::indexed(repository.path());
    let profile = pincite.profile("[source_analysis]\nextensions = [\"cpp\"]\n");
    let ask = |term: &str, mode: &str| {
        let result = pincite.json(&["search", term, "--mode", mode, "--path-prefix", "src/", "--profile", &profile]);
        assert_eq!(result["status"], "complete_source_search");
        assert_eq!(result["searches"][0].get("elsewhere_left_out"), None);
        (result["searches"][0]["matches"].clone(), result["searches"][0]["elsewhere"].clone())
    };
    let expected = json!({
        "as_hexadecimal": 1, "in_floats": 1, "inside_longer_numbers": 2, "inside_longer_words": 1,
        "outside_extensions": 2, "outside_path_prefix": 1, "with_separators": 2,
    });
    assert_eq!(ask("23487", "decimal"), (json!(1), expected));
    let expected =
        json!({"as_hexadecimal": 1, "outside_extensions": 2, "outside_path_prefix": 1, "with_separators": 2});
    assert_eq!(ask("23487", "literal"), (json!(5), expected));
    let expected =
        json!({"inside_longer_words": 1, "other_case": 2, "outside_extensions": 1, "outside_path_prefix": 1});
    assert_eq!(ask("Spell", "word"), (json!(1), expected));
    let expected = json!({"other_case": 2, "outside_extensions": 1, "outside_path_prefix": 1});
    assert_eq!(ask("Spell(x)", "literal"), (json!(1), expected));
    assert_eq!(ask("spe", "literal"), (json!(1), json!({"other_case": 3})));
    // The text for people has the same.
    let text = pincite.run(&["search", "Spell", "--path-prefix", "src/", "--profile", &profile]);
    let note = String::from_utf8(text.stderr).unwrap();
    assert!(note.contains("elsewhere: inside_longer_words 1, other_case 2"), "{note}");
}

// A-03: nothing at all is said in as many words, and a context says it for each of its searches.
#[test]
fn an_absence_is_empty_twice() {
    let repository = planted();
    let pincite = Pincite::indexed(repository.path());
    for mode in ["auto", "word", "literal"] {
        let search = &pincite.json(&["search", "Wolpertinger", "--mode", mode])["searches"][0];
        assert_eq!((&search["matches"], &search["elsewhere"]), (&json!(0), &json!({})));
        assert_eq!(search.get("elsewhere_left_out"), None);
    }
    let context = pincite.json(&["context", "Spell"]);
    // Without a profile a context looks into files of the known languages.
    let expected = json!({"inside_longer_words": 1, "other_case": 2, "outside_extensions": 1});
    assert_eq!(context["searches"][0]["elsewhere"], expected);
}

// A-03: what would need more reading than allowed is left out and says so; so is all of a search that was cut.
#[test]
fn what_is_not_counted_says_why() {
    let repository = TestRepository::new();
    repository.write("a.cpp", format!("x = 23_487;\ny = 0x5bbf;\n{}", "// filler\n".repeat(1_000)));
    repository.commit("numbers");
    let pincite = Pincite::indexed(repository.path());
    let ask = |bytes: u32, term: &str, mode: &str| {
        let profile = pincite.profile(&format!("[limits]\nmax_search_bytes = {bytes}\n[source_analysis]\n"));
        pincite.json(&["search", term, "--mode", mode, "--profile", &profile])["searches"][0].clone()
    };
    let search = ask(1 << 20, "23487", "decimal");
    assert_eq!(
        (&search["elsewhere"], search.get("elsewhere_left_out")),
        (&json!({"as_hexadecimal": 1, "with_separators": 1}), None)
    );
    let search = ask(20_000, "23487", "decimal");
    assert_eq!(search["elsewhere"], json!({"as_hexadecimal": 1}));
    assert_eq!(search["elsewhere_left_out"], json!({"with_separators": "max_search_bytes"}));
    let search = ask(2_000, "x = 2", "literal");
    assert_eq!((&search["complete"], &search["elsewhere"]), (&json!(false), &json!({})));
    assert_eq!(
        search["elsewhere_left_out"],
        json!({"other_case": "max_search_bytes", "outside_extensions": "max_search_bytes"})
    );
    let profile = pincite.profile("[limits]\nmax_search_bytes = 2000\n[source_analysis]\n");
    let text = pincite.run(&["search", "x = 2", "--profile", &profile]);
    let note = String::from_utf8(text.stderr).unwrap();
    assert!(note.contains("not counted elsewhere: other_case (max_search_bytes)"), "{note}");
}

// A-04: what an answer took, as numbers that are the same each time.
#[test]
fn answers_report_their_work() {
    let repository = planted();
    let pincite = Pincite::indexed(repository.path());
    let work = |arguments: &[&str]| pincite.json(arguments)["work"].clone();
    let expected = |searches: u64, considered: u64, read: u64, bytes: u64| json!({"searches": searches, "blobs_considered": considered, "blobs_read": read, "bytes_read": bytes});
    let size = |path: &str| std::fs::metadata(repository.path().join(path)).unwrap().len();
    let (a, notes, b) = (size("src/a.cpp"), size("src/notes.txt"), size("other/b.cpp"));
    assert_eq!(work(&["search", "Wolpertinger"]), expected(1, 0, 0, 0));
    assert_eq!(work(&["search", "SpellBook"]), expected(1, 1, 1, a));
    // A literal is read and its lines are cut from the same blobs, which count once; the second search is `outside`.
    assert_eq!(work(&["search", "Spell(x)", "--path-prefix", "src/"]), expected(2, 3, 3, a + notes + b));
    assert_eq!(work(&["read", "src/notes.txt", "1"]), expected(0, 1, 1, notes));
    assert_eq!(work(&["list"]), expected(0, 0, 0, 0));
}

// A-03 A-04 X-01: threads, memory and the number of segments change neither.
#[test]
fn segments_and_threads_change_nothing() {
    let repository = TestRepository::new();
    for number in 0..40 {
        let filler = "Value value VALUES 12.5 1_2 0xC 12'000 12\n".repeat(4_000);
        repository.write(format!("src/f{number}.c"), format!("// {number}\n{filler}"));
    }
    let commit = repository.commit("many");
    let mut answers: Vec<Vec<String>> = Vec::new();
    for (threads, memory) in [(1, 1 << 30), (2, 1 << 20), (3, 16 << 20)] {
        let index = tempfile::tempdir().unwrap();
        let threads = std::num::NonZeroUsize::new(threads).unwrap();
        let options =
            IndexOptions { threads, memory_bytes: memory, hints: HintsWanted::Lexical, ..IndexOptions::default() };
        let engine = engine(repository.path(), &commit, index.path(), &options, &["c"]);
        let mut own = Vec::new();
        for (text, mode) in
            [("value", SearchMode::Word), ("12", SearchMode::Decimal), ("value 12", SearchMode::Literal)]
        {
            let request =
                Request::Search { text: text.into(), mode, path_prefix: "src/f1".into(), max_matches: Some(5) };
            let mut answer: Value = serde_json::to_value(engine.answer(&request).unwrap()).unwrap();
            answer["index"]["id"].take();
            own.push(answer.to_string());
        }
        answers.push(own);
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
}
