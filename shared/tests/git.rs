//! Repositories as they are found in the wild, and as an attacker would make them, read through `git::Repository`.

#[path = "../../tests/support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use pincite_shared::failure::{Code, Failure};
use pincite_shared::git::{EntryKind, GitError, MAX_ENTRIES, ObjectKind, Repository};
use pincite_shared::ids::{ObjectFormat, Oid, Pin};
use support::oracle;
use support::repository::{TestRepository, unhex};

const MAX: u64 = 1 << 20;

fn oid(hex: &str) -> Oid {
    Oid::from_hex(hex).expect("a full id")
}

fn open(path: &Path) -> Repository {
    Repository::open(path).expect("the repository opens")
}

fn pin(repository: &Repository, commit: &str) -> Pin {
    repository.pin(oid(commit)).expect("the commit is there")
}

/// All entries as `path → (kind, id)`; also checks the order and that a look-up agrees.
fn walk(repository: &Repository, pin: &Pin) -> Result<BTreeMap<Vec<u8>, (EntryKind, Oid)>, GitError> {
    let objects = repository.objects();
    let mut entries = Vec::new();
    objects.walk(pin, &mut |path, kind, oid| {
        entries.push((path.to_vec(), (kind, oid)));
        Ok(())
    })?;
    assert!(entries.is_sorted_by(|a, b| a.0 < b.0), "paths are in byte order, each once");
    let others = repository.objects();
    for (path, found) in &entries {
        assert_eq!(others.lookup(pin, path).expect("readable"), Some(*found), "{}", String::from_utf8_lossy(path));
    }
    Ok(entries.into_iter().collect())
}

/// Compares the whole commit, contents included, with what Git says.
fn check_against_git(repository: &Repository, test: &TestRepository, commit: &str) {
    let pin = pin(repository, commit);
    let entries = walk(repository, &pin).expect("the walk succeeds");
    let listed = oracle::ls_tree(test.path(), commit);
    assert_eq!(entries.len(), listed.len());
    let objects = repository.objects();
    let mut buffer = Vec::new();
    for entry in listed {
        let (kind, id) = entries[&entry.path];
        let mode = match kind {
            EntryKind::File => "100644",
            EntryKind::Executable => "100755",
            EntryKind::Symlink => "120000",
            EntryKind::Submodule => "160000",
        };
        assert_eq!((mode, id.to_string()), (entry.mode.as_str(), entry.oid.clone()));
        if kind != EntryKind::Submodule {
            let content = oracle::blob(test.path(), &entry.oid);
            assert_eq!(objects.blob_size(id).expect("readable"), Some(content.len() as u64));
            assert_eq!(objects.blob(id, MAX, &mut buffer).expect("readable"), Some(&content[..]));
        }
    }
}

/// Ten entries of every kind, and one commit.
fn fill(test: &TestRepository) -> String {
    let is_sha256 = test.git(&["rev-parse", "--show-object-format"]).starts_with(b"sha256");
    test.write("README", "hello\n");
    test.write("src/a.c", "int a;\n");
    test.write("src/a/b.c", "int b;\n");
    test.write("src/a0", "");
    test.write("src.h", "x");
    test.write_executable("bin/run", "#!/bin/sh\n");
    test.symlink("link", "src/a.c");
    test.submodule("vendor/lib", &"7".repeat(if is_sha256 { 64 } else { 40 }));
    test.raw_entry("100644", b"odd/\xff\n\"q\" \\\t", "odd\n");
    test.raw_entry("100644", ".gitattributes", "*.c binary\n");
    test.commit("first")
}

fn corrupt(result: Result<impl std::fmt::Debug, GitError>) {
    let error = result.expect_err("corruption is found");
    assert!(matches!(error, GitError::ObjectCorrupt { .. }), "{error:?}");
    assert_eq!(Failure::from(error).code, Code::ObjectCorrupt);
}

fn missing(result: Result<impl std::fmt::Debug, GitError>, expected: ObjectKind) {
    let error = result.expect_err("the gap is found");
    assert!(matches!(error, GitError::ObjectMissing { kind, .. } if kind == expected), "{error:?}");
    assert_eq!(Failure::from(error).code, Code::ObjectMissing);
}

fn unsupported(path: &Path, word: &str) {
    let error = Repository::open(path).expect_err("the format is refused");
    assert!(matches!(error, GitError::UnsupportedFormat { .. }), "{error:?}");
    let failure = Failure::from(error);
    assert_eq!(failure.field.as_deref(), Some("repo"));
    assert!(failure.message.contains(word), "{}", failure.message);
}

