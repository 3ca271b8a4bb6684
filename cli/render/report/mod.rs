//! `pincite report`: one self-contained page for a person who has to judge evidence.
//!
//! It holds no script, loads nothing, and says so to the browser by its Content-Security-Policy. What it shows comes
//! from files that anybody may have written, so members are read with patience, everything is escaped, and what the
//! page does not know is shown as JSON rather than left out.

mod answer;
mod chain;
mod html;
mod package;
mod selection;
mod source;
mod value;
mod windows;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use html::Html;
pub(crate) use source::Evidence;

const STYLE: &str = include_str!("style.css");

/// The page.
pub(crate) fn page(evidence: &Evidence) -> String {
    let mut html = Html::new();
    html.element("html", &[("lang", "en")], |html| {
        html.element("head", &[], |html| head(html, evidence));
        html.element("body", &[], |html| {
            package::overview(html, evidence);
            for (answered, number) in evidence.answers.iter().zip(1..) {
                answer::answer(html, number, answered);
            }
        });
    });
    html.finish()
}

fn head(html: &mut Html, evidence: &Evidence) {
    html.element("meta", &[("charset", "utf-8")], |_| ());
    // The one style is named by its hash, so no other style, image, font, script or form works, whoever wrote it.
    let hash = STANDARD.encode(Sha256::digest(STYLE.as_bytes()));
    let policy = format!("default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'");
    html.element("meta", &[("http-equiv", "Content-Security-Policy"), ("content", &policy)], |_| ());
    html.element("meta", &[("name", "referrer"), ("content", "no-referrer")], |_| ());
    html.element("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")], |_| ());
    html.element("meta", &[("name", "color-scheme"), ("content", "light dark")], |_| ());
    html.element("meta", &[("name", "generator"), ("content", concat!("pincite ", env!("CARGO_PKG_VERSION")))], |_| ());
    html.leaf("title", &[], &format!("pincite report: {}", evidence.name));
    html.style(STYLE);
}

/// A row of a list of names and values; nothing when the value is empty.
fn fact(html: &mut Html, name: &str, value: &str) {
    if !value.is_empty() {
        html.leaf("dt", &[], name);
        html.leaf("dd", &[], value);
    }
}

/// The same for a hash or an id, which one click selects whole.
fn hash(html: &mut Html, name: &str, value: &str) {
    if !value.is_empty() {
        html.leaf("dt", &[], name);
        html.element("dd", &[], |html| html.leaf("code", &[("class", "hash")], value));
    }
}

/// JSON as it came, folded away.
fn raw(html: &mut Html, summary: &str, value: &serde_json::Value) {
    html.element("details", &[], |html| {
        html.leaf("summary", &[], summary);
        html.element("div", &[("class", "raw code")], |html| {
            // Line by line: a line feed within the text would be shown as a picture.
            let text = serde_json::to_string_pretty(value).unwrap_or_default();
            for line in text.lines() {
                html.text(line);
                html.element("br", &[], |_| ());
            }
        });
    });
}
