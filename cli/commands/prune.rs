//! `pincite prune`.

use pincite_indexer::PruneWhat;
use pincite_shared::failure::Failure;

use crate::flags::{Place, PruneArguments, ReportFormat};
use crate::render;
use crate::target::{Target, full_id};

pub(crate) fn run(place: &Place, arguments: &PruneArguments) -> Result<(), Failure> {
    let target = Target::resolve(place)?;
    let what = match arguments.keep {
        Some(keep) => PruneWhat::Keep(keep),
        None => {
            let commits = arguments.commit.iter().map(|text| full_id(text, "commit"));
            PruneWhat::Commits(commits.collect::<Result<_, _>>()?)
        }
    };
    let report = pincite_indexer::prune(&target.index, &what)?;
    match arguments.format {
        ReportFormat::Json => render::json(&report),
        ReportFormat::Text => render::text::prune(&report),
    }
}
