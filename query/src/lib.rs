//! Answers requests from a published index.
//!
//! Request → [`Engine`] (one immutable snapshot) → search (what the index says) → following of hints → windows →
//! verification (cut again from re-hashed blobs) → completeness → [`Answer`]. One direction, no way back.

mod answer;
mod completeness;
mod engine;
mod failure;
mod index;
mod scope;
mod search;
mod selection;
mod source_context;
mod source_list;
mod source_read;
mod source_search;
mod to_wire;
mod verification;

pub use answer::Answer;
pub use engine::Engine;
pub use index::Snapshot;
