//! Where every face gets its answers: the engine or the package, on threads that may block, a few at a time.

use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Instant;

use pincite_query::contract::contract_text;
use pincite_query::package::Package;
use pincite_query::{Answer, Reply};
use pincite_shared::failure::{Code, Failure};
use pincite_shared::settings::Protocol;
use pincite_shared::wire::query::Query;
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::index_source::IndexSource;
use crate::metrics::{ANSWERED, Metrics};

/// What a server answers from.
pub struct Backend {
    source: IndexSource,
    package: Option<Package>,
    /// One permit for each query that the engine works on.
    workers: Arc<Semaphore>,
    pub(crate) metrics: Metrics,
}

/// A reply, with the captures that hold its answers.
pub(crate) struct Replied {
    pub(crate) reply: Reply,
    /// In the order of the answers; `None` for an error, or without a package.
    pub(crate) captures: Vec<Option<String>>,
}

impl Backend {
    /// Answers from an index, or into a package.
    ///
    /// # Errors
    /// `settings_mismatch` when the package is fixed to something else.
    pub fn new(source: IndexSource, package: Option<Package>) -> Result<Arc<Self>, Failure> {
        if let Some(package) = &package {
            package.check(&source.current())?;
        }
        let workers = available_parallelism().map_or(2, |count| count.get().max(2));
        Ok(Arc::new(Self { source, package, workers: Arc::new(Semaphore::new(workers)), metrics: Metrics::default() }))
    }

    pub(crate) fn package(&self) -> Option<&Package> {
        self.package.as_ref()
    }

    /// The protocol of requests and results.
    pub(crate) fn protocol(&self) -> Protocol {
        self.source.current().settings().source_analysis.protocol
    }

    /// What a model is told: the package's contract, else that of the settings.
    pub(crate) fn instructions(&self) -> String {
        match &self.package {
            Some(package) => {
                package.context().contract.get("text").and_then(Value::as_str).unwrap_or_default().to_owned()
            }
            None => contract_text(self.source.current().settings()),
        }
    }

    /// Answers a query as soon as a worker is free.
    ///
    /// When this future is dropped, a query that waits is never begun. One that the engine works on ends at its own
    /// `timeout_ms` and keeps its worker until then, so that no more than the allowed number ever run.
    pub(crate) async fn ask(self: &Arc<Self>, query: Query) -> Result<Replied, Failure> {
        let defect = || Failure::new(Code::Internal, "pincite met a defect of its own while answering");
        let permit = Arc::clone(&self.workers).acquire_owned().await.map_err(|_| defect())?;
        let backend = Arc::clone(self);
        let work = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            backend.answer(&query)
        });
        work.await.map_err(|_| defect())?
    }

    /// Runs something that blocks, such as reading captures.
    pub(crate) async fn blocking<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Self) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let backend = Arc::clone(self);
        let work = tokio::task::spawn_blocking(move || work(&backend));
        work.await.map_err(|_| Failure::new(Code::Internal, "pincite met a defect of its own"))?
    }

    fn answer(&self, query: &Query) -> Result<Replied, Failure> {
        let _in_flight = self.metrics.begin();
        let began = Instant::now();
        let engine = self.source.newest();
        let result = match &self.package {
            None => engine.query(query),
            Some(package) => package.query(&engine, query),
        };
        self.metrics.took(began.elapsed());
        self.count(query, &result);
        let reply = result?;
        let capture = |answer: &Answer| self.package.as_ref().and_then(|package| package.capture_of(answer));
        let captures = match &reply {
            Reply::One(answer) => vec![capture(answer)],
            Reply::Bundle(answers) => answers.iter().map(|one| one.as_ref().ok().and_then(capture)).collect(),
        };
        Ok(Replied { reply, captures })
    }

    fn count(&self, query: &Query, result: &Result<Reply, Failure>) {
        let outcome = |failure: Option<&Failure>| failure.map_or(ANSWERED, |failure| failure.code.name());
        match query {
            Query::One(request) => self.metrics.request(request.kind(), outcome(result.as_ref().err())),
            Query::Bundle(requests) => {
                for (number, request) in requests.iter().enumerate() {
                    let one = match result {
                        Ok(Reply::Bundle(answers)) => answers.get(number).and_then(|answer| answer.as_ref().err()),
                        Ok(Reply::One(_)) => None,
                        Err(failure) => Some(failure),
                    };
                    self.metrics.request(request.as_ref().map_or("invalid", |request| request.kind()), outcome(one));
                }
            }
        }
    }

    /// Counts a query that could not be read.
    pub(crate) fn count_invalid(&self, failure: &Failure) {
        self.metrics.request("invalid", failure.code.name());
    }

    /// The counters as Prometheus text. Blocks while a new generation is opened.
    pub(crate) fn metrics_text(&self) -> String {
        let engine = self.source.newest();
        self.metrics.text(engine.generation_number(), self.source.failed())
    }
}
