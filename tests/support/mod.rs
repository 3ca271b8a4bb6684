//! What the integration tests share: real repositories, and Git itself as the oracle.

// Each test binary uses a part of it.
#![allow(dead_code)]

pub mod oracle;
pub mod repository;
