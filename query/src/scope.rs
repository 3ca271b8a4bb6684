//! The scope of a search: which paths of the commit it looks into, and what it leaves out and why.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use pincite_shared::git::EntryKind;
use pincite_shared::index_format::IndexError;
use pincite_shared::index_format::manifest::{LinkedRows, Links, Manifest, Row, RowFacts, State, Totals};
use pincite_shared::settings::Settings;
use pincite_shared::skip::{OutsideReason, SkipReason};

use crate::index::Snapshot;

/// A document stands for no path of the scope.
const NO_ROW: u32 = u32::MAX;
/// A document stands for several paths, which stand apart.
const SHARED: u32 = u32::MAX - 1;

/// Which part of the commit a scope covers. The parts of the same rules are disjoint, and together they are the whole
/// commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    /// The files that a search is asked about.
    Own,
    /// Every file outside the prefix, whatever its extension.
    OutsidePrefix,
    /// The files below the prefix that the search space does not have (protocol 2), whatever their extension.
    OutsideScope,
    /// The files of the search space below the prefix that the extensions leave out.
    OutsideExtensions,
}

/// The rules of a scope.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ScopeRules {
    pub(crate) part: Part,
    /// Bytes that every path begins with.
    pub(crate) prefix: Vec<u8>,
    /// Extensions that are searched, lower case; empty for every file.
    pub(crate) extensions: Vec<String>,
    /// Larger files are skipped as `too_large`.
    pub(crate) max_file_bytes: u64,
    /// Beginnings of the paths of a search space (protocol 2); empty for every path.
    pub(crate) paths: Vec<Vec<u8>>,
    /// Extensions that a search space leaves out (protocol 2).
    pub(crate) exclude: Vec<String>,
}

/// What one path is to a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Searched { segment: u32, document: u32 },
    Skipped(SkipReason),
    Outside(OutsideReason),
}

impl ScopeRules {
    /// Whether the extension alone decides about a file that is not too large.
    fn are_by_extension(&self) -> bool {
        self.part == Part::Own && self.prefix.is_empty() && self.paths.is_empty()
    }

    /// The rules of settings below a prefix.
    pub(crate) fn below(prefix: &str, settings: &Settings) -> Self {
        Self {
            part: Part::Own,
            prefix: prefix.as_bytes().to_vec(),
            extensions: settings.source_analysis.extensions.clone(),
            max_file_bytes: settings.limits.max_file_bytes,
            paths: Vec::new(),
            exclude: Vec::new(),
        }
    }

    /// Whether a path belongs to the search space.
    fn holds_path(&self, path: &[u8]) -> bool {
        self.paths.is_empty() || self.paths.iter().any(|beginning| path.starts_with(beginning))
    }

    /// Decides about the paths of a manifest.
    pub(crate) fn placing(&self, manifest: &Manifest) -> Placing {
        let wanted = |extension: &Vec<u8>| {
            let has = |list: &[String]| list.iter().any(|known| known.as_bytes() == extension.as_slice());
            let configured = (self.extensions.is_empty() || has(&self.extensions)) && !has(&self.exclude);
            match self.part {
                Part::Own => configured,
                Part::OutsidePrefix | Part::OutsideScope => true,
                Part::OutsideExtensions => !configured,
            }
        };
        Placing { wanted: manifest.extensions().iter().map(wanted).collect(), max_file_bytes: self.max_file_bytes }
    }
}

/// The rules of a scope for one manifest.
pub(crate) struct Placing {
    /// By the numbers of the manifest's extensions.
    wanted: Vec<bool>,
    max_file_bytes: u64,
}

impl Placing {
    /// Decides about one path by the manifest's facts.
    pub(crate) fn place(&self, facts: &RowFacts) -> Place {
        match facts.kind {
            EntryKind::Symlink => return Place::Outside(OutsideReason::Symlinks),
            EntryKind::Submodule => return Place::Outside(OutsideReason::Submodules),
            EntryKind::File | EntryKind::Executable => {}
        }
        match facts.state {
            _ if self.wanted.get(facts.extension as usize) != Some(&true) => Place::Outside(OutsideReason::Extensions),
            _ if facts.bytes > self.max_file_bytes => Place::Skipped(SkipReason::TooLarge),
            State::Document { segment, document } => Place::Searched { segment, document },
            State::Skipped(reason) => Place::Skipped(reason),
            State::NotAFile => Place::Outside(OutsideReason::Symlinks),
        }
    }
}

