//! Damaged index files and killed builds: the right answer, or `index_corrupt`; never a wrong answer, never a panic.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use pincite_query::Engine;
use pincite_shared::failure::Code;
use pincite_shared::git::Repository;
use pincite_shared::settings::Settings;
use pincite_shared::wire::request::{Request, SearchMode};
use serde_json::json;

use crate::pincite::Pincite;
use crate::support::repository::TestRepository;

fn indexed() -> (TestRepository, Pincite) {
    let repository = TestRepository::new();
    for n in 0..30 {
        repository.write(
            format!("src/f{n}.c"),
            format!("int name_{n} = {};\nvoid call_{n}() {{ shared(name_{n}, 0x1F); }}\n", n * 7),
        );
    }
    repository.commit("files");
    let pincite = Pincite::indexed(repository.path());
    (repository, pincite)
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_path_buf()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.retain(|path| !path.ends_with("lock"));
    files.sort();
    files
}

/// Answers of all kinds, or the code of the failure.
fn answers(repository: &Path, index: &Path) -> Result<Vec<String>, Code> {
    let open = Repository::open(repository).map_err(|_| Code::Internal)?;
    let engine = Engine::open(open, index, None, Settings::default()).map_err(|failure| failure.code)?;
    let search =
        |text: &str, mode| Request::Search { text: text.into(), mode, path_prefix: String::new(), max_matches: None };
    let requests = [
        search("shared", SearchMode::Word),
        search("14", SearchMode::Decimal),
        search("all_2", SearchMode::Literal),
        search("(name_", SearchMode::Literal),
        Request::context("21", ""),
        Request::List { path_prefix: String::new(), after: None },
    ];
    let answer = |request: &Request| engine.answer(request).and_then(|answer| answer.to_json(u64::MAX));
    requests.iter().map(|request| answer(request).map_err(|failure| failure.code)).collect()
}

// damage is found or changes nothing.
#[test]
fn flipped_bits_and_cut_files_never_change_an_answer() {
    let (repository, pincite) = indexed();
    let right = answers(repository.path(), &pincite.index()).unwrap();
    let open = Repository::open(repository.path()).unwrap();
    for path in files(&pincite.index()) {
        let whole = fs::read(&path).unwrap();
        let step = (whole.len() / 25).max(1);
        let flips = (0..whole.len()).step_by(step).map(|at| {
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << (at % 8);
            damaged
        });
        let cuts = [0, whole.len() / 2, whole.len().saturating_sub(1)].map(|len| whole[..len].to_vec());
        for (n, damaged) in flips.chain(cuts).enumerate() {
            if damaged == whole {
                continue;
            }
            fs::write(&path, &damaged).unwrap();
            match answers(repository.path(), &pincite.index()) {
                Ok(given) => assert_eq!(given, right, "{} damage {n}", path.display()),
                Err(Code::IndexCorrupt | Code::IndexMissing) => {}
                Err(code) => panic!("{} damage {n}: {code:?}", path.display()),
            }
            assert!(
                pincite_indexer::check(&open, &pincite.index()).is_err(),
                "{} damage {n} is not found",
                path.display()
            );
        }
        fs::write(&path, &whole).unwrap();
    }
    assert_eq!(answers(repository.path(), &pincite.index()).unwrap(), right);
}

#[test]
fn a_lost_file_is_named() {
    let (repository, pincite) = indexed();
    let right = answers(repository.path(), &pincite.index()).unwrap();
    for path in files(&pincite.index()).iter().filter(|path| !path.ends_with("CURRENT")) {
        let whole = fs::read(path).unwrap();
        fs::remove_file(path).unwrap();
        // Which blobs the documents are is asked by the next build, not by queries.
        let given = if path.ends_with("documents") { Ok(right.clone()) } else { Err(Code::IndexCorrupt) };
        assert_eq!(answers(repository.path(), &pincite.index()), given, "{}", path.display());
        let error = pincite.error(&["status", "--check"]);
        assert_eq!(error["code"], "index_corrupt");
        assert!(error["message"].as_str().unwrap().contains(path.file_name().unwrap().to_str().unwrap()), "{error}");
        // A run that has nothing new to index does not call it good. (Manifests it can write again: below.)
        if !path.parent().unwrap().ends_with("manifests") {
            assert_eq!(pincite.error(&["index"])["code"], "index_corrupt", "{}", path.display());
        }
        fs::write(path, whole).unwrap();
    }
    let manifests = || files(&pincite.index()).into_iter().filter(|path| path.parent().unwrap().ends_with("manifests"));
    fs::remove_file(manifests().next().unwrap()).unwrap();
    pincite.json(&["index"]);
    assert_eq!(answers(repository.path(), &pincite.index()).unwrap(), right);
    pincite.json(&["status", "--check"]);
}

// A kill at any moment leaves the old index or the new one, and the next run works.
#[test]
fn a_killed_build_leaves_a_whole_index() {
    let (repository, pincite) = indexed();
    let first = repository.head();
    for n in 0..60 {
        repository.write(format!("more/g{n}.c"), format!("int more_{n} = 1;\n").repeat(2_000));
    }
    let second = repository.commit("more");
    for delay in [0, 3, 8, 15, 25, 40, 60, 90, 130, 200] {
        let mut child = pincite
            .command()
            .args(["index", "--progress", "none"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(
            pincite.json(&["search", "shared", "--commit", &first])["searches"][0]["matches"],
            30,
            "killed after {delay} ms"
        );
        pincite.json(&["status", "--check"]);
        let status = pincite.json(&["status"]);
        let is_there = status["commits"].as_array().unwrap().iter().any(|commit| commit["commit"] == second.as_str());
        if is_there {
            assert_eq!(pincite.json(&["search", "more_7", "--commit", &second])["searches"][0]["matches"], 2_000);
            pincite.json(&["prune", "--commit", &second]);
        }
    }
    pincite.json(&["index"]);
    assert_eq!(pincite.json(&["search", "more_7"])["searches"][0]["matches"], 2_000);
    // Nothing of the killed runs is left.
    let named = pincite.json(&["status", "--check"])["check"]["files"].as_u64().unwrap();
    assert_eq!(files(&pincite.index()).len() as u64, named + 2, "the pointer and the record come on top");
}

// A reader goes on with the index it opened while a writer replaces it.
#[test]
fn readers_keep_their_generation() {
    let (repository, pincite) = indexed();
    let open = Repository::open(repository.path()).unwrap();
    let engine = Engine::open(open, &pincite.index(), None, Settings::default()).unwrap();
    let request = Request::context("shared", "");
    repository.remove("src/f1.c");
    repository.commit("fewer");
    pincite.json(&["index"]);
    pincite.json(&["prune", "--keep", "1"]);
    let answer = serde_json::to_value(engine.answer(&request).unwrap()).unwrap();
    assert_eq!(answer["searches"][0]["matches"], json!(30));
    assert_eq!(pincite.json(&["context", "shared"])["searches"][0]["matches"], json!(29));
}

// An index on a read-only disk answers.
#[test]
fn an_index_is_only_read_by_queries() {
    let (_repository, pincite) = indexed();
    let before: Vec<_> = files(&pincite.index())
        .into_iter()
        .map(|path| (fs::metadata(&path).unwrap().modified().unwrap(), path))
        .collect();
    pincite.json(&["search", "shared"]);
    pincite.json(&["context", "21"]);
    pincite.json(&["status", "--check", "--skipped"]);
    let after: Vec<_> = files(&pincite.index())
        .into_iter()
        .map(|path| (fs::metadata(&path).unwrap().modified().unwrap(), path))
        .collect();
    assert_eq!(before, after);
}
