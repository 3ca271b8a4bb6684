//! Prefixes of function names that look like registrations.
//!
//! A registration is defined once in the commit and called from one or two other files, as `AddSC_boss_garr` is from a
//! loader. A prefix is proposed when many registrations in many files share it, when most functions under it are
//! registrations, and when one file calls most of them.

use std::collections::{BTreeSet, HashMap};

use super::PrefixCount;
use super::names::{Facts, Names};
use crate::walk::WalkedPath;

/// Fewer registrations are a coincidence.
const FEWEST_FUNCTIONS: usize = 4;
/// Files that call one registration.
const MOST_CALLERS: usize = 2;
/// Registrations for each file that calls some: the callers are central.
const FUNCTIONS_PER_CALLER: usize = 4;
/// Of a prefix's functions, this share in percent are registrations; of those, this share is called from one file.
const LEAST_SHARE: usize = 60;
/// Letters, digits and `_` of the shortest prefix.
const SHORTEST: usize = 3;
/// Prefixes that are named.
const MOST: usize = 12;
/// Names that are shown of each.
const EXAMPLES: usize = 3;

#[derive(Default)]
struct Group<'a> {
    defined: usize,
    registrations: Vec<(&'a str, &'a Facts)>,
}

/// The prefixes, the strongest first.
pub(super) fn registrations(names: &Names, files: &[&WalkedPath]) -> Vec<PrefixCount> {
    let mut groups: HashMap<&str, Group<'_>> = HashMap::new();
    for (name, facts) in names.defined() {
        for prefix in prefixes(name) {
            let group = groups.entry(prefix).or_default();
            group.defined += 1;
            if is_registration(facts) {
                group.registrations.push((name, facts));
            }
        }
    }
    let mut found: Vec<PrefixCount> =
        groups.into_iter().filter_map(|(prefix, group)| group.describe(prefix, files)).collect();
    // Of prefixes that begin with one another the one whose main caller calls most, and that has least else, is kept;
    // on a tie the longest, which says most.
    found.sort_by(|a, b| {
        let strength = |one: &PrefixCount| one.called_by_main * one.functions * 1_000 / one.defined;
        (strength(b), b.prefix.len()).cmp(&(strength(a), a.prefix.len())).then_with(|| a.prefix.cmp(&b.prefix))
    });
    let mut kept: Vec<PrefixCount> = Vec::new();
    for one in found {
        let related =
            |other: &PrefixCount| one.prefix.starts_with(&other.prefix) || other.prefix.starts_with(&one.prefix);
        if kept.len() < MOST && !kept.iter().any(related) {
            kept.push(one);
        }
    }
    kept
}

fn is_registration(facts: &Facts) -> bool {
    let others = facts.callers.iter().filter(|file| Some(**file) != facts.defined_in).count();
    facts.definitions == 1 && others > 0 && facts.callers.len() <= MOST_CALLERS
}

impl Group<'_> {
    fn describe(mut self, prefix: &str, files: &[&WalkedPath]) -> Option<PrefixCount> {
        let count = self.registrations.len();
        if count < FEWEST_FUNCTIONS || count * 100 < self.defined * LEAST_SHARE {
            return None;
        }
        self.registrations.sort_unstable_by_key(|one| one.0);
        let defining: BTreeSet<u32> = self.registrations.iter().filter_map(|(_, facts)| facts.defined_in).collect();
        let mut calling: HashMap<u32, usize> = HashMap::new();
        for (_, facts) in &self.registrations {
            for caller in facts.callers.iter().filter(|file| Some(**file) != facts.defined_in) {
                *calling.entry(*caller).or_default() += 1;
            }
        }
        // Many names in one file are a module's own; many files that call them are users, not loaders.
        if defining.len() * 2 < count || calling.len() * FUNCTIONS_PER_CALLER > count {
            return None;
        }
        let (main, called) = calling.iter().max_by_key(|(file, names)| (**names, std::cmp::Reverse(**file)))?;
        if called * 100 < count * LEAST_SHARE {
            return None;
        }
        let main_caller = files.get(*main as usize).map(|file| String::from_utf8_lossy(&file.path).into_owned())?;
        Some(PrefixCount {
            prefix: prefix.into(),
            functions: count as u64,
            defined: self.defined as u64,
            files: defining.len() as u64,
            callers: calling.len() as u64,
            main_caller,
            called_by_main: *called as u64,
            examples: self.registrations.iter().take(EXAMPLES).map(|(name, _)| (*name).to_owned()).collect(),
        })
    }
}

/// Where a name may be cut: behind each run of `_`, and before an upper-case letter that follows a lower-case letter or
/// a digit, or that ends a run of upper-case letters (`HTTPServer` after `HTTP`). Something always remains behind it.
fn prefixes(name: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = name.char_indices().collect();
    let cut = |window: &[(usize, char)], next: Option<char>| {
        let (before, here) = (window[0].1, window[1].1);
        let behind_underscore = before == '_' && here != '_';
        let hump = here.is_uppercase() && (before.is_lowercase() || before.is_numeric());
        let last_of_run = here.is_uppercase() && before.is_uppercase() && next.is_some_and(char::is_lowercase);
        (behind_underscore || hump || last_of_run).then_some(window[1].0)
    };
    let next = |at: usize| chars.get(at + 2).map(|(_, c)| *c);
    let ends = chars.windows(2).enumerate().filter_map(|(at, window)| cut(window, next(at)));
    ends.map(|end| &name[..end]).filter(|prefix| prefix.chars().filter(|c| *c != '_').count() >= SHORTEST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_at_underscores_and_humps() {
        let check = |name: &str, expected: &[&str]| assert_eq!(prefixes(name), expected, "{name}");
        check("AddSC_boss_garr", &["Add", "AddSC_", "AddSC_boss_"]);
        check("register_x", &["register_"]);
        check("RegisterHTTPServer", &["Register", "RegisterHTTP"]);
        check("init__all", &["init__"]);
        check("a_b", &[]);
        check("trailing_", &[]);
        check("__init_x", &["__init_"]);
        check("x", &[]);
        check("größeÄndern", &["größe"]);
    }
}
