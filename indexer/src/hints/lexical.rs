//! The byte scanner: finds bindings and function names from tokens alone, in one pass.
//!
//! It guesses where a grammar knows, and is meant to see too much rather than too little. Left out on purpose: C++
//! brace initializers (`int a{5}`), values in brackets (`(5)`, but for macros) or casts, several targets at once (`a, b = 1, 2`). `a[3] = 5` binds `a`, `[A] = 5` in a table binds
//! `A`. The number of hints is not bounded; at most [`MAX_DEPTH`] open brackets are told apart, and function names
//! deeper than that are calls.
//!
//! `functions` holds the rules for function names.

use pincite_shared::hints::{Assignment, FunctionKind, FunctionName, HintOrigin, Hints};
use pincite_shared::ids::LineNumber;
use pincite_shared::language::Language;

use super::functions::{Signature, TypeArguments};
use super::keywords::Meaning;
use super::lexer::{Bracket, Kind, Lexer, Token};
use super::merge::sort;
use super::value::{Item, LineEnd, Progress, Value};

/// Open brackets that are kept; a file of nothing but brackets must not take many times its size.
pub(super) const MAX_DEPTH: usize = 1 << 14;

/// The hints of `source`, sorted, all `Lexical`. Takes time linear in the source, whatever it is.
pub fn lexical(language: Language, source: &[u8]) -> Hints {
    let mut scanner = Scanner::new(language, source);
    loop {
        let item = Item::next(&mut scanner.lexer);
        if item.token.kind == Kind::Directive {
            scanner.directive();
            continue;
        }
        scanner.step(item);
        if item.token.kind == Kind::End {
            break;
        }
    }
    scanner.finish()
}

/// A name that was read.
#[derive(Clone, Copy)]
pub(super) struct Name<'s> {
    pub(super) text: &'s [u8],
    pub(super) line: u32,
}

/// What a curly bracket holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Inside {
    /// What a file holds: functions and constants.
    Top,
    /// Members of a class or fields of a structure.
    Members,
    /// Statements, or a literal's fields.
    Code,
}

/// An open bracket.
#[derive(Clone, Copy)]
struct Opened<'s> {
    bracket: Bracket,
    inside: Inside,
    /// The function whose parameters these may be.
    function: Option<Signature<'s>>,
    /// The word before the bracket.
    before: Option<Name<'s>>,
    /// What the statement's first name was; SQL's columns have brackets in their types.
    first: Option<Name<'s>>,
}

/// What is known of the current statement.
#[derive(Clone, Copy, Default)]
pub(super) struct Statement<'s> {
    /// Words and signs so far.
    pub(super) length: u32,
    /// Its first name, behind `var` and the like; in SQL the first of a column's definition.
    first: Option<Name<'s>>,
    /// The token behind that name makes it a declared one: a type follows.
    typed_first: bool,
    /// It holds an operator or a keyword, so that no declaration can follow.
    pub(super) expression: bool,
    /// `class` or the like was read.
    container: Option<Inside>,
    /// `new` was read.
    fresh: bool,
    comma: bool,
    label: bool,
    binder: bool,
    template: bool,
    /// More than one path was read.
    complex: bool,
    /// `function` was read and its name is to come.
    pub(super) introduced: bool,
    /// A constructor's members are being initialized.
    pub(super) initializers: bool,
}

/// A name and the value that is being read.
#[derive(Clone, Copy)]
struct Binding<'s> {
    name: Name<'s>,
    value: Value,
    by_colon: bool,
}

/// A name before a colon, whose type follows.
#[derive(Clone, Copy)]
struct Typed<'s> {
    name: Name<'s>,
    depth: usize,
    /// Commas belong to the type.
    sticky: bool,
}

/// All that a preprocessor line must leave as it was.
#[derive(Clone, Copy)]
pub(super) struct Now<'s> {
    pub(super) previous: Item<'s>,
    /// The token before the path whose last part is `previous`.
    pub(super) before_path: Item<'s>,
    pub(super) statement: Statement<'s>,
    binding: Option<Binding<'s>>,
    pub(super) signature: Option<Signature<'s>>,
    /// `previous` stands behind a sign that reaches into an object: `.` or `->`.
    pub(super) in_object: bool,
    /// The token just read opens the body of a function.
    pub(super) body: bool,
    pub(super) type_arguments: Option<TypeArguments<'s>>,
    typed: Option<Typed<'s>>,
    /// The name that the square bracket that was just closed belongs to.
    indexed: Option<Name<'s>>,
}

