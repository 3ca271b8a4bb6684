//! The scripts of `benches/`: equal answers are reported as equal, a rival's wrong ones as wrong, and the repositories
//! that they make are what they say. No time is asserted.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::repository::TestRepository;

fn benches() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches")
}

/// Whether there is a Python, which a developer's machine may lack.
fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !found {
        assert!(std::env::var_os("PINCITE_REQUIRE_PYTHON").is_none_or(|value| value != "1"), "no python3 is installed");
        eprintln!("SKIPPED: no python3 is installed, so the benchmarks' scripts were not run");
    }
    found
}

/// A run of a script on a repository, in a folder of its own.
struct Script {
    home: TempDir,
    output: Output,
}

impl Script {
    /// `programs` come before everything else on the path.
    fn run(name: &str, repository: &TestRepository, programs: &[(&str, &str)], arguments: &[&str]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let bin = home.path().join("bin");
        fs::create_dir(&bin).unwrap();
        for (program, content) in programs {
            fs::write(bin.join(program), content).unwrap();
            fs::set_permissions(bin.join(program), fs::Permissions::from_mode(0o755)).unwrap();
        }
        let path = std::env::var("PATH").unwrap();
        let output = Command::new(benches().join(name).join("run"))
            .env_clear()
            .env("PATH", format!("{}:{path}", bin.display()))
            .env("HOME", home.path())
            .arg("--repository")
            .arg(repository.path())
            .args(["--pincite", env!("CARGO_BIN_EXE_pincite"), "--out"])
            .arg(home.path().join("out"))
            .arg("--scratch")
            .arg(home.path())
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        Self { home, output }
    }

    fn samples(&self) -> Value {
        let file = self.home.path().join("out/samples.json");
        let content = fs::read(file).unwrap_or_else(|error| panic!("{error}: {:?}", self.output));
        serde_json::from_slice(&content).unwrap()
    }

    fn page(&self) -> String {
        let page = fs::read_to_string(self.home.path().join("out/report.md")).unwrap();
        assert_eq!(String::from_utf8_lossy(&self.output.stdout).trim_end(), page.trim_end());
        page
    }
}

/// A repository with terms of every kind. No term stands in the first line of `src/a.c`.
fn repository() -> TestRepository {
    let repository = TestRepository::new();
    let file = |name: &str, seed: u32| -> String {
        (0..60)
            .map(|n| format!("int {name}_value_{n} = compute({}u, {}); // \"{name}\" 1.{n}\n", n * seed + 10, n + 30))
            .collect()
    };
    repository.write("src/a.c", format!("//\n{}", file("first", 3)));
    repository.write("src/b.c", file("second", 7));
    repository.write("src/sub dir/c:1:d.py", file("third", 11));
    repository.write(".hidden/d.rs", file("first", 5));
    repository.write("bin/data", b"first\0second compute\n");
    repository.symlink("link.c", "src/a.c");
    repository.commit("one");
    repository.write("src/e.c", file("fifth", 13));
    repository.commit("two");
    repository
}

/// ripgrep as it must not be: it loses the first line of each answer and adds one that does not hold the term.
const WRONG_RIPGREP: &str = r#"#!/bin/bash
[ "$1" = --version ] && { echo "ripgrep 0"; exit; }
kind=-P arguments=()
for one; do
    case $one in
        --no-config | -uu | --no-heading | --color | never) ;;
        -F) kind=-F ;;
        *) arguments+=("$one") ;;
    esac
done
grep -rI "$kind" "${arguments[@]}" | sort | sed 1d
printf '%s\0%s\n' "${!#}/src/a.c" 1:invented
"#;

