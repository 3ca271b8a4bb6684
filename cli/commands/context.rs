//! `pincite context`.

use pincite_shared::failure::Failure;
use pincite_shared::settings::Settings;
use pincite_shared::wire::request::Request;

use crate::flags::{ContextArguments, Place};

pub(crate) fn run(place: &Place, arguments: &ContextArguments) -> Result<(), Failure> {
    let engine = super::engine(place, &arguments.answer, Settings::default())?;
    let request = Request::Context { text: arguments.term.clone(), path_prefix: arguments.path_prefix.clone() };
    super::answer(&engine, &request, arguments.answer.format, engine.settings().limits.max_result_bytes)
}
