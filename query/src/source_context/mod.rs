//! `source.context`, protocol 1: search a term, follow assignments and registrations, return merged windows.
//!
//! [`follow`] decides the chain of searches, [`windows`] which lines are shown within the limits; this file runs the
//! chain and writes the answer down in its fixed order.

pub(crate) mod follow;
pub(crate) mod windows;

use pincite_shared::failure::{Code, Failure};
use pincite_shared::ids::LineNumber;
use pincite_shared::index_format::manifest::Row;
use pincite_shared::limits::LimitName;
use pincite_shared::term::{Matcher, RequestedMode, Term};
use pincite_shared::wire::request::Request;
use pincite_shared::wire::result::{
    ContextResult, WireContextMatch, WireFile, WireOrigin, WirePath, WireScan, WireSearch,
};

use crate::completeness::{self, Limits};
use crate::elsewhere::{self, Elsewhere};
use crate::engine::Session;
use crate::failure::timed_out;
use crate::scope::{Scope, ScopeRules};
use crate::search::{self, Budget, Found, Scanned};
use crate::to_wire;
use crate::verification::Evidence;
use follow::Origin;

/// A search of the chain with the matches that are considered.
pub(crate) struct ChainSearch {
    pub(crate) id: String,
    pub(crate) term: Term,
    pub(crate) origin: Origin,
    pub(crate) found: Found,
    /// The first `max_matches`, by path and line, each checked in its blob.
    pub(crate) considered: Vec<(Row, LineNumber)>,
    pub(crate) elsewhere: Elsewhere,
}

pub(crate) fn answer(
    session: &Session<'_>,
    request: &Request,
    text: &str,
    prefix: &str,
) -> Result<ContextResult, Failure> {
    let settings = &session.engine.settings;
    if !settings.source_analysis.enabled {
        let message = "source.context is switched off; set `source_analysis.enabled = true` in the profile";
        return Err(Failure::new(Code::Disabled, message).field("source_analysis.enabled"));
    }
    let term = Term::new(text, RequestedMode::Auto).map_err(|error| error.into_failure("text"))?;
    let rules = session.engine.scope_rules(prefix)?;
    let scope = session.engine.scope(rules.clone())?;
    let mut chain =
        Chain { session, rules: &rules, scope: &scope, evidence: session.evidence(), limits: Limits::default() };
    let first = chain.search(0, term, Origin::Request)?;
    let mut searches = vec![first];
    let mut leads = Vec::new();
    let assignments = follow::assignments(&session.engine.snapshot, &mut chain.evidence, &searches[0])?;
    chain.follow(&mut searches, &assignments)?;
    leads.extend(assignments);
    let prefixes = &settings.source_analysis.registration_prefixes;
    let registrations = follow::registrations(&session.engine.snapshot, &mut chain.evidence, &searches, prefixes)?;
    chain.follow(&mut searches, &registrations)?;
    leads.extend(registrations);
    let Chain { mut evidence, mut limits, .. } = chain;
    let plan = windows::plan(session, &mut evidence, &searches, &leads, &mut limits)?;
    let files = wire_files(session, &mut evidence, &plan, &mut limits)?;
    let manifest = &session.engine.snapshot.manifest;
    let mut matches = Vec::new();
    let mut wire_searches = Vec::new();
    for search in &searches {
        for (row, line) in &search.considered {
            matches.push(WireContextMatch {
                search: search.id.clone(),
                path: WirePath::new(manifest.path(*row)?),
                line: line.get(),
                context_returned: plan.shows(*row, *line),
            });
        }
        let origin = search.origin.to_wire(manifest)?;
        let (term, found, elsewhere) = (&search.term, &search.found, &search.elsewhere);
        wire_searches.push(wire_search(&search.id, term, origin, prefix, &scope, found, elsewhere));
    }
    let complete = limits.is_empty() && scope.skipped.is_empty();
    let status = if complete { "complete_configured_source_context" } else { "partial_configured_source_context" };
    Ok(ContextResult {
        head: session.head(request, status, limits, completeness::warnings(&scope, prefix)),
        searches: wire_searches,
        files,
        matches,
        notice: completeness::CONTEXT_NOTICE.into(),
    })
}

