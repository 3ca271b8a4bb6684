//! Answers requests from a published index.
