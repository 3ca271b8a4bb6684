//! `pincite man`: a page of the manual, from the table of flags.

use clap::{Command, CommandFactory};
use pincite_shared::failure::{Code, Failure};

use crate::flags::{Flags, ManArguments};
use crate::render;

pub(crate) fn run(arguments: &ManArguments) -> Result<(), Failure> {
    let mut table = Flags::command();
    // Commands at every depth get the flags that all take, and the names of their pages: `pincite-case-new`.
    table.build();
    let command = described(&table, &arguments.command)?;
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .map_err(|error| Failure::new(Code::Internal, format!("the page could not be made: {error}")))?;
    render::raw(&page)
}

/// The command that names lead to, each below the one before.
fn described(table: &Command, names: &[String]) -> Result<Command, Failure> {
    let mut command = table;
    for name in names {
        let below = || command.get_subcommands().filter(|one| one.get_name() != "help");
        command = below().find(|one| one.get_name() == name).ok_or_else(|| {
            let known: Vec<&str> = below().map(Command::get_name).collect();
            let there = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            let place = command.get_bin_name().unwrap_or_else(|| command.get_name());
            let message = format!("there is no command `{place} {name}`; there are {there}");
            Failure::new(Code::InvalidRequest, message).field("command")
        })?;
    }
    Ok(command.clone().version(env!("CARGO_PKG_VERSION")))
}
