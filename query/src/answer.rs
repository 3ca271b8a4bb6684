//! Answers: the wire form of a result, and the last limit before it leaves.

use pincite_shared::failure::{Code, Failure};
use pincite_shared::wire::result::{ContextResult, ListResult, ReadResult, SearchResult};
use pincite_shared::wire::selection::SelectionResult;
use serde::Serialize;

use crate::failure::result_too_large;

/// The result of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "one exists per request")]
pub enum Answer {
    /// `source.context`, protocol 1.
    Context(ContextResult),
    /// `source.context`, protocol 2.
    Selection(SelectionResult),
    /// `source.search`.
    Search(SearchResult),
    /// `source.read`.
    Read(ReadResult),
    /// `source.list`.
    List(ListResult),
}

impl Answer {
    /// The JSON of the answer, if it is within `max_result_bytes`.
    ///
    /// # Errors
    /// `result_too_large` (L-02).
    pub fn to_json(&self, max_result_bytes: u64) -> Result<String, Failure> {
        let json = serde_json::to_string(self)
            .map_err(|error| Failure::new(Code::Internal, format!("an answer did not serialize: {error}")))?;
        if json.len() as u64 > max_result_bytes { Err(result_too_large(max_result_bytes)) } else { Ok(json) }
    }
}
