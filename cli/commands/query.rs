//! `pincite query`.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use pincite_query::package::Package;
use pincite_query::{Engine, Reply};
use pincite_shared::failure::{Code, Failure};
use pincite_shared::ids::Oid;
use pincite_shared::wire::query::{MAX_QUERY_BYTES, Query};

use crate::flags::{Place, QueryArguments};
use crate::render;
use crate::target::Target;

pub(crate) fn run(place: &Place, arguments: &QueryArguments) -> Result<(), Failure> {
    let text = text(&arguments.file)?;
    let parse = |engine: &Engine| Query::parse_str(&text, engine.settings().source_analysis.protocol);
    let reply = match &arguments.package {
        None => {
            let engine = engine(place, arguments.commit.as_deref(), arguments.interpretation.as_deref())?;
            engine.query(&parse(&engine)?)?
        }
        Some(directory) => {
            let package = Package::open(directory)?;
            let engine = engine_of(place, &package, arguments.commit.as_deref())?;
            package.query(&engine, &parse(&engine)?)?
        }
    };
    render::reply(&reply, arguments.format)
}

/// The engine without a package: the settings of the profile, and the interpretation that is named.
pub(crate) fn engine(place: &Place, commit: Option<&str>, interpretation: Option<&Path>) -> Result<Engine, Failure> {
    let target = Target::resolve(place)?;
    let settings = target.settings.clone().unwrap_or_default();
    let engine = target.engine(commit, settings)?;
    match interpretation {
        Some(file) => super::context::interpreted(engine, file),
        None => Ok(engine),
    }
}

/// The engine for a package: its commit and settings, the repository and index of the profile or the flags.
pub(crate) fn engine_of(place: &Place, package: &Package, commit: Option<&str>) -> Result<Engine, Failure> {
    let target = Target::resolve(place)?;
    if let Some(settings) = &target.settings {
        package.check_settings(settings)?;
    }
    let pinned = &package.context().pin.commit;
    if let Some(other) = target.commit(commit)?.filter(|other| other.to_string() != *pinned) {
        let message = format!("the package is pinned to commit {pinned}, and commit {other} is asked for");
        return Err(Failure::new(Code::SettingsMismatch, message).field("commit"));
    }
    let pinned = Oid::from_hex(pinned).ok_or_else(|| {
        Failure::new(Code::PackageCorrupt, format!("its commit {pinned:?} is not a full object id")).field("package")
    })?;
    let mut engine = Engine::open(target.repository, &target.index, Some(pinned), package.settings().clone())?;
    if let Some(interpretation) = package.interpretation() {
        engine = engine.with_interpretation(interpretation.clone());
    }
    package.check(&engine)?;
    Ok(engine)
}

fn text(file: &Path) -> Result<String, Failure> {
    let fault = |code, problem: String| Failure::new(code, problem).field("file");
    let mut bytes = Vec::new();
    // One byte more than allowed tells a text that is too long.
    let limit = MAX_QUERY_BYTES as u64 + 1;
    let read = match file == Path::new("-") {
        true => std::io::stdin().lock().take(limit).read_to_end(&mut bytes),
        false => File::open(file).and_then(|file| file.take(limit).read_to_end(&mut bytes)),
    };
    match read {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(fault(Code::NotFound, format!("there is no file {}", file.display())))
        }
        Err(error) => Err(fault(Code::Internal, format!("{} could not be read: {error}", file.display()))),
        // Not read to its end, it may have been cut within a character.
        Ok(_) if bytes.len() > MAX_QUERY_BYTES => Err(Query::too_long()),
        Ok(_) => String::from_utf8(bytes)
            .map_err(|_| Failure::new(Code::InvalidRequest, "the request is not valid UTF-8").field("file")),
    }
}

/// What `query` prints in text form.
pub(crate) fn answers(reply: &Reply) -> Vec<Result<&pincite_query::Answer, &Failure>> {
    match reply {
        Reply::One(answer) => vec![Ok(answer)],
        Reply::Bundle(answers) => answers.iter().map(Result::as_ref).collect(),
    }
}
