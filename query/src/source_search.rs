//! `source.search`: one term, exact totals, and the matches with their lines.

use pincite_shared::failure::{Code, Failure};
use pincite_shared::index_format::manifest::Row;
use pincite_shared::limits::LimitName;
use pincite_shared::term::{Mode, RequestedMode, Term};
use pincite_shared::wire::request::{Request, SearchMode};
use pincite_shared::wire::result::{SearchResult, WireOrigin, WirePath, WireSearchMatch};

use crate::completeness::{self, Limits};
use crate::engine::Session;
use crate::failure::{result_too_large, timed_out};
use crate::search::{self, Budget, Ground};
use crate::source_context::wire_search;
use crate::verification::{self, Evidence};

/// The request's members.
pub(crate) struct Asked<'a> {
    pub(crate) text: &'a str,
    pub(crate) mode: SearchMode,
    pub(crate) path_prefix: &'a str,
    pub(crate) max_matches: Option<u32>,
}

fn requested(mode: SearchMode) -> RequestedMode {
    match mode {
        SearchMode::Auto => RequestedMode::Auto,
        SearchMode::Word => RequestedMode::Exactly(Mode::Word),
        SearchMode::Literal => RequestedMode::Exactly(Mode::Literal),
        SearchMode::Decimal => RequestedMode::Exactly(Mode::Decimal),
    }
}

const ID: &str = "s1";

pub(crate) fn answer(session: &Session<'_>, request: &Request, asked: &Asked<'_>) -> Result<SearchResult, Failure> {
    let settings = &session.engine.settings;
    let configured = settings.source_analysis.max_matches;
    if asked.max_matches.is_some_and(|asked| asked > configured) {
        let message = format!("`max_matches` is above the configured {configured}");
        return Err(Failure::new(Code::InvalidRequest, message).field("max_matches"));
    }
    let max_matches = asked.max_matches.unwrap_or(configured);
    let term = Term::new(asked.text, requested(asked.mode)).map_err(|error| error.into_failure("text"))?;
    let scope = session.engine.scope(session.engine.scope_rules(asked.path_prefix)?)?;
    let ground = Ground {
        repository: &session.engine.repository,
        snapshot: &session.engine.snapshot,
        scope: &scope,
        deadline: session.deadline,
    };
    let found = search::search(&ground, &term, Budget { bytes: settings.limits.max_search_bytes })?;
    let mut limits = Limits::default();
    if found.cut {
        limits.reached(LimitName::MaxSearchBytes, settings.limits.max_search_bytes, Some(ID));
    }
    let total = found.total();
    if total > u64::from(max_matches) {
        limits.reached(LimitName::MaxMatches, u64::from(max_matches), Some(ID));
    }
    let listed = found.first(&session.engine.snapshot, u64::from(max_matches))?;
    let matches = list(session, &term, &listed, &mut limits)?;
    let origin = WireOrigin { kind: "request", search: None, path: None, line: None, hint: None };
    let search = wire_search(ID, &term, origin, asked.path_prefix, &scope, &found);
    let complete = limits.is_empty() && search.skipped.is_empty();
    let status = if complete { "complete_source_search" } else { "partial_source_search" };
    Ok(SearchResult {
        head: session.head(request, status, limits, completeness::warnings(&scope, asked.path_prefix)),
        searches: vec![search],
        matches,
        notice: completeness::SEARCH_NOTICE,
    })
}

/// Cuts the matched lines from their blobs, one blob at a time.
fn list(
    session: &Session<'_>,
    term: &Term,
    listed: &[(Row, pincite_shared::ids::LineNumber)],
    limits: &mut Limits,
) -> Result<Vec<WireSearchMatch>, Failure> {
    let bounds = &session.engine.settings.limits;
    let evidence: Evidence<'_> = session.evidence();
    let matcher = verification::matcher(term);
    let mut matches = Vec::new();
    let mut bytes = 0u64;
    for same in listed.chunk_by(|a, b| a.0 == b.0) {
        session.deadline.check().map_err(timed_out)?;
        let file = evidence.read(same[0].0)?;
        let path = WirePath::new(session.engine.snapshot.manifest.path(same[0].0)?);
        for (_, line) in same {
            let found = evidence.matched_line(&file, *line, &matcher)?.into_inner();
            if found.shortened.is_some() {
                limits.reached(LimitName::MaxLineChars, u64::from(bounds.max_line_chars), None);
            }
            // Less than the JSON will have, so that an answer that is too large ends before it fills memory.
            bytes += (path.path.len() + found.text.len() + found.columns.len() * 5) as u64;
            if bytes > bounds.max_result_bytes {
                return Err(result_too_large(bounds.max_result_bytes));
            }
            matches.push(WireSearchMatch {
                search: ID.into(),
                path: path.clone(),
                line: line.get(),
                text: found.text,
                columns: found.columns,
                suffix: found.suffix,
                chars: found.shortened,
                lossy: found.lossy,
            });
        }
    }
    Ok(matches)
}