// P-03, P-05
#[test]
fn every_shape_reads_alike() {
    for test in [TestRepository::new(), TestRepository::sha256()] {
        let commit = fill(&test);
        let repository = open(test.path());
        assert_eq!(Some(repository.object_format()), ObjectFormat::from_id_len(commit.len() / 2));
        check_against_git(&repository, &test, &commit);

        let bare = test.bare_clone();
        check_against_git(&open(bare.path()), &test, &commit);
        let sharing = test.with_alternates();
        assert!(open(sharing.path()).has_object(oid(&commit)));
        check_against_git(&open(sharing.path()), &test, &commit);
        let shallow = test.shallow_clone();
        check_against_git(&open(shallow.path()), &test, &commit);
        let linked = test.linked_worktree();
        check_against_git(&open(linked.path()), &test, &commit);
        assert_eq!(open(linked.path()).git_dir(), repository.git_dir());
        assert_eq!(open(linked.path()).resolve("HEAD").expect("resolves").to_string(), commit);
        check_against_git(&open(&linked.git_dir()), &test, &commit);
        check_against_git(&open(&linked.path().join(".git")), &test, &commit);
        check_against_git(&open(&test.path().join(".git")), &test, &commit);

        test.pack();
        assert_eq!(test.packs().len(), 1);
        check_against_git(&open(test.path()), &test, &commit);
        check_against_git(&open(linked.path()), &test, &commit);
    }
}

// P-03
#[test]
fn repositories_are_found_upwards_only_on_request() {
    let test = TestRepository::new();
    test.write("a/b/c", "");
    test.commit("first");
    let inside = test.path().join("a/b");
    let found = Repository::discover(&inside).expect("found above");
    assert_eq!(found.git_dir(), open(test.path()).git_dir());
    let failure = Failure::from(Repository::open(&inside).expect_err("not here"));
    assert_eq!((failure.code, failure.field.as_deref()), (Code::NotFound, Some("repo")));

    let plain = tempfile::tempdir().expect("a directory");
    assert!(matches!(Repository::open(plain.path()), Err(GitError::NotARepository { .. })));
    assert!(matches!(Repository::open(&plain.path().join("none")), Err(GitError::NotARepository { .. })));
    for content in ["", "gitdir: ", "gitdir: ../nowhere", "nonsense"] {
        fs::write(plain.path().join(".git"), content).expect("written");
        assert!(matches!(Repository::open(plain.path()), Err(GitError::NotARepository { .. })), "{content}");
        assert!(matches!(Repository::discover(plain.path()), Err(GitError::NotARepository { .. })), "{content}");
    }
}

// P-03
#[test]
fn alternates_are_followed() {
    let test = TestRepository::new();
    let commit = fill(&test);
    let sharing = test.with_alternates();
    let objects = sharing.common_dir().join("objects");
    let alternates = objects.join("info/alternates");
    let write = |text: &str| fs::write(&alternates, text).expect("written");
    fs::create_dir(sharing.path().join("side")).expect("made");
    std::os::unix::fs::symlink(test.common_dir().join("objects"), sharing.path().join("side/objects")).expect("linked");
    // Relative to the directory `objects`.
    write("# comment\n../../side/objects\n");
    check_against_git(&open(sharing.path()), &test, &commit);

    write(&format!("{}\n", test.common_dir().join("objects").display()));
    let third = sharing.with_alternates();
    check_against_git(&open(third.path()), &test, &commit);

    // Nothing there, or a circle: an error and no endless search.
    for text in ["/nowhere/objects\n".to_owned(), format!("{}\n", objects.display())] {
        write(&text);
        assert!(
            Repository::open(sharing.path()).and_then(|repository| repository.pin(oid(&commit))).is_err(),
            "{text}"
        );
    }
}

