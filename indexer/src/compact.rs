//! Rewrites segments: without documents that nobody needs, or several small ones into one.
//!
//! Postings, document tables and hints are put together in the same order. Manifests that name
//! a rewritten segment are written again. Nothing is published here.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use pincite_shared::index_format::documents::{DocumentKey, DocumentTable};
use pincite_shared::index_format::generation::{Generation, HintsState, SegmentRecord, settle};
use pincite_shared::index_format::hints::HintsFile;
use pincite_shared::index_format::manifest::{Entry, Manifest, ManifestWriter, State};
use pincite_shared::index_format::sealed::{FileRecord, SealedFile};
use pincite_shared::index_format::segment_files::SegmentFiles;
use pincite_shared::index_format::{IndexError, layout};

use crate::error::IndexingError;
use crate::segment::{Part, SegmentFolder, merge, read_table};

/// With more segments than this, small ones are joined.
const MAX_SEGMENTS: usize = 24;
/// So many of the smallest are joined at once.
const JOINED: usize = 16;

/// A segment to rewrite.
pub(crate) struct Source {
    /// Its number in the generation.
    pub(crate) segment: usize,
    /// Per document whether it stays; all do without.
    pub(crate) alive: Option<Vec<bool>>,
}

/// Joins the smallest segments when there are many, and publishes. Says whether it did.
pub(crate) fn run(directory: &Path, generation: &mut Generation) -> Result<bool, IndexingError> {
    if generation.segments.len() <= MAX_SEGMENTS {
        return Ok(false);
    }
    let mut by_size: Vec<usize> = (0..generation.segments.len()).collect();
    by_size.sort_by_key(|number| (generation.segments[*number].blob_bytes, *number));
    by_size.truncate(JOINED);
    by_size.sort_unstable();
    let sources = by_size.into_iter().map(|segment| Source { segment, alive: None }).collect();
    rewrite(directory, generation, vec![sources], None)?;
    generation.number += 1;
    generation.publish(directory)?;
    Ok(true)
}

/// Replaces each group of segments by one. `keys` are the documents that some commit needs; unsearchable blobs that
/// are not among them are forgotten.
pub(crate) fn rewrite(
    directory: &Path,
    generation: &mut Generation,
    groups: Vec<Vec<Source>>,
    keys: Option<&HashSet<DocumentKey>>,
) -> Result<(), IndexingError> {
    let mut moved: HashMap<(String, u32), (String, u32)> = HashMap::new();
    let mut gone: HashSet<String> = HashSet::new();
    let mut fresh = Vec::new();
    for group in groups {
        let name = format!("{:08}", generation.next_segment);
        generation.next_segment += 1;
        gone.extend(group.iter().map(|source| generation.segments[source.segment].name.clone()));
        if let Some(record) = join(directory, generation, &group, &name, keys, &mut moved)? {
            fresh.push(record);
        }
    }
    // Manifests name segments, so they are read before the segments leave the list.
    let mut manifests = Vec::new();
    for commit in &generation.commits {
        manifests.push(Manifest::open(SealedFile::open(directory, &commit.manifest)?)?);
    }
    generation.segments.retain(|segment| !gone.contains(&segment.name));
    generation.segments.extend(fresh);
    for (at, manifest) in manifests.iter().enumerate() {
        if manifest.segments().iter().any(|(name, _)| gone.contains(name)) {
            let record = &generation.commits[at];
            let plain = format!("{}-{:08}-moved", record.commit, generation.number + 1);
            let (manifest, segments) = move_manifest(directory, generation, manifest, &moved, &plain)?;
            generation.commits[at].manifest = manifest;
            generation.commits[at].segments = segments;
        }
    }
    Ok(())
}

