//! A tantivy segment read through sealed files.
//!
//! tantivy does not look at its checksums when it reads. This read-only directory gives it bytes of checked blocks
//! only, keeps it from writing lock files, and so also works on a read-only disk.

use std::collections::HashMap;
use std::io;
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{DirectoryLock, FileHandle, Lock, OwnedBytes, WatchCallback, WatchHandle, WritePtr};
use tantivy::{Directory, HasLen, Index, SegmentReader};

use super::error::IndexError;
use super::generation::SegmentRecord;
use super::layout;
use super::sealed::SealedFile;

/// The files of one segment, by their plain names.
#[derive(Clone, Debug)]
pub struct SegmentFiles {
    directory: PathBuf,
    files: Arc<HashMap<PathBuf, SealedFile>>,
}

impl SegmentFiles {
    /// Opens all files of a segment of the index in `index`. They stay readable after a prune.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] when one is not what the record says.
    pub fn open(index: &Path, record: &SegmentRecord) -> Result<Self, IndexError> {
        let mut files = HashMap::new();
        for file in &record.files {
            let name = Path::new(&file.name).file_name().map(PathBuf::from);
            let name = name.ok_or_else(|| IndexError::corrupt(index, format!("{:?} is no file name", file.name)))?;
            files.insert(name, SealedFile::open(index, file)?);
        }
        Ok(Self { directory: index.join(layout::SEGMENTS).join(&record.name), files: Arc::new(files) })
    }

    /// The segment's folder, for error messages.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// A file by its plain name.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] when the segment has none.
    pub fn file(&self, name: &str) -> Result<&SealedFile, IndexError> {
        let file = self.files.get(Path::new(name));
        file.ok_or_else(|| IndexError::corrupt(&self.directory, format!("it has no {name}")))
    }

    /// Opens the tantivy index and its only segment.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] for whatever tantivy finds wrong.
    pub fn open_index(&self) -> Result<(Index, SegmentReader), IndexError> {
        let broken = |error: tantivy::TantivyError| IndexError::corrupt(&self.directory, error.to_string());
        let index = Index::open(self.clone()).map_err(broken)?;
        let segments = index.searchable_segments().map_err(broken)?;
        let [segment] = segments.as_slice() else {
            return Err(IndexError::corrupt(&self.directory, format!("{} segments instead of one", segments.len())));
        };
        let reader = SegmentReader::open(segment).map_err(broken)?;
        Ok((index, reader))
    }
}

#[derive(Debug)]
struct Handle(SealedFile);

impl HasLen for Handle {
    fn len(&self) -> usize {
        self.0.len()
    }
}

/// Keeps the mapping alive for as long as tantivy holds the bytes.
struct Slice {
    file: SealedFile,
    range: Range<usize>,
}

impl Deref for Slice {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // The range was checked when the slice was made; blocks stay checked.
        self.file.read(self.range.clone()).unwrap_or_default()
    }
}

impl FileHandle for Handle {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        self.0.read(range.clone()).map_err(io::Error::other)?;
        Ok(OwnedBytes::new(StableSlice(Arc::new(Slice { file: self.0.clone(), range }))))
    }
}

/// `OwnedBytes` asks for an owner whose bytes do not move; a mapping's do not.
#[derive(Clone)]
struct StableSlice(Arc<Slice>);

impl Deref for StableSlice {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

#[allow(unsafe_code, reason = "the marker trait that tantivy asks of an owner of bytes")]
// SAFETY: the bytes lie in a mapping that the `Arc` keeps alive and that never moves or changes; dereferencing gives
// the same address each time.
unsafe impl stable_deref_trait::StableDeref for StableSlice {}

fn read_only() -> io::Error {
    io::Error::new(io::ErrorKind::ReadOnlyFilesystem, "a published segment is never written")
}

impl Directory for SegmentFiles {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        match self.files.get(path) {
            Some(file) => Ok(Arc::new(Handle(file.clone()))),
            None => Err(OpenReadError::FileDoesNotExist(path.into())),
        }
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        Err(DeleteError::IoError { io_error: Arc::new(read_only()), filepath: path.into() })
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        Ok(self.files.contains_key(path))
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::IoError { io_error: Arc::new(read_only()), filepath: path.into() })
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let file = self.files.get(path).ok_or_else(|| OpenReadError::FileDoesNotExist(path.into()))?;
        match file.read_all() {
            Ok(bytes) => Ok(bytes.to_vec()),
            Err(error) => Err(OpenReadError::wrap_io_error(io::Error::other(error), path.into())),
        }
    }

    fn atomic_write(&self, _path: &Path, _data: &[u8]) -> io::Result<()> {
        Err(read_only())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, _lock: &Lock) -> Result<DirectoryLock, LockError> {
        // Nobody writes here: there is nothing to keep out.
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, _callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}
