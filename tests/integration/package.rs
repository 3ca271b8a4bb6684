//! Packages: contexts, captures, budget, cache, ledger, and what can go wrong with them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::pincite::Pincite;
use crate::support::repository::{TestRepository, git_command, run};

pub fn repository() -> TestRepository {
    let repository = TestRepository::new();
    let filler: String = (0..200).map(|n| format!("// filler {n}\n")).collect();
    repository.write(
        "src/a.cpp",
        format!(
            "enum {{ NPC_WOLPERTINGER = 23487 }};\n{filler}void AddSC_wolpertinger() {{ spawn(NPC_WOLPERTINGER); }}\n"
        ),
    );
    repository.write("src/b.py", "ID = 23487\nother = ID\n");
    repository.write("sql/c.sql", "INSERT INTO t VALUES (123487, '23487');\n");
    repository.write("data.bin", b"\0\0\0");
    repository.commit("case");
    repository
}

const SETTINGS: &str = "[source_analysis]\nregistration_prefixes = [\"AddSC_\"]\n";

/// A package with its engine's profile.
pub struct Case {
    pub repository: TestRepository,
    pub pincite: Pincite,
    pub profile: String,
    pub package: PathBuf,
}

impl Case {
    pub fn new(budget: Option<u32>) -> Self {
        let repository = repository();
        let pincite = Pincite::indexed(repository.path());
        let profile = pincite.profile(SETTINGS);
        let package = pincite.home().join("case");
        let case = Self { repository, pincite, profile, package };
        let budget = budget.map(|budget| budget.to_string());
        let mut arguments =
            vec!["case", "new", "--package", case.package.to_str().unwrap(), "--profile", &case.profile];
        if let Some(budget) = &budget {
            arguments.extend(["--budget", budget]);
        }
        assert!(case.pincite.run(&arguments).status.success());
        case
    }

    pub fn ask(&self, query: &Value) -> (Value, bool) {
        self.ask_in(&self.package, query)
    }

    pub fn ask_in(&self, package: &Path, query: &Value) -> (Value, bool) {
        self.pincite.query(&["--package", package.to_str().unwrap(), "--profile", &self.profile], query)
    }

    pub fn error(&self, query: &Value) -> Value {
        let (reply, success) = self.ask(query);
        assert!(!success, "{reply}");
        reply["error"].clone()
    }

    pub fn ledger(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.package.join("ledger.jsonl")).unwrap();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    pub fn captures(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.package.join("captures")).unwrap();
        let mut captures: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        captures.sort();
        captures
    }

    pub fn verify(&self, arguments: &[&str]) -> (Value, bool) {
        let package = self.package.to_str().unwrap();
        let output = self.pincite.run(&[&["verify", "--format", "json", package], arguments].concat());
        (serde_json::from_slice(&output.stdout).unwrap_or_default(), output.status.success())
    }
}

