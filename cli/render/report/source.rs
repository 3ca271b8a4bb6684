//! What a report is made from: a capture, a package, or an answer as it was printed.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use pincite_shared::failure::{Code, Failure};
use pincite_shared::wire::strict_json;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::value::{list, text};

/// A file of this size makes a page that no browser opens.
const MAX_BYTES: u64 = 1 << 30;

/// Everything that a page shows.
#[derive(Default)]
pub(crate) struct Evidence {
    /// The file or folder, as named.
    pub(super) name: String,
    /// `context.json` of a package.
    pub(super) context: Option<Value>,
    /// Lines of a package's ledger.
    pub(super) ledger: Vec<Value>,
    /// Captures and answers, in the order of the ledger, else of their names.
    pub(super) answers: Vec<Answered>,
    /// What does not fit together, to be read first.
    pub(super) problems: Vec<String>,
}

/// One answer with what a capture binds to it.
pub(super) struct Answered {
    /// The file it came from.
    pub(super) file: String,
    /// SHA-256 of that file.
    pub(super) sha256: String,
    /// The members of the capture; the answer alone otherwise.
    pub(super) capture: Value,
    /// The answer, or an error.
    pub(super) result: Value,
}

impl Evidence {
    /// How many answers there are.
    pub(crate) fn len(&self) -> usize {
        self.answers.len()
    }

    /// Reads a file, a package's folder, or standard input for `-`.
    pub(crate) fn read(source: &Path) -> Result<Self, Failure> {
        let mut evidence = Self { name: source.display().to_string(), ..Self::default() };
        if source == Path::new("-") {
            evidence.name = "standard input".into();
            let content = bounded(io::stdin().lock(), source)?;
            evidence.add("standard input", &content)?;
        } else if source.is_dir() {
            evidence.read_package(source)?;
        } else {
            evidence.read_file(source)?;
        }
        match evidence.answers.is_empty() {
            false => Ok(evidence),
            true => Err(refused(source, "it holds no capture and no answer")),
        }
    }

