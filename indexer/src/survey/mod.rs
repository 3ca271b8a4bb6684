//! What a commit holds, for a person who sets a project up: languages, folders, and prefixes of function names that
//! look like registrations.
//!
//! Every source blob is read and scanned again, also when the commit is indexed: stored hints have no names, only
//! places in blobs, so the blobs would be read anyway, and this way the answer does not depend on an index.

mod folders;
mod names;
mod prefixes;

use std::collections::{BTreeMap, HashMap};

use pincite_shared::git::{GitError, Repository};
use pincite_shared::ids::{Oid, Pin};
use pincite_shared::language::Language;
use pincite_shared::path;
use pincite_shared::text::{Content, classify};
use rayon::prelude::*;
use serde::Serialize;

use crate::error::IndexingError;
use crate::hints::lexical;
use crate::progress::{Phase, Progress};
use crate::walk::{WalkedPath, walk};
use names::Names;

/// What a commit holds.
#[derive(Debug, Serialize)]
pub struct Survey {
    /// Full id of the commit.
    pub commit: String,
    /// Files, also those of no known language.
    pub files: u64,
    /// Languages by name: files by extension.
    pub languages: BTreeMap<&'static str, BTreeMap<String, u64>>,
    /// Extensions of files of no known language, the most frequent first; without those that have none.
    pub other_extensions: Vec<(String, u64)>,
    /// Folders with source code, but SQL, the largest first.
    pub source_folders: Vec<FolderCount>,
    /// Folders with SQL, the largest first.
    pub sql_folders: Vec<FolderCount>,
    /// Prefixes of names that look like registrations, the strongest first.
    pub registration_prefixes: Vec<PrefixCount>,
    /// Files that could not be read: the clone lacks them, or they are too large.
    pub not_read: u64,
}

/// A folder and its files.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct FolderCount {
    /// The path with its slash; lossy when it is not UTF-8. Empty for the root.
    pub path: String,
    /// Files below it that count.
    pub files: u64,
}

/// A prefix that many functions share which are each defined once, and most of which one file calls.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct PrefixCount {
    /// The beginning of the names.
    pub prefix: String,
    /// Functions that look like registrations.
    pub functions: u64,
    /// All functions defined under the prefix.
    pub defined: u64,
    /// Files that define the functions.
    pub files: u64,
    /// Other files that call them.
    pub callers: u64,
    /// The file that calls most of them.
    pub main_caller: String,
    /// How many of them it calls.
    pub called_by_main: u64,
    /// Some of the functions, by name.
    pub examples: Vec<String>,
}

/// Surveys a commit. Nothing is written.
///
/// # Errors
/// A commit or tree that can not be read, a blob that is corrupt, or an empty commit.
pub fn survey(
    repository: &Repository,
    commit: Oid,
    max_file_bytes: u64,
    progress: &dyn Progress,
) -> Result<Survey, IndexingError> {
    let pin: Pin = repository.pin(commit)?;
    let paths = walk(repository, &pin, progress)?;
    if paths.is_empty() {
        return Err(IndexingError::EmptyCommit { commit: commit.to_string() });
    }
    let files: Vec<&WalkedPath> = paths.iter().filter(|path| path.key().is_some()).collect();
    let mut languages: BTreeMap<&'static str, BTreeMap<String, u64>> = BTreeMap::new();
    let mut others: HashMap<String, u64> = HashMap::new();
    for file in &files {
        let extension = String::from_utf8_lossy(&path::extension(&file.path)).into_owned();
        match file.language {
            Some(language) => *languages.entry(language.name()).or_default().entry(extension).or_default() += 1,
            None if extension.is_empty() => {}
            None => *others.entry(extension).or_default() += 1,
        }
    }
    let mut other_extensions: Vec<_> = others.into_iter().collect();
    other_extensions.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let (names, not_read) = read_names(repository, &files, max_file_bytes, progress)?;
    Ok(Survey {
        commit: commit.to_string(),
        files: files.len() as u64,
        languages,
        other_extensions,
        source_folders: folders::source(&files),
        sql_folders: folders::sql(&files),
        registration_prefixes: prefixes::registrations(&names, &files),
        not_read,
    })
}

/// The function names of all source files but SQL, each blob once: a copy is no second definition.
fn read_names(
    repository: &Repository,
    files: &[&WalkedPath],
    max_file_bytes: u64,
    progress: &dyn Progress,
) -> Result<(Names, u64), IndexingError> {
    let mut seen = HashMap::new();
    for (number, file) in files.iter().enumerate() {
        if let Some(language) = file.language.filter(|language| *language != Language::Sql) {
            seen.entry((file.id, language)).or_insert(number as u32);
        }
    }
    let mut jobs: Vec<(u32, Oid, Language)> =
        seen.into_iter().map(|((blob, language), file)| (file, blob, language)).collect();
    // Neighbours in the tree are neighbours in the pack.
    jobs.sort_unstable_by_key(|job| job.0);
    progress.begin(Phase::Survey, Some(jobs.len() as u64));
    // Pieces, not threads, have names of their own, and are joined in order: threads change nothing.
    let read = |piece: &[(u32, Oid, Language)]| -> Result<(Names, u64), GitError> {
        let (mut names, mut not_read) = (Names::default(), 0);
        let (objects, mut buffer) = (repository.objects(), Vec::new());
        for (file, blob, language) in piece {
            match objects.blob(*blob, max_file_bytes, &mut buffer) {
                Ok(Some(source)) if classify(source) == Content::Text => names.add(*file, lexical(*language, source)),
                Ok(Some(_)) => {}
                Ok(None) | Err(GitError::TooLarge { .. }) => not_read += 1,
                Err(error) => return Err(error),
            }
            progress.advance(1);
        }
        Ok((names, not_read))
    };
    let parts: Vec<(Names, u64)> = jobs.par_chunks(PIECE).map(read).collect::<Result<_, _>>()?;
    let (mut names, mut not_read) = (Names::default(), 0);
    for (more, missing) in parts {
        names.join(more);
        not_read += missing;
    }
    Ok((names, not_read))
}

/// Files that one thread takes at once.
const PIECE: usize = 256;
