//! Serves answers to programs: the Model Context Protocol over standard input and output ([`serve_stdio`]), and over
//! HTTP beside plain JSON ([`serve_http`]).
//!
//! The only crate that is asynchronous, and the only one that listens on a socket. It opens no connection of its own.
//! Answers come from [`Backend`] alone, which asks the synchronous engine on threads that may block; everything here is
//! framing, admission and counting.

mod backend;
mod doubled;
mod handler;
mod http;
mod index_source;
mod metrics;
mod resources;
mod stdio;
mod tools;

pub use backend::Backend;
pub use http::{HttpOptions, serve_http};
pub use index_source::IndexSource;
pub use stdio::serve_stdio;

use pincite_shared::failure::{Code, Failure};

/// A runtime for a server.
fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Code::Internal, format!("no threads could be started: {error}")))
}
