//! Runs the real binary and the public crates on real repositories.

#![allow(clippy::unwrap_used, unreachable_pub, reason = "a test that can not go on panics; support is shared")]

#[path = "../support/naive.rs"]
mod naive;
#[path = "../support/elsewhere.rs"]
mod naive_elsewhere;
#[path = "../support/pincite.rs"]
mod pincite;
#[path = "../support/schemas.rs"]
mod schemas;
#[path = "../support/mod.rs"]
mod support;

mod bad_input;
mod bench;
mod benchmark_scripts;
mod commits;
mod context;
mod contract;
mod damage;
mod differential;
mod elsewhere;
mod golden;
mod help;
mod init;
mod limits;
mod model;
mod package;
mod pin;
mod planted;
mod prompt;
mod query;
mod read;
mod real;
mod report;
mod selection;
mod serve;
mod terminal;
mod verify;
