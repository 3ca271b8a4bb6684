//! `pincite report`: a page of HTML from captures.

use std::path::Path;

use pincite_shared::failure::Failure;
use serde::Serialize;

use super::new_file;
use crate::flags::{ReportArguments, ReportFormat};
use crate::render;
use crate::render::report::{Evidence, page};

/// What was written.
#[derive(Debug, Serialize)]
struct Written {
    report: String,
    answers: usize,
    bytes: usize,
}

pub(crate) fn run(arguments: &ReportArguments) -> Result<(), Failure> {
    let evidence = Evidence::read(&arguments.source)?;
    let page = page(&evidence);
    if arguments.out == Path::new("-") {
        return render::raw(page.as_bytes());
    }
    new_file::write(&arguments.out, page.as_bytes())?;
    let report = arguments.out.display().to_string();
    match arguments.format {
        ReportFormat::Json => render::json(&Written { report, answers: evidence.len(), bytes: page.len() }),
        ReportFormat::Text => {
            let answers = if evidence.len() == 1 { "answer" } else { "answers" };
            render::line(&format!("wrote {report}: {} {answers}, {} bytes", evidence.len(), page.len()))
        }
    }
}
