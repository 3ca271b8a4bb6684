//! `pincite verify`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use pincite_query::Engine;
use pincite_query::package::Package;
use pincite_query::verify::{self, Depth, FileProblem, PackageReport, Problem};
use pincite_shared::failure::{Code, Failure};
use pincite_shared::git::Repository;
use pincite_shared::ids::Oid;
use pincite_shared::profile::settings_from_canonical;
use pincite_shared::wire::interpretation::Interpretation;
use pincite_shared::wire::package::WireCapture;
use serde::Serialize;

use crate::flags::{Place, ReportFormat, VerifyArguments};
use crate::render;
use crate::target::Target;

/// What was checked of one input.
#[derive(Debug, Serialize)]
pub(crate) struct Verified {
    pub(crate) input: String,
    /// Whether everything that was checked holds.
    pub(crate) holds: bool,
    #[serde(flatten)]
    pub(crate) report: PackageReport,
    /// Captures whose requests were answered again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) answered_again: Option<u64>,
    /// Captures that were not compared: another index answered them, or their interpretation is not here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) not_compared: Option<u64>,
}

pub(crate) fn run(place: &Place, arguments: &VerifyArguments) -> Result<ExitCode, Failure> {
    let depth = if arguments.recount { Depth::Recount } else { Depth::Cited };
    let mut all = Vec::new();
    for input in arguments.package.iter().chain(&arguments.inputs) {
        let repository = repository(place, input)?;
        let mut report = match input.is_dir() || arguments.package.contains(input) {
            true => verify::verify_package(&repository, input, depth)?,
            false => capture(&repository, input, depth)?,
        };
        let (mut answered_again, mut not_compared) = (None, None);
        if arguments.answer_again {
            let (same, other) = answer_again(place, input, &mut report)?;
            (answered_again, not_compared) = (Some(same), Some(other));
        }
        all.push(Verified {
            input: input.display().to_string(),
            holds: report.problems.is_empty(),
            report,
            answered_again,
            not_compared,
        });
    }
    match arguments.format {
        ReportFormat::Json => render::json(&all)?,
        ReportFormat::Text => render::text::verified(&all)?,
    }
    Ok(if all.iter().all(|one| one.holds) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The repository of the flag; else the objects that travel with a package; else the profile's or the one around.
fn repository(place: &Place, input: &Path) -> Result<Repository, Failure> {
    let own = input.join("objects.git");
    match &place.repo {
        None if own.is_dir() => Ok(Repository::open(&own)?),
        _ => Target::repository(place),
    }
}

fn capture(repository: &Repository, file: &Path, depth: Depth) -> Result<PackageReport, Failure> {
    let bytes = read(file)?;
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let name = (stem.len() == 64 && stem.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(stem.as_str());
    let checked = verify::verify(repository, &bytes, name, depth);
    let shown = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let problem = |problem: Problem| FileProblem { file: shown.clone(), problem };
    Ok(PackageReport {
        captures: 1,
        lines: checked.lines,
        recounted: checked.recounted,
        problems: checked.problems.into_iter().map(problem).collect(),
        ..PackageReport::default()
    })
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(file).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            Failure::new(Code::NotFound, format!("there is no file {}", file.display())).field("capture")
        }
        _ => Failure::new(Code::Internal, format!("{} could not be read: {error}", file.display())).field("capture"),
    })
}

/// What was asked to be answered again and could not be does not hold.
fn not_compared(file: &str, pointer: &str, reason: &str) -> FileProblem {
    let problem = format!("{reason}, so it could not be answered again and compared");
    FileProblem { file: file.into(), problem: Problem { pointer: pointer.into(), problem } }
}

/// Answers the captures of an input again; gives how many were compared and how many could not be.
fn answer_again(place: &Place, input: &Path, report: &mut PackageReport) -> Result<(u64, u64), Failure> {
    let (files, interpretation): (Vec<PathBuf>, _) = match input.is_dir() {
        false => (vec![input.to_owned()], None),
        true => {
            let package = Package::open(input)?;
            let file = |name: &String| input.join("captures").join(format!("{name}.json"));
            (package.capture_names()?.iter().map(file).collect(), package.interpretation().cloned())
        }
    };
    let (mut same, mut other) = (0, 0);
    let mut engine: Option<Engine> = None;
    for file in files {
        // What can not be read as a capture was reported already.
        let Ok(capture) = serde_json::from_slice::<WireCapture>(&read(&file)?) else { continue };
        let (Ok(settings), Some(commit)) =
            (settings_from_canonical(&capture.settings), Oid::from_hex(&capture.pin.commit))
        else {
            continue;
        };
        // Anchors come from an interpretation, which travels with a package only.
        let bound = capture.interpretation.as_ref().map(|bound| bound.sha256.as_str());
        if bound != interpretation.as_ref().map(Interpretation::sha256) {
            other += 1;
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            report.problems.push(not_compared(&name, "/interpretation", "its interpretation is not here"));
            continue;
        }
        let fits = |engine: &Engine| *engine.settings() == settings && engine.pin().commit == commit;
        if !engine.as_ref().is_some_and(fits) {
            let target = Target::resolve(place)?;
            let fresh = Engine::open(target.repository, &target.index, Some(commit), settings)?;
            engine = Some(match &interpretation {
                Some(interpretation) => fresh.with_interpretation(interpretation.clone()),
                None => fresh,
            });
        }
        let Some(engine) = &engine else { continue };
        let shown = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let found = verify::answer_again(engine, &capture).unwrap_or_else(|failure| {
            let problem = format!("the request is answered with an error today: {}", failure.message);
            Some(vec![Problem { pointer: "/request".into(), problem }])
        });
        match found {
            None => {
                other += 1;
                report.problems.push(not_compared(&shown, "/result/index/id", "another index answered it"));
            }
            Some(problems) => {
                same += 1;
                let all = problems.into_iter().map(|problem| FileProblem { file: shown.clone(), problem });
                report.problems.extend(all);
            }
        }
    }
    Ok((same, other))
}
