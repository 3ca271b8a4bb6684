//! One writer at a time: a lock that the system releases when its process ends, however it ends.

use std::fs::{self, File, TryLockError};
use std::path::Path;

use pincite_shared::index_format::IndexError;
use pincite_shared::index_format::layout;

/// Held while a process writes to an index directory.
#[derive(Debug)]
pub(crate) struct WriterLock(#[expect(dead_code, reason = "the lock lives as long as its file")] File);

impl WriterLock {
    /// Makes the directory and takes its lock.
    pub(crate) fn acquire(directory: &Path) -> Result<Self, IndexError> {
        if directory.exists() && !directory.is_dir() {
            return Err(IndexError::NotADirectory { directory: directory.into() });
        }
        // Whatever is not named by the index is removed as garbage: never begin in a folder of somebody else's.
        let is_ours = [layout::LOCK, layout::CURRENT].iter().any(|name| directory.join(name).is_file());
        let is_empty =
            !directory.exists() || fs::read_dir(directory).map_err(IndexError::io(directory))?.next().is_none();
        if !is_ours && !is_empty {
            let reason = "is not empty and holds no index";
            return Err(IndexError::NotForAnIndex { directory: directory.into(), reason });
        }
        fs::create_dir_all(directory).map_err(IndexError::io(directory))?;
        let path = directory.join(layout::LOCK);
        let file =
            File::options().create(true).truncate(false).write(true).open(&path).map_err(IndexError::io(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(IndexError::Busy { directory: directory.into() }),
            Err(TryLockError::Error(source)) => Err(IndexError::Io { file: path, source }),
        }
    }
}
