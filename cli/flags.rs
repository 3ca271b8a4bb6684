//! The table of commands and flags.

mod people;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::help;
pub(crate) use people::{ColorKind, CompletionsArguments, InitArguments, ManArguments, ReportArguments};

/// Answers questions about source code from one pinned Git commit, with evidence.
#[derive(Debug, Parser)]
#[command(
    name = "pincite",
    version,
    arg_required_else_help = true,
    after_help = help::PINCITE
)]
pub(crate) struct Flags {
    #[command(flatten)]
    pub(crate) place: Place,
    /// When to colour text output
    #[arg(long, global = true, value_enum, default_value_t = ColorKind::Auto, value_name = "WHEN")]
    pub(crate) color: ColorKind,
    /// Link paths and line numbers where text is coloured: a URI with {path}, {commit} and {line}, or github:OWNER/NAME, or gitlab:GROUP/NAME
    #[arg(long, global = true, value_name = "TEMPLATE")]
    pub(crate) hyperlink: Option<String>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Where everything is.
#[derive(Debug, Args)]
pub(crate) struct Place {
    /// Profile to read; ./pincite.toml is read when it is there
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// Repository: a work tree, a .git directory, or a bare repository [default: the one around the current directory]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) repo: Option<PathBuf>,
    /// Index directory [default: one per repository below $XDG_CACHE_HOME/pincite or ~/.cache/pincite]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) index: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Index a commit: walk every blob once and publish the index
    #[command(after_help = help::INDEX)]
    Index(IndexArguments),
    /// Find every line that holds a term
    #[command(after_help = help::SEARCH)]
    Search(SearchArguments),
    /// Search a term, follow assignments and registrations, and show merged windows of code
    #[command(after_help = help::CONTEXT)]
    Context(ContextArguments),
    /// Show lines of one file of the commit
    #[command(after_help = help::READ)]
    Read(ReadArguments),
    /// List the paths of the commit and whether each is searchable
    #[command(after_help = help::LIST)]
    List(ListArguments),
    /// Answer a project.query request (JSON), one or a bundle, also into a package
    #[command(after_help = help::QUERY)]
    Query(QueryArguments),
    /// Make or copy a package: the context, captures and ledger of one case
    #[command(subcommand, after_help = help::CASE)]
    Case(CaseCommand),
    /// Serve the Model Context Protocol over standard input and output, for one agent
    #[command(after_help = help::MCP)]
    Mcp(McpArguments),
    /// Serve the Model Context Protocol and plain JSON over HTTP, for many
    #[command(after_help = help::SERVE)]
    Serve(ServeArguments),
    /// Check captures and packages against the Git objects
    #[command(after_help = help::VERIFY)]
    Verify(VerifyArguments),
    /// Print the tool contract for a model: text, or JSON with the schemas of all requests and results
    #[command(after_help = help::CONTRACT)]
    Contract(ContractArguments),
    /// Tell what is indexed, how large and how old it is, and whether it is whole
    #[command(after_help = help::STATUS)]
    Status(StatusArguments),
    /// Measure queries and builds on this repository with terms of its own
    #[command(after_help = help::BENCH)]
    Bench(BenchArguments),
    /// Remove commits from the index, and documents that no other commit needs
    #[command(after_help = help::PRUNE)]
    Prune(PruneArguments),
    /// Write a commented profile that fits the repository
    #[command(after_help = help::INIT)]
    Init(InitArguments),
    /// Write one self-contained HTML page for a person who has to judge the evidence
    #[command(after_help = help::REPORT)]
    Report(ReportArguments),
    /// Print completions for a shell
    #[command(after_help = help::COMPLETIONS)]
    Completions(CompletionsArguments),
    /// Print the manual page of pincite or of one command
    #[command(after_help = help::MAN)]
    Man(ManArguments),
}

impl Command {
    pub(crate) fn format(&self) -> Format {
        match self {
            Self::Index(arguments) => arguments.format.into(),
            Self::Search(arguments) => arguments.answer.format,
            Self::Context(arguments) => arguments.answer.format,
            Self::Read(arguments) => arguments.answer.format,
            Self::List(arguments) => arguments.answer.format,
            Self::Query(arguments) => arguments.format,
            Self::Case(CaseCommand::New(arguments)) => arguments.format.into(),
            Self::Case(CaseCommand::Export(arguments)) => arguments.format.into(),
            // Standard output is the protocol's; errors go to standard error.
            Self::Mcp(_) | Self::Serve(_) => Format::Text,
            Self::Verify(arguments) => arguments.format.into(),
            Self::Contract(arguments) => arguments.format.into(),
            Self::Bench(arguments) => arguments.format.into(),
            Self::Status(arguments) => arguments.format.into(),
            Self::Prune(arguments) => arguments.format.into(),
            Self::Init(arguments) => arguments.format.into(),
            Self::Report(arguments) => arguments.format.into(),
            Self::Completions(_) | Self::Man(_) => Format::Text,
        }
    }
}

/// How to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// The wire form
    Json,
    /// Compact, for a model
    Prompt,
}

