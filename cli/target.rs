//! What a command works on: profile, repository, index directory and commit, from flags and defaults.

use std::env;
use std::path::{Path, PathBuf};

use pincite_query::Engine;
use pincite_shared::failure::{Code, Failure};
use pincite_shared::git::Repository;
use pincite_shared::ids::Oid;
use pincite_shared::index_format::layout;
use pincite_shared::profile::Profile;
use pincite_shared::settings::Settings;

use crate::flags::Place;

const DEFAULT_PROFILE: &str = "pincite.toml";

/// Everything a command needs to begin.
pub(crate) struct Target {
    pub(crate) repository: Repository,
    pub(crate) index: PathBuf,
    /// The profile's commit.
    pub(crate) commit: Option<Oid>,
    /// The profile's settings; `None` without a profile.
    pub(crate) settings: Option<Settings>,
}

impl Target {
    pub(crate) fn resolve(place: &Place) -> Result<Self, Failure> {
        let profile = profile(place)?;
        let repository = repository_of(place, profile.as_ref())?;
        let named = place.index.clone().or_else(|| profile.as_ref().and_then(|profile| profile.index.clone()));
        let index = match named {
            Some(directory) => directory,
            None => layout::default_directory(&cache_directory()?, repository.git_dir()),
        };
        Ok(Self {
            repository,
            index,
            commit: profile.as_ref().and_then(|profile| profile.commit),
            settings: profile.map(|profile| profile.settings),
        })
    }

    /// The repository alone.
    pub(crate) fn repository(place: &Place) -> Result<Repository, Failure> {
        repository_of(place, profile(place)?.as_ref())
    }

    /// The profile's settings alone; `None` without a profile.
    pub(crate) fn settings(place: &Place) -> Result<Option<Settings>, Failure> {
        Ok(profile(place)?.map(|profile| profile.settings))
    }

    /// The commit that a flag names, else the profile's.
    pub(crate) fn commit(&self, flag: Option<&str>) -> Result<Option<Oid>, Failure> {
        match flag {
            None => Ok(self.commit),
            Some(text) => full_id(text, "commit").map(Some),
        }
    }

    /// The engine for a command that only reads.
    pub(crate) fn engine(self, commit: Option<&str>, settings: Settings) -> Result<Engine, Failure> {
        let commit = self.commit(commit)?;
        Engine::open(self.repository, &self.index, commit, settings)
    }
}

fn profile(place: &Place) -> Result<Option<Profile>, Failure> {
    Ok(match &place.profile {
        Some(file) => Some(Profile::load(file)?),
        None if Path::new(DEFAULT_PROFILE).exists() => Some(Profile::load(Path::new(DEFAULT_PROFILE))?),
        None => None,
    })
}

fn repository_of(place: &Place, profile: Option<&Profile>) -> Result<Repository, Failure> {
    let named = place.repo.as_deref().or_else(|| profile.and_then(|profile| profile.repository.as_deref()));
    repository(named)
}

/// The repository that is named, else the one around the current directory.
pub(crate) fn repository(named: Option<&Path>) -> Result<Repository, Failure> {
    let here = || {
        env::current_dir()
            .map_err(|error| Failure::new(Code::Internal, format!("the current directory can not be told: {error}")))
    };
    Ok(match named {
        Some(directory) => Repository::open(directory)?,
        None => Repository::discover(&here()?)?,
    })
}

/// A full object id from the command line.
pub(crate) fn full_id(text: &str, field: &str) -> Result<Oid, Failure> {
    Oid::from_hex(text).ok_or_else(|| {
        let message =
            format!("`{text}` is not a full commit id of 40 or 64 hexadecimal digits; `pincite status` lists them");
        Failure::new(Code::InvalidRequest, message).field(field)
    })
}

fn cache_directory() -> Result<PathBuf, Failure> {
    let named = |variable: &str| env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = named("XDG_CACHE_HOME").or_else(|| named("HOME").map(|home| home.join(".cache")));
    cache.map(|cache| cache.join("pincite")).ok_or_else(|| {
        let message = "neither XDG_CACHE_HOME nor HOME names a folder for the index; name one with --index";
        Failure::new(Code::InvalidRequest, message).field("index")
    })
}
