//! Measures the parts that builds and answers are made of: `cargo bench --package pincite-benches`.
//!
//! The texts are this project's own sources and a generated SQL dump; the index is one of this clone's HEAD. What a
//! whole program takes is measured by the scripts beside this folder.

#![allow(clippy::unwrap_used, reason = "a benchmark that can not go on panics")]

mod corpus;
mod engine;
mod requests;
mod text;

fn main() {
    divan::main();
}
