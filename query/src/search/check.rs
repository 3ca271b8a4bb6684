//! Reads candidate blobs and keeps the lines that really hold a term.

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
}

/// A document that may hold the term.
pub(super) struct Candidate {
    pub(super) segment: usize,
    pub(super) document: u32,
}

/// A blob to read, with the paths it stands for.
struct Job {
    rows: Vec<Row>,
    blob: Oid,
    bytes: u64,
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
    let manifest = &ground.snapshot.manifest;
    let mut jobs = Vec::new();
    for candidate in candidates {
        let rows: Vec<Row> = ground.scope.rows_of(candidate.segment, candidate.document).collect();
        if let Some(first) = rows.first() {
            let (blob, bytes) = (manifest.id(*first)?, manifest.facts(*first)?.bytes);
            jobs.push(Job { blob, bytes, rows });
        }
    }
    jobs.sort_unstable_by_key(|job| job.rows[0]);
    let mut report =
        ScanReport { over, files: 0, of_files: 0, bytes: 0, of_bytes: jobs.iter().map(|job| job.bytes).sum() };
    report.of_files = jobs.len() as u64;
    let affordable = jobs.iter().position(|job| {
        report.bytes += job.bytes;
        report.bytes > budget.bytes
    });
    if let Some(first_left_out) = affordable {
        report.bytes = jobs[..first_left_out].iter().map(|job| job.bytes).sum();
        jobs.truncate(first_left_out);
        found.cut = true;
    }
    report.files = jobs.len() as u64;
    found.scanned = Some(report);
    let matcher = Matcher::new(term);
    let lines: Vec<Vec<u32>> = if jobs.len() < 4 {
        // Not worth waking other threads.
        let mut reader = Reader::new(ground);
        jobs.iter().map(|job| reader.matching_lines(ground, &matcher, job)).collect::<Result<_, _>>()?
    } else {
        jobs.par_iter()
            .map_init(|| Reader::new(ground), |reader, job| reader.matching_lines(ground, &matcher, job))
            .collect::<Result<_, _>>()?
    };
    for (job, lines) in jobs.iter().zip(lines) {
        if !lines.is_empty() {
            found.push_listed(job.rows.iter().copied(), &lines);
        }
    }
    Ok(())
}

struct Reader {
    objects: Objects,
    buffer: Vec<u8>,
}

impl Reader {
    fn new(ground: &Ground<'_>) -> Self {
        Self { objects: ground.repository.objects(), buffer: Vec::new() }
    }

    fn matching_lines(&mut self, ground: &Ground<'_>, matcher: &Matcher, job: &Job) -> Result<Vec<u32>, Failure> {
        ground.deadline.check().map_err(timed_out)?;
        let blob = self.objects.blob(job.blob, job.bytes, &mut self.buffer)?;
        let Some(blob) = blob else {
            return Err(Failure::new(
                Code::ObjectMissing,
                format!(
                    "blob {} was there when the commit was indexed and is missing now; fetch it, or run `pincite \
                     index` again to record it as skipped",
                    job.blob
                ),
            ));
        };
        let mut lines = Vec::new();
        matcher.for_each_matching_line(blob, &mut |line, _| lines.push(line));
        Ok(lines)
    }
}
