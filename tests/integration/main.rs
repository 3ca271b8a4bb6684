//! Runs the real binary.
