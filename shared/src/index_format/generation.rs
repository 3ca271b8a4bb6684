//! The generation record: what an index directory holds at one moment, and the pointer to it.
//!
//! `CURRENT` is one line: `pincite-index <format> <record name> <SHA-256 of the record>`. A writer syncs everything
//! that a record names, then the record, and then renames a new pointer into place: a reader sees the old generation
//! or the new one, and a crash leaves the old one and garbage.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::ids::Oid;

use super::error::IndexError;
use super::sealed::FileRecord;
use super::{FORMAT_VERSION, HINTS_VERSION, TOKENIZER_VERSION, layout};

/// How often a reader begins again because a writer was faster.
const RETRIES: usize = 5;

/// How far the hints of a segment are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HintsState {
    /// Found by the byte scanner.
    Lexical,
    /// Confirmed and completed by tree-sitter.
    Syntax,
}

/// The hint file of a segment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HintsRecord {
    /// How far the hints are.
    pub state: HintsState,
    /// Documents with a grammar that could not be parsed within the bounds and keep the scanner's hints.
    pub not_parsed: u32,
    /// The file.
    pub file: FileRecord,
}

/// One segment: the inverted index of some documents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SegmentRecord {
    /// Name of its folder.
    pub name: String,
    /// Documents in it.
    pub documents: u32,
    /// Bytes of its documents' blobs.
    pub blob_bytes: u64,
    /// Every file in its folder.
    pub files: Vec<FileRecord>,
    /// Its hints.
    pub hints: HintsRecord,
}

/// One indexed commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommitRecord {
    /// Full object id.
    pub commit: String,
    /// Full object id of its tree.
    pub tree: String,
    /// Seconds since 1970 when it was indexed last. No part of any identity.
    pub indexed_at: u64,
    /// Paths in the commit.
    pub paths: u32,
    /// Paths whose content is searched.
    pub searchable: u32,
    /// Bytes of those.
    pub bytes: u64,
    /// Hash of what the commit holds.
    pub content_sha256: String,
    /// Its manifest.
    pub manifest: FileRecord,
    /// Names of the segments that hold its documents.
    pub segments: Vec<String>,
}

/// What the directory holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// [`FORMAT_VERSION`] of its writer.
    pub format: u32,
    /// [`TOKENIZER_VERSION`] of its writer.
    pub tokenizer: u32,
    /// [`HINTS_VERSION`] of its writer.
    pub hints: u32,
    /// Counts up with every publication.
    pub number: u64,
    /// `sha1` or `sha256`.
    pub object_format: String,
    /// The Git directory it was built from last; a hint for error messages.
    pub git_dir: String,
    /// Counts up with every segment ever written, so that names never come back.
    pub next_segment: u64,
    /// All segments.
    pub segments: Vec<SegmentRecord>,
    /// Indexed commits, oldest first.
    pub commits: Vec<CommitRecord>,
}

impl Generation {
    /// An index that holds nothing yet.
    pub fn empty(object_format: &str, git_dir: &Path) -> Self {
        Self {
            format: FORMAT_VERSION,
            tokenizer: TOKENIZER_VERSION,
            hints: HINTS_VERSION,
            number: 0,
            object_format: object_format.into(),
            git_dir: git_dir.to_string_lossy().into_owned(),
            next_segment: 0,
            segments: Vec::new(),
            commits: Vec::new(),
        }
    }

    /// Reads the published generation.
    ///
    /// # Errors
    /// [`IndexError::Missing`] when nothing was ever published, [`IndexError::Format`] for another version's,
    /// [`IndexError::Corrupt`] when pointer and record do not agree.
    pub fn load(directory: &Path) -> Result<Self, IndexError> {
        Self::open_with(directory, Ok)
    }

    /// Reads the published generation and opens what is needed of it. A writer that publishes and collects garbage
    /// between two of these steps takes files away: then all begins again with the generation that is published now.
    /// Files that `open` has mapped stay readable, those that it did not open do not.
    ///
    /// # Errors
    /// As [`Self::load`], and those of `open`.
    pub fn open_with<T>(
        directory: &Path,
        mut open: impl FnMut(Self) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        let mut tries = 0;
        loop {
            let pointer = Self::pointer(directory)?;
            match Self::named_by(&pointer, directory).and_then(&mut open) {
                Err(IndexError::Corrupt { .. }) if tries < RETRIES && Self::pointer(directory)? != pointer => {
                    tries += 1
                }
                result => return result,
            }
        }
    }

