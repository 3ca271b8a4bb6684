//! Turns a pinned commit into a published index.
