//! `source.list`: the paths below a prefix, in pages, with what makes each searchable or not.

use pincite_shared::failure::{Code, Failure};
use pincite_shared::git::EntryKind;
use pincite_shared::index_format::IndexError;
use pincite_shared::path;
use pincite_shared::wire::request::Request;
use pincite_shared::wire::result::{ListResult, WireEntry, WirePath, entry_kind_name};

use crate::completeness::{self, Limits};
use crate::engine::Session;
use crate::failure::timed_out;
use crate::scope::Place;

/// Entries of one page.
const PAGE: usize = 500;

pub(crate) fn answer(
    session: &Session<'_>,
    request: &Request,
    prefix: &str,
    after: Option<&[u8]>,
) -> Result<ListResult, Failure> {
    let engine = session.engine;
    let manifest = &engine.snapshot.manifest;
    let rules = engine.scope_rules(prefix)?;
    let placing = rules.placing(manifest);
    let scope = engine.scope(rules)?;
    let mut row = scope.rows.start;
    if let Some(after) = after {
        path::check_path(after).map_err(|error| error.into_failure("after", after))?;
        row = row.max(manifest.first_after(after)?);
    }
    let evidence = session.evidence();
    let bounds = &engine.settings.limits;
    let mut entries = Vec::new();
    let mut bytes = 0u64;
    let mut last: Option<Vec<u8>> = None;
    while row < scope.rows.end && entries.len() < PAGE {
        session.deadline.check().map_err(timed_out)?;
        let (facts, path) = (manifest.facts(row)?, manifest.path(row)?);
        // A page ends before it would be too large; one entry always fits.
        bytes += path.len() as u64 * 2 + 200;
        if bytes > bounds.max_result_bytes / 2 && !entries.is_empty() {
            break;
        }
        match evidence.lookup(path)? {
            Some((kind, id)) if kind == facts.kind && id == manifest.id(row)? => {}
            _ => {
                let reason = format!("the commit's tree has something else at {:?}", String::from_utf8_lossy(path));
                return Err(IndexError::corrupt(&engine.snapshot.directory, reason).into());
            }
        }
        let place = placing.place(&facts);
        let is_known = facts.bytes > 0 || matches!(place, Place::Searched { .. });
        entries.push(WireEntry {
            path: WirePath::new(path),
            kind: entry_kind_name(facts.kind).into(),
            bytes: (is_known && facts.kind != EntryKind::Submodule).then_some(facts.bytes),
            language: facts.language.map(|language| language.name().into()),
            searchable: matches!(place, Place::Searched { .. }),
            skipped: if let Place::Skipped(reason) = place { Some(reason.name().into()) } else { None },
            outside: if let Place::Outside(reason) = place { Some(reason.name().into()) } else { None },
        });
        last = Some(path.to_vec());
        row += 1;
    }
    let next = last.filter(|_| row < scope.rows.end).map(|path| WirePath::new(&path));
    let total = u64::from(scope.rows.end - scope.rows.start);
    if total == 0 && !prefix.is_empty() && after.is_some() {
        let message = format!("`after` goes with the prefix of the page before; {prefix:?} matches no file");
        return Err(Failure::new(Code::InvalidRequest, message).field("after"));
    }
    let warnings = if total == 0 { completeness::warnings(&scope, prefix) } else { Vec::new() };
    Ok(ListResult {
        head: session.head(request, "complete_source_list", Limits::default(), warnings),
        entries,
        total,
        next_after_base64: next.as_ref().and_then(|path| path.path_base64.clone()),
        next_after: next.map(|path| path.path.to_string()),
        notice: completeness::LIST_NOTICE.into(),
    })
}
