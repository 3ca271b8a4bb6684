//! Printing.

mod hyperlink;
mod marks;
pub(crate) mod profile;
mod progress;
pub(crate) mod report;
pub(crate) mod selection;
mod style;
pub(crate) mod text;
mod visible;

pub(crate) use hyperlink::choose_hyperlink;
pub(crate) use progress::progress;
pub(crate) use style::choose_colour;

use std::io::{self, Write};

use pincite_query::Reply;
use pincite_shared::failure::{Code, Failure};
use pincite_shared::wire::result::WireError;
use serde::Serialize;

use crate::commands::query::answers;
use crate::flags::Format;

/// Prints a line of the wire form.
pub(crate) fn line(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    written(writeln!(out, "{text}").and_then(|()| out.flush()))
}

/// Prints bytes as they are.
pub(crate) fn raw(content: impl AsRef<[u8]>) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    written(out.write_all(content.as_ref()).and_then(|()| out.flush()))
}

/// Prints a value as JSON on one line.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string(value)
        .map_err(|error| Failure::new(Code::Internal, format!("a report did not serialize: {error}")))?;
    line(&text)
}

/// Prints the answers to a query.
pub(crate) fn reply(reply: &Reply, format: Format) -> Result<(), Failure> {
    match format {
        Format::Json => line(&reply.to_json()?),
        Format::Prompt => raw(pincite_query::render::prompt_reply(reply)),
        Format::Text => {
            for one in answers(reply) {
                match one {
                    Ok(answer) => text::answer(answer)?,
                    Err(one) => failure(one, Format::Text),
                }
            }
            Ok(())
        }
    }
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

/// Prints a line for the operator on standard error.
pub(crate) fn note(text: &str) {
    // Nobody may be reading; the command goes on.
    let _ = writeln!(io::stderr().lock(), "pincite: {text}");
}

/// Prints an error: the wire form on standard output, or a sentence on standard error.
pub(crate) fn failure(failure: &Failure, format: Format) {
    if format == Format::Json {
        // Where even this can not be written, the exit status still tells.
        let _ = json(&WireError::from(failure));
        return;
    }
    if format == Format::Prompt {
        let _ = raw(pincite_query::render::prompt_failure(failure));
        return;
    }
    let field = failure.field.as_ref().map(|field| format!(", {field}")).unwrap_or_default();
    let mut out = io::stderr().lock();
    let _ = writeln!(out, "pincite: {} ({}{field})", visible::printable(&failure.message), failure.code.name());
}
