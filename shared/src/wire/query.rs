//! `project.query`: one request, or a bundle of them, each read on its own so that a fault in one spoils no other (Q-01).

use serde_json::Value;

use super::members::{Members, fault, kind_of};
use super::request::Request;
use super::strict_json;
use crate::failure::{Code, Failure};
use crate::settings::Protocol;

/// Requests of one bundle.
pub const MAX_QUERIES: usize = 16;

/// Bytes of a `project.query` text. Sixteen requests with the longest texts and paths stay far below.
pub const MAX_QUERY_BYTES: usize = 1 << 20;

/// What `project.query` was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// One request; its answer is one object.
    One(Request),
    /// A bundle; its answer is `{"results": […]}` in the same order.
    Bundle(Vec<Result<Request, Failure>>),
}

impl Query {
    /// Reads a query from JSON text.
    ///
    /// # Errors
    /// `invalid_request` for text that is too long or not JSON, and as [`Query::parse`].
    pub fn parse_str(text: &str, protocol: Protocol) -> Result<Self, Failure> {
        if text.len() > MAX_QUERY_BYTES {
            return Err(Self::too_long());
        }
        Self::parse(&strict_json::parse(text)?, protocol)
    }

    /// The failure of a text of more than [`MAX_QUERY_BYTES`], of which the reader need not have read more than that.
    pub fn too_long() -> Failure {
        let message = format!("the request is too large; {MAX_QUERY_BYTES} bytes are allowed");
        Failure::new(Code::InvalidRequest, message)
    }

    /// Reads a query: an object with `queries`, or a request.
    ///
    /// # Errors
    /// `invalid_request` when the bundle itself is at fault, or the one request is; faults of requests in a bundle
    /// are their answers.
    pub fn parse(value: &Value, protocol: Protocol) -> Result<Self, Failure> {
        let Some(map) = value.as_object().filter(|map| map.contains_key("queries")) else {
            return Request::parse(value, protocol).map(Self::One);
        };
        Members(map).allow("project.query", &["queries"])?;
        let queries = &map["queries"];
        let Value::Array(queries) = queries else {
            return Err(fault("queries", format!("is {}; an array of requests is needed", kind_of(queries))));
        };
        if queries.is_empty() || queries.len() > MAX_QUERIES {
            return Err(fault("queries", format!("has {} requests; 1 to {MAX_QUERIES} are allowed", queries.len())));
        }
        Ok(Self::Bundle(queries.iter().map(|one| Request::parse(one, protocol)).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refuse(text: &str, field: Option<&str>, says: &str) {
        let failure = Query::parse_str(text, Protocol::One).expect_err(text);
        assert_eq!((failure.code, failure.field.as_deref()), (Code::InvalidRequest, field), "{text}: {failure}");
        assert!(failure.message.contains(says), "{text}: {failure}");
    }

    // Q-01
    #[test]
    fn bundles_are_bounded_and_their_requests_stand_alone() {
        let list = r#"{"kind":"source.list"}"#;
        let bundle = |count: usize| format!("{{\"queries\":[{}]}}", vec![list; count].join(","));
        assert!(matches!(Query::parse_str(list, Protocol::One), Ok(Query::One(_))));
        assert!(matches!(Query::parse_str(&bundle(16), Protocol::One), Ok(Query::Bundle(all)) if all.len() == 16));
        refuse(&bundle(17), Some("queries"), "has 17 requests; 1 to 16 are allowed");
        refuse(&bundle(0), Some("queries"), "has 0 requests");
        refuse(r#"{"queries":{}}"#, Some("queries"), "an array of requests is needed");
        refuse(r#"{"queries":[],"kind":"source.list"}"#, Some("kind"), "`queries` are allowed");
        refuse(r#"{"queries":[],"queries":[]}"#, Some("queries"), "stands twice");
        refuse("[]", None, "an object is needed");
        refuse(&" ".repeat(MAX_QUERY_BYTES + 1), None, "are allowed");
        let mixed = r#"{"queries":[{"kind":"source.list"},{"kind":"source.read"},{"queries":[]},7]}"#;
        let Ok(Query::Bundle(all)) = Query::parse_str(mixed, Protocol::One) else { panic!("a bundle") };
        let fields: Vec<_> = all.iter().map(|one| one.as_ref().err().map(|failure| failure.field.clone())).collect();
        assert_eq!(fields, [None, Some(Some("path".into())), Some(Some("kind".into())), Some(None)]);
    }
}