#[test]
fn revisions_are_resolved() {
    let test = TestRepository::new();
    test.write("a", "1");
    let first = test.commit("first");
    test.write("a", "2");
    let second = test.commit("second");
    test.git(&["tag", "-a", "-m", "annotated", "v1", &first]);
    test.git(&["tag", "-a", "-m", "tag of a tag", "v1-again", "v1"]);
    test.git(&["branch", "side", &first]);
    let tree = test.resolve("HEAD^{tree}");
    for packed in [false, true] {
        if packed {
            test.git(&["pack-refs", "--all"]);
            test.pack();
        }
        let repository = open(test.path());
        let tag = test.resolve("v1");
        for (rev, expected) in [
            ("HEAD", &second),
            ("main", &second),
            ("refs/heads/main", &second),
            ("HEAD~1", &first),
            ("side", &first),
            ("v1", &first),
            ("v1-again", &first),
            (&tag, &first),
            (&first, &first),
            (&first.to_uppercase(), &first),
            (&second[..12], &second),
        ] {
            assert_eq!(repository.resolve(rev).expect(rev).to_string(), *expected, "{rev}");
        }
        for rev in ["", "nope", "HEAD~9", "main..side", "--all", &"0".repeat(40), &"1".repeat(64)] {
            let failure = Failure::from(repository.resolve(rev).expect_err(rev));
            assert_eq!((failure.code, failure.field.as_deref()), (Code::NotFound, Some("rev")), "{rev}");
            assert!(failure.message.contains(rev), "{}", failure.message);
        }
        for rev in [tree.as_str(), "HEAD:a", "HEAD^{tree}"] {
            assert!(matches!(repository.resolve(rev), Err(GitError::NotACommit { .. })), "{rev}");
        }
        corrupt(repository.pin(oid(&tree)));
    }
}

// P-01: replace refs and grafts
#[test]
fn replacements_change_nothing() {
    let test = TestRepository::new();
    test.write("a", "old");
    let first = test.commit("first");
    test.write("a", "new");
    let second = test.commit("second");
    let (old, new) = (test.resolve(&format!("{first}:a")), test.resolve(&format!("{second}:a")));
    test.git(&["replace", &new, &old]);
    test.git(&["replace", "-f", &second, &first]);
    fs::create_dir_all(test.common_dir().join("info")).expect("made");
    fs::write(test.common_dir().join("info/grafts"), format!("{second}\n")).expect("written");

    let repository = open(test.path());
    let entries = walk(&repository, &pin(&repository, &second)).expect("walks");
    assert_eq!(entries[&b"a"[..]].1, oid(&new));
    let mut buffer = Vec::new();
    assert_eq!(repository.objects().blob(oid(&new), MAX, &mut buffer).expect("readable"), Some(&b"new"[..]));
    assert_eq!(repository.resolve("HEAD").expect("resolves").to_string(), second);
    // The graft takes the parent away, and the replacement has none; the commit object itself still has it.
    assert_eq!(repository.resolve("HEAD~1").expect("resolves").to_string(), first);
}

// P-07
#[test]
fn later_changes_change_nothing() {
    let test = TestRepository::new();
    let commit = fill(&test);
    let repository = open(test.path());
    let before = walk(&repository, &pin(&repository, &commit)).expect("walks");
    test.write("README", "changed\n");
    test.remove("src");
    test.commit("second");
    fs::write(test.path().join("README"), "changed again\n").expect("written");
    fs::remove_file(test.path().join(".git/index")).expect("removed");
    test.git(&["update-ref", "-d", "refs/heads/main"]);
    for repository in [repository, open(test.path())] {
        assert_eq!(walk(&repository, &pin(&repository, &commit)).expect("walks"), before);
    }
}

// P-01, P-03: nothing of a configuration is used, and nothing is written
#[test]
fn configuration_changes_nothing() {
    let test = TestRepository::new();
    let commit = fill(&test);
    let witness = test.path().join("witness");
    let command = format!("touch {}", witness.display());
    let config = test.path().join(".git/config");
    let hostile = format!(
        "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfsmonitor = {command}\n\tsshCommand = {command}\n\
         \thooksPath = .\n\tworktree = /nowhere\n\tabbrev = banana\n\tuseReplaceRefs = true\n\
         [include]\n\tpath = config\n\tpath = /dev/zero\n[gitoxide \"objects\"]\n\tallocLimit = 1\n\
         [extensions]\n\tunheardOf = true\n[remote \"origin\"]\n\tpromisor = true\n\turl = ext::{command}\n"
    );
    fs::write(&config, hostile).expect("written");
    let files = || test.path().join(".git").read_dir().expect("readable").count();
    let before = files();
    let repository = open(test.path());
    assert_eq!(repository.resolve("HEAD").expect("resolves").to_string(), commit);
    walk(&repository, &pin(&repository, &commit)).expect("walks");
    assert!(repository.objects().blob_size(oid(&"1".repeat(40))).expect("no error").is_none());
    assert_eq!(files(), before);
    assert!(!witness.exists());

    fs::write(&config, "[core\nnonsense").expect("written");
    unsupported(test.path(), "config");
    // Without the file it is a plain repository.
    fs::remove_file(&config).expect("removed");
    let repository = open(test.path());
    assert_eq!(repository.resolve("main").expect("resolves").to_string(), commit);
    walk(&repository, &pin(&repository, &commit)).expect("walks");
}

