//! `pincite case new` and `pincite case export`.

use pincite_query::package::Package;
use pincite_query::verify;
use pincite_shared::failure::Failure;
use serde::Serialize;

use crate::flags::{CaseExportArguments, CaseNewArguments, Place, ReportFormat};
use crate::render;
use crate::target::Target;

/// A package that was made.
#[derive(Debug, Serialize)]
pub(crate) struct Made {
    pub(crate) package: String,
    pub(crate) commit: String,
    pub(crate) settings_sha256: String,
    pub(crate) budget: Option<u64>,
}

/// A package that was copied.
#[derive(Debug, Serialize)]
pub(crate) struct Copied {
    pub(crate) package: String,
    pub(crate) captures: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) objects: Option<u64>,
}

pub(crate) fn new(place: &Place, arguments: &CaseNewArguments) -> Result<(), Failure> {
    let engine = super::query::engine(place, arguments.commit.as_deref(), arguments.interpretation.as_deref())?;
    let package = Package::create(&arguments.package, &engine, arguments.budget)?;
    let context = package.context();
    let made = Made {
        package: arguments.package.display().to_string(),
        commit: context.pin.commit.clone(),
        settings_sha256: context.settings_sha256.clone(),
        budget: context.budget,
    };
    match arguments.format {
        ReportFormat::Json => render::json(&made),
        ReportFormat::Text => render::text::made(&made),
    }
}

pub(crate) fn export(place: &Place, arguments: &CaseExportArguments) -> Result<(), Failure> {
    let package = Package::open(&arguments.package)?;
    let repository = match arguments.objects {
        true => Some(Target::resolve(place)?.repository),
        false => None,
    };
    let exported = verify::export(&package, &arguments.out, repository.as_ref())?;
    let copied = Copied {
        package: arguments.out.display().to_string(),
        captures: package.capture_names()?.len() as u64,
        objects: exported.map(|exported| exported.objects),
    };
    match arguments.format {
        ReportFormat::Json => render::json(&copied),
        ReportFormat::Text => render::text::copied(&copied),
    }
}