/// Every path of a snapshot's commit that `source.search` does not look into under these settings, with the reason by
/// its wire name: what its `skipped` and `outside` count without a prefix. Without settings, those that the index could
/// not search.
///
/// # Errors
/// [`IndexError::Corrupt`].
pub fn unsearched(
    snapshot: &Snapshot,
    settings: Option<&Settings>,
) -> Result<Vec<(Vec<u8>, &'static str)>, IndexError> {
    let rules = match settings {
        Some(settings) => ScopeRules::below("", settings),
        None => ScopeRules { max_file_bytes: u64::MAX, ..ScopeRules::below("", &Settings::unlimited()) },
    };
    let manifest = &snapshot.manifest;
    let placing = rules.placing(manifest);
    let mut paths = Vec::new();
    manifest.for_each_facts(0..manifest.len(), |row, facts| {
        let reason = match placing.place(&facts) {
            Place::Searched { .. } => return Ok(()),
            Place::Skipped(reason) => reason.name(),
            Place::Outside(reason) => reason.name(),
        };
        paths.push((manifest.path(row)?.to_vec(), reason));
        Ok(())
    })?;
    Ok(paths)
}

/// A scope, ready for look-ups from documents to paths.
pub(crate) struct Scope {
    /// Paths below the prefix, whether searched or not; every path of the commit for [`Part::OutsidePrefix`].
    pub(crate) rows: Range<Row>,
    /// Paths whose content is searched.
    pub(crate) searched: u64,
    pub(crate) skipped: BTreeMap<SkipReason, u64>,
    pub(crate) outside: BTreeMap<OutsideReason, u64>,
    documents: Documents,
}

/// Which paths each document stands for.
enum Documents {
    /// Those with a wanted extension, as the manifest links them: nothing has to be made for that.
    Linked {
        links: Links,
        wanted: Vec<bool>,
    },
    Placed(Slots),
}

impl Scope {
    pub(crate) fn new(manifest: &Manifest, rules: &ScopeRules) -> Result<Self, IndexError> {
        if rules.are_by_extension()
            && let (Some(totals), Some(links)) = (manifest.totals(), manifest.links()?)
            && let Some(scope) = Self::of_totals(0..manifest.len(), totals, links, rules.placing(manifest))
        {
            return Ok(scope);
        }
        Self::of_rows(manifest, rules)
    }

    /// Decides about all files of an extension at once; `None` where one of them is too large.
    fn of_totals(rows: Range<Row>, totals: &Totals, links: Links, placing: Placing) -> Option<Self> {
        let (mut skipped, mut searched, mut unwanted) = (BTreeMap::new(), 0, 0);
        for (of, wanted) in totals.extensions.iter().zip(&placing.wanted) {
            if !wanted {
                unwanted += of.files();
                continue;
            }
            if of.largest > placing.max_file_bytes {
                return None;
            }
            searched += of.documents;
            for (reason, files) in &of.skipped {
                *skipped.entry(*reason).or_default() += files;
            }
        }
        let outside = [
            (OutsideReason::Extensions, unwanted),
            (OutsideReason::Symlinks, totals.symlinks),
            (OutsideReason::Submodules, totals.submodules),
        ];
        Some(Self {
            rows,
            searched,
            skipped,
            outside: outside.into_iter().filter(|(_, paths)| *paths > 0).collect(),
            documents: Documents::Linked { links, wanted: placing.wanted },
        })
    }

