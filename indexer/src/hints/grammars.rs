//! Which nodes of each tree-sitter grammar bind a name or name a function: the tables that `syntax` walks with.
//!
//! Names of nodes and fields are those of the grammars' `node-types.json`; a test looks each of them up.

use std::sync::OnceLock;

use pincite_shared::language::Language;
use tree_sitter::Language as Grammar;

/// What a node means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// Binds the name in the first field to the value in the second.
    Bind(&'static str, &'static str),
    /// Binds its first child to its last, if a `=` or `:` stands between them.
    BindEnds,
    /// Binds the name in the field to its last child, if a `=` or `:` stands before that.
    BindLast(&'static str),
    /// `#define NAME VALUE`, the value being raw text.
    Macro,
    /// Names a function in the field: defined if it has a body, else declared.
    Function(&'static str),
    /// Names a function in the field, which is defined.
    Definition(&'static str),
    /// Names a function in the field; without a body.
    Prototype(&'static str),
    /// Holds declarators in the field, those of functions among them.
    Declarators(&'static str),
    /// Calls what stands in the field.
    Call(&'static str),
}

/// How to go from a node to the identifier that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// To the child in the field.
    Field(&'static str),
    /// To the only named child.
    Only,
    /// To the first named child.
    First,
    /// To the last named child.
    Last,
}

use Rule::{Bind, BindEnds, BindLast, Call, Declarators, Definition, Function, Macro, Prototype};
use Step::{Field, First, Last, Only};

type Rules = &'static [(&'static str, Rule)];
type Steps = &'static [(&'static str, Step)];

const C_RULES: Rules = &[
    ("init_declarator", Bind("declarator", "value")),
    ("assignment_expression", Bind("left", "right")),
    ("enumerator", Bind("name", "value")),
    ("initializer_pair", Bind("designator", "value")),
    ("preproc_def", Macro),
    ("preproc_function_def", Definition("name")),
    ("function_definition", Function("declarator")),
    ("declaration", Declarators("declarator")),
    ("call_expression", Call("function")),
];

const CPP_RULES: Rules = &[
    ("field_declaration", Declarators("declarator")),
    ("optional_parameter_declaration", Bind("declarator", "default_value")),
    ("new_expression", Call("type")),
];

const C_STEPS: Steps = &[
    ("pointer_declarator", Field("declarator")),
    ("array_declarator", Field("declarator")),
    ("parenthesized_declarator", Only),
    ("attributed_declarator", First),
    ("pointer_expression", Field("argument")),
    ("subscript_expression", Field("argument")),
    ("parenthesized_expression", Only),
    ("field_expression", Field("field")),
    ("field_designator", Only),
    ("subscript_designator", Only),
];

const CPP_STEPS: Steps = &[
    ("reference_declarator", Only),
    ("qualified_identifier", Field("name")),
    ("template_function", Field("name")),
    ("template_method", Field("name")),
    ("template_type", Field("name")),
    ("dependent_name", Last),
    ("destructor_name", Only),
];

const C_SHARP_RULES: Rules = &[
    ("variable_declarator", BindLast("name")),
    ("assignment_expression", Bind("left", "right")),
    ("enum_member_declaration", Bind("name", "value")),
    ("property_declaration", Bind("name", "value")),
    ("parameter", BindLast("name")),
    ("argument", BindLast("name")),
    ("attribute_argument", BindLast("name")),
    ("method_declaration", Function("name")),
    ("local_function_statement", Function("name")),
    ("constructor_declaration", Function("name")),
    ("invocation_expression", Call("function")),
    ("object_creation_expression", Call("type")),
];

const C_SHARP_STEPS: Steps = &[
    ("member_access_expression", Field("name")),
    ("conditional_access_expression", Last),
    ("member_binding_expression", Field("name")),
    ("element_access_expression", Field("expression")),
    ("qualified_name", Field("name")),
    ("generic_name", First),
];

const GO_RULES: Rules = &[
    ("const_spec", Bind("name", "value")),
    ("var_spec", Bind("name", "value")),
    ("short_var_declaration", Bind("left", "right")),
    ("assignment_statement", Bind("left", "right")),
    ("keyed_element", Bind("key", "value")),
    ("function_declaration", Function("name")),
    ("method_declaration", Function("name")),
    ("method_elem", Prototype("name")),
    ("call_expression", Call("function")),
];

const GO_STEPS: Steps = &[
    ("expression_list", Only),
    ("literal_element", Only),
    ("selector_expression", Field("field")),
    ("index_expression", Field("operand")),
    ("type_instantiation_expression", First),
    ("unary_expression", Field("operand")),
];

const JAVA_RULES: Rules = &[
    ("variable_declarator", Bind("name", "value")),
    ("assignment_expression", Bind("left", "right")),
    ("element_value_pair", Bind("key", "value")),
    ("method_declaration", Function("name")),
    ("constructor_declaration", Function("name")),
    ("method_invocation", Call("name")),
    ("object_creation_expression", Call("type")),
];

const JAVA_STEPS: Steps = &[
    ("field_access", Field("field")),
    ("array_access", Field("array")),
    ("scoped_type_identifier", Last),
    ("generic_type", First),
];

const JAVASCRIPT_RULES: Rules = &[
    ("variable_declarator", Bind("name", "value")),
    ("assignment_expression", Bind("left", "right")),
    ("assignment_pattern", Bind("left", "right")),
    ("object_assignment_pattern", Bind("left", "right")),
    ("pair", Bind("key", "value")),
    ("function_declaration", Function("name")),
    ("generator_function_declaration", Function("name")),
    ("function_expression", Function("name")),
    ("method_definition", Function("name")),
    ("call_expression", Call("function")),
    ("new_expression", Call("constructor")),
];

const JAVASCRIPT_FIELD: Rules = &[("field_definition", Bind("property", "value"))];

const JSX_RULES: Rules = &[("jsx_attribute", BindEnds)];

const TYPESCRIPT_RULES: Rules = &[
    ("public_field_definition", Bind("name", "value")),
    ("enum_assignment", Bind("name", "value")),
    ("required_parameter", Bind("pattern", "value")),
    ("optional_parameter", Bind("pattern", "value")),
    ("function_signature", Prototype("name")),
    ("method_signature", Prototype("name")),
    ("abstract_method_signature", Prototype("name")),
];

const JAVASCRIPT_STEPS: Steps = &[
    ("member_expression", Field("property")),
    ("subscript_expression", Field("object")),
    ("computed_property_name", Only),
    ("parenthesized_expression", Only),
];

const LUA_RULES: Rules = &[
    ("assignment_statement", BindEnds),
    ("field", Bind("name", "value")),
    ("function_declaration", Function("name")),
    ("function_call", Call("name")),
];

const LUA_STEPS: Steps = &[
    ("variable_list", Only),
    ("expression_list", Only),
    ("dot_index_expression", Field("field")),
    ("method_index_expression", Field("method")),
    ("bracket_index_expression", Field("table")),
];

const PYTHON_RULES: Rules = &[
    ("assignment", Bind("left", "right")),
    ("default_parameter", Bind("name", "value")),
    ("typed_default_parameter", Bind("name", "value")),
    ("keyword_argument", Bind("name", "value")),
    ("named_expression", Bind("name", "value")),
    ("pair", Bind("key", "value")),
    ("function_definition", Function("name")),
    ("call", Call("function")),
];

const PYTHON_STEPS: Steps =
    &[("attribute", Field("attribute")), ("subscript", Field("value")), ("parenthesized_expression", Only)];

const RUST_RULES: Rules = &[
    ("const_item", Bind("name", "value")),
    ("static_item", Bind("name", "value")),
    ("let_declaration", Bind("pattern", "value")),
    ("assignment_expression", Bind("left", "right")),
    ("field_initializer", Bind("field", "value")),
    ("enum_variant", Bind("name", "value")),
    ("function_item", Function("name")),
    ("function_signature_item", Prototype("name")),
    ("call_expression", Call("function")),
];

const RUST_STEPS: Steps = &[
    ("field_expression", Field("field")),
    ("scoped_identifier", Field("name")),
    ("generic_function", Field("function")),
    ("unary_expression", Only),
    ("mut_pattern", Last),
    ("index_expression", First),
];

/// Kinds whose subtrees hold no hint.
const SKIPPED: &[&str] = &["comment", "block_comment", "line_comment", "string_literal", "char_literal", "regex"];

/// The tables of a language: several languages share some.
pub(super) fn tables(language: Language) -> Option<(Grammar, Vec<Rules>, Vec<Steps>)> {
    use Language::{C, CSharp, Cpp, Go, Java, JavaScript, Lua, Python, Rust, Sql, Tsx, TypeScript};
    Some(match language {
        C => (tree_sitter_c::LANGUAGE.into(), vec![C_RULES], vec![C_STEPS]),
        Cpp => (tree_sitter_cpp::LANGUAGE.into(), vec![C_RULES, CPP_RULES], vec![C_STEPS, CPP_STEPS]),
        CSharp => (tree_sitter_c_sharp::LANGUAGE.into(), vec![C_SHARP_RULES], vec![C_SHARP_STEPS]),
        Go => (tree_sitter_go::LANGUAGE.into(), vec![GO_RULES], vec![GO_STEPS]),
        Java => (tree_sitter_java::LANGUAGE.into(), vec![JAVA_RULES], vec![JAVA_STEPS]),
        JavaScript => {
            let rules = vec![JAVASCRIPT_RULES, JAVASCRIPT_FIELD, JSX_RULES];
            (tree_sitter_javascript::LANGUAGE.into(), rules, vec![JAVASCRIPT_STEPS])
        }
        Lua => (tree_sitter_lua::LANGUAGE.into(), vec![LUA_RULES], vec![LUA_STEPS]),
        Python => (tree_sitter_python::LANGUAGE.into(), vec![PYTHON_RULES], vec![PYTHON_STEPS]),
        Rust => (tree_sitter_rust::LANGUAGE.into(), vec![RUST_RULES], vec![RUST_STEPS]),
        Sql => return None,
        TypeScript => {
            let grammar = tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into();
            (grammar, vec![JAVASCRIPT_RULES, TYPESCRIPT_RULES], vec![JAVASCRIPT_STEPS])
        }
        Tsx => {
            let grammar = tree_sitter_typescript::LANGUAGE_TSX.into();
            (grammar, vec![JAVASCRIPT_RULES, TYPESCRIPT_RULES, JSX_RULES], vec![JAVASCRIPT_STEPS])
        }
    })
}

/// A grammar with its tables, by the numbers of its node kinds.
pub(super) struct Compiled {
    /// The grammar.
    pub(super) grammar: Grammar,
    rules: Vec<Option<Rule>>,
    steps: Vec<Option<Step>>,
    skipped: Vec<bool>,
}

impl Compiled {
    fn new(language: Language) -> Option<Self> {
        let (grammar, rules, steps) = tables(language)?;
        let kinds = grammar.node_kind_count();
        let mut compiled =
            Self { rules: vec![None; kinds], steps: vec![None; kinds], skipped: vec![false; kinds], grammar };
        // All numbers of a name: aliases give some names several.
        for id in 0..u16::try_from(kinds).unwrap_or(u16::MAX) {
            if !compiled.grammar.node_kind_is_named(id) {
                continue;
            }
            let Some(name) = compiled.grammar.node_kind_for_id(id) else { continue };
            let index = usize::from(id);
            compiled.rules[index] = find(&rules, name);
            compiled.steps[index] = find(&steps, name);
            compiled.skipped[index] = SKIPPED.contains(&name);
        }
        Some(compiled)
    }

    /// The rule of a node kind.
    pub(super) fn rule(&self, kind: u16) -> Option<Rule> {
        self.rules.get(usize::from(kind)).copied().flatten()
    }

    /// The step from a node kind towards its name.
    pub(super) fn step(&self, kind: u16) -> Option<Step> {
        self.steps.get(usize::from(kind)).copied().flatten()
    }

    /// Whether nodes of this kind need not be entered.
    pub(super) fn is_skipped(&self, kind: u16) -> bool {
        self.skipped.get(usize::from(kind)).copied().unwrap_or(false)
    }
}

fn find<T: Copy>(tables: &[&'static [(&'static str, T)]], name: &str) -> Option<T> {
    tables.iter().flat_map(|table| table.iter()).find(|(kind, _)| *kind == name).map(|(_, value)| *value)
}

