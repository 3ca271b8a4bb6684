//! Sealed files: every block has a checksum, and no byte is used before its block was checked.
//!
//! ```text
//! content, block sums (XXH3-64 of each block, little endian), footer
//! footer: content length u64 | block size u32 | sum of the block sums and these two numbers u64 | "PCSEAL01"
//! ```
//!
//! A block is a page, since queries read a few bytes here and there. Files with blocks of 16 KiB, which were written
//! once, can be read too; their seal does not cover the size.
//!
//! The footer's sum is the file's *seal*; whoever names the file (the generation record) stores it with the file's
//! length, so a file of another build in its place is found as well. The checksums find damage, not an attacker:
//! evidence is proved against the Git objects, not against the index.

use std::fs::File;
use std::io::Write;
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::error::IndexError;
use super::mapped::{self, Mapped};

const BLOCK: usize = 4 << 10;
const OLD_BLOCK: usize = 16 << 10;
/// Bytes that go to the system at once.
const WRITTEN: usize = 16 * BLOCK;
const MAGIC: &[u8; 8] = b"PCSEAL01";
const FOOTER: usize = 8 + 4 + 8 + 8;

/// How a file is named by its owner: relative name, length on disk, and seal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileRecord {
    /// Path relative to the index directory, with `/`.
    pub name: String,
    /// Bytes on disk, footer included.
    pub bytes: u64,
    /// The footer's sum, as 16 hexadecimal digits.
    pub seal: String,
}

/// Writes a sealed file from start to end.
pub struct SealedWriter {
    path: PathBuf,
    file: File,
    /// What is not written yet, from the beginning of a block.
    pending: Vec<u8>,
    sums: Vec<u8>,
    written: u64,
}

impl SealedWriter {
    /// Creates the file, which must not exist.
    ///
    /// # Errors
    /// What the system says.
    pub fn create(path: &Path) -> Result<Self, IndexError> {
        let file = File::options().write(true).create_new(true).open(path).map_err(IndexError::io(path))?;
        Ok(Self { path: path.into(), file, pending: Vec::with_capacity(WRITTEN), sums: Vec::new(), written: 0 })
    }

    /// Bytes of content so far.
    pub fn position(&self) -> u64 {
        self.written
    }

    /// Appends content, in pieces of any size: nothing goes to the file before there is much of it.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&mut self, mut bytes: &[u8]) -> Result<(), IndexError> {
        self.written += bytes.len() as u64;
        while !bytes.is_empty() {
            let take = bytes.len().min(WRITTEN - self.pending.len());
            self.pending.extend_from_slice(&bytes[..take]);
            bytes = &bytes[take..];
            if self.pending.len() == WRITTEN {
                self.close_blocks()?;
            }
        }
        Ok(())
    }

    fn close_blocks(&mut self) -> Result<(), IndexError> {
        self.file.write_all(&self.pending).map_err(IndexError::io(&self.path))?;
        for block in self.pending.chunks(BLOCK) {
            self.sums.extend_from_slice(&xxh3_64(block).to_le_bytes());
        }
        self.pending.clear();
        Ok(())
    }

    /// Writes the sums and the footer, and syncs the file to the disk.
    ///
    /// # Errors
    /// What the system says.
    pub fn finish(mut self, name: String) -> Result<FileRecord, IndexError> {
        self.close_blocks()?;
        let seal = seal_of(self.written, BLOCK, &self.sums);
        let mut tail = std::mem::take(&mut self.sums);
        tail.extend_from_slice(&self.written.to_le_bytes());
        tail.extend_from_slice(&(BLOCK as u32).to_le_bytes());
        tail.extend_from_slice(&seal.to_le_bytes());
        tail.extend_from_slice(MAGIC);
        self.file.write_all(&tail).map_err(IndexError::io(&self.path))?;
        self.file.sync_all().map_err(IndexError::io(&self.path))?;
        Ok(FileRecord { name, bytes: self.written + tail.len() as u64, seal: format!("{seal:016x}") })
    }
}

fn seal_of(content: u64, block: usize, sums: &[u8]) -> u64 {
    let mut hasher = Xxh3::new();
    hasher.update(sums);
    hasher.update(&content.to_le_bytes());
    if block != OLD_BLOCK {
        hasher.update(&(block as u64).to_le_bytes());
    }
    hasher.digest()
}

/// A published file, mapped, whose blocks are checked when they are first used. Cheap to clone.
#[derive(Clone, Debug)]
pub struct SealedFile(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    map: Mapped,
    content: usize,
    block: usize,
    sums: Range<usize>,
    /// One bit a block: set when its sum was found right.
    checked: Vec<AtomicU64>,
}

/// A published file that is held open, so that it stays readable after a prune, and mapped and checked when it is first
/// used.
#[derive(Debug)]
pub struct LaterFile {
    path: PathBuf,
    record: FileRecord,
    file: File,
    sealed: OnceLock<SealedFile>,
}

