//! Hints by tree-sitter: parses within bounds and walks the tree once, by the tables of `grammars`.
//!
//! A tree with errors is walked all the same; what stands in its whole parts is right, and the scanner knows the rest.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pincite_shared::hints::{Assignment, FunctionKind, FunctionName, HintOrigin, Hints};
use pincite_shared::ids::LineNumber;
use pincite_shared::language::Language;
use thiserror::Error;
use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree};

use super::grammars::{Compiled, Rule, Step, compiled};
use super::keywords::{Keywords, Meaning};
use super::lexical::unquoted;
use super::merge::sort;
use super::value::{Value, single};

/// How much a file may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntaxBounds {
    /// Larger files are not parsed: a tree takes ten times its source and more.
    pub max_bytes: usize,
    /// For parsing and walking together. It also bounds memory, if loosely: a hostile file took 764 MB in 2 s.
    pub max_time: Duration,
}

impl Default for SyntaxBounds {
    fn default() -> Self {
        Self { max_bytes: 4 << 20, max_time: Duration::from_secs(2) }
    }
}

/// Why there are no hints by syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotParsed {
    /// The language has no grammar here.
    #[error("the language has no grammar")]
    NoGrammar,
    /// The file is larger than `max_bytes`.
    #[error("the file is too large to be parsed")]
    TooLarge,
    /// It took longer than `max_time`.
    #[error("parsing took too long")]
    TimedOut,
}

/// Nodes walked between two looks at the clock.
const NODES_PER_LOOK: u32 = 1 << 12;

/// Steps from a node to its name; a longer way leads through made-up code only.
const MAX_STEPS: usize = 64;

/// The hints of `source`, sorted, all `Syntax`. For many files, one [`SyntaxParser`] per thread is faster.
pub fn syntax(language: Language, source: &[u8], bounds: &SyntaxBounds) -> Result<Hints, NotParsed> {
    SyntaxParser::new().hints(language, source, bounds)
}

/// A parser that is used again for file after file.
pub struct SyntaxParser {
    parser: Parser,
    language: Option<Language>,
}

impl Default for SyntaxParser {
    fn default() -> Self {
        Self::new()
    }
}

impl SyntaxParser {
    /// A parser without a language yet.
    pub fn new() -> Self {
        Self { parser: Parser::new(), language: None }
    }

    /// The hints of `source`, sorted, all `Syntax`.
    pub fn hints(&mut self, language: Language, source: &[u8], bounds: &SyntaxBounds) -> Result<Hints, NotParsed> {
        let grammar = compiled(language).ok_or(NotParsed::NoGrammar)?;
        if source.len() > bounds.max_bytes {
            return Err(NotParsed::TooLarge);
        }
        let started = Instant::now();
        if self.language != Some(language) {
            self.parser.set_language(&grammar.grammar).map_err(|_| NotParsed::NoGrammar)?;
            self.language = Some(language);
        }
        let tree = self.parse(source, started, bounds.max_time).ok_or(NotParsed::TimedOut)?;
        let mut walk = Walk { language, grammar, source, hints: Hints::default() };
        walk.tree(&tree, started, bounds.max_time)?;
        sort(&mut walk.hints);
        Ok(walk.hints)
    }

