//! Git's own answers, to compare with. Replace refs are off, as they are in pincite.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

use super::repository::{git_command, run};

/// One entry of `git ls-tree`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TreeEntry {
    /// The full path.
    pub path: Vec<u8>,
    /// The octal mode, as printed.
    pub mode: String,
    /// The object id, in hexadecimal.
    pub oid: String,
}

fn git(repository: &Path) -> Command {
    let mut command = git_command(repository);
    command.arg("--no-replace-objects").arg("--literal-pathspecs");
    command
}

/// The lines of a commit's text files that hold `term`, as `(path, line number)`. `prefix` is compared with the start of
/// each path, byte by byte, which is not what a pathspec means; so it is applied here.
pub fn git_grep_fixed(repository: &Path, commit: &str, term: &[u8], prefix: &[u8]) -> BTreeSet<(Vec<u8>, u32)> {
    let mut command = git(repository);
    // Attributes change what Git takes for binary; the empty tree has none.
    let empty_tree = match commit.len() {
        64 => "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
        _ => "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
    };
    command.arg(format!("--attr-source={empty_tree}"));
    command.args(["grep", "-z", "-n", "-F", "-I", "--no-color", "--full-name", "-e"]);
    command.arg(OsStr::from_bytes(term)).arg(commit).arg("--");
    let output = command.output().expect("git runs");
    // 1 means that nothing matched.
    let status = output.status.code();
    assert!(matches!(status, Some(0 | 1)), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    parse_grep(&output.stdout, commit, prefix)
}

/// Parses `<commit>:<path> NUL <line> NUL <text> LF`, repeated. A path may hold line feeds and colons but no NUL;
/// the text holds no line feed. Git adds the last one itself.
fn parse_grep(mut rest: &[u8], commit: &str, prefix: &[u8]) -> BTreeSet<(Vec<u8>, u32)> {
    let mut hits = BTreeSet::new();
    while !rest.is_empty() {
        let name = take_until(&mut rest, 0);
        let line = take_until(&mut rest, 0);
        take_until(&mut rest, b'\n');
        let path = name
            .strip_prefix(commit.as_bytes())
            .and_then(|name| name.strip_prefix(b":"))
            .expect("git grep begins each record with the commit");
        let line = std::str::from_utf8(line).ok().and_then(|line| line.parse().ok()).expect("a line number");
        if path.starts_with(prefix) {
            hits.insert((path.to_vec(), line));
        }
    }
    hits
}

fn take_until<'a>(rest: &mut &'a [u8], end: u8) -> &'a [u8] {
    let at = rest.iter().position(|byte| *byte == end).expect("git grep ends each field");
    let (field, behind) = rest.split_at(at);
    *rest = &behind[1..];
    field
}

/// Every entry of a commit that is not a tree, in Git's order.
pub fn ls_tree(repository: &Path, commit: &str) -> Vec<TreeEntry> {
    let output = run(git(repository).args(["ls-tree", "-r", "-z", "--full-tree", commit]), b"");
    output
        .split(|byte| *byte == 0)
        .filter(|record| !record.is_empty())
        .map(|record| {
            let tab = record.iter().position(|byte| *byte == b'\t').expect("a tab before the path");
            let fields = String::from_utf8_lossy(&record[..tab]);
            let mut fields = fields.split(' ');
            let mode = fields.next().expect("a mode").to_owned();
            let oid = fields.nth(1).expect("an object id").to_owned();
            TreeEntry { path: record[tab + 1..].to_vec(), mode, oid }
        })
        .collect()
}

/// The content of a blob.
pub fn blob(repository: &Path, oid: &str) -> Vec<u8> {
    run(git(repository).args(["cat-file", "blob", oid]), b"")
}
