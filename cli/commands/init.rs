//! `pincite init`: a commented profile that fits the repository.

use std::path::{Path, PathBuf};

use pincite_indexer::Survey;
use pincite_shared::failure::{Code, Failure};
use pincite_shared::git::Repository;
use pincite_shared::settings::Settings;
use serde::Serialize;

use super::new_file;
use crate::flags::{InitArguments, Place, ReportFormat};
use crate::render;
use crate::render::profile::{Fixed, profile};
use crate::target::repository;

/// What was written, for operators.
#[derive(Debug, Serialize)]
pub(crate) struct Written {
    /// The file.
    pub(crate) profile: String,
    /// What it was made from.
    #[serde(flatten)]
    pub(crate) survey: Survey,
}

pub(crate) fn run(place: &Place, arguments: &InitArguments) -> Result<(), Failure> {
    if place.profile.is_some() {
        let message = "init reads no profile; name the file to write with --out";
        return Err(Failure::new(Code::InvalidRequest, message).field("profile"));
    }
    // Told before minutes of work; `new_file` is what really never replaces one.
    if arguments.out != Path::new("-") && arguments.out.symlink_metadata().is_ok() {
        return Err(new_file::exists(&arguments.out));
    }
    let repository = repository(place.repo.as_deref())?;
    let commit = repository.resolve(&arguments.rev)?;
    let progress = render::progress(arguments.progress);
    let max_file_bytes = Settings::default().limits.max_file_bytes;
    let survey = pincite_indexer::survey(&repository, commit, max_file_bytes, &*progress)?;
    progress.finish();
    let home = home_of(&repository);
    let index = place.index.as_deref().map(std::path::absolute).transpose().map_err(|error| {
        Failure::new(Code::InvalidRequest, format!("the index directory can not be named: {error}")).field("index")
    })?;
    let fixed = Fixed {
        name: home.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        repository: utf8(&home, "repo")?,
        index: index.as_deref().map(|index| utf8(index, "index")).transpose()?,
    };
    let profile = profile(&fixed, &survey);
    if arguments.out == Path::new("-") {
        return render::raw(profile.as_bytes());
    }
    new_file::write(&arguments.out, profile.as_bytes())?;
    let written = Written { profile: arguments.out.display().to_string(), survey };
    match arguments.format {
        ReportFormat::Json => render::json(&written),
        ReportFormat::Text => render::text::init(&written),
    }
}

/// Where a person expects the repository to be: the work tree's root rather than its `.git`.
fn home_of(repository: &Repository) -> PathBuf {
    let git_dir = repository.git_dir();
    let parent = git_dir.parent().filter(|_| git_dir.ends_with(".git"));
    let same = |root: &&Path| Repository::open(root).is_ok_and(|other| other.git_dir() == git_dir);
    parent.filter(same).unwrap_or(git_dir).to_path_buf()
}

fn utf8<'a>(path: &'a Path, field: &str) -> Result<&'a str, Failure> {
    path.to_str().ok_or_else(|| {
        let message = format!("{} is not valid UTF-8, and a profile can hold nothing else", path.display());
        Failure::new(Code::InvalidRequest, message).field(field)
    })
}