/// The files of an answer with their windows, cut from re-hashed blobs.
pub(crate) fn wire_files(
    session: &Session<'_>,
    evidence: &mut Evidence<'_>,
    plan: &windows::Plan,
    limits: &mut Limits,
) -> Result<Vec<WireFile>, Failure> {
    let mut files = Vec::new();
    for (row, spans) in &plan.files {
        session.deadline.check().map_err(timed_out)?;
        let file = evidence.file(*row)?;
        let blocks = spans.iter().map(|span| to_wire::block(&evidence.window(&file, span.start, span.end)));
        let blocks: Vec<_> = blocks.collect();
        if blocks.iter().any(|block| !block.shortened.is_empty()) {
            let max_line_chars = session.engine.settings.limits.max_line_chars;
            limits.reached(LimitName::MaxLineChars, u64::from(max_line_chars), None);
        }
        files.push(WireFile { id: to_wire::file_id(&evidence.id(&file)), blocks });
    }
    Ok(files)
}

/// Runs the searches of one request.
struct Chain<'a> {
    session: &'a Session<'a>,
    rules: &'a ScopeRules,
    scope: &'a Scope,
    evidence: Evidence<'a>,
    limits: Limits,
}

impl Chain<'_> {
    /// Searches the names of the leads, as far as `max_searches` goes.
    fn follow(&mut self, searches: &mut Vec<ChainSearch>, leads: &[follow::Lead]) -> Result<(), Failure> {
        let max = self.session.engine.settings.source_analysis.max_searches;
        for lead in leads {
            if searches.iter().any(|search| search.term.text() == lead.name) {
                continue;
            }
            if searches.len() as u64 >= u64::from(max) {
                self.limits.reached(LimitName::MaxSearches, u64::from(max), None);
                return Ok(());
            }
            // A hint may name something that is no term, such as an overlong name; it leads nowhere.
            let Ok(term) = Term::new(&lead.name, RequestedMode::Auto) else { continue };
            let search = self.search(searches.len(), term, lead.origin.clone())?;
            searches.push(search);
        }
        Ok(())
    }

    fn search(&mut self, number: usize, term: Term, origin: Origin) -> Result<ChainSearch, Failure> {
        let engine = self.session.engine;
        let (limits, analysis) = (&engine.settings.limits, &engine.settings.source_analysis);
        let id = format!("s{}", number + 1);
        // Each search has an equal part of what may be read (C1-07).
        let bytes = limits.max_search_bytes / u64::from(analysis.max_searches.max(1));
        let budget = Budget { bytes, partly: true };
        let found = search::search(&self.session.ground(self.scope), &term, budget)?;
        if found.cut {
            self.limits.reached(LimitName::MaxSearchBytes, limits.max_search_bytes, Some(&id));
        }
        let max = u64::from(analysis.max_matches);
        if found.total() > max {
            self.limits.reached(LimitName::MaxMatches, max, Some(&id));
        }
        let considered = found.first(&engine.snapshot, max)?;
        let matcher = Matcher::new(&term);
        for (row, line) in &considered {
            self.session.deadline.check().map_err(timed_out)?;
            let file = self.evidence.file(*row)?;
            self.evidence.check_match(&file, *line, &matcher)?;
        }
        let elsewhere = elsewhere::find(self.session, self.rules, self.scope, &term, &found, budget)?;
        Ok(ChainSearch { id, term, origin, found, considered, elsewhere })
    }
}

/// One search on the wire, with its scope, totals and what was left out (L-04).
pub(crate) fn wire_search(
    id: &str,
    term: &Term,
    origin: WireOrigin,
    prefix: &str,
    scope: &Scope,
    found: &Found,
    elsewhere: &Elsewhere,
) -> WireSearch {
    WireSearch {
        id: id.into(),
        text: term.text().into(),
        mode: term.mode().name().into(),
        origin,
        path_prefix: prefix.into(),
        scope: None,
        searched_files: scope.searched,
        complete: !found.cut && scope.skipped.is_empty(),
        matches: found.total(),
        files: found.rows.len() as u64,
        skipped: completeness::skipped(scope),
        outside: completeness::outside(scope),
        scanned: found.scanned.map(|report| WireScan {
            over: match report.over {
                Scanned::Candidates => "candidates",
                Scanned::Scope => "scope",
            }
            .into(),
            files: report.files,
            of_files: report.of_files,
            bytes: report.bytes,
            of_bytes: report.of_bytes,
        }),
        elsewhere: elsewhere.counts(),
        elsewhere_left_out: elsewhere.left_out(),
    }
}
