//! `pincite man`: a page of the manual, from the table of flags.

use clap::{Command, CommandFactory};
use pincite_shared::failure::{Code, Failure};

use crate::flags::{Flags, ManArguments};
use crate::render;

pub(crate) fn run(arguments: &ManArguments) -> Result<(), Failure> {
    let mut table = Flags::command();
    // Subcommands get the flags that all commands take.
    table.build();
    let command = match &arguments.command {
        None => table,
        Some(name) => page_of(&table, name)?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .map_err(|error| Failure::new(Code::Internal, format!("the page could not be made: {error}")))?;
    render::raw(&page)
}

/// A command, whose page is named `pincite-search` since the table was built.
fn page_of(table: &Command, name: &str) -> Result<Command, Failure> {
    let found = table.get_subcommands().find(|command| command.get_name() == name).cloned();
    let command = found.ok_or_else(|| {
        let names: Vec<&str> = table.get_subcommands().map(Command::get_name).collect();
        let message = format!("there is no command `{name}`; there are {}", names.join(", "));
        Failure::new(Code::InvalidRequest, message).field("command")
    })?;
    Ok(command.version(env!("CARGO_PKG_VERSION")))
}
