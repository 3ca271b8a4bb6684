//! Where a term does occur although its search does not count it: in other case, inside longer words and
//! numbers, written otherwise, outside the scope. Exact numbers of lines, or left out with the reason.
//!
//! [`gather`] names lines by their keys in the index, [`other_case`] those of literals of several runs. Where the keys
//! decide, no blob is read. [`lines`] takes away what the search counts and reads what is left open, as far as the
//! bounds go; [`outside`] searches the rest of the commit. Every bound is compared with sizes that are known before
//! the work begins and depend on the commit alone, so that time, threads and the cut of the segments change nothing.

mod gather;
mod lines;
mod other_case;
mod outside;
mod patterns;

use std::collections::BTreeMap;

use pincite_shared::failure::Failure;
use pincite_shared::term::{Mode, Term};
use pincite_shared::wire::result::Name;

use crate::engine::Session;
use crate::scope::{Scope, ScopeRules};
use crate::search::{Budget, Found, Ground};
use gather::Gather;
use lines::Lines;

/// Blob bytes that are read for one search, on top of what the search itself reads: a quarter of its own budget, and
/// never more than this.
const MAX_BYTES: u64 = 64 << 20;
/// The same when the search found something: what else there is matters most when it did not, and a found word or number
/// should not wait for it.
const FOUND_BYTES: u64 = 1 << 20;
/// A pass over the vocabularies is made when nothing was found, or when the commit has at most this much text.
const PASS_BYTES: u64 = 256 << 20;
/// The same for terms of fewer than [`SHORT`] characters, which stand inside of a large part of all words.
const SHORT_PASS_BYTES: u64 = 4 << 20;
const SHORT: usize = 3;

/// A way in which a term occurs elsewhere, in the order in which reading is granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Category {
    OtherCase,
    InsideLongerWords,
    InsideLongerNumbers,
    InFloats,
    AsHexadecimal,
    WithSeparators,
    OutsidePathPrefix,
    OutsideScope,
    OutsideExtensions,
}

impl Category {
    fn name(self) -> &'static str {
        match self {
            Self::OtherCase => "other_case",
            Self::InsideLongerWords => "inside_longer_words",
            Self::InsideLongerNumbers => "inside_longer_numbers",
            Self::InFloats => "in_floats",
            Self::AsHexadecimal => "as_hexadecimal",
            Self::WithSeparators => "with_separators",
            Self::OutsidePathPrefix => "outside_path_prefix",
            Self::OutsideScope => "outside_scope",
            Self::OutsideExtensions => "outside_extensions",
        }
    }
}

/// Why a category was not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    MaxSearchBytes,
    LargeVocabulary,
    /// The search found the term, and the category needs more reading than is made then.
    TermFound,
}

impl Reason {
    fn name(self) -> &'static str {
        match self {
            Self::MaxSearchBytes => "max_search_bytes",
            Self::LargeVocabulary => "large_vocabulary",
            Self::TermFound => "term_found",
        }
    }
}

/// What may still be read, and why no more.
pub(crate) struct Room {
    pub(crate) bytes: u64,
    pub(crate) reason: Reason,
}

/// What was found elsewhere.
#[derive(Debug, Default)]
pub(crate) struct Elsewhere {
    counts: BTreeMap<Category, u64>,
    left_out: BTreeMap<Category, Reason>,
}

impl Elsewhere {
    /// Lines by wire name, without zeros.
    pub(crate) fn counts(&self) -> BTreeMap<Name, u64> {
        self.counts.iter().map(|(category, lines)| (category.name().into(), *lines)).collect()
    }

    /// Reasons by wire name.
    pub(crate) fn left_out(&self) -> BTreeMap<Name, Name> {
        self.left_out.iter().map(|(category, reason)| (category.name().into(), reason.name().into())).collect()
    }

    fn count(&mut self, category: Category, lines: u64) {
        if lines > 0 {
            self.counts.insert(category, lines);
        }
    }

    fn leave_out(&mut self, category: Category, reason: Reason) {
        self.left_out.insert(category, reason);
    }
}

/// Whether upper and lower case make a difference to a term.
fn is_cased(term: &Term) -> bool {
    term.text().chars().any(|c| patterns::variants(c).len() > 1)
}

fn is_digits(term: &Term) -> bool {
    term.text().bytes().all(|byte| byte.is_ascii_digit())
}

/// The categories within the scope that a term has.
fn categories(term: &Term) -> Vec<Category> {
    use Category::{AsHexadecimal, InFloats, InsideLongerNumbers, InsideLongerWords, OtherCase, WithSeparators};
    let mut categories = Vec::new();
    if term.mode() != Mode::Decimal && is_cased(term) {
        categories.push(OtherCase);
    }
    match term.mode() {
        Mode::Word => categories.push(InsideLongerWords),
        Mode::Literal if !is_digits(term) => {}
        Mode::Literal => categories.extend([AsHexadecimal, WithSeparators]),
        Mode::Decimal => {
            categories.extend([InsideLongerWords, InsideLongerNumbers, InFloats, AsHexadecimal, WithSeparators])
        }
    }
    categories
}

/// Whether a pass over the vocabularies for a run of so many characters is worth its time.
fn may_pass(ground: &Ground<'_>, found: &Found, chars: usize) -> bool {
    let bytes = if chars < SHORT { SHORT_PASS_BYTES } else { PASS_BYTES };
    found.rows.is_empty() || ground.snapshot.text_bytes() <= bytes
}

/// Counts the lines that a search does not.
///
/// # Errors
/// As a search.
pub(crate) fn find(
    session: &Session<'_>,
    rules: &ScopeRules,
    scope: &Scope,
    term: &Term,
    found: &Found,
    budget: Budget,
) -> Result<Elsewhere, Failure> {
    let mut elsewhere = Elsewhere::default();
    let categories = categories(term);
    if found.cut {
        // What is counted is not known, so neither is what is not.
        let all = categories.into_iter().chain(outside::parts(rules).into_iter().map(|(category, _)| category));
        all.for_each(|category| elsewhere.leave_out(category, Reason::MaxSearchBytes));
        return Ok(elsewhere);
    }
    let ground = session.ground(scope);
    let bytes = (budget.bytes / 4).min(MAX_BYTES);
    let mut room = match found.rows.is_empty() {
        true => Room { bytes, reason: Reason::MaxSearchBytes },
        false if bytes <= FOUND_BYTES => Room { bytes, reason: Reason::MaxSearchBytes },
        false => Room { bytes: FOUND_BYTES, reason: Reason::TermFound },
    };
    let mut lines = Lines::new(term)?;
    Gather { ground: &ground, term, found }.all(&categories, &mut lines, &mut elsewhere)?;
    lines.settle(&ground, found, &mut room, &mut elsewhere)?;
    outside::count(session, rules, term, &mut room, &mut elsewhere)?;
    Ok(elsewhere)
}
