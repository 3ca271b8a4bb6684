//! The index format: what the indexer writes and the query engine reads, with both directions side by side.
//!
//! An index directory holds, all names fixed by [`layout`]:
//!
//! ```text
//! CURRENT                    the one pointer: name and SHA-256 of the published generation record
//! generation-<n>.json        segments, hint files and commits, each file with its length and seal
//! segments/<name>/           one tantivy segment with its document table and vocabulary
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
pub mod layout;
pub mod manifest;
mod mapped;
mod records;
pub mod sealed;
pub mod tantivy_files;
pub mod terms;
pub mod vocabulary;

pub use error::IndexError;

/// The format that this version writes and the only one it reads.
///
/// History: 1 = first format.
pub const FORMAT_VERSION: u32 = 1;

/// Changes whenever `tokenizer` gives other tokens for some input.
pub const TOKENIZER_VERSION: u32 = 1;

/// Changes whenever `indexer::hints` gives other hints for some input.
pub const HINTS_VERSION: u32 = 1;
