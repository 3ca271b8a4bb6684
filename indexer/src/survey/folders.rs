//! Which folders of a commit hold its source code, and which its SQL.

use std::collections::HashMap;

use pincite_shared::language::Language;

use super::FolderCount;
use crate::walk::WalkedPath;

/// Folders that are named; a profile that lists a hundred helps nobody.
const MOST: usize = 12;

/// Folders at the root with files of a language other than SQL.
pub(super) fn source(files: &[&WalkedPath]) -> Vec<FolderCount> {
    count(files, 1, |language| language != Language::Sql)
}

/// Folders with SQL, down to the second level: a base and its updates are told apart.
pub(super) fn sql(files: &[&WalkedPath]) -> Vec<FolderCount> {
    count(files, 2, |language| language == Language::Sql)
}

fn count(files: &[&WalkedPath], depth: usize, wanted: impl Fn(Language) -> bool) -> Vec<FolderCount> {
    let mut counts: HashMap<&[u8], u64> = HashMap::new();
    for file in files.iter().filter(|file| file.language.is_some_and(&wanted)) {
        *counts.entry(folder(&file.path, depth)).or_default() += 1;
    }
    let mut folders: Vec<_> = counts.into_iter().collect();
    folders.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    folders.truncate(MOST);
    let shown = |(path, files): (&[u8], u64)| FolderCount { path: String::from_utf8_lossy(path).into_owned(), files };
    folders.into_iter().map(shown).collect()
}

/// The first `depth` folders of a path, with the last slash.
fn folder(path: &[u8], depth: usize) -> &[u8] {
    let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at + 1);
    &path[..slashes.take(depth).last().unwrap_or_default()]
}

#[cfg(test)]
mod tests {
    use super::folder;

    #[test]
    fn folders_end_at_a_depth() {
        assert_eq!(folder(b"a/b/c.sql", 1), b"a/");
        assert_eq!(folder(b"a/b/c.sql", 2), b"a/b/");
        assert_eq!(folder(b"a/c.sql", 2), b"a/");
        assert_eq!(folder(b"c.sql", 2), b"");
    }
}
