//! The pin: one commit, whatever happens around it.

use std::fs;

use serde_json::Value;

use crate::pincite::{Pincite, hits};
use crate::support::repository::TestRepository;

fn small() -> (TestRepository, String) {
    let repository = TestRepository::new();
    repository.write("src/a.c", "int alpha = 1;\nuse(alpha);\n");
    repository.write("src/b.c", "int beta = 2;\n");
    let commit = repository.commit("first");
    (repository, commit)
}

fn answers(pincite: &Pincite) -> Vec<Value> {
    [&["search", "alpha"][..], &["context", "alpha"], &["read", "src/a.c", "1-2"], &["list"]]
        .map(|ask| pincite.json(ask))
        .to_vec()
}

// P-01 P-03 P-07: work tree, index file, branches, tags, attributes, configuration and hooks change no answer.
#[test]
fn nothing_but_the_commit_decides() {
    let (repository, commit) = small();
    let pincite = Pincite::indexed(repository.path());
    let before = answers(&pincite);
    assert_eq!(before[0]["pin"]["commit"], commit.as_str());
    repository.git(&["tag", "release"]);
    repository.write("src/a.c", "changed\n");
    repository.write(".gitattributes", "* binary\n");
    repository.write("src/new.c", "alpha alpha\n");
    let second = repository.commit("second");
    repository.git(&["tag", "--force", "release"]);
    repository.git(&["checkout", "--quiet", "--orphan", "elsewhere"]);
    fs::remove_dir_all(repository.path().join("src")).unwrap();
    fs::write(repository.path().join("src"), "now a file").unwrap();
    let git_dir = repository.git_dir();
    fs::create_dir_all(git_dir.join("hooks")).unwrap();
    fs::create_dir_all(git_dir.join("info")).unwrap();
    fs::write(git_dir.join("hooks/post-checkout"), "#!/bin/sh\ntouch /tmp/pincite-hook-ran\n").unwrap();
    fs::write(git_dir.join("info/attributes"), "* binary\n").unwrap();
    fs::write(git_dir.join("index"), b"garbage").unwrap();
    let config = fs::read_to_string(git_dir.join("config")).unwrap();
    let hostile =
        "[core]\n\tfsmonitor = /bin/false\n\tsshCommand = /bin/false\n\thooksPath = /nowhere\n\tpager = /bin/false\n";
    fs::write(git_dir.join("config"), format!("{config}{hostile}")).unwrap();
    assert_eq!(answers(&pincite), before);
    // The branch is gone and the commit is not: it stays the pin of its index.
    pincite.json(&["index", "--rev", &second]);
    let old = pincite.json(&["search", "alpha", "--commit", &commit]);
    assert_eq!(old["matches"], before[0]["matches"]);
    assert_eq!(old["index"], before[0]["index"], "another commit in the index changes no identity of this one");
}

// P-01: replace refs, grafts and the environment change nothing.
#[test]
fn replacements_and_the_environment_are_ignored() {
    let (repository, commit) = small();
    let pincite = Pincite::indexed(repository.path());
    let before = answers(&pincite);
    let blob = repository.resolve("HEAD:src/a.c");
    let other = repository.hash_object("blob", b"replaced\n");
    repository.git(&["replace", &blob, &other]);
    repository.write("src/c.c", "x\n");
    let second = repository.commit("second");
    repository.git(&["replace", &commit, &second]);
    assert_eq!(answers(&pincite), before);
    let (decoy, _) = small();
    decoy.write("src/decoy.c", "alpha\n");
    decoy.commit("decoy");
    let mut command = pincite.command();
    command.args(["search", "alpha", "--format", "json"]);
    for (name, value) in [
        ("GIT_DIR", decoy.git_dir().to_str().unwrap()),
        ("GIT_WORK_TREE", "/"),
        ("GIT_OBJECT_DIRECTORY", decoy.git_dir().join("objects").to_str().unwrap()),
        ("GIT_ALTERNATE_OBJECT_DIRECTORIES", decoy.git_dir().join("objects").to_str().unwrap()),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "core.useReplaceRefs"),
        ("GIT_CONFIG_VALUE_0", "true"),
        ("GIT_CONFIG_GLOBAL", "/nowhere"),
        ("GIT_NAMESPACE", "x"),
    ] {
        command.env(name, value);
    }
    let output = command.output().unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&output.stdout).unwrap(), before[0]);
}

/// Every file below a folder with its content.
fn everything_in(folder: &std::path::Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut folders = vec![folder.to_path_buf()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push((path.clone(), fs::read(path).unwrap())) }
        }
    }
    files.sort();
    files
}

// P-03: neither indexing nor querying writes into the repository or needs a program.
#[test]
fn the_repository_is_only_read() {
    let (repository, _) = small();
    let before = everything_in(repository.path());
    // The environment of the command is empty: there is no PATH on which another program could be found.
    let pincite = Pincite::indexed(repository.path());
    answers(&pincite);
    pincite.json(&["status", "--check", "--skipped"]);
    pincite.json(&["prune", "--keep", "1"]);
    assert_eq!(everything_in(repository.path()), before);
}

// P-03: every shape of clone is read where it lies.
#[test]
fn every_shape_of_repository_is_read() {
    let (repository, _) = small();
    repository.write("src/d.c", "use(alpha);\n");
    repository.commit("second");
    let expected = hits(&Pincite::indexed(repository.path()).json(&["search", "alpha"]));
    assert_eq!(expected.len(), 3);
    repository.pack();
    for shape in [
        repository.bare_clone(),
        repository.linked_worktree(),
        repository.with_alternates(),
        repository.shallow_clone(),
    ] {
        let pincite = Pincite::indexed(shape.path());
        assert_eq!(hits(&pincite.json(&["search", "alpha"])), expected, "{}", shape.path().display());
    }
    let by_git_dir = Pincite::indexed(&repository.git_dir());
    assert_eq!(hits(&by_git_dir.json(&["search", "alpha"])), expected);
}

