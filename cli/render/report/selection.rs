//! What protocol 2 adds: scope, anchors with their provenance, classes of files, and weak numeric matches.

use serde_json::Value;

use super::html::Html;
use super::package::row;
use super::value::{list, says_something, shown, text};
use super::windows::path;

/// Scope and anchors.
pub(super) fn anchors(html: &mut Html, result: &Value) {
    let anchors = list(result, "anchors");
    if let Some(primary) = result.get("selection").and_then(|selection| selection.get("primary_files")) {
        html.leaf("h3", &[], "Primary files");
        let none = primary.as_array().is_some_and(Vec::is_empty);
        html.leaf("p", &[], &if none { "None: no file qualifies.".into() } else { joined(Some(primary)) });
    }
    if says_something(result, "scope") {
        html.leaf("h3", &[], "Scope");
        html.element("p", &[], |html| html.leaf("code", &[], &text(result, "scope")));
    }
    if anchors.is_empty() {
        return;
    }
    html.leaf("h3", &[], "Anchors: what the request is about, and where that is from");
    html.element("div", &[("class", "scroll")], |html| {
        html.element("table", &[], |html| {
            row(
                html,
                "th",
                &["group", "text", "variants", "kind", "type", "roles", "entity", "document", "pointer", "SHA-256"],
            );
            for anchor in anchors {
                let source = anchor.get("source").unwrap_or(&Value::Null);
                let plain = ["group", "text", "variants", "kind", "type", "roles", "entity"];
                let mut cells: Vec<String> = plain.iter().map(|name| joined(anchor.get(*name))).collect();
                cells.extend(["document", "pointer", "sha256"].map(|name| text(source, name)));
                row(html, "td", &cells.iter().map(String::as_str).collect::<Vec<_>>());
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
        for signal in list(facts, "signals") {
            let (group, name, search) = (text(signal, "group"), text(signal, "signal"), text(signal, "search"));
            html.leaf("div", &[("class", "faint")], &format!("{group} {name} {search}"));
        }
    });
}

/// Numbers that were found and say little, and the selection as it is.
pub(super) fn weak(html: &mut Html, result: &Value) {
    let weak = list(result, "weak_numeric");
    if !weak.is_empty() {
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
    if let Some(selection) = result.get("selection") {
        super::raw(html, "Selection as it is", selection);
    }
}
