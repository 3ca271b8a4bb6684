//! The searches as a chain: what led to what.

use serde_json::Value;

use super::html::Html;
use super::value::{counted, is_true, list, says_something, shown, text, unknown};
use super::windows::{Places, path};

/// Members of a search that are shown here or on top; others follow as they are.
const KNOWN: [&str; 14] = [
    "id",
    "text",
    "mode",
    "origin",
    "path_prefix",
    "searched_files",
    "complete",
    "matches",
    "files",
    "skipped",
    "outside",
    "scanned",
    "elsewhere",
    "elsewhere_left_out",
];

pub(super) fn chain(html: &mut Html, id: &str, result: &Value, places: &Places) {
    let searches = list(result, "searches");
    if searches.is_empty() {
        return;
    }
    html.leaf("h3", &[], if searches.len() > 1 { "Searches, and what led to each" } else { "Search" });
    let parents: Vec<Option<usize>> = (0..searches.len()).map(|at| parent(searches, at)).collect();
    html.element("ul", &[("class", "chain")], |html| {
        for at in (0..searches.len()).filter(|at| parents[*at].is_none()) {
            link(html, id, searches, &parents, at, places);
        }
    });
}

/// The search that led to another one. Only earlier ones count, so that no file can make a circle.
fn parent(searches: &[Value], at: usize) -> Option<usize> {
    let by = text(searches[at].get("origin")?, "search");
    searches[..at].iter().position(|search| !by.is_empty() && text(search, "id") == by)
}

fn link(html: &mut Html, id: &str, searches: &[Value], parents: &[Option<usize>], at: usize, places: &Places) {
    let search = &searches[at];
    let name = text(search, "id");
    let place = format!("{id}-{name}");
    let first = !name.is_empty() && !searches[..at].iter().any(|other| text(other, "id") == name);
    let place = [("id", place.as_str())];
    html.element("li", if first { &place } else { &[] }, |html| {
        html.leaf("strong", &[], &name);
        html.text(&format!(" {} ", text(search, "mode")));
        html.leaf("code", &[], &text(search, "text"));
        html.text(&format!(": {} in {}, ", counted(search, "matches", "line"), counted(search, "files", "file")));
        match is_true(search, "complete") {
            true => html.leaf("span", &[("class", "badge good")], "complete"),
            false => html.leaf("span", &[("class", "badge bad")], "INCOMPLETE"),
        }
        html.element("div", &[("class", "why")], |html| {
            origin(html, search.get("origin").unwrap_or(&Value::Null), places);
            html.text(&format!("; {} searched", counted(search, "searched_files", "file")));
            match text(search, "path_prefix") {
                prefix if prefix.is_empty() => {}
                prefix => html.text(&format!(" below {prefix}")),
            }
            if let Some(scan) = search.get("scanned") {
                html.text(&format!(", {} of {} files read", text(scan, "files"), text(scan, "of_files")));
            }
            for (name, value) in unknown(search, &KNOWN) {
                html.text(&format!("; {name}: {}", shown(value)));
            }
        });
        let children: Vec<usize> = (0..searches.len()).filter(|child| parents[*child] == Some(at)).collect();
        if !children.is_empty() {
            html.element("ul", &[], |html| {
                for child in children {
                    link(html, id, searches, parents, child, places);
                }
            });
        }
    });
}

fn origin(html: &mut Html, origin: &Value, places: &Places) {
    let (kind, group) = (text(origin, "kind"), text(origin, "group"));
    let known = match kind.as_str() {
        "request" => "asked for",
        "assignment" => "assigned",
        "" => "of unknown origin",
        other => other,
    };
    html.text(known);
    if !group.is_empty() {
        html.text(&format!(" for {group}"));
    }
    if says_something(origin, "path") {
        html.text(" at ");
        places.jump(html, &path(origin), &text(origin, "line"));
    }
    match text(origin, "hint").as_str() {
        "syntax" => html.text(", as the grammar sees it"),
        "lexical" => html.text(", as only the byte scanner sees it"),
        _ => {}
    }
}
