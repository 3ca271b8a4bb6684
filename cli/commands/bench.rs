//! `pincite bench`: what queries and builds cost on the user's own repository.
//!
//! Terms come from [`pincite_query::sample`], so the same seed asks the same questions. Nothing is asserted: the numbers
//! are for the reader, and `--check` holds a part of the answers against a scan.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use pincite_indexer::{IndexOptions, IndexReport, NoProgress};
use pincite_query::sample::{self, SampleKind};
use pincite_query::{Answer, Engine, verify};
use pincite_shared::failure::{Code, Failure};
use pincite_shared::git::Repository;
use pincite_shared::settings::Settings;
use pincite_shared::wire::request::Request;
use serde::Serialize;

use crate::flags::{BenchArguments, Place, ReportFormat};
use crate::render;
use crate::target::Target;

/// Warm repetitions of one request, of which the median counts.
const REPEATS: usize = 3;
/// Matches that a search lists without a profile.
const LISTED: u32 = 100;

/// What was measured.
#[derive(Debug, Serialize)]
pub(crate) struct Bench {
    pub(crate) version: &'static str,
    pub(crate) commit: String,
    pub(crate) index_id: String,
    pub(crate) processors: usize,
    pub(crate) seed: u64,
    pub(crate) index_bytes: u64,
    pub(crate) searchable_bytes: u64,
    pub(crate) queries: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) builds: Option<Builds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) peak_memory_bytes: Option<u64>,
}

/// The latencies of one kind, in microseconds.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) kind: &'static str,
    pub(crate) terms: usize,
    pub(crate) cold_p50: u64,
    pub(crate) warm_p50: u64,
    pub(crate) warm_p90: u64,
    pub(crate) warm_p99: u64,
    pub(crate) warm_max: u64,
    /// The term that took longest.
    pub(crate) slowest: String,
    /// Lines that matched, of all terms.
    pub(crate) lines: u64,
    /// Blob bytes read, of all terms.
    pub(crate) read_bytes: u64,
    /// Requests that ended in an error, by the profile's limits.
    pub(crate) errors: u64,
    pub(crate) checked: u64,
    /// Checked answers that do not hold.
    pub(crate) wrong: Vec<String>,
}

/// What builds cost.
#[derive(Debug, Serialize)]
pub(crate) struct Builds {
    pub(crate) full: IndexReport,
    pub(crate) full_milliseconds: u64,
    /// The commit into an index that has its first parent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<IndexReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_milliseconds: Option<u64>,
}