impl LaterFile {
    /// Opens a file and reads nothing.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] when it is missing; else what the system says.
    pub fn open(directory: &Path, record: &FileRecord) -> Result<Self, IndexError> {
        let path = directory.join(&record.name);
        let file = mapped::open(&path)?;
        Ok(Self { path, record: record.clone(), file, sealed: OnceLock::new() })
    }

    /// The file, as [`SealedFile::open`] gives it.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] when anything differs from the record.
    pub fn sealed(&self) -> Result<&SealedFile, IndexError> {
        if let Some(sealed) = self.sealed.get() {
            return Ok(sealed);
        }
        let map = Mapped::new(&self.path, &self.file)?;
        let sealed = SealedFile::of(self.path.clone(), map, &self.record)?;
        Ok(self.sealed.get_or_init(|| sealed))
    }
}

impl SealedFile {
    /// Opens a file and checks its length, footer and block sums, but no block yet.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] when anything differs from the record.
    pub fn open(directory: &Path, record: &FileRecord) -> Result<Self, IndexError> {
        let path = directory.join(&record.name);
        let map = Mapped::new(&path, &mapped::open(&path)?)?;
        Self::of(path, map, record)
    }

    fn of(path: PathBuf, map: Mapped, record: &FileRecord) -> Result<Self, IndexError> {
        if map.len() as u64 != record.bytes {
            return Err(IndexError::corrupt(path, format!("{} bytes long instead of {}", map.len(), record.bytes)));
        }
        let footer = map.len().checked_sub(FOOTER).ok_or_else(|| IndexError::corrupt(&path, "it has no footer"))?;
        let (content, rest) = map[footer..].split_at(8);
        let content = u64::from_le_bytes(content.try_into().unwrap_or_default());
        let (block, rest) = rest.split_at(4);
        let (seal, magic) = rest.split_at(8);
        let content = usize::try_from(content).unwrap_or(usize::MAX);
        let block = u32::from_le_bytes(block.try_into().unwrap_or_default()) as usize;
        if block != BLOCK && block != OLD_BLOCK {
            return Err(IndexError::corrupt(path, "its footer is not one"));
        }
        let blocks = content.div_ceil(block);
        let expected = blocks.checked_mul(8).and_then(|sums| sums.checked_add(content));
        if magic != MAGIC || expected != Some(footer) {
            return Err(IndexError::corrupt(path, "its footer is not one"));
        }
        let seal = u64::from_le_bytes(seal.try_into().unwrap_or_default());
        let sums = content..footer;
        if format!("{seal:016x}") != record.seal || seal_of(content as u64, block, &map[sums.clone()]) != seal {
            return Err(IndexError::corrupt(path, "its seal is not the recorded one"));
        }
        let checked = (0..blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Ok(Self(Arc::new(Inner { path, map, content, block, sums, checked })))
    }

    /// The file's path, for error messages.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Bytes of content.
    pub fn len(&self) -> usize {
        self.0.content
    }

    /// Bytes of the whole file, as its record states them.
    pub fn disk_bytes(&self) -> u64 {
        self.0.map.len() as u64
    }

    /// Whether there is no content.
    pub fn is_empty(&self) -> bool {
        self.0.content == 0
    }

    /// A range of the content, once all of its blocks are known to be whole.
    ///
    /// # Errors
    /// [`IndexError::Corrupt`] when the range is beyond the end or a block's sum differs.
    pub fn read(&self, range: Range<usize>) -> Result<&[u8], IndexError> {
        let inner = &*self.0;
        if range.start > range.end || range.end > inner.content {
            return Err(IndexError::corrupt(&inner.path, format!("{range:?} is not within {} bytes", inner.content)));
        }
        if !range.is_empty() {
            for block in range.start / inner.block..=(range.end - 1) / inner.block {
                self.check_block(block)?;
            }
        }
        Ok(&inner.map[range])
    }

    /// A range of the content to look into again and again, once all of its blocks are known to be whole.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn checked(&self, range: Range<usize>) -> Result<CheckedPart, IndexError> {
        self.read(range.clone())?;
        Ok(CheckedPart { file: self.clone(), range })
    }

    /// All of the content.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_all(&self) -> Result<&[u8], IndexError> {
        self.read(0..self.0.content)
    }

    fn check_block(&self, block: usize) -> Result<(), IndexError> {
        let inner = &*self.0;
        let (word, bit) = (&inner.checked[block / 64], 1 << (block % 64));
        if word.load(Ordering::Relaxed) & bit != 0 {
            return Ok(());
        }
        let start = block * inner.block;
        let at = inner.sums.start + block * 8;
        let sum = xxh3_64(&inner.map[start..inner.content.min(start + inner.block)]);
        if inner.map[at..at + 8] != sum.to_le_bytes() {
            return Err(IndexError::corrupt(&inner.path, format!("block {block} does not have its checksum")));
        }
        word.fetch_or(bit, Ordering::Relaxed);
        Ok(())
    }
}

/// A part of a sealed file whose blocks were found whole.
#[derive(Clone, Debug)]
pub struct CheckedPart {
    file: SealedFile,
    range: Range<usize>,
}

impl Deref for CheckedPart {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.file.0.map[self.range.clone()]
    }
}

#[cfg(test)]
mod tests;
