//! Bad input: a stable code, a sentence that tells what to do, exit status 1, and the index as it was.

use std::fs;

use pincite_shared::index_format::FORMAT_VERSION;
use serde_json::{Value, json};

use crate::pincite::Pincite;
use crate::support::repository::TestRepository;

fn small() -> TestRepository {
    let repository = TestRepository::new();
    repository.write("src/a.c", "int alpha = 1;\n");
    repository.commit("first");
    repository
}

fn check(error: &Value, code: &str, field: Value) {
    assert_eq!((&error["code"], &error["field"]), (&json!(code), &field), "{error}");
}

// L-07
#[test]
fn what_is_not_there_is_named() {
    let nowhere = tempfile::tempdir().unwrap();
    check(&Pincite::new(nowhere.path()).error(&["index"]), "not_found", json!("repo"));
    check(&Pincite::new(&nowhere.path().join("x")).error(&["index"]), "not_found", json!("repo"));
    let repository = small();
    let pincite = Pincite::new(repository.path());
    for revision in ["nothing", "HEAD~7", &"1".repeat(40), "-x", "HEAD:src/a.c", ""] {
        let error = pincite.error(&["index", &format!("--rev={revision}")]);
        assert!(["not_found", "object_missing"].contains(&error["code"].as_str().unwrap()), "{revision}: {error}");
    }
    assert!(!pincite.index().exists(), "a refused run leaves nothing behind");
    check(&pincite.error(&["search", "alpha"]), "index_missing", json!("index"));
    check(&pincite.error(&["status"]), "index_missing", json!("index"));
    check(&pincite.error(&["prune", "--keep", "1"]), "index_missing", json!("index"));
    assert!(!pincite.index().exists());
}

#[test]
fn an_index_that_is_a_file_is_refused() {
    let repository = small();
    let pincite = Pincite::new(repository.path());
    fs::write(pincite.index(), "a file").unwrap();
    check(&pincite.error(&["index"]), "invalid_request", json!("index"));
    check(&pincite.error(&["search", "alpha"]), "index_missing", json!("index"));
    assert_eq!(fs::read(pincite.index()).unwrap(), b"a file");
}

// P-03: a folder of somebody else's, or of the repository, is never begun in: an index removes what it does not know.
#[test]
fn a_folder_that_is_not_an_index_is_left_alone() {
    let repository = small();
    let pincite = Pincite::new(repository.path());
    fs::create_dir_all(pincite.index().join("tmp")).unwrap();
    fs::write(pincite.index().join("tmp/notes"), "mine").unwrap();
    check(&pincite.error(&["index"]), "invalid_request", json!("index"));
    assert_eq!(fs::read(pincite.index().join("tmp/notes")).unwrap(), b"mine");
    for inside in [repository.path().to_path_buf(), repository.path().join("pin"), repository.path().join(".git/pin")] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pincite"));
        command.env_clear().arg("--repo").arg(repository.path()).arg("--index").arg(&inside);
        let output = command.args(["index", "--format", "json"]).output().unwrap();
        let error: Value = serde_json::from_slice(&output.stdout).unwrap();
        check(&error["error"], "invalid_request", json!("index"));
    }
    assert!(!repository.path().join("pin").exists());
}

#[test]
fn an_empty_commit_is_refused() {
    let repository = TestRepository::new();
    repository.commit("empty");
    let pincite = Pincite::new(repository.path());
    check(&pincite.error(&["index"]), "not_found", json!("rev"));
    assert!(!pincite.index().exists());
    // A repository without any commit.
    check(&Pincite::new(TestRepository::new().path()).error(&["index"]), "not_found", json!("rev"));
}

#[test]
fn an_index_of_another_repository_is_refused() {
    let (one, other) = (small(), small());
    other.write("b.c", "other\n");
    other.commit("other");
    one.write("c.c", "one\n");
    one.commit("one");
    let pincite = Pincite::indexed(one.path());
    let before = fs::read(pincite.index().join("CURRENT")).unwrap();
    let mut stranger = pincite.command();
    stranger.args(["--format", "json"]);
    let ask = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pincite"));
        command
            .env_clear()
            .env("HOME", pincite.home())
            .arg("--repo")
            .arg(other.path())
            .arg("--index")
            .arg(pincite.index());
        let output = command.args(arguments).args(["--format", "json"]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["error"].clone()
    };
    check(&ask(&["index"]), "settings_mismatch", json!("index"));
    check(&ask(&["search", "alpha"]), "settings_mismatch", json!("index"));
    check(&ask(&["search", "alpha", "--commit", &other.head()]), "settings_mismatch", json!("index"));
    assert_eq!(fs::read(pincite.index().join("CURRENT")).unwrap(), before);
    // An index of the other object format.
    let sha256 = TestRepository::sha256();
    sha256.write("a.c", "x\n");
    sha256.commit("x");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pincite"));
    command.env_clear().arg("--repo").arg(sha256.path()).arg("--index").arg(pincite.index());
    let output = command.args(["index", "--format", "json"]).output().unwrap();
    let error: Value = serde_json::from_slice(&output.stdout).unwrap();
    check(&error["error"], "settings_mismatch", json!("index"));
}

