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

use flags::{CaseCommand, Command, Flags};

fn main() -> ExitCode {
    // A defect is reported as one below; its backtrace says nothing to a user.
    if std::env::var_os("RUST_BACKTRACE").is_none_or(|value| value == "0") {
        std::panic::set_hook(Box::new(|_| {}));
    }
    let flags = Flags::parse();
    let format = flags.command.format();
    render::choose_colour(flags.color);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        render::choose_hyperlink(flags.hyperlink.as_deref())?;
        run(&flags)
    }));
    let outcome = outcome.unwrap_or_else(|_| {
        Err(Failure::new(
            Code::Internal,
            "pincite met a defect of its own; please report it with the command and, if you can, with the output of \
             the same command under RUST_BACKTRACE=1",
        ))
    });
    match outcome {
        Ok(code) => code,
        Err(failure) => {
            render::failure(&failure, format);
            ExitCode::FAILURE
        }
    }
}

fn run(flags: &Flags) -> Result<ExitCode, Failure> {
    let place = &flags.place;
    match &flags.command {
        Command::Index(arguments) => commands::index::run(place, arguments).map(done),
        Command::Search(arguments) => commands::search::run(place, arguments).map(done),
        Command::Context(arguments) => commands::context::run(place, arguments).map(done),
        Command::Read(arguments) => commands::read::run(place, arguments).map(done),
        Command::List(arguments) => commands::list::run(place, arguments).map(done),
        Command::Query(arguments) => commands::query::run(place, arguments).map(done),
        Command::Case(CaseCommand::New(arguments)) => commands::case::new(place, arguments).map(done),
        Command::Case(CaseCommand::Export(arguments)) => commands::case::export(place, arguments).map(done),
        Command::Mcp(arguments) => commands::serve::mcp(place, arguments).map(done),
        Command::Serve(arguments) => commands::serve::serve(place, arguments).map(done),
        Command::Verify(arguments) => commands::verify::run(place, arguments),
        Command::Contract(arguments) => commands::contract::run(place, arguments).map(done),
        Command::Bench(arguments) => commands::bench::run(place, arguments),
        Command::Status(arguments) => commands::status::run(place, arguments).map(done),
        Command::Prune(arguments) => commands::prune::run(place, arguments).map(done),
        Command::Init(arguments) => commands::init::run(place, arguments).map(done),
        Command::Report(arguments) => commands::report::run(arguments).map(done),
        Command::Completions(arguments) => commands::completions::run(arguments).map(done),
        Command::Man(arguments) => commands::man::run(arguments).map(done),
    }
}

fn done((): ()) -> ExitCode {
    ExitCode::SUCCESS
}
