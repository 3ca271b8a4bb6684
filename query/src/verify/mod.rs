//! `verify`: captures and packages against the Git objects, without an index.
//!
//! Whatever can be told from the objects is told again: hashes, paths, blobs, lines, numbers, matches, and what follows
//! from them (status, completeness). Totals need every blob of the scope and are counted again only when asked for
//! ([`recount`]). What neither can tell (which index answered) is held by the capture's own hash and the ledger.

mod content;
mod export;
mod package;
mod recount;
mod result;

use pincite_shared::git::Repository;
use pincite_shared::ids::{Oid, Pin};
use pincite_shared::profile::settings_from_canonical;
use pincite_shared::settings::Settings;
use pincite_shared::wire::canonical::{canonical, sha256};
use pincite_shared::wire::package::{PACKAGE_VERSION, WireCapture};
use pincite_shared::wire::pointer;
use pincite_shared::wire::result::WirePin;
use serde::Serialize;
use serde_json::Value;

use crate::answer::Answer;
use crate::engine::Engine;
use content::Contents;
pub use export::export;
pub use package::{FileProblem, PackageReport, verify_package};

/// Something that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Which member, as a JSON Pointer into the capture; empty for the whole file.
    pub pointer: String,
    /// Why it does not hold.
    pub problem: String,
}

/// What was checked of one capture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Lines of code that were compared.
    pub lines: u64,
    /// Blobs that were read and re-hashed.
    pub blobs: u64,
    /// Searches that were counted again.
    pub recounted: u64,
    /// What does not hold.
    pub problems: Vec<Problem>,
}

/// How much is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// What the result cites.
    Cited,
    /// Totals as well, by a scan of every blob in scope.
    Recount,
}

/// Collects problems below a pointer.
pub(crate) struct Problems<'a>(&'a mut Vec<Problem>);

impl Problems<'_> {
    pub(crate) fn add(&mut self, pointer: impl Into<String>, problem: impl Into<String>) {
        self.0.push(Problem { pointer: pointer.into(), problem: problem.into() });
    }

    /// Adds a problem unless two values are the same.
    pub(crate) fn same<T: PartialEq + std::fmt::Debug>(&mut self, pointer: impl Into<String>, is: &T, should: &T) {
        if is != should {
            self.add(pointer, format!("is {is:?}, should be {should:?}"));
        }
    }
}

/// Checks the bytes of a capture, or of a bare result as `--format json` prints it. `name` is the SHA-256 that its file
/// is named by, when it is.
pub fn verify(repository: &Repository, bytes: &[u8], name: Option<&str>, depth: Depth) -> Report {
    let mut report = Report::default();
    let mut found = Vec::new();
    let mut problems = Problems(&mut found);
    if let Some(name) = name
        && sha256(bytes) != name
    {
        problems.add("", format!("its SHA-256 is {}, not its name: it was changed", sha256(bytes)));
    }
    match serde_json::from_slice::<Value>(bytes) {
        Err(error) => problems.add("", format!("it is not JSON: {error}")),
        Ok(value) if value.get("capture").is_some() => {
            if canonical(&value).ok().as_deref().map(str::as_bytes) != Some(bytes) {
                problems.add("", "it is not canonical JSON (RFC 8785)");
            }
            capture(repository, &value, depth, &mut problems, &mut report);
        }
        Ok(value) => {
            let bundle = value.get("results").and_then(Value::as_array);
            let results: Vec<(String, &Value)> = match bundle {
                Some(results) => results.iter().zip(0..).map(|(one, at)| (format!("/results/{at}"), one)).collect(),
                None => vec![(String::new(), &value)],
            };
            for (pointer, one) in results.into_iter().filter(|(_, one)| one.get("error").is_none()) {
                checked_result(repository, one, &pointer, Known::default(), depth, &mut problems, &mut report);
            }
        }
    }
    report.problems = found;
    report
}

fn capture(repository: &Repository, value: &Value, depth: Depth, problems: &mut Problems<'_>, report: &mut Report) {
    use serde::Deserialize as _;
    let capture = match WireCapture::deserialize(value) {
        Ok(capture) => capture,
        Err(error) => return problems.add("", format!("it is no capture: {error}")),
    };
    problems.same("/capture", &capture.capture, &PACKAGE_VERSION);
    if let Ok(again) = serde_json::to_value(&capture)
        && let Some(at) = difference(value, &again)
    {
        problems.add(at, "the member is unknown");
    }
    match canonical(&capture.settings) {
        Ok(text) => problems.same("/settings_sha256", &capture.settings_sha256, &sha256(text.as_bytes())),
        Err(failure) => problems.add("/settings", failure.message),
    }
    let settings = match settings_from_canonical(&capture.settings) {
        Ok(settings) => Some(settings),
        Err(problem) => {
            problems.add("/settings", problem);
            None
        }
    };
    let inner = |name: &str| capture.result.get(name).unwrap_or(&Value::Null);
    if *inner("request") != capture.request {
        problems.add("/request", "it is not the request that the result repeats");
    }
    if serde_json::to_value(&capture.pin).ok().as_ref() != Some(inner("pin")) {
        problems.add("/pin", "it is not the pin of the result");
    }
    let known = Known {
        settings: settings.as_ref(),
        interpretation: capture.interpretation.as_ref().map(|bound| bound.sha256.as_str()),
    };
    checked_result(repository, &capture.result, "/result", known, depth, problems, report);
}