    /// The content of `CURRENT`.
    fn pointer(directory: &Path) -> Result<Vec<u8>, IndexError> {
        let file = directory.join(layout::CURRENT);
        fs::read(&file).map_err(|source| match source.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => {
                IndexError::Missing { directory: directory.into() }
            }
            _ => IndexError::Io { file, source },
        })
    }

    /// The generation that a pointer names.
    fn named_by(pointer: &[u8], directory: &Path) -> Result<Self, IndexError> {
        let broken = |reason: &str| IndexError::corrupt(directory.join(layout::CURRENT), reason);
        let line = str::from_utf8(pointer).ok().and_then(|line| line.strip_suffix('\n'));
        let line = line.ok_or_else(|| broken("it is not one line of text"))?;
        let ["pincite-index", format, name, sha256] = line.split(' ').collect::<Vec<_>>()[..] else {
            return Err(broken("it does not name a generation"));
        };
        let format: u32 = format.parse().map_err(|_| broken("its format is not a number"))?;
        if format != FORMAT_VERSION {
            return Err(IndexError::Format { directory: directory.into(), found: format, readable: FORMAT_VERSION });
        }
        if name.contains(['/', '\\']) || !name.starts_with("generation-") {
            return Err(broken("it names a file that is not a generation"));
        }
        let path = directory.join(name);
        let record = fs::read(&path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => IndexError::corrupt(&path, "it is missing"),
            _ => IndexError::Io { file: path.clone(), source: error },
        })?;
        if hex(&Sha256::digest(&record)) != sha256 {
            return Err(IndexError::corrupt(path, "it does not have the hash that CURRENT names"));
        }
        let generation: Self =
            serde_json::from_slice(&record).map_err(|error| IndexError::corrupt(&path, error.to_string()))?;
        if (generation.tokenizer, generation.hints) != (TOKENIZER_VERSION, HINTS_VERSION) {
            return Err(IndexError::Format { directory: directory.into(), found: format, readable: FORMAT_VERSION });
        }
        Ok(generation)
    }

    /// Publishes this generation. Everything it names must be synced already.
    ///
    /// # Errors
    /// What the system says; the old generation then stays published.
    pub fn publish(&self, directory: &Path) -> Result<(), IndexError> {
        let record = serde_json::to_vec_pretty(self).expect("a generation is plain data, which always serializes");
        let name = layout::generation_name(self.number);
        let line = format!("pincite-index {} {name} {}\n", self.format, hex(&Sha256::digest(&record)));
        replace(directory, &name, &record)?;
        replace(directory, layout::CURRENT, line.as_bytes())
    }

    /// The identity of the whole index: what it holds, not where and since when.
    pub fn id(&self) -> String {
        let mut views: Vec<String> = self.commits.iter().map(|commit| self.view_id(commit)).collect();
        views.sort_unstable();
        let mut hash = Sha256::new();
        views.iter().for_each(|view| hash.update(view.as_bytes()));
        hex(&hash.finalize())
    }

    /// The identity of one commit in this index: versions, the commit's content, and how far its hints are. Other
    /// commits in the index do not change it, so equal questions keep equal answers.
    pub fn view_id(&self, commit: &CommitRecord) -> String {
        let mut hash = Sha256::new();
        for number in [self.format, self.tokenizer, self.hints] {
            hash.update(number.to_le_bytes());
        }
        hash.update(commit.content_sha256.as_bytes());
        hash.update([u8::from(self.has_syntax_hints(commit))]);
        hex(&hash.finalize())
    }

    /// Whether tree-sitter has been over every segment.
    pub fn has_all_syntax_hints(&self) -> bool {
        self.segments.iter().all(|segment| segment.hints.state == HintsState::Syntax)
    }

    /// Whether it has commits and none of them is in a clone, which `has` tells.
    pub fn is_foreign(&self, has: impl Fn(Oid) -> bool) -> bool {
        let mut commits = self.commits.iter().filter_map(|commit| Oid::from_hex(&commit.commit));
        !self.commits.is_empty() && !commits.any(has)
    }

    /// Whether tree-sitter has been over every document of a commit.
    pub fn has_syntax_hints(&self, commit: &CommitRecord) -> bool {
        let mut own = self.segments.iter().filter(|segment| commit.segments.contains(&segment.name));
        own.all(|segment| segment.hints.state == HintsState::Syntax)
    }

    /// The record of a commit.
    pub fn commit(&self, id: &str) -> Option<&CommitRecord> {
        self.commits.iter().find(|commit| commit.commit == id)
    }

    /// Every file that belongs to this generation, by name.
    pub fn files(&self) -> impl Iterator<Item = &FileRecord> {
        let segments = self.segments.iter().flat_map(|one| one.files.iter().chain([&one.hints.file]));
        segments.chain(self.commits.iter().map(|one| &one.manifest))
    }

    /// Bytes of all its files.
    pub fn bytes(&self) -> u64 {
        self.files().map(|file| file.bytes).sum()
    }
}

/// Lower-case hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Syncs a folder, so that a rename in it survives a crash.
///
/// # Errors
/// What the system says.
pub fn sync_folder(folder: &Path) -> Result<(), IndexError> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(IndexError::io(folder))
}

/// Moves a finished and synced file or folder to its name below the index directory, so that the move survives a crash.
///
/// # Errors
/// What the system says.
pub fn settle(directory: &Path, temporary: &Path, name: &str) -> Result<(), IndexError> {
    let target = directory.join(name);
    fs::rename(temporary, &target).map_err(IndexError::io(&target))?;
    sync_folder(target.parent().unwrap_or(directory))
}

fn replace(directory: &Path, name: &str, bytes: &[u8]) -> Result<(), IndexError> {
    let temporary = directory.join(format!("{name}.new"));
    let mut file = File::create(&temporary).map_err(IndexError::io(&temporary))?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(IndexError::io(&temporary))?;
    fs::rename(&temporary, directory.join(name)).map_err(IndexError::io(&temporary))?;
    sync_folder(directory)
}
