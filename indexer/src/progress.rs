//! What a run tells while it works. Nothing here prints.

/// A part of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Walking the trees; counts paths.
    Walk,
    /// Reading blobs and writing segments; counts bytes.
    Postings,
    /// Parsing with tree-sitter; counts bytes.
    Hints,
    /// Reading function names for a survey; counts files.
    Survey,
}

/// Hears of progress from several threads.
pub trait Progress: Sync {
    /// A phase begins; `total` units are ahead when that is known.
    fn begin(&self, phase: Phase, total: Option<u64>);
    /// So many units more are done.
    fn advance(&self, units: u64);
}

/// Hears nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn begin(&self, _phase: Phase, _total: Option<u64>) {}

    fn advance(&self, _units: u64) {}
}
