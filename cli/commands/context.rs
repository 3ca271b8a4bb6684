//! `pincite context`.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use pincite_query::Engine;
use pincite_shared::failure::{Code, Failure};
use pincite_shared::settings::{Protocol, ScopeName, Settings};
use pincite_shared::wire::interpretation::{Interpretation, MAX_INTERPRETATION_BYTES};
use pincite_shared::wire::request::Request;

use crate::flags::{ContextArguments, Place};

pub(crate) fn run(place: &Place, arguments: &ContextArguments) -> Result<(), Failure> {
    let mut engine = super::engine(place, &arguments.answer, Settings::default())?;
    if let Some(file) = &arguments.interpretation {
        engine = interpreted(engine, file)?;
    }
    let request = Request::Context {
        text: arguments.term.clone(),
        path_prefix: arguments.path_prefix.clone(),
        entity_refs: arguments.entities.clone(),
        scope: arguments.scope.as_deref().map(scope).transpose()?,
    };
    super::answer(engine, &request, arguments.answer.format)
}

fn scope(name: &str) -> Result<ScopeName, Failure> {
    ScopeName::from_name(name).ok_or_else(|| {
        let message = format!("`--scope` is {name:?}; {} are allowed", ScopeName::allowed());
        Failure::new(Code::InvalidRequest, message).field("scope")
    })
}

/// The engine with the interpretation at `file`.
pub(crate) fn interpreted(engine: Engine, file: &Path) -> Result<Engine, Failure> {
    if engine.settings().source_analysis.protocol == Protocol::One {
        let message = "an interpretation needs `source_analysis.protocol = 2` in the profile";
        return Err(Failure::new(Code::InvalidRequest, message).field("interpretation"));
    }
    Ok(engine.with_interpretation(interpretation(file)?))
}

/// Reads the interpretation at `file`.
fn interpretation(file: &Path) -> Result<Interpretation, Failure> {
    let unreadable = |error: std::io::Error| {
        let message = format!("the interpretation {} can not be read: {error}", file.display());
        Failure::new(Code::InvalidRequest, message).field("interpretation")
    };
    let mut text = String::new();
    // One byte more than allowed tells a file that is too large; reading it as a document reports that.
    let most = MAX_INTERPRETATION_BYTES as u64 + 1;
    File::open(file).and_then(|file| file.take(most).read_to_string(&mut text)).map_err(unreadable)?;
    Interpretation::parse_str(&text)
}
