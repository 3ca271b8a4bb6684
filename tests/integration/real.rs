//! An opt-in check on a large real repository: hashes and lines are compared with the Git objects by Git itself.
//!
//! ```sh
//! PINCITE_REAL_REPOSITORY=/path/to/clone cargo test -p pincite --test integration real -- --ignored --nocapture
//! ```

use std::path::PathBuf;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::pincite::{Pincite, hits, path_of};
use crate::support::oracle::{blob, git_grep_fixed, ls_tree};
use crate::support::repository::{first_line, git_command, run};

/// Terms of every kind, drawn from the commit's own files at fixed places.
fn terms(repository: &std::path::Path, commit: &str) -> Vec<String> {
    let entries = ls_tree(repository, commit);
    let source = entries.iter().filter(|entry| entry.path.ends_with(b".cpp") || entry.path.ends_with(b".c"));
    let source: Vec<_> = source.collect();
    let mut terms = Vec::new();
    for at in 0..12 {
        let Some(entry) = source.get(at * source.len() / 12) else { continue };
        let text = String::from_utf8_lossy(&blob(repository, &entry.oid)).into_owned();
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        terms.extend(words.iter().rev().find(|word| word.len() > 9).map(|word| (*word).to_owned()));
        let number = words.iter().find(|word| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_digit()));
        terms.extend(number.map(|word| (*word).to_owned()));
        let line = text.lines().find(|line| line.contains("->") && line.trim().len() < 80);
        terms.extend(line.map(|line| line.trim().to_owned()));
    }
    terms
}

// Q-08 P-04 T-04
#[test]
#[ignore = "needs PINCITE_REAL_REPOSITORY, a large clone"]
fn a_real_repository_agrees_with_git() {
    let repository = PathBuf::from(std::env::var_os("PINCITE_REAL_REPOSITORY").expect("PINCITE_REAL_REPOSITORY"));
    let commit = first_line(&run(git_command(&repository).args(["rev-parse", "HEAD"]), b""));
    let pincite = Pincite::new(&repository);
    pincite.json(&["index", "--rev", &commit]);
    let (mut lines, mut listed) = (0, 0);
    for term in terms(&repository, &commit) {
        let found = pincite.json(&["search", "--mode", "literal", "--", &term]);
        assert_eq!(hits(&found), git_grep_fixed(&repository, &commit, term.as_bytes(), b""), "{term:?}");
        listed += found["matches"].as_array().unwrap().len();
        let result = pincite.json(&["context", "--", &term]);
        for file in result["files"].as_array().unwrap() {
            let name = [commit.as_bytes(), b":", &path_of(file)].concat();
            let name = String::from_utf8(name).unwrap();
            let id = first_line(&run(git_command(&repository).args(["rev-parse", &name]), b""));
            assert_eq!(file["blob"], id);
            let bytes = blob(&repository, &id);
            let sha256: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!((&file["sha256"], &file["bytes"]), (&json!(sha256), &json!(bytes.len())));
            let real: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
            for block in file["blocks"].as_array().unwrap() {
                let start = block["start_line"].as_u64().unwrap() as usize;
                let none = Vec::new();
                let cut: Vec<&Value> = block
                    .get("shortened")
                    .and_then(Value::as_array)
                    .unwrap_or(&none)
                    .iter()
                    .map(|one| &one["line"])
                    .collect();
                for (shown, number) in block["lines"].as_array().unwrap().iter().zip(start..) {
                    let line = real[number - 1].strip_suffix(b"\r").unwrap_or(real[number - 1]);
                    if !cut.contains(&&json!(number)) {
                        assert_eq!(shown.as_str().unwrap(), String::from_utf8_lossy(line), "{name}:{number}");
                    }
                    lines += 1;
                }
            }
        }
    }
    println!("{lines} lines of contexts and {listed} matches agree with Git");
    assert!(lines > 0 && listed > 0);
}