/// How to print a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// For people
    Text,
    /// For programs
    Json,
}

impl From<ReportFormat> for Format {
    fn from(format: ReportFormat) -> Self {
        match format {
            ReportFormat::Text => Self::Text,
            ReportFormat::Json => Self::Json,
        }
    }
}

/// How to tell of progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressKind {
    /// A bar on a terminal, nothing elsewhere
    Auto,
    /// A line for each phase on standard error
    Plain,
    /// Nothing
    None,
}

/// Which hints to derive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HintsKind {
    /// Parse with tree-sitter after the postings are published
    Syntax,
    /// Only the byte scanner's, without joining segments; a later run does both
    Lexical,
}

#[derive(Debug, Args)]
pub(crate) struct IndexArguments {
    /// Commit, branch or tag, resolved once to a full commit id [default: the profile's commit, else HEAD]
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,
    /// Threads to use [default: all processors]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Memory for unfinished postings, in MiB; paths and the blobs at hand come on top
    #[arg(long, value_name = "MIB", default_value_t = 1024, value_parser = clap::value_parser!(u64).range(16..=1 << 20))]
    pub(crate) memory: u64,
    /// End with an error when the clone lacks a blob, instead of recording it as skipped
    #[arg(long)]
    pub(crate) strict: bool,
    /// Which hints to derive
    #[arg(long, value_enum, default_value_t = HintsKind::Syntax)]
    pub(crate) hints: HintsKind,
    /// How to tell of progress
    #[arg(long, value_enum, default_value_t = ProgressKind::Auto)]
    pub(crate) progress: ProgressKind,
    /// How to print the summary
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

/// What all answers have in common.
#[derive(Debug, Args)]
pub(crate) struct AnswerArguments {
    /// Full id of the indexed commit to ask [default: the profile's, else the one indexed last]
    #[arg(long, value_name = "ID")]
    pub(crate) commit: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

/// How a term is matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeKind {
    /// An identifier as a whole word, anything else as a fixed string
    Auto,
    /// As a whole word
    Word,
    /// As a fixed, case-sensitive string within one line
    Literal,
    /// As a whole decimal number
    Decimal,
}

#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    /// Term, 1 to 256 characters on one line
    #[arg(allow_hyphen_values = true)]
    pub(crate) term: String,
    /// How the term is matched
    #[arg(long, value_enum, default_value_t = ModeKind::Auto)]
    pub(crate) mode: ModeKind,
    /// Search only paths that begin with this, byte by byte
    #[arg(long, value_name = "P", default_value = "")]
    pub(crate) path_prefix: String,
    /// List at most so many matches; totals stay exact [default: all, or the profile's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_matches: Option<u32>,
    #[command(flatten)]
    pub(crate) answer: AnswerArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ContextArguments {
    /// Term, 1 to 256 characters on one line
    #[arg(allow_hyphen_values = true)]
    pub(crate) term: String,
    /// Search only paths that begin with this, byte by byte
    #[arg(long, value_name = "P", default_value = "")]
    pub(crate) path_prefix: String,
    /// Search space: code, schema or historical_sql (protocol 2) [default: code]
    #[arg(long, value_name = "S")]
    pub(crate) scope: Option<String>,
    /// Entity of the interpretation that the term is about; may be repeated (protocol 2)
    #[arg(long = "entity", value_name = "REF")]
    pub(crate) entities: Vec<String>,
    /// Interpretation of the case, a JSON document that entities are taken from (protocol 2)
    #[arg(long, value_name = "FILE")]
    pub(crate) interpretation: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) answer: AnswerArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ReadArguments {
    /// Path within the commit
    pub(crate) path: String,
    /// Lines: START or START-END, counted from 1, both included
    #[arg(value_name = "START[-END]")]
    pub(crate) lines: String,
    #[command(flatten)]
    pub(crate) answer: AnswerArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    /// List only paths that begin with this
    #[arg(default_value = "")]
    pub(crate) prefix: String,
    /// Begin behind this path (the `next_after` of the page before); text output goes through all pages by itself
    #[arg(long, value_name = "PATH")]
    pub(crate) after: Option<String>,
    #[command(flatten)]
    pub(crate) answer: AnswerArguments,
}

#[derive(Debug, Args)]
pub(crate) struct QueryArguments {
    /// File with the request; - or nothing reads standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) file: PathBuf,
    /// Answer into this package: from its captures, within its budget
    #[arg(long, value_name = "DIR")]
    pub(crate) package: Option<PathBuf>,
    /// Interpretation context to take anchors from (JSON; protocol 2 only)
    #[arg(long, value_name = "FILE", conflicts_with = "package")]
    pub(crate) interpretation: Option<PathBuf>,
    /// Full id of the indexed commit to ask [default: the package's or the profile's, else the one indexed last]
    #[arg(long, value_name = "ID")]
    pub(crate) commit: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Json)]
    pub(crate) format: Format,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CaseCommand {
    /// Make a package for a commit and the settings of the profile
    New(CaseNewArguments),
    /// Copy a package, with the Git objects that its captures cite if asked for
    Export(CaseExportArguments),
}

