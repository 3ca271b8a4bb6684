//! Packages: evidence that travels. A directory with its context, its captures and its ledger (Q-02, Q-04 … Q-07).
//!
//! ```text
//! context.json            pin, protocol, settings and hash, contract, budget; written once
//! interpretation.json     the canonical interpretation context, bound by its hash; only when there is one
//! captures/<sha256>.json  one per answered request, canonical JSON, named by its own SHA-256, never written again
//! ledger.jsonl            one line per action, append-only
//! ```
//!
//! A capture is written before its ledger line, each synced, so a crash leaves at most a capture without a line, which
//! the next action records.

pub(crate) mod files;
pub(crate) mod ledger;
mod settings;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use pincite_shared::deadline::Deadline;
use pincite_shared::failure::{Code, Failure};
use pincite_shared::settings::{Protocol, Settings};
use pincite_shared::wire::canonical::{canonical, sha256};
use pincite_shared::wire::interpretation::Interpretation;
use pincite_shared::wire::package::{
    LedgerAction, PACKAGE_VERSION, WireBound, WireCapture, WireContext, WireLedgerLine, question_sha256,
};
use pincite_shared::wire::query::Query;
use pincite_shared::wire::request::Request;
use pincite_shared::wire::result::WirePin;

use crate::answer::Answer;
use crate::contract::contract;
use crate::engine::Engine;
use crate::project_query::{Reply, answer_each};
use files::{CAPTURES, CONTEXT, INTERPRETATION, LEDGER, corrupt, io};
use ledger::{Entries, Ledger};
pub use settings::first_difference;

/// An opened package.
#[derive(Clone, Debug)]
pub struct Package {
    directory: PathBuf,
    context: WireContext,
    settings: Settings,
    interpretation: Option<Interpretation>,
}

fn mismatch(field: impl Into<String>, message: String) -> Failure {
    Failure::new(Code::SettingsMismatch, message).field(field)
}

/// The interpretation that a context is bound to.
fn interpretation(directory: &Path, context: &WireContext) -> Result<Option<Interpretation>, Failure> {
    let path = directory.join(INTERPRETATION);
    let (bound, bytes) = match (&context.interpretation, files::read(&path)?) {
        (None, None) => return Ok(None),
        (None, Some(_)) => {
            let message = format!("{} stands beside a context that has no interpretation", path.display());
            return Err(mismatch("interpretation", message));
        }
        (Some(_), None) => return Err(corrupt(&path, "it is missing")),
        (Some(bound), Some(bytes)) => (bound, bytes),
    };
    if sha256(&bytes) != bound.sha256 {
        let message = format!("{} is another interpretation than the one that the context is bound to", path.display());
        return Err(mismatch("interpretation", message));
    }
    let text = str::from_utf8(&bytes).map_err(|_| corrupt(&path, "it is not UTF-8"))?;
    Interpretation::parse_str(text).map(Some).map_err(|failure| corrupt(&path, failure.message))
}

