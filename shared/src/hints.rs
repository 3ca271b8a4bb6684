//! Hints: what a blob binds and which functions it names, derived once per blob.
//!
//! They are candidates for following, never evidence (C1-02), and know nothing of a project's configuration:
//! prefixes and markers are applied when a query is answered. `indexer::hints` derives them,
//! `index_format::hints` stores them.

use crate::ids::LineNumber;

/// Who found a hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HintOrigin {
    /// tree-sitter confirmed it.
    Syntax,
    /// Only the byte scanner saw it (macros, files that do not parse, files not yet parsed).
    Lexical,
}

/// A simple assignment or constant binding: `NAME = VALUE`, an enumerator, `#define NAME VALUE`, a typed constant,
/// a default or keyword argument, a table field.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Assignment {
    /// Where the name stands.
    pub line: LineNumber,
    /// The last identifier left of the sign: `b` for `a.b = 1` and `int b = 1`.
    pub name: String,
    /// The single token that is the whole right side: a number with its suffix, an identifier (the last one of a
    /// path such as `Ns::NAME`), or a string literal with its quotes; a leading `-` is kept.
    pub value: String,
    /// Who found it.
    pub origin: HintOrigin,
}

/// What a function name does at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FunctionKind {
    /// The name of a function with a body.
    Definition,
    /// A prototype.
    Declaration,
    /// A call.
    Call,
}

/// A function's name at one place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FunctionName {
    /// Where the name stands.
    pub line: LineNumber,
    /// The identifier: `f` for `Ns::f(…)` and `object.f(…)`.
    pub name: String,
    /// What it does there.
    pub kind: FunctionKind,
    /// Who found it.
    pub origin: HintOrigin,
}

/// All hints of one blob, sorted by line, then name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// Simple assignments and constant bindings.
    pub assignments: Vec<Assignment>,
    /// Function names.
    pub functions: Vec<FunctionName>,
}
