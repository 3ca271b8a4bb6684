//! `pincite contract`.

use pincite_query::contract::contract;
use pincite_query::package::Package;
use pincite_shared::failure::Failure;
use pincite_shared::wire::canonical::canonical;

use crate::flags::{ContractArguments, Place, ReportFormat};
use crate::render;
use crate::target::Target;

pub(crate) fn run(place: &Place, arguments: &ContractArguments) -> Result<(), Failure> {
    let value = match &arguments.package {
        // The contract that the package's model was given, also when this program would write another one today.
        Some(directory) => Package::open(directory)?.context().contract.clone(),
        None => contract(&Target::settings(place)?.unwrap_or_default()),
    };
    match arguments.format {
        ReportFormat::Json => render::line(&canonical(&value)?),
        ReportFormat::Text => {
            let text = value.get("text").and_then(|text| text.as_str()).unwrap_or_default();
            render::line(text.trim_end())
        }
    }
}
