//! The index as an engine holds it: one immutable snapshot of a published generation for one pinned commit.

mod segment;
mod snapshot;

pub(crate) use segment::Segment;
pub use snapshot::Snapshot;