// P-06: a blob that the clone lacks is skipped and every answer says so; `--strict` makes it an error.
#[test]
fn missing_blobs_are_skipped_and_named() {
    let (repository, commit) = small();
    let partial = repository.partial_clone();
    let pincite = Pincite::new(partial.path());
    let error = pincite.error(&["index", "--strict", "--rev", &commit]);
    assert_eq!((&error["code"], &error["field"]), (&"object_missing".into(), &"strict".into()));
    assert_eq!(pincite.error(&["status"])["code"], "index_missing", "nothing was published");
    let report = pincite.json(&["index", "--rev", &commit]);
    assert_eq!(report["skipped"]["missing_object"], 2);
    let result = pincite.json(&["search", "alpha"]);
    assert_eq!(result["searches"][0]["skipped"]["missing_object"], 2);
    assert_eq!(result["searches"][0]["complete"], false);
    assert_eq!(result["status"], "partial_source_search");
    // Once the blobs are there, the next run finds them.
    partial.git(&["fetch", "--quiet", "--refetch", "--filter=tree:9", "origin"]);
    for path in ["src/a.c", "src/b.c"] {
        let content = repository.git(&["cat-file", "blob", &format!("{commit}:{path}")]);
        partial.hash_object("blob", &content);
    }
    let report = pincite.json(&["index", "--rev", &commit]);
    assert_eq!(report["skipped"], serde_json::json!({}));
    assert_eq!(pincite.json(&["search", "alpha"])["status"], "complete_source_search");
}

// P-06: a blob that disappears after it was indexed is recorded as missing by the next run, and comes back with it.
#[test]
fn a_blob_that_disappears_is_recorded_as_missing() {
    let (repository, _) = small();
    let pincite = Pincite::new(repository.path());
    let before = pincite.json(&["index"]);
    let blob = repository.resolve("HEAD:src/a.c");
    let content = repository.git(&["cat-file", "blob", &blob]);
    let check = || {
        let output = pincite.run(&["status", "--check"]);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let whole = check();
    assert!(whole.contains("check       whole: ") && whole.contains("and 2 blobs re-hashed\n"), "{whole}");
    repository.delete_object(&blob);
    // The index is what was written; the clone is not what was indexed, and that is told apart.
    let torn = check();
    assert!(torn.contains("check       the index is whole, the clone is not: "), "{torn}");
    assert!(torn.contains("and 1 blobs re-hashed; 1 indexed blobs are no longer there: "), "{torn}");
    assert_eq!(pincite.json(&["status", "--check"])["check"]["missing_blobs"], 1);
    assert_eq!(pincite.error(&["search", "alpha"])["code"], "object_missing");
    assert_eq!(pincite.json(&["index"])["skipped"]["missing_object"], 1);
    // Recorded as missing, it is no document any more.
    assert!(check().contains("check       whole: "));
    let result = pincite.json(&["search", "int", "--mode", "word"]);
    assert_eq!(result["searches"][0]["skipped"]["missing_object"], 1);
    assert_eq!((&result["searches"][0]["matches"], &result["searches"][0]["complete"]), (&1.into(), &false.into()));
    repository.hash_object("blob", &content);
    let after = pincite.json(&["index"]);
    assert_eq!((&after["view_id"], &after["skipped"]), (&before["view_id"], &before["skipped"]));
}

// P-04: commit, tree and blob are re-hashed before anything derived from them is returned.
#[test]
fn a_changed_object_is_an_error_and_never_a_result() {
    for object in ["HEAD", "HEAD^{tree}", "HEAD:src", "HEAD:src/a.c"] {
        let (repository, _) = small();
        let pincite = Pincite::indexed(repository.path());
        let id = repository.resolve(object);
        // A well-formed object of the same kind under a name that is not its hash.
        let other = match object {
            "HEAD" => {
                repository.write("x", "x");
                let other = repository.commit("other");
                repository.git(&["update-ref", "refs/heads/main", &id]);
                other
            }
            "HEAD:src/a.c" => repository.hash_object("blob", b"int alpha = 1;\nuse(alpha); // forged\n"),
            _ => repository.raw_tree(&[("100644", b"a.c", &repository.resolve("HEAD:src/b.c"))]),
        };
        repository.swap_object(&id, &other);
        for ask in [&["context", "alpha"][..], &["search", "alpha"], &["read", "src/a.c", "1-2"]] {
            assert_eq!(pincite.error(ask)["code"], "object_corrupt", "{object} {ask:?}");
        }
        let fresh = Pincite::new(repository.path());
        assert_eq!(
            fresh.error(&["index", "--rev", &repository.resolve("refs/heads/main")])["code"],
            "object_corrupt",
            "{object}"
        );
        assert!(!fresh.index().join("CURRENT").exists());
    }
}

// P-02 L-07: no request names a repository, commit or Git option; an unknown member is refused by name.
#[test]
fn requests_can_not_choose_what_is_read() {
    use pincite_shared::failure::Code;
    use pincite_shared::wire::request::Request;
    for member in
        ["repository", "commit", "revision", "rev", "remote", "git_options", "git_dir", "branch", "entity_refs"]
    {
        let text = format!(r#"{{"kind":"source.context","text":"x","{member}":"y"}}"#);
        let failure = Request::parse_str(&text, pincite_shared::settings::Protocol::One).unwrap_err();
        assert_eq!((failure.code, failure.field.as_deref()), (Code::InvalidRequest, Some(member)));
        assert!(failure.message.contains(member));
    }
}
