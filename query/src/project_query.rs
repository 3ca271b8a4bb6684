//! `project.query`: one request or a bundle, answered in order under one deadline.
//!
//! Each request has its own limits and its own result; one that fails spoils no other. Packages answer through
//! [`answer_each`] too, with a cache and a budget before the engine.

use pincite_shared::deadline::Deadline;
use pincite_shared::failure::{Code, Failure};
use pincite_shared::wire::query::Query;
use pincite_shared::wire::request::Request;
use pincite_shared::wire::result::WireError;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::answer::Answer;
use crate::engine::Engine;

/// What a query is answered with.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::large_enum_variant, reason = "one exists per query")]
pub enum Reply {
    /// The answer to one request.
    One(Answer),
    /// The answers to a bundle, in its order.
    Bundle(Vec<Result<Answer, Failure>>),
}

impl Reply {
    /// The JSON of the reply: a result, or `{"results": […]}` of results and errors.
    ///
    /// # Errors
    /// `internal` when it does not serialize.
    pub fn to_json(&self) -> Result<String, Failure> {
        serde_json::to_string(self)
            .map_err(|error| Failure::new(Code::Internal, format!("a reply did not serialize: {error}")))
    }
}

impl Serialize for Reply {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Entry<'a> {
            Answer(&'a Answer),
            Error(WireError),
        }
        match self {
            Self::One(answer) => answer.serialize(serializer),
            Self::Bundle(answers) => {
                let entry = |one: &'_ Result<Answer, Failure>| match one {
                    Ok(answer) => serde_json::to_value(Entry::Answer(answer)),
                    Err(failure) => serde_json::to_value(Entry::Error(failure.into())),
                };
                let entries: Result<Vec<_>, _> = answers.iter().map(entry).collect();
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("results", &entries.map_err(serde::ser::Error::custom)?)?;
                map.end()
            }
        }
    }
}

impl Engine {
    /// Answers a query.
    ///
    /// # Errors
    /// Of the one request; in a bundle they stand in the reply.
    pub fn query(&self, query: &Query) -> Result<Reply, Failure> {
        answer_each(self, query, |request, deadline| self.bounded(request, deadline))
    }

    /// An answer whose JSON is within `max_result_bytes`.
    pub(crate) fn bounded(&self, request: &Request, deadline: Deadline) -> Result<Answer, Failure> {
        let answer = self.answer_within(request, deadline)?;
        answer.check_size(self.settings.limits.max_result_bytes)?;
        Ok(answer)
    }
}

/// Gives each request of a query to `answer`, with the deadline that all share.
pub(crate) fn answer_each(
    engine: &Engine,
    query: &Query,
    mut answer: impl FnMut(&Request, Deadline) -> Result<Answer, Failure>,
) -> Result<Reply, Failure> {
    let deadline = engine.deadline();
    match query {
        Query::One(request) => answer(request, deadline).map(Reply::One),
        Query::Bundle(requests) => {
            let mut each = |one: &Result<Request, Failure>| answer(one.as_ref().map_err(Clone::clone)?, deadline);
            Ok(Reply::Bundle(requests.iter().map(&mut each).collect()))
        }
    }
}
