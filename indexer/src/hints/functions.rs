//! The byte scanner's rules for function names: what stands before the name and behind the parameters decides whether
//! it is defined, declared or called.

use pincite_shared::hints::FunctionKind;
use pincite_shared::language::Language;

use super::keywords::Meaning;
use super::lexer::{Bracket, Kind};
use super::lexical::{Inside, Name, Scanner};
use super::value::Item;

/// A name that what follows makes a definition, a declaration or a call.
#[derive(Clone, Copy)]
pub(super) struct Signature<'s> {
    pub(super) name: Name<'s>,
    /// The brackets open around it.
    depth: usize,
    /// A keyword such as `fn` stands before it.
    introduced: bool,
    /// A type stands before it.
    typed: bool,
    /// It stands among a class's members.
    member: bool,
    /// The parameters are behind.
    complete: bool,
    /// A result type, attributes or `= 0` may go on to the body or the end of the statement.
    long: bool,
}

impl<'s> Signature<'s> {
    /// A name behind `def`, `fn` or the like.
    pub(super) fn introduced(name: Name<'s>, depth: usize) -> Self {
        Self { name, depth, introduced: true, typed: false, member: false, complete: false, long: true }
    }
}

/// `name<…>`, read so far.
#[derive(Clone, Copy)]
pub(super) struct TypeArguments<'s> {
    name: Item<'s>,
    before: Item<'s>,
    depth: u32,
    closed: bool,
}

/// What a token behind the parameters means.
enum Verdict {
    Wait,
    Long,
    Is(FunctionKind),
}

impl<'s> Scanner<'s> {
    /// A name behind `function`: in Lua a path whose last part counts.
    pub(super) fn rename_signature(&mut self, name: Name<'s>) {
        let behind_sign = matches!(self.now.previous.token.kind, Kind::Separator | Kind::Colon);
        if let Some(signature) = &mut self.now.signature
            && signature.introduced
            && !signature.complete
            && behind_sign
            && self.language == Language::Lua
        {
            signature.name = name;
        }
    }

    /// Follows `name<…>`, whose bracket may open the parameters of `name`. What can not stand among types ends it.
    pub(super) fn go_on_with_type_arguments(&mut self, item: Item<'s>) {
        let previous = self.now.previous;
        match (&mut self.now.type_arguments, item.token.kind) {
            (Some(arguments), Kind::TypeSign) if !arguments.closed => match item.text {
                b"<" => arguments.depth += 1,
                b">" => {
                    arguments.depth -= 1;
                    arguments.closed = arguments.depth == 0;
                }
                _ => {}
            },
            (Some(arguments), Kind::Word | Kind::Separator | Kind::Comma | Kind::Number) if !arguments.closed => {}
            (arguments, Kind::TypeSign) if item.text == b"<" && !matches!(self.language, Language::C) => {
                let named = previous.token.kind == Kind::Word && previous.meaning == Meaning::Name;
                let before = self.now.before_path;
                *arguments = named.then_some(TypeArguments { name: previous, before, depth: 1, closed: false });
            }
            (arguments, _) => *arguments = None,
        }
    }

    /// Whether the curly bracket that begins now is the body of the function just read.
    pub(super) fn opens_body(&self) -> bool {
        self.now.body
    }