/// Joins the living documents of some segments; `None` when there are none and nothing has to be remembered.
fn join(
    directory: &Path,
    generation: &Generation,
    group: &[Source],
    name: &str,
    keys: Option<&HashSet<DocumentKey>>,
    moved: &mut HashMap<(String, u32), (String, u32)>,
) -> Result<Option<SegmentRecord>, IndexingError> {
    let mut table = DocumentTable::default();
    let mut hints = Vec::new();
    let mut parts = Vec::new();
    let (mut state, mut not_parsed, mut blob_bytes, mut all, mut living) = (HintsState::Syntax, 0, 0, 0u64, 0u64);
    for source in group {
        let record = &generation.segments[source.segment];
        let files = SegmentFiles::open(directory, record)?;
        let old = read_table(&files, record)?;
        let kept = |key: &DocumentKey| keys.is_none_or(|keys| keys.contains(key));
        table.unsearchable.extend(old.unsearchable.iter().filter(|(key, _)| kept(key)));
        let is_alive = |document: usize| source.alive.as_ref().is_none_or(|alive| alive[document]);
        let file = HintsFile::open(SealedFile::open(directory, &record.hints.file)?)?;
        let mut now = vec![None; old.documents.len()];
        for (document, key) in old.documents.iter().enumerate().filter(|(document, _)| is_alive(*document)) {
            let number = table.documents.len() as u32;
            moved.insert((record.name.clone(), document as u32), (name.into(), number));
            table.documents.push(*key);
            hints.push(file.encoded(document as u32)?.to_vec());
            now[document] = Some(number);
            living += 1;
        }
        all += u64::from(record.documents);
        if record.hints.state == HintsState::Lexical {
            state = HintsState::Lexical;
        }
        not_parsed += record.hints.not_parsed;
        blob_bytes += record.blob_bytes;
        if now.iter().any(Option::is_some) {
            parts.push(Part { inverted: files.inverted(record.documents)?, now });
        }
    }
    if table.documents.is_empty() {
        // What was unsearchable is found out again if its commit ever comes back.
        return Ok(None);
    }
    let mut folder = SegmentFolder::create(directory, name)?;
    merge(&parts, &mut folder.inverted)?;
    // The bytes of documents that left are not known one by one; their share is good enough for choosing what to join.
    let bytes = if all == living { blob_bytes } else { blob_bytes * living / all.max(1) };
    let mut new = folder.finish(table, bytes, state, &hints)?;
    new.record.hints.not_parsed = not_parsed;
    Ok(Some(new.record))
}

/// Writes a manifest again with its documents where they are now.
fn move_manifest(
    directory: &Path,
    generation: &Generation,
    manifest: &Manifest,
    moved: &HashMap<(String, u32), (String, u32)>,
    plain: &str,
) -> Result<(FileRecord, Vec<String>), IndexingError> {
    let mut names: Vec<(String, u32)> = Vec::new();
    let mut entries: Vec<Entry> = Vec::with_capacity(manifest.len() as usize);
    for row in 0..manifest.len() {
        let mut entry = manifest.entry(row)?;
        if let State::Document { segment, document } = entry.state {
            let old = (manifest.segments()[segment as usize].0.clone(), document);
            let (name, document) = moved.get(&old).cloned().unwrap_or(old);
            let at = match names.iter().position(|(known, _)| *known == name) {
                Some(at) => at,
                None => {
                    let found = generation.segments.iter().find(|segment| segment.name == name);
                    let found =
                        found.ok_or_else(|| IndexError::corrupt(directory, format!("segment {name} is gone")))?;
                    names.push((name, found.documents));
                    names.len() - 1
                }
            };
            entry.state = State::Document { segment: at as u32, document };
        }
        entries.push(entry);
    }
    let temporary = directory.join(layout::TEMPORARY).join(plain);
    let writer = ManifestWriter { pin: manifest.pin(), segments: &names, entries: &entries };
    let record = writer.write(&temporary, format!("{}/{plain}", layout::MANIFESTS))?;
    settle(directory, &temporary, &record.name)?;
    Ok((record, names.into_iter().map(|(name, _)| name).collect()))
}

/// The generation's number of each of a manifest's segments.
pub(crate) fn numbers(
    directory: &Path,
    generation: &Generation,
    segments: &[(String, u32)],
) -> Result<Vec<usize>, IndexError> {
    let number = |(name, documents): &(String, u32)| {
        let at = generation.segments.iter().position(|known| known.name == *name && known.documents == *documents);
        at.ok_or_else(|| IndexError::corrupt(directory, format!("segment {name} is not the manifest's")))
    };
    segments.iter().map(number).collect()
}
