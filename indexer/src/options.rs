//! How to index.

use std::num::NonZeroUsize;

/// Which hints to derive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintsWanted {
    /// The byte scanner's only; a later run adds the others.
    Lexical,
    /// tree-sitter's as well, in a second phase after publishing.
    Syntax,
}

/// Options of one run.
#[derive(Clone, Debug)]
pub struct IndexOptions {
    /// Threads to use; fewer are used when the memory would not suffice.
    pub threads: NonZeroUsize,
    /// Memory in bytes that the postings of unfinished segments may take together. Other needs (paths, one blob and
    /// its tree per thread) come on top and grow with the number of paths and with the largest blob.
    pub memory_bytes: u64,
    /// Larger blobs are skipped as `too_large`.
    pub max_file_bytes: u64,
    /// Whether a blob that the clone lacks ends the run.
    pub strict: bool,
    /// Which hints to derive.
    pub hints: HintsWanted,
}

impl Default for IndexOptions {
    fn default() -> Self {
        Self {
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            memory_bytes: 1 << 30,
            max_file_bytes: 64 << 20,
            strict: false,
            hints: HintsWanted::Syntax,
        }
    }
}

/// Smallest and largest shard of blob bytes that becomes one segment.
const SHARD: std::ops::RangeInclusive<u64> = 4 << 20..=256 << 20;
/// A thread with less memory than this writes segments so small that queries suffer.
const LEAST_MEMORY: u64 = 64 << 20;
/// Places in a segment's memory are 32 bits wide, and one file of the largest size allowed must still fit.
const MOST_MEMORY: u64 = 1 << 30;
/// More and smaller segments than this slow queries down.
const PREFERRED_SEGMENTS: u64 = 8;

/// How the building of segments is shared out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// Threads that build segments.
    pub(crate) threads: usize,
    /// Blob bytes of one shard.
    pub(crate) shard: u64,
    /// Memory at which a thread writes its segment, whatever is left of its shard.
    pub(crate) memory: u64,
}

impl IndexOptions {
    /// How `total` bytes of new blobs are shared out.
    pub(crate) fn plan(&self, total: u64) -> Plan {
        let threads = (self.memory_bytes / LEAST_MEMORY).clamp(1, self.threads.get() as u64);
        let memory = (self.memory_bytes / threads).min(MOST_MEMORY);
        Plan {
            threads: threads as usize,
            shard: (total / PREFERRED_SEGMENTS).clamp(*SHARD.start(), *SHARD.end()),
            memory,
        }
    }
}
