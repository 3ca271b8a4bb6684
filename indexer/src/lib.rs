//! Turns a pinned commit into a published index.
//!
//! Pin → walk → new blobs → shards → segments (postings, documents, vocabulary, scanner hints) → manifest → published
//! generation; then tree-sitter hints, segment by segment, each published on its own. [`prune`](fn@prune) removes commits again,
//! [`check`](fn@check) reads everything back. [`survey`](fn@survey) looks at a commit without an index.

pub mod check;
mod compact;
mod error;
mod garbage;
pub mod hints;
mod lock;
mod options;
mod pipeline;
mod progress;
mod prune;
mod report;
mod segment;
pub mod survey;
mod syntax_phase;
mod walk;

pub use check::{CheckReport, check};
pub use error::IndexingError;
pub use options::{HintsWanted, IndexOptions};
pub use pipeline::index;
pub use progress::{NoProgress, Phase, Progress};
pub use prune::{PruneReport, PruneWhat, prune};
pub use report::{IndexReport, peak_memory};
pub use survey::{Survey, survey};
