//! What protocol 2 adds: scope, anchors with their provenance, classes of files, and weak numeric matches.

use serde_json::Value;

use super::html::Html;
use super::package::row;
use super::value::{list, says_something, shown, text};
use super::windows::path;

/// Scope and anchors, which the searches begin from.
pub(super) fn anchors(html: &mut Html, result: &Value) {
    if says_something(result, "scope") {
        html.leaf("h3", &[], "Scope");
        html.element("p", &[], |html| html.leaf("code", &[], &text(result, "scope")));
    }
    let anchors = list(result, "anchors");
    if anchors.is_empty() {
        return;
    }
    html.leaf("h3", &[], "Anchors: what the request is about, and where that is from");
    html.element("div", &[("class", "scroll")], |html| {
        html.element("table", &[], |html| {
            let names = ["group", "text", "variants", "kind", "type", "roles", "entity"];
            let provenance = ["document", "pointer", "named by", "SHA-256"];
            row(html, "th", &[&names[..], &provenance].concat());
            for anchor in anchors {
                let source = anchor.get("source").unwrap_or(&Value::Null);
                let from = source.get("from").unwrap_or(&Value::Null);
                let mut cells: Vec<String> = names.iter().map(|name| joined(anchor.get(*name))).collect();
                cells.extend([text(source, "document"), text(source, "pointer")]);
                cells.push(format!("{} {}", text(from, "document"), text(from, "pointer")).trim().to_owned());
                cells.push(text(source, "sha256"));
                row(html, "td", &cells.iter().map(String::as_str).collect::<Vec<_>>());
            }
        });
    });
}

/// The selected files, also those without a window.
pub(super) fn selected(html: &mut Html, id: &str, result: &Value) {
    let Some(selection) = result.get("selection") else { return };
    let files = list(selection, "files");
    html.leaf("h3", &[], "Selected files");
    if list(selection, "primary_files").is_empty() {
        html.leaf("p", &[], "No primary candidate: no file qualifies, and none takes its place.");
    } else if files.is_empty() {
        html.leaf("p", &[], &joined(selection.get("primary_files")));
    }
    if files.is_empty() {
        return;
    }
    let windows = list(result, "files");
    html.element("div", &[("class", "scroll")], |html| {
        html.element("table", &[], |html| {
            row(html, "th", &["class", "path", "location", "signals"]);
            for file in files {
                html.element("tr", &[], |html| {
                    html.leaf("td", &[], &text(file, "class"));
                    html.element("td", &[], |html| match windows.iter().position(|one| path(one) == path(file)) {
                        Some(at) => html.jump(&format!("{id}-f{}", at + 1), &path(file)),
                        None => html.text(&path(file)),
                    });
                    html.leaf("td", &[], &text(file, "location"));
                    html.leaf("td", &[], &signals(file).join("; "));
                });
            }
        });
    });
}

/// Class, location and signals of a file, which stand with the file or in `selection.files`.
pub(super) fn of_file(html: &mut Html, result: &Value, file: &Value) {
    let selection = result.get("selection").unwrap_or(&Value::Null);
    let named = list(selection, "files").iter().find(|one| path(one) == path(file));
    let Some(facts) = [Some(file), named].into_iter().flatten().find(|one| says_something(one, "class")) else {
        return;
    };
    html.element("div", &[], |html| {
        html.leaf("span", &[("class", "badge")], &text(facts, "class"));
        if says_something(facts, "location") {
            html.text(&format!(" location {}", text(facts, "location")));
        }
        for signal in signals(facts) {
            html.leaf("div", &[("class", "faint")], &signal);
        }
    });
}

fn signals(file: &Value) -> Vec<String> {
    let shown = |one: &Value| format!("{} {} {}", text(one, "group"), text(one, "signal"), text(one, "search"));
    list(file, "signals").iter().map(shown).collect()
}

/// Numbers that were found and say little.
pub(super) fn weak(html: &mut Html, result: &Value) {
    let weak = list(result, "weak_numeric");
    if weak.is_empty() {
        return;
    }
    html.leaf("h3", &[], "Weak numeric matches: the number alone, without a window");
    html.element("div", &[("class", "scroll")], |html| {
        html.element("table", &[], |html| {
            row(html, "th", &["path", "count", "lines"]);
            for one in weak {
                row(html, "td", &[&path(one), &text(one, "count"), &joined(one.get("lines"))]);
            }
        });
    });
}

/// A list as its members, anything else as it is.
fn joined(value: Option<&Value>) -> String {
    match value {
        // An object with a path is that path.
        Some(Value::Array(list)) if list.iter().all(|one| one.get("path").is_some()) => {
            list.iter().map(path).collect::<Vec<_>>().join(", ")
        }
        Some(Value::Array(list)) => list.iter().map(shown).collect::<Vec<_>>().join(", "),
        Some(value) => shown(value),
        None => String::new(),
    }
}
