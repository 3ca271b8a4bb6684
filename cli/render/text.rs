//! Answers and reports for people.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, BufWriter, IsTerminal, Write as _};
use std::ops::Range;
use std::path::Path;

use pincite_indexer::{IndexReport, PruneReport};
use pincite_query::Answer;
use pincite_shared::failure::Failure;
use pincite_shared::wire::result::{
    ContextResult, ListResult, ReadResult, SearchResult, WireContextMatch, WireFile, WireHead, WireSearch,
};

use super::hyperlink::Links;
use super::marks::{Terms, ranges, split};
use super::style::{bytes, coloured, coloured_on, paint};
use super::visible::printable;
use super::{raw, written};
use crate::commands::bench::Bench;
use crate::commands::case::{Copied, Made};
use crate::commands::init::Written;
use crate::commands::status::Status;
use crate::commands::verify::Verified;

pub(super) const PATH: &str = "35";
const NUMBER: &str = "32";
const HIT: &str = "1;31";
const FAINT: &str = "2";
const ALERT: &str = "33";

fn note(text: &str) {
    // What goes to standard error does not decide about success.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

fn counts<K: AsRef<str>>(counts: &BTreeMap<K, u64>) -> String {
    let parts: Vec<String> = counts.iter().map(|(name, count)| format!("{} {count}", name.as_ref())).collect();
    parts.join(", ")
}

/// A line of source text with its marks.
fn marked<'a>(on: bool, text: &'a str, marks: &[Range<usize>]) -> Cow<'a, str> {
    if !on {
        return printable(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    split(text, marks, |part, hit| match hit {
        true => out.push_str(&paint(on, HIT, &printable(part))),
        false => out.push_str(&printable(part)),
    });
    out.into()
}

/// What was searched, skipped and cut; on standard error, so that piped matches stay clean.
pub(super) fn summary(on: bool, head: &WireHead, searches: &[WireSearch]) -> String {
    let mut out = String::new();
    let links = Links::new(on, &head.pin.commit);
    for search in searches {
        let _ = write!(out, "{} {} {:?}", search.id, search.mode, search.text);
        if let (Some(path), Some(line)) = (&search.origin.path, search.origin.line) {
            let place = links.at(path, line, &format!("{}:{line}", printable(&path.path)));
            let _ = write!(out, " ({} at {place})", search.origin.kind);
        } else if let Some(group) = &search.origin.group {
            let _ = write!(out, " ({} {group})", search.origin.kind);
        }
        let state = if search.complete { "complete".into() } else { paint(on, ALERT, "INCOMPLETE") };
        let (matches, files) = (search.matches, search.files);
        let _ = write!(out, ": {matches} lines in {files} files, {state}; searched {} files", search.searched_files);
        if let Some(scan) = &search.scanned {
            let _ = write!(out, ", read {} of {} files ({})", scan.files, scan.of_files, bytes(scan.bytes));
        }
        for (label, map) in [("skipped", &search.skipped), ("outside", &search.outside)] {
            if !map.is_empty() {
                let _ = write!(out, "; {label}: {}", counts(map));
            }
        }
        if !search.elsewhere.is_empty() {
            let _ = write!(out, "; elsewhere: {}", counts(&search.elsewhere));
        }
        if !search.elsewhere_left_out.is_empty() {
            let reasons = search.elsewhere_left_out.iter().map(|(name, reason)| format!("{name} ({reason})"));
            let _ = write!(out, "; not counted elsewhere: {}", reasons.collect::<Vec<_>>().join(", "));
        }
        out.push('\n');
    }
    for limit in &head.limits_reached {
        let search = limit.search.as_ref().map(|search| format!(" ({search})")).unwrap_or_default();
        let label = paint(on, ALERT, "limit reached:");
        let _ = writeln!(out, "{label} {} = {}{search}", limit.limit, limit.configured);
    }
    for warning in &head.warnings {
        let _ = writeln!(out, "{} {}", paint(on, ALERT, "warning:"), printable(warning));
    }
    let _ = writeln!(out, "commit {} · {}", head.pin.commit, head.status);
    out
}

/// An answer of any kind.
pub(crate) fn answer(answer: &Answer) -> Result<(), Failure> {
    match answer {
        Answer::Context(result) => context(result),
        Answer::Selection(result) => super::selection::selection(result),
        Answer::Search(result) => search(result),
        Answer::Read(result) => read(result),
        Answer::List(result) => list(result),
    }
}

/// `path:line:text` for each match; on a terminal, a heading for each file and its lines below. What was searched goes
/// to standard error.
pub(crate) fn search(result: &SearchResult) -> Result<(), Failure> {
    let mut out = BufWriter::with_capacity(64 << 10, io::stdout().lock());
    written(matches(&mut out, result, io::stdout().is_terminal()).and_then(|()| out.flush()))?;
    drop(out);
    note(&summary(coloured_on(&io::stderr()), &result.head, &result.searches));
    Ok(())
}

fn matches(out: &mut impl io::Write, result: &SearchResult, grouped: bool) -> io::Result<()> {
    let on = coloured();
    let links = Links::new(on, &result.head.pin.commit);
    for (number, file) in result.matches.chunk_by(|a, b| a.path == b.path).enumerate() {
        let path = printable(&file[0].path.path);
        let linked = |line: u32, style: &str, text: &str| links.at(&file[0].path, line, &paint(on, style, text));
        if grouped {
            let gap = if number > 0 { "\n" } else { "" };
            writeln!(out, "{gap}{}", linked(file[0].line, PATH, &path))?;
        }
        for one in file {
            let marks = if on { ranges(&one.text, &one.columns, one.chars.is_some()) } else { Vec::new() };
            let text = marked(on, &one.text, &marks);
            match (grouped, on) {
                (true, _) => writeln!(out, "{} {text}", linked(one.line, NUMBER, &format!("{:>6}", one.line)))?,
                (false, true) => {
                    let (path, line) = (linked(one.line, PATH, &path), one.line.to_string());
                    writeln!(out, "{path}:{}:{text}", linked(one.line, NUMBER, &line))?;
                }
                (false, false) => writeln!(out, "{path}:{}:{text}", one.line)?,
            }
        }
    }
    if grouped && !result.matches.is_empty() {
        writeln!(out)?;
    }
    Ok(())
}

/// The chain of searches and the windows, with marks at the matches.
pub(crate) fn context(result: &ContextResult) -> Result<(), Failure> {
    let mut out = summary(coloured(), &result.head, &result.searches);
    out.push_str(&windows(&result.head, &result.files, &result.searches, &result.matches));
    let _ = writeln!(out, "\n{}", result.notice);
    raw(&out)
}

/// The windows with marks at the matches, and the matches without a window.
pub(super) fn windows(
    head: &WireHead,
    files: &[WireFile],
    searches: &[WireSearch],
    matches: &[WireContextMatch],
) -> String {
    let on = coloured();
    let links = Links::new(on, &head.pin.commit);
    let mut out = String::new();
    let mut terms = Terms::default();
    searches.iter().for_each(|search| terms.add(&search.id, &search.text, &search.mode));
    for file in files {
        let hits = matches.iter().filter(|one| one.context_returned && one.path == file.id.path);
        let begin = file.blocks.first().map(|block| block.start_line);
        let first = hits.map(|one| one.line).min().or(begin).unwrap_or(1);
        let path = links.at(&file.id.path, first, &paint(on, PATH, &printable(&file.id.path.path)));
        let _ = writeln!(out, "\n{path} {}", paint(on, FAINT, &format!("blob {}", file.id.blob)));
        for (number, block) in file.blocks.iter().enumerate() {
            if number > 0 {
                let _ = writeln!(out, "{}", paint(on, FAINT, "    …"));
            }
            for (text, line) in block.lines.iter().zip(block.start_line..) {
                let hits = matches.iter().filter(|one| one.line == line && one.path == file.id.path);
                let found: Vec<&str> = hits.map(|one| one.search.as_str()).collect();
                let mark = if found.is_empty() { " " } else { ">" };
                let label = format!("{line:>6}{mark}");
                let style = if found.is_empty() { NUMBER } else { HIT };
                let text = marked(on, text, &terms.ranges(found.into_iter(), text));
                let label = links.at(&file.id.path, line, &paint(on, style, &label));
                let _ = writeln!(out, "{label} {text}");
            }
        }
    }
    let hidden: Vec<_> = matches.iter().filter(|one| !one.context_returned).collect();
    if !hidden.is_empty() {
        out.push_str("\nmatches without a window:\n");
        for one in hidden {
            let place = links.at(&one.path, one.line, &format!("{}:{}", printable(&one.path.path), one.line));
            let _ = writeln!(out, "  {} {place}", one.search);
        }
    }
    out
}

/// Numbered lines.
pub(crate) fn read(result: &ReadResult) -> Result<(), Failure> {
    let on = coloured();
    let mut out = String::new();
    let path = &result.id.path;
    let links = |on: bool| Links::new(on, &result.head.pin.commit);
    for (text, line) in result.lines.iter().zip(result.start_line..) {
        let number = links(on).at(path, line, &paint(on, NUMBER, &format!("{line:>6}")));
        let _ = writeln!(out, "{number} {}", printable(text));
    }
    raw(&out)?;
    let shown = links(coloured_on(&io::stderr())).at(path, result.start_line, &printable(&path.path));
    let mut below = format!("{shown} blob {}", result.id.blob);
    below.push_str(if result.eof { " · end of file\n" } else { "\n" });
    if let Some(limit) = &result.limit {
        let _ = writeln!(below, "{}", limit.read_notice);
    }
    for limit in &result.head.limits_reached {
        let _ = writeln!(below, "limit reached: {} = {}", limit.limit, limit.configured);
    }
    note(&below);
    Ok(())
}

/// One path a line, with the reason behind those that are not searched.
pub(crate) fn list(result: &ListResult) -> Result<(), Failure> {
    let on = coloured();
    let mut out = String::new();
    let links = Links::new(on, &result.head.pin.commit);
    for entry in &result.entries {
        out.push_str(&links.at(&entry.path, 1, &printable(&entry.path.path)));
        if let Some(reason) = entry.skipped.as_ref().or(entry.outside.as_ref()) {
            let _ = write!(out, "\t{}", paint(on, FAINT, &format!("not searched: {reason}")));
        }
        out.push('\n');
    }
    raw(&out)?;
    for warning in &result.head.warnings {
        note(&format!("warning: {}\n", printable(warning)));
    }
    Ok(())
}

/// The summary of an index run.
pub(crate) fn index(report: &IndexReport, directory: &Path) -> Result<(), Failure> {
    let mut out = String::new();
    let done = if report.unchanged { "already indexed" } else { "indexed" };
    let _ = writeln!(out, "{done} commit {}", report.commit);
    let searchable = bytes(report.searchable_bytes);
    let _ = writeln!(out, "  paths       {}, searchable {} ({searchable})", report.paths, report.searchable);
    let read = bytes(report.read_bytes);
    let _ = writeln!(out, "  documents   {}, new {} ({read} read)", report.documents, report.new_documents);
    if !report.skipped.is_empty() {
        let _ = writeln!(out, "  skipped     {} (pincite status --skipped lists them)", counts(&report.skipped));
    }
    if !report.outside.is_empty() {
        let _ = writeln!(out, "  outside     {}", counts(&report.outside));
    }
    let parsed =
        if report.not_parsed > 0 { format!(", {} files only scanned", report.not_parsed) } else { String::new() };
    let _ = writeln!(out, "  hints       {}{parsed}", report.hints);
    let size = bytes(report.index_bytes);
    let _ = writeln!(out, "  index       {} in {} segments, id {}", size, report.segments, &report.index_id[..16]);
    let _ = writeln!(out, "  directory   {}", directory.display());
    let times: Vec<String> = report.milliseconds.iter().map(|(phase, ms)| format!("{phase} {ms} ms")).collect();
    let _ = writeln!(out, "  times       {}", times.join(", "));
    if let Some(peak) = report.peak_memory_bytes {
        let _ = writeln!(out, "  peak memory {}", bytes(peak));
    }
    raw(&out)
}

/// What an index holds.
pub(crate) fn status(status: &Status) -> Result<(), Failure> {
    let mut out = String::new();
    let _ = writeln!(out, "index       {}", status.directory);
    let _ = writeln!(out, "id          {}", status.index_id);
    let _ = writeln!(out, "repository  {} ({})", status.repository, status.object_format);
    let _ = writeln!(
        out,
        "size        {} in {} segments, {} documents, hints: {}",
        bytes(status.bytes),
        status.segments,
        status.documents,
        status.hints
    );
    for commit in &status.commits {
        let _ = writeln!(
            out,
            "commit      {} {} ago, {} paths, {} searchable ({})",
            commit.commit,
            age(commit.indexed_at),
            commit.paths,
            commit.searchable,
            bytes(commit.searchable_bytes)
        );
    }
    if let Some(check) = &status.check {
        // What was compared with its checksum or hash is whole; blobs that could not be compared are told apart from it.
        let (whole, missing) = match check.missing_blobs {
            0 => ("whole", String::new()),
            count => {
                let advice = "searches that need one fail until it is fetched, or until `pincite index` records it";
                (
                    "the index is whole, the clone is not",
                    format!("; {count} indexed blobs are no longer there: {advice}"),
                )
            }
        };
        let (files, size) = (check.files, bytes(check.bytes));
        let _ = writeln!(
            out,
            "check       {whole}: {files} index files ({size}) and {} blobs re-hashed{missing}",
            check.blobs
        );
    }
    let links = Links::new(coloured(), status.skipped_commit.as_deref().unwrap_or_default());
    for one in status.skipped.iter().flatten() {
        let _ = writeln!(out, "skipped     {}\t{}", one.reason, links.at(&one.path, 1, &printable(&one.path.path)));
    }
    raw(&out)
}

fn age(since: u64) -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_secs();
    match now.saturating_sub(since) {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds @ 120..7_200 => format!("{} min", seconds / 60),
        seconds @ 7_200..172_800 => format!("{} h", seconds / 3_600),
        seconds => format!("{} days", seconds / 86_400),
    }
}

