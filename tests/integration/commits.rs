//! Many commits in one index: the next costs its new blobs only, prune takes them out again.

use std::collections::BTreeMap;
use std::fs::File;

use serde_json::{Value, json};

use crate::naive::{Corpus, Mode};
use crate::pincite::{Pincite, hits};
use crate::support::repository::TestRepository;

/// A repository with `count` commits, each changing one file and adding one.
fn history(count: usize) -> (TestRepository, Vec<String>) {
    let repository = TestRepository::new();
    for n in 0..20 {
        repository.write(format!("src/f{n}.c"), format!("int constant_{n} = {n};\nshared();\n"));
    }
    let mut commits = vec![repository.commit("0")];
    for n in 1..count {
        repository.write("src/f0.c", format!("int changed_{n} = {n};\nshared();\n"));
        repository.write(format!("src/new{n}.c"), format!("int added_{n} = {n};\n"));
        commits.push(repository.commit(&n.to_string()));
    }
    (repository, commits)
}

fn agree(repository: &TestRepository, pincite: &Pincite, commits: &[String], term: &str) {
    for commit in commits {
        let expected = Corpus::read(repository.path(), commit).search(term, Mode::Word, b"");
        assert_eq!(hits(&pincite.json(&["search", term, "--commit", commit])), expected, "{term} in {commit}");
    }
}

// X-01 X-03: the next commit reads its new blobs only; every commit keeps its own answers.
#[test]
fn the_next_commit_costs_its_new_blobs() {
    let (repository, commits) = history(4);
    let pincite = Pincite::new(repository.path());
    let mut ids = BTreeMap::new();
    for (n, commit) in commits.iter().enumerate() {
        let report = pincite.json(&["index", "--rev", commit]);
        assert_eq!(report["new_documents"], if n == 0 { 20 } else { 2 });
        assert_eq!((&report["paths"], &report["unchanged"]), (&json!(20 + n), &json!(false)));
        ids.insert(commit.clone(), report["view_id"].clone());
    }
    for term in ["shared", "changed_1", "changed_3", "added_2", "constant_0"] {
        agree(&repository, &pincite, &commits, term);
    }
    let again = pincite.json(&["index", "--rev", &commits[1]]);
    assert_eq!((&again["unchanged"], &again["read_bytes"]), (&json!(true), &json!(0)));
    // What was indexed last is what is asked by default, also when it was there already.
    assert_eq!(pincite.json(&["search", "shared"])["pin"]["commit"], commits[1].as_str());
    // The identity of a commit does not depend on what was indexed beside it; nor does that of the whole on the order.
    let other = Pincite::new(repository.path());
    for commit in commits.iter().rev() {
        assert_eq!(other.json(&["index", "--rev", commit])["view_id"], ids[commit]);
    }
    assert_eq!(other.json(&["status"])["index_id"], pincite.json(&["status"])["index_id"]);
}

#[test]
fn prune_removes_commits_and_their_documents() {
    let (repository, commits) = history(4);
    let pincite = Pincite::new(repository.path());
    commits.iter().for_each(|commit| drop(pincite.json(&["index", "--rev", commit])));
    let report = pincite.json(&["prune", "--commit", &commits[1], &commits[2]]);
    assert_eq!(report["removed"], json!([commits[1], commits[2]]));
    assert_eq!(report["removed_documents"], 2, "the two versions of the changed file");
    let kept = [commits[0].clone(), commits[3].clone()];
    for term in ["shared", "changed_1", "changed_3", "added_2", "constant_0"] {
        agree(&repository, &pincite, &kept, term);
    }
    assert_eq!(pincite.error(&["search", "shared", "--commit", &commits[1]])["code"], "index_missing");
    let status = pincite.json(&["status", "--check"]);
    assert_eq!((&status["documents"], status["commits"].as_array().unwrap().len()), (&json!(24), 2));
    let report = pincite.json(&["prune", "--keep", "1"]);
    assert_eq!(report["kept"], json!([commits[3]]));
    agree(&repository, &pincite, &commits[3..], "shared");
    // An index that was pruned to a commit holds what an index of that commit alone holds.
    let alone = Pincite::new(repository.path());
    assert_eq!(alone.json(&["index", "--rev", &commits[3]])["index_id"], report["index_id"]);
    assert_eq!(alone.json(&["status"])["documents"], pincite.json(&["status"])["documents"]);
    // A pruned commit can come back.
    pincite.json(&["index", "--rev", &commits[1]]);
    agree(&repository, &pincite, &commits[1..2], "changed_1");
    pincite.json(&["prune", "--keep", "0"]);
    assert_eq!(pincite.json(&["status"])["documents"], 0);
}

