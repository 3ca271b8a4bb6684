//! Accepts connections, a bounded number at a time, and ends them in an orderly way.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Connections that stand open at once; more wait in the system's queue.
const MAX_CONNECTIONS: usize = 512;

/// How long a client may take to send the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(30);

/// How long to wait after the system had no socket to give.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves until `end`, then lets what is being answered finish within `grace`.
pub(super) async fn serve(listener: TcpListener, router: Router, end: impl Future<Output = ()>, grace: Duration) {
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
    let mut end = std::pin::pin!(end);
    loop {
        let next = async {
            let slot = Arc::clone(&slots).acquire_owned().await;
            (slot, listener.accept().await)
        };
        let (slot, accepted) = tokio::select! {
            biased;
            () = &mut end => break,
            next = next => next,
        };
        let Ok((stream, _)) = accepted else {
            // Out of descriptors, or a client that was gone already: neither ends the server.
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        // Answers are small and written at once; waiting to fill packets only delays them.
        let _ = stream.set_nodelay(true);
        let connection = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router.clone()));
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            let _slot = slot;
            // A connection that breaks concerns its client alone.
            let _ = connection.await;
        });
    }
    drop(listener);
    // What is not finished then is cut off.
    let _ = tokio::time::timeout(grace, graceful.shutdown()).await;
}
