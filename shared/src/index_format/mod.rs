//! The index format: what the indexer writes and the query engine reads, with both directions side by side.
//!
//! An index directory holds, all names fixed by [`layout`]:
//!
//! ```text
//! CURRENT                    the one pointer: name and SHA-256 of the published generation record
//! generation-<n>.json        segments, hint files and commits, each file with its length and seal
//! segments/<name>/           vocabulary, posting lists and document table of one segment
//! hints/<name>.<state>       assignments and function names of a segment's documents
//! manifests/<name>           the paths of one commit
//! lock                       held by the one writer, released by the system when its process ends
//! ```
//!
//! Every file is *sealed* ([`sealed`]): a checksum per block, checked before a block is used for the first time.
//! What is read is therefore what was written, or an error.

pub mod documents;
pub mod error;
pub mod generation;
pub mod hints;
pub mod inverted;
pub mod layout;
pub mod manifest;
mod mapped;
pub mod postings;
mod records;
pub mod sealed;
pub mod segment_files;
pub mod terms;
pub mod vocabulary;

pub use error::IndexError;

/// The format that this version writes and the only one it reads.
///
/// History: 1 = tantivy segments beside a vocabulary; 2 = posting lists of our own behind the vocabulary. Within 2, blocks
/// became smaller and manifests got totals, before any release; files without are read too.
pub const FORMAT_VERSION: u32 = 2;

/// Changes whenever `tokenizer` gives other tokens for some input.
pub const TOKENIZER_VERSION: u32 = 1;

/// Changes whenever `indexer::hints` gives other hints for some input.
pub const HINTS_VERSION: u32 = 1;