    fn parse(&mut self, source: &[u8], started: Instant, max_time: Duration) -> Option<Tree> {
        let mut look = |_: &ParseState| {
            if started.elapsed() > max_time { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let options = ParseOptions::new().progress_callback(&mut look);
        let mut read = |at: usize, _| source.get(at..).unwrap_or_default();
        let tree = self.parser.parse_with_options(&mut read, None, Some(options));
        if tree.is_none() {
            // Otherwise the next call would go on with this file.
            self.parser.reset();
        }
        tree
    }
}

/// One walk over one tree.
struct Walk<'s> {
    language: Language,
    grammar: &'static Compiled,
    source: &'s [u8],
    hints: Hints,
}

impl<'s> Walk<'s> {
    /// Visits all nodes. A loop, because a tree may be deeper than the stack.
    fn tree(&mut self, tree: &Tree, started: Instant, max_time: Duration) -> Result<(), NotParsed> {
        let mut cursor = tree.walk();
        let mut nodes = 0_u32;
        loop {
            nodes = nodes.wrapping_add(1);
            if nodes.is_multiple_of(NODES_PER_LOOK) && started.elapsed() > max_time {
                return Err(NotParsed::TimedOut);
            }
            let node = cursor.node();
            let kind = node.kind_id();
            if let Some(rule) = self.grammar.rule(kind) {
                self.apply(rule, node);
            }
            if !self.grammar.is_skipped(kind) && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return Ok(());
                }
            }
        }
    }

    fn apply(&mut self, rule: Rule, node: Node<'_>) {
        match rule {
            Rule::Bind(name, value) => {
                let is_compound = node.child_by_field_name("operator").is_some_and(|sign| self.text(sign) != b"=");
                if !is_compound {
                    // `.a.b = 1` has a designator for each part.
                    let named = match name {
                        "designator" => node.children_by_field_name(name, &mut node.walk()).last(),
                        _ => node.child_by_field_name(name),
                    };
                    let value = node.child_by_field_name(value);
                    self.bind(named, value);
                    self.name_function_value(named, value);
                }
            }
            Rule::BindEnds => {
                let (first, last) = (node.named_child(0), last_named(node));
                if self.follows_sign(last) {
                    self.bind(first, last);
                    self.name_function_value(first, last);
                }
            }
            Rule::BindLast(name) => {
                let last = last_named(node);
                if self.follows_sign(last) {
                    self.bind(node.child_by_field_name(name), last);
                }
            }
            Rule::Macro => self.bind_macro(node),
            Rule::Function(field) => self.function(node, field),
            Rule::Definition(field) => self.name(node.child_by_field_name(field), FunctionKind::Definition),
            Rule::Prototype(field) => self.name(node.child_by_field_name(field), FunctionKind::Declaration),
            Rule::Declarators(field) => self.declarators(node, field),
            Rule::Call(field) => self.name(node.child_by_field_name(field), FunctionKind::Call),
        }
    }

    fn text(&self, node: Node<'_>) -> &'s [u8] {
        self.source.get(node.byte_range()).unwrap_or_default()
    }

    /// Whether `=` or `:` stands before the node.
    fn follows_sign(&self, node: Option<Node<'_>>) -> bool {
        node.and_then(|node| node.prev_sibling()).is_some_and(|sign| matches!(self.text(sign), b"=" | b":"))
    }

    fn bind(&mut self, name: Option<Node<'_>>, value: Option<Node<'_>>) {
        let (Some(name), Some(value)) = (name, value) else { return };
        // The value first: most are no single token, and that is seen sooner.
        let Some(value) = single(self.language, self.text(value), Value::new()) else { return };
        if let Some((line, name)) = self.identifier(name) {
            self.hints.assignments.push(Assignment { line, name, value, origin: HintOrigin::Syntax });
        }
    }

    fn bind_macro(&mut self, node: Node<'_>) {
        let (Some(name), Some(value)) = (node.child_by_field_name("name"), node.child_by_field_name("value")) else {
            return;
        };
        let Some(value) = single(self.language, self.text(value), Value::of_macro()) else { return };
        if let Some((line, name)) = self.identifier(name) {
            self.hints.assignments.push(Assignment { line, name, value, origin: HintOrigin::Syntax });
        }
    }

    /// A function bound to a name is defined under it.
    fn name_function_value(&mut self, name: Option<Node<'_>>, value: Option<Node<'_>>) {
        let Some(mut value) = value else { return };
        if value.kind() == "expression_list" && value.named_child_count() == 1 {
            value = value.named_child(0).unwrap_or(value);
        }
        if matches!(value.kind(), "arrow_function" | "function_expression" | "function_definition") {
            self.name(name, FunctionKind::Definition);
        }
    }

    fn name(&mut self, node: Option<Node<'_>>, kind: FunctionKind) {
        if let Some((line, name)) = node.and_then(|node| self.identifier(node))
            // A cast is no call.
            && !matches!(Keywords::of(self.language).meaning(name.as_bytes()), Meaning::Control | Meaning::Type)
        {
            self.hints.functions.push(FunctionName { line, name, kind, origin: HintOrigin::Syntax });
        }
    }

    /// A function with its body, if it has one. In C its name stands in a declarator of a declarator.
    fn function(&mut self, node: Node<'_>, field: &str) {
        let Some(named) = node.child_by_field_name(field) else { return };
        let c_like = matches!(self.language, Language::C | Language::Cpp);
        let body = node.child_by_field_name("body");
        let kind = match body {
            Some(_) => FunctionKind::Definition,
            None if self.language == Language::CSharp && is_arrow_member(node) => FunctionKind::Definition,
            None => FunctionKind::Declaration,
        };
        let named = if c_like { self.function_declarator(named) } else { Some(named) };
        self.name(named, kind);
    }

    /// The prototypes among the declarators of a declaration, and the value of a member.
    fn declarators(&mut self, node: Node<'_>, field: &str) {
        if let Some(value) = node.child_by_field_name("default_value") {
            self.bind(node.child_by_field_name(field), Some(value));
        }
        let mut cursor = node.walk();
        let declarators: Vec<Node<'_>> = node.children_by_field_name(field, &mut cursor).collect();
        for declarator in declarators {
            let named = self.function_declarator(declarator);
            self.name(named, FunctionKind::Declaration);
        }
    }

    /// The node that names the function which `declarator` declares; `None` for variables, pointers to functions too.
    fn function_declarator<'t>(&self, declarator: Node<'t>) -> Option<Node<'t>> {
        let mut node = declarator;
        for _ in 0..MAX_STEPS {
            node = match node.kind() {
                "function_declarator" => {
                    let named = node.child_by_field_name("declarator")?;
                    return (named.kind() != "parenthesized_declarator").then_some(named);
                }
                "pointer_declarator" => node.child_by_field_name("declarator")?,
                "reference_declarator" | "attributed_declarator" => node.named_child(0)?,
                _ => return None,
            };
        }
        None
    }

    /// The identifier that a node names, and its line.
    fn identifier(&self, node: Node<'_>) -> Option<(LineNumber, String)> {
        let mut node = node;
        for _ in 0..MAX_STEPS {
            node = match self.grammar.step(node.kind_id()) {
                Some(Step::Field(field)) => node.child_by_field_name(field)?,
                Some(Step::Only) if node.named_child_count() == 1 => node.named_child(0)?,
                Some(Step::Only) => return None,
                Some(Step::First) => node.named_child(0)?,
                Some(Step::Last) => last_named(node)?,
                None => break,
            };
        }
        let text = self.text(node);
        let text = unquoted(text).unwrap_or(text);
        // What is left is an identifier, or something that names nothing.
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#' | 0x80..);
        let is_name = node.named_child_count() == 0 && text.iter().all(is_word) || self.text(node).len() > text.len();
        if !is_name || text.first().is_none_or(u8::is_ascii_digit) {
            return None;
        }
        let text = std::str::from_utf8(text.strip_prefix(b"#").unwrap_or(text)).ok()?;
        let row = u32::try_from(node.start_position().row).unwrap_or(u32::MAX);
        Some((LineNumber::from_index(row), text.to_owned()))
    }
}

/// C#'s expression bodies have no field in some declarations.
fn is_arrow_member(node: Node<'_>) -> bool {
    last_named(node).is_some_and(|last| last.kind() == "arrow_expression_clause")
}

fn last_named(node: Node<'_>) -> Option<Node<'_>> {
    let count = node.named_child_count();
    node.named_child(u32::try_from(count.checked_sub(1)?).ok()?)
}
