//! A whole package: its context and ledger, each capture, and how they are bound to each other.

use std::path::Path;

use pincite_shared::failure::Failure;
use pincite_shared::git::Repository;
use serde::Serialize;

use super::{Depth, Problem, verify};
use crate::package::Package;
use crate::package::files::{self, CAPTURES};
use crate::package::ledger::{Entries, is_charged};

/// What was checked of a package.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PackageReport {
    /// Captures that were checked.
    pub captures: u64,
    /// Lines of the ledger.
    pub ledger_lines: u64,
    /// Numbers of ledger lines that a crash left unfinished; they count for nothing and are no fault.
    pub unfinished_ledger_lines: Vec<usize>,
    /// Captures that the ledger does not name yet, because their process ended; the next query records them.
    pub unrecorded: Vec<String>,
    /// Lines of code that were compared.
    pub lines: u64,
    /// Searches that were counted again.
    pub recounted: u64,
    /// What does not hold, with the file it concerns.
    pub problems: Vec<FileProblem>,
}

/// A problem of one file of a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileProblem {
    /// The file, relative to the package.
    pub file: String,
    /// What is wrong with it.
    #[serde(flatten)]
    pub problem: Problem,
}

/// Checks a package.
///
/// # Errors
/// When it can not even be opened: `not_found`, `package_corrupt`, `settings_mismatch`.
pub fn verify_package(repository: &Repository, directory: &Path, depth: Depth) -> Result<PackageReport, Failure> {
    let package = Package::open(directory)?;
    let entries = Entries::read(directory)?;
    let mut report = PackageReport {
        ledger_lines: entries.lines.len() as u64,
        unfinished_ledger_lines: entries.broken.clone(),
        ..PackageReport::default()
    };
    let mut problem = |file: String, pointer: &str, problem: String| {
        report.problems.push(FileProblem { file, problem: Problem { pointer: pointer.into(), problem } });
    };
    let names = package.capture_names()?;
    let named = entries.captures();
    let mut missing: Vec<&str> = named.iter().copied().filter(|name| !names.iter().any(|one| one == name)).collect();
    missing.sort_unstable();
    for name in missing {
        problem(format!("{CAPTURES}/{name}.json"), "", "the ledger names it and it is not there".into());
    }
    let mut spent = 0;
    for (line, number) in entries.lines.iter().zip(1..) {
        spent += u64::from(line.question_sha256.is_some() && line.error.is_none() && is_charged(line.action));
        let left = package.context().budget.map(|budget| budget.saturating_sub(spent));
        if line.budget_left != left {
            problem(
                files::LEDGER.into(),
                &format!("/{number}"),
                "`budget_left` does not follow from the lines before".into(),
            );
        }
    }
    for name in &names {
        let file = format!("{CAPTURES}/{name}.json");
        let path = directory.join(CAPTURES).join(format!("{name}.json"));
        let bytes = files::read(&path)?.unwrap_or_default();
        let checked = verify(repository, &bytes, Some(name), depth);
        report.captures += 1;
        report.lines += checked.lines;
        report.recounted += checked.recounted;
        report.problems.extend(checked.problems.into_iter().map(|problem| FileProblem { file: file.clone(), problem }));
        let bound = |pointer: &str, problem: String| FileProblem {
            file: file.clone(),
            problem: Problem { pointer: pointer.into(), problem },
        };
        match package.capture(name) {
            Err(failure) => report.problems.push(bound("", failure.message)),
            Ok(capture) if named.contains(name.as_str()) => {
                let question = capture.question_sha256()?;
                let answered = entries.lines.iter().any(|line| {
                    line.capture.as_deref() == Some(name) && line.question_sha256.as_deref() == Some(&question)
                });
                if !answered {
                    report
                        .problems
                        .push(bound("/request", "the ledger has it as the answer to another question".into()));
                }
            }
            Ok(capture) => {
                if entries.answers().contains_key(capture.question_sha256()?.as_str()) {
                    let problem = "the ledger has another capture as the answer to the same question";
                    report.problems.push(bound("", problem.into()));
                }
                report.unrecorded.push(name.clone());
            }
        }
    }
    Ok(report)
}
