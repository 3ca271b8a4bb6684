//! Reads candidate blobs and keeps the lines that really hold a term.

use std::sync::atomic::{AtomicU64, Ordering};

use pincite_shared::failure::{Code, Failure};
use pincite_shared::git::Objects;
use pincite_shared::ids::Oid;
use pincite_shared::index_format::manifest::Row;
use pincite_shared::term::{Matcher, Term};
use rayon::prelude::*;

use super::{Found, Ground, ScanReport, Scanned};
use crate::failure::timed_out;

/// Blob bytes that a search may read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) bytes: u64,
    /// Whether a search that would need more reads as far as it goes, or nothing at all.
    pub(crate) partly: bool,
}

/// A document that may hold the term.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) segment: usize,
    pub(crate) document: u32,
}

/// A blob to read, with the paths it stands for.
pub(crate) struct Job {
    pub(crate) candidate: Candidate,
    rows: Vec<Row>,
    blob: Oid,
    pub(crate) bytes: u64,
}

/// Reads the candidates in the order of their paths, as far as the budget goes, and adds what holds the term.
pub(super) fn check(
    ground: &Ground<'_>,
    term: &Term,
    candidates: Vec<Candidate>,
    over: Scanned,
    budget: Budget,
    found: &mut Found,
) -> Result<(), Failure> {
    let mut jobs = jobs(ground, candidates)?;
    let mut report =
        ScanReport { over, files: 0, of_files: 0, bytes: 0, of_bytes: jobs.iter().map(|job| job.bytes).sum() };
    report.of_files = jobs.len() as u64;
    let affordable = jobs.iter().position(|job| {
        report.bytes += job.bytes;
        report.bytes > budget.bytes
    });
    if let Some(first_left_out) = affordable {
        let read = if budget.partly { first_left_out } else { 0 };
        report.bytes = jobs[..read].iter().map(|job| job.bytes).sum();
        jobs.truncate(read);
        found.cut = true;
    }
    report.files = jobs.len() as u64;
    found.scanned = Some(report);
    let matcher = Matcher::new(term);
    let matching = |_: &Job, blob: &[u8]| {
        let mut lines = Vec::new();
        matcher.for_each_matching_line(blob, &mut |line, _| lines.push(line));
        lines
    };
    let lines = read(ground, &jobs, matching, |lines| !lines.is_empty())?;
    for (job, lines) in jobs.iter().zip(lines) {
        if !lines.is_empty() {
            found.push_listed(job.rows.iter().copied(), &lines);
        }
    }
    Ok(())
}

/// The candidates that stand for paths of the scope, in the order of their paths.
pub(crate) fn jobs(ground: &Ground<'_>, candidates: Vec<Candidate>) -> Result<Vec<Job>, Failure> {
    let manifest = &ground.snapshot.manifest;
    let mut jobs = Vec::new();
    for candidate in candidates {
        let rows: Vec<Row> = ground.scope.rows_of(candidate.segment, candidate.document).collect();
        if let Some(first) = rows.first() {
            let (blob, bytes) = (manifest.id(*first)?, manifest.facts(*first)?.bytes);
            jobs.push(Job { candidate, blob, bytes, rows });
        }
    }
    ground.work.considered(jobs.iter().map(|job| job.blob));
    jobs.sort_unstable_by_key(|job| job.rows[0]);
    Ok(jobs)
}

/// What `of` makes of each blob, in the order of the jobs. A blob is kept for the answer when `shown` says that its lines
/// may be there, as long as there is room for all of these.
pub(crate) fn read<T: Send>(
    ground: &Ground<'_>,
    jobs: &[Job],
    of: impl Fn(&Job, &[u8]) -> T + Sync,
    shown: impl Fn(&T) -> bool + Sync,
) -> Result<Vec<T>, Failure> {
    ground.work.read(jobs.iter().map(|job| (job.blob, job.bytes)));
    let kept = AtomicU64::new(0);
    let one = |objects: &Objects, job: &Job| {
        ground.deadline.check().map_err(timed_out)?;
        let looked = objects.look_at_blob(job.blob, job.bytes, |blob| {
            let result = of(job, blob);
            let keep = shown(&result) && objects.has_room_for(kept.fetch_add(job.bytes, Ordering::Relaxed) + job.bytes);
            (result, keep)
        })?;
        looked.ok_or_else(|| {
            Failure::new(
                Code::ObjectMissing,
                format!(
                    "blob {} was there when the commit was indexed and is missing now; fetch it, or run `pincite \
                     index` again to record it as skipped",
                    job.blob
                ),
            )
        })
    };
    if jobs.len() < 4 {
        // Not worth waking other threads.
        let objects = ground.repository.objects();
        return jobs.iter().map(|job| one(&objects, job)).collect();
    }
    jobs.par_iter().map_init(|| ground.repository.objects(), |objects, job| one(objects, job)).collect()
}