#[derive(Debug, Args)]
pub(crate) struct CaseNewArguments {
    /// Directory to make; it must not exist
    #[arg(long, value_name = "DIR")]
    pub(crate) package: PathBuf,
    /// Requests that may be answered [default: any number]
    #[arg(long, value_name = "N")]
    pub(crate) budget: Option<u64>,
    /// Interpretation context to take anchors from (JSON; protocol 2 only)
    #[arg(long, value_name = "FILE")]
    pub(crate) interpretation: Option<PathBuf>,
    /// Full id of the indexed commit [default: the profile's, else the one indexed last]
    #[arg(long, value_name = "ID")]
    pub(crate) commit: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

#[derive(Debug, Args)]
pub(crate) struct CaseExportArguments {
    /// The package
    #[arg(long, value_name = "DIR")]
    pub(crate) package: PathBuf,
    /// Directory to make; it must not exist
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Write the cited commit, trees and blobs beside the captures, as the bare repository objects.git
    #[arg(long)]
    pub(crate) objects: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

#[derive(Debug, Args)]
pub(crate) struct McpArguments {
    /// Answer into this package: from its captures, within its budget
    #[arg(long, value_name = "DIR")]
    pub(crate) package: Option<PathBuf>,
    /// Interpretation context to take anchors from (JSON; protocol 2 only); a package has its own
    #[arg(long, value_name = "FILE", conflicts_with = "package")]
    pub(crate) interpretation: Option<PathBuf>,
    /// Full id of the indexed commit to ask [default: the package's or the profile's, else the one indexed last]
    #[arg(long, value_name = "ID")]
    pub(crate) commit: Option<String>,
    /// Mebibytes of hashed files and folders to keep in memory for later answers
    #[arg(long, value_name = "MIB", default_value_t = 32, value_parser = clap::value_parser!(u64).range(..=1 << 20))]
    pub(crate) cache: u64,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// Address and port; port 0 takes any free one, which is printed on standard error
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) listen: String,
    /// File with the bearer token that clients have to show; needed on any address but loopback
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
    /// Name by which clients may call the server, besides addresses and localhost
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_host: Vec<String>,
    #[command(flatten)]
    pub(crate) source: McpArguments,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// Captures, results as --format json prints them, or packages
    #[arg(value_name = "CAPTURE|PACKAGE", required_unless_present = "package")]
    pub(crate) inputs: Vec<PathBuf>,
    /// A package
    #[arg(long, value_name = "DIR")]
    pub(crate) package: Vec<PathBuf>,
    /// Count all totals again by a scan of every blob in scope
    #[arg(long)]
    pub(crate) recount: bool,
    /// Answer each request again from the index and compare every member
    #[arg(long)]
    pub(crate) answer_again: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

#[derive(Debug, Args)]
pub(crate) struct ContractArguments {
    /// Print the contract that a package was made with
    #[arg(long, value_name = "DIR")]
    pub(crate) package: Option<PathBuf>,
    /// How to print: the text for a model, or JSON with the schemas
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    /// Terms of each kind
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) terms: u32,
    /// The same seed draws the same terms
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Count so many answers of each kind again by a scan of the blobs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) check: u32,
    /// Also build: the commit into an empty index, and behind its first parent
    #[arg(long)]
    pub(crate) build: bool,
    /// Full id of the indexed commit [default: the profile's, else the one indexed last]
    #[arg(long, value_name = "ID")]
    pub(crate) commit: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

#[derive(Debug, Args)]
pub(crate) struct StatusArguments {
    /// Re-hash every index file, and the commits, trees and searchable blobs that it was made of
    #[arg(long)]
    pub(crate) check: bool,
    /// List every path that is not searched, with the reason; with a profile also what its extensions and max_file_bytes leave out
    #[arg(long)]
    pub(crate) skipped: bool,
    /// Full id of the commit for --skipped [default: the profile's, else the one indexed last]
    #[arg(long, value_name = "ID")]
    pub(crate) commit: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

#[derive(Debug, Args)]
pub(crate) struct PruneArguments {
    /// Keep the newest N commits, by the order in which they were indexed
    #[arg(long, value_name = "N", conflicts_with = "commit", required_unless_present = "commit")]
    pub(crate) keep: Option<usize>,
    /// Remove these commits (full ids)
    #[arg(long, value_name = "ID", num_args = 1..)]
    pub(crate) commit: Vec<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t = ReportFormat::Text)]
    pub(crate) format: ReportFormat,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_table_is_consistent() {
        Flags::command().debug_assert();
    }

