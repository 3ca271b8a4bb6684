//! One answer: what to read first, what it is bound to, what was asked, and what came.

use serde_json::Value;

use super::html::Html;
use super::source::Answered;
use super::value::{is_true, list, members, number, says_something, shown, text};
use super::windows::Places;
use super::{chain, fact, hash, package, raw, selection, windows};

/// Members that every answer may have and the page shows.
const HEAD: [&str; 10] =
    ["kind", "protocol", "pin", "index", "request", "status", "limits_reached", "warnings", "work", "notice"];

/// Members by kind.
fn known(kind: &str) -> &'static [&'static str] {
    match kind {
        "source.context" => {
            &["searches", "files", "matches", "scope", "anchors", "selection", "weak_numeric", "path_prefix"]
        }
        "source.search" => &["searches", "matches"],
        "source.read" => &[
            "path",
            "path_base64",
            "blob",
            "sha256",
            "swhid",
            "bytes",
            "start_line",
            "end_line",
            "lines",
            "eof",
            "truncated",
            "text_truncated",
            "shortened",
            "lossy_lines",
            "requested_line_count",
            "line_limit",
            "line_limit_exceeded",
            "returned_line_count",
            "requested_start_line",
            "requested_end_line",
            "returned_start_line",
            "returned_end_line",
            "requested_range_complete",
            "next_start_line",
            "read_notice",
        ],
        "source.list" => &["entries", "total", "next_after", "next_after_base64"],
        _ => &[],
    }
}

/// The request in a few words.
pub(super) fn title(one: &Answered) -> String {
    let request = request(one);
    let kind = match text(request, "kind") {
        kind if kind.is_empty() => text(&one.result, "kind"),
        kind => kind,
    };
    let what = match kind.as_str() {
        "source.read" => {
            format!("{} {}–{}", text(request, "path"), text(request, "start_line"), text(request, "end_line"))
        }
        "source.list" => text(request, "path_prefix"),
        _ => text(request, "text"),
    };
    if what.is_empty() { kind } else { format!("{kind} {what}") }
}

fn request(one: &Answered) -> &Value {
    let asked = one.capture.get("request").filter(|request| request.get("kind").is_some());
    asked.or_else(|| one.result.get("request")).unwrap_or(&Value::Null)
}

/// A section for one answer.
pub(super) fn answer(html: &mut Html, at: usize, one: &Answered) {
    let id = format!("a{at}");
    let result = &one.result;
    html.element("section", &[("class", "answer"), ("id", &id)], |html| {
        html.leaf("h2", &[], &title(one));
        match result.get("error") {
            Some(error) => failed(html, error),
            None => first(html, result),
        }
        html.leaf("h3", &[], "Bound to");
        html.element("dl", &[], |html| bound(html, one));
        html.leaf("h3", &[], "Request");
        html.element("dl", &[], |html| {
            for (name, value) in request(one).as_object().into_iter().flatten() {
                html.leaf("dt", &[], name);
                html.element("dd", &[], |html| html.leaf("code", &[], &shown(value)));
            }
        });
        let places = Places::new(&id, result);
        match text(result, "kind").as_str() {
            "source.context" => {
                selection::anchors(html, result);
                chain::chain(html, &id, result, &places);
                selection::selected(html, &id, result);
                windows::context(html, &id, result, &places);
                selection::weak(html, result);
            }
            "source.search" => {
                chain::chain(html, &id, result, &places);
                windows::matches(html, &id, result);
            }
            "source.read" => windows::read(html, &id, result),
            "source.list" => entries(html, result),
            _ => {}
        }
        others(html, one);
    });
}

fn failed(html: &mut Html, error: &Value) {
    html.element("div", &[("class", "first bad")], |html| {
        html.leaf("strong", &[], &format!("No answer: {}", text(error, "code")));
        html.leaf("p", &[], &text(error, "message"));
        if says_something(error, "field") {
            html.leaf("p", &[], &format!("field: {}", text(error, "field")));
        }
    });
}

/// Limits, skips, warnings and the notice, before anything that they qualify.
fn first(html: &mut Html, result: &Value) {
    let status = text(result, "status");
    let mut points: Vec<String> = list(result, "warnings").iter().map(shown).collect();
    let warned = !points.is_empty();
    for limit in list(result, "limits_reached") {
        let search = text(limit, "search");
        let what = if search.is_empty() { String::new() } else { format!(" of search {search}") };
        points.push(format!("The limit {} = {} cut something{what}.", text(limit, "limit"), text(limit, "configured")));
    }
    points.extend(of_searches(result));
    if is_true(result, "truncated") {
        points.push("Lines of the range that was asked for are missing.".into());
    }
    if says_something(result, "read_notice") {
        points.push(text(result, "read_notice"));
    }
    points.extend(windows::altered(result));
    // A status alone is not believed: what it sums up stands beside it.
    let cut = says_something(result, "limits_reached")
        || list(result, "searches").iter().any(|search| !is_true(search, "complete"))
        || is_true(result, "truncated");
    let class = if cut || warned || !status.starts_with("complete") { "first warn" } else { "first good" };
    html.element("div", &[("class", class)], |html| {
        html.leaf("strong", &[], if status.is_empty() { "no status" } else { &status });
        html.element("ul", &[], |html| points.iter().for_each(|point| html.leaf("li", &[], point)));
        html.leaf("p", &[], &text(result, "notice"));
    });
}

