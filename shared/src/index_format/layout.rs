//! Names of files in an index directory.

use std::path::{Path, PathBuf};

/// The pointer to the published generation.
pub const CURRENT: &str = "CURRENT";
/// The writer's lock.
pub const LOCK: &str = "lock";
/// Folder of the segments.
pub const SEGMENTS: &str = "segments";
/// Folder of the hint files.
pub const HINTS: &str = "hints";
/// Folder of the manifests.
pub const MANIFESTS: &str = "manifests";
/// Folder for what is being written; everything in it is garbage once its writer is gone.
pub const TEMPORARY: &str = "tmp";
/// Document table of a segment.
pub const DOCUMENTS: &str = "documents";
/// Posting lists of a segment.
pub const POSTINGS: &str = "postings";
/// Vocabulary of a segment.
pub const VOCABULARY: &str = "vocabulary";

/// Name of a generation's record.
pub fn generation_name(number: u64) -> String {
    format!("generation-{number:08}.json")
}

/// The default index directory of a repository: below `cache` (`$XDG_CACHE_HOME/pincite` or `~/.cache/pincite`), named
/// after the repository's folder and a hash of its Git directory's path, so that two clones never share one by accident.
pub fn default_directory(cache: &Path, git_dir: &Path) -> PathBuf {
    let shown = match git_dir.file_name().and_then(|name| name.to_str()) {
        Some(".git") => git_dir.parent().and_then(Path::file_name),
        _ => git_dir.file_name(),
    };
    let readable: String = shown
        .map(|name| {
            name.to_string_lossy().chars().filter(|c| c.is_ascii_alphanumeric() || "-_.".contains(*c)).collect()
        })
        .unwrap_or_default();
    let hash = xxhash_rust::xxh3::xxh3_64(git_dir.as_os_str().as_encoded_bytes());
    cache.join(format!("{}-{hash:016x}", readable.trim_start_matches('.')))
}
