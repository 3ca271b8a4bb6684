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
const SHARD: std::ops::RangeInclusive<u64> = 4 << 20..=128 << 20;
/// Postings in memory take at most this many times the blob bytes they come from; source text was measured at about
/// one, SQL dumps at about two.
const POSTINGS_FACTOR: u64 = 4;
/// More and smaller segments than this slow queries down.
const PREFERRED_SEGMENTS: u64 = 8;

impl IndexOptions {
    /// Threads that build segments, and blob bytes per segment, for `total` bytes of new blobs.
    pub(crate) fn shards(&self, total: u64) -> (usize, u64) {
        let smallest = 32 << 20;
        let threads = (self.memory_bytes / (smallest * POSTINGS_FACTOR)).clamp(1, self.threads.get() as u64);
        let affordable = self.memory_bytes / threads / POSTINGS_FACTOR;
        let shard = (total / PREFERRED_SEGMENTS).clamp(*SHARD.start(), *SHARD.end()).min(affordable.max(1 << 20));
        (threads as usize, shard)
    }
}
