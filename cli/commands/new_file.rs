//! Files that an operator asks for by name. An existing one is never replaced: it may be evidence, or an hour's work.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use pincite_shared::failure::{Code, Failure};

/// Writes a new file; what could not be written whole does not stay.
pub(super) fn write(path: &Path, content: &[u8]) -> Result<(), Failure> {
    let mut file = match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(exists(path)),
        Err(error) => return Err(refused(path, &error)),
    };
    file.write_all(content).and_then(|()| file.sync_all()).map_err(|error| {
        // It is ours, and half of it helps nobody.
        let _ = fs::remove_file(path);
        refused(path, &error)
    })
}

/// The failure when the file is there already.
pub(super) fn exists(path: &Path) -> Failure {
    let message = format!("{} exists and is not replaced; remove it, or name another file with --out", path.display());
    Failure::new(Code::InvalidRequest, message).field("out")
}

fn refused(path: &Path, error: &io::Error) -> Failure {
    Failure::new(Code::InvalidRequest, format!("{} can not be written: {error}", path.display())).field("out")
}