impl Now<'_> {
    fn new() -> Self {
        let token = Token { kind: Kind::Semicolon, start: 0, end: 0, line: 1 };
        let nothing = Item { token, text: b"", meaning: Meaning::Name };
        Self {
            previous: nothing,
            before_path: nothing,
            statement: Statement::default(),
            binding: None,
            signature: None,
            in_object: false,
            body: false,
            type_arguments: None,
            typed: None,
            indexed: None,
        }
    }
}

/// The scanner's state.
pub(super) struct Scanner<'s> {
    pub(super) language: Language,
    lexer: Lexer<'s>,
    source: &'s [u8],
    hints: Hints,
    opened: Vec<Opened<'s>>,
    /// Open brackets that are not kept.
    deeper: usize,
    /// Brackets below belong to the text around a preprocessor line.
    base: usize,
    in_macro: bool,
    pub(super) now: Now<'s>,
}

impl<'s> Scanner<'s> {
    fn new(language: Language, source: &'s [u8]) -> Self {
        Self {
            language,
            lexer: Lexer::new(language, source),
            source,
            hints: Hints::default(),
            opened: Vec::new(),
            deeper: 0,
            base: 0,
            in_macro: false,
            now: Now::new(),
        }
    }

    fn finish(mut self) -> Hints {
        while !self.opened.is_empty() {
            self.drop_opened();
        }
        sort(&mut self.hints);
        self.hints
    }

    /// How many brackets are open.
    pub(super) fn depth(&self) -> usize {
        self.opened.len() + self.deeper
    }

    /// What the innermost bracket holds; `None` in round and square ones.
    pub(super) fn inside(&self) -> Option<Inside> {
        if self.deeper > 0 {
            return None;
        }
        match self.opened.get(self.base..).and_then(<[_]>::last) {
            Some(opened) => (opened.bracket == Bracket::Curly).then_some(opened.inside),
            None if self.in_macro => Some(Inside::Code),
            None => Some(Inside::Top),
        }
    }

    /// Where the token that is being looked at begins, if it is one byte long.
    pub(super) fn source_position(&self) -> usize {
        self.lexer.at - 1
    }

    fn innermost(&self) -> Option<Bracket> {
        self.opened.last().map(|opened| opened.bracket)
    }

    fn is_script(&self) -> bool {
        matches!(self.language, Language::JavaScript | Language::TypeScript | Language::Tsx)
    }

    fn is_typescript(&self) -> bool {
        matches!(self.language, Language::TypeScript | Language::Tsx)
    }

    /// A preprocessor line. Only `#define` is read; the statement around the line goes on behind it.
    fn directive(&mut self) {
        let around = std::mem::replace(&mut self.now, Now::new());
        let base = std::mem::replace(&mut self.base, self.opened.len());
        self.in_macro = true;
        let mut item = Item::next(&mut self.lexer);
        let is_define = item.text == b"define";
        let mut macro_name = None;
        if is_define {
            item = Item::next(&mut self.lexer);
            macro_name = (item.token.kind == Kind::Word).then_some(Name { text: item.text, line: item.token.line });
        }
        let mut value = None;
        if let Some(name) = macro_name {
            if self.source.get(item.token.end) == Some(&b'(') {
                self.add_function(name, FunctionKind::Definition);
                while !matches!(item.token.kind, Kind::Close(Bracket::Round) | Kind::Newline | Kind::End) {
                    item = Item::next(&mut self.lexer);
                }
            } else {
                value = Some(Value::of_macro());
            }
            if !matches!(item.token.kind, Kind::Newline | Kind::End) {
                item = Item::next(&mut self.lexer);
            }
        }
        while !matches!(item.token.kind, Kind::Newline | Kind::End) {
            value = self.macro_value(macro_name, value, item);
            if macro_name.is_some() {
                self.step(item);
            }
            item = Item::next(&mut self.lexer);
        }
        self.macro_value(macro_name, value, item);
        if macro_name.is_some() {
            self.step(item);
        }
        while self.opened.len() > self.base {
            self.drop_opened();
        }
        self.now = around;
        self.base = base;
        self.in_macro = false;
    }

    fn macro_value(&mut self, name: Option<Name<'s>>, value: Option<Value>, item: Item<'s>) -> Option<Value> {
        let mut value = value?;
        let ended = matches!(item.token.kind, Kind::Newline | Kind::End);
        match value.push(self.language, item, LineEnd::Ends) {
            Progress::More => return Some(value),
            Progress::Done if ended => self.add_assignment(name?, value),
            Progress::Done | Progress::Rejected => {}
        }
        None
    }

