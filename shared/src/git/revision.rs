//! The operator's revision, turned into a full commit id once. No request of a model comes here (P-02).

use super::{GitError, ObjectKind, Objects, Repository};
use crate::ids::{ObjectFormat, Oid};

/// Tags that point to tags; Git sets no bound, real chains have one or two.
const MAX_TAG_DEPTH: usize = 64;

pub(super) fn resolve(repository: &Repository, rev: &str) -> Result<Oid, GitError> {
    let objects = repository.objects();
    // A full id needs neither references nor configuration. As in Git, it comes before a branch of that name.
    if let Some(id) = Oid::from_hex(rev).filter(|id| id.format() == repository.object_format()) {
        if !objects.exists(id) {
            return Err(not_found(rev, "the clone has no object with this id"));
        }
        return peel(&objects, rev, id);
    }
    if rev.len() == other_format_hex_len(repository.object_format()) && Oid::from_hex(rev).is_some() {
        return Err(not_found(rev, format!("the repository has {} ids", repository.object_format().name())));
    }
    if repository.format.reftable {
        return Err(GitError::UnsupportedFormat {
            path: repository.common_dir.clone(),
            reason: "its references lie in a reftable; give the full commit id".to_owned(),
        });
    }
    let id = parse(repository, rev)?;
    peel(&objects, rev, id)
}

fn other_format_hex_len(format: ObjectFormat) -> usize {
    match format {
        ObjectFormat::Sha1 => 64,
        ObjectFormat::Sha256 => 40,
    }
}

fn not_found(rev: &str, reason: impl Into<String>) -> GitError {
    GitError::RevisionNotFound { rev: rev.to_owned(), reason: reason.into() }
}

/// Leaves the grammar of revisions to `gix`, isolated from everything outside the repository.
fn parse(repository: &Repository, rev: &str) -> Result<Oid, GitError> {
    let options = gix::open::Options::isolated()
        .open_path_as_is(true)
        // Only ownership would lower the trust; with less, gix would leave out the object format of a repository that
        // belongs to someone else. Nothing from the configuration is executed here.
        .with(gix::sec::Trust::Full)
        .bail_if_untrusted(false)
        // The object format is read all the same; settings such as `gitoxide.objects.allocLimit` are not.
        .filter_config_section(|section| section.source == gix::config::Source::Api)
        .config_overrides(["core.useReplaceRefs=false"]);
    let opened = options
        .open(&repository.private_dir)
        .map_err(|error| not_found(rev, format!("the references can not be read: {error}")))?;
    let local = opened.to_thread_local();
    let id = local.rev_parse_single(rev).map_err(|error| {
        use gix::revision::spec::parse::Error;
        let reason = error.probable_cause().to_string();
        match error.downcast_any_ref::<Error>() {
            Some(Error::AmbiguousPrefix { .. } | Error::AmbiguousRefAndObject { .. }) => {
                GitError::Ambiguous { rev: rev.to_owned(), reason }
            }
            _ => not_found(rev, reason),
        }
    })?;
    Oid::from_bytes(id.as_bytes()).ok_or_else(|| not_found(rev, "its id has an unknown length"))
}

/// Follows annotated tags, each re-hashed, to the commit.
fn peel(objects: &Objects, rev: &str, named: Oid) -> Result<Oid, GitError> {
    let mut id = named;
    for _ in 0..MAX_TAG_DEPTH {
        match objects.kind(id)? {
            None if id == named => return Err(not_found(rev, format!("the clone lacks the object {id}"))),
            None => return Err(GitError::ObjectMissing { id, kind: ObjectKind::Commit }),
            Some(ObjectKind::Commit) => return Ok(id),
            Some(ObjectKind::Tag) => id = objects.tag_target(id)?,
            Some(kind) => return Err(GitError::NotACommit { rev: rev.to_owned(), id, kind }),
        }
    }
    Err(GitError::corrupt(named, format!("more than {MAX_TAG_DEPTH} tags point to each other")))
}
