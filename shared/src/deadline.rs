//! The stop flag of long loops: a point in time, looked at between units of work.

use std::time::{Duration, Instant};

/// When an operation has to stop (`timeout_ms`). Copied into every long loop.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    end: Option<Instant>,
    limit: Duration,
}

/// The deadline has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("timeout_ms ({} ms) ran out", .limit.as_millis())]
pub struct TimedOut {
    /// The time that was allowed.
    pub limit: Duration,
}

impl Deadline {
    /// Ends `limit` from now; `None` never ends.
    pub fn after(limit: Option<Duration>) -> Self {
        Self { end: limit.and_then(|limit| Instant::now().checked_add(limit)), limit: limit.unwrap_or_default() }
    }

    /// Never ends.
    pub fn never() -> Self {
        Self::after(None)
    }

    /// # Errors
    /// [`TimedOut`] once the time is over.
    pub fn check(&self) -> Result<(), TimedOut> {
        match self.end {
            Some(end) if Instant::now() >= end => Err(TimedOut { limit: self.limit }),
            _ => Ok(()),
        }
    }
}
