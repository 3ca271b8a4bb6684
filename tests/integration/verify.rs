//! `verify` notices whatever is changed in a capture, and says where.

use std::fs;
use std::path::{Path, PathBuf};

use pincite_query::Engine;
use pincite_query::verify::{Depth, Problem, answer_again, verify};
use pincite_shared::git::Repository;
use pincite_shared::profile::settings_from_canonical;
use pincite_shared::wire::canonical::canonical;
use pincite_shared::wire::interpretation::Interpretation;
use serde_json::{Value, json};

use crate::package::{Case, context};

/// A pointer to every member and entry, with containers before what they hold.
fn pointers(value: &Value, at: String, all: &mut Vec<String>) {
    all.push(at.clone());
    match value {
        Value::Object(map) => map.iter().for_each(|(name, one)| pointers(one, format!("{at}/{name}"), all)),
        Value::Array(list) => list.iter().zip(0..).for_each(|(one, n)| pointers(one, format!("{at}/{n}"), all)),
        _ => {}
    }
}

/// Another value of the same type, where the type has one.
fn changed(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![json!(7), json!("x")],
        Value::Bool(is) => vec![json!(!is)],
        Value::Number(number) => vec![json!(number.as_u64().unwrap() + 1), json!(0)],
        Value::String(text) => {
            let flipped: String = match text.chars().next() {
                Some(first) => [if first == 'a' { 'b' } else { 'a' }].into_iter().chain(text.chars().skip(1)).collect(),
                None => "a".into(),
            };
            vec![json!(flipped), json!(format!("{text} "))]
        }
        Value::Array(list) => {
            let mut less = list.clone();
            let mut all = vec![];
            if less.pop().is_some() {
                all.push(json!(less));
            }
            if list.len() > 1 && list[0] != list[1] {
                let mut swapped = list.clone();
                swapped.swap(0, 1);
                all.push(json!(swapped));
            }
            all
        }
        Value::Object(map) => {
            let mut more = map.clone();
            more.insert("surprise".into(), json!(1));
            vec![json!(more)]
        }
    }
}

/// Whether a problem concerns the member that was changed.
fn concerns(problem: &Problem, pointer: &str) -> bool {
    let related = |a: &str, b: &str| a.strip_prefix(b).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    related(&problem.pointer, pointer)
        || related(pointer, &problem.pointer)
        // The hash beside the settings no longer fits them.
        || (pointer.starts_with("/settings") && problem.pointer == "/settings_sha256")
}

// any change of any member of a capture is noticed, and the member is named.
#[test]
fn every_change_of_a_capture_is_named() {
    let case = Case::new(None);
    case.repository.write("src/long.c", format!("int NPC_X; // {}\n// caf\n", "y".repeat(900)));
    let queries = json!({"queries": [
        context("23487"),
        {"kind": "source.search", "text": "23487", "mode": "decimal", "path_prefix": "s"},
        {"kind": "source.search", "text": "filler", "max_matches": 2},
        {"kind": "source.read", "path": "src/a.cpp", "start_line": 100, "end_line": 240},
        {"kind": "source.read", "path": "src/b.py", "start_line": 1, "end_line": 1},
        {"kind": "source.list", "path_prefix": ""},
    ]});
    let (reply, _) = case.ask(&queries);
    assert!(reply["results"].as_array().unwrap().iter().all(|one| one.get("error").is_none()), "{reply}");
    let mutations = check_every_change(case.repository.path(), &case.pincite.index(), &case.captures(), None);
    assert!(mutations > 1_000, "{mutations}");
}

