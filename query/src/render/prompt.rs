//! The compact rendering for a model (`--format prompt`): every fact that a reader needs, in few tokens, the same each
//! time, and reversible for the lines of code.
//!
//! A line of code stands behind its first tab: `38>` and a tab before a match, `40` and a tab now and then to count by,
//! else a tab alone. No other line begins with a tab or a digit, so source text can not pass for anything else. Lines
//! end at LF only. Left out are what a reader does not need to judge an answer: SHA-256 (the blob id stays), columns,
//! the fixed notice (the contract says it once).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pincite_shared::failure::Failure;
use pincite_shared::wire::result::{
    ContextResult, ListResult, Name, ReadResult, SearchResult, WireBlock, WireContextMatch, WireFile, WireFileId,
    WireHead, WirePath, WireSearch, WireShortened,
};
use pincite_shared::wire::selection::SelectionResult;
use serde_json::Value;

use crate::answer::Answer;
use crate::project_query::Reply;

/// Every so many lines of code carry their number.
const NUMBERED: u32 = 10;

/// A reply as a model reads it.
pub fn prompt_reply(reply: &Reply) -> String {
    match reply {
        Reply::One(answer) => prompt(answer),
        Reply::Bundle(answers) => {
            let mut out = String::new();
            for (one, number) in answers.iter().zip(1..) {
                let _ = writeln!(out, "=== {number} of {}", answers.len());
                out.push_str(&match one {
                    Ok(answer) => prompt(answer),
                    Err(failure) => prompt_failure(failure),
                });
            }
            out
        }
    }
}

/// An error as a model reads it.
pub fn prompt_failure(failure: &Failure) -> String {
    let field = failure.field.as_ref().map(|field| format!(" ({field})")).unwrap_or_default();
    format!("error {}{field}: {}\n", failure.code.name(), one_line(&failure.message))
}

/// An answer as a model reads it.
pub fn prompt(answer: &Answer) -> String {
    let mut out = String::new();
    head(&mut out, answer.head());
    match answer {
        Answer::Context(result) => context(&mut out, result),
        Answer::Selection(result) => selection(&mut out, result),
        Answer::Search(result) => search(&mut out, result),
        Answer::Read(result) => read(&mut out, result),
        Answer::List(result) => list(&mut out, result),
    }
    out
}

fn head(out: &mut String, head: &WireHead) {
    let _ = writeln!(out, "{}", head.status);
    let _ = writeln!(out, "commit {} hints {}", head.pin.commit, head.index.hints);
    let members = head.request.as_object().into_iter().flatten();
    let members = members.filter(|(_, value)| value.as_str() != Some(""));
    let shown = members.map(|(name, value)| match (name.as_str(), value) {
        ("kind", Value::String(kind)) => kind.clone(),
        (name, value) => format!("{name}={value}"),
    });
    let _ = writeln!(out, "{}", shown.collect::<Vec<_>>().join(" "));
    for limit in &head.limits_reached {
        let search = limit.search.as_ref().map(|search| format!(" in {search}")).unwrap_or_default();
        let _ = writeln!(out, "limit {}={}{search}", limit.limit, limit.configured);
    }
    for warning in &head.warnings {
        let _ = writeln!(out, "warning: {}", one_line(warning));
    }
}

fn counts(label: &str, counts: &BTreeMap<Name, u64>) -> String {
    if counts.is_empty() {
        return String::new();
    }
    let each: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
    format!("; {label} {}", each.join(", "))
}

fn scope(search: &WireSearch) -> String {
    format!(
        "; searched {} files{}{}",
        search.searched_files,
        counts("skipped", &search.skipped),
        counts("outside", &search.outside)
    )
}