#[test]
fn the_comparison_tells_equal_answers_from_wrong_ones() {
    if !has_python() {
        return;
    }
    let repository = repository();
    let quick = ["--terms", "2", "--rounds", "1", "--rivals", "git,rg"];
    let script = Script::run("comparison", &repository, &[("rg", WRONG_RIPGREP)], &quick);
    let (samples, page) = (script.samples(), script.page());
    let terms = samples["terms"].as_array().unwrap();
    let kinds: std::collections::BTreeSet<&str> = terms.iter().map(|term| term["kind"].as_str().unwrap()).collect();
    assert_eq!((terms.len(), kinds.len()), (14, 7), "{terms:?}");
    for term in terms {
        let lines = term["lines"].as_u64().unwrap();
        assert_eq!(lines == 0, term["kind"] == "absent word", "{term}");
        let git = &term["rivals"]["git grep"];
        assert_eq!((git["lines"].as_u64(), &git["missed"], &git["extra"]), (Some(lines), &none(), &none()), "{term}");
        let wrong = &term["rivals"]["ripgrep"];
        let missed = if lines == 0 { none() } else { unexplained() };
        assert_eq!((&wrong["missed"], &wrong["extra"]), (&missed, &unexplained()), "{term}");
        assert_eq!(git["samples"].as_array().unwrap().len(), 1);
        for kind in ["complete", "first", "warm_search"] {
            assert!(term["pincite"][kind][0].as_f64().unwrap() > 0.0, "{term}");
        }
    }
    // Differences without a reason fail the run, and nothing else did.
    assert_eq!(script.output.status.code(), Some(1));
    let problems = samples["problems"].as_array().unwrap();
    assert!(problems.len() == 14 && problems.iter().all(|one| one.as_str().unwrap().contains("from ripgrep")));
    assert!(page.contains("| git grep | 14 of 14 | 0 | 0 | 0 | "), "{page}");
    assert!(page.contains("| ripgrep | 0 of 14 | 12: unexplained (12) | 14: unexplained (14) | 0 | "), "{page}");
    let builds: Vec<&str> =
        samples["builds"].as_array().unwrap().iter().map(|build| build["tool"].as_str().unwrap()).collect();
    assert_eq!(builds, ["git cat-file --batch --buffer", "pincite"]);

    let again = Script::run("comparison", &repository, &[], &["--terms", "2", "--rounds", "1", "--rivals", "git"]);
    assert_eq!(again.output.status.code(), Some(0), "{:?}", again.output);
    let texts = |samples: &Value| -> Vec<String> {
        samples["terms"].as_array().unwrap().iter().map(|term| term["text"].to_string()).collect()
    };
    assert_eq!(texts(&again.samples()), texts(&samples));
}

fn none() -> Value {
    serde_json::json!({})
}

fn unexplained() -> Value {
    serde_json::json!({ "unexplained": 1 })
}

#[test]
fn the_repositories_of_the_growth_benchmark_have_the_sizes_they_say() {
    if !has_python() {
        return;
    }
    let repository = repository();
    let quick = ["--scales", "0.5,1,2", "--commits", "2", "--terms", "1", "--rounds", "1"];
    let script = Script::run("growth", &repository, &[], &quick);
    assert_eq!(script.output.status.code(), Some(0), "{:?}", script.output);
    let samples = script.samples();
    let sizes = samples["sizes"].as_array().unwrap();
    let of = |number: usize, key: &str| sizes[number][key].as_u64().unwrap();
    assert_eq!((0..3).map(|number| of(number, "files")).collect::<Vec<_>>(), [3, 6, 12]);
    // A copy has a line more behind its end, so no blob is another copy's.
    assert_eq!(of(2, "bytes"), 2 * of(1, "bytes") + 6 * "\n//\n".len() as u64);
    assert_eq!(sizes[2]["report"]["new_documents"], 2 * sizes[1]["report"]["new_documents"].as_u64().unwrap());
    for (one, two) in sizes[1]["terms"].as_array().unwrap().iter().zip(sizes[2]["terms"].as_array().unwrap()) {
        assert_eq!(one["text"], two["text"]);
        assert_eq!(2 * one["lines"].as_u64().unwrap(), two["lines"], "{one}");
    }
    let history = &samples["history"];
    let added: Vec<&Value> =
        history["commits"].as_array().unwrap().iter().map(|build| &build["report"]["new_documents"]).collect();
    assert_eq!(added, [4, 1]);
    assert_eq!(history["alone"]["report"]["new_documents"], 5);
    let bytes = |build: &Value| build["index_bytes"].as_u64().unwrap();
    assert!(bytes(&history["prune"]) < bytes(&history["commits"][1]), "{history}");
    assert!(script.page().contains("| pruned to the newest |"));
}

#[test]
fn reasons_and_numbers_of_the_scripts_are_right() {
    if !has_python() {
        return;
    }
    let output = Command::new("python3")
        .args(["-B", "-m", "unittest", "discover", "--start-directory"])
        .arg(benches().join("tests"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains("Ran 0 tests"), "{said}");
}