    /// Takes one token.
    fn step(&mut self, item: Item<'s>) {
        self.go_on_with_binding(item);
        self.go_on_with_signature(item);
        match item.token.kind {
            Kind::Newline => {
                self.line_end();
                return;
            }
            Kind::Word => self.word(item),
            Kind::Assign => self.assign(),
            Kind::Walrus => {
                if matches!(self.language, Language::Go | Language::Python | Language::Sql) {
                    self.assign();
                }
            }
            Kind::Colon => self.colon(),
            Kind::Comma => self.comma(),
            Kind::Semicolon => self.end_statement(),
            Kind::Open(bracket) => self.open(bracket),
            Kind::Close(bracket) => self.close(bracket),
            Kind::Number | Kind::Plus | Kind::Minus | Kind::Other | Kind::FatArrow if self.inside().is_some() => {
                self.now.statement.expression = true;
            }
            Kind::Text if self.inside().is_some() && self.now.previous.text != b"extern" => {
                self.now.statement.expression = true;
            }
            _ => {}
        }
        self.go_on_with_type_arguments(item);
        self.remember(item);
    }

    /// Keeps what the next token needs to know of this one.
    fn remember(&mut self, item: Item<'s>) {
        let previous = self.now.previous;
        let in_path = previous.token.kind == Kind::Separator;
        self.now.in_object = in_path && previous.text != b"::";
        if matches!(item.token.kind, Kind::Word | Kind::Text) && !in_path {
            self.now.before_path = previous;
        }
        let statement = &mut self.now.statement;
        match statement.length {
            1 if statement.first.is_some() => {
                statement.typed_first = matches!(item.token.kind, Kind::Word | Kind::TypeSign);
            }
            _ => {}
        }
        if !matches!(item.token.kind, Kind::Semicolon | Kind::Open(Bracket::Curly) | Kind::Close(Bracket::Curly))
            && item.meaning != Meaning::Binder
        {
            statement.length = statement.length.saturating_add(1);
        }
        statement.complex |= !matches!(item.token.kind, Kind::Word | Kind::Separator)
            || (item.token.kind == Kind::Word && (previous.token.kind == Kind::Word && statement.length > 1))
            || item.meaning == Meaning::Control;
        self.now.previous = item;
    }

    fn word(&mut self, item: Item<'s>) {
        let level = self.inside();
        let statement = &mut self.now.statement;
        match item.meaning {
            Meaning::Name => {
                let name = Name { text: item.text, line: item.token.line };
                if statement.first.is_none() && (statement.length == 0 || self.language == Language::Sql) {
                    statement.first = Some(name);
                }
                if statement.introduced {
                    statement.introduced = false;
                    self.now.signature = Some(Signature::introduced(name, self.depth()));
                } else {
                    self.rename_signature(name);
                }
                if self.language == Language::Sql
                    && item.text.eq_ignore_ascii_case(b"default")
                    && let Some(name) = self.now.statement.first
                {
                    self.bind(name, false);
                }
            }
            Meaning::Control => {
                statement.expression |= level.is_some() || self.language != Language::Sql;
                statement.fresh |= item.text == b"new";
                if matches!(self.language, Language::Go) {
                    // `if a := 5`, `case`: what follows begins anew.
                    statement.length = 0;
                }
            }
            Meaning::Case => {
                statement.label = level.is_some() && self.now.previous.token.kind != Kind::Assign;
                statement.expression = true;
            }
            Meaning::Container => {
                let names = matches!(item.text, b"namespace" | b"mod");
                statement.container = Some(if names { Inside::Top } else { Inside::Members });
            }
            Meaning::Introducer => {
                statement.introduced = true;
                self.name_function_value();
            }
            Meaning::Binder => {
                statement.binder = true;
                statement.first = None;
            }
            Meaning::Type => statement.template |= item.text == b"template",
            Meaning::Constant => {}
        }
    }

    /// `name = function` and `name: function`.
    fn name_function_value(&mut self) {
        let previous = self.now.previous.token.kind;
        let script = self.is_script() && matches!(previous, Kind::Assign | Kind::Colon);
        if script || (self.language == Language::Lua && previous == Kind::Assign) {
            let name = self.now.indexed.take();
            self.now.statement.introduced = false;
            if let Some(name) = name {
                self.add_function(name, FunctionKind::Definition);
            }
        }
    }

