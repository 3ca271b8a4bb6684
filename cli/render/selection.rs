//! Answers of protocol 2 for people: anchors and classes above the windows, weak matches below.

use std::fmt::Write as _;

use pincite_shared::failure::Failure;
use pincite_shared::wire::selection::{SelectionResult, WireAnchor, WireSelectedFile};

use super::hyperlink::Links;
use super::raw;
use super::style::{coloured, paint};
use super::text::{PATH, summary, windows};
use super::visible::printable;

/// The anchors, the chain of searches, the selection, the windows, and the weak matches.
pub(crate) fn selection(result: &SelectionResult) -> Result<(), Failure> {
    let mut out = String::new();
    let links = Links::new(coloured(), &result.head.pin.commit);
    for anchor in &result.anchors {
        let _ = writeln!(out, "{}", anchor_line(anchor));
    }
    out.push_str(&summary(coloured(), &result.head, &result.searches));
    let _ = writeln!(out, "scope {}", result.scope);
    let strong = |file: &&WireSelectedFile| file.class != "weak_numeric";
    for file in result.selection.files.iter().filter(strong) {
        let _ = writeln!(out, "{}", file_line(links, result, file));
    }
    if result.selection.primary_files.is_empty() {
        out.push_str("no primary candidate among the hits that were weighed\n");
    }
    out.push_str(&windows(&result.head, &result.files, &result.searches, &result.matches));
    if !result.weak_numeric.is_empty() {
        out.push_str("\nnumbers alone:\n");
    }
    for weak in &result.weak_numeric {
        let linked = |line: u32, text: &str| links.at(&weak.path, line, text);
        let lines: Vec<String> = weak.lines.iter().map(|line| linked(*line, &line.to_string())).collect();
        let path = linked(weak.lines.first().copied().unwrap_or(1), &printable(&weak.path.path));
        let more = if (weak.lines.len() as u64) < weak.count { ", …" } else { "" };
        let _ = writeln!(out, "  {path} {} lines: {}{more}", weak.count, lines.join(", "));
    }
    let _ = writeln!(out, "\n{}", result.notice);
    raw(&out)
}

fn anchor_line(anchor: &WireAnchor) -> String {
    let mut line = format!("{} {} {:?}", anchor.group, anchor.kind, printable(&anchor.text));
    if let (Some(entity), Some(entity_type)) = (&anchor.entity, &anchor.entity_type) {
        let _ = write!(line, " of {} ({})", printable(entity), printable(entity_type));
    }
    let _ = write!(line, ", {} {}", anchor.source.document, printable(&anchor.source.pointer));
    line
}

fn file_line(links: Links<'_>, result: &SelectionResult, file: &WireSelectedFile) -> String {
    let signals: Vec<String> =
        file.signals.iter().map(|one| format!("{} {} {}", one.group, one.signal, one.search)).collect();
    let lines = result.matches.iter().filter(|one| one.path == file.path).map(|one| one.line);
    let path = paint(coloured(), PATH, &printable(&file.path.path));
    let path = links.at(&file.path, lines.min().unwrap_or(1), &path);
    let location = file.location.as_ref().map(|one| format!(" [{}]", printable(one))).unwrap_or_default();
    format!("{} {path}{location}: {}", file.class, signals.join(", "))
}