// P-01: the test runs itself again with variables that would lead elsewhere
#[test]
fn environment_changes_nothing() {
    if let (Some(dir), Some(commit)) = (std::env::var_os("PINCITE_TEST_DIR"), std::env::var_os("PINCITE_TEST_COMMIT")) {
        let commit = commit.into_string().expect("an id");
        let repository = open(Path::new(&dir));
        assert_eq!(repository.resolve("HEAD").expect("resolves").to_string(), commit);
        assert_eq!(walk(&repository, &pin(&repository, &commit)).expect("walks").len(), 10);
        return;
    }
    let test = TestRepository::new();
    let commit = fill(&test);
    let other = TestRepository::new();
    let elsewhere = other.path().join(".git");
    let mut child = std::process::Command::new(std::env::current_exe().expect("a path"));
    child.args(["--exact", "environment_changes_nothing"]).current_dir(other.path());
    child.env("PINCITE_TEST_DIR", test.path()).env("PINCITE_TEST_COMMIT", &commit);
    for name in ["GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_CONFIG", "GIT_CONFIG_GLOBAL"] {
        child.env(name, &elsewhere);
    }
    child.env("GIT_OBJECT_DIRECTORY", elsewhere.join("objects"));
    child.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", elsewhere.join("objects"));
    child.env("GIT_CONFIG_COUNT", "1").env("GIT_CONFIG_KEY_0", "core.worktree").env("GIT_CONFIG_VALUE_0", "/nowhere");
    child.env("GIT_REPLACE_REF_BASE", "refs/heads/").env("GIT_NAMESPACE", "x").env("GIT_DEFAULT_HASH", "sha256");
    child.env("GIT_CEILING_DIRECTORIES", test.path()).env("GIT_GRAFT_FILE", "/nowhere").env("GIT_SHALLOW_FILE", "/x");
    let output = child.output().expect("the test runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
}

#[test]
fn unknown_formats_are_refused() {
    let test = TestRepository::new();
    let commit = fill(&test);
    let config = test.path().join(".git/config");
    let set = |text: &str| fs::write(&config, text).expect("written");
    let one = "[core]\n\trepositoryformatversion = 1\n";
    set("[core]\n\trepositoryformatversion = 2\n");
    unsupported(test.path(), "`2`");
    set(&format!("{one}[extensions]\n\tunheardOf = x\n"));
    unsupported(test.path(), "unheardof");
    set(&format!("{one}[extensions \"sub\"]\n\tnoop = x\n"));
    unsupported(test.path(), "sub");
    set(&format!("{one}[extensions]\n\tobjectFormat = md5\n"));
    unsupported(test.path(), "md5");
    set("[extensions]\n\tobjectFormat = sha256\n");
    unsupported(test.path(), "objectformat");
    set(&format!("{one}[extensions]\n\tnoop = x\n\tpartialClone = origin\n\tworktreeConfig\n\tobjectFormat = sha1\n"));
    check_against_git(&open(test.path()), &test, &commit);
    set(&format!("{one}[extensions]\n\trefStorage = reftable\n"));
    let repository = open(test.path());
    assert!(matches!(repository.resolve("main"), Err(GitError::UnsupportedFormat { .. })));
    assert_eq!(repository.resolve(&commit).expect("full ids work").to_string(), commit);
}

// P-03
#[test]
fn read_only_directories_are_enough() {
    let test = TestRepository::new();
    let commit = fill(&test);
    test.pack();
    let set_mode = |mode| {
        for dir in ["", "objects", "refs"] {
            let dir = test.path().join(".git").join(dir);
            fs::set_permissions(dir, fs::Permissions::from_mode(mode)).expect("the mode can be set");
        }
    };
    set_mode(0o555);
    let repository = open(test.path());
    let head = repository.resolve("HEAD");
    let entries = walk(&repository, &pin(&repository, &commit));
    set_mode(0o755);
    assert_eq!(head.expect("resolves").to_string(), commit);
    assert_eq!(entries.expect("walks").len(), 10);
}

// P-03: another owner's repository is only data. Giving files away takes root.
#[test]
fn other_owners_are_read() {
    let test = TestRepository::new();
    let commit = fill(&test);
    let status = std::process::Command::new("chown").args(["-R", "12345"]).arg(test.path()).output();
    if !status.is_ok_and(|output| output.status.success()) {
        return;
    }
    let repository = open(test.path());
    assert_eq!(repository.resolve("main").expect("resolves").to_string(), commit);
    assert_eq!(walk(&repository, &pin(&repository, &commit)).expect("walks").len(), 10);
}

// P-04
#[test]
fn corrupt_objects_are_found() {
    for test in [TestRepository::new(), TestRepository::sha256()] {
        let commit = fill(&test);
        let [blob, other, root, src] =
            ["HEAD:README", "HEAD:src/a.c", "HEAD^{tree}", "HEAD:src"].map(|rev| test.resolve(rev));
        let second = test.commit("second");
        let valid = pin(&open(test.path()), &commit);
        let read = |id: &str| {
            let mut buffer = Vec::new();
            open(test.path()).objects().blob(oid(id), MAX, &mut buffer).map(|content| content.map(<[u8]>::to_vec))
        };
        let saved = |id: &str| fs::read(test.object_path(id)).expect("loose");
        let (blob_file, src_file, root_file, commit_file) = (saved(&blob), saved(&src), saved(&root), saved(&commit));

        // Well-formed objects under the name of others.
        test.swap_object(&blob, &other);
        corrupt(read(&blob));
        test.swap_object(&src, &root);
        corrupt(walk(&open(test.path()), &valid));
        corrupt(open(test.path()).objects().lookup(&valid, b"src/a.c"));
        assert!(open(test.path()).objects().lookup(&valid, b"README").expect("another way down").is_some());
        test.overwrite_object(&src, &src_file);
        test.swap_object(&commit, &second);
        corrupt(open(test.path()).pin(oid(&commit)));
        corrupt(open(test.path()).objects().lookup(&valid, b"README"));
        test.overwrite_object(&commit, &commit_file);
        // Another kind.
        test.swap_object(&root, &other);
        corrupt(walk(&open(test.path()), &valid));
        test.overwrite_object(&root, &root_file);
        test.swap_object(&blob, &root);
        corrupt(read(&blob));

        // No zlib stream, an empty file, a stream that is cut off before its check sum.
        for id in [&blob, &root, &commit] {
            test.corrupt_object(id);
        }
        corrupt(read(&blob));
        corrupt(walk(&open(test.path()), &valid));
        corrupt(open(test.path()).pin(oid(&commit)));
        for len in [0, 1, blob_file.len() / 2] {
            test.overwrite_object(&blob, &blob_file[..len]);
            corrupt(read(&blob));
        }
        // A pin whose tree is not the commit's.
        test.overwrite_object(&commit, &commit_file);
        corrupt(walk(&open(test.path()), &Pin { commit: oid(&commit), tree: oid(&src) }));
    }
}

// P-04: whatever happens to a pack, what is read has its hash or is an error
#[test]
fn damaged_packs_never_lie() {
    let test = TestRepository::new();
    let mut text = String::new();
    for at in 0..40 {
        text.push_str(&format!("line {at} of a file that deltas well\n"));
        test.raw_entry("100644", format!("f{at}"), &text);
    }
    let commit = test.commit("first");
    test.pack();
    let repository = open(test.path());
    let valid = pin(&repository, &commit);
    let expected = walk(&repository, &valid).expect("walks");
    drop(repository);
    let pack = test.packs().into_iter().next().expect("one pack");
    for file in [pack.clone(), pack.with_extension("idx")] {
        let intact = fs::read(&file).expect("readable");
        for step in 0..150 {
            let mut damaged = intact.clone();
            let at = step * 7919 % damaged.len();
            match step % 3 {
                0 => damaged[at] ^= 1 << (step % 8),
                1 => damaged[at] = 0xff,
                _ => damaged.truncate(at),
            }
            // A new file, because the old one may still be mapped.
            fs::remove_file(&file).expect("removed");
            fs::write(&file, &damaged).expect("written");
            let Ok(repository) = Repository::open(test.path()) else { continue };
            let objects = repository.objects();
            let mut buffer = Vec::new();
            for (path, found) in &expected {
                if let Ok(Some(entry)) = objects.lookup(&valid, path) {
                    assert_eq!(entry, *found);
                }
                if let Ok(Some(content)) = objects.blob(found.1, MAX, &mut buffer) {
                    assert!(text.as_bytes().starts_with(content), "damage at {at}");
                }
            }
        }
        fs::remove_file(&file).expect("removed");
        fs::write(&file, &intact).expect("written");
    }
    assert_eq!(walk(&open(test.path()), &valid).expect("intact again"), expected);
}

// P-06
#[test]
fn missing_objects_are_told_apart() {
    let test = TestRepository::new();
    let commit = fill(&test);
    let [blob, src, root] = ["HEAD:README", "HEAD:src", "HEAD^{tree}"].map(|rev| test.resolve(rev));
    let valid = pin(&open(test.path()), &commit);
    test.pack();
    test.delete_object(&blob);
    let repository = open(test.path());
    let mut buffer = Vec::new();
    assert!(!repository.has_object(oid(&blob)));
    assert!(repository.has_object(oid(&src)));
    assert_eq!(repository.objects().blob_size(oid(&blob)).expect("no error"), None);
    assert_eq!(repository.objects().blob(oid(&blob), MAX, &mut buffer).expect("no error"), None);
    assert_eq!(walk(&repository, &valid).expect("blobs are not needed").len(), 10);
    test.delete_object(&src);
    missing(walk(&open(test.path()), &valid), ObjectKind::Tree);
    missing(open(test.path()).objects().lookup(&valid, b"src/a.c"), ObjectKind::Tree);
    test.delete_object(&root);
    missing(open(test.path()).objects().lookup(&valid, b"README"), ObjectKind::Tree);
    test.delete_object(&commit);
    missing(open(test.path()).pin(oid(&commit)), ObjectKind::Commit);
    assert!(matches!(open(test.path()).resolve(&commit), Err(GitError::RevisionNotFound { .. })));
    assert!(open(test.path()).resolve("HEAD").is_err());
    // Ids of the other format are in no clone.
    assert!(!repository.has_object(oid(&"1".repeat(64))));
    missing(repository.pin(oid(&"1".repeat(64))), ObjectKind::Commit);
}

// P-06
#[test]
fn partial_clones_lack_blobs_and_fetch_none() {
    let test = TestRepository::new();
    let commit = fill(&test);
    let partial = test.partial_clone();
    let repository = open(partial.path());
    let objects = repository.objects();
    let mut buffer = Vec::new();
    for (kind, id) in walk(&repository, &pin(&repository, &commit)).expect("walks").into_values() {
        if kind != EntryKind::Submodule {
            assert_eq!(objects.blob(id, MAX, &mut buffer).expect("no error"), None);
        }
    }
}

#[test]
fn sizes_are_checked_before_reading() {
    let test = TestRepository::new();
    let id = oid(&test.hash_object("blob", &[b'x'; 5000]));
    let tree = oid(&test.hash_object("tree", b""));
    let repository = open(test.path());
    let mut buffer = Vec::new();
    let result = repository.objects().blob(id, 4999, &mut buffer);
    assert!(matches!(result, Err(GitError::TooLarge { size: 5000, max_bytes: 4999, .. })), "{result:?}");
    assert_eq!(buffer.capacity(), 0);
    assert_eq!(repository.objects().blob(id, 5000, &mut buffer).expect("fits").map(<[u8]>::len), Some(5000));
    corrupt(repository.objects().blob_size(tree));
}

/// A zlib stream of stored blocks, so that no compressor is needed.
fn zlib(content: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let mut chunks = content.chunks(0xffff).peekable();
    loop {
        let chunk = chunks.next().unwrap_or_default();
        let len = u16::try_from(chunk.len()).expect("chunks are short");
        stream.push(u8::from(chunks.peek().is_none()));
        stream.extend_from_slice(&len.to_le_bytes());
        stream.extend_from_slice(&(!len).to_le_bytes());
        stream.extend_from_slice(chunk);
        if chunks.peek().is_none() {
            break;
        }
    }
    let (mut a, mut b) = (1u32, 0u32);
    for byte in content {
        a = (a + u32::from(*byte)) % 65521;
        b = (b + a) % 65521;
    }
    stream.extend_from_slice(&(b << 16 | a).to_be_bytes());
    stream
}

// P-04: objects that lie about their size
#[test]
fn false_sizes_are_found() {
    let test = TestRepository::new();
    let id = test.hash_object("blob", b"content");
    let repository = || open(test.path());
    let mut buffer = Vec::new();
    test.overwrite_object(&id, &zlib(b"blob 7\0content"));
    assert_eq!(repository().objects().blob(oid(&id), MAX, &mut buffer).expect("valid"), Some(&b"content"[..]));
    let long = [&b"blob 7\0content"[..], &[b'x'; 100_000]].concat();
    for lie in [
        &b"blob 6\0content"[..],
        b"blob 8\0content",
        b"blob 1000\0content",
        b"blob -1\0content",
        b"bleb 7\0content",
        b"blob 7content",
        b"tree 7\0content",
        b"commit 7\0content",
        b"",
        &long,
    ] {
        test.overwrite_object(&id, &zlib(lie));
        corrupt(repository().objects().blob(oid(&id), MAX, &mut buffer));
    }
    for lie in [&b"blob 999999999999\0content"[..], b"blob 18446744073709551615\0content"] {
        test.overwrite_object(&id, &zlib(lie));
        let result = repository().objects().blob(oid(&id), u64::MAX, &mut buffer);
        assert!(matches!(result, Err(GitError::TooLarge { .. } | GitError::ObjectCorrupt { .. })), "{result:?}");
    }
    assert!(buffer.capacity() < 1 << 20);
    let commit = test.commit_tree(&"1".repeat(40));
    test.overwrite_object(&commit, &zlib(b"commit 999999999999\0tree "));
    assert!(matches!(repository().pin(oid(&commit)), Err(GitError::TooLarge { .. })));
}

// P-04
#[test]
fn hostile_trees_are_refused() {
    let test = TestRepository::new();
    let blob = test.hash_object("blob", b"content");
    let walk_tree = |tree: &str| {
        let commit = test.commit_tree(tree);
        let repository = open(test.path());
        walk(&repository, &pin(&repository, &commit))
    };
    for name in [&b""[..], b".", b"..", b"a/b", b"/", b"../../etc/passwd"] {
        corrupt(walk_tree(&test.raw_tree(&[("100644", name, &blob)])));
    }
    corrupt(walk_tree(&test.raw_tree(&[("100644", b"a", &blob), ("100644", b"a", &blob)])));
    corrupt(walk_tree(&test.raw_tree(&[("100644", b"a", &blob), ("40000", b"a", &blob)])));
    corrupt(walk_tree(&test.raw_tree(&[("40000", b"dir", &blob)])));
    corrupt(walk_tree(&test.hash_object("tree", b"100644 a\0short")));
    corrupt(walk_tree(&test.hash_object("tree", b"nonsense")));
    corrupt(walk_tree(&blob));
    missing(walk_tree(&"1".repeat(40)), ObjectKind::Tree);
    for commit in [&b""[..], b"tree 1\n", b"parent 1\ntree 2\n"] {
        let commit = test.hash_object("commit", commit);
        corrupt(open(test.path()).pin(oid(&commit)));
    }

    // `.git` is data, and order does not matter.
    let dir = test.raw_tree(&[("100644", b"x", &blob)]);
    let odd = test.raw_tree(&[
        ("100644", b"z", &blob),
        ("040000", b"a", &dir),
        ("100644", b"a.c", &blob),
        ("40000", b".git", &dir),
        ("100644", b"...", &blob),
    ]);
    let entries = walk_tree(&odd).expect("odd, not hostile");
    let paths: Vec<_> = entries.keys().map(|path| String::from_utf8_lossy(path).into_owned()).collect();
    assert_eq!(paths, ["...", ".git/x", "a.c", "a/x", "z"]);
    assert!(walk_tree(&test.hash_object("tree", b"")).expect("empty").is_empty());
}

// P-04: depth and repetition are bounded
#[test]
fn deep_and_repeated_trees_are_bounded() {
    let test = TestRepository::new();
    let mut deep = test.hash_object("blob", b"content");
    // Written as files: a process for each of the trees would take a minute.
    for level in 0..10_000 {
        let mut content = format!("{} d\0", if level == 0 { "100644" } else { "40000" }).into_bytes();
        content.extend_from_slice(&unhex(&deep));
        let id = gix::objs::compute_hash(gix::hash::Kind::Sha1, gix::objs::Kind::Tree, &content).expect("hashed");
        let object = [format!("tree {}\0", content.len()).as_bytes(), &content].concat();
        deep = id.to_string();
        let path = test.path().join(".git/objects").join(&deep[..2]).join(&deep[2..]);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, zlib(&object)).expect("written");
    }
    let commit = test.commit_tree(&deep);
    let repository = open(test.path());
    let entries = walk(&repository, &pin(&repository, &commit)).expect("deep is fine");
    assert_eq!(entries.keys().map(Vec::len).collect::<Vec<_>>(), [19_999]);

    let names: Vec<_> = (0..10).map(|at| format!("{at}")).collect();
    let mut tree = test.hash_object("tree", b"");
    for _ in 0..10 {
        let entries: Vec<_> = names.iter().map(|name| ("40000", name.as_bytes(), tree.as_str())).collect();
        tree = test.raw_tree(&entries);
    }
    let commit = test.commit_tree(&tree);
    let repository = open(test.path());
    let result = repository.objects().walk(&pin(&repository, &commit), &mut |_, _, _| Ok(()));
    assert!(matches!(result, Err(GitError::TooManyEntries { max: MAX_ENTRIES, .. })), "{result:?}");
}

