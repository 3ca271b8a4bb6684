//! One command per file.

pub(crate) mod bench;
pub(crate) mod case;
pub(crate) mod completions;
pub(crate) mod context;
pub(crate) mod contract;
pub(crate) mod index;
pub(crate) mod init;
pub(crate) mod list;
pub(crate) mod man;
mod new_file;
pub(crate) mod prune;
pub(crate) mod query;
pub(crate) mod read;
pub(crate) mod report;
pub(crate) mod search;
pub(crate) mod serve;
pub(crate) mod status;
pub(crate) mod verify;

use std::io::IsTerminal;
use std::mem::ManuallyDrop;

use pincite_indexer::IndexOptions;
use pincite_query::Engine;
use pincite_shared::failure::{Code, Failure};
use pincite_shared::git::Repository;
use pincite_shared::settings::Settings;
use pincite_shared::wire::request::Request;

use crate::flags::{AnswerArguments, Format, Place, ProgressKind};
use crate::render;
use crate::target::Target;

/// Opens the engine; on a terminal and without a profile, builds the index of HEAD first when there is none.
fn engine(place: &Place, arguments: &AnswerArguments, defaults: Settings) -> Result<Engine, Failure> {
    let target = Target::resolve(place)?;
    let settings = target.settings.clone().unwrap_or(defaults);
    let may_build = target.settings.is_none() && arguments.commit.is_none() && std::io::stderr().is_terminal();
    let git_dir = target.repository.git_dir().to_owned();
    let index = target.index.clone();
    match target.engine(arguments.commit.as_deref(), settings.clone()) {
        Err(failure) if failure.code == Code::IndexMissing && may_build && !index.exists() => {
            let repository = Repository::open(&git_dir)?;
            let commit = repository.resolve("HEAD")?;
            let progress = render::progress(ProgressKind::Auto);
            pincite_indexer::index(&repository, &index, commit, &IndexOptions::default(), &*progress)?;
            progress.finish();
            Engine::open(repository, &index, Some(commit), settings)
        }
        other => other,
    }
}

/// Answers one request and prints it, which is the last thing that a process does: the system takes back all memory and
/// mapped files at once, faster than they are given back one by one.
fn answer(engine: Engine, request: &Request, format: Format) -> Result<(), Failure> {
    let engine = ManuallyDrop::new(engine);
    let answer = ManuallyDrop::new(engine.answer(request)?);
    let max_result_bytes = engine.settings().limits.max_result_bytes;
    // The limit is on the wire form, whatever is printed.
    if format != Format::Json {
        answer.check_size(max_result_bytes)?;
    }
    match format {
        Format::Json => render::line(&answer.to_json(max_result_bytes)?),
        Format::Prompt => render::raw(pincite_query::render::prompt(&answer)),
        Format::Text => render::text::answer(&answer),
    }
}