fn searches(out: &mut String, searches: &[WireSearch]) {
    let mut first: Option<String> = None;
    for search in searches {
        let _ = write!(out, "{} {} {}", search.id, search.mode, Value::from(search.text.as_str()));
        if let (Some(path), Some(line), Some(from)) = (&search.origin.path, search.origin.line, &search.origin.search) {
            let hint = search.origin.hint.as_deref().unwrap_or_default();
            let _ = write!(out, " by {} of {from} at {}:{line} ({hint})", search.origin.kind, shown_path(path));
        } else if let Some(group) = &search.origin.group {
            let _ = write!(out, " by {} {group}", search.origin.kind);
        }
        let state = if search.complete { "complete" } else { "INCOMPLETE" };
        let _ = write!(out, ": {} lines in {} files, {state}", search.matches, search.files);
        // All searches of a chain have one scope; it is said once.
        let own = scope(search);
        if first.as_ref() != Some(&own) {
            out.push_str(&own);
            first.get_or_insert(own);
        }
        out.push_str(&counts("elsewhere", &search.elsewhere));
        if !search.elsewhere_left_out.is_empty() {
            let each: Vec<String> =
                search.elsewhere_left_out.iter().map(|(name, reason)| format!("{name} ({reason})")).collect();
            let _ = write!(out, "; elsewhere not counted {}", each.join(", "));
        }
        if let Some(scan) = search.scanned.as_ref().filter(|scan| scan.files < scan.of_files) {
            let _ = write!(out, "; read {} of {} files", scan.files, scan.of_files);
        }
        out.push('\n');
    }
}

fn file(out: &mut String, id: &WireFileId) {
    let _ = writeln!(out, "# {}\nblob {} {} bytes", shown_path(&id.path), id.blob, id.bytes);
}

fn marks(out: &mut String, shortened: &[WireShortened], lossy: &[u32]) {
    if !shortened.is_empty() {
        let each: Vec<String> = shortened.iter().map(|one| format!("{} of {} chars", one.line, one.chars)).collect();
        let _ = writeln!(out, "shortened {}", each.join(", "));
    }
    if !lossy.is_empty() {
        let each: Vec<String> = lossy.iter().map(u32::to_string).collect();
        let _ = writeln!(out, "not UTF-8 {}", each.join(", "));
    }
}

fn code(out: &mut String, start: u32, lines: &[String], is_match: impl Fn(u32) -> bool) {
    for (text, line) in lines.iter().zip(start..) {
        if is_match(line) {
            let _ = write!(out, "{line}>");
        } else if line == start || line % NUMBERED == 0 {
            let _ = write!(out, "{line}");
        }
        let _ = writeln!(out, "\t{text}");
    }
}

fn context(out: &mut String, result: &ContextResult) {
    searches(out, &result.searches);
    windows(out, &result.files, &result.matches);
}

fn selection(out: &mut String, result: &SelectionResult) {
    for anchor in &result.anchors {
        let _ = write!(out, "{} {} {}", anchor.group, anchor.kind, Value::from(anchor.text.as_str()));
        if !anchor.variants.is_empty() {
            let _ = write!(out, " also {}", Value::from(anchor.variants.clone()));
        }
        if let Some(entity) = &anchor.entity {
            let of_type = anchor.entity_type.as_deref().unwrap_or("?");
            let _ = write!(out, " of {} {}", one_line(entity), one_line(of_type));
        }
        if !anchor.roles.is_empty() {
            let _ = write!(out, " roles {}", one_line(&anchor.roles.join(",")));
        }
        let _ = writeln!(out, " from {} {}", anchor.source.document, one_line(&anchor.source.pointer));
    }
    searches(out, &result.searches);
    let _ = writeln!(out, "scope {}", result.scope);
    for file in &result.selection.files {
        let signals: Vec<String> =
            file.signals.iter().map(|one| format!("{} {} {}", one.group, one.signal, one.search)).collect();
        let place = file.location.as_ref().map(|one| format!(" in {}", one_line(one))).unwrap_or_default();
        let _ = writeln!(out, "{} {}{place}: {}", file.class, shown_path(&file.path), signals.join(", "));
    }
    if result.selection.primary_files.is_empty() {
        out.push_str("no primary_candidate\n");
    }
    windows(out, &result.files, &result.matches);
    for weak in &result.weak_numeric {
        let lines: Vec<String> = weak.lines.iter().map(u32::to_string).collect();
        let more = if (lines.len() as u64) < weak.count { ",…" } else { "" };
        let _ =
            writeln!(out, "weak_numeric {}: {} lines {}{more}", shown_path(&weak.path), weak.count, lines.join(","));
    }
}