// Whatever a writer publishes and collects meanwhile, readers see one whole generation.
#[test]
fn readers_beside_a_writer_find_a_whole_index() {
    let (repository, mut commits) = history(2);
    // So much that a check takes longer than the writer needs for a round.
    let words: String = (0..200_000).map(|n| format!("word_{n} shared\n")).collect();
    repository.write("src/words.c", words);
    commits.push(repository.commit("words"));
    let pincite = Pincite::indexed(repository.path());
    std::thread::scope(|threads| {
        let writer = threads.spawn(|| {
            for commit in commits.iter().chain(&commits) {
                pincite.json(&["index", "--rev", commit]);
                pincite.json(&["prune", "--keep", "1"]);
            }
        });
        let mut rounds = 0;
        while !writer.is_finished() || rounds == 0 {
            assert!(pincite.json(&["status", "--check"])["check"]["files"].as_u64().unwrap() > 0);
            // Without a commit it is the one indexed last, whichever that is at the moment.
            assert_eq!(pincite.json(&["search", "shared"])["searches"][0]["skipped"], json!({}));
            rounds += 1;
        }
        writer.join().unwrap();
    });
}

// Many small segments are joined, and answers stay what they were.
#[test]
fn small_segments_are_joined() {
    let (repository, commits) = history(30);
    let pincite = Pincite::new(repository.path());
    let mut most = 0;
    for commit in &commits {
        most = most.max(pincite.json(&["index", "--rev", commit])["segments"].as_u64().unwrap());
    }
    assert!(most <= 25, "{most} segments");
    for term in ["shared", "changed_7", "added_29"] {
        agree(&repository, &pincite, &[commits[0].clone(), commits[7].clone(), commits[29].clone()], term);
    }
    assert!(pincite.json(&["status", "--check"])["check"]["files"].as_u64().unwrap() > 0);
    let profile = pincite.profile("[source_analysis]\n");
    let context = pincite.json(&["context", "7", "--commit", &commits[7], "--profile", &profile]);
    let names: Vec<&Value> = context["searches"].as_array().unwrap().iter().map(|search| &search["text"]).collect();
    assert_eq!(names, ["7", "changed_7", "constant_7", "added_7"]);
}

// The scanner's hints answer first; a later run adds tree-sitter's.
#[test]
fn hints_can_be_added_later() {
    let (repository, commits) = history(1);
    let pincite = Pincite::new(repository.path());
    let first = pincite.json(&["index", "--hints", "lexical"]);
    assert_eq!(first["hints"], "lexical");
    let second = pincite.json(&["index"]);
    assert_eq!((&second["hints"], &second["new_documents"]), (&json!("syntax"), &json!(0)));
    assert_ne!(first["view_id"], second["view_id"], "the answers may differ, so the identity does");
    agree(&repository, &pincite, &commits, "shared");
}

// One writer at a time; readers never wait.
#[test]
fn a_second_writer_is_refused() {
    let (repository, _) = history(2);
    let pincite = Pincite::indexed(repository.path());
    let lock = File::options().write(true).open(pincite.index().join("lock")).unwrap();
    lock.try_lock().unwrap();
    for command in [&["index"][..], &["prune", "--keep", "1"]] {
        assert_eq!(pincite.error(command)["code"], "index_busy");
    }
    assert_eq!(pincite.json(&["search", "shared"])["searches"][0]["complete"], true);
    // Not only dropped: a child that another test is starting may hold a copy of the file for a moment.
    lock.unlock().unwrap();
    pincite.json(&["index"]);
}
