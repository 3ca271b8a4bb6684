//! Files, their windows of lines, and matches.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use super::html::Html;
use super::value::{is_true, list, number, says_something, shown, text, unknown};
use super::{fact, hash, selection};
use crate::render::marks::{Terms, ranges};

/// Members of a file that are shown; others follow as they are.
const KNOWN: [&str; 10] =
    ["path", "path_base64", "blob", "sha256", "swhid", "bytes", "blocks", "class", "location", "signals"];

/// The path of an object of the wire; told when its bytes are other ones.
pub(super) fn path(value: &Value) -> String {
    match text(value, "path_base64") {
        exact if exact.is_empty() => text(value, "path"),
        exact => format!("{} (base64 {exact})", text(value, "path")),
    }
}

/// Where lines stand on the page.
pub(super) struct Places {
    /// By path and line: the id of the line.
    lines: HashMap<(String, u64), String>,
}

impl Places {
    pub(super) fn new(id: &str, result: &Value) -> Self {
        let mut lines = HashMap::new();
        for (file, at) in list(result, "files").iter().zip(1..) {
            for block in list(file, "blocks") {
                for line in block_lines(block).map(|(line, _)| line) {
                    lines.entry((path(file), line)).or_insert_with(|| line_id(id, at, line));
                }
            }
        }
        Self { lines }
    }

    /// A link to a line, or its name when the page does not show it.
    pub(super) fn jump(&self, html: &mut Html, path: &str, line: &str) {
        let label = format!("{path}:{line}");
        match line.parse().ok().and_then(|line| self.lines.get(&(path.to_owned(), line))) {
            Some(id) => html.jump(id, &label),
            None => html.leaf("span", &[("class", "path")], &label),
        }
    }
}

fn line_id(id: &str, file: usize, line: u64) -> String {
    format!("{id}-f{file}-{line}")
}

/// Numbers and texts of a window's lines.
fn block_lines(block: &Value) -> impl Iterator<Item = (u64, String)> + '_ {
    let start = number(block, "start_line").unwrap_or(1);
    list(block, "lines").iter().enumerate().map(move |(at, line)| (start.saturating_add(at as u64), shown(line)))
}

/// Sentences on lines that are not as they stand in their files.
pub(super) fn altered(result: &Value) -> Vec<String> {
    let files = list(result, "files").iter().flat_map(|file| list(file, "blocks"));
    let all: Vec<&Value> = files.chain([result]).collect();
    let mut sentences = Vec::new();
    let flags = |name: &str| list(result, "matches").iter().filter(|one| says_something(one, name)).count();
    let shortened = all.iter().map(|one| list(one, "shortened").len()).sum::<usize>() + flags("chars");
    if shortened > 0 {
        sentences.push(format!("{shortened} lines are longer than what is shown of them."));
    }
    let lossy = all.iter().map(|one| list(one, "lossy_lines").len()).sum::<usize>() + flags("lossy");
    if lossy > 0 {
        sentences.push(format!("{lossy} lines are not valid UTF-8; U+FFFD stands for the bytes that are not."));
    }
    sentences
}

/// The files of a context with their windows, then the matches that no window shows.
pub(super) fn context(html: &mut Html, id: &str, result: &Value, places: &Places) {
    let mut terms = Terms::default();
    for search in list(result, "searches") {
        terms.add(&text(search, "id"), &text(search, "text"), &text(search, "mode"));
    }
    let mut hits: HashMap<(String, u64), Vec<String>> = HashMap::new();
    for one in list(result, "matches") {
        hits.entry((path(one), number(one, "line").unwrap_or(0))).or_default().push(text(one, "search"));
    }
    let files = list(result, "files");
    if !files.is_empty() {
        let what = if files.len() == 1 { "file" } else { "files" };
        html.leaf("h3", &[], &format!("Windows in {} {what}", files.len()));
    }
    for (file, at) in files.iter().zip(1..) {
        html.element("section", &[("class", "file"), ("id", &format!("{id}-f{at}"))], |html| {
            html.element("header", &[], |html| {
                identity(html, file);
                selection::of_file(html, result, file);
                for (name, value) in unknown(file, &KNOWN) {
                    html.leaf("div", &[("class", "faint")], &format!("{name}: {}", shown(value)));
                }
            });
            for block in list(file, "blocks") {
                let long: BTreeMap<u64, String> = list(block, "shortened")
                    .iter()
                    .filter_map(|one| Some((number(one, "line")?, text(one, "chars"))))
                    .collect();
                html.element("div", &[("class", "window")], |html| {
                    for (line, source) in block_lines(block) {
                        let found = hits.get(&(path(file), line)).map(Vec::as_slice).unwrap_or_default();
                        let marks = terms.ranges(found.iter().map(String::as_str), &source);
                        let note = long.get(&line).map(|chars| format!("{chars} characters"));
                        let place = line_id(id, at, line);
                        row(
                            html,
                            id,
                            Line {
                                id: &place,
                                number: line,
                                source: &source,
                                found: Some(found),
                                note: note.as_deref(),
                            },
                            &marks,
                        );
                    }
                });
            }
        });
    }
    let unseen = list(result, "matches").iter().filter(|one| !is_true(one, "context_returned")).collect::<Vec<_>>();
    if !unseen.is_empty() {
        html.leaf("h3", &[], "Matches without a window");
        html.element("ul", &[], |html| {
            for one in unseen {
                html.element("li", &[], |html| {
                    html.text(&format!("{} ", text(one, "search")));
                    places.jump(html, &path(one), &text(one, "line"));
                });
            }
        });
    }
}