    fn line_end(&mut self) {
        let level = match self.language {
            Language::Python | Language::Lua => self.opened.is_empty() && self.deeper == 0,
            _ => self.inside().is_some(),
        };
        if level {
            self.end_statement();
        }
    }

    fn end_statement(&mut self) {
        self.now.statement = Statement::default();
        self.now.typed = None;
    }

    fn comma(&mut self) {
        if self.language == Language::Sql {
            self.now.statement.first = None;
        }
        self.now.statement.comma |= self.inside().is_some();
        if self.now.typed.is_some_and(|typed| !typed.sticky && typed.depth == self.depth()) {
            self.now.typed = None;
        }
    }

    /// Several targets may stand left of a sign here, so that a comma parts targets or values.
    fn is_tuple_level(&self) -> bool {
        match self.language {
            Language::Go => self.inside().is_some(),
            Language::Python | Language::Lua => self.opened.is_empty(),
            _ => false,
        }
    }

    /// The name that `previous` is or ends.
    fn name_before(&self) -> Option<Name<'s>> {
        let previous = self.now.previous;
        let line = previous.token.line;
        match previous.token.kind {
            // A keyword of one version is a name in another: only what can never be bound is left out.
            Kind::Word if matches!(previous.meaning, Meaning::Name) => Some(Name { text: previous.text, line }),
            Kind::Word if previous.meaning == Meaning::Container && self.is_script() => {
                Some(Name { text: previous.text, line })
            }
            Kind::Close(Bracket::Square) => self.now.indexed,
            Kind::Text => Some(Name { text: unquoted(previous.text)?, line }),
            _ => None,
        }
    }

    fn assign(&mut self) {
        let typed = self.now.typed.take().filter(|typed| typed.depth == self.depth()).map(|typed| typed.name);
        let statement = self.now.statement;
        let declared = match self.language {
            Language::Go if statement.typed_first || statement.binder => statement.first,
            _ => None,
        };
        let name = typed.or(declared).or_else(|| self.name_before());
        if self.inside().is_some() && !statement.template {
            self.now.statement.expression = true;
        }
        self.now.indexed = name;
        let is_text = self.now.previous.token.kind == Kind::Text && self.language != Language::Sql;
        let in_tuple = statement.comma && self.is_tuple_level();
        if let Some(name) = name.filter(|_| !is_text && !in_tuple) {
            self.bind(name, false);
        }
    }

    fn bind(&mut self, name: Name<'s>, by_colon: bool) {
        self.now.binding = Some(Binding { name, value: Value::new(), by_colon });
    }

    fn colon(&mut self) {
        if self.now.statement.label && self.inside().is_some() {
            self.end_statement();
            return;
        }
        let Some(name) = self.name_before() else {
            if self.language == Language::Python && self.opened.is_empty() {
                self.end_statement();
            }
            return;
        };
        let is_word = self.now.previous.token.kind == Kind::Word;
        let begins = matches!(self.now.before_path.token.kind, Kind::Open(_) | Kind::Comma);
        let in_curly = self.innermost() == Some(Bracket::Curly) && self.inside() != Some(Inside::Members);
        let in_round = self.innermost() == Some(Bracket::Round);
        let statement = self.now.statement;
        let depth = self.depth();
        match self.language {
            Language::Python if self.opened.is_empty() => {
                if statement.complex {
                    self.end_statement();
                } else {
                    self.now.typed = Some(Typed { name, depth, sticky: true });
                }
            }
            Language::Python if in_round => self.now.typed = Some(Typed { name, depth, sticky: false }),
            Language::TypeScript | Language::Tsx | Language::Rust if is_word => {
                self.now.typed = Some(Typed { name, depth, sticky: statement.binder && !in_round });
            }
            Language::C | Language::Cpp if statement.length == 1 => self.end_statement(),
            _ => {}
        }
        let pair = match self.language {
            Language::Python | Language::Go => in_curly && begins,
            Language::JavaScript | Language::TypeScript | Language::Tsx => in_curly && begins,
            Language::Rust => in_curly && begins && is_word,
            Language::CSharp => in_round && begins && is_word,
            _ => false,
        };
        self.now.indexed = pair.then_some(name);
        if pair {
            self.bind(name, true);
        }
    }

    fn go_on_with_binding(&mut self, item: Item<'s>) {
        let Some(mut binding) = self.now.binding.take() else { return };
        let line_end = match self.language {
            Language::Go => LineEnd::Ends,
            Language::Python if self.opened.is_empty() => LineEnd::Ends,
            Language::Python => LineEnd::Blank,
            _ => LineEnd::MayEnd,
        };
        match binding.value.push(self.language, item, line_end) {
            Progress::More => self.now.binding = Some(binding),
            Progress::Done => {
                let tuple = item.token.kind == Kind::Comma && self.is_tuple_level() && !binding.by_colon;
                let is_type = binding.by_colon && self.is_typescript() && binding.value.is_predefined_type(self.source);
                if !tuple && !is_type {
                    self.add_assignment(binding.name, binding.value);
                }
            }
            Progress::Rejected => {}
        }
    }

    fn open(&mut self, bracket: Bracket) {
        let mut opened =
            Opened { bracket, inside: Inside::Code, function: None, before: None, first: self.now.statement.first };
        match bracket {
            Bracket::Round => {
                opened.function = self.open_parameters();
                if self.language == Language::Go && self.now.previous.meaning == Meaning::Binder {
                    // `const ( … )` holds statements like a curly bracket.
                    opened.bracket = Bracket::Curly;
                }
                if self.language == Language::Sql {
                    self.now.statement.first = None;
                }
            }
            Bracket::Square => opened.before = self.name_before(),
            Bracket::Curly => {
                let statement = self.now.statement;
                let is_extern = self.now.previous.token.kind == Kind::Text && statement.length == 2;
                opened.inside = match statement.container {
                    _ if self.now.previous.meaning == Meaning::Constant => Inside::Code,
                    _ if is_extern => Inside::Top,
                    Some(inside) if !self.opens_body() => inside,
                    _ if statement.fresh => Inside::Members,
                    _ => Inside::Code,
                };
                self.end_statement();
            }
        }
        if self.opened.len() >= MAX_DEPTH {
            self.deeper += 1;
            if let Some(function) = opened.function {
                self.add_function(function.name, FunctionKind::Call);
            }
            return;
        }
        self.opened.push(opened);
    }

    fn close(&mut self, bracket: Bracket) {
        if self.deeper > 0 {
            self.deeper -= 1;
            return;
        }
        if bracket == Bracket::Curly {
            self.end_statement();
            // What was left open inside ends here: branches of `#if` may open a bracket twice.
            while self.innermost().is_some_and(|open| open != Bracket::Curly) && self.opened.len() > self.base {
                self.drop_opened();
            }
        }
        let Some(&top) = self.opened.get(self.base..).and_then(<[_]>::last) else { return };
        let matches = top.bracket == bracket || (self.language == Language::Go && bracket == Bracket::Round);
        if !matches {
            return;
        }
        self.opened.pop();
        match bracket {
            Bracket::Round => {
                if self.language == Language::Sql {
                    self.now.statement.first = top.first;
                }
                self.close_parameters(top.function);
            }
            Bracket::Square => {
                let single = matches!(self.now.before_path.token.kind, Kind::Open(Bracket::Square));
                let designator = self.name_before().filter(|_| single);
                self.now.indexed = top.before.or(designator);
            }
            Bracket::Curly => {}
        }
    }

    /// Forgets a bracket that nothing closed; a name before it was at most called.
    fn drop_opened(&mut self) {
        if let Some(function) = self.opened.pop().and_then(|opened| opened.function) {
            self.add_function(function.name, FunctionKind::Call);
        }
    }

    fn add_assignment(&mut self, name: Name<'s>, value: Value) {
        if let (Ok(name_text), Some(value)) = (std::str::from_utf8(name.text), value.text(self.source)) {
            self.hints.assignments.push(Assignment {
                line: LineNumber::from_index(name.line.saturating_sub(1)),
                name: name_text.to_owned(),
                value,
                origin: HintOrigin::Lexical,
            });
        }
    }

    pub(super) fn add_function(&mut self, name: Name<'s>, kind: FunctionKind) {
        if let Ok(text) = std::str::from_utf8(name.text) {
            self.hints.functions.push(FunctionName {
                line: LineNumber::from_index(name.line.saturating_sub(1)),
                name: text.to_owned(),
                kind,
                origin: HintOrigin::Lexical,
            });
        }
    }
}

/// A literal's text without its quotes; `None` if it has none inside that could be a name.
pub(super) fn unquoted(text: &[u8]) -> Option<&[u8]> {
    let (first, last) = (text.first()?, text.last()?);
    let inner = text.get(1..text.len().checked_sub(1)?)?;
    (matches!(first, b'"' | b'\'' | b'`') && first == last && !inner.is_empty() && inner.len() <= 256).then_some(inner)
}
