//! Where a repository lies: its private and its common Git directory.
//!
//! Only the layout is looked at (<https://git-scm.com/docs/gitrepository-layout>); no variable of the environment and
//! no configuration moves a repository somewhere else.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::GitError;

/// Bytes of a `.git` or `commondir` file; more than any path the system accepts.
const MAX_LINK_BYTES: u64 = 64 << 10;

/// The directories of one repository.
pub(super) struct Location {
    /// Holds `HEAD`; differs from `common` in a linked work tree.
    pub(super) private: PathBuf,
    /// Holds `objects`, `refs` and `config`; canonical.
    pub(super) common: PathBuf,
}

/// The repository at exactly `dir`; `dir/.git` comes before `dir` itself.
pub(super) fn locate(dir: &Path) -> Result<Location, GitError> {
    let dot_git = dir.join(".git");
    match fs::metadata(&dot_git) {
        Ok(found) if found.is_file() => {
            let target = read_link(&dot_git, dir)?;
            inspect(&target, dir)
        }
        Ok(_) => inspect(&dot_git, dir).or_else(|error| inspect(dir, dir).map_err(|_| error)),
        Err(_) if fs::metadata(dir).is_ok_and(|found| found.is_file()) => {
            let target = read_link(dir, dir)?;
            inspect(&target, dir)
        }
        Err(_) => inspect(dir, dir),
    }
}

/// The repository around `start`, searching upwards. A `.git` file that leads nowhere ends the search, as in Git.
pub(super) fn discover(start: &Path) -> Result<Location, GitError> {
    let absolute = fs::canonicalize(start).map_err(|error| not_a_repository(start, error.to_string()))?;
    for dir in absolute.ancestors() {
        match locate(dir) {
            Err(GitError::NotARepository { .. }) if !dir.join(".git").is_file() => {}
            found => return found,
        }
    }
    Err(not_a_repository(start, "nor is any directory above it"))
}

/// Reads a small plain file; `None` when there is none. A pipe or device is refused: reading it could block for ever.
pub(super) fn read_small(path: &Path, max_bytes: u64) -> io::Result<Option<Vec<u8>>> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => {}
        Ok(_) => return Err(io::Error::other("is not a plain file")),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(error),
    }
    let mut content = Vec::new();
    fs::File::open(path)?.take(max_bytes.saturating_add(1)).read_to_end(&mut content)?;
    if content.len() as u64 > max_bytes {
        return Err(io::Error::other(format!("has more than {max_bytes} bytes")));
    }
    Ok(Some(content))
}

fn not_a_repository(path: &Path, reason: impl Into<String>) -> GitError {
    GitError::NotARepository { path: path.to_owned(), reason: reason.into() }
}

/// The directory that a `.git` file (`gitdir: <path>`) names.
fn read_link(file: &Path, asked: &Path) -> Result<PathBuf, GitError> {
    let shown = file.display();
    let content = read_small(file, MAX_LINK_BYTES)
        .map_err(|error| not_a_repository(asked, format!("{shown}: {error}")))?
        .unwrap_or_default();
    let target = content
        .strip_prefix(b"gitdir: ")
        .map(trim_newlines)
        .filter(|target| !target.is_empty())
        .ok_or_else(|| not_a_repository(asked, format!("{shown} does not begin with `gitdir: `")))?;
    Ok(file.parent().unwrap_or(Path::new("")).join(OsStr::from_bytes(target)))
}

fn trim_newlines(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|byte| !matches!(byte, b'\n' | b'\r')).map_or(0, |last| last + 1);
    &text[..end]
}

/// Checks that `private` is a Git directory and follows its `commondir` file.
fn inspect(private: &Path, asked: &Path) -> Result<Location, GitError> {
    // A symbolic link is fine, even a dangling one: old versions of Git wrote HEAD so.
    if fs::symlink_metadata(private.join("HEAD")).is_err() {
        return Err(not_a_repository(asked, format!("there is no {}", private.join("HEAD").display())));
    }
    let commondir = private.join("commondir");
    let link = read_small(&commondir, MAX_LINK_BYTES)
        .map_err(|error| not_a_repository(asked, format!("{}: {error}", commondir.display())))?;
    let common = match &link {
        Some(target) => private.join(OsStr::from_bytes(trim_newlines(target))),
        None => private.to_owned(),
    };
    let objects = common.join("objects");
    if !objects.is_dir() {
        return Err(not_a_repository(asked, format!("there is no directory {}", objects.display())));
    }
    // Copies that drop empty directories lose `refs` when all references are packed.
    if !common.join("refs").is_dir() && !common.join("packed-refs").is_file() {
        return Err(not_a_repository(asked, format!("there is no directory {}", common.join("refs").display())));
    }
    let canonical = |path: &Path| {
        fs::canonicalize(path)
            .map_err(|source| GitError::Io { doing: format!("resolving the path {}", path.display()), source })
    };
    Ok(Location { private: canonical(private)?, common: canonical(&common)? })
}