/// The matches of a search, by file.
pub(super) fn matches(html: &mut Html, id: &str, result: &Value) {
    let matches = list(result, "matches");
    html.leaf("h3", &[], &format!("Matches listed: {}", matches.len()));
    for (file, at) in matches.chunk_by(|a, b| path(a) == path(b)).zip(1..) {
        html.element("section", &[("class", "file"), ("id", &format!("{id}-f{at}"))], |html| {
            html.element("header", &[], |html| html.leaf("div", &[("class", "path")], &path(&file[0])));
            html.element("div", &[("class", "window")], |html| {
                for one in file {
                    let line = number(one, "line").unwrap_or(0);
                    let source = text(one, "text");
                    let columns: Vec<[u32; 2]> = list(one, "columns").iter().filter_map(column).collect();
                    let marks = ranges(&source, &columns, says_something(one, "chars"));
                    let note = says_something(one, "chars").then(|| format!("{} characters", text(one, "chars")));
                    let place = line_id(id, at, line);
                    row(
                        html,
                        id,
                        Line { id: &place, number: line, source: &source, found: None, note: note.as_deref() },
                        &marks,
                    );
                }
            });
        });
    }
}

/// The lines of a read.
pub(super) fn read(html: &mut Html, id: &str, result: &Value) {
    html.leaf("h3", &[], "Lines");
    html.element("section", &[("class", "file"), ("id", &format!("{id}-f1"))], |html| {
        html.element("header", &[], |html| identity(html, result));
        html.element("div", &[("class", "window")], |html| {
            for (line, source) in block_lines(result) {
                let place = line_id(id, 1, line);
                row(html, id, Line { id: &place, number: line, source: &source, found: None, note: None }, &[]);
            }
        });
    });
    if is_true(result, "eof") {
        html.leaf("p", &[("class", "faint")], "End of the file.");
    }
}

fn column(value: &Value) -> Option<[u32; 2]> {
    let end = |at: usize| value.get(at).and_then(Value::as_u64).and_then(|column| u32::try_from(column).ok());
    let (start, end) = (end(0)?, end(1)?);
    (start <= end).then_some([start, end])
}

/// Which file, with everything that names its content.
fn identity(html: &mut Html, file: &Value) {
    html.leaf("div", &[("class", "path")], &path(file));
    html.element("dl", &[], |html| {
        hash(html, "blob", &text(file, "blob"));
        hash(html, "SHA-256", &text(file, "sha256"));
        hash(html, "SWHID", &text(file, "swhid"));
        fact(html, "bytes", &text(file, "bytes"));
    });
}

/// A line of source.
struct Line<'a> {
    id: &'a str,
    number: u64,
    source: &'a str,
    /// The searches that match it; `None` where the answer has one search only.
    found: Option<&'a [String]>,
    note: Option<&'a str>,
}

fn row(html: &mut Html, id: &str, line: Line<'_>, marks: &[std::ops::Range<usize>]) {
    let is_hit = line.found.is_some_and(|found| !found.is_empty());
    let class = if is_hit { "row hit" } else { "row" };
    html.element("div", &[("class", class), ("id", line.id)], |html| {
        html.leaf("span", &[("class", "number code")], &line.number.to_string());
        if let Some(found) = line.found {
            html.element("span", &[("class", "by code")], |html| {
                let mut told = HashSet::new();
                for search in found.iter().filter(|search| told.insert(*search)) {
                    html.jump(&format!("{id}-{search}"), search);
                    html.text(" ");
                }
            });
        }
        html.element("code", &[("class", "source")], |html| html.marked(line.source, marks));
        if let Some(note) = line.note {
            html.leaf("span", &[("class", "note")], note);
        }
    });
}
