//! `pincite status`.

use pincite_indexer::CheckReport;
use pincite_query::{Snapshot, unsearched};
use pincite_shared::failure::Failure;
use pincite_shared::index_format::generation::Generation;
use pincite_shared::wire::result::WirePath;
use serde::Serialize;

use crate::flags::{Place, ReportFormat, StatusArguments};
use crate::render;
use crate::target::Target;

/// What an index holds.
#[derive(Debug, Serialize)]
pub(crate) struct Status {
    pub(crate) directory: String,
    pub(crate) index_id: String,
    pub(crate) format: u32,
    pub(crate) generation: u64,
    pub(crate) object_format: String,
    pub(crate) repository: String,
    pub(crate) bytes: u64,
    pub(crate) segments: u64,
    pub(crate) documents: u64,
    pub(crate) hints: &'static str,
    pub(crate) commits: Vec<IndexedCommit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) check: Option<CheckReport>,
    /// The commit of `skipped`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) skipped_commit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) skipped: Option<Vec<SkippedPath>>,
}

/// One commit of the index.
#[derive(Debug, Serialize)]
pub(crate) struct IndexedCommit {
    pub(crate) commit: String,
    pub(crate) tree: String,
    /// Seconds since 1970.
    pub(crate) indexed_at: u64,
    pub(crate) view_id: String,
    pub(crate) paths: u32,
    pub(crate) searchable: u32,
    pub(crate) searchable_bytes: u64,
}

/// A path that is not searched.
#[derive(Debug, Serialize)]
pub(crate) struct SkippedPath {
    #[serde(flatten)]
    pub(crate) path: WirePath,
    pub(crate) reason: &'static str,
}

pub(crate) fn run(place: &Place, arguments: &StatusArguments) -> Result<(), Failure> {
    let target = Target::resolve(place)?;
    let generation = Generation::load(&target.index)?;
    let check = match arguments.check {
        true => Some(pincite_indexer::check(&target.repository, &target.index)?),
        false => None,
    };
    let (skipped_commit, skipped) = match arguments.skipped {
        true => {
            let commit = target.commit(arguments.commit.as_deref())?;
            let snapshot = Snapshot::open(&target.index, commit)?;
            let paths = unsearched(&snapshot, target.settings.as_ref())?;
            let wire = |(path, reason): (Vec<u8>, &'static str)| SkippedPath { path: WirePath::new(&path), reason };
            (Some(snapshot.commit().commit.clone()), Some(paths.into_iter().map(wire).collect()))
        }
        false => (None, None),
    };
    let status = Status {
        directory: target.index.display().to_string(),
        index_id: generation.id(),
        format: generation.format,
        generation: generation.number,
        object_format: generation.object_format.clone(),
        repository: generation.git_dir.clone(),
        bytes: generation.bytes(),
        segments: generation.segments.len() as u64,
        documents: generation.segments.iter().map(|segment| u64::from(segment.documents)).sum(),
        hints: if generation.has_all_syntax_hints() { "syntax" } else { "lexical" },
        commits: generation
            .commits
            .iter()
            .map(|commit| IndexedCommit {
                commit: commit.commit.clone(),
                tree: commit.tree.clone(),
                indexed_at: commit.indexed_at,
                view_id: generation.view_id(commit),
                paths: commit.paths,
                searchable: commit.searchable,
                searchable_bytes: commit.bytes,
            })
            .collect(),
        check,
        skipped_commit,
        skipped,
    };
    match arguments.format {
        ReportFormat::Json => render::json(&status),
        ReportFormat::Text => render::text::status(&status),
    }
}
