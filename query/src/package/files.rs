//! Files of a package: read bounded, written whole or not at all.

use std::fs::{self, File};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use pincite_shared::failure::{Code, Failure};

/// `context.json`.
pub(crate) const CONTEXT: &str = "context.json";
/// The canonical interpretation context.
pub(crate) const INTERPRETATION: &str = "interpretation.json";
/// The folder of captures.
pub(crate) const CAPTURES: &str = "captures";
/// The ledger.
pub(crate) const LEDGER: &str = "ledger.jsonl";
/// A bare repository with the objects that captures cite.
pub(crate) const OBJECTS: &str = "objects.git";

/// Bytes of one file of a package. An answer has at most 256 MiB, and its capture little more.
const MAX_FILE_BYTES: u64 = 1 << 30;

/// What the system said about a file of a package.
pub(crate) fn io(doing: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Code::Internal, format!("{} could not be {doing}: {error}", path.display())).field("package")
}

/// A fault of a package's content.
pub(crate) fn corrupt(path: &Path, reason: impl AsRef<str>) -> Failure {
    Failure::new(Code::PackageCorrupt, format!("{}: {}", path.display(), reason.as_ref())).field("package")
}

/// The bytes of a file; `None` when it is not there.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io("read", path, &error)),
    };
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|error| io("read", path, &error))?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(corrupt(path, "it is larger than any file of a package"));
    }
    Ok(Some(bytes))
}

/// Writes a file under a temporary name, syncs it, and renames it; a crash leaves the old state and a temporary file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let temporary = temporary(path);
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let settled = written.and_then(|()| fs::rename(&temporary, path)).and_then(|()| sync_parent(path));
    settled.map_err(|error| {
        // What can not be removed either is garbage that the next run removes.
        let _ = fs::remove_file(&temporary);
        io("written", path, &error)
    })
}

/// The folder that holds `path`; the current one for a bare name.
pub(crate) fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Syncs the folder that holds `path`, so that a rename in it survives a crash.
pub(crate) fn sync_parent(path: &Path) -> std::io::Result<()> {
    File::open(parent(path))?.sync_all()
}

/// The ending of temporary files.
pub(crate) const TEMPORARY: &str = ".tmp";

fn temporary(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(TEMPORARY);
    path.with_file_name(name)
}

/// Whether this is the name of a capture that was never finished.
pub(crate) fn is_temporary(name: &str) -> bool {
    name.strip_suffix(TEMPORARY).and_then(capture_stem).is_some()
}

fn capture_stem(name: &str) -> Option<&str> {
    name.strip_suffix(".json").filter(|stem| is_sha256(stem))
}

/// The names, without `.json`, of the captures in a folder, ascending. Temporary files are left out; anything else is
/// a fault, also a capture that is a link: it would not travel with the package.
pub(crate) fn capture_names(folder: &Path) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(corrupt(folder, "the folder is missing")),
        Err(error) => return Err(io("read", folder, &error)),
    };
    for entry in entries {
        let entry = entry.map_err(|error| io("read", folder, &error))?;
        let (name, path) = (entry.file_name(), entry.path());
        let name = name.to_string_lossy();
        if is_temporary(&name) {
            continue;
        }
        let Some(stem) = capture_stem(&name) else {
            let reason =
                format!("{name:?} is not the name of a capture, `<SHA-256>.json`; remove what does not belong here");
            return Err(corrupt(folder, reason));
        };
        // Of the entry itself: a link is not followed.
        let kind = entry.file_type().map_err(|error| io("read", &path, &error))?;
        if !kind.is_file() {
            let found = if kind.is_symlink() { "a symbolic link" } else { "no regular file" };
            return Err(corrupt(&path, format!("it is {found}; a package holds each capture as a file of its own")));
        }
        names.push(stem.to_owned());
    }
    names.sort_unstable();
    Ok(names)
}

/// Whether a text is a SHA-256 in lower-case hexadecimal.
pub(crate) fn is_sha256(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}