    /// Decides about each row.
    fn of_rows(manifest: &Manifest, rules: &ScopeRules) -> Result<Self, IndexError> {
        let below = manifest.rows_with_prefix(&rules.prefix)?;
        let (rows, ranges) = match rules.part {
            Part::Own | Part::OutsideScope | Part::OutsideExtensions => (below.clone(), [below, 0..0]),
            Part::OutsidePrefix => (0..manifest.len(), [0..below.start, below.end..manifest.len()]),
        };
        let (mut skipped, mut outside, mut searched) = (BTreeMap::new(), BTreeMap::new(), 0);
        let mut slots = Slots {
            of: manifest.segments().iter().map(|(_, documents)| vec![NO_ROW; *documents as usize]).collect(),
            shared: HashMap::new(),
        };
        let placing = rules.placing(manifest);
        let by_path = rules.part != Part::OutsidePrefix && !rules.paths.is_empty();
        for range in ranges {
            manifest.for_each_facts(range, |row, facts| {
                if by_path {
                    let holds = rules.holds_path(manifest.path(row)?);
                    if rules.part == Part::OutsideScope && holds {
                        return Ok(());
                    }
                    if rules.part != Part::OutsideScope && !holds {
                        *outside.entry(OutsideReason::Scope).or_default() += 1;
                        return Ok(());
                    }
                }
                match placing.place(&facts) {
                    Place::Skipped(reason) => *skipped.entry(reason).or_default() += 1,
                    Place::Outside(reason) => *outside.entry(reason).or_default() += 1,
                    Place::Searched { segment, document } => {
                        searched += 1;
                        slots.add(row, segment, document)?;
                    }
                }
                Ok(())
            })?;
        }
        Ok(Self { rows, searched, skipped, outside, documents: Documents::Placed(slots) })
    }

    /// Whether a document stands for a path of the scope.
    pub(crate) fn holds(&self, segment: usize, document: u32) -> bool {
        self.rows_of(segment, document).next().is_some()
    }

    /// The paths of the scope that a document stands for, ascending.
    pub(crate) fn rows_of(&self, segment: usize, document: u32) -> Rows<'_> {
        match &self.documents {
            Documents::Linked { links, wanted } => Rows::Linked(links.rows_of(segment, document), wanted),
            Documents::Placed(slots) => slots.rows_of(segment, document),
        }
    }

    /// The documents of a segment that stand for paths of the scope, ascending.
    pub(crate) fn documents(&self, segment: usize) -> impl Iterator<Item = u32> + '_ {
        let documents = match &self.documents {
            Documents::Linked { links, .. } => links.documents(segment),
            Documents::Placed(slots) => slots.of[segment].len() as u32,
        };
        (0..documents).filter(move |document| self.holds(segment, *document))
    }
}

/// Paths by document, of the rows that a scope has.
struct Slots {
    /// Per segment and document: its one path, or one of the two markers.
    of: Vec<Vec<u32>>,
    shared: HashMap<(usize, u32), Vec<Row>>,
}

impl Slots {
    /// A path that is searched.
    fn add(&mut self, row: Row, segment: u32, document: u32) -> Result<(), IndexError> {
        let (segment, at) = (segment as usize, document as usize);
        let slot =
            self.of.get_mut(segment).and_then(|slots| slots.get_mut(at)).ok_or_else(|| {
                IndexError::corrupt("manifest", format!("row {row} names a document that is not there"))
            })?;
        match *slot {
            NO_ROW => *slot = row,
            SHARED => self.shared.entry((segment, document)).or_default().push(row),
            first => {
                *slot = SHARED;
                self.shared.insert((segment, document), vec![first, row]);
            }
        }
        Ok(())
    }

    fn rows_of(&self, segment: usize, document: u32) -> Rows<'_> {
        match self.of[segment][document as usize] {
            NO_ROW => Rows::One(None),
            SHARED => Rows::Many(self.shared.get(&(segment, document)).map(Vec::as_slice).unwrap_or_default().iter()),
            row => Rows::One(Some(row)),
        }
    }
}

/// Paths of one document.
pub(crate) enum Rows<'a> {
    One(Option<Row>),
    Many(std::slice::Iter<'a, Row>),
    /// With the extensions that are wanted.
    Linked(LinkedRows<'a>, &'a [bool]),
}

impl Iterator for Rows<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        match self {
            Self::One(row) => row.take(),
            Self::Many(rows) => rows.next().copied(),
            Self::Linked(rows, wanted) => {
                rows.find(|(_, extension)| wanted.get(*extension as usize) == Some(&true)).map(|(row, _)| row)
            }
        }
    }
}
