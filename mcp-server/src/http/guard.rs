//! What every request passes before its route: host and origin, token, admission, size.
//!
//! A page in a browser can reach a server on loopback, also under a name that it made point there (DNS rebinding). So
//! the `Host` has to be an address or a name that the operator allowed, and an `Origin` has to be the server's own.

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, CONNECTION, CONTENT_LENGTH, HOST, ORIGIN, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body::{Frame, SizeHint};
use pincite_shared::wire::canonical::sha256;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::query::too_large;
use super::{HttpOptions, MAX_BODY_BYTES};
use crate::backend::Backend;
use crate::doubled;

/// Requests with a body that are answered or wait for a worker at once.
const MAX_REQUESTS: usize = 64;
/// Streams that clients hold open for what the server may say by itself.
const MAX_STREAMS: usize = 128;
/// Sessions of clients that speak a revision that has them.
const MAX_SESSIONS: usize = 256;
/// How long a client may take to send a body.
const BODY_TIMEOUT: Duration = Duration::from_secs(30);

/// The rules, and what counts against them.
pub(super) struct Guard {
    backend: Arc<Backend>,
    /// SHA-256 of the token.
    token: Option<String>,
    names: Vec<String>,
    loopback: bool,
    requests: Arc<Semaphore>,
    streams: Arc<Semaphore>,
    sessions: Arc<LocalSessionManager>,
}

/// Why a request is turned away: the word in the metrics, the status, a sentence.
struct Refused(&'static str, StatusCode, &'static str);

impl Guard {
    pub(super) fn new(
        backend: Arc<Backend>,
        options: &HttpOptions,
        bound: IpAddr,
        sessions: Arc<LocalSessionManager>,
    ) -> Self {
        Self {
            backend,
            token: options.token.as_ref().map(|token| sha256(token.as_bytes())),
            names: options.hosts.clone(),
            loopback: bound.is_loopback(),
            requests: Arc::new(Semaphore::new(MAX_REQUESTS)),
            streams: Arc::new(Semaphore::new(MAX_STREAMS)),
            sessions,
        }
    }

    fn allows_host(&self, host: &str) -> bool {
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        match bare.parse::<IpAddr>() {
            // No name was resolved, so none can have been made to point here.
            Ok(address) => address.is_loopback() || !self.loopback,
            Err(_) => ["localhost"]
                .into_iter()
                .chain(self.names.iter().map(String::as_str))
                .any(|name| host.eq_ignore_ascii_case(name)),
        }
    }

    fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Refused> {
        let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let several = |name| headers.get_all(name).iter().count() > 1;
        let host = text(HOST).or_else(|| uri.authority().map(Authority::as_str)).unwrap_or_default();
        let authority: Option<Authority> = host.parse().ok().filter(|_| !several(HOST) && !host.contains('@'));
        if !authority.as_ref().is_some_and(|authority| self.allows_host(authority.host())) {
            return Err(Refused("host", StatusCode::FORBIDDEN, "the Host is not one of this server's"));
        }
        if let Some(origin) = text(ORIGIN) {
            let own = ["http://", "https://"]
                .iter()
                .any(|scheme| origin.strip_prefix(scheme).is_some_and(|rest| rest.eq_ignore_ascii_case(host)));
            if !own || several(ORIGIN) {
                return Err(Refused("origin", StatusCode::FORBIDDEN, "the Origin is not this server's own"));
            }
        }
        let Some(expected) = self.token.as_ref().filter(|_| uri.path() != "/healthz") else { return Ok(()) };
        let shown = text(AUTHORIZATION).and_then(|value| value.split_once(' '));
        let shown = shown.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, token)| token.trim());
        match shown {
            Some(token) if equal(&sha256(token.as_bytes()), expected) => Ok(()),
            _ => Err(Refused("token", StatusCode::UNAUTHORIZED, "a bearer token is needed, and this is not it")),
        }
    }

    /// A slot for as long as the request is answered; `None` for requests that need none.
    async fn admit(&self, head: &Parts) -> Result<Option<OwnedSemaphorePermit>, Refused> {
        let busy = |message| Refused("busy", StatusCode::SERVICE_UNAVAILABLE, message);
        let slot = |slots: &Arc<Semaphore>| {
            Arc::clone(slots).try_acquire_owned().map(Some).map_err(|_| busy("too many requests at once; try again"))
        };
        let is_tools = head.uri.path() == "/mcp";
        match head.method {
            Method::GET if is_tools => slot(&self.streams),
            Method::POST => {
                let header = |name: &str| head.headers.get(name);
                let opens = is_tools
                    && header("mcp-session-id").is_none()
                    && header("mcp-protocol-version")
                        .is_none_or(|version| version.as_bytes() < b"2026-07-28".as_slice());
                if opens && self.sessions.sessions.read().await.len() >= MAX_SESSIONS {
                    return Err(busy("too many sessions at once; try again later"));
                }
                slot(&self.requests)
            }
            _ => Ok(None),
        }
    }

    fn refuse(&self, Refused(reason, status, message): Refused) -> Response {
        self.backend.metrics.refused(reason);
        // The body was not read, so the connection can not be used again.
        let mut response = (status, [(CONNECTION, "close")], format!("{message}\n")).into_response();
        let more = match status {
            StatusCode::UNAUTHORIZED => Some((WWW_AUTHENTICATE, "Bearer")),
            StatusCode::SERVICE_UNAVAILABLE => Some((RETRY_AFTER, "1")),
            _ => None,
        };
        if let Some((name, value)) = more {
            response.headers_mut().insert(name, axum::http::HeaderValue::from_static(value));
        }
        response
    }
}

/// Compares two hashes of equal length in a time that does not depend on where they differ.
fn equal(left: &str, right: &str) -> bool {
    let differing = left.bytes().zip(right.bytes()).fold(0, |all, (left, right)| all | (left ^ right));
    left.len() == right.len() && std::hint::black_box(differing) == 0
}

/// Turns a request away or hands it on, with its body read.
pub(super) async fn guard(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    if let Err(refused) = guard.check(&head.uri, &head.headers) {
        return guard.refuse(refused);
    }
    let slot = match guard.admit(&head).await {
        Ok(slot) => slot,
        Err(refused) => return guard.refuse(refused),
    };
    let announced = head.headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    let body = match announced {
        Some(length) if length > MAX_BODY_BYTES as u64 => None,
        _ => match tokio::time::timeout(BODY_TIMEOUT, to_bytes(body, MAX_BODY_BYTES)).await {
            Ok(read) => read.ok(),
            Err(_) => {
                let message = "the body did not come in time";
                return guard.refuse(Refused("slow", StatusCode::REQUEST_TIMEOUT, message));
            }
        },
    };
    let Some(body) = body else {
        guard.backend.metrics.refused("size");
        return too_large();
    };
    let body = match head.uri.path() {
        "/mcp" => Bytes::from(doubled::marked(&body).into_owned()),
        _ => body,
    };
    let response = next.run(Request::from_parts(head, Body::from(body))).await;
    match slot {
        None => response,
        Some(slot) => response.map(|body| Body::new(Held { body, _slot: slot })),
    }
}

/// A body that keeps its request's slot until it was sent, or its client is gone.
struct Held {
    body: Body,
    _slot: OwnedSemaphorePermit,
}

impl HttpBody for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