/// What holds for searches, each sentence once with the searches that it holds for.
fn of_searches(result: &Value) -> Vec<String> {
    let mut said: Vec<(String, Vec<String>)> = Vec::new();
    let mut say = |search: &Value, sentence: String| {
        let id = text(search, "id");
        match said.iter_mut().find(|(known, _)| *known == sentence) {
            Some((_, ids)) => ids.push(id),
            None => said.push((sentence, vec![id])),
        }
    };
    for search in list(result, "searches") {
        if !is_true(search, "complete") {
            say(search, "INCOMPLETE; the totals are what was found, not what there is.".into());
        }
        for (name, what) in [
            ("skipped", "files that could not be searched"),
            ("outside", "files that lie outside by rule"),
            ("elsewhere", "the term is also found elsewhere"),
            ("elsewhere_left_out", "not looked for elsewhere"),
        ] {
            let counts: Vec<String> =
                members(search, name).iter().map(|(reason, count)| format!("{reason} {}", shown(count))).collect();
            if !counts.is_empty() {
                say(search, format!("{what}: {}.", counts.join(", ")));
            }
        }
        if number(search, "searched_files") == Some(0) {
            say(search, "no file was looked into.".into());
        }
    }
    said.into_iter().map(|(sentence, ids)| format!("{}: {sentence}", ids.join(", "))).collect()
}

fn bound(html: &mut Html, one: &Answered) {
    let pin = one.result.get("pin").or_else(|| one.capture.get("pin")).unwrap_or(&Value::Null);
    hash(html, "commit", &text(pin, "commit"));
    hash(html, "tree", &text(pin, "tree"));
    fact(html, "object format", &text(pin, "object_format"));
    fact(html, "protocol", &text(&one.result, "protocol"));
    let index = one.result.get("index").unwrap_or(&Value::Null);
    hash(html, "index", &text(index, "id"));
    fact(html, "hints", &text(index, "hints"));
    let work: Vec<String> =
        members(&one.result, "work").iter().map(|(name, count)| format!("{name} {}", shown(count))).collect();
    fact(html, "work", &work.join(", "));
    hash(html, "settings SHA-256", &text(&one.capture, "settings_sha256"));
    let interpretation = one.capture.get("interpretation").unwrap_or(&Value::Null);
    hash(html, "interpretation SHA-256", &text(interpretation, "sha256"));
    fact(html, "file", &one.file);
    hash(html, "its SHA-256", &one.sha256);
}

fn entries(html: &mut Html, result: &Value) {
    let entries = list(result, "entries");
    html.leaf("h3", &[], &format!("Paths: {} of {}", entries.len(), text(result, "total")));
    html.element("div", &[("class", "scroll")], |html| {
        html.element("table", &[], |html| {
            package::row(html, "th", &["path", "kind", "bytes", "language", "searched"]);
            for entry in entries {
                let reason = [text(entry, "skipped"), text(entry, "outside")].concat();
                let searched = if is_true(entry, "searchable") { "yes".into() } else { format!("no: {reason}") };
                let cells = [
                    windows::path(entry),
                    text(entry, "kind"),
                    text(entry, "bytes"),
                    text(entry, "language"),
                    searched,
                ];
                package::row(html, "td", &cells.each_ref().map(String::as_str));
            }
        });
    });
    if says_something(result, "next_after") {
        html.leaf("p", &[], &format!("There is more behind {}.", text(result, "next_after")));
    }
}

/// What the page has no place for, as JSON: nothing is left out.
fn others(html: &mut Html, one: &Answered) {
    if let Some(settings) = one.capture.get("settings") {
        raw(html, "Settings", settings);
    }
    if let Some(selection) = one.result.get("selection") {
        raw(html, "Selection as it is", selection);
    }
    let kind = text(&one.result, "kind");
    let Some(all) = one.result.as_object() else {
        return raw(html, "The answer as it is", &one.result);
    };
    let known = known(&kind);
    let mut rest = all.clone();
    rest.retain(|name, _| !HEAD.contains(&name.as_str()) && !known.contains(&name.as_str()) && name != "error");
    if !rest.is_empty() {
        let names: Vec<&str> = rest.keys().map(String::as_str).collect();
        let summary = format!("Members that this page has no place for: {}", names.join(", "));
        raw(html, &summary, &Value::Object(rest.clone()));
    }
}
