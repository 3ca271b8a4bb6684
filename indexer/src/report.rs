//! What a run did, as `pincite index --format json` prints it.

use std::collections::BTreeMap;

use serde::Serialize;

/// The summary of a run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct IndexReport {
    /// Full object id of the commit.
    pub commit: String,
    /// Full object id of its tree.
    pub tree: String,
    /// `sha1` or `sha256`.
    pub object_format: String,
    /// Identity of the whole index.
    pub index_id: String,
    /// Identity of the commit in it, which answers carry.
    pub view_id: String,
    /// Generation that is published now.
    pub generation: u64,
    /// Whether the commit was indexed already and nothing was written.
    pub unchanged: bool,
    /// Paths of the commit.
    pub paths: u64,
    /// Paths whose content is searched.
    pub searchable: u64,
    /// Bytes of those.
    pub searchable_bytes: u64,
    /// Documents (unique blobs) of the commit.
    pub documents: u64,
    /// Documents written in this run.
    pub new_documents: u64,
    /// Blob bytes read in this run.
    pub read_bytes: u64,
    /// Paths that are not searched, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Symbolic links and submodules.
    pub outside: BTreeMap<String, u64>,
    /// Bytes of all files of the index.
    pub index_bytes: u64,
    /// Segments of the index.
    pub segments: u64,
    /// How far the hints are: `lexical` or `syntax`.
    pub hints: String,
    /// Documents that tree-sitter could not parse within its bounds.
    pub not_parsed: u64,
    /// Milliseconds by phase: `walk`, `postings`, `publish`, `hints`, and `compact` when segments were joined.
    pub milliseconds: BTreeMap<String, u64>,
    /// Highest resident memory of the process, where the system tells.
    pub peak_memory_bytes: Option<u64>,
}

/// Highest resident memory of this process.
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kibibytes| kibibytes << 10)
}