pub fn context(text: &str) -> Value {
    json!({"kind": "source.context", "text": text})
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

// Q-02 Q-05: a context is fixed once; a capture holds request, pin, settings with hash and everything returned, in
// canonical JSON named by its own hash.
#[test]
fn captures_hold_everything() {
    let case = Case::new(None);
    let fixed = fs::read(case.package.join("context.json")).unwrap();
    let (reply, success) = case.ask(&context("23487"));
    assert!(success);
    let captures = case.captures();
    let [capture] = captures.as_slice() else { panic!("{captures:?}") };
    let bytes = fs::read(capture).unwrap();
    assert_eq!(capture.file_stem().unwrap().to_str().unwrap(), sha256(&bytes));
    let value: Value = serde_json::from_slice(&bytes).unwrap();
    let members: Vec<&String> = value.as_object().unwrap().keys().collect();
    assert_eq!(members, ["capture", "interpretation", "pin", "request", "result", "settings", "settings_sha256"]);
    assert_eq!(value["result"], reply);
    assert_eq!(value["request"], json!({"kind": "source.context", "text": "23487", "path_prefix": ""}));
    assert_eq!(value["pin"], reply["pin"]);
    assert_eq!(value["settings"]["source_analysis"]["registration_prefixes"], json!(["AddSC_"]));
    assert_eq!(value["interpretation"], json!(null));
    let context: Value = serde_json::from_slice(&fixed).unwrap();
    assert_eq!((&context["pin"], &context["settings"]), (&value["pin"], &value["settings"]));
    assert_eq!((&context["protocol"], &context["budget"]), (&json!(1), &json!(null)));
    assert_eq!(context["settings_sha256"], value["settings_sha256"]);
    // The contract is in the context, so the prompt can be built again.
    let printed = case.pincite.run(&["contract", "--format", "json", "--package", case.package.to_str().unwrap()]);
    assert_eq!(serde_json::from_slice::<Value>(&printed.stdout).unwrap(), context["contract"]);
    assert_eq!(fs::read(case.package.join("context.json")).unwrap(), fixed, "written once");
    let first = &case.ledger()[0];
    assert_eq!((&first["action"], &first["context_sha256"]), (&json!("created"), &json!(sha256(&fixed))));
}

// another pin, other settings or another protocol are refused, naming the first difference, before anything runs.
#[test]
fn other_settings_are_refused() {
    let case = Case::new(None);
    let ask = |profile: &str| {
        let profile = case.pincite.profile(profile);
        case.pincite.query(&["--package", case.package.to_str().unwrap(), "--profile", &profile], &context("23487"))
    };
    for (profile, field, says) in [
        (
            "[source_analysis]\n",
            "source_analysis.registration_prefixes",
            "is [\"AddSC_\"] in the package's context and []",
        ),
        (
            &*format!("[limits]\nmax_lines = 81\n{SETTINGS}max_files = 9\n"),
            "limits.max_lines",
            "is 80 in the package's",
        ),
        ("[limits]\n", "source_analysis.enabled", "is true in the package's context and false here"),
    ] {
        let (reply, success) = ask(profile);
        assert!(!success);
        assert_eq!((&reply["error"]["code"], &reply["error"]["field"]), (&json!("settings_mismatch"), &json!(field)));
        assert!(reply["error"]["message"].as_str().unwrap().contains(says), "{reply}");
    }
    case.repository.write("src/d.c", "int d;\n");
    let other = case.repository.commit("another");
    case.pincite.json(&["index"]);
    let (reply, _) = ask(&format!("[project]\ncommit = \"{other}\"\n{SETTINGS}"));
    assert_eq!((&reply["error"]["code"], &reply["error"]["field"]), (&json!("settings_mismatch"), &json!("commit")));
    assert_eq!(case.captures().len(), 0);
    assert_eq!(case.ledger().len(), 1, "nothing ran");
    // The newest commit of the index is another one; the package stays at its own.
    let (reply, success) = ask(SETTINGS);
    assert!(success && reply["pin"]["commit"] != json!(other));
    // Without a profile the package's own settings hold.
    let (same, _) = case.pincite.query(&["--package", case.package.to_str().unwrap()], &context("23487"));
    assert_eq!(same, reply);
}

// one action per answered request; an exhausted budget costs nothing, nor does an error.
#[test]
fn the_budget_bounds_answers() {
    let case = Case::new(Some(2));
    let bad = json!({"kind": "source.read", "path": "no.c", "start_line": 1, "end_line": 1});
    assert_eq!(case.error(&bad)["code"], "not_found");
    assert!(case.ask(&context("23487")).1);
    let bundle = json!({"queries": [context("NPC_WOLPERTINGER"), context("ID"), context("23487"), bad]});
    let (reply, _) = case.ask(&bundle);
    let codes: Vec<&Value> = reply["results"].as_array().unwrap().iter().map(|one| &one["error"]["code"]).collect();
    let exhausted = json!("budget_exhausted");
    // The third is known, so it costs nothing; the fourth is stopped by the budget before it is looked at.
    assert_eq!(codes, [&json!(null), &exhausted, &json!(null), &exhausted]);
    assert_eq!(case.error(&context("other"))["field"], "budget");
    assert_eq!(case.captures().len(), 2);
    let ledger = case.ledger();
    let row = |line: &Value| (line["action"].as_str().unwrap().to_owned(), line["budget_left"].clone());
    let expected = [
        ("created", 2),
        ("failed", 2),
        ("answered", 1),
        ("answered", 0),
        ("failed", 0),
        ("cached", 0),
        ("failed", 0),
        ("failed", 0),
    ];
    assert_eq!(ledger.iter().map(row).collect::<Vec<_>>(), expected.map(|(name, left)| (name.to_owned(), json!(left))));
    assert!(case.verify(&[]).1);
}

// the same question is answered from its capture, with the same bytes, and the ledger says so.
#[test]
fn the_same_question_has_the_same_capture() {
    let case = Case::new(Some(5));
    let (first, _) = case.ask(&context("23487"));
    let before = case.captures();
    // Asked in other words: defaults written out, members in another order.
    let spelled = json!({"path_prefix": "", "text": "23487", "kind": "source.context"});
    let (again, _) = case.ask(&spelled);
    assert_eq!(first, again);
    assert_eq!(case.captures(), before);
    let ledger = case.ledger();
    assert_eq!((&ledger[2]["action"], &ledger[2]["budget_left"]), (&json!("cached"), &json!(4)));
    assert_eq!(ledger[1]["capture"], ledger[2]["capture"]);
    assert_eq!(ledger[1]["question_sha256"], ledger[2]["question_sha256"]);
    for name in ["at", "host", "version", "milliseconds"] {
        assert!(!ledger[2][name].is_null(), "{name}");
    }
    // The answer really comes from the capture: the index may be gone.
    let moved = case.pincite.home().join("index-away");
    fs::rename(case.pincite.index(), &moved).unwrap();
    assert_eq!(case.error(&context("23487"))["code"], "index_missing", "an engine is still opened for its pin");
    fs::rename(&moved, case.pincite.index()).unwrap();
    // Equal questions in another package give an equal capture.
    let other = case.pincite.home().join("other");
    assert!(
        case.pincite
            .run(&["case", "new", "--package", other.to_str().unwrap(), "--profile", &case.profile])
            .status
            .success()
    );
    case.ask_in(&other, &context("23487"));
    assert!(other.join("captures").join(before[0].file_name().unwrap()).exists());
}

// Q-05 Q-08 P-07: a package moved to another machine verifies and goes on, with another repository folder and index,
// although the work tree changed.
#[test]
fn packages_travel() {
    let case = Case::new(Some(3));
    case.ask(&context("23487"));
    let elsewhere = tempfile::tempdir().unwrap();
    let clone = elsewhere.path().join("clone.git");
    run(
        git_command(elsewhere.path()).args(["clone", "--quiet", "--bare"]).arg(case.repository.path()).arg(&clone),
        b"",
    );
    case.repository.write("src/a.cpp", "nothing is left\n");
    case.repository.commit("later");
    let other = Pincite::new(&clone);
    other.json(&["index", "--rev", "main"]);
    let profile = other.profile(SETTINGS);
    let moved = elsewhere.path().join("moved");
    copy(&case.package, &moved);
    let package = moved.to_str().unwrap();
    assert!(other.run(&["verify", "--recount", package]).status.success());
    let (reply, success) = other.query(&["--package", package, "--profile", &profile], &context("NPC_WOLPERTINGER"));
    assert!(success, "{reply}");
    let ledger = fs::read_to_string(moved.join("ledger.jsonl")).unwrap();
    assert!(ledger.lines().last().unwrap().contains("\"budget_left\":1"));
    assert!(other.run(&["verify", package]).status.success());
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to.join(entry.file_name())),
            false => drop(fs::copy(entry.path(), to.join(entry.file_name())).unwrap()),
        }
    }
}

