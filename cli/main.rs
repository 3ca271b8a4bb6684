//! The command line: parse, call, exit code. The only place that prints and exits.

mod commands;
mod flags;
mod help;
mod render;
mod target;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Parser;
use pincite_shared::failure::{Code, Failure};

use flags::{Command, Flags};

fn main() -> ExitCode {
    // A defect is reported as one below; its backtrace says nothing to a user.
    if std::env::var_os("RUST_BACKTRACE").is_none_or(|value| value == "0") {
        std::panic::set_hook(Box::new(|_| {}));
    }
    let flags = Flags::parse();
    let format = flags.command.format();
    render::choose_colour(flags.color);
    let outcome = catch_unwind(AssertUnwindSafe(|| match &flags.command {
        Command::Index(arguments) => commands::index::run(&flags.place, arguments),
        Command::Search(arguments) => commands::search::run(&flags.place, arguments),
        Command::Context(arguments) => commands::context::run(&flags.place, arguments),
        Command::Read(arguments) => commands::read::run(&flags.place, arguments),
        Command::List(arguments) => commands::list::run(&flags.place, arguments),
        Command::Status(arguments) => commands::status::run(&flags.place, arguments),
        Command::Prune(arguments) => commands::prune::run(&flags.place, arguments),
        Command::Init(arguments) => commands::init::run(&flags.place, arguments),
        Command::Report(arguments) => commands::report::run(arguments),
        Command::Completions(arguments) => commands::completions::run(arguments),
        Command::Man(arguments) => commands::man::run(arguments),
    }));
    let outcome = outcome.unwrap_or_else(|_| {
        Err(Failure::new(
            Code::Internal,
            "pincite met a defect of its own; please report it with the command and, if you can, with the output of \
             the same command under RUST_BACKTRACE=1",
        ))
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            render::failure(&failure, format);
            ExitCode::FAILURE
        }
    }
}