impl Package {
    /// Makes a package for an engine's commit and settings. The directory appears whole or not at all.
    ///
    /// # Errors
    /// `invalid_request` when the directory exists and is not empty; `internal` for what the system says.
    pub fn create(directory: &Path, engine: &Engine, budget: Option<u64>) -> Result<Self, Failure> {
        let occupied = match fs::read_dir(directory) {
            Ok(mut entries) => entries.next().is_some(),
            Err(error) => error.kind() != std::io::ErrorKind::NotFound,
        };
        if occupied {
            let message = format!("{} exists already; name a new directory", directory.display());
            return Err(Failure::new(Code::InvalidRequest, message).field("package"));
        }
        let settings = engine.settings().canonical_json();
        let contract = contract(engine.settings());
        let context = WireContext {
            context: PACKAGE_VERSION,
            pin: engine.pin().into(),
            protocol: engine.settings().source_analysis.protocol.number(),
            settings_sha256: sha256(canonical(&settings)?.as_bytes()),
            settings,
            contract_sha256: sha256(canonical(&contract)?.as_bytes()),
            contract,
            interpretation: engine.interpretation().map(|one| WireBound { sha256: one.sha256().to_owned() }),
            budget,
        };
        let text = canonical(&context)?;
        let parent = files::parent(directory);
        fs::create_dir_all(parent).map_err(|error| io("made", parent, &error))?;
        let mut first = ledger::line(LedgerAction::Created, budget);
        first.context_sha256 = Some(sha256(text.as_bytes()));
        let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let temporary = parent.join(format!(".{name}.{}{}", std::process::id(), files::TEMPORARY));
        let made = fs::create_dir(&temporary)
            .and_then(|()| fs::create_dir(temporary.join(CAPTURES)))
            .map_err(|error| io("made", &temporary, &error))
            .and_then(|()| files::write(&temporary.join(CONTEXT), text.as_bytes()))
            .and_then(|()| match engine.interpretation() {
                Some(one) => files::write(&temporary.join(INTERPRETATION), one.canonical_text().as_bytes()),
                None => Ok(()),
            })
            .and_then(|()| files::write(&temporary.join(LEDGER), format!("{}\n", canonical(&first)?).as_bytes()))
            .and_then(|()| {
                fs::rename(&temporary, directory)
                    .and_then(|()| files::sync_parent(directory))
                    .map_err(|error| io("made", directory, &error))
            });
        if let Err(failure) = made {
            // Nothing is there under the directory's own name; what can not be removed is left under another one.
            let _ = fs::remove_dir_all(&temporary);
            return Err(failure);
        }
        let interpretation = engine.interpretation().cloned();
        Ok(Self { directory: directory.into(), context, settings: engine.settings().clone(), interpretation })
    }

    /// Opens a package and checks its context.
    ///
    /// # Errors
    /// `not_found` when there is none; `package_corrupt` when its context is damaged or was replaced;
    /// `settings_mismatch` for a version or protocol that this program does not know.
    pub fn open(directory: &Path) -> Result<Self, Failure> {
        let path = directory.join(CONTEXT);
        let Some(bytes) = files::read(&path)? else {
            let message = format!("{} is no package: it has no {CONTEXT}", directory.display());
            return Err(Failure::new(Code::NotFound, message).field("package"));
        };
        let context: WireContext =
            serde_json::from_slice(&bytes).map_err(|error| corrupt(&path, format!("it is no context: {error}")))?;
        let is_known = Protocol::ALL.iter().any(|protocol| protocol.number() == context.protocol);
        if context.context != PACKAGE_VERSION || !is_known {
            let message = format!(
                "{} has version {} and protocol {}; this program knows version {PACKAGE_VERSION} and protocols 1 and 2",
                path.display(),
                context.context,
                context.protocol
            );
            return Err(mismatch("protocol", message));
        }
        if canonical(&context)?.as_bytes() != bytes {
            return Err(corrupt(&path, "it is not canonical JSON; it was changed after it was written"));
        }
        for (name, value, hash) in [
            ("settings", &context.settings, &context.settings_sha256),
            ("contract", &context.contract, &context.contract_sha256),
        ] {
            if sha256(canonical(value)?.as_bytes()) != *hash {
                return Err(corrupt(&path, format!("`{name}` does not have the hash beside it")));
            }
        }
        let entries = Entries::read(directory)?;
        if entries.lines.first().and_then(|first| first.context_sha256.as_deref()) != Some(&sha256(&bytes)) {
            return Err(corrupt(&path, "it is not the context that the ledger began with"));
        }
        let settings = settings::of_context(&context.settings).map_err(|reason| corrupt(&path, reason))?;
        if settings.source_analysis.protocol.number() != context.protocol {
            return Err(corrupt(&path, "`protocol` is not the one of the settings"));
        }
        let interpretation = interpretation(directory, &context)?;
        Ok(Self { directory: directory.into(), context, settings, interpretation })
    }

    /// Where it lies.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// What it is fixed to.
    pub fn context(&self) -> &WireContext {
        &self.context
    }

    /// The settings that it is fixed to.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The interpretation that it is fixed to.
    pub fn interpretation(&self) -> Option<&Interpretation> {
        self.interpretation.as_ref()
    }

    /// Whether settings are those of the package.
    ///
    /// # Errors
    /// `settings_mismatch`, naming the first difference (Q-02).
    pub fn check_settings(&self, settings: &Settings) -> Result<(), Failure> {
        match first_difference(&self.context.settings, &settings.canonical_json()) {
            None => Ok(()),
            Some(one) => {
                let message = format!("`{}` is {} in the package's context and {} here", one.key, one.left, one.right);
                Err(mismatch(one.key, message))
            }
        }
    }