    #[test]
    fn every_command_and_flag_stands_in_the_protocol_page() {
        let page = include_str!("../docs/protocol.md");
        let (commands, _) = page.split_once("\n## Requests").unwrap();
        let rows = |name: &str| commands.lines().filter(|line| line.starts_with(&format!("| `{name}"))).count();
        let table = Flags::command();
        for command in table.get_subcommands() {
            let name = command.get_name();
            let row = commands
                .lines()
                .find(|line| line.starts_with(&format!("| `{name} ")) || line.starts_with(&format!("| `{name}`")));
            let row = row.unwrap_or_else(|| panic!("docs/protocol.md has no row for `{name}`"));
            for flag in command.get_arguments().filter_map(|one| one.get_long()) {
                let everywhere = flag == "format" && rows("--format") == 1;
                assert!(everywhere || row.contains(&format!("--{flag}")), "the row of `{name}` lacks --{flag}");
            }
        }
        for flag in table.get_arguments().filter_map(|one| one.get_long()) {
            assert_eq!(rows(&format!("--{flag}")), 1, "--{flag}");
        }
    }

    #[test]
    fn every_command_has_examples() {
        for command in Flags::command().get_subcommands() {
            let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(examples.contains("Examples:\n  pincite "), "{}", command.get_name());
        }
    }
}