// exported objects let a package be checked without the repository, also by Git itself.
#[test]
fn cited_objects_travel_with_the_package() {
    for repository in [repository(), TestRepository::sha256()] {
        repository.write("deep/er/file.c", "int 23487_not;\nint x = 23487;\n");
        repository.write("other/unseen.c", "nothing\n");
        repository.commit("more");
        let pincite = Pincite::indexed(repository.path());
        let home = pincite.home().to_owned();
        let (package, out) = (home.join("case"), home.join("out"));
        let (package, out) = (package.to_str().unwrap(), out.to_str().unwrap());
        assert!(pincite.run(&["case", "new", "--package", package]).status.success());
        let queries = json!({"queries": [
            context("23487"),
            {"kind": "source.read", "path": "other/unseen.c", "start_line": 1, "end_line": 1},
            {"kind": "source.search", "text": "x", "path_prefix": "deep/"},
            {"kind": "source.list", "path_prefix": "deep/"},
        ]});
        let (reply, _) = pincite.query(&["--package", package], &queries);
        let arguments = ["case", "export", "--package", package, "--out", out, "--objects", "--format", "json"];
        let copied: Value = serde_json::from_slice(&pincite.run(&arguments).stdout).unwrap();
        assert_eq!(copied["captures"], 4);
        // A machine without the repository: no --repo, a directory that is in none.
        let alone = std::process::Command::new(env!("CARGO_BIN_EXE_pincite"))
            .env_clear()
            .env("HOME", &home)
            .current_dir(&home)
            .args(["verify", out])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(alone.status.success(), "{alone:?}");
        let git_dir = Path::new(out).join("objects.git");
        let file = &reply["results"][1];
        let shown = run(
            git_command(&git_dir).args(["--git-dir", ".", "cat-file", "blob", file["blob"].as_str().unwrap()]),
            b"",
        );
        assert_eq!(shown, b"nothing\n");
        let commit = file["pin"]["commit"].as_str().unwrap();
        let kind = run(git_command(&git_dir).args(["--git-dir", ".", "cat-file", "-t", commit]), b"");
        assert_eq!(kind, b"commit\n");
        assert!(!pincite.run(&arguments).status.success(), "never over something that is there");
    }
}

