//! Paths of the pinned tree: bytes, and refused before anything is read when they are unsafe (L-06).
//!
//! Paths are looked up in Git trees, never in a file system; the rules keep requests from meaning something
//! else to another tool that reads the same capture. A leading `-` is plain text.

use crate::failure::{Code, Failure};

/// Why a path or prefix is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// An empty path where a file is asked for.
    #[error("is empty; a path relative to the repository's root is needed")]
    Empty,
    /// A leading slash.
    #[error("is absolute; only paths relative to the repository's root are allowed")]
    Absolute,
    /// A `.` or `..` segment.
    #[error("has a `.` or `..` segment; paths begin at the repository's root, without `./`")]
    DotSegment,
    /// Two slashes in a row, or a trailing one in the path of a file.
    #[error("has an empty segment (a doubled or trailing slash)")]
    EmptySegment,
    /// A backslash; segments are separated by `/`.
    #[error("has a backslash; segments are separated by `/`")]
    Backslash,
    /// A NUL byte.
    #[error("has a NUL byte")]
    Nul,
    /// A leading `:`, which Git reads as pathspec magic.
    #[error("begins with `:`; pathspec magic is not allowed")]
    Magic,
}

impl PathError {
    /// The failure for a request member or flag called `field` that held `value`.
    pub fn into_failure(self, field: &str, value: &[u8]) -> Failure {
        let shown = String::from_utf8_lossy(value);
        Failure::new(Code::UnsafePath, format!("`{field}` {self}: {shown:?}")).field(field)
    }
}

/// Checks the path of a file.
///
/// # Errors
/// The first rule that the path breaks.
pub fn check_path(path: &[u8]) -> Result<(), PathError> {
    if path.is_empty() {
        return Err(PathError::Empty);
    }
    check_segments(path)
}

/// Checks a path prefix: empty, or like a path that may end in a slash. It is matched byte by byte at the start of
/// each path, so `src` covers `src/a.c` and `src2/a.c`; `src/` covers the folder only.
///
/// # Errors
/// The first rule that the prefix breaks.
pub fn check_prefix(prefix: &[u8]) -> Result<(), PathError> {
    if prefix.is_empty() {
        return Ok(());
    }
    if prefix == b"/" {
        return Err(PathError::Absolute);
    }
    check_segments(prefix.strip_suffix(b"/").unwrap_or(prefix))
}

fn check_segments(path: &[u8]) -> Result<(), PathError> {
    if path.contains(&0) {
        return Err(PathError::Nul);
    }
    if path.first() == Some(&b'/') {
        return Err(PathError::Absolute);
    }
    if path.first() == Some(&b':') {
        return Err(PathError::Magic);
    }
    if path.contains(&b'\\') {
        return Err(PathError::Backslash);
    }
    for segment in path.split(|byte| *byte == b'/') {
        match segment {
            b"" => return Err(PathError::EmptySegment),
            b"." | b".." => return Err(PathError::DotSegment),
            _ => {}
        }
    }
    Ok(())
}

/// The extension that decides language and scope: the bytes after the last `.` of the file name, ASCII lower case;
/// empty when the name has no dot.
pub fn extension(path: &[u8]) -> Vec<u8> {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
    match name.iter().rposition(|byte| *byte == b'.') {
        Some(dot) => name[dot + 1..].to_ascii_lowercase(),
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // L-06
    #[test]
    fn unsafe_paths_are_refused() {
        let check = |path: &[u8], expected: Result<(), PathError>| {
            assert_eq!(check_path(path), expected, "{}", String::from_utf8_lossy(path));
        };
        check(b"src/a.c", Ok(()));
        check(b"-rf", Ok(()));
        check(b"--output=x", Ok(()));
        check(b"a b/\"q\"\n/\xff", Ok(()));
        check(b"..a/.b/c..", Ok(()));
        check(b"a:b", Ok(()));
        check(b"", Err(PathError::Empty));
        check(b"/etc/passwd", Err(PathError::Absolute));
        check(b"src/../a", Err(PathError::DotSegment));
        check(b"..", Err(PathError::DotSegment));
        check(b"./a", Err(PathError::DotSegment));
        check(b"a//b", Err(PathError::EmptySegment));
        check(b"a/", Err(PathError::EmptySegment));
        check(b"a\\b", Err(PathError::Backslash));
        check(b"a\0b", Err(PathError::Nul));
        check(b":(glob)**", Err(PathError::Magic));
        assert_eq!(check_prefix(b"src/"), Ok(()));
        assert_eq!(check_prefix(b""), Ok(()));
        assert_eq!(check_prefix(b"src//"), Err(PathError::EmptySegment));
        assert_eq!(check_prefix(b"/"), Err(PathError::Absolute));
        assert_eq!(check_prefix(b"../"), Err(PathError::DotSegment));
    }

    #[test]
    fn extensions_are_lower_case() {
        for (path, expected) in
            [("a/B.CPP", "cpp"), ("a.b/c", ""), (".gitignore", "gitignore"), ("x.tar.gz", "gz"), ("x.", "")]
        {
            assert_eq!(extension(path.as_bytes()), expected.as_bytes(), "{path}");
        }
    }
}
