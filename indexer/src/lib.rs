//! Turns a pinned commit into a published index.

pub mod hints;
