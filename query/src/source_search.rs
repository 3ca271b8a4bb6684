//! `source.search`: one term, exact totals, and the matches with their lines.

use std::sync::atomic::{AtomicU64, Ordering};

use pincite_shared::failure::{Code, Failure};
use pincite_shared::ids::LineNumber;
use pincite_shared::index_format::manifest::Row;
use pincite_shared::limits::LimitName;
use pincite_shared::term::{Matcher, Mode, RequestedMode, Term};
use pincite_shared::wire::request::{Request, SearchMode};
use pincite_shared::wire::result::{Name, SearchResult, WireOrigin, WirePath, WireSearchMatch};
use rayon::prelude::*;

use crate::completeness::{self, Limits};
use crate::elsewhere;
use crate::engine::Session;
use crate::failure::{result_too_large, timed_out};
use crate::search::{self, Budget};
use crate::source_context::wire_search;
use crate::verification::{Evidence, MatchedLine, Verified};

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
        let message = format!("`max_matches` is above `source_analysis.max_matches`, which is {configured}");
        return Err(Failure::new(Code::InvalidRequest, message).field("max_matches"));
    }
    let max_matches = asked.max_matches.unwrap_or(configured);
    let term = Term::new(asked.text, requested(asked.mode)).map_err(|error| error.into_failure("text"))?;
    let rules = session.engine.scope_rules(asked.path_prefix)?;
    let scope = session.engine.scope(rules.clone())?;
    let budget = Budget { bytes: settings.limits.max_search_bytes, partly: true };
    let found = search::search(&session.ground(&scope), &term, budget)?;
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
    let origin = WireOrigin { kind: "request".into(), group: None, search: None, path: None, line: None, hint: None };
    let elsewhere = elsewhere::find(session, &rules, &scope, &term, &found, budget)?;
    let search = wire_search(ID, &term, origin, asked.path_prefix, &scope, &found, &elsewhere);
    let complete = limits.is_empty() && search.skipped.is_empty();
    let status = if complete { "complete_source_search" } else { "partial_source_search" };
    Ok(SearchResult {
        head: session.head(request, status, limits, completeness::warnings(&scope, asked.path_prefix)),
        searches: vec![search],
        matches,
        notice: completeness::SEARCH_NOTICE.into(),
    })
}

/// A list of more files than this is worth waking other threads.
const FEW_FILES: usize = 16;

/// Cuts the matched lines from their blobs, each blob once.
fn list(
    session: &Session<'_>,
    term: &Term,
    listed: &[(Row, LineNumber)],
    limits: &mut Limits,
) -> Result<Vec<WireSearchMatch>, Failure> {
    let bounds = &session.engine.settings.limits;
    let files: Vec<&[(Row, LineNumber)]> = listed.chunk_by(|a, b| a.0 == b.0).collect();
    let matcher = Matcher::new(term);
    let facts = files.iter().map(|file| session.engine.snapshot.manifest.facts(file[0].0));
    let read = facts.map(|facts| facts.map(|facts| facts.bytes)).sum::<Result<u64, _>>()?;
    let keep = session.evidence().has_room_for(read);
    // Less than the JSON will have, so that an answer that is too large ends before it fills memory.
    let bytes = AtomicU64::new(0);
    let cut = |evidence: &mut Evidence<'_>, file: &&[(Row, LineNumber)]| {
        session.deadline.check().map_err(timed_out)?;
        let matches = matches_of(session, evidence, &matcher, file, keep)?;
        let own: usize = matches.iter().map(|one| one.path.path.len() + one.text.len() + one.columns.len() * 5).sum();
        if bytes.fetch_add(own as u64, Ordering::Relaxed) + own as u64 > bounds.max_result_bytes {
            return Err(result_too_large(bounds.max_result_bytes));
        }
        Ok(matches)
    };
    let matches: Vec<Vec<WireSearchMatch>> = if files.len() <= FEW_FILES {
        let mut evidence = session.evidence();
        files.iter().map(|file| cut(&mut evidence, file)).collect::<Result<_, _>>()?
    } else {
        files.par_iter().map_init(|| session.evidence(), cut).collect::<Result<_, _>>()?
    };
    let mut all = Vec::with_capacity(listed.len());
    matches.into_iter().for_each(|of_file| all.extend(of_file));
    if all.iter().any(|one| one.chars.is_some()) {
        limits.reached(LimitName::MaxLineChars, u64::from(bounds.max_line_chars), None);
    }
    Ok(all)
}

/// The matches of one file.
fn matches_of(
    session: &Session<'_>,
    evidence: &Evidence<'_>,
    matcher: &Matcher,
    listed: &[(Row, LineNumber)],
    keep: bool,
) -> Result<Vec<WireSearchMatch>, Failure> {
    let row = listed[0].0;
    let path = WirePath::new(session.engine.snapshot.manifest.path(row)?);
    let numbers = listed.iter().map(|(_, line)| *line);
    let lines = evidence.look(row, keep, |file| evidence.matched_lines(file, numbers, matcher))?;
    let wire = |((_, line), found): (&(Row, LineNumber), Verified<MatchedLine>)| {
        let found = found.into_inner();
        WireSearchMatch {
            search: Name::Borrowed(ID),
            path: path.clone(),
            line: line.get(),
            text: found.text,
            columns: found.columns,
            suffix: found.suffix,
            chars: found.shortened,
            lossy: found.lossy,
        }
    };
    Ok(listed.iter().zip(lines).map(wire).collect())
}