    fn read_file(&mut self, path: &Path) -> Result<(), Failure> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        self.add(&name, &read(path)?)
    }

    fn read_package(&mut self, folder: &Path) -> Result<(), Failure> {
        let captures = folder.join("captures");
        let entries = fs::read_dir(&captures).map_err(|error| {
            refused(folder, &format!("it is no package: {} can not be listed: {error}", captures.display()))
        })?;
        let mut files = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| refused(&captures, &error.to_string()))?;
            let path = entry.path();
            // A link, a pipe or a folder is none of the package's own files, whatever it is called.
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            match is_file && path.extension().is_some_and(|extension| extension == "json") {
                true => files.push(path),
                false => {
                    let name = entry.file_name();
                    self.problems.push(format!("captures/{} is no capture and is left out.", name.to_string_lossy()));
                }
            }
        }
        files.sort();
        match folder.join("context.json") {
            path if path.exists() => self.context = Some(json(&path, &read(&path)?)?),
            _ => {
                self.problems.push("The package has no context.json: what its captures are bound to is unknown.".into())
            }
        }
        let ledger = folder.join("ledger.jsonl");
        match ledger.exists() {
            true => self.read_ledger(&ledger)?,
            false => self.problems.push("The package has no ledger.jsonl: when it was asked what is unknown.".into()),
        }
        for file in files {
            self.read_file(&file)?;
        }
        self.follow_ledger();
        Ok(())
    }

    fn read_ledger(&mut self, path: &Path) -> Result<(), Failure> {
        let content = read(path)?;
        for (line, number) in content.split(|byte| *byte == b'\n').zip(1..) {
            if line.is_empty() {
                continue;
            }
            match serde_json::from_slice(line) {
                Ok(entry) => self.ledger.push(entry),
                // A run that was killed leaves half a line; the rest is worth reading.
                Err(_) => self.problems.push(format!("Line {number} of ledger.jsonl is not JSON and is left out.")),
            }
        }
        Ok(())
    }

    /// Puts captures into the order in which they were first asked for.
    fn follow_ledger(&mut self) {
        let named: Vec<String> = self.ledger.iter().map(|entry| text(entry, "capture")).collect();
        let place = |one: &Answered| named.iter().position(|name| *name == one.sha256).unwrap_or(usize::MAX);
        self.answers.sort_by_key(place);
        if self.ledger.is_empty() {
            return;
        }
        // Of a changed file its name is in the ledger; that it was changed is told already.
        let named_so = |one: &&Answered| named.iter().any(|name| one.file.strip_suffix(".json") == Some(name));
        for one in self.answers.iter().filter(|one| place(one) == usize::MAX && !named_so(one)) {
            self.problems.push(format!("No line of the ledger names the capture {}.", one.file));
        }
        for missing in named.iter().filter(|name| !name.is_empty()) {
            if !self.answers.iter().any(|one| one.sha256 == *missing) {
                self.problems.push(format!("The ledger names the capture {missing}, which is not in the package."));
            }
        }
    }

    /// Adds the answers of one file.
    fn add(&mut self, name: &str, content: &[u8]) -> Result<(), Failure> {
        let value = json(Path::new(name), content)?;
        let sha256 = hex(&Sha256::digest(content));
        let stem = name.strip_suffix(".json").unwrap_or(name);
        let is_hash = stem.len() == 64 && stem.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hash && stem != sha256 {
            self.problems.push(format!("{name} was changed: the SHA-256 of its content is {sha256}."));
        }
        let before = self.answers.len();
        self.add_value(name, &sha256, value);
        match self.answers.len() > before {
            true => Ok(()),
            false => Err(refused(Path::new(name), "it is neither a capture nor an answer of pincite")),
        }
    }

    fn add_value(&mut self, name: &str, sha256: &str, mut value: Value) {
        let answered = |capture: Value, result: Value| Answered {
            file: name.to_owned(),
            sha256: sha256.to_owned(),
            capture,
            result,
        };
        if let Some(results) = value.get("results").and_then(Value::as_array) {
            let bundle: Vec<Answered> = results.iter().map(|one| answered(Value::Null, one.clone())).collect();
            self.answers.extend(bundle);
        } else if let Some(result) = value.get_mut("result").map(Value::take) {
            if let Some(pin) = value.get("pin")
                && result.get("pin").is_some_and(|other| other != pin)
            {
                self.problems.push(format!("{name} binds another pin than its answer has."));
            }
            match list(&result, "results") {
                [] => self.answers.push(answered(value, result)),
                bundle => {
                    let parts: Vec<Answered> = bundle.iter().map(|one| answered(value.clone(), one.clone())).collect();
                    self.answers.extend(parts);
                }
            }
        } else if value.get("kind").is_some() || value.get("error").is_some() {
            self.answers.push(answered(Value::Null, value));
        }
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let file = File::open(path).map_err(|error| refused(path, &error.to_string()))?;
    bounded(file, path)
}

fn bounded(source: impl Read, path: &Path) -> Result<Vec<u8>, Failure> {
    let mut content = Vec::new();
    source.take(MAX_BYTES + 1).read_to_end(&mut content).map_err(|error| refused(path, &error.to_string()))?;
    match content.len() as u64 > MAX_BYTES {
        true => Err(refused(path, &format!("it has more than {MAX_BYTES} bytes"))),
        false => Ok(content),
    }
}

fn json(path: &Path, content: &[u8]) -> Result<Value, Failure> {
    let text = str::from_utf8(content).map_err(|_| refused(path, "it is not UTF-8"))?;
    // Strict: of a member that stands twice, a reader would see one and a checker may take the other.
    strict_json::parse(text).map_err(|failure| {
        let message = failure.message.replace("the request is not valid JSON", "it is not valid JSON");
        refused(path, &message)
    })
}

fn refused(path: &Path, reason: &str) -> Failure {
    let message = format!("no report of {}: {reason}", path.display());
    Failure::new(Code::InvalidRequest, message).field("source")
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