// a process that ends in the middle of a ledger line, or between capture and line, loses nothing.
#[test]
fn a_crash_loses_nothing() {
    let case = Case::new(Some(9));
    case.ask(&context("23487"));
    let ledger = case.package.join("ledger.jsonl");
    let whole = fs::read(&ledger).unwrap();
    let last_line = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    for cut in [last_line, last_line + 1, last_line + 40, whole.len() - 2, whole.len() - 1] {
        fs::write(&ledger, &whole[..cut]).unwrap();
        assert!(case.verify(&[]).1, "cut at {cut}: {:?}", case.verify(&[]));
        let (_, success) = case.ask(&context("NPC_WOLPERTINGER"));
        assert!(success, "cut at {cut}");
        // The capture without a line was recorded and charged, and answers its question again.
        let (_, success) = case.ask(&context("23487"));
        assert!(success);
        let actions: Vec<String> =
            case.ledger().iter().map(|line| line["action"].as_str().unwrap().to_owned()).collect();
        let recorded = if cut == whole.len() - 1 { "answered" } else { "recovered" };
        assert_eq!(actions[..2], ["created", recorded], "cut at {cut}");
        assert_eq!(actions.last().unwrap(), "cached");
        let left: Vec<Value> = case.ledger().iter().map(|line| line["budget_left"].clone()).collect();
        assert_eq!(left.last().unwrap(), &json!(7), "cut at {cut}");
        assert!(case.verify(&[]).1, "cut at {cut}");
        for capture in case.captures() {
            if !String::from_utf8_lossy(&whole).contains(capture.file_stem().unwrap().to_str().unwrap()) {
                fs::remove_file(capture).unwrap();
            }
        }
    }
    // A capture that was being written is garbage.
    fs::write(&ledger, &whole).unwrap();
    let piece = case.package.join("captures").join(format!("{}.json.tmp", "a".repeat(64)));
    fs::write(&piece, "{").unwrap();
    assert!(case.verify(&[]).1);
    assert!(case.ask(&context("ID")).1);
    assert!(!piece.exists());
}

