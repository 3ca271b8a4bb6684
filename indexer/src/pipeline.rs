//! One run: everything from the pin to the published generation, and then the hints.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use pincite_shared::git::{EntryKind, Repository};
use pincite_shared::ids::{Oid, Pin};
use pincite_shared::index_format::documents::DocumentKey;
use pincite_shared::index_format::generation::{CommitRecord, Generation, hex, settle};
use pincite_shared::index_format::manifest::{Entry, ManifestWriter, State};
use pincite_shared::index_format::sealed::SealedFile;
use pincite_shared::index_format::segment_files::SegmentFiles;
use pincite_shared::index_format::{IndexError, layout};
use pincite_shared::skip::{OutsideReason, SkipReason};

use crate::error::IndexingError;
use crate::lock::WriterLock;
use crate::options::{HintsWanted, IndexOptions};
use crate::progress::{Phase, Progress};
use crate::report::{IndexReport, peak_memory};
use crate::segment::{self, Built, read_table};
use crate::walk::{self, Known, NewBlob, Sizes, WalkedPath};
use crate::{compact, garbage, syntax_phase};

/// Indexes a commit into `directory`.
///
/// # Errors
/// [`IndexingError`]; the published index then stays as it was, except that hints published before the fault stay.
pub fn index(
    repository: &Repository,
    directory: &Path,
    commit: Oid,
    options: &IndexOptions,
    progress: &dyn Progress,
) -> Result<IndexReport, IndexingError> {
    // Everything that the repository can refuse comes before the first write.
    let pin = repository.pin(commit)?;
    let mut clock = Clock::default();
    let paths = walk::walk(repository, &pin, progress)?;
    if paths.is_empty() {
        return Err(IndexingError::EmptyCommit { commit: commit.to_string() });
    }
    clock.end("walk");
    refuse_inside(repository, directory)?;
    let _lock = WriterLock::acquire(directory)?;
    let mut generation = load(directory, repository)?;
    garbage::prepare(directory)?;
    // A killed run may have left segments under the very names that come next.
    garbage::collect(directory, &generation)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads.get()).build()?;
    let mut report = pool.install(|| {
        let run = Run { repository, directory, pin, options, progress };
        run.postings(&mut generation, &paths, &mut clock)
    })?;
    garbage::collect(directory, &generation)?;
    if options.hints == HintsWanted::Syntax {
        pool.install(|| syntax_phase::run(repository, directory, &mut generation, progress))?;
        clock.end("hints");
        if compact::run(directory, &mut generation)? {
            clock.end("compact");
        }
        garbage::collect(directory, &generation)?;
    }
    finish(&mut report, &generation, commit, clock);
    Ok(report)
}

/// Nothing is ever written into a repository, neither into its Git directory nor into its work tree (P-03).
fn refuse_inside(repository: &Repository, directory: &Path) -> Result<(), IndexError> {
    let absolute = std::path::absolute(directory).map_err(IndexError::io(directory))?;
    let existing = absolute.ancestors().find_map(|ancestor| ancestor.canonicalize().ok()).unwrap_or(absolute);
    let git_dir = repository.git_dir();
    let work_tree = git_dir.parent().filter(|_| git_dir.ends_with(".git"));
    if existing.starts_with(git_dir) || work_tree.is_some_and(|root| existing.starts_with(root)) {
        let reason = "lies inside the repository, into which nothing is written";
        return Err(IndexError::NotForAnIndex { directory: directory.into(), reason });
    }
    Ok(())
}

/// The published generation, or an empty one; refuses another repository's index.
fn load(directory: &Path, repository: &Repository) -> Result<Generation, IndexingError> {
    let format = repository.object_format().name();
    let mut generation = match Generation::load(directory) {
        Err(IndexError::Missing { .. }) => return Ok(Generation::empty(format, repository.git_dir())),
        other => other?,
    };
    if generation.object_format != format {
        return Err(IndexingError::ObjectFormat { found: generation.object_format, wanted: format.into() });
    }
    let here = repository.git_dir().to_string_lossy().into_owned();
    // A fresh shallow clone at the old place has none of the old commits; another place with none is another repository.
    if generation.git_dir != here && generation.is_foreign(|commit| repository.has_object(commit)) {
        let recorded = generation.git_dir.into();
        return Err(IndexError::OtherRepository { directory: directory.into(), recorded }.into());
    }
    generation.git_dir = here;
    Ok(generation)
}

struct Run<'a> {
    repository: &'a Repository,
    directory: &'a Path,
    pin: Pin,
    options: &'a IndexOptions,
    progress: &'a dyn Progress,
}

