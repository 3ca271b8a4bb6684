//! The ledger: one line per action, appended and synced, never changed. Its file is the package's lock.
//!
//! A process that ends in the middle of a line leaves a piece of one. The next action ends that piece with a line feed
//! and goes on below it; the piece is reported and counts for nothing, since a capture comes before its line and is
//! found again (`recovered`).

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use pincite_shared::failure::Failure;
use pincite_shared::wire::canonical::canonical;
use pincite_shared::wire::package::{LedgerAction, WireLedgerLine};

use super::files::{self, corrupt, io};

/// The ledger as it was read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entries {
    pub(crate) lines: Vec<WireLedgerLine>,
    /// Numbers, from 1, of lines that are pieces.
    pub(crate) broken: Vec<usize>,
}

impl Entries {
    /// Reads `ledger.jsonl` of a package.
    pub(crate) fn read(directory: &Path) -> Result<Self, Failure> {
        let path = directory.join(files::LEDGER);
        let bytes = files::read(&path)?.ok_or_else(|| corrupt(&path, "it is missing"))?;
        Self::parse(&path, &bytes)
    }

    fn parse(path: &Path, bytes: &[u8]) -> Result<Self, Failure> {
        let mut entries = Self::default();
        for (line, number) in bytes.split(|byte| *byte == b'\n').zip(1..) {
            if line.is_empty() {
                continue;
            }
            match serde_json::from_slice(line) {
                Ok(line) => entries.lines.push(line),
                // A crash leaves a piece of a line, or bytes that were never written; a whole line with other members
                // is something else.
                Err(error) if error.is_eof() || error.is_syntax() => entries.broken.push(number),
                Err(error) => return Err(corrupt(path, format!("line {number}: {error}"))),
            }
        }
        match entries.lines.first() {
            Some(first) if first.action == LedgerAction::Created => Ok(entries),
            _ => Err(corrupt(path, "it does not begin with the line that made the package")),
        }
    }

    /// The captures that it names.
    pub(crate) fn captures(&self) -> HashSet<&str> {
        self.lines.iter().filter_map(|line| line.capture.as_deref()).collect()
    }

    /// Captures by the hashes of their questions.
    pub(crate) fn answers(&self) -> HashMap<&str, &str> {
        let costs = self.lines.iter().filter(|line| is_charged(line.action));
        costs.filter_map(|line| Some((line.question_sha256.as_deref()?, line.capture.as_deref()?))).collect()
    }

    /// Actions that were spent.
    pub(crate) fn spent(&self) -> u64 {
        self.lines.iter().filter(|line| is_charged(line.action)).count() as u64
    }
}

/// Whether an action costs one of the budget.
pub(crate) fn is_charged(action: LedgerAction) -> bool {
    matches!(action, LedgerAction::Answered | LedgerAction::Recovered)
}

/// The ledger, open for one action; other processes wait.
pub(crate) struct Ledger {
    path: PathBuf,
    file: File,
    pub(crate) entries: Entries,
    /// Whether the file ends in a piece of a line.
    torn: bool,
}

impl Ledger {
    /// Waits for the lock and reads what was done so far.
    pub(crate) fn lock(directory: &Path) -> Result<Self, Failure> {
        let path = directory.join(files::LEDGER);
        let open = OpenOptions::new().read(true).append(true).open(&path);
        let mut file = open.map_err(|error| match error.kind() {
            ErrorKind::NotFound => corrupt(&path, "it is missing"),
            _ => io("opened for writing", &path, &error),
        })?;
        let mut bytes = Vec::new();
        file.lock().and_then(|()| file.seek(SeekFrom::Start(0))).map_err(|error| io("locked", &path, &error))?;
        file.read_to_end(&mut bytes).map_err(|error| io("read", &path, &error))?;
        let entries = Entries::parse(&path, &bytes)?;
        let torn = bytes.last().is_some_and(|last| *last != b'\n');
        Ok(Self { path, file, entries, torn })
    }

    /// Appends a line and syncs it. When that fails, the ledger is as it was.
    pub(crate) fn append(&mut self, line: WireLedgerLine) -> Result<(), Failure> {
        let text = format!("{}{}\n", if self.torn { "\n" } else { "" }, canonical(&line)?);
        let before = self.file.metadata().map_err(|error| io("read", &self.path, &error))?.len();
        if let Err(error) = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data()) {
            // A disk that is full takes no line; what it took of one goes again.
            let _ = self.file.set_len(before);
            return Err(io("written", &self.path, &error));
        }
        self.torn = false;
        self.entries.lines.push(line);
        Ok(())
    }
}

/// A line with time, host and version filled in.
pub(crate) fn line(action: LedgerAction, budget_left: Option<u64>) -> WireLedgerLine {
    WireLedgerLine {
        at: Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string(),
        action,
        question_sha256: None,
        capture: None,
        context_sha256: None,
        error: None,
        budget_left,
        milliseconds: None,
        host: rustix::system::uname().nodename().to_string_lossy().into_owned(),
        version: env!("CARGO_PKG_VERSION").into(),
    }
}