    /// A round bracket opens: says which function's parameters it may hold, or adds the call it begins.
    pub(super) fn open_parameters(&mut self) -> Option<Signature<'s>> {
        self.now.statement.introduced = false;
        let depth = self.depth();
        if let Some(signature) = &mut self.now.signature {
            if signature.depth == depth && signature.introduced && !signature.complete {
                signature.complete = true;
                if matches!(self.language, Language::Python | Language::Lua | Language::Sql) {
                    let name = signature.name;
                    self.now.signature = None;
                    self.add_function(name, FunctionKind::Definition);
                }
                return None;
            }
            if signature.depth == depth && signature.introduced {
                // Types of the result.
                return None;
            }
        }
        let (previous, before) = match self.now.type_arguments {
            Some(arguments) if arguments.closed => (arguments.name, arguments.before),
            _ => (self.now.previous, self.now.before_path),
        };
        if previous.token.kind != Kind::Word || previous.meaning != Meaning::Name {
            if self.language == Language::Go && previous.meaning == Meaning::Introducer {
                // A receiver: the name stands behind it.
                let name = Name { text: b"", line: previous.token.line };
                return Some(Signature::introduced(name, depth));
            }
            return None;
        }
        let name = Name { text: previous.text, line: previous.token.line };
        let is_type = before.meaning == Meaning::Container && before.token.kind == Kind::Word;
        let is_annotation = before.token.kind == Kind::At && self.language == Language::Java;
        let is_initializer = self.now.statement.initializers
            && self.inside().is_some()
            && matches!(before.token.kind, Kind::Colon | Kind::Comma);
        if is_type || is_annotation || is_initializer {
            return None;
        }
        let typed = match before.token.kind {
            Kind::Word => matches!(before.meaning, Meaning::Name | Meaning::Type) && self.now.statement.length > 1,
            Kind::TypeSign => self.now.statement.length > 2,
            Kind::Close(Bracket::Round | Bracket::Square) => self.now.statement.length > 2,
            _ => false,
        };
        let inside = self.inside();
        // `(*a)->f(…)`: what stands before the path is an object, no type. C# has `void I.F()`.
        let reaches_in = self.now.in_object && self.language != Language::CSharp;
        let undecided = self.now.signature.is_none()
            && !reaches_in
            && inside.is_some()
            && !self.now.statement.expression
            && match self.language {
                Language::C | Language::Cpp | Language::CSharp | Language::Java => {
                    typed || inside != Some(Inside::Code)
                }
                Language::JavaScript | Language::TypeScript | Language::Tsx => true,
                _ => false,
            };
        if undecided {
            let member = inside == Some(Inside::Members);
            return Some(Signature { name, depth, introduced: false, typed, member, complete: true, long: false });
        }
        match self.language {
            Language::Go if inside == Some(Inside::Members) && self.now.statement.length == 1 => {
                self.add_function(name, FunctionKind::Declaration);
            }
            Language::Sql if !self.is_sql_call(before) => {}
            _ => self.add_function(name, FunctionKind::Call),
        }
        None
    }

    /// Whether a name before a bracket is called in SQL, where lists of columns stand in brackets too.
    fn is_sql_call(&self, before: Item<'s>) -> bool {
        let lists: [&[u8]; 9] =
            [b"INTO", b"TABLE", b"KEY", b"INDEX", b"REFERENCES", b"EXISTS", b"VIEW", b"ON", b"UNIQUE"];
        let adjacent = self.now.previous.token.end == self.source_position();
        before.text.eq_ignore_ascii_case(b"call")
            || (adjacent && !lists.iter().any(|word| before.text.eq_ignore_ascii_case(word)))
    }

    /// A round bracket closed: its function waits for what follows.
    pub(super) fn close_parameters(&mut self, function: Option<Signature<'s>>) {
        match function {
            Some(signature) if signature.introduced => self.now.statement.introduced = true,
            Some(signature) => {
                self.now.signature = Some(signature);
            }
            None => {}
        }
    }

    /// Looks at the token behind a function's parameters.
    pub(super) fn go_on_with_signature(&mut self, item: Item<'s>) {
        self.now.body = false;
        let Some(signature) = self.now.signature else { return };
        let depth = self.depth();
        if depth > signature.depth {
            return;
        }
        let verdict = match item.token.kind {
            // The bracket around it closes.
            Kind::Close(_) => Verdict::Is(FunctionKind::Call),
            _ if signature.introduced => self.introduced_verdict(item, signature),
            _ => self.verdict(item, signature),
        };
        match verdict {
            Verdict::Wait => {}
            Verdict::Long => self.now.signature = Some(Signature { long: true, ..signature }),
            Verdict::Is(kind) => {
                self.now.signature = None;
                self.now.body = kind == FunctionKind::Definition && item.token.kind == Kind::Open(Bracket::Curly);
                // Behind a constructor's `:` members are initialized, up to the body.
                if item.token.kind == Kind::Colon {
                    self.now.statement.expression = true;
                    self.now.statement.initializers = true;
                }
                let unknown = signature.introduced && kind == FunctionKind::Call;
                if !unknown {
                    self.add_function(signature.name, kind);
                }
            }
        }
    }

    fn introduced_verdict(&self, item: Item<'s>, signature: Signature<'s>) -> Verdict {
        let script = matches!(self.language, Language::JavaScript | Language::TypeScript | Language::Tsx);
        match item.token.kind {
            Kind::Open(Bracket::Curly) if signature.complete => Verdict::Is(FunctionKind::Definition),
            // `interface{}` in a list of type parameters, or no function at all.
            Kind::Open(Bracket::Curly) => Verdict::Is(FunctionKind::Call),
            Kind::Semicolon if signature.complete => Verdict::Is(FunctionKind::Declaration),
            Kind::Semicolon | Kind::End => Verdict::Is(FunctionKind::Call),
            Kind::Newline if signature.complete && (self.language == Language::Go || script) => {
                // A body may begin on the next line in JavaScript; Go's may not.
                if script { Verdict::Wait } else { Verdict::Is(FunctionKind::Declaration) }
            }
            _ => Verdict::Wait,
        }
    }

    fn verdict(&self, item: Item<'s>, signature: Signature<'s>) -> Verdict {
        use FunctionKind::{Call, Declaration, Definition};
        let Signature { typed, member, long, .. } = signature;
        let script = matches!(self.language, Language::JavaScript | Language::TypeScript | Language::Tsx);
        let declares = typed || member;
        match item.token.kind {
            // Before any other word, so `f(x) {` of a macro in a function's body does not come here.
            Kind::Open(Bracket::Curly) => Verdict::Is(Definition),
            Kind::FatArrow if declares && self.language == Language::CSharp => Verdict::Is(Definition),
            Kind::Semicolon => Verdict::Is(if declares && (member || !script) { Declaration } else { Call }),
            Kind::Comma if typed && !script => Verdict::Is(Declaration),
            Kind::End => Verdict::Is(Call),
            _ if long => Verdict::Wait,
            Kind::Newline if member && !script => Verdict::Is(Declaration),
            Kind::Word if script => Verdict::Is(Call),
            // Attributes and specifiers; but a macro's call is followed by the next declaration.
            Kind::Word if typed || item.meaning == Meaning::Type => Verdict::Wait,
            Kind::Open(_) if self.now.previous.token.kind == Kind::Word => Verdict::Wait,
            Kind::Separator if typed && item.text == b"->" => Verdict::Long,
            Kind::Arrow if declares => Verdict::Long,
            Kind::Assign if declares && self.language == Language::Cpp => Verdict::Long,
            // A constructor's initializers.
            Kind::Colon if matches!(self.language, Language::Cpp | Language::CSharp) => Verdict::Is(Definition),
            Kind::Colon if script && member => Verdict::Long,
            Kind::TypeSign if typed && item.text == b"&" => Verdict::Wait,
            _ => Verdict::Is(Call),
        }
    }
}
