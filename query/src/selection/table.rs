//! The rule of selection: one row for each signal, strongest first. `docs/selection.md` has the same table with the
//! reason behind each row.
//!
//! A file has a signal for each anchor group; the strongest of a group counts, once, however often it occurs. The
//! file's class is the best that one of its signals gives; signals are never added up.

/// How relevant a file is to the search, most relevant first; never how likely it is a cause (C2-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    PrimaryCandidate,
    SupportingContext,
    SupportingOtherLocation,
    WeakNumeric,
}

impl Class {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::PrimaryCandidate => "primary_candidate",
            Self::SupportingContext => "supporting_context",
            Self::SupportingOtherLocation => "supporting_other_location",
            Self::WeakNumeric => "weak_numeric",
        }
    }
}

/// Why a file was found, strongest first; the order is that of [`TABLE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Signal {
    /// A script name that a captured record proves.
    Script,
    /// An identifier that the request asks for.
    Symbol,
    /// The number of an entity, bound to a name with a marker of the entity's type.
    Binding,
    /// A name that such a binding gave.
    Constant,
    /// A registration that stands in a primary file.
    Registration,
    /// A display name of an entity of the request, in any spelling.
    Name,
    /// A text that the request asks for and that is neither identifier, number nor display name.
    Text,
    /// A name of an entity in focus, or the value of a context fact.
    Context,
    /// The name of a constant, where it is bound to another value.
    Namesake,
    /// A number alone.
    Number,
}

/// What one signal does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) signal: Signal,
    /// On the wire.
    pub(crate) name: &'static str,
    /// The class of a file, unless it lies in another known place.
    pub(crate) here: Class,
    /// The class of a file in another known place.
    pub(crate) elsewhere: Class,
    /// What is searched next because of it.
    pub(crate) leads_to: LeadsTo,
}

/// What is searched next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LeadsTo {
    Nothing,
    /// The registrations of the file, when it is primary.
    Registrations,
    /// The bound name, wherever it lies; and the registrations of the file, when it is primary.
    ConstantAndRegistrations,
}

use Class::{PrimaryCandidate as Primary, SupportingContext as Context, SupportingOtherLocation as Other, WeakNumeric};
use LeadsTo::{ConstantAndRegistrations, Nothing, Registrations};

const fn row(signal: Signal, name: &'static str, here: Class, elsewhere: Class, leads_to: LeadsTo) -> Row {
    Row { signal, name, here, elsewhere, leads_to }
}

/// The whole rule.
pub(crate) const TABLE: [Row; 10] = [
    row(Signal::Script, "script", Primary, Primary, Registrations),
    row(Signal::Symbol, "symbol", Primary, Primary, Registrations),
    row(Signal::Binding, "binding", Primary, Other, ConstantAndRegistrations),
    row(Signal::Constant, "constant", Primary, Other, Registrations),
    row(Signal::Registration, "registration", Context, Other, Nothing),
    row(Signal::Name, "name", Context, Other, Nothing),
    row(Signal::Text, "text", Context, Other, Nothing),
    row(Signal::Context, "context", Context, Other, Nothing),
    row(Signal::Namesake, "namesake", Context, Other, Nothing),
    row(Signal::Number, "number", WeakNumeric, WeakNumeric, Nothing),
];

impl Signal {
    pub(crate) fn row(self) -> &'static Row {
        let row = &TABLE[self as usize];
        debug_assert_eq!(row.signal, self);
        row
    }

    /// The class that the signal alone gives a file.
    pub(crate) fn class(self, in_other_place: bool) -> Class {
        if in_other_place { self.row().elsewhere } else { self.row().here }
    }

    pub(crate) fn leads_to_constant(self) -> bool {
        self.row().leads_to == ConstantAndRegistrations
    }

    pub(crate) fn leads_to_registrations(self) -> bool {
        self.row().leads_to != Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // C2-07 C2-08 C2-09 C2-10 C2-11 C2-12 C2-13
    #[test]
    fn the_table_keeps_its_promises() {
        for (number, row) in TABLE.iter().enumerate() {
            assert_eq!(row.signal as usize, number, "rows stand in the order of strength");
            assert!(row.here <= row.elsewhere, "{}: another place never makes a file more relevant", row.name);
            let explores = row.leads_to != LeadsTo::Nothing;
            assert_eq!(explores, row.here == Class::PrimaryCandidate, "{}: only strong signals lead further", row.name);
        }
        for strong in [Signal::Script, Signal::Symbol] {
            assert_eq!(strong.class(true), Class::PrimaryCandidate);
        }
        for typed in [Signal::Binding, Signal::Constant, Signal::Name] {
            assert_eq!(typed.class(true), Class::SupportingOtherLocation);
        }
        assert_eq!((Signal::Number.class(false), Signal::Number.class(true)), (Class::WeakNumeric, Class::WeakNumeric));
        assert_eq!(Signal::Name.class(false), Class::SupportingContext);
    }

    // C2-08 C2-09 C2-13: the page and the code are one table.
    #[test]
    fn the_documentation_has_the_same_table() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/selection.md");
        let page = std::fs::read_to_string(page).expect("docs/selection.md");
        let rows: Vec<Vec<&str>> = page
            .lines()
            .filter_map(|line| line.strip_prefix("| `")?.strip_suffix(" |"))
            .map(|line| line.split(" | ").map(|cell| cell.trim_matches('`')).collect())
            .filter(|cells: &Vec<&str>| cells.len() == 6)
            .collect();
        assert_eq!(rows.len(), TABLE.len());
        for (row, cells) in TABLE.iter().zip(rows) {
            assert_eq!(cells[0], row.name);
            assert_eq!(&cells[2..4], [row.here.name(), row.elsewhere.name()], "{}", row.name);
        }
    }
}
