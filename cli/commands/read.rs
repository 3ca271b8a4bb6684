//! `pincite read`.

use pincite_shared::failure::{Code, Failure};
use pincite_shared::settings::Settings;
use pincite_shared::wire::request::Request;

use crate::flags::{Place, ReadArguments};

pub(crate) fn run(place: &Place, arguments: &ReadArguments) -> Result<(), Failure> {
    let (start_line, end_line) = lines(&arguments.lines)?;
    let engine = super::engine(place, &arguments.answer, Settings::default())?;
    let request = Request::Read { path: arguments.path.clone().into_bytes(), start_line, end_line };
    super::answer(engine, &request, arguments.answer.format)
}

fn lines(text: &str) -> Result<(u32, u32), Failure> {
    let number = |text: &str, field: &str| {
        text.parse::<u32>().ok().filter(|number| *number > 0).ok_or_else(|| {
            let message = format!("`{text}` is not a line number; write START or START-END, counted from 1");
            Failure::new(Code::InvalidRequest, message).field(field)
        })
    };
    match text.split_once('-') {
        None => number(text, "start_line").map(|line| (line, line)),
        Some((start, end)) => Ok((number(start, "start_line")?, number(end, "end_line")?)),
    }
}
