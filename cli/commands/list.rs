//! `pincite list`.

use pincite_query::Answer;
use pincite_shared::failure::Failure;
use pincite_shared::settings::Settings;
use pincite_shared::wire::request::Request;

use crate::flags::{Format, ListArguments, Place};
use crate::render;

pub(crate) fn run(place: &Place, arguments: &ListArguments) -> Result<(), Failure> {
    let mut defaults = Settings::default();
    defaults.source_analysis.extensions = Vec::new();
    let engine = super::engine(place, &arguments.answer, defaults)?;
    let mut after = arguments.after.clone().map(String::into_bytes);
    loop {
        let request = Request::List { path_prefix: arguments.prefix.clone(), after: after.take() };
        if arguments.answer.format != Format::Text {
            return super::answer(engine, &request, arguments.answer.format);
        }
        let Answer::List(page) = engine.answer(&request)? else { return Ok(()) };
        render::text::list(&page)?;
        match page.next_after_bytes() {
            Some(next) => after = Some(next),
            None => return Ok(()),
        }
    }
}