// Q-05 L-07: half copies, changed files and foreign folders are told apart, each by a stable error, and nothing is
// written.
#[test]
fn damaged_packages_are_refused() {
    let case = Case::new(None);
    case.ask(&json!({"queries": [context("23487"), context("ID")]}));
    let capture = case.captures()[0].clone();
    let context_file = case.package.join("context.json");
    let ledger = case.package.join("ledger.jsonl");
    let check = |file: &Path, content: Option<&[u8]>, code: &str, says: &str| {
        let before = fs::read(file).unwrap();
        match content {
            Some(content) => fs::write(file, content).unwrap(),
            None => fs::remove_file(file).unwrap(),
        }
        let ledger_before = fs::read(&ledger).ok();
        let error = case.error(&context("NPC_WOLPERTINGER"));
        assert_eq!((&error["code"], &error["field"]), (&json!(code), &json!("package")), "{error}");
        assert!(error["message"].as_str().unwrap().contains(says), "{error}");
        let (report, holds) = case.verify(&[]);
        assert!(!holds, "{report}");
        assert_eq!(fs::read(&ledger).ok(), ledger_before);
        fs::write(file, before).unwrap();
    };
    check(&context_file, None, "not_found", "it has no context.json");
    check(&context_file, Some(b"{}"), "package_corrupt", "it is no context");
    let changed = fs::read_to_string(&context_file).unwrap();
    let looser = changed.replace("\"budget\":null", "\"budget\":900");
    check(&context_file, Some(looser.as_bytes()), "package_corrupt", "not the context that the ledger began with");
    let other = changed.replace("\"max_lines\":80", "\"max_lines\":90");
    check(&context_file, Some(other.as_bytes()), "package_corrupt", "`settings` does not have the hash beside it");
    let spaced = changed.replace(":", ": ");
    check(&context_file, Some(spaced.as_bytes()), "package_corrupt", "not canonical JSON");
    check(&ledger, None, "package_corrupt", "ledger.jsonl: it is missing");
    check(&ledger, Some(b""), "package_corrupt", "does not begin with the line that made the package");
    check(&capture, None, "package_corrupt", "1 captures that the ledger names are missing");
    // A capture that was changed is refused when its question comes again, and by verify at once.
    let before = fs::read_to_string(&capture).unwrap();
    fs::write(&capture, before.replace("23487", "23488")).unwrap();
    for text in ["23487", "ID"] {
        let (reply, success) = case.ask(&context(text));
        assert!(success || reply["error"]["code"] == "package_corrupt");
    }
    assert!(!case.verify(&[]).1);
    fs::write(&capture, &before).unwrap();
    assert!(case.verify(&[]).1);
    // A name that is not the hash of anything.
    let stray = case.package.join("captures/stray.json");
    fs::write(&stray, "{}").unwrap();
    assert_eq!(case.error(&context("NPC_WOLPERTINGER"))["code"], "package_corrupt");
    fs::remove_file(stray).unwrap();
    // A second answer to a question that was answered is never taken up.
    let mut second: Value = serde_json::from_str(&before).unwrap();
    second["result"]["searches"][0]["matches"] = json!(99);
    let second = second.to_string();
    let path = case.package.join("captures").join(format!("{}.json", sha256(second.as_bytes())));
    fs::write(&path, second).unwrap();
    assert_eq!(case.error(&context("NPC_WOLPERTINGER"))["code"], "package_corrupt");
    assert!(!case.verify(&[]).1);
    fs::remove_file(path).unwrap();
    // A forged capture under its right name is noticed: it is bound to the context.
    let forged = before.replace("\"max_lines\":80", "\"max_lines\":81");
    let path = case.package.join("captures").join(format!("{}.json", sha256(forged.as_bytes())));
    fs::write(&path, forged).unwrap();
    assert_eq!(case.error(&context("NPC_WOLPERTINGER"))["code"], "package_corrupt");
    fs::remove_file(path).unwrap();
    for (folder, code) in [("/nowhere/at/all", "not_found"), ("/", "not_found")] {
        let (reply, _) = case.ask_in(Path::new(folder), &context("ID"));
        assert_eq!((&reply["error"]["code"], &reply["error"]["field"]), (&json!(code), &json!("package")));
    }
}

// Q-05 L-07: what does not belong among the captures is named, never taken up, and never removed.
#[test]
fn foreign_files_among_captures_are_named() {
    let case = Case::new(None);
    case.ask(&json!({"queries": [context("23487"), context("ID")]}));
    let folder = case.package.join("captures");
    let capture = case.captures()[0].clone();
    let name = capture.file_name().unwrap().to_str().unwrap().to_owned();
    let content = fs::read(&capture).unwrap();
    let elsewhere = case.pincite.home().join("elsewhere.json");
    fs::write(&elsewhere, &content).unwrap();
    let refused = |says: &[&str]| {
        let copy = case.pincite.home().join("copy");
        let export = ["case", "export", "--package", case.package.to_str().unwrap(), "--out", copy.to_str().unwrap()];
        let output = case.pincite.run(&[&export[..], &["--format", "json"]].concat());
        let exported: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(!copy.exists());
        for error in
            [case.error(&context("NPC_WOLPERTINGER")), case.verify(&[]).0["error"].clone(), exported["error"].clone()]
        {
            assert_eq!((&error["code"], &error["field"]), (&json!("package_corrupt"), &json!("package")), "{error}");
            for part in says {
                assert!(error["message"].as_str().unwrap().contains(part), "{error}");
            }
        }
    };
    for stray in ["notes.txt", "notes.tmp", ".hidden", &name.to_uppercase(), &format!("{name}.bak")] {
        fs::write(folder.join(stray), &content).unwrap();
        refused(&[&format!("captures: \"{stray}\" is not the name of a capture")]);
        assert_eq!(fs::read(folder.join(stray)).unwrap(), content, "{stray} is left alone");
        fs::remove_file(folder.join(stray)).unwrap();
    }
    // A link holds the right bytes today; a copy of the package would not have them.
    fs::remove_file(&capture).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &capture).unwrap();
    refused(&[&format!("captures/{name}: it is a symbolic link"), "a file of its own"]);
    fs::remove_file(&capture).unwrap();
    fs::create_dir(&capture).unwrap();
    refused(&[&format!("captures/{name}: it is no regular file")]);
    fs::remove_dir(&capture).unwrap();
    fs::write(&capture, &content).unwrap();
    // What a writer that was killed left is no foreign file.
    fs::write(folder.join(format!("{name}.tmp")), "{").unwrap();
    assert!(case.verify(&[]).1);
    assert!(case.ask(&context("NPC_WOLPERTINGER")).1);
    assert!(!folder.join(format!("{name}.tmp")).exists());
}

