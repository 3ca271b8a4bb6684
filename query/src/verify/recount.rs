//! Totals counted again by a plain scan of every blob in scope: no index, no hints.

use std::collections::BTreeMap;

use pincite_shared::git::{EntryKind, Repository};
use pincite_shared::ids::{Oid, Pin};
use pincite_shared::path;
use pincite_shared::settings::{ScopeName, Settings};
use pincite_shared::skip::{OutsideReason, SkipReason};
use pincite_shared::term::{Matcher, Mode, RequestedMode, Term};
use pincite_shared::text::{Content, classify};
use pincite_shared::wire::result::{Name, WireSearch};

use super::{Problems, Report};
use crate::answer::Answer;

/// A file of the commit by name.
struct Entry {
    path: Vec<u8>,
    kind: EntryKind,
    id: Oid,
}

pub(super) fn check(
    repository: &Repository,
    pin: Pin,
    answer: &Answer,
    pointer: &str,
    settings: &Settings,
    problems: &mut Problems<'_>,
    report: &mut Report,
) {
    let mut entries = Vec::new();
    let walked = repository.objects().walk(&pin, &mut |path, kind, id| {
        entries.push(Entry { path: path.to_vec(), kind, id });
        Ok(())
    });
    if let Err(error) = walked {
        return problems.add(format!("{pointer}/pin"), error.to_string());
    }
    let searches: &[WireSearch] = match answer {
        Answer::Context(result) => &result.searches,
        Answer::Selection(result) => &result.searches,
        Answer::Search(result) => &result.searches,
        Answer::Read(_) => &[],
        Answer::List(result) => {
            let prefix = result.head.request.get("path_prefix").and_then(|prefix| prefix.as_str()).unwrap_or_default();
            let total = entries.iter().filter(|entry| entry.path.starts_with(prefix.as_bytes())).count() as u64;
            problems.same(format!("{pointer}/total"), &result.total, &total);
            &[]
        }
    };
    for (search, at) in searches.iter().zip(0..) {
        let counted = match count(repository, &entries, search, settings) {
            Ok(counted) => counted,
            Err(problem) => {
                problems.add(format!("{pointer}/searches/{at}"), problem);
                continue;
            }
        };
        report.recounted += 1;
        let member = |name: &str| format!("{pointer}/searches/{at}/{name}");
        problems.same(member("searched_files"), &search.searched_files, &counted.searched);
        problems.same(member("skipped"), &search.skipped, &counted.skipped);
        problems.same(member("outside"), &search.outside, &counted.outside);
        // A search that a limit ended counts what it read.
        let cut = search.scanned.as_ref().is_some_and(|scan| scan.files < scan.of_files);
        if cut && search.matches <= counted.matches && search.files <= counted.files {
            continue;
        }
        problems.same(member("matches"), &search.matches, &counted.matches);
        problems.same(member("files"), &search.files, &counted.files);
    }
}

#[derive(Default)]
struct Counted {
    searched: u64,
    matches: u64,
    files: u64,
    skipped: BTreeMap<Name, u64>,
    outside: BTreeMap<Name, u64>,
}

fn count(
    repository: &Repository,
    entries: &[Entry],
    search: &WireSearch,
    settings: &Settings,
) -> Result<Counted, String> {
    let mode = [Mode::Word, Mode::Literal, Mode::Decimal].into_iter().find(|mode| mode.name() == search.mode);
    let term = mode.and_then(|mode| Term::new(&search.text, RequestedMode::Exactly(mode)).ok());
    let matcher = Matcher::new(&term.ok_or("the text is not searched that way")?);
    let analysis = &settings.source_analysis;
    let space = search.scope.as_deref().and_then(ScopeName::from_name);
    let space = space.and_then(|name| analysis.selection.scopes.get(&name));
    let extensions = space.and_then(|space| space.extensions.as_ref()).unwrap_or(&analysis.extensions);
    let none = Vec::new();
    let (paths, exclude) = space.map_or((&none, &none), |space| (&space.paths, &space.exclude_extensions));
    let objects = repository.objects();
    let mut buffer = Vec::new();
    let mut counted = Counted::default();
    for entry in entries.iter().filter(|entry| entry.path.starts_with(search.path_prefix.as_bytes())) {
        if !paths.is_empty() && !paths.iter().any(|path| entry.path.starts_with(path.as_bytes())) {
            *counted.outside.entry(OutsideReason::Scope.name().into()).or_default() += 1;
            continue;
        }
        let outside = match entry.kind {
            EntryKind::Symlink => Some(OutsideReason::Symlinks),
            EntryKind::Submodule => Some(OutsideReason::Submodules),
            EntryKind::File | EntryKind::Executable => {
                let extension = path::extension(&entry.path);
                let has = |list: &[String]| list.iter().any(|one| one.as_bytes() == extension);
                let wanted = (extensions.is_empty() || has(extensions)) && !has(exclude);
                (!wanted).then_some(OutsideReason::Extensions)
            }
        };
        if let Some(reason) = outside {
            *counted.outside.entry(reason.name().into()).or_default() += 1;
            continue;
        }
        let skipped = match objects.blob_size(entry.id).map_err(|error| error.to_string())? {
            None => Some(SkipReason::MissingObject),
            Some(bytes) if bytes > settings.limits.max_file_bytes => Some(SkipReason::TooLarge),
            Some(bytes) => match objects.blob(entry.id, bytes, &mut buffer).map_err(|error| error.to_string())? {
                None => Some(SkipReason::MissingObject),
                Some(blob) => match classify(blob) {
                    Content::Binary => Some(SkipReason::Binary),
                    Content::Utf16 => Some(SkipReason::Utf16),
                    Content::LfsPointer => Some(SkipReason::LfsPointer),
                    Content::Text => None,
                },
            },
        };
        if let Some(reason) = skipped {
            *counted.skipped.entry(reason.name().into()).or_default() += 1;
            continue;
        }
        counted.searched += 1;
        let mut lines = 0;
        matcher.for_each_matching_line(&buffer, &mut |_, _| lines += 1);
        counted.matches += lines;
        counted.files += u64::from(lines > 0);
    }
    Ok(counted)
}
