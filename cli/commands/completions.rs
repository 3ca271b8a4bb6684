//! `pincite completions`.

use clap::CommandFactory;
use pincite_shared::failure::Failure;

use crate::flags::{CompletionsArguments, Flags};
use crate::render;

pub(crate) fn run(arguments: &CompletionsArguments) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Flags::command(), "pincite", &mut script);
    render::raw(&script)
}