#[test]
fn visitors_can_stop() {
    let test = TestRepository::new();
    let commit = fill(&test);
    let repository = open(test.path());
    let mut seen = 0;
    let result = repository.objects().walk(&pin(&repository, &commit), &mut |_, _, _| {
        seen += 1;
        Err(GitError::Stopped(Failure::new(Code::Timeout, "enough")))
    });
    assert_eq!(Failure::from(result.expect_err("stopped")).code, Code::Timeout);
    assert_eq!(seen, 1);
}

#[test]
fn repositories_are_shared_between_threads() {
    fn shareable<T: Send + Sync>(_: &T) {}
    let test = TestRepository::new();
    let commit = fill(&test);
    let repository = open(test.path());
    shareable(&repository);
    let pin = pin(&repository, &commit);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| assert_eq!(walk(&repository, &pin).expect("walks").len(), 10));
        }
    });
}

#[test]
fn lookups_are_exact() {
    let test = TestRepository::new();
    let commit = fill(&test);
    let repository = open(test.path());
    let pin = pin(&repository, &commit);
    let objects = repository.objects();
    for path in ["", "/", "src", "src/", "/README", "README/", "README/x", "src//a.c", "readme", "vendor/lib/x", "no/x"]
    {
        assert_eq!(objects.lookup(&pin, path.as_bytes()).expect("readable"), None, "{path}");
    }
    assert!(matches!(objects.lookup(&pin, b"vendor/lib"), Ok(Some((EntryKind::Submodule, _)))));
}