    /// Whether an engine answers for the package's commit and settings.
    ///
    /// # Errors
    /// `settings_mismatch`.
    pub fn check(&self, engine: &Engine) -> Result<(), Failure> {
        let pin = WirePin::from(engine.pin());
        if pin != self.context.pin {
            let message = format!("the package is pinned to commit {}, not to {}", self.context.pin.commit, pin.commit);
            return Err(mismatch("commit", message));
        }
        let bound = self.context.interpretation.as_ref().map(|bound| bound.sha256.as_str());
        if engine.interpretation().map(Interpretation::sha256) != bound {
            let message = "the engine has another interpretation than the package's context";
            return Err(mismatch("interpretation", message.into()));
        }
        self.check_settings(engine.settings())
    }

    /// Answers a query into the package.
    ///
    /// # Errors
    /// Of the one request, or of the package; in a bundle those of requests stand in the reply. `budget_exhausted`
    /// when no action is left.
    pub fn query(&self, engine: &Engine, query: &Query) -> Result<Reply, Failure> {
        self.check(engine)?;
        answer_each(engine, query, |request, deadline| self.action(engine, request, deadline))
    }

    /// Actions left; `None` for any number.
    ///
    /// # Errors
    /// `package_corrupt`, `internal`.
    pub fn budget_left(&self) -> Result<Option<u64>, Failure> {
        Ok(self.left(&Entries::read(&self.directory)?))
    }

    fn left(&self, entries: &Entries) -> Option<u64> {
        self.context.budget.map(|budget| budget.saturating_sub(entries.spent()))
    }