/// What a prune did.
pub(crate) fn prune(report: &PruneReport) -> Result<(), Failure> {
    let mut out = String::new();
    for commit in &report.removed {
        let _ = writeln!(out, "removed {commit}");
    }
    let _ = writeln!(
        out,
        "commits kept: {}; {} documents removed; {} before, {} now",
        report.kept.len(),
        report.removed_documents,
        bytes(report.bytes_before),
        bytes(report.bytes_after)
    );
    raw(&out)
}

/// A package that was made.
pub(crate) fn made(made: &Made) -> Result<(), Failure> {
    let budget = made.budget.map_or("any number of actions".to_owned(), |budget| format!("{budget} actions"));
    raw(format!("made {} for commit {}, settings {}, {budget}\n", made.package, made.commit, &made.settings_sha256))
}

/// A package that was copied.
pub(crate) fn copied(copied: &Copied) -> Result<(), Failure> {
    let objects = copied.objects.map_or(String::new(), |count| format!(" and {count} Git objects (objects.git)"));
    raw(format!("copied {} captures{objects} to {}\n", copied.captures, copied.package))
}

/// What was checked, and everything that does not hold.
pub(crate) fn verified(all: &[Verified]) -> Result<(), Failure> {
    let mut out = String::new();
    for one in all {
        let report = &one.report;
        let state = if one.holds { "holds".to_owned() } else { format!("{} PROBLEMS", report.problems.len()) };
        let _ = write!(out, "{}: {state}; {} captures, {} lines compared", one.input, report.captures, report.lines);
        let _ = match report.recounted {
            0 => write!(out, ", totals not counted again"),
            count => write!(out, ", {count} searches counted again"),
        };
        if let Some(count) = one.answered_again {
            let _ = write!(out, ", {count} requests answered again");
        }
        if let Some(count) = one.not_compared.filter(|count| *count > 0) {
            let _ = write!(
                out,
                ", {count} not compared (another index answered them, or their interpretation is not here)"
            );
        }
        out.push('\n');
        for line in &report.unfinished_ledger_lines {
            let _ = writeln!(out, "  note: line {line} of the ledger was never finished and counts for nothing");
        }
        for name in &report.unrecorded {
            let _ =
                writeln!(out, "  note: the ledger does not name captures/{name}.json yet; the next query records it");
        }
        for one in &report.problems {
            let pointer =
                if one.problem.pointer.is_empty() { String::new() } else { format!(" {}", one.problem.pointer) };
            let _ = writeln!(out, "  {}{pointer}: {}", one.file, printable(&one.problem.problem));
        }
    }
    raw(&out)
}