// The oracle itself: paths with every awkward byte come back whole, and attributes do not matter.
#[test]
fn the_oracle_reads_odd_paths() {
    let test = TestRepository::new();
    let paths = [&b"a\nb:1:\"q\""[..], b"src/\xff \\", b"src2/x"];
    for path in paths {
        test.raw_entry("100644", path, "x\nneedle -e \n");
    }
    test.raw_entry("100644", "late", [&[b'a'; 9000][..], b"\0\nneedle\0\n"].concat());
    test.raw_entry("100644", ".gitattributes", "* binary\n");
    let commit = test.commit("first");
    let hits = oracle::git_grep_fixed(test.path(), &commit, b"needle", b"");
    assert_eq!(hits.len(), 4, "{hits:?}");
    assert!(paths.iter().all(|path| hits.contains(&(path.to_vec(), 2))));
    assert_eq!(oracle::git_grep_fixed(test.path(), &commit, b"needle", b"src").len(), 2);
    assert!(oracle::git_grep_fixed(test.path(), &commit, b"-e nothing", b"").is_empty());
}

/// Reads everything of a real clone: `PINCITE_TEST_CLONE=<dir> cargo test -p pincite-shared --test git -- --ignored
/// --nocapture`.
#[test]
#[ignore = "needs a clone"]
fn a_real_clone_is_read_whole() {
    let dir = std::env::var_os("PINCITE_TEST_CLONE").expect("PINCITE_TEST_CLONE names a clone");
    let start = std::time::Instant::now();
    let repository = open(Path::new(&dir));
    let commit = repository.resolve("HEAD").expect("resolves");
    let pin = repository.pin(commit).expect("the commit is there");
    let opened = start.elapsed();
    let objects = repository.objects();
    let mut blobs = Vec::new();
    let mut entries = 0;
    objects
        .walk(&pin, &mut |_, kind, oid| {
            entries += 1;
            if kind != EntryKind::Submodule {
                blobs.push(oid);
            }
            Ok(())
        })
        .expect("walks");
    let walked = start.elapsed();
    let (mut missing, mut bytes, mut buffer) = (0, 0, Vec::new());
    for oid in &blobs {
        match objects.blob(*oid, 1 << 30, &mut buffer).expect("readable") {
            Some(content) => bytes += content.len(),
            None => missing += 1,
        }
    }
    println!(
        "{commit}: {entries} entries, {missing} blobs missing, {bytes} bytes; opened {opened:?}, walked {:?}, read {:?}",
        walked - opened,
        start.elapsed() - walked
    );
}
