//! The binary in a pinned environment, with an index directory of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// Runs `pincite` on one repository.
pub struct Pincite {
    home: TempDir,
    repository: PathBuf,
}

impl Pincite {
    pub fn new(repository: &Path) -> Self {
        Self { home: tempfile::tempdir().unwrap(), repository: repository.into() }
    }

    /// An index of the repository's HEAD with all hints.
    pub fn indexed(repository: &Path) -> Self {
        let pincite = Self::new(repository);
        pincite.json(&["index"]);
        pincite
    }

    pub fn index(&self) -> PathBuf {
        self.home.path().join("index")
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pincite"));
        command.env_clear().env("HOME", self.home.path()).current_dir(self.home.path()).stdin(Stdio::null());
        command.arg("--repo").arg(&self.repository).arg("--index").arg(self.index());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command().args(arguments).output().unwrap()
    }

    /// The JSON of a command that must succeed.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[&arguments[..1], &["--format", "json"], &arguments[1..]].concat());
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{arguments:?}: {shown} {}", String::from_utf8_lossy(&output.stderr));
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        if value.get("kind").is_some() || value.get("results").is_some() {
            crate::schemas::check(&value);
        }
        value
    }

    /// Runs a command with a text on its standard input.
    pub fn run_with(&self, arguments: &[&str], input: &str) -> Output {
        let mut child = self
            .command()
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A text that is too long is not read to its end.
        let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes());
        child.wait_with_output().unwrap()
    }

    /// The reply to a query, and whether the command succeeded.
    pub fn query(&self, arguments: &[&str], query: &Value) -> (Value, bool) {
        let output = self.run_with(&[&["query"], arguments].concat(), &query.to_string());
        let value: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"));
        crate::schemas::check(&value);
        (value, output.status.success())
    }

    /// The error of a command that must end with exit status 1.
    pub fn error(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[&arguments[..1], &["--format", "json"], &arguments[1..]].concat());
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        crate::schemas::check(&value);
        let error = value["error"].clone();
        assert!(error["code"].is_string() && error["message"].is_string(), "{value}");
        error
    }

    /// Writes a profile and returns its path; the repository and the index are this one's.
    pub fn profile(&self, rest: &str) -> String {
        let path = self.home.path().join("profile.toml");
        std::fs::write(&path, rest).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

/// The (path, line) pairs of a result's matches.
pub fn hits(result: &Value) -> crate::naive::Hits {
    let all = result["matches"].as_array().unwrap();
    all.iter().map(|one| (path_of(one), one["line"].as_u64().unwrap() as u32)).collect()
}

/// The exact bytes of a path on the wire.
pub fn path_of(value: &Value) -> Vec<u8> {
    use base64::Engine as _;
    match value.get("path_base64") {
        Some(exact) => base64::engine::general_purpose::STANDARD.decode(exact.as_str().unwrap()).unwrap(),
        None => value["path"].as_str().unwrap().as_bytes().to_vec(),
    }
}