impl Run<'_> {
    /// Writes segments for new blobs and the manifest, and publishes them.
    fn postings(
        &self,
        generation: &mut Generation,
        paths: &[WalkedPath],
        clock: &mut Clock,
    ) -> Result<IndexReport, IndexingError> {
        let mut names: Vec<(String, u32)> = Vec::new();
        let mut known: HashMap<DocumentKey, Known> = HashMap::new();
        for (number, record) in generation.segments.iter().enumerate() {
            let table = read_table(&SegmentFiles::open(self.directory, record)?, record)?;
            // Else a run that finds nothing to do would call an index good that every query refuses.
            SealedFile::open(self.directory, &record.hints.file)?;
            names.push((record.name.clone(), record.documents));
            remember(&mut known, number as u32, &table);
        }
        let sizes = walk::sizes(self.repository, paths)?;
        let blobs = walk::new_blobs(paths, &sizes, &known, self.options.max_file_bytes);
        if self.options.strict {
            refuse_missing(paths, |key| matches!(sizes.get(&key.blob), Some(None)))?;
        }
        let built = self.segments(generation, &blobs)?;
        let mut lost: HashSet<Oid> = HashSet::new();
        let mut new_documents = 0;
        lost.extend(built.iter().flat_map(|built| &built.lost));
        for new in built.into_iter().flat_map(|built| built.segments) {
            new_documents += new.record.documents as u64;
            remember(&mut known, names.len() as u32, &new.table);
            names.push((new.record.name.clone(), new.record.documents));
            generation.segments.push(new.record);
        }
        if self.options.strict {
            refuse_missing(paths, |key| lost.contains(&key.blob))?;
        }
        clock.end("postings");
        let entries: Vec<Entry> = paths.iter().map(|path| self.entry(path, &sizes, &known, &lost)).collect();
        let mut report = describe(&entries);
        report.new_documents = new_documents;
        report.read_bytes = blobs.iter().map(|blob| blob.bytes).sum();
        report.unchanged = !self.publish(generation, &names, &entries, &report)?;
        clock.end("publish");
        Ok(report)
    }

    fn segments(&self, generation: &mut Generation, blobs: &[NewBlob]) -> Result<Vec<Built>, IndexingError> {
        let total = blobs.iter().map(|blob| blob.bytes).sum();
        self.progress.begin(Phase::Postings, Some(total));
        let plan = self.options.plan(total);
        let shards = walk::shards(blobs, plan.shard);
        let first = generation.next_segment;
        generation.next_segment += shards.len() as u64;
        let next = AtomicUsize::new(0);
        let results: Mutex<BTreeMap<usize, Result<Built, IndexingError>>> = Mutex::default();
        let work = || {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(shard) = shards.get(at) else { return };
                let name = format!("{:08}", first + at as u64);
                let objects = self.repository.objects();
                let result = segment::build(self.directory, &name, &objects, shard, plan.memory, self.progress);
                let failed = result.is_err();
                results.lock().expect("no thread panics while it holds the results").insert(at, result);
                if failed {
                    // The others finish what they have and find nothing more.
                    next.store(shards.len(), Ordering::Relaxed);
                }
            }
        };
        rayon::scope(|scope| (0..plan.threads).for_each(|_| scope.spawn(|_| work())));
        let results = results.into_inner().expect("all threads have ended");
        results.into_values().collect()
    }

    fn entry(
        &self,
        path: &WalkedPath,
        sizes: &Sizes,
        known: &HashMap<DocumentKey, Known>,
        lost: &HashSet<Oid>,
    ) -> Entry {
        let bytes = sizes.get(&path.id).copied().flatten();
        let state = match path.key() {
            None => State::NotAFile,
            Some(key) => match known.get(&key) {
                // Also for a known document: nobody could check what its postings say.
                _ if bytes.is_none() => State::Skipped(SkipReason::MissingObject),
                _ if bytes.is_some_and(|bytes| bytes > self.options.max_file_bytes) => {
                    State::Skipped(SkipReason::TooLarge)
                }
                Some(Known::Document { segment, document }) => {
                    State::Document { segment: *segment, document: *document }
                }
                Some(Known::Unsearchable(reason)) => State::Skipped(*reason),
                None => State::Skipped(SkipReason::MissingObject),
            },
        };
        let bytes = if lost.contains(&path.id) { 0 } else { bytes.unwrap_or_default() };
        Entry { path: path.path.clone(), kind: path.kind, id: path.id, bytes, language: path.language, state }
    }

    /// A commit that is indexed again is the one that is asked by default, as one that is indexed for the first time.
    fn make_newest(&self, generation: &mut Generation, commit: &str) -> Result<(), IndexingError> {
        let Some(at) = generation.commits.iter().position(|known| known.commit == commit) else { return Ok(()) };
        if at + 1 < generation.commits.len() {
            let mut record = generation.commits.remove(at);
            record.indexed_at = now();
            generation.commits.push(record);
            generation.number += 1;
            generation.publish(self.directory)?;
        }
        Ok(())
    }

    /// Writes the manifest and the generation; false when nothing would change.
    fn publish(
        &self,
        generation: &mut Generation,
        names: &[(String, u32)],
        entries: &[Entry],
        report: &IndexReport,
    ) -> Result<bool, IndexingError> {
        let commit = self.pin.commit.to_string();
        let writer = used_segments(names, entries);
        let writer = ManifestWriter { pin: self.pin, segments: &writer.0, entries: &writer.1 };
        let content_sha256 = hex(&writer.content_sha256());
        let was = generation.commit(&commit);
        // A manifest that is lost or damaged at its end is written again.
        let stands = |was: &CommitRecord| SealedFile::open(self.directory, &was.manifest).is_ok();
        if report.new_documents == 0 && was.is_some_and(|was| was.content_sha256 == content_sha256 && stands(was)) {
            self.make_newest(generation, &commit)?;
            return Ok(false);
        }
        generation.number += 1;
        let plain = format!("{commit}-{:08}", generation.number);
        let temporary = self.directory.join(layout::TEMPORARY).join(&plain);
        let manifest = writer.write(&temporary, format!("{}/{plain}", layout::MANIFESTS))?;
        settle(self.directory, &temporary, &manifest.name)?;
        generation.commits.retain(|known| known.commit != commit);
        generation.commits.push(CommitRecord {
            commit,
            tree: self.pin.tree.to_string(),
            indexed_at: now(),
            paths: entries.len() as u32,
            searchable: report.searchable as u32,
            bytes: report.searchable_bytes,
            content_sha256,
            manifest,
            segments: writer.segments.iter().map(|(name, _)| name.clone()).collect(),
        });
        generation.publish(self.directory)?;
        Ok(true)
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

fn remember(
    known: &mut HashMap<DocumentKey, Known>,
    segment: u32,
    table: &pincite_shared::index_format::documents::DocumentTable,
) {
    for (document, key) in table.documents.iter().enumerate() {
        known.insert(*key, Known::Document { segment, document: document as u32 });
    }
    for (key, reason) in &table.unsearchable {
        known.insert(*key, Known::Unsearchable(*reason));
    }
}

/// Only the segments that the commit needs, and its entries numbered by them.
fn used_segments(names: &[(String, u32)], entries: &[Entry]) -> (Vec<(String, u32)>, Vec<Entry>) {
    let mut used: Vec<Option<u32>> = vec![None; names.len()];
    for entry in entries {
        if let State::Document { segment, .. } = entry.state {
            used[segment as usize] = Some(0);
        }
    }
    let mut list = Vec::new();
    for (name, slot) in names.iter().zip(&mut used) {
        if slot.is_some() {
            *slot = Some(list.len() as u32);
            list.push(name.clone());
        }
    }
    let renumber = |entry: &Entry| {
        let mut entry = entry.clone();
        if let State::Document { segment, .. } = &mut entry.state {
            *segment = used[*segment as usize].unwrap_or_default();
        }
        entry
    };
    (list, entries.iter().map(renumber).collect())
}

fn refuse_missing(paths: &[WalkedPath], is_missing: impl Fn(&DocumentKey) -> bool) -> Result<(), IndexingError> {
    let mut missing = paths.iter().filter(|path| path.key().is_some_and(|key| is_missing(&key)));
    match missing.next() {
        None => Ok(()),
        Some(first) => Err(IndexingError::MissingBlobs {
            count: 1 + missing.count() as u64,
            path: String::from_utf8_lossy(&first.path).into_owned(),
        }),
    }
}

fn describe(entries: &[Entry]) -> IndexReport {
    let mut report = IndexReport { paths: entries.len() as u64, ..IndexReport::default() };
    let mut documents = HashSet::new();
    for entry in entries {
        match entry.state {
            State::Document { segment, document } => {
                report.searchable += 1;
                report.searchable_bytes += entry.bytes;
                documents.insert((segment, document));
            }
            State::Skipped(reason) => *report.skipped.entry(reason.name().into()).or_default() += 1,
            State::NotAFile => {
                let reason = match entry.kind {
                    EntryKind::Submodule => OutsideReason::Submodules,
                    _ => OutsideReason::Symlinks,
                };
                *report.outside.entry(reason.name().into()).or_default() += 1;
            }
        }
    }
    report.documents = documents.len() as u64;
    report
}

fn finish(report: &mut IndexReport, generation: &Generation, commit: Oid, clock: Clock) {
    if let Some(record) = generation.commit(&commit.to_string()) {
        report.tree = record.tree.clone();
        report.view_id = generation.view_id(record);
    }
    report.commit = commit.to_string();
    report.object_format = generation.object_format.clone();
    report.index_id = generation.id();
    report.generation = generation.number;
    report.index_bytes = generation.bytes();
    report.segments = generation.segments.len() as u64;
    report.hints = if generation.has_all_syntax_hints() { "syntax" } else { "lexical" }.into();
    report.not_parsed = generation.segments.iter().map(|segment| u64::from(segment.hints.not_parsed)).sum();
    report.milliseconds = clock.phases;
    report.peak_memory_bytes = peak_memory();
}

/// Times the phases of a run.
struct Clock {
    phases: BTreeMap<String, u64>,
    since: Instant,
}

impl Default for Clock {
    fn default() -> Self {
        Self { phases: BTreeMap::new(), since: Instant::now() }
    }
}

impl Clock {
    fn end(&mut self, phase: &str) {
        let spent = self.since.elapsed().as_millis() as u64;
        *self.phases.entry(phase.into()).or_default() += spent;
        self.since = Instant::now();
    }
}