/// Changes every member of every capture in turn; `verify` must name it. Gives the number of changes.
pub fn check_every_change(
    repository: &Path,
    index: &Path,
    captures: &[PathBuf],
    interpretation: Option<&Interpretation>,
) -> usize {
    let open = || Repository::open(repository).unwrap();
    let repository = open();
    let mut mutations = 0;
    for file in captures {
        let bytes = fs::read(file).unwrap();
        let name = file.file_stem().unwrap().to_str().unwrap();
        let value: Value = serde_json::from_slice(&bytes).unwrap();
        let settings = settings_from_canonical(&value["settings"]).unwrap();
        let mut engine = Engine::open(open(), index, None, settings).unwrap();
        if let Some(interpretation) = interpretation {
            engine = engine.with_interpretation(interpretation.clone());
        }
        let checked = |value: &Value| {
            let bytes = canonical(value).unwrap().into_bytes();
            let mut problems = verify(&repository, &bytes, None, Depth::Recount).problems;
            if let Ok(capture) = serde_json::from_slice(&bytes) {
                match answer_again(&engine, &capture) {
                    Ok(Some(more)) => problems.extend(more),
                    Ok(None) => {}
                    Err(failure) => {
                        problems.push(Problem { pointer: "/request".into(), problem: failure.message });
                    }
                }
            }
            problems
        };
        assert_eq!(checked(&value), [], "{}", value["request"]);
        assert_eq!(verify(&repository, &bytes, Some(name), Depth::Cited).problems, []);
        let mut all = Vec::new();
        pointers(&value, String::new(), &mut all);
        for pointer in all {
            let old = value.pointer(&pointer).unwrap().clone();
            for new in changed(&old).into_iter().filter(|new| *new != old) {
                let mut mutant = value.clone();
                *mutant.pointer_mut(&pointer).unwrap() = new.clone();
                mutations += 1;
                // Whatever it is, the file no longer has the hash that names it.
                let bytes = canonical(&mutant).unwrap().into_bytes();
                assert!(!verify(&repository, &bytes, Some(name), Depth::Cited).problems.is_empty());
                let problems = checked(&mutant);
                // Which index answered can be told from nothing but the capture's own hash.
                if pointer == "/result/index/id" && new.as_str().is_some_and(|text| text.len() == 64) {
                    continue;
                }
                // What a capture is bound to is held by the package's context; anchors that name another one are told.
                if pointer.starts_with("/interpretation") && interpretation.is_some() {
                    continue;
                }
                assert!(
                    problems.iter().any(|problem| concerns(problem, &pointer)),
                    "{} {pointer}: {old} → {new}: {problems:?}",
                    value["request"]
                );
            }
        }
    }
    mutations
}

// bytes that are not a capture, and a repository that does not have the commit.
#[test]
fn what_can_not_be_checked_is_said() {
    let case = Case::new(None);
    case.ask(&context("23487"));
    let capture = case.captures()[0].clone();
    let other = crate::support::repository::TestRepository::new();
    other.write("x.c", "int x;\n");
    other.commit("x");
    let stranger = crate::pincite::Pincite::new(other.path());
    let output = stranger.run(&["verify", "--format", "json", capture.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report[0]["problems"][0]["pointer"], "/result/pin/commit");
    let bad = case.pincite.home().join("bad.json");
    for text in ["", "[", "[]", "{}", "{\"capture\":1}", "{\"kind\":\"source.read\"}", "\u{feff}{}"] {
        fs::write(&bad, text).unwrap();
        let output = case.pincite.run(&["verify", bad.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1), "{text}: {output:?}");
    }
    let output = case.pincite.run(&["verify", "--format", "json", "/nowhere.json"]);
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap()["error"]["code"], "not_found");
    // What was to be answered again and can not be does not hold; nor does a list that lacks entries.
    let package = case.package.to_str().unwrap();
    assert!(case.pincite.run(&["verify", package, "--answer-again"]).status.success());
    let mut other: Value = serde_json::from_slice(&fs::read(&capture).unwrap()).unwrap();
    other["result"]["index"]["id"] = json!("0".repeat(64));
    fs::write(&bad, canonical(&other).unwrap()).unwrap();
    assert!(case.pincite.run(&["verify", bad.to_str().unwrap()]).status.success());
    assert!(!case.pincite.run(&["verify", bad.to_str().unwrap(), "--answer-again"]).status.success());
    let mut list = case.pincite.json(&["list"]);
    list["entries"].as_array_mut().unwrap().pop();
    fs::write(&bad, list.to_string()).unwrap();
    assert!(!case.pincite.run(&["verify", bad.to_str().unwrap()]).status.success());
    // A bare result is evidence as well.
    let result = case.pincite.run(&["context", "23487", "--format", "json"]).stdout;
    fs::write(&bad, result).unwrap();
    assert!(case.pincite.run(&["verify", bad.to_str().unwrap()]).status.success());
}
