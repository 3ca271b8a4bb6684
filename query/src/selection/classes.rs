//! Files by class: the strongest signal of each anchor group, the best class of a file, and the order (C2-10, C2-12).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use pincite_shared::failure::Failure;
use pincite_shared::index_format::manifest::{Manifest, Row};
use pincite_shared::settings::SelectionSettings;
use pincite_shared::wire::result::WirePath;
use pincite_shared::wire::selection::{WireSelectedFile, WireSignal};

use super::anchors::{Anchors, group_id};
use super::chain::Searched;
use super::spelling;
use super::table::{Class, Signal};

/// A file that was weighed.
#[derive(Clone, Debug)]
pub(crate) struct Weighed {
    pub(crate) row: Row,
    pub(crate) class: Class,
    /// The configured place of its path.
    location: Option<String>,
    /// By group: the strongest signal, and the first search that gave it.
    signals: BTreeMap<usize, (Signal, usize)>,
}

impl Weighed {
    /// The signals, strongest first.
    fn by_strength(&self) -> Vec<(Signal, usize, usize)> {
        let mut signals: Vec<_> =
            self.signals.iter().map(|(group, (signal, search))| (*signal, *group, *search)).collect();
        signals.sort_unstable();
        signals
    }

    /// Most relevant first: primary files, then by the strongest signal, then by class, then by how many groups have
    /// more than a number, then by path.
    ///
    /// The signal comes before the class, so that a few words of context can not crowd out strong evidence of another
    /// place.
    fn order(&self) -> (bool, Option<Signal>, Class, Reverse<usize>, Row) {
        let strong = self.signals.values().filter(|(signal, _)| *signal != Signal::Number).count();
        let strongest = self.signals.values().map(|(signal, _)| *signal).min();
        (self.class != Class::PrimaryCandidate, strongest, self.class, Reverse(strong), self.row)
    }

    pub(crate) fn to_wire(&self, searches: &[Searched], manifest: &Manifest) -> Result<WireSelectedFile, Failure> {
        let signal = |(signal, group, search): (Signal, usize, usize)| WireSignal {
            group: group_id(group),
            signal: signal.row().name.into(),
            search: searches[search].id.clone(),
        };
        Ok(WireSelectedFile {
            path: WirePath::new(manifest.path(self.row)?),
            class: self.class.name().into(),
            location: self.location.clone(),
            signals: self.by_strength().into_iter().map(signal).collect(),
        })
    }
}

/// Every weighed file, most relevant first.
pub(crate) fn weigh(
    searches: &[Searched],
    anchors: &Anchors,
    settings: &SelectionSettings,
    manifest: &Manifest,
) -> Result<Vec<Weighed>, Failure> {
    let mut files: BTreeMap<Row, BTreeMap<usize, (Signal, usize)>> = BTreeMap::new();
    for (number, search) in searches.iter().enumerate() {
        for hits in &search.found.rows[..search.weighed] {
            let signals = files.entry(hits.row).or_default();
            for (group, signal) in search.signals(hits.row) {
                let best = signals.entry(group).or_insert((signal, number));
                if signal < best.0 {
                    *best = (signal, number);
                }
            }
        }
    }
    let mut weighed = Vec::with_capacity(files.len());
    for (row, signals) in files {
        let location = location(settings, manifest.path(row)?);
        let is_other = |place: &String| !anchors.places.is_empty() && !anchors.places.contains(&spelling::key(place));
        let in_other_place = location.as_ref().is_some_and(is_other);
        let class = signals.values().map(|(signal, _)| signal.class(in_other_place)).min();
        weighed.push(Weighed { row, class: class.unwrap_or(Class::WeakNumeric), location, signals });
    }
    weighed.sort_by_key(Weighed::order);
    Ok(weighed)
}

/// The configured place of a path: that of the longest beginning.
fn location(settings: &SelectionSettings, path: &[u8]) -> Option<String> {
    let all = settings.location_paths.iter().flat_map(|one| one.paths.iter().map(|path| (path, &one.location)));
    let fitting = all.filter(|(beginning, _)| path.starts_with(beginning.as_bytes()));
    fitting
        .max_by_key(|(beginning, location)| (beginning.len(), Reverse(*location)))
        .map(|(_, location)| location.clone())
}
