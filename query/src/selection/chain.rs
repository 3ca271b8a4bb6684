//! The chain of searches of one request: what is searched, in which order, and within which bounds (C2-11, C2-16).
//!
//! The request's text; script names and numbers of marked types; constants that typed bindings gave; registrations of
//! primary files; names, every group's first spelling before any group's second; numbers of other types. A text is
//! searched once and may serve several groups.

use std::collections::{BTreeMap, BTreeSet};

use pincite_shared::failure::Failure;
use pincite_shared::index_format::IndexError;
use pincite_shared::index_format::manifest::{Manifest, Row};
use pincite_shared::limits::LimitName;
use pincite_shared::term::{Mode, RequestedMode, Term};
use pincite_shared::wire::result::WireOrigin;

use super::anchors::{Group, group_id};
use super::bindings::{self, Binding};
use super::table::Signal;
use crate::completeness::Limits;
use crate::elsewhere::{self, Elsewhere};
use crate::engine::Session;
use crate::scope::{Scope, ScopeRules};
use crate::search::{self, Budget, Found};
use crate::source_context::follow::Place;
use crate::verification::Evidence;

/// Why a search is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Request,
    Anchor(usize),
    Binding(usize, Place),
    Registration(Place),
}

impl Origin {
    pub(crate) fn place(&self) -> Option<&Place> {
        match self {
            Self::Request | Self::Anchor(_) => None,
            Self::Binding(_, place) | Self::Registration(place) => Some(place),
        }
    }

    pub(crate) fn to_wire(&self, manifest: &Manifest) -> Result<WireOrigin, IndexError> {
        let plain = |kind: &'static str, group| WireOrigin {
            kind: kind.into(),
            group,
            search: None,
            path: None,
            line: None,
            hint: None,
        };
        match self {
            Self::Request => Ok(plain("request", None)),
            Self::Anchor(group) => Ok(plain("anchor", Some(group_id(*group)))),
            Self::Binding(group, place) => place.to_wire("binding", Some(group_id(*group)), manifest),
            Self::Registration(place) => place.to_wire("registration", None, manifest),
        }
    }
}

/// A search of the chain.
pub(crate) struct Searched {
    pub(crate) id: String,
    pub(crate) term: Term,
    pub(crate) origin: Origin,
    pub(crate) found: Found,
    pub(crate) elsewhere: Elsewhere,
    /// What a match is worth by itself, by group.
    pub(crate) reasons: Vec<(usize, Signal)>,
    /// How many of the found files are weighed: the first, by path.
    pub(crate) weighed: usize,
    /// Typed bindings of the number, by file and line.
    pub(crate) bindings: BTreeMap<Row, Vec<Binding>>,
    /// Files that bind the constant to another value.
    pub(crate) namesakes: BTreeSet<Row>,
}

impl Searched {
    /// Whether the search found a file that is weighed.
    pub(crate) fn weighs(&self, row: Row) -> bool {
        self.found.rows[..self.weighed].binary_search_by_key(&row, |hits| hits.row).is_ok()
    }

    /// The signals of a file, by group.
    pub(crate) fn signals(&self, row: Row) -> impl Iterator<Item = (usize, Signal)> + '_ {
        let is_namesake = self.namesakes.contains(&row);
        let plain = self.reasons.iter().map(move |(group, signal)| match signal {
            Signal::Constant if is_namesake => (*group, Signal::Namesake),
            other => (*group, *other),
        });
        let bound = self.bindings.get(&row).into_iter().flatten().map(|one| (one.group, Signal::Binding));
        plain.chain(bound)
    }
}

/// Runs the searches of one request.
pub(crate) struct Chain<'a> {
    pub(crate) session: &'a Session<'a>,
    pub(crate) rules: &'a ScopeRules,
    pub(crate) scope: &'a Scope,
    pub(crate) evidence: Evidence<'a>,
    pub(crate) groups: &'a [Group],
    pub(crate) searches: Vec<Searched>,
}

impl Chain<'_> {
    /// Searches a text for some groups, unless `max_searches` is used up; a text that was searched gains the reasons.
    pub(crate) fn search(
        &mut self,
        text: &str,
        origin: Origin,
        reasons: &[(usize, Signal)],
        limits: &mut Limits,
    ) -> Result<(), Failure> {
        if let Some(known) = self.searches.iter_mut().find(|search| search.term.text() == text) {
            let new = reasons.iter().filter(|reason| !known.reasons.contains(reason)).copied().collect::<Vec<_>>();
            known.reasons.extend(new);
            return Ok(());
        }
        let engine = self.session.engine;
        let (bounds, analysis) = (&engine.settings.limits, &engine.settings.source_analysis);
        if self.searches.len() as u64 >= u64::from(analysis.max_searches) {
            limits.reached(LimitName::MaxSearches, u64::from(analysis.max_searches), None);
            return Ok(());
        }
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let mode = if is_number { RequestedMode::Exactly(Mode::Decimal) } else { RequestedMode::Auto };
        let term = match (Term::new(text, mode), &origin) {
            (Ok(term), _) => term,
            (Err(error), Origin::Request) => return Err(error.into_failure("text")),
            // An anchor or a hint may name something that is no term; it leads nowhere.
            (Err(_), _) => return Ok(()),
        };
        let id = format!("s{}", self.searches.len() + 1);
        // Each search has an equal part of what may be read.
        let bytes = bounds.max_search_bytes / u64::from(analysis.max_searches.max(1));
        let budget = Budget { bytes, partly: true };
        let found = search::search(&self.session.ground(self.scope), &term, budget)?;
        if found.cut {
            limits.reached(LimitName::MaxSearchBytes, bounds.max_search_bytes, Some(&id));
        }
        let most = analysis.selection.max_candidates;
        let weighed = found.rows.len().min(most as usize);
        if found.rows.len() > weighed {
            limits.reached(LimitName::MaxCandidates, u64::from(most), Some(&id));
        }
        let elsewhere = elsewhere::find(self.session, self.rules, self.scope, &term, &found, budget)?;
        let mut searched = Searched {
            id,
            term,
            origin,
            found,
            elsewhere,
            reasons: reasons.to_vec(),
            weighed,
            bindings: BTreeMap::new(),
            namesakes: BTreeSet::new(),
        };
        bindings::weigh(self, &mut searched, budget, limits)?;
        self.searches.push(searched);
        Ok(())
    }

    /// Searches the constants that the typed bindings of all searches gave, by search, path and line.
    pub(crate) fn follow_bindings(&mut self, limits: &mut Limits) -> Result<(), Failure> {
        let mut leads: Vec<(String, usize, Place)> = Vec::new();
        for search in &self.searches {
            for (row, bindings) in &search.bindings {
                for one in bindings.iter().filter(|_| Signal::Binding.leads_to_constant()) {
                    let place = Place { search: search.id.clone(), row: *row, line: one.line, hint: one.hint };
                    leads.push((one.name.clone(), one.group, place));
                }
            }
        }
        for (name, group, place) in leads {
            self.search(&name, Origin::Binding(group, place), &[(group, Signal::Constant)], limits)?;
        }
        Ok(())
    }
}