/// The compiled tables of a language; `None` if it has no grammar.
pub(super) fn compiled(language: Language) -> Option<&'static Compiled> {
    static ALL: OnceLock<Vec<(Language, Option<Compiled>)>> = OnceLock::new();
    let all = ALL.get_or_init(|| Language::ALL.iter().map(|&language| (language, Compiled::new(language))).collect());
    all.iter().find(|(known, _)| *known == language).and_then(|(_, compiled)| compiled.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_and_field_is_in_its_grammar() {
        for language in Language::ALL {
            let Some((grammar, rules, steps)) = tables(language) else { continue };
            let mut kinds = Vec::new();
            let mut fields = Vec::new();
            for (kind, rule) in rules.iter().copied().flatten() {
                kinds.push(*kind);
                match rule {
                    Bind(name, value) => fields.extend([*name, *value]),
                    BindLast(name) | Function(name) | Definition(name) | Prototype(name) => fields.push(*name),
                    Declarators(name) | Call(name) => fields.push(*name),
                    BindEnds | Macro => {}
                }
            }
            for (kind, step) in steps.iter().copied().flatten() {
                kinds.push(*kind);
                if let Field(field) = step {
                    fields.push(*field);
                }
            }
            for kind in kinds {
                assert_ne!(grammar.id_for_node_kind(kind, true), 0, "{language:?} {kind}");
            }
            for field in fields {
                assert!(grammar.field_id_for_name(field).is_some(), "{language:?} {field}");
            }
        }
    }
}
