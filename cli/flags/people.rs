//! Flags of the commands that are made for people: set-up, reports, completions, the manual.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use clap_complete::Shell;

use super::{ProgressKind, ReportFormat};

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorKind {
    /// On a terminal, and never with `NO_COLOR`
    Auto,
    /// Also into a pipe, such as `| less -R`
    Always,
    /// Never
    Never,
}

#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// Profile to write; an existing file is never replaced, `-` is standard output
    #[arg(long, value_name = "FILE", default_value = "pincite.toml")]
    pub(crate) out: PathBuf,
    /// Commit, branch or tag, resolved once to a full commit id
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub(crate) rev: String,
    /// How to tell of progress
    #[arg(long, value_enum, default_value_t = ProgressKind::Auto)]
    pub(crate) progress: ProgressKind,
    /// How to print the summary
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    /// Capture file, package directory, or an answer as `--format json` prints it; `-` reads standard input
    #[arg(value_name = "CAPTURE|PACKAGE")]
    pub(crate) source: PathBuf,
    /// HTML file to write; an existing file is never replaced, `-` is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// How to print the summary
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// Shell that completes
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArguments {
    /// Command to describe, such as `search` or `case new` [default: pincite itself]
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}
