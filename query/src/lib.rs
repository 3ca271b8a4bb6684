//! Answers requests from a published index.
//!
//! Request → [`Engine`] (one immutable snapshot) → search (what the index says) → following of hints → windows →
//! verification (cut again from re-hashed blobs) → completeness → [`Answer`]. One direction, no way back.

mod answer;
mod completeness;
pub mod contract;
mod elsewhere;
mod engine;
mod failure;
mod index;
pub mod package;
mod project_query;
pub mod render;
pub mod sample;
mod scope;
mod search;
mod selection;
mod source_context;
mod source_list;
mod source_read;
mod source_search;
mod to_wire;
mod verification;
pub mod verify;
mod work;

pub use answer::Answer;
pub use engine::Engine;
pub use index::Snapshot;
pub use project_query::Reply;
pub use scope::unsearched;
