//! Runs the real binary and the public crates on real repositories.

#[path = "../support/mod.rs"]
mod support;

mod bad_input;
mod commits;
mod context;
mod damage;
mod differential;
mod limits;
mod pin;
mod planted;
mod read;
