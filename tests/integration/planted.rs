//! The planted-completeness repository: the same needle in every odd place. Each is found, or its file is counted as
//! skipped under the right reason: no unmarked omission, no overstated completeness.
//!
//! To extend it: add a line to [`plant`], with what must come of it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::naive::Hits;
use crate::pincite::{Pincite, hits, path_of};
use crate::support::oracle::git_grep_fixed;
use crate::support::repository::TestRepository;

const NEEDLE: &str = "needle_23487";

/// What must come of a planted file.
enum Expect {
    /// Found at these lines.
    Lines(&'static [u32]),
    /// Counted as skipped under this reason.
    Skipped(&'static str),
    /// Counted as left out by the scope's own rules.
    Outside(&'static str),
}

use Expect::{Lines, Outside, Skipped};

struct Planted {
    repository: TestRepository,
    commit: String,
    expected: Vec<(Vec<u8>, Expect)>,
}

fn utf16(text: &str, bom: bool) -> Vec<u8> {
    let units = bom.then_some(0xfeff).into_iter().chain(text.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}

fn plant(repository: TestRepository) -> Planted {
    let mut expected: Vec<(Vec<u8>, Expect)> = Vec::new();
    let mut file = |path: &[u8], content: Vec<u8>, expect| {
        repository.raw_entry("100644", path, content);
        expected.push((path.to_vec(), expect));
    };
    let n = NEEDLE;
    file(b"crlf.c", format!("a\r\n{n}\r\nb\r\n").into(), Lines(&[2]));
    file(b"lone_cr.c", format!("a\rb {n}\rc\n{n}\n").into(), Lines(&[1, 2]));
    file(b"no_final_newline.c", format!("a\n{n}").into(), Lines(&[2]));
    file(b"empty_lines.c", format!("\n\n\n{n}\n\n").into(), Lines(&[4]));
    file(b"first_and_last.c", format!("{n}\nx\n{n}\n").into(), Lines(&[1, 3]));
    file(b"form_feed.c", format!("a\x0cb\x0b\u{85}\u{2028}\n{n}\n").into(), Lines(&[2]));
    let long = format!("{} {n} {}\n{n}\n", "word123 ".repeat(28_000), "x=1,".repeat(56_000));
    file(b"long_line.sql", long.into(), Lines(&[1, 2]));
    let big = format!("{}{n}\n", "int some_filler = 1; // line of a large file\n".repeat(450_000));
    file(b"twenty_megabytes.c", big.into(), Lines(&[450_001]));
    file(b"long_word.c", format!("{}{n}\n{n}\n", "a".repeat(5_000)).into(), Lines(&[2]));
    file(b"latin1.c", [b"caf\xe9\n", n.as_bytes(), b" \xff\xfe\n"].concat(), Lines(&[2]));
    file(b"utf16.c", utf16(n, false), Skipped("utf16"));
    file(b"utf16_bom.c", utf16(n, true), Skipped("utf16"));
    file(b"nul_early.c", [b"0123456789\0", n.as_bytes()].concat(), Skipped("binary"));
    let late = [&vec![b'\n'; 9_000][..], b"\0", n.as_bytes(), b"\n"].concat();
    file(b"nul_late.c", late, Lines(&[9_001]));
    file(b"bom.c", format!("\u{feff}{n}\n").into(), Lines(&[1]));
    let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 12\n{n}\n", "ab".repeat(32));
    file(b"lfs.c", pointer.into(), Skipped("lfs_pointer"));
    file(b"with space.c", n.into(), Lines(&[1]));
    file(b"quote\"'.c", n.into(), Lines(&[1]));
    file(b"new\nline.c", n.into(), Lines(&[1]));
    file(b"tab\t.c", n.into(), Lines(&[1]));
    file(b"bad\xff\xfeutf8.c", n.into(), Lines(&[1]));
    file(b"-dash.c", n.into(), Lines(&[1]));
    file(b"--output=x.c", n.into(), Lines(&[1]));
    file(b"gr\xc3\xb6\xc3\x9fe.c", n.into(), Lines(&[1]));
    file(b".hidden.c", n.into(), Lines(&[1]));
    file(b".git_/not_ignored.c", n.into(), Lines(&[1]));
    file(b".gitignore", format!("*\n{n}\n").into(), Lines(&[2]));
    file(b".gitattributes", b"*.c binary -text\n* export-ignore\n".to_vec(), Lines(&[]));
    file(b"twin_a.c", format!("twin {n}\n").into(), Lines(&[1]));
    file(b"twin_b.c", format!("twin {n}\n").into(), Lines(&[1]));
    file(b"twin_as.py", format!("twin {n}\n").into(), Lines(&[1]));
    let deep = format!("{}deep.c", "d/".repeat(200));
    file(deep.as_bytes(), n.into(), Lines(&[1]));
    file(b"empty.c", Vec::new(), Lines(&[]));
    file(b"no_extension", n.into(), Lines(&[1]));
    file(b"other.unknownext", n.into(), Lines(&[1]));
    file(b"UPPER.CPP", n.into(), Lines(&[1]));
    repository.raw_entry("100755", b"executable.sh", n);
    expected.push((b"executable.sh".to_vec(), Lines(&[1])));
    repository.raw_entry("120000", b"link.c", NEEDLE);
    expected.push((b"link.c".to_vec(), Outside("symlinks")));
    let lost = repository.raw_entry("100644", b"missing.c", format!("{n} lost\n"));
    expected.push((b"missing.c".to_vec(), Skipped("missing_object")));
    repository.submodule("module.c", &"1".repeat(lost.len()));
    expected.push((b"module.c".to_vec(), Outside("submodules")));
    let commit = repository.commit("plant");
    repository.delete_object(&lost);
    Planted { repository, commit, expected }
}

impl Planted {
    fn lines(&self) -> Hits {
        let mut lines = Hits::new();
        for (path, expect) in &self.expected {
            if let Lines(numbers) = expect {
                lines.extend(numbers.iter().map(|number| (path.clone(), *number)));
            }
        }
        lines
    }

    fn counts(&self, of: impl Fn(&Expect) -> Option<&'static str>) -> BTreeMap<String, u64> {
        let mut counts = BTreeMap::new();
        for reason in self.expected.iter().filter_map(|(_, expect)| of(expect)) {
            *counts.entry(reason.to_owned()).or_default() += 1;
        }
        counts
    }

    fn skipped(&self) -> BTreeMap<String, u64> {
        self.counts(|expect| if let Skipped(reason) = expect { Some(reason) } else { None })
    }

    fn outside(&self) -> BTreeMap<String, u64> {
        self.counts(|expect| if let Outside(reason) = expect { Some(reason) } else { None })
    }
}

fn counts(value: &Value) -> BTreeMap<String, u64> {
    value.as_object().unwrap().iter().map(|(name, count)| (name.clone(), count.as_u64().unwrap())).collect()
}

// A-01 A-02 T-01 T-02 T-07 P-06: every needle is found or its file is counted, as a word and as a literal.
#[test]
fn every_needle_is_found_or_counted() {
    let planted = plant(TestRepository::new());
    let pincite = Pincite::new(planted.repository.path());
    let report = pincite.json(&["index"]);
    assert_eq!(counts(&report["skipped"]), planted.skipped());
    assert_eq!(counts(&report["outside"]), planted.outside());
    for (term, mode) in [(NEEDLE, "word"), (NEEDLE, "auto")] {
        let result = pincite.json(&["search", term, "--mode", mode]);
        let search = &result["searches"][0];
        assert_eq!(hits(&result), planted.lines(), "{mode}");
        assert_eq!(search["matches"], planted.lines().len());
        assert_eq!(counts(&search["skipped"]), planted.skipped());
        assert_eq!(counts(&search["outside"]), planted.outside());
        assert_eq!(search["complete"], false);
        assert_eq!(result["status"], "partial_source_search");
    }
    // As a substring it also stands in the overlong word.
    let mut inside = planted.lines();
    inside.insert((b"long_word.c".to_vec(), 1));
    for term in [NEEDLE, "eedle_2348", "e_23487"] {
        assert_eq!(hits(&pincite.json(&["search", term, "--mode", "literal"])), inside, "{term}");
    }
}

// what is behind each count can be listed.
#[test]
fn what_is_not_searched_can_be_listed() {
    let planted = plant(TestRepository::new());
    let pincite = Pincite::indexed(planted.repository.path());
    let expected: BTreeSet<(Vec<u8>, String)> = planted
        .expected
        .iter()
        .filter_map(|(path, expect)| match expect {
            Lines(_) => None,
            Skipped(reason) | Outside(reason) => Some((path.clone(), (*reason).to_owned())),
        })
        .collect();
    let status = pincite.json(&["status", "--skipped"]);
    let listed = status["skipped"].as_array().unwrap().iter();
    let listed: BTreeSet<_> = listed.map(|one| (path_of(one), one["reason"].as_str().unwrap().to_owned())).collect();
    assert_eq!(listed, expected);
    let list = pincite.json(&["list"]);
    assert_eq!(list["total"], planted.expected.len());
    let mut seen = BTreeSet::new();
    for entry in list["entries"].as_array().unwrap() {
        let reason = entry.get("skipped").or(entry.get("outside"));
        assert_eq!(entry["searchable"], reason.is_none(), "{entry}");
        if let Some(reason) = reason {
            seen.insert((path_of(entry), reason.as_str().unwrap().to_owned()));
        }
    }
    assert_eq!(seen, expected);
}

// under a profile the list is what its searches count, one path for each.
#[test]
fn what_a_profile_leaves_out_can_be_listed() {
    let planted = plant(TestRepository::new());
    let pincite = Pincite::indexed(planted.repository.path());
    let mut reasons = BTreeSet::new();
    for rules in [
        "[source_analysis]\n",
        "[source_analysis]\nextensions = []\n",
        "[source_analysis]\nextensions = []\n[limits]\nmax_file_bytes = 40\n",
        "[source_analysis]\nextensions = [\"c\"]\n[limits]\nmax_file_bytes = 40\n",
        "[source_analysis]\nprotocol = 2\nextensions = [\"bin\", \"c\"]\n",
    ] {
        let profile = pincite.profile(rules);
        let flags = ["--profile", &profile];
        let status = pincite.json(&[&["status", "--skipped"][..], &flags].concat());
        assert_eq!(status["skipped_commit"], planted.commit.as_str());
        let mut listed: BTreeMap<String, u64> = BTreeMap::new();
        let mut paths = BTreeSet::new();
        for one in status["skipped"].as_array().unwrap() {
            *listed.entry(one["reason"].as_str().unwrap().into()).or_default() += 1;
            paths.insert(path_of(one));
        }
        // Each path of the commit is either counted as searched or listed.
        let search = pincite.json(&[&["search", NEEDLE][..], &flags].concat());
        let search = &search["searches"][0];
        let counted = ["skipped", "outside"].into_iter().flat_map(|member| search[member].as_object().unwrap());
        let counted: BTreeMap<String, u64> = counted.map(|(reason, n)| (reason.clone(), n.as_u64().unwrap())).collect();
        assert_eq!(listed, counted, "{rules}");
        assert_eq!(
            paths.len() as u64 + search["searched_files"].as_u64().unwrap(),
            planted.expected.len() as u64,
            "{rules}"
        );
        for (path, _) in planted.lines() {
            let has = |ending: &[u8]| path.ends_with(ending);
            assert!(!paths.contains(&path) || !has(b".c") || rules.contains("max_file_bytes"), "{rules} {path:?}");
        }
        reasons.extend(listed.into_keys());
    }
    for reason in ["extensions", "too_large", "binary", "symlinks"] {
        assert!(reasons.contains(reason), "{reason}: {reasons:?}");
    }
}

// T-04: Git itself agrees wherever it searches at all.
#[test]
fn git_grep_agrees() {
    let planted = plant(TestRepository::new());
    let pincite = Pincite::indexed(planted.repository.path());
    // Git does not go on without the missing blob, so it is given another commit without that path.
    planted.repository.remove("missing.c");
    let commit = planted.repository.commit("without the missing blob");
    pincite.json(&["index", "--rev", &commit]);
    for term in [NEEDLE, "twin", "-", "\u{feff}", " ", "caf", "=1,x", "\"", "word123 word123", "--output"] {
        let mut expected = git_grep_fixed(planted.repository.path(), &commit, term.as_bytes(), b"");
        // What is skipped under a reason of our own is text to Git.
        expected.retain(|(path, _)| !path.starts_with(b"lfs") && !path.starts_with(b"utf16") && path != b"link.c");
        let result = pincite.json(&["search", "--mode", "literal", "--commit", &commit, "--", term]);
        assert_eq!(hits(&result), expected, "{term:?}");
    }
}

// P-05: the same with SHA-256 object ids.
#[test]
fn a_sha256_repository_is_searched_alike() {
    let planted = plant(TestRepository::sha256());
    let pincite = Pincite::indexed(planted.repository.path());
    let result = pincite.json(&["search", NEEDLE]);
    assert_eq!(hits(&result), planted.lines());
    assert_eq!(result["pin"]["object_format"], "sha256");
    assert_eq!(result["pin"]["commit"].as_str().unwrap().len(), 64);
    assert_eq!(result["pin"]["commit"], planted.commit.as_str());
    let context = pincite.json(&["context", NEEDLE, "--path-prefix", "crlf"]);
    assert_eq!(context["files"][0].get("swhid"), None);
    assert_eq!(context["files"][0]["blocks"][0]["lines"], serde_json::json!(["a", NEEDLE, "b"]));
}

// T-07: lines that are not UTF-8 are shown with U+FFFD and their numbers are listed.
#[test]
fn lossy_lines_are_listed() {
    let planted = plant(TestRepository::new());
    let pincite = Pincite::indexed(planted.repository.path());
    let context = pincite.json(&["context", NEEDLE, "--path-prefix", "latin1"]);
    let block = &context["files"][0]["blocks"][0];
    assert_eq!(block["lines"], serde_json::json!(["caf\u{fffd}", format!("{NEEDLE} \u{fffd}\u{fffd}")]));
    assert_eq!(block["lossy_lines"], serde_json::json!([1, 2]));
    let read = pincite.json(&["read", "latin1.c", "1-9"]);
    assert_eq!(read["lossy_lines"], serde_json::json!([1, 2]));
}
