//! Printing.

mod progress;
pub(crate) mod selection;
mod style;
pub(crate) mod text;

pub(crate) use progress::progress;

use std::io::{self, Write};

use pincite_shared::failure::{Code, Failure};
use pincite_shared::wire::result::WireError;
use serde::Serialize;

use crate::flags::Format;

/// Prints a line of the wire form.
pub(crate) fn line(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    written(writeln!(out, "{text}").and_then(|()| out.flush()))
}

/// Prints a value as JSON on one line.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(value)
        .map_err(|error| Failure::new(Code::Internal, format!("a report did not serialize: {error}")))?;
    line(&text)
}

/// A reader that has seen enough (`| head`) is no error.
pub(crate) fn written(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::new(Code::Internal, format!("the answer could not be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints an error: the wire form on standard output, or a sentence on standard error.
pub(crate) fn failure(failure: &Failure, format: Format) {
    if format == Format::Json {
        // Where even this can not be written, the exit status still tells.
        let _ = json(&WireError::from(failure));
        return;
    }
    let field = failure.field.as_ref().map(|field| format!(", {field}")).unwrap_or_default();
    let mut out = io::stderr().lock();
    let _ = writeln!(out, "pincite: {} ({}{field})", style::printable(&failure.message), failure.code.name());
}
