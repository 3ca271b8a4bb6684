//! What the integration tests share: real repositories, Git itself as the oracle, a naive search, and the binary.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    reason = "each test binary uses a part of it, and a test that can not go on panics"
)]

pub mod oracle;
pub mod repository;