fn windows(out: &mut String, files: &[WireFile], matches: &[WireContextMatch]) {
    for one in files {
        file(out, &one.id);
        for block in &one.blocks {
            let WireBlock { start_line, lines, shortened, lossy_lines } = block;
            let end = u64::from(*start_line) + lines.len() as u64 - u64::from(!lines.is_empty());
            let within = |line: u32| (u64::from(*start_line)..=end).contains(&u64::from(line));
            let mut found: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
            for hit in matches.iter().filter(|hit| hit.path == one.id.path && within(hit.line)) {
                found.entry(hit.line).or_default().push(&hit.search);
            }
            let each: Vec<String> = found.iter().map(|(line, by)| format!("{line} {}", by.join("+"))).collect();
            let by = if each.is_empty() { String::new() } else { format!(" matches {}", each.join(", ")) };
            let _ = writeln!(out, "@{start_line}-{end}{by}");
            marks(out, shortened, lossy_lines);
            code(out, *start_line, lines, |line| found.contains_key(&line));
        }
    }
    let mut hidden: BTreeMap<(&str, String), Vec<String>> = BTreeMap::new();
    for hit in matches.iter().filter(|hit| !hit.context_returned) {
        hidden.entry((&hit.search, shown_path(&hit.path))).or_default().push(hit.line.to_string());
    }
    for ((search, path), lines) in hidden {
        let _ = writeln!(out, "no window: {search} {path}:{}", lines.join(","));
    }
}

fn search(out: &mut String, result: &SearchResult) {
    searches(out, &result.searches);
    for same in result.matches.chunk_by(|a, b| a.path == b.path) {
        let _ = writeln!(out, "# {}", same.first().map(|one| shown_path(&one.path)).unwrap_or_default());
        for one in same {
            let cut = one.chars.map(|chars| format!("~{chars}")).unwrap_or_default();
            let lossy = if one.lossy { "?" } else { "" };
            let suffix = if one.suffix { "u" } else { "" };
            let _ = writeln!(out, "{}{cut}{lossy}{suffix}\t{}", one.line, one.text);
        }
    }
}

fn read(out: &mut String, result: &ReadResult) {
    file(out, &result.id);
    let end = result.end_line.map_or("none".to_owned(), |end| end.to_string());
    let eof = if result.eof { ", end of file" } else { "" };
    let _ = writeln!(out, "@{}-{end}{eof}", result.start_line);
    if let Some(limit) = &result.limit {
        let next = limit.next_start_line.map_or("none".to_owned(), |next| next.to_string());
        let _ = writeln!(
            out,
            "requested {}-{} ({} lines, limit {}), range complete: {}, next_start_line {next}",
            limit.requested_start_line,
            limit.requested_end_line,
            limit.requested_line_count,
            limit.line_limit,
            limit.requested_range_complete
        );
    }
    marks(out, &result.shortened, &result.lossy_lines);
    code(out, result.start_line, &result.lines, |_| false);
}

fn list(out: &mut String, result: &ListResult) {
    let _ = writeln!(out, "{} of {} paths", result.entries.len(), result.total);
    for entry in &result.entries {
        let _ = write!(out, "- {}", shown_path(&entry.path));
        if entry.kind != "file" {
            let _ = write!(out, " {}", entry.kind);
        }
        if let Some(bytes) = entry.bytes {
            let _ = write!(out, " {bytes}");
        }
        if let Some(reason) = entry.skipped.as_ref().or(entry.outside.as_ref()) {
            let _ = write!(out, " not searched: {reason}");
        }
        out.push('\n');
    }
    if let Some(next) = &result.next_after {
        let exact = result.next_after_base64.as_ref().map(|exact| format!(" base64 {exact}")).unwrap_or_default();
        let _ = writeln!(out, "next_after {}{exact}", Value::from(next.as_str()));
    }
}

/// A path as it is, or quoted as JSON when it could be misread.
fn shown_path(path: &WirePath) -> String {
    let plain = |c: char| !c.is_control() && c != '"' && c != '\u{fffd}';
    match &path.path_base64 {
        None if path.path.chars().all(plain) => path.path.to_string(),
        None => Value::from(&*path.path).to_string(),
        Some(exact) => format!("{} base64 {exact}", Value::from(&*path.path)),
    }
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}
