//! `source.read`: lines of one file (R-01 … R-10).

use pincite_shared::failure::{Code, Failure};
use pincite_shared::git::EntryKind;
use pincite_shared::ids::LineNumber;
use pincite_shared::limits::LimitName;
use pincite_shared::path;
use pincite_shared::wire::request::Request;
use pincite_shared::wire::result::{ReadResult, WireReadLimit};

use crate::completeness::{self, Limits};
use crate::engine::Session;
use crate::to_wire;

pub(crate) fn answer(
    session: &Session<'_>,
    request: &Request,
    asked_path: &[u8],
    start_line: u32,
    end_line: u32,
) -> Result<ReadResult, Failure> {
    path::check_path(asked_path).map_err(|error| error.into_failure("path", asked_path))?;
    let range = |field: &str, message: String| Failure::new(Code::InvalidRequest, message).field(field);
    let start = LineNumber::new(start_line)
        .ok_or_else(|| range("start_line", "`start_line` is 0; lines are counted from 1".into()))?;
    if end_line < start_line {
        let message = format!("`end_line` {end_line} is before `start_line` {start_line}");
        return Err(range("end_line", message));
    }
    let shown = String::from_utf8_lossy(asked_path).into_owned();
    let missing = |what: String| Failure::new(Code::NotFound, what).field("path");
    let evidence = session.evidence();
    let blob = match evidence.lookup(asked_path)? {
        Some((EntryKind::File | EntryKind::Executable, blob)) => blob,
        Some((EntryKind::Symlink, _)) => {
            return Err(missing(format!("{shown:?} is a symbolic link; read the file it points to")));
        }
        Some((EntryKind::Submodule, _)) => {
            return Err(missing(format!("{shown:?} is a submodule, whose files are in another repository")));
        }
        None => {
            return Err(missing(format!(
                "there is no file {shown:?} in commit {}; `source.list` lists the paths",
                session.pin.commit
            )));
        }
    };
    let file = evidence.read_blob(asked_path.to_vec(), blob, &shown)?;
    let bounds = &session.engine.settings.limits;
    let requested = u64::from(end_line) - u64::from(start_line) + 1;
    let exceeded = requested > u64::from(bounds.max_lines);
    let last_allowed = if exceeded { start_line.saturating_add(bounds.max_lines - 1) } else { end_line };
    let last = last_allowed.min(file.line_count());
    let last_number = LineNumber::new(last.max(start_line)).unwrap_or(start);
    let window = evidence.window(&file, start, last_number).into_inner();
    let count = window.lines.len() as u32;
    let returned_end = (count > 0).then(|| start_line + count - 1);
    let eof = returned_end.unwrap_or(start_line) >= file.line_count();
    let truncated = exceeded && !eof;
    let mut limits = Limits::default();
    if truncated {
        limits.reached(LimitName::MaxLines, u64::from(bounds.max_lines), None);
    }
    let block = to_wire::block(&window);
    if !block.shortened.is_empty() {
        limits.reached(LimitName::MaxLineChars, u64::from(bounds.max_line_chars), None);
    }
    let limit = exceeded.then(|| {
        let next = truncated.then(|| returned_end.map_or(start_line, |end| end + 1));
        WireReadLimit {
            requested_line_count: requested,
            line_limit: u64::from(bounds.max_lines),
            line_limit_exceeded: true,
            returned_line_count: u64::from(count),
            requested_start_line: start_line,
            requested_end_line: end_line,
            returned_start_line: (count > 0).then_some(start_line),
            returned_end_line: returned_end,
            requested_range_complete: !truncated,
            next_start_line: next,
            read_notice: read_notice(requested, bounds.max_lines, next, end_line),
        }
    });
    let status = if limits.is_empty() { "complete_source_read" } else { "partial_source_read" };
    Ok(ReadResult {
        head: session.head(request, status, limits, Vec::new()),
        id: to_wire::file_id(&evidence.id(&file)),
        start_line,
        end_line: returned_end,
        text_truncated: block.shortened.iter().map(|one| one.line).collect(),
        shortened: block.shortened,
        lossy_lines: block.lossy_lines,
        lines: block.lines,
        eof,
        truncated,
        limit,
        notice: completeness::READ_NOTICE.into(),
    })
}

/// What a reader does about a range that is longer than `max_lines`.
pub(crate) fn read_notice(requested: u64, max_lines: u32, next: Option<u32>, end_line: u32) -> String {
    match next {
        Some(next) => format!(
            "{requested} lines were asked for and {max_lines} are allowed at once; go on at start_line {next} with the \
             same end_line {end_line}"
        ),
        None => format!(
            "{requested} lines were asked for; the file ends within the {max_lines} lines that are allowed at once, so \
             nothing is missing"
        ),
    }
}
