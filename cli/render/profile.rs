//! The profile that `pincite init` writes.
//!
//! It pins the commit and switches contexts on; everything that was guessed stands in comments with its count, so that
//! an operator decides. Names from the repository stand in quotes with escapes: a file name can not end a comment.

use std::fmt::Write as _;

use pincite_indexer::Survey;
use pincite_indexer::survey::{FolderCount, PrefixCount};

use super::visible::is_hidden;

/// What the operator's flags fix.
pub(crate) struct Fixed<'a> {
    /// The project's name.
    pub(crate) name: String,
    /// The repository, absolute.
    pub(crate) repository: &'a str,
    /// The index directory, absolute, when it is not the default.
    pub(crate) index: Option<&'a str>,
}

/// Extensions of no known language that are named.
const OTHERS: usize = 8;
/// Prefixes that are proposed together, and how many functions they must have for each 100 of the strongest one.
const PROPOSED: usize = 3;
const PROPOSED_SHARE: u64 = 25;

/// A folder with less than one in so many files is not named.
const LEAST_OF: u64 = 100;

/// The profile's text.
pub(crate) fn profile(fixed: &Fixed<'_>, survey: &Survey) -> String {
    let mut out = String::new();
    let _ = write!(
        out,
        "# A profile for pincite. `pincite index` indexes the commit below; all other commands then answer from it.\n\
         # docs/configuration.md has every key. Lines behind `#` are proposals: remove the `#` to use one.\n\
         \n\
         [project]\n\
         name = {}\n\
         repository = {}\n\
         commit = {}\n",
        quoted(&fixed.name),
        quoted(fixed.repository),
        quoted(&survey.commit)
    );
    match fixed.index {
        Some(index) => {
            let _ = writeln!(out, "index = {}", quoted(index));
        }
        None => out.push_str("# index = \"…\"    # default: one per repository in the cache\n"),
    }
    out.push_str("\n# Without this table `pincite context` answers `disabled`.\n[source_analysis]\n");
    languages(&mut out, survey);
    registrations(&mut out, &survey.registration_prefixes);
    scopes(&mut out, survey);
    out
}

fn languages(out: &mut String, survey: &Survey) {
    let _ = writeln!(out, "#\n# Languages of the {} files of the commit, by extension:", survey.files);
    for (language, extensions) in &survey.languages {
        let total: u64 = extensions.values().sum();
        let parts: Vec<String> = extensions.iter().map(|(name, count)| format!("{name} {count}")).collect();
        let _ = writeln!(out, "#   {language:<12} {total:>7}   ({})", parts.join(", "));
    }
    if survey.languages.is_empty() {
        out.push_str("#   none that is known\n");
    }
    if !survey.other_extensions.is_empty() {
        let shown = survey.other_extensions.iter().take(OTHERS);
        let parts: Vec<String> = shown.map(|(name, count)| format!("{} {count}", quoted(name))).collect();
        let left = survey.other_extensions.len().saturating_sub(OTHERS);
        let more = if left > 0 { format!(", and {left} more extensions") } else { String::new() };
        let _ = writeln!(out, "#   other files: {}{more}", parts.join(", "));
    }
    if survey.not_read > 0 {
        let _ =
            writeln!(out, "#   {} source files could not be read: missing in the clone, or too large", survey.not_read);
    }
    out.push_str(
        "# Files of these languages are searched by default. `extensions` replaces that list; [] means every text file:\n\
         # extensions = []\n",
    );
}

fn registrations(out: &mut String, found: &[PrefixCount]) {
    if found.is_empty() {
        out.push_str(
            "#\n# No function-name prefix of this commit looks like registrations (names defined once each, in many files,\n\
             # and called from one). If the project has some, name their prefixes:\n\
             # registration_prefixes = [\"register_\"]\n",
        );
        return;
    }
    out.push_str(
        "#\n# Prefixes of function names that look like registrations: each function is defined once, and one file calls\n\
         # most of them. `pincite context` follows such a name from a match only when its prefix stands here.\n",
    );
    for one in found {
        let share = if one.functions == one.defined { String::new() } else { format!(" of {}", one.defined) };
        let _ = writeln!(
            out,
            "#   {:<24} {} functions{share} in {} files; {} called in {}, such as {}",
            quoted(&one.prefix),
            one.functions,
            one.files,
            one.called_by_main,
            quoted(&one.main_caller),
            quoted(one.examples.first().map_or("", String::as_str))
        );
    }
    let least = found[0].functions * PROPOSED_SHARE / 100;
    let strong = found.iter().take(PROPOSED).filter(|one| one.functions >= least);
    let names: Vec<String> = strong.map(|one| quoted(&one.prefix)).collect();
    let _ = writeln!(out, "# registration_prefixes = [{}]", names.join(", "));
}

fn scopes(out: &mut String, survey: &Survey) {
    if survey.source_folders.is_empty() && survey.sql_folders.is_empty() {
        return;
    }
    out.push_str("#\n# Folders that hold most of the code, for the scopes of protocol 2; without it, `--path-prefix` takes one.\n");
    let all: u64 = survey.source_folders.iter().map(|folder| folder.files).sum();
    scope(out, "code", "source files", survey.source_folders.iter().filter(|one| one.files * LEAST_OF >= all));
    // A schema is often a few files beside thousands of updates, so none is too small.
    let (history, schema): (Vec<_>, Vec<_>) = survey.sql_folders.iter().partition(|one| is_history(&one.path));
    scope(out, "schema", "SQL files", schema.into_iter());
    scope(out, "historical_sql", "SQL files", history.into_iter());
}

/// Whether a folder's name says that its SQL changes a schema rather than states it.
fn is_history(path: &str) -> bool {
    let path = path.to_lowercase();
    ["update", "archive", "migration", "histor", "old"].iter().any(|word| path.contains(word))
}

fn scope<'a>(out: &mut String, name: &str, what: &str, folders: impl Iterator<Item = &'a FolderCount>) {
    // The root as a path would be every file, which is what no scope means.
    let named: Vec<&FolderCount> = folders.filter(|folder| !folder.path.is_empty()).collect();
    if named.is_empty() {
        return;
    }
    out.push_str("#\n");
    for folder in &named {
        let _ = writeln!(out, "#   {:<36} {} {what}", quoted(&folder.path), folder.files);
    }
    // A folder with files of its own would take in all below it.
    let is_above =
        |one: &FolderCount| named.iter().any(|other| other.path != one.path && other.path.starts_with(&one.path));
    let paths: Vec<String> = named.iter().filter(|one| !is_above(one)).map(|one| quoted(&one.path)).collect();
    let _ = writeln!(out, "# [source_analysis.scopes.{name}]\n# paths = [{}]", paths.join(", "));
}

/// A TOML basic string: JSON's escapes are TOML's, but for DEL and for what hides in text.
fn quoted(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c as u32 {
            _ if !c.is_control() && !is_hidden(c) => out.push(c),
            code @ 0..0x1_0000 => {
                let _ = write!(out, "\\u{code:04X}");
            }
            code => {
                let _ = write!(out, "\\U{code:08X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_not_leave_their_quotes() {
        assert_eq!(quoted("a\nb\"c\\"), r#""a\nb\"c\\""#);
        assert_eq!(quoted("\u{7f}\u{9b}\u{202e}\u{e0001}é"), r#""\u007F\u009B\u202E\U000E0001é""#);
    }
}