#[test]
fn a_commit_that_is_not_indexed_is_named() {
    let repository = small();
    let pincite = Pincite::indexed(repository.path());
    repository.write("src/b.c", "x\n");
    let second = repository.commit("second");
    check(&pincite.error(&["search", "alpha", "--commit", &second]), "index_missing", json!("index"));
    check(&pincite.error(&["search", "alpha", "--commit", "75057b0"]), "invalid_request", json!("commit"));
    check(&pincite.error(&["prune", "--commit", &second]), "not_found", json!("commit"));
}

#[test]
fn an_older_format_and_a_half_written_index_are_told() {
    let repository = small();
    let pincite = Pincite::indexed(repository.path());
    let pointer = pincite.index().join("CURRENT");
    let whole = fs::read_to_string(&pointer).unwrap();
    let present = format!("pincite-index {FORMAT_VERSION} ");
    for other in [0, FORMAT_VERSION - 1, FORMAT_VERSION + 1] {
        fs::write(&pointer, whole.replacen(&present, &format!("pincite-index {other} "), 1)).unwrap();
        check(&pincite.error(&["search", "alpha"]), "index_missing", json!("index"));
        let error = pincite.error(&["index"]);
        check(&error, "index_missing", json!("index"));
        let told = format!("has format {other}, and this version reads format {FORMAT_VERSION}");
        assert!(error["message"].as_str().unwrap().contains(&told), "{error}");
    }
    for broken in [
        "",
        "pincite-index",
        &format!("{present}generation-00000009.json 00\n"),
        &whole[..whole.len() - 2],
        &format!("{present}../x y\n"),
    ] {
        fs::write(&pointer, broken).unwrap();
        check(&pincite.error(&["search", "alpha"]), "index_corrupt", json!("index"));
    }
    // A build that never came to its end has no pointer yet; the next run finishes it.
    fs::remove_file(&pointer).unwrap();
    check(&pincite.error(&["search", "alpha"]), "index_missing", json!("index"));
    pincite.json(&["index"]);
    assert_eq!(pincite.json(&["search", "alpha"])["searches"][0]["matches"], 1);
}

#[test]
fn bad_terms_and_prefixes_are_refused() {
    let repository = small();
    let pincite = Pincite::indexed(repository.path());
    let long = "é".repeat(257);
    for command in ["search", "context"] {
        for term in ["", &long, "a\nb", "a\rb"] {
            check(&pincite.error(&[command, "--", term]), "invalid_request", json!("text"));
        }
    }
    check(&pincite.error(&["search", "a-b", "--mode", "word"]), "invalid_request", json!("mode"));
    check(&pincite.error(&["search", "12x", "--mode", "decimal"]), "invalid_request", json!("mode"));
    // A prefix that matches nothing is an answer, and says so.
    for command in ["search", "context"] {
        let result = pincite.json(&[command, "alpha", "--path-prefix", "scr/"]);
        assert!(result["warnings"][0].as_str().unwrap().contains("matches no file"), "{result}");
        assert_eq!(result["searches"][0]["searched_files"], 0);
    }
    assert!(pincite.json(&["list", "scr/"])["warnings"][0].as_str().unwrap().contains("matches no file"));
}

#[test]
fn configuration_errors_name_file_line_and_key() {
    let repository = small();
    let pincite = Pincite::indexed(repository.path());
    for (text, line, key) in [
        ("[limits]\nmax_lines = 0\n", 2, "limits.max_lines"),
        ("[source_analysis]\n\nmax_file = 3\n", 3, "source_analysis.max_file"),
        ("[source_analysis]\nfocus_roles = []\n", 2, "source_analysis.focus_roles"),
        ("[project]\ncommit = \"HEAD\"\n", 2, "project.commit"),
    ] {
        let profile = pincite.profile(text);
        let error = pincite.error(&["search", "alpha", "--profile", &profile]);
        check(&error, "invalid_profile", json!(key));
        assert!(error["message"].as_str().unwrap().contains(&format!("profile.toml:{line}: ")), "{error}");
    }
    check(&pincite.error(&["search", "alpha", "--profile", "/nowhere.toml"]), "invalid_profile", Value::Null);
}

#[test]
fn wrong_usage_ends_with_2() {
    let repository = small();
    let pincite = Pincite::new(repository.path());
    for arguments in [
        &["frobnicate"][..],
        &["search"],
        &["search", "x", "--max-matches", "0"],
        &["prune"],
        &["index", "--threads", "0"],
        &["read", "a"],
        &[],
    ] {
        assert_eq!(pincite.run(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

// A damaged blob ends a run and leaves the index as it was.
#[test]
fn a_damaged_blob_leaves_the_index_as_it_was() {
    let repository = small();
    let pincite = Pincite::indexed(repository.path());
    let before = pincite.json(&["search", "alpha"]);
    repository.write("src/b.c", "int broken = 1;\n");
    let second = repository.commit("second");
    repository.corrupt_object(&repository.resolve("HEAD:src/b.c"));
    let error = pincite.error(&["index"]);
    assert_eq!(error["code"], "object_corrupt", "{error}");
    assert_eq!(pincite.json(&["search", "alpha"]), before);
    check(&pincite.error(&["search", "alpha", "--commit", &second]), "index_missing", json!("index"));
}