/// What is known beside a result.
#[derive(Clone, Copy, Default)]
struct Known<'a> {
    settings: Option<&'a Settings>,
    interpretation: Option<&'a str>,
}

fn checked_result(
    repository: &Repository,
    value: &Value,
    pointer: &str,
    known: Known<'_>,
    depth: Depth,
    problems: &mut Problems<'_>,
    report: &mut Report,
) {
    let answer = match Answer::from_value(value) {
        Ok(answer) => answer,
        Err(problem) => return problems.add(pointer, format!("it is no result: {problem}")),
    };
    // A member that the result types do not know, or that stands although it says nothing.
    if let Ok(again) = serde_json::to_value(&answer)
        && let Some(at) = difference(value, &again)
    {
        problems.add(format!("{pointer}{at}"), "the member is unknown or not as pincite writes it");
    }
    let Some(pin) = pinned(repository, &answer.head().pin, pointer, problems) else { return };
    let settings = known.settings;
    let mut contents = Contents::new(repository, pin, settings);
    result::check(&answer, pointer, settings, known.interpretation, &mut contents, problems);
    if depth == Depth::Recount {
        match settings {
            Some(settings) => recount::check(repository, pin, &answer, pointer, settings, problems, report),
            None => problems.add(pointer, "a bare result can not be counted again: its settings are not known"),
        }
    }
    report.lines += contents.lines;
    report.blobs += contents.blobs;
}

/// The pin, re-hashed; `None` when the repository does not have it.
fn pinned(repository: &Repository, pin: &WirePin, pointer: &str, problems: &mut Problems<'_>) -> Option<Pin> {
    let at = |member: &str| format!("{pointer}/pin/{member}");
    let Some(commit) = Oid::from_hex(&pin.commit) else {
        problems.add(at("commit"), "it is not a full object id");
        return None;
    };
    match repository.pin(commit) {
        Ok(real) => {
            problems.same(at("tree"), &pin.tree, &real.tree.to_string());
            problems.same(at("object_format"), &pin.object_format.as_ref(), &real.object_format().name());
            Some(real)
        }
        Err(error) => {
            problems.add(at("commit"), error.to_string());
            None
        }
    }
}

/// Answers a capture's request again from an index and compares: this holds every member, down to the totals.
/// `None` when the index is not the one that answered.
///
/// # Errors
/// Of the request.
pub fn answer_again(
    engine: &Engine,
    capture: &WireCapture,
) -> Result<Option<Vec<Problem>>, pincite_shared::failure::Failure> {
    let protocol = engine.settings().source_analysis.protocol;
    let request = pincite_shared::wire::request::Request::parse(&capture.request, protocol)?;
    let answer = engine.answer(&request)?;
    if capture.result.pointer("/index/id").and_then(Value::as_str) != Some(answer.head().index.id.as_str()) {
        return Ok(None);
    }
    let again = serde_json::to_value(&answer).unwrap_or_default();
    let different = |at: String| Problem {
        problem: format!(
            "the same request is answered with {} today",
            again.pointer(&at).map_or("nothing".into(), |value| shown(&value.to_string()))
        ),
        pointer: format!("/result{at}"),
    };
    Ok(Some(difference(&capture.result, &again).map(different).into_iter().collect()))
}

/// Counts the totals of an answer again by a scan of every blob in scope.
pub fn recount(engine: &Engine, answer: &Answer) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut report = Report::default();
    let mut problems = Problems(&mut found);
    recount::check(engine.repository(), engine.pin(), answer, "", engine.settings(), &mut problems, &mut report);
    found
}

fn shown(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The JSON Pointer of the first place where two values differ.
pub(crate) fn difference(left: &Value, right: &Value) -> Option<String> {
    match (left, right) {
        (Value::Object(a), Value::Object(b)) => {
            let mut names: Vec<&String> = a.keys().chain(b.keys().filter(|name| !a.contains_key(*name))).collect();
            names.dedup();
            names.into_iter().find_map(|name| {
                let inner = match (a.get(name), b.get(name)) {
                    (Some(left), Some(right)) => difference(left, right)?,
                    _ => String::new(),
                };
                Some(format!("/{}{inner}", pointer::token(name)))
            })
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            a.iter().zip(b).zip(0..).find_map(|((a, b), at)| Some(format!("/{at}{}", difference(a, b)?)))
        }
        _ => (left != right).then(String::new),
    }
}
