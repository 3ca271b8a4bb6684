//! Derives the hints of a blob: what it binds and which functions it names (C1-02, C1-11, X-01).
//!
//! [`lexical()`] reads bytes and is fast enough for every blob of a commit; [`syntax()`] reads a tree-sitter tree and
//! says what a name really is; [`merge()`] joins the two, because macros that break a grammar do not break the
//! scanner.

mod functions;
mod grammars;
mod keywords;
mod lexer;
mod lexical;
mod literals;
mod merge;
mod syntax;
#[cfg(test)]
mod tests;
mod value;

pub use lexical::lexical;
pub use merge::merge;
pub use syntax::{NotParsed, SyntaxBounds, SyntaxParser, syntax};
