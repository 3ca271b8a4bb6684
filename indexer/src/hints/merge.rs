//! Joins the hints of the scanner and of the grammar into one sorted list without repetitions.

use pincite_shared::hints::{HintOrigin, Hints};

/// Joins both: what the grammar saw too is `Syntax`, with the grammar's kind; what only the scanner saw stays
/// `Lexical`.
pub fn merge(lexical: Hints, syntax: Hints) -> Hints {
    let mut all = lexical;
    all.assignments.extend(syntax.assignments);
    all.functions.extend(syntax.functions);
    sort(&mut all);
    all
}

/// Sorts by line, then name, and keeps one hint per assignment and per function's place, the grammar's if it has one.
pub(super) fn sort(hints: &mut Hints) {
    hints.assignments.sort_unstable();
    // The order ends with the origin, and the grammar's comes first.
    hints
        .assignments
        .dedup_by(|next, kept| (next.line, &next.name, &next.value) == (kept.line, &kept.name, &kept.value));
    hints
        .functions
        .sort_unstable_by(|a, b| (a.line, &a.name, a.origin, a.kind).cmp(&(b.line, &b.name, b.origin, b.kind)));
    hints.functions.dedup_by(|next, kept| {
        let same_name = (next.line, &next.name) == (kept.line, &kept.name);
        let overruled = next.origin == HintOrigin::Lexical && kept.origin == HintOrigin::Syntax;
        same_name && (overruled || next.kind == kept.kind)
    });
}
