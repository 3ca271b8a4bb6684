//! Function names of a commit: how often each is defined, and which files call it.

use std::collections::HashMap;

use pincite_shared::hints::{FunctionKind, Hints};

/// More calling files than this are as good as many.
const KEPT_CALLERS: usize = 3;

/// What is known of one name. Files are numbers.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Definitions in the whole commit.
    pub(super) definitions: u32,
    /// The first file that defines it.
    pub(super) defined_in: Option<u32>,
    /// Files that call it, at most one more than [`KEPT_CALLERS`].
    pub(super) callers: Vec<u32>,
}

/// The names of a commit, or of a part of it.
#[derive(Debug, Default)]
pub(super) struct Names(HashMap<String, Facts>);

impl Names {
    /// Adds the functions of a file.
    pub(super) fn add(&mut self, file: u32, hints: Hints) {
        for one in hints.functions {
            let facts = self.0.entry(one.name).or_default();
            match one.kind {
                FunctionKind::Definition => {
                    facts.definitions += 1;
                    facts.defined_in.get_or_insert(file);
                }
                FunctionKind::Call => facts.called_in(file),
                FunctionKind::Declaration => {}
            }
        }
    }

    /// Adds the names of later files.
    pub(super) fn join(&mut self, later: Self) {
        for (name, more) in later.0 {
            let facts = self.0.entry(name).or_default();
            facts.definitions = facts.definitions.saturating_add(more.definitions);
            facts.defined_in = facts.defined_in.or(more.defined_in);
            more.callers.into_iter().for_each(|file| facts.called_in(file));
        }
    }

    /// All names that are defined somewhere.
    pub(super) fn defined(&self) -> impl Iterator<Item = (&str, &Facts)> {
        self.0.iter().filter(|(_, facts)| facts.definitions > 0).map(|(name, facts)| (name.as_str(), facts))
    }
}

impl Facts {
    fn called_in(&mut self, file: u32) {
        if self.callers.len() <= KEPT_CALLERS && !self.callers.contains(&file) {
            self.callers.push(file);
        }
    }
}
