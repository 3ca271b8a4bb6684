//! Turns causes of the query engine into failures.

use pincite_shared::deadline::TimedOut;
use pincite_shared::failure::{Code, Failure};

pub(crate) fn timed_out(error: TimedOut) -> Failure {
    let message = format!(
        "the request was ended after {} ms; narrow it (a longer term, a `path_prefix`) or raise `limits.timeout_ms`",
        error.limit.as_millis()
    );
    Failure::new(Code::Timeout, message).field("timeout_ms")
}

pub(crate) fn result_too_large(limit: u64) -> Failure {
    let message = format!(
        "the answer is larger than {limit} bytes; narrow it (`max_matches`, `path_prefix`, fewer lines) or raise \
         `limits.max_result_bytes`"
    );
    Failure::new(Code::ResultTooLarge, message).field("max_result_bytes")
}
