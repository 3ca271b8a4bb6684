//! Runs the real binary and the public crates on real repositories.

#![allow(clippy::unwrap_used, unreachable_pub, reason = "a test that can not go on panics; support is shared")]

#[path = "../support/naive.rs"]
mod naive;
#[path = "../support/pincite.rs"]
mod pincite;
#[path = "../support/mod.rs"]
mod support;

mod bad_input;
mod commits;
mod context;
mod damage;
mod differential;
mod golden;
mod limits;
mod pin;
mod planted;
mod read;
mod serve;
