//! `pincite serve`: the tools over streamable HTTP at `/mcp`, plain JSON at `POST /query`, `/healthz` and `/metrics`.
//!
//! A connection passes the listener ([`connections`]), then the guard ([`guard`]: host, origin, token, admission, size),
//! then its route. What is turned away on the way is counted and never reaches the engine.

mod connections;
mod guard;
mod query;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::middleware;
use axum::response::IntoResponse;
use axum::routing::{get, post};
use pincite_shared::failure::{Code, Failure};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;

use crate::backend::Backend;
use crate::handler::Handler;
use crate::runtime;
use guard::Guard;

/// Bytes of a body: a query of the largest size fits, with what a protocol message puts around it.
const MAX_BODY_BYTES: usize = pincite_shared::wire::query::MAX_QUERY_BYTES + (64 << 10);

/// How long requests that are being answered may take to end once the server is told to.
const GRACE: Duration = Duration::from_secs(10);

/// How long engine work that nobody waits for any more may hold up the end.
const LINGER: Duration = Duration::from_secs(1);

/// The fewest characters of a token.
const MIN_TOKEN_CHARS: usize = 16;

/// Where and for whom to listen.
#[derive(Clone, Debug)]
pub struct HttpOptions {
    /// An address and a port, such as `127.0.0.1:8080`; port 0 takes any free one.
    pub listen: String,
    /// What clients have to show as a bearer token. Needed on any address but loopback.
    pub token: Option<String>,
    /// Names by which clients may call the server, besides addresses and `localhost`.
    pub hosts: Vec<String>,
}

impl HttpOptions {
    /// The address, if it may be listened on.
    ///
    /// # Errors
    /// `invalid_request` for what is no address, an address that needs a token, or a token that is too weak.
    pub fn check(&self) -> Result<SocketAddr, Failure> {
        let fault = |field: &str, message: String| Failure::new(Code::InvalidRequest, message).field(field);
        let address: SocketAddr = self.listen.parse().map_err(|_| {
            let message = format!("`{}` is no address with a port; one such as 127.0.0.1:8080 is needed", self.listen);
            fault("listen", message)
        })?;
        match &self.token {
            None if !address.ip().is_loopback() => {
                let message = format!(
                    "{address} can be reached from other machines; name a file with a bearer token with --token-file, \
                     or listen on 127.0.0.1"
                );
                Err(fault("token-file", message))
            }
            Some(token) if token.len() < MIN_TOKEN_CHARS || !token.bytes().all(|byte| byte.is_ascii_graphic()) => {
                let message = format!("the token needs at least {MIN_TOKEN_CHARS} characters of visible ASCII");
                Err(fault("token-file", message))
            }
            _ => Ok(address),
        }
    }
}

/// Serves until SIGTERM or SIGINT; what is being answered then is answered still. Tells the address it listens on.
///
/// # Errors
/// `invalid_request` for an address that must not be listened on without a token; `internal` for what the system says.
pub fn serve_http(
    backend: Arc<Backend>,
    options: &HttpOptions,
    listening: impl FnOnce(SocketAddr),
) -> Result<(), Failure> {
    let address = options.check()?;
    let runtime = runtime()?;
    let served = runtime.block_on(async {
        let failed = |error: std::io::Error| {
            Failure::new(Code::Internal, format!("{address} can not be listened on: {error}")).field("listen")
        };
        let (mut terminate, mut interrupt) =
            (signal(SignalKind::terminate()).map_err(failed)?, signal(SignalKind::interrupt()).map_err(failed)?);
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        let bound = listener.local_addr().map_err(failed)?;
        let end = CancellationToken::new();
        let router = router(backend, options, bound, end.clone());
        listening(bound);
        let told = async {
            tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
            // Streams that stand open would hold up the end.
            end.cancel();
        };
        connections::serve(listener, router, told, GRACE).await;
        Ok(())
    });
    runtime.shutdown_timeout(LINGER);
    served
}

fn router(backend: Arc<Backend>, options: &HttpOptions, bound: SocketAddr, end: CancellationToken) -> Router {
    let sessions = Arc::new(LocalSessionManager::default());
    // Host and origin are the guard's, for all routes alike.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_max_request_body_bytes(MAX_BODY_BYTES)
        .with_cancellation_token(end);
    // The handler is made once: contract and schemas are the same for every session.
    let handler = Handler::new(Arc::clone(&backend));
    let tools = StreamableHttpService::new(move || Ok(handler.clone()), Arc::clone(&sessions), config);
    let guard = Arc::new(Guard::new(Arc::clone(&backend), options, bound.ip(), sessions));
    Router::new()
        .route("/query", post(query::query))
        .route("/metrics", get(metrics))
        .route("/healthz", get(|| async { "ok\n" }))
        .route_service("/mcp", tools)
        .with_state(backend)
        .layer(middleware::from_fn_with_state(guard, guard::guard))
}

async fn metrics(State(backend): State<Arc<Backend>>) -> impl IntoResponse {
    let text = backend.blocking(|backend| Ok(backend.metrics_text())).await.unwrap_or_default();
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_machines_need_a_token() {
        let field = |listen: &str, token: Option<&str>| {
            let options = HttpOptions { listen: listen.into(), token: token.map(Into::into), hosts: Vec::new() };
            options.check().err().and_then(|failure| failure.field)
        };
        assert_eq!(field("127.0.0.1:0", None), None);
        assert_eq!(field("[::1]:80", None), None);
        assert_eq!(field("0.0.0.0:80", Some("0123456789abcdef")), None);
        assert_eq!(field("0.0.0.0:80", None).as_deref(), Some("token-file"));
        assert_eq!(field("[::]:80", None).as_deref(), Some("token-file"));
        assert_eq!(field("127.0.0.1:0", Some("short")).as_deref(), Some("token-file"));
        assert_eq!(field("localhost:80", None).as_deref(), Some("listen"));
    }
}
