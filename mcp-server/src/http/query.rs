//! `POST /query`: a `project.query` request in, the reply's JSON out.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONNECTION, CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse, Response};
use pincite_shared::failure::{Code, Failure};
use pincite_shared::wire::query::{MAX_QUERY_BYTES, Query};
use pincite_shared::wire::result::WireError;

use crate::backend::Backend;

const JSON: [(axum::http::HeaderName, &str); 1] = [(CONTENT_TYPE, "application/json")];

pub(super) async fn query(State(backend): State<Arc<Backend>>, body: Bytes) -> Response {
    if body.len() > MAX_QUERY_BYTES {
        backend.metrics.refused("size");
        return too_large();
    }
    let text = str::from_utf8(&body).map_err(|_| Failure::new(Code::InvalidRequest, "the request is not valid UTF-8"));
    let query = match text.and_then(|text| Query::parse_str(text, backend.protocol())) {
        Ok(query) => query,
        Err(failure) => {
            backend.count_invalid(&failure);
            return error(&failure);
        }
    };
    match backend.ask(query).await.and_then(|replied| replied.reply.to_json()) {
        Ok(json) => (StatusCode::OK, JSON, format!("{json}\n")).into_response(),
        Err(failure) => error(&failure),
    }
}

/// A body above the limit, which was not read to its end.
pub(super) fn too_large() -> Response {
    let mut response = error(&Query::too_long());
    *response.status_mut() = StatusCode::PAYLOAD_TOO_LARGE;
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

fn error(failure: &Failure) -> Response {
    let json = serde_json::to_string(&WireError::from(failure)).unwrap_or_default();
    (status(failure.code), JSON, format!("{json}\n")).into_response()
}

/// The status of a controlled error, as tabled in `docs/protocol.md`.
fn status(code: Code) -> StatusCode {
    match code {
        Code::InvalidRequest | Code::UnsafePath | Code::OutsideScope => StatusCode::BAD_REQUEST,
        Code::Disabled => StatusCode::FORBIDDEN,
        Code::NotFound | Code::UnknownEntity => StatusCode::NOT_FOUND,
        Code::SettingsMismatch => StatusCode::CONFLICT,
        Code::ResultTooLarge => StatusCode::UNPROCESSABLE_ENTITY,
        Code::BudgetExhausted => StatusCode::TOO_MANY_REQUESTS,
        Code::IndexMissing | Code::IndexBusy => StatusCode::SERVICE_UNAVAILABLE,
        Code::Timeout => StatusCode::GATEWAY_TIMEOUT,
        Code::IndexCorrupt
        | Code::PackageCorrupt
        | Code::ObjectMissing
        | Code::ObjectCorrupt
        | Code::InvalidProfile
        | Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
