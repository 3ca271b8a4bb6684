//! Registrations: function names with a configured prefix in primary files (C2-11).
//!
//! Only a signal that leads there opens a file, so a file that a bare number, a name or a registration found (a central
//! loader) is not looked into; nor is one that was found because the text is a registration itself.

use pincite_shared::failure::Failure;

use super::anchors::Anchors;
use super::chain::{Chain, Origin};
use super::classes;
use super::table::{Class, Signal};
use crate::completeness::Limits;
use crate::source_context::follow::{Place, registration_names};

/// Searches the registrations of primary files, the most relevant file first.
pub(super) fn follow(chain: &mut Chain<'_>, anchors: &Anchors, limits: &mut Limits) -> Result<(), Failure> {
    let engine = chain.session.engine;
    let analysis = &engine.settings.source_analysis;
    let is_registration = |name: &str| analysis.registration_prefixes.iter().any(|prefix| name.starts_with(prefix));
    if analysis.registration_prefixes.is_empty() {
        return Ok(());
    }
    let weighed = classes::weigh(&chain.searches, anchors, &analysis.selection, &engine.snapshot.manifest)?;
    let mut leads: Vec<(String, usize, Place)> = Vec::new();
    // What is beyond the files that can be shown leads nowhere.
    let primary = weighed.iter().filter(|file| file.class == Class::PrimaryCandidate);
    for file in primary.take(analysis.max_files as usize) {
        let open = |(number, _): &(usize, Signal)| !is_registration(chain.searches[*number].term.text());
        let signals = chain.searches.iter().enumerate().filter(|(_, search)| search.weighs(file.row));
        let signals = signals.flat_map(|(number, search)| search.signals(file.row).map(move |one| (number, one)));
        let leading = signals.filter(|(_, (_, signal))| signal.leads_to_registrations());
        let best = leading
            .filter(|(number, (_, signal))| open(&(*number, *signal)))
            .min_by_key(|(number, (group, signal))| (*signal, *number, *group));
        let Some((number, (group, _))) = best else { continue };
        let id = chain.searches[number].id.clone();
        for one in registration_names(&engine.snapshot, &mut chain.evidence, file.row, &is_registration)? {
            let place = Place { search: id.clone(), row: file.row, line: one.line, hint: one.origin };
            leads.push((one.name.clone(), group, place));
        }
    }
    for (name, group, place) in leads {
        chain.search(&name, Origin::Registration(place), &[(group, Signal::Registration)], limits)?;
    }
    Ok(())
}
