//! What a server counts, and its Prometheus text.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the histogram's buckets, in seconds.
const BUCKETS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

/// The outcome of a request that was answered.
pub(crate) const ANSWERED: &str = "answered";

/// Counters since the server began.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    requests: Mutex<BTreeMap<(&'static str, &'static str), u64>>,
    refused: Mutex<BTreeMap<&'static str, u64>>,
    /// Queries per bucket; the last counts those beyond every bound.
    buckets: [AtomicU64; BUCKETS.len() + 1],
    microseconds: AtomicU64,
    in_flight: AtomicU64,
}

/// A query that is being answered; it stops counting as one when dropped.
pub(crate) struct InFlight<'a>(&'a Metrics);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    /// Counts one request of a kind by its outcome: [`ANSWERED`] or the code of its error.
    pub(crate) fn request(&self, kind: &'static str, outcome: &'static str) {
        *self.requests.lock().unwrap_or_else(PoisonError::into_inner).entry((kind, outcome)).or_default() += 1;
    }

    /// Counts a request that was turned away before it was read.
    pub(crate) fn refused(&self, reason: &'static str) {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner).entry(reason).or_default() += 1;
    }

    pub(crate) fn begin(&self) -> InFlight<'_> {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        InFlight(self)
    }

    /// Records how long a query took.
    pub(crate) fn took(&self, time: Duration) {
        let bucket = BUCKETS.iter().position(|bound| time.as_secs_f64() <= *bound).unwrap_or(BUCKETS.len());
        if let Some(count) = self.buckets.get(bucket) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        let microseconds = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.microseconds.fetch_add(microseconds, Ordering::Relaxed);
    }

    /// The counters as Prometheus reads them, with the state of the index.
    pub(crate) fn text(&self, generation: u64, reopen_failures: u64) -> String {
        let mut out = String::new();
        let head = |out: &mut String, name: &str, kind: &str, help: &str| {
            let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
        };
        head(
            &mut out,
            "pincite_requests_total",
            "counter",
            "Requests by kind and outcome, each of a bundle by itself.",
        );
        for ((kind, outcome), count) in self.requests.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let _ = writeln!(out, "pincite_requests_total{{kind=\"{kind}\",outcome=\"{outcome}\"}} {count}");
        }
        head(&mut out, "pincite_refused_total", "counter", "HTTP requests turned away unread, by reason.");
        for (reason, count) in self.refused.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let _ = writeln!(out, "pincite_refused_total{{reason=\"{reason}\"}} {count}");
        }
        head(&mut out, "pincite_query_seconds", "histogram", "Time from the engine's begin to its answer, per query.");
        let mut sum = 0;
        for (bound, count) in BUCKETS.iter().map(f64::to_string).chain(["+Inf".to_owned()]).zip(&self.buckets) {
            sum += count.load(Ordering::Relaxed);
            let _ = writeln!(out, "pincite_query_seconds_bucket{{le=\"{bound}\"}} {sum}");
        }
        let seconds = Duration::from_micros(self.microseconds.load(Ordering::Relaxed)).as_secs_f64();
        let _ = writeln!(out, "pincite_query_seconds_sum {seconds}\npincite_query_seconds_count {sum}");
        head(&mut out, "pincite_queries_in_flight", "gauge", "Queries that the engine is answering.");
        let _ = writeln!(out, "pincite_queries_in_flight {}", self.in_flight.load(Ordering::Relaxed));
        head(&mut out, "pincite_index_generation", "gauge", "Number of the index generation that answers.");
        let _ = writeln!(out, "pincite_index_generation {generation}");
        head(&mut out, "pincite_index_reopen_failures_total", "counter", "New generations that could not be opened.");
        let _ = writeln!(out, "pincite_index_reopen_failures_total {reopen_failures}");
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_add_up() {
        let metrics = Metrics::default();
        for time in [1, 2, 40_000, 90_000_000] {
            metrics.took(Duration::from_micros(time));
        }
        metrics.request("source.read", ANSWERED);
        let _open = metrics.begin();
        let text = metrics.text(7, 0);
        for line in [
            "pincite_query_seconds_bucket{le=\"0.001\"} 2",
            "pincite_query_seconds_bucket{le=\"0.05\"} 3",
            "pincite_query_seconds_bucket{le=\"30\"} 3",
            "pincite_query_seconds_bucket{le=\"+Inf\"} 4",
            "pincite_query_seconds_count 4",
            "pincite_requests_total{kind=\"source.read\",outcome=\"answered\"} 1",
            "pincite_queries_in_flight 1",
            "pincite_index_generation 7",
        ] {
            assert!(text.lines().any(|one| one == line), "{line} is missing: {text}");
        }
    }
}
