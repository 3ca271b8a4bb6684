//! What the integration tests share: real repositories, Git itself as the oracle, a naive search, and the binary.

// Each test binary uses a part of it.
#![allow(dead_code)]

pub mod naive;
pub mod oracle;
pub mod pincite;
pub mod repository;