// L-02 L-07: a failed query writes no capture, and a directory that can not be written is an error that loses nothing.
#[test]
fn failures_write_no_capture() {
    let case = Case::new(None);
    for (bad, code) in [
        (json!({"kind": "source.read", "path": "../x", "start_line": 1, "end_line": 1}), "unsafe_path"),
        (json!({"kind": "source.read", "path": "no.c", "start_line": 1, "end_line": 1}), "not_found"),
        (json!({"kind": "source.search", "text": "a", "max_matches": 4_000_000}), "invalid_request"),
    ] {
        assert_eq!(case.error(&bad)["code"], code);
    }
    assert_eq!(case.captures().len(), 0);
    // Requests that can be read are in the ledger as failed; those that can not never were a question.
    let actions: Vec<Value> = case.ledger().iter().map(|line| json!([line["action"], line["error"]])).collect();
    assert_eq!(actions[1..], [json!(["failed", "not_found"]), json!(["failed", "invalid_request"])]);
    let exists = case.pincite.run(&["case", "new", "--package", case.package.to_str().unwrap(), "--format", "json"]);
    let error: Value = serde_json::from_slice(&exists.stdout).unwrap();
    assert_eq!((&error["error"]["code"], &error["error"]["field"]), (&json!("invalid_request"), &json!("package")));
    // A full disk: the file system has no room for the capture.
    let full = Path::new("/dev/full");
    if full.exists() {
        let before = fs::read(case.package.join("ledger.jsonl")).unwrap();
        fs::remove_file(case.package.join("ledger.jsonl")).unwrap();
        std::os::unix::fs::symlink(full, case.package.join("ledger.jsonl")).unwrap();
        let error = case.error(&context("23487"));
        assert!(["internal", "package_corrupt"].contains(&error["code"].as_str().unwrap()), "{error}");
        assert_eq!(case.captures().len(), 0);
        fs::remove_file(case.package.join("ledger.jsonl")).unwrap();
        fs::write(case.package.join("ledger.jsonl"), before).unwrap();
    }
    // Root writes everywhere, so a folder in place of the captures stands for what can not be written.
    let captures = case.package.join("captures");
    fs::remove_dir(&captures).unwrap();
    fs::write(&captures, "").unwrap();
    assert!(!case.ask(&context("23487")).1);
    fs::remove_file(&captures).unwrap();
    fs::create_dir(&captures).unwrap();
    fs::set_permissions(&captures, fs::Permissions::from_mode(0o555)).unwrap();
    let (reply, success) = case.ask(&context("23487"));
    fs::set_permissions(&captures, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(success || reply["error"]["code"] == "internal");
    assert_eq!(case.captures().len(), usize::from(success));
}

// Q-04 Q-05: two processes on one package take turns; the budget is never exceeded and every line stays whole.
#[test]
fn processes_take_turns() {
    let case = Case::new(Some(6));
    let mut children = Vec::new();
    for n in 0..12 {
        let query = json!({"kind": "source.search", "text": format!("filler {n}")}).to_string();
        let file = case.pincite.home().join(format!("{n}.json"));
        fs::write(&file, query).unwrap();
        let mut command = case.pincite.command();
        command.arg("query").arg(&file).arg("--package").arg(&case.package).args(["--profile", &case.profile]);
        children.push(command.stdout(Stdio::piped()).spawn().unwrap());
    }
    let outputs: Vec<_> = children.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    let answered = outputs.iter().filter(|output| output.status.success()).count();
    assert_eq!(answered, 6);
    for output in outputs.iter().filter(|output| !output.status.success()) {
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(value["error"]["code"], "budget_exhausted");
    }
    assert_eq!(case.captures().len(), 6);
    assert_eq!(case.ledger().len(), 13);
    assert!(case.verify(&["--answer-again"]).1);
}