pub(crate) fn run(place: &Place, arguments: &BenchArguments) -> Result<ExitCode, Failure> {
    let target = Target::resolve(place)?;
    let mut settings = target.settings.clone().unwrap_or_else(|| {
        let mut settings = Settings::unlimited();
        settings.source_analysis.max_matches = LISTED;
        settings
    });
    settings.source_analysis.enabled = true;
    let commit = target.commit(arguments.commit.as_deref())?;
    let git_dir = target.repository.git_dir().to_owned();
    let index = target.index.clone();
    let open = || Engine::open(Repository::open(&git_dir)?, &index, commit, settings.clone());
    let engine = open()?;
    let mut queries = Vec::new();
    for (kind, requests) in sample::sample(&engine, arguments.seed, arguments.terms as usize)? {
        // A newly opened index for the cold ones; the system's cache of files stays warm.
        queries.push(measure(&open()?, &engine, kind, &requests, arguments.check as usize));
    }
    let builds = arguments.build.then(|| build(&git_dir, &engine)).transpose()?;
    let generation = engine.snapshot().generation();
    let bench = Bench {
        version: env!("CARGO_PKG_VERSION"),
        commit: engine.pin().commit.to_string(),
        index_id: generation.id(),
        processors: std::thread::available_parallelism().map_or(0, std::num::NonZero::get),
        seed: arguments.seed,
        index_bytes: generation.bytes(),
        searchable_bytes: engine.snapshot().commit().bytes,
        queries,
        builds,
        peak_memory_bytes: pincite_indexer::peak_memory(),
    };
    match arguments.format {
        ReportFormat::Json => render::json(&bench)?,
        ReportFormat::Text => render::text::bench(&bench)?,
    }
    Ok(if bench.queries.iter().all(|row| row.wrong.is_empty()) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn measure(cold: &Engine, warm: &Engine, kind: SampleKind, requests: &[Request], check: usize) -> Row {
    let (mut colds, mut warms) = (Vec::new(), Vec::new());
    let mut row = Row {
        kind: kind.name(),
        terms: requests.len(),
        cold_p50: 0,
        warm_p50: 0,
        warm_p90: 0,
        warm_p99: 0,
        warm_max: 0,
        slowest: String::new(),
        lines: 0,
        read_bytes: 0,
        errors: 0,
        checked: 0,
        wrong: Vec::new(),
    };
    for (request, number) in requests.iter().zip(0..) {
        let (microseconds, _) = timed(cold, request);
        colds.push(microseconds);
        // Once for the caches of the warm engine.
        let (_, answer) = timed(warm, request);
        let mut repeats: Vec<u64> = (0..REPEATS).map(|_| timed(warm, request).0).collect();
        repeats.sort_unstable();
        let median = repeats[REPEATS / 2];
        let text = text_of(request);
        if warms.iter().all(|other| *other < median) {
            row.slowest = text.to_owned();
        }
        warms.push(median);
        match answer {
            Err(_) => row.errors += 1,
            Ok(answer) => {
                row.lines += searched_lines(&answer);
                row.read_bytes += answer.head().work.bytes_read;
                if number < check {
                    row.checked += 1;
                    let wrong = verify::recount(warm, &answer);
                    row.wrong.extend(wrong.iter().map(|one| format!("{text:?} {}: {}", one.pointer, one.problem)));
                }
            }
        }
    }
    colds.sort_unstable();
    warms.sort_unstable();
    row.cold_p50 = percentile(&colds, 50);
    row.warm_p50 = percentile(&warms, 50);
    row.warm_p90 = percentile(&warms, 90);
    row.warm_p99 = percentile(&warms, 99);
    row.warm_max = percentile(&warms, 100);
    row
}

fn timed(engine: &Engine, request: &Request) -> (u64, Result<Answer, Failure>) {
    let began = Instant::now();
    let answer = engine.answer(request);
    (u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX), answer)
}

/// The value below which so many per cent of the sorted values lie, by the nearest rank.
fn percentile(sorted: &[u64], percent: usize) -> u64 {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or_default()
}

fn text_of(request: &Request) -> &str {
    match request {
        Request::Context { text, .. } | Request::Search { text, .. } => text,
        Request::Read { .. } | Request::List { .. } => "",
    }
}

fn searched_lines(answer: &Answer) -> u64 {
    match answer {
        Answer::Selection(result) => result.searches.iter().map(|search| search.matches).sum(),
        Answer::Context(result) => result.searches.iter().map(|search| search.matches).sum(),
        Answer::Search(result) => result.searches.iter().map(|search| search.matches).sum(),
        Answer::Read(_) | Answer::List(_) => 0,
    }
}

/// Builds into fresh folders beside the system's temporary files, which are removed again.
fn build(git_dir: &Path, engine: &Engine) -> Result<Builds, Failure> {
    let folder = || {
        tempfile::tempdir()
            .map_err(|error| Failure::new(Code::Internal, format!("no temporary folder could be made: {error}")))
    };
    let options = IndexOptions { max_file_bytes: engine.settings().limits.max_file_bytes, ..IndexOptions::default() };
    let commit = engine.pin().commit;
    let run = |directory: &Path, commit| {
        let began = Instant::now();
        let report = pincite_indexer::index(&Repository::open(git_dir)?, directory, commit, &options, &NoProgress)?;
        Ok::<_, Failure>((report, u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX)))
    };
    let empty = folder()?;
    let (full, full_milliseconds) = run(&empty.path().join("index"), commit)?;
    let (mut next, mut next_milliseconds) = (None, None);
    // A commit without a parent, or a shallow clone, has no next commit to measure.
    if let Ok(parent) = engine.repository().resolve(&format!("{commit}^")) {
        let grown = folder()?;
        let directory = grown.path().join("index");
        run(&directory, parent)?;
        let (report, milliseconds) = run(&directory, commit)?;
        (next, next_milliseconds) = (Some(report), Some(milliseconds));
    }
    Ok(Builds { full, full_milliseconds, next, next_milliseconds })
}

#[cfg(test)]
mod tests {
    use super::percentile;

    #[test]
    fn percentiles_are_the_nearest_ranks() {
        let values: Vec<u64> = (1..=200).collect();
        assert_eq!([50, 90, 99, 100].map(|percent| percentile(&values, percent)), [100, 180, 198, 200]);
        assert_eq!((percentile(&[7], 50), percentile(&[7], 99), percentile(&[], 50)), (7, 7, 0));
    }
}