    /// One action: from the cache, or by the engine within the budget (Q-04, Q-07).
    fn action(&self, engine: &Engine, request: &Request, deadline: Deadline) -> Result<Answer, Failure> {
        let began = Instant::now();
        let mut ledger = Ledger::lock(&self.directory)?;
        self.recover(&mut ledger)?;
        let value = request.to_value();
        let context = &self.context;
        let question =
            question_sha256(&value, &context.pin, &context.settings_sha256, context.interpretation.as_ref())?;
        let milliseconds = |line: &mut WireLedgerLine| {
            line.milliseconds = Some(u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX));
        };
        let left = self.left(&ledger.entries);
        let known = ledger.entries.answers().get(question.as_str()).map(|name| (*name).to_owned());
        if let Some(name) = known {
            let answer = self.captured_answer(&name, &question)?;
            let mut line = ledger::line(LedgerAction::Cached, left);
            (line.question_sha256, line.capture) = (Some(question), Some(name));
            milliseconds(&mut line);
            ledger.append(line)?;
            return Ok(answer);
        }
        let answered = match left {
            Some(0) => {
                let message = "no action is left in the package's budget; the answers so far are in its captures";
                Err(Failure::new(Code::BudgetExhausted, message).field("budget"))
            }
            _ => engine.bounded(request, deadline),
        };
        let answer = match answered {
            Ok(answer) => answer,
            Err(failure) => {
                let mut line = ledger::line(LedgerAction::Failed, left);
                (line.question_sha256, line.error) = (Some(question), Some(failure.code.name().into()));
                milliseconds(&mut line);
                ledger.append(line)?;
                return Err(failure);
            }
        };
        let text = self.capture_text(value, &answer)?;
        let name = sha256(text.as_bytes());
        let path = self.capture_path(&name);
        let is_new = !path.exists();
        if is_new {
            files::write(&path, text.as_bytes())?;
        }
        let mut line = ledger::line(LedgerAction::Answered, left.map(|left| left - 1));
        (line.question_sha256, line.capture) = (Some(question), Some(name));
        milliseconds(&mut line);
        if let Err(failure) = ledger.append(line) {
            if is_new {
                // Without its line the action did not happen; a capture that stays is recorded by the next one.
                let _ = fs::remove_file(&path);
            }
            return Err(failure);
        }
        Ok(answer)
    }

    /// Records captures whose process ended before their ledger line, removes its temporary files, and refuses a
    /// package that lacks captures.
    fn recover(&self, ledger: &mut Ledger) -> Result<(), Failure> {
        let folder = self.directory.join(CAPTURES);
        let present = files::capture_names(&folder)?;
        let named = ledger.entries.captures();
        let mut missing: Vec<&str> = named
            .iter()
            .copied()
            .filter(|name| present.binary_search_by(|one| one.as_str().cmp(name)).is_err())
            .collect();
        missing.sort_unstable();
        if let Some(first) = missing.first() {
            let reason = format!(
                "{} captures that the ledger names are missing, the first is {first}.json; copy the package again",
                missing.len()
            );
            return Err(corrupt(&folder, reason));
        }
        let unnamed: Vec<String> = present.iter().filter(|name| !named.contains(name.as_str())).cloned().collect();
        for name in unnamed {
            let capture = self.capture(&name)?;
            let question = capture.question_sha256()?;
            if let Some(known) = ledger.entries.answers().get(question.as_str()) {
                // Equal questions have equal captures, so one of the two was made by somebody else.
                let reason = format!("captures/{known}.json answers the same question, and the ledger names that one");
                return Err(corrupt(&self.capture_path(&name), reason));
            }
            let left = self.left(&ledger.entries).map(|left| left.saturating_sub(1));
            let mut line = ledger::line(LedgerAction::Recovered, left);
            (line.question_sha256, line.capture) = (Some(question), Some(name));
            ledger.append(line)?;
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if files::is_temporary(&entry.file_name().to_string_lossy()) {
                // Under the lock nobody else writes one. One that stays harms nothing.
                let _ = fs::remove_file(entry.path());
            }
        }
        Ok(())
    }

    /// The canonical JSON of the capture of an answer.
    fn capture_text(&self, request: serde_json::Value, answer: &Answer) -> Result<String, Failure> {
        let context = &self.context;
        let capture = WireCapture {
            capture: PACKAGE_VERSION,
            request,
            pin: context.pin.clone(),
            settings: context.settings.clone(),
            settings_sha256: context.settings_sha256.clone(),
            interpretation: context.interpretation.clone(),
            result: serde_json::to_value(answer)
                .map_err(|error| Failure::new(Code::Internal, format!("an answer did not serialize: {error}")))?,
        };
        canonical(&capture)
    }

    /// The name of the capture that holds an answer of this package; `None` when there is none.
    pub fn capture_of(&self, answer: &Answer) -> Option<String> {
        let text = self.capture_text(answer.head().request.clone(), answer).ok()?;
        let name = sha256(text.as_bytes());
        self.capture_path(&name).exists().then_some(name)
    }

    fn capture_path(&self, name: &str) -> PathBuf {
        self.directory.join(CAPTURES).join(format!("{name}.json"))
    }

    /// The names of the captures, ascending: their SHA-256.
    ///
    /// # Errors
    /// `package_corrupt`, `internal`.
    pub fn capture_names(&self) -> Result<Vec<String>, Failure> {
        files::capture_names(&self.directory.join(CAPTURES))
    }

    /// A capture, checked against its name and the context.
    ///
    /// # Errors
    /// `package_corrupt`.
    pub fn capture(&self, name: &str) -> Result<WireCapture, Failure> {
        let path = self.capture_path(name);
        let bytes = files::read(&path)?.ok_or_else(|| corrupt(&path, "it is missing"))?;
        if sha256(&bytes) != name {
            return Err(corrupt(&path, "it does not have the hash that is its name; it was changed"));
        }
        let capture: WireCapture =
            serde_json::from_slice(&bytes).map_err(|error| corrupt(&path, format!("it is no capture: {error}")))?;
        let context = &self.context;
        let bound = capture.pin == context.pin
            && capture.settings_sha256 == context.settings_sha256
            && capture.settings == context.settings
            && capture.interpretation == context.interpretation;
        if !bound {
            return Err(corrupt(&path, "it was captured under another pin, other settings or another interpretation"));
        }
        Ok(capture)
    }

    fn captured_answer(&self, name: &str, question: &str) -> Result<Answer, Failure> {
        let capture = self.capture(name)?;
        if capture.question_sha256()? != question {
            return Err(corrupt(&self.capture_path(name), "the ledger names it for another question"));
        }
        Answer::from_value(&capture.result).map_err(|reason| corrupt(&self.capture_path(name), reason))
    }
}
