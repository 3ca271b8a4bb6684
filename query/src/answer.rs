//! Answers: the wire form of a result, and the last limit before it leaves.

use std::io;

use pincite_shared::failure::{Code, Failure};
use pincite_shared::wire::result::{ContextResult, ListResult, ReadResult, SearchResult, WireHead};
use pincite_shared::wire::selection::SelectionResult;
use serde::Serialize;
use serde_json::Value;

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

/// Bytes that may still be written.
struct Room(u64);

impl io::Write for Room {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len() as u64).ok_or(io::ErrorKind::FileTooLarge)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
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

    /// Whether the JSON of the answer is within `max_result_bytes`, without making it.
    ///
    /// # Errors
    /// `result_too_large` (L-02).
    pub fn check_size(&self, max_result_bytes: u64) -> Result<(), Failure> {
        // Nothing is as large as no limit.
        if max_result_bytes == u64::MAX {
            return Ok(());
        }
        let mut room = Room(max_result_bytes);
        // What does not fit into the room is the only error that there can be; it ends the counting.
        serde_json::to_writer(&mut room, self).map_err(|_| result_too_large(max_result_bytes))
    }

    /// Reads an answer back from its JSON.
    ///
    /// # Errors
    /// What is wrong with it, for a person: an unknown kind, or a member that is missing or of a wrong type. Members
    /// that are unknown are not noticed.
    pub fn from_value(value: &Value) -> Result<Self, String> {
        fn read<T: serde::de::DeserializeOwned>(value: &Value) -> Result<T, String> {
            T::deserialize(value).map_err(|error| error.to_string())
        }
        match value.get("kind").and_then(Value::as_str) {
            Some("source.context") if value.get("protocol").and_then(Value::as_u64) == Some(2) => {
                read(value).map(Self::Selection)
            }
            Some("source.context") => read(value).map(Self::Context),
            Some("source.search") => read(value).map(Self::Search),
            Some("source.read") => read(value).map(Self::Read),
            Some("source.list") => read(value).map(Self::List),
            _ => Err("`kind` is none of the known kinds".into()),
        }
    }

    /// What every answer begins with.
    pub fn head(&self) -> &WireHead {
        match self {
            Self::Context(result) => &result.head,
            Self::Selection(result) => &result.head,
            Self::Search(result) => &result.head,
            Self::Read(result) => &result.head,
            Self::List(result) => &result.head,
        }
    }
}
