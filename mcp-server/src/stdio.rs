//! The Model Context Protocol over standard input and output: one message a line, nothing else.

use std::sync::Arc;
use std::time::Duration;

use pincite_shared::failure::{Code, Failure};
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio;

use crate::backend::Backend;
use crate::doubled;
use crate::handler::Handler;
use crate::runtime;

/// How long engine work that nobody waits for any more may hold up the end.
const LINGER: Duration = Duration::from_secs(1);

/// Serves one client until it closes standard input. Answers that are due by then are still written.
///
/// # Errors
/// `internal` when the client's first messages are no handshake, or for what the system says.
pub fn serve_stdio(backend: Arc<Backend>) -> Result<(), Failure> {
    let runtime = runtime()?;
    let served = runtime.block_on(async {
        let failed = |problem: String| Failure::new(Code::Internal, format!("the client's session failed: {problem}"));
        let (input, output) = stdio();
        match Handler::new(backend).serve((doubled::marked_lines(input), output)).await {
            Ok(session) => session.waiting().await.map(drop).map_err(|error| failed(error.to_string())),
            // A client that goes before it said anything is gone, not at fault.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(failed(error.to_string())),
        }
    });
    runtime.shutdown_timeout(LINGER);
    served
}
