//! A copy of a package with the Git objects that its captures cite, so that it can be checked where the repository is
//! not.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use pincite_shared::failure::{Code, Failure};
use pincite_shared::git::{Exported, Repository};
use pincite_shared::ids::Oid;
use pincite_shared::wire::result::WirePath;

use super::content::path_bytes;
use crate::answer::Answer;
use crate::package::Package;
use crate::package::files::{self, CAPTURES, CONTEXT, INTERPRETATION, LEDGER, OBJECTS, io};

/// Copies a package to the new directory `target`; with a repository, the cited objects too. The directory appears whole
/// or not at all.
///
/// # Errors
/// `invalid_request` when `target` exists; `package_corrupt` when a capture does not hold; of the repository.
pub fn export(package: &Package, target: &Path, repository: Option<&Repository>) -> Result<Option<Exported>, Failure> {
    if target.exists() {
        let message = format!("{} exists already; name a new directory", target.display());
        return Err(Failure::new(Code::InvalidRequest, message).field("out"));
    }
    let parent = files::parent(target);
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let temporary = parent.join(format!(".{name}.{}{}", std::process::id(), files::TEMPORARY));
    let made = copy(package, &temporary, repository).and_then(|exported| {
        fs::rename(&temporary, target)
            .and_then(|()| files::sync_parent(target))
            .map_err(|error| io("made", target, &error))?;
        Ok(exported)
    });
    if made.is_err() {
        // Nothing is there under the target's own name.
        let _ = fs::remove_dir_all(&temporary);
    }
    made
}

fn copy(package: &Package, target: &Path, repository: Option<&Repository>) -> Result<Option<Exported>, Failure> {
    fs::create_dir_all(target.join(CAPTURES)).map_err(|error| io("made", target, &error))?;
    let source = package.directory();
    for name in [CONTEXT, INTERPRETATION, LEDGER] {
        if let Some(bytes) = files::read(&source.join(name))? {
            files::write(&target.join(name), &bytes)?;
        }
    }
    let (mut contents, mut names) = (BTreeSet::new(), BTreeSet::new());
    for name in package.capture_names()? {
        let capture = package.capture(&name)?;
        let file = Path::new(CAPTURES).join(format!("{name}.json"));
        let bytes = files::read(&source.join(&file))?.unwrap_or_default();
        files::write(&target.join(&file), &bytes)?;
        let answer =
            Answer::from_value(&capture.result).map_err(|problem| files::corrupt(&source.join(&file), problem))?;
        let bytes = |paths: Vec<&WirePath>| {
            let paths: Result<Vec<_>, _> = paths.into_iter().map(path_bytes).collect();
            paths.map_err(|problem| files::corrupt(&source.join(&file), problem))
        };
        contents.extend(bytes(cited(&answer))?);
        if let Answer::List(list) = &answer {
            names.extend(bytes(list.entries.iter().map(|entry| &entry.path).collect())?);
        }
    }
    let Some(repository) = repository else { return Ok(None) };
    let commit = &package.context().pin.commit;
    let commit = Oid::from_hex(commit)
        .ok_or_else(|| files::corrupt(&source.join(CONTEXT), "its commit is not a full object id"))?;
    let pin = repository.pin(commit)?;
    Ok(Some(repository.export(&pin, &contents, &names, &target.join(OBJECTS))?))
}

/// The paths whose content an answer shows or speaks of; of a list's entries only the names.
fn cited(answer: &Answer) -> Vec<&WirePath> {
    match answer {
        Answer::Context(result) => {
            let origins = result.searches.iter().filter_map(|search| search.origin.path.as_ref());
            let files = result.files.iter().map(|file| &file.id.path);
            origins.chain(files).chain(result.matches.iter().map(|one| &one.path)).collect()
        }
        Answer::Selection(result) => {
            let origins = result.searches.iter().filter_map(|search| search.origin.path.as_ref());
            let files = result.files.iter().map(|file| &file.id.path);
            let selected = result.selection.files.iter().map(|file| &file.path);
            let weak = result.weak_numeric.iter().map(|weak| &weak.path);
            origins.chain(files).chain(selected).chain(weak).chain(result.matches.iter().map(|one| &one.path)).collect()
        }
        Answer::Search(result) => result.matches.iter().map(|one| &one.path).collect(),
        Answer::Read(result) => vec![&result.id.path],
        Answer::List(_) => Vec::new(),
    }
}
