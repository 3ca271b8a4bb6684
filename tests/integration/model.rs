//! A simulated model drives the whole loop through the command line: it reads the contract, asks, follows what the
//! answers say, runs out of budget, and goes on with a copy of the package.

use std::fs;

use serde_json::{Value, json};

use crate::package::{Case, context};
use crate::pincite::Pincite;

/// What the model decides to ask next from what it has read so far.
fn next(contract: &str, evidence: &[Value]) -> Option<Value> {
    let Some(first) = evidence.first() else {
        // The contract tells where to begin.
        assert!(contract.contains("Begin with `source.context`"));
        return Some(context("23487"));
    };
    let read_of = |reply: &Value| reply["kind"] == "source.read";
    match evidence.iter().rev().find(|reply| read_of(reply)) {
        None => {
            // Read around the registration that the context led to.
            let found =
                first["searches"].as_array().unwrap().iter().find(|one| one["origin"]["kind"] == "registration");
            let path = &found.unwrap()["origin"]["path"];
            Some(json!({"kind": "source.read", "path": path, "start_line": 1, "end_line": 202}))
        }
        Some(last) => {
            // Go on as the answer says, until nothing is missing.
            let next = last["next_start_line"].as_u64()?;
            let (path, end) = (&last["path"], &last["requested_end_line"]);
            Some(json!({"kind": "source.read", "path": path, "start_line": next, "end_line": end}))
        }
    }
}

// Q-08 Q-04 Q-05
#[test]
fn a_model_works_within_a_budget_and_resumes() {
    let case = Case::new(Some(2));
    let contract = String::from_utf8(case.pincite.run(&["contract", "--profile", &case.profile]).stdout).unwrap();
    let mut evidence: Vec<Value> = Vec::new();
    let stopped = loop {
        let question = next(&contract, &evidence).expect("the budget ends before the questions");
        let (reply, success) = case.ask(&question);
        if !success {
            break (question, reply["error"]["code"].clone());
        }
        evidence.push(reply);
    };
    assert_eq!(stopped.1, "budget_exhausted");
    assert_eq!(evidence.len(), 2);
    // Somebody gives it a new package for the same commit and settings, with the old evidence to start from.
    let more = case.pincite.home().join("more");
    let arguments = ["case", "new", "--package", more.to_str().unwrap(), "--profile", &case.profile, "--budget", "5"];
    assert!(case.pincite.run(&arguments).status.success());
    for capture in case.captures() {
        fs::copy(&capture, more.join("captures").join(capture.file_name().unwrap())).unwrap();
    }
    // And on another machine it goes on in the copy: what was known costs nothing new.
    let other = Pincite::indexed(case.repository.path());
    let profile = other.profile("[source_analysis]\nregistration_prefixes = [\"AddSC_\"]\n");
    let ask = |question: &Value| other.query(&["--package", more.to_str().unwrap(), "--profile", &profile], question);
    let mut again: Vec<Value> = Vec::new();
    while let Some(question) = next(&contract, &again) {
        let (reply, success) = ask(&question);
        assert!(success, "{reply}");
        again.push(reply);
    }
    assert_eq!(again[..2], evidence[..]);
    // The reads together are the file, without a gap or an overlap.
    let reads: Vec<&Value> = again[1..].iter().flat_map(|reply| reply["lines"].as_array().unwrap()).collect();
    assert_eq!(reads.len(), 202);
    assert!(reads[201].as_str().unwrap().contains("AddSC_wolpertinger"));
    let ledger = fs::read_to_string(more.join("ledger.jsonl")).unwrap();
    let count = |action: &str| ledger.matches(&format!("\"action\":\"{action}\"")).count();
    assert_eq!((count("recovered"), count("cached"), count("answered")), (2, 2, 2));
    assert!(other.run(&["verify", "--answer-again", "--recount", more.to_str().unwrap()]).status.success());
}
