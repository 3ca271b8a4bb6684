//! `pincite index`.

use pincite_indexer::{HintsWanted, IndexOptions};
use pincite_shared::failure::Failure;

use crate::flags::{HintsKind, IndexArguments, Place, ReportFormat};
use crate::render;
use crate::target::Target;

pub(crate) fn run(place: &Place, arguments: &IndexArguments) -> Result<(), Failure> {
    let target = Target::resolve(place)?;
    let commit = match (&arguments.rev, target.commit) {
        (Some(rev), _) => target.repository.resolve(rev)?,
        (None, Some(commit)) => commit,
        (None, None) => target.repository.resolve("HEAD")?,
    };
    let defaults = IndexOptions::default();
    let options = IndexOptions {
        threads: arguments.threads.unwrap_or(defaults.threads),
        memory_bytes: arguments.memory << 20,
        max_file_bytes: target.settings.as_ref().map_or(defaults.max_file_bytes, |one| one.limits.max_file_bytes),
        strict: arguments.strict,
        hints: match arguments.hints {
            HintsKind::Syntax => HintsWanted::Syntax,
            HintsKind::Lexical => HintsWanted::Lexical,
        },
    };
    let progress = render::progress(arguments.progress);
    let report = pincite_indexer::index(&target.repository, &target.index, commit, &options, &*progress)?;
    progress.finish();
    match arguments.format {
        ReportFormat::Json => render::json(&report),
        ReportFormat::Text => render::text::index(&report, &target.index),
    }
}
