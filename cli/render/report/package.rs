//! The top of a page: what it was made from, what does not fit, the answers, and a package's context and ledger.

use serde_json::Value;

use super::html::Html;
use super::source::Evidence;
use super::value::{is_true, list, number, says_something, shown, text};
use super::{answer, fact, hash, raw};

pub(super) fn overview(html: &mut Html, evidence: &Evidence) {
    html.element("header", &[], |html| {
        html.element("h1", &[], |html| {
            html.text("Evidence from ");
            html.leaf("span", &[("class", "path")], &evidence.name);
        });
        html.element("p", &[("class", "faint")], |html| {
            html.text("This page shows what the file says and checks none of it against the repository; ");
            html.leaf("code", &[], "pincite verify");
            html.text(" does. Characters that can not be seen are shown by their numbers, such as ");
            html.text("\u{202e}");
            html.text(".");
        });
    });
    if !evidence.problems.is_empty() {
        html.element("section", &[("class", "first bad")], |html| {
            html.leaf("strong", &[], "This does not fit together:");
            html.element("ul", &[], |html| evidence.problems.iter().for_each(|one| html.leaf("li", &[], one)));
        });
    }
    if let Some(context) = &evidence.context {
        html.leaf("h3", &[], "Package");
        html.element("dl", &[], |html| context_facts(html, context));
        raw(html, "context.json as it is", context);
    }
    if evidence.answers.len() > 1 || evidence.context.is_some() {
        contents(html, evidence);
    }
    if !evidence.ledger.is_empty() {
        ledger(html, evidence);
    }
}

fn context_facts(html: &mut Html, context: &Value) {
    let pin = context.get("pin").unwrap_or(&Value::Null);
    hash(html, "commit", &text(pin, "commit"));
    hash(html, "tree", &text(pin, "tree"));
    fact(html, "protocol", &text(context, "protocol"));
    hash(html, "settings SHA-256", &text(context, "settings_sha256"));
    let interpretation = context.get("interpretation").unwrap_or(&Value::Null);
    hash(html, "interpretation SHA-256", &text(interpretation, "sha256"));
    fact(html, "budget", &text(context, "budget"));
}

fn contents(html: &mut Html, evidence: &Evidence) {
    html.leaf("h3", &[], "Answers");
    html.element("div", &[("class", "scroll")], |html| {
        html.element("table", &[], |html| {
            row(html, "th", &["", "request", "status", "matches", "first read"]);
            for (one, at) in evidence.answers.iter().zip(1..) {
                html.element("tr", &[], |html| {
                    html.leaf("td", &[], &at.to_string());
                    html.element("td", &[], |html| html.jump(&format!("a{at}"), &answer::title(one)));
                    let error = one.result.get("error").map(|error| format!("error: {}", text(error, "code")));
                    html.leaf("td", &[], &error.unwrap_or_else(|| text(&one.result, "status")));
                    let matches: u64 =
                        list(&one.result, "searches").first().and_then(|search| number(search, "matches")).unwrap_or(0);
                    let known = says_something(&one.result, "searches");
                    html.leaf("td", &[], &if known { matches.to_string() } else { String::new() });
                    html.leaf("td", &[], &cuts(&one.result));
                });
            }
        });
    });
}

/// What cut an answer, in a few words.
fn cuts(result: &Value) -> String {
    let limits = list(result, "limits_reached").iter().map(|limit| text(limit, "limit"));
    let skips =
        list(result, "searches").iter().filter(|search| !is_true(search, "complete")).map(|_| "incomplete".into());
    let warned = list(result, "warnings").iter().map(|_| "warning".to_owned());
    let mut parts: Vec<String> = limits.chain(skips).chain(warned).collect();
    parts.sort();
    parts.dedup();
    parts.join(", ")
}

fn ledger(html: &mut Html, evidence: &Evidence) {
    let mut names: Vec<&str> = Vec::new();
    for entry in evidence.ledger.iter().filter_map(Value::as_object) {
        names.extend(entry.keys().map(String::as_str));
    }
    let mut columns: Vec<&str> = Vec::new();
    names.into_iter().for_each(|name| {
        if !columns.contains(&name) {
            columns.push(name);
        }
    });
    html.element("details", &[], |html| {
        html.leaf("summary", &[], &format!("Ledger: {} actions", evidence.ledger.len()));
        html.element("div", &[("class", "scroll")], |html| {
            html.element("table", &[], |html| {
                row(html, "th", &columns);
                for entry in &evidence.ledger {
                    let cells: Vec<String> =
                        columns.iter().map(|name| entry.get(*name).map(shown).unwrap_or_default()).collect();
                    row(html, "td", &cells.iter().map(String::as_str).collect::<Vec<_>>());
                }
            });
        });
    });
}

/// A row of a table.
pub(super) fn row(html: &mut Html, cell: &'static str, cells: &[&str]) {
    html.element("tr", &[], |html| cells.iter().for_each(|text| html.leaf(cell, &[], text)));
}
