//! `pincite search`.

use pincite_shared::failure::Failure;
use pincite_shared::settings::Settings;
use pincite_shared::wire::request::{Request, SearchMode};

use crate::flags::{ModeKind, Place, SearchArguments};

pub(crate) fn run(place: &Place, arguments: &SearchArguments) -> Result<(), Failure> {
    let engine = super::engine(place, &arguments.answer, Settings::unlimited())?;
    let request = Request::Search {
        text: arguments.term.clone(),
        mode: match arguments.mode {
            ModeKind::Auto => SearchMode::Auto,
            ModeKind::Word => SearchMode::Word,
            ModeKind::Literal => SearchMode::Literal,
            ModeKind::Decimal => SearchMode::Decimal,
        },
        path_prefix: arguments.path_prefix.clone(),
        max_matches: arguments.max_matches,
    };
    super::answer(engine, &request, arguments.answer.format)
}
