//! Maps a file into memory: the only place with `unsafe`.

use std::fs::File;
use std::ops::Deref;
use std::path::Path;

use super::error::IndexError;

/// The bytes of a published file.
#[derive(Debug)]
pub(super) struct Mapped(memmap2::Mmap);

/// Opens a published file for reading.
pub(super) fn open(path: &Path) -> Result<File, IndexError> {
    File::open(path).map_err(|source| match source.kind() {
        std::io::ErrorKind::NotFound => IndexError::corrupt(path, "it is missing"),
        _ => IndexError::Io { file: path.into(), source },
    })
}

impl Mapped {
    #[allow(unsafe_code, reason = "mapping a file is unsafe by nature; this is the only place that does it")]
    pub(super) fn new(path: &Path, file: &File) -> Result<Self, IndexError> {
        // SAFETY: published files are never written again, only unlinked, which leaves a mapping intact; a stranger
        // who truncates one ends the process with SIGBUS, as with every mapped file.
        let map = unsafe { memmap2::Mmap::map(file) }.map_err(IndexError::io(path))?;
        Ok(Self(map))
    }
}

impl Deref for Mapped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
