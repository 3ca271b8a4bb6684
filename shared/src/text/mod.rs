//! The text model of a blob: what it is, where its lines are, and how a line is shown (T-01, T-07, L-03).

mod classify;
mod lines;
mod show;

pub use classify::{Content, classify};
pub use lines::{LineCursor, LineIndex, line_count, lines};
pub use show::{Shortened, lossy, shorten};