/// What `init` wrote, and what it proposes.
pub(crate) fn init(written: &Written) -> Result<(), Failure> {
    let survey = &written.survey;
    let mut out = String::new();
    let _ = writeln!(out, "wrote {} for commit {}", printable(&written.profile), survey.commit);
    let languages = survey.languages.iter().map(|(name, extensions)| (*name, extensions.values().sum()));
    let _ = writeln!(out, "  languages   {}", counts(&languages.collect::<BTreeMap<&str, u64>>()));
    for one in &survey.registration_prefixes {
        let _ = writeln!(
            out,
            "  prefix      {} {} functions in {} files, {} called in {}",
            printable(&one.prefix),
            one.functions,
            one.files,
            one.called_by_main,
            printable(&one.main_caller)
        );
    }
    let _ = writeln!(out, "everything but the commit is a comment; read it, then run `pincite index`");
    raw(&out)
}

/// The table of a benchmark.
pub(crate) fn bench(bench: &Bench) -> Result<(), Failure> {
    let mut out = String::new();
    let milliseconds = |microseconds: u64| format!("{:.2}", microseconds as f64 / 1000.0);
    let _ = writeln!(out, "commit {} on {} processors, seed {}", bench.commit, bench.processors, bench.seed);
    let ratio = bench.index_bytes as f64 / bench.searchable_bytes.max(1) as f64;
    let (index, text) = (bytes(bench.index_bytes), bytes(bench.searchable_bytes));
    let _ = writeln!(out, "index {index}, {ratio:.2} of the {text} that are searched");
    let _ = writeln!(
        out,
        "\n{:<18}{:>6}{:>10}{:>10}{:>10}{:>10}{:>10}  slowest",
        "milliseconds", "terms", "cold p50", "p50", "p90", "p99", "max"
    );
    for row in &bench.queries {
        let _ = writeln!(
            out,
            "{:<18}{:>6}{:>10}{:>10}{:>10}{:>10}{:>10}  {}",
            row.kind,
            row.terms,
            milliseconds(row.cold_p50),
            milliseconds(row.warm_p50),
            milliseconds(row.warm_p90),
            milliseconds(row.warm_p99),
            milliseconds(row.warm_max),
            printable(&row.slowest)
        );
    }
    for row in &bench.queries {
        let state = match (row.wrong.is_empty(), row.checked) {
            (true, 0) => "none checked".to_owned(),
            (true, checked) => format!("{checked} checked by a scan, all right"),
            (false, checked) => format!("{} of {checked} WRONG", row.wrong.len()),
        };
        let errors = if row.errors > 0 { format!(", {} errors", row.errors) } else { String::new() };
        let _ = writeln!(out, "{:<18}{} lines, {} read, {state}{errors}", row.kind, row.lines, bytes(row.read_bytes));
        for wrong in &row.wrong {
            let _ = writeln!(out, "  {}", printable(wrong));
        }
    }
    if let Some(builds) = &bench.builds {
        let times = |report: &IndexReport| {
            let each: Vec<String> = report.milliseconds.iter().map(|(phase, ms)| format!("{phase} {ms} ms")).collect();
            each.join(", ")
        };
        let _ = writeln!(out, "\nfull build        {} ms ({})", builds.full_milliseconds, times(&builds.full));
        if let (Some(next), Some(milliseconds)) = (&builds.next, builds.next_milliseconds) {
            let percent = milliseconds as f64 * 100.0 / builds.full_milliseconds.max(1) as f64;
            let changed = next.new_documents as f64 * 100.0 / next.documents.max(1) as f64;
            let _ = writeln!(
                out,
                "after its parent  {milliseconds} ms, {percent:.1} % of a full build, for {changed:.1} % new documents ({})",
                times(next)
            );
        }
    }
    if let Some(peak) = bench.peak_memory_bytes {
        let _ = writeln!(out, "peak memory       {}", bytes(peak));
    }
    raw(&out)
}
