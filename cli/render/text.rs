//! Answers and reports for people.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;

use pincite_indexer::{IndexReport, PruneReport};
use pincite_shared::failure::Failure;
use pincite_shared::wire::result::{
    ContextResult, ListResult, ReadResult, SearchResult, WireContextMatch, WireFile, WireHead, WireSearch,
};

use super::style::{bytes, coloured, paint, printable};
use super::written;
use crate::commands::status::Status;

pub(super) const PATH: &str = "35";
const NUMBER: &str = "32";
const HIT: &str = "1;31";
const FAINT: &str = "2";

pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

fn note(text: &str) {
    // What goes to standard error does not decide about success.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

fn counts<K: AsRef<str>>(counts: &BTreeMap<K, u64>) -> String {
    let parts: Vec<String> = counts.iter().map(|(name, count)| format!("{} {count}", name.as_ref())).collect();
    parts.join(", ")
}

/// What was searched, skipped and cut; on standard error, so that piped matches stay clean.
pub(super) fn summary(head: &WireHead, searches: &[WireSearch]) -> String {
    let mut out = String::new();
    for search in searches {
        let _ = write!(out, "{} {} {:?}", search.id, search.mode, search.text);
        if let (Some(path), Some(line)) = (&search.origin.path, search.origin.line) {
            let _ = write!(out, " ({} at {}:{line})", search.origin.kind, printable(&path.path));
        } else if let Some(group) = &search.origin.group {
            let _ = write!(out, " ({} {group})", search.origin.kind);
        }
        let state = if search.complete { "complete" } else { "INCOMPLETE" };
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
        out.push('\n');
    }
    for limit in &head.limits_reached {
        let search = limit.search.as_ref().map(|search| format!(" ({search})")).unwrap_or_default();
        let _ = writeln!(out, "limit reached: {} = {}{search}", limit.limit, limit.configured);
    }
    for warning in &head.warnings {
        let _ = writeln!(out, "warning: {}", printable(warning));
    }
    let _ = writeln!(out, "commit {} · {}", head.pin.commit, head.status);
    out
}

/// `path:line:text` for each match, and what was searched on standard error.
pub(crate) fn search(result: &SearchResult) -> Result<(), Failure> {
    let on = coloured();
    let mut out = String::new();
    for one in &result.matches {
        let (path, line) = (printable(&one.path.path), one.line.to_string());
        let _ = write!(out, "{}:{}:", paint(on, PATH, &path), paint(on, NUMBER, &line));
        let text = printable(&one.text);
        if on && one.chars.is_none() {
            let mut at = 0;
            let chars: Vec<char> = text.chars().collect();
            for [start, end] in &one.columns {
                let (start, end) = ((*start as usize).min(chars.len()), (*end as usize).min(chars.len()));
                out.extend(&chars[at..start]);
                let hit: String = chars[start..end].iter().collect();
                out.push_str(&paint(on, HIT, &hit));
                at = end;
            }
            out.extend(&chars[at..]);
        } else {
            out.push_str(&text);
        }
        out.push('\n');
    }
    print(&out)?;
    note(&summary(&result.head, &result.searches));
    Ok(())
}

/// The chain of searches and the windows, with marks at the matches.
pub(crate) fn context(result: &ContextResult) -> Result<(), Failure> {
    let mut out = summary(&result.head, &result.searches);
    out.push_str(&windows(&result.files, &result.matches));
    let _ = writeln!(out, "\n{}", result.notice);
    print(&out)
}

/// The windows with marks at the matches, and the matches without a window.
pub(super) fn windows(files: &[WireFile], matches: &[WireContextMatch]) -> String {
    let on = coloured();
    let mut out = String::new();
    for file in files {
        let path = printable(&file.id.path.path);
        let _ = writeln!(out, "\n{} {}", paint(on, PATH, &path), paint(on, FAINT, &format!("blob {}", file.id.blob)));
        for (number, block) in file.blocks.iter().enumerate() {
            if number > 0 {
                let _ = writeln!(out, "{}", paint(on, FAINT, "    …"));
            }
            for (text, line) in block.lines.iter().zip(block.start_line..) {
                let hits = matches.iter().filter(|one| one.line == line && one.path == file.id.path);
                let marks: Vec<&str> = hits.map(|one| one.search.as_str()).collect();
                let mark = if marks.is_empty() { " " } else { ">" };
                let label = format!("{line:>6}{mark}");
                let style = if marks.is_empty() { NUMBER } else { HIT };
                let _ = writeln!(out, "{} {}", paint(on, style, &label), printable(text));
            }
        }
    }
    let hidden: Vec<_> = matches.iter().filter(|one| !one.context_returned).collect();
    if !hidden.is_empty() {
        let _ = writeln!(out, "\nmatches without a window:");
        for one in hidden {
            let _ = writeln!(out, "  {} {}:{}", one.search, printable(&one.path.path), one.line);
        }
    }
    out
}

/// Numbered lines.
pub(crate) fn read(result: &ReadResult) -> Result<(), Failure> {
    let on = coloured();
    let mut out = String::new();
    for (text, line) in result.lines.iter().zip(result.start_line..) {
        let _ = writeln!(out, "{} {}", paint(on, NUMBER, &format!("{line:>6}")), printable(text));
    }
    print(&out)?;
    let mut below = format!("{} blob {}", printable(&result.id.path.path), result.id.blob);
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
    for entry in &result.entries {
        out.push_str(&printable(&entry.path.path));
        if let Some(reason) = entry.skipped.as_ref().or(entry.outside.as_ref()) {
            let _ = write!(out, "\t{}", paint(on, FAINT, &format!("not searched: {reason}")));
        }
        out.push('\n');
    }
    print(&out)?;
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
    print(&out)
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
        let missing = match check.missing_blobs {
            0 => String::new(),
            count => format!("; {count} blobs are no longer in the clone"),
        };
        let _ = writeln!(
            out,
            "check       whole: {} index files ({}) and {} blobs re-hashed{missing}",
            check.files,
            bytes(check.bytes),
            check.blobs
        );
    }
    for one in status.skipped.iter().flatten() {
        let _ = writeln!(out, "skipped     {}\t{}", one.reason, printable(&one.path.path));
    }
    print(&out)
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
        "{} commits kept; {} documents removed; {} before, {} now",
        report.kept.len(),
        report.removed_documents,
        bytes(report.bytes_before),
        bytes(report.bytes_after)
    );
    print(&out)
}
