//! Renderings of answers that every face shares.

mod prompt;

pub use prompt::{prompt, prompt_failure, prompt_reply};
