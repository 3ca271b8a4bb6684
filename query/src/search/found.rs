//! What a search found: paths in order, each with its lines or with where to look them up.

use std::ops::Range;

use pincite_shared::failure::Failure;
use pincite_shared::ids::LineNumber;
use pincite_shared::index_format::manifest::Row;

use super::Ground;
use super::spots::{self, Spot};
use crate::index::Snapshot;
use crate::scope::Scope;

/// What had to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scanned {
    /// The files that the index named as possible.
    Candidates,
    /// Every file of the scope.
    Scope,
}

/// How far reading went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScanReport {
    pub(crate) over: Scanned,
    pub(crate) files: u64,
    pub(crate) of_files: u64,
    pub(crate) bytes: u64,
    pub(crate) of_bytes: u64,
}

/// One path with matching lines.
#[derive(Clone, Debug)]
pub(crate) struct RowHits {
    pub(crate) row: Row,
    /// Matching lines of the path.
    pub(crate) count: u32,
    lines: Lines,
}

#[derive(Clone, Debug)]
enum Lines {
    /// In [`Found::lines`].
    Listed(Range<usize>),
    /// To be looked up in the postings of the one key.
    Posted { segment: u32, document: u32 },
}

/// Every matching line of a scope.
#[derive(Debug)]
pub(crate) struct Found {
    /// Ascending by row, which is by path.
    pub(crate) rows: Vec<RowHits>,
    /// Zero-based lines of the listed rows.
    lines: Vec<u32>,
    /// The key whose postings hold the lines of the posted rows.
    key: Vec<u8>,
    /// What was read, when the postings did not suffice.
    pub(crate) scanned: Option<ScanReport>,
    /// Whether `max_search_bytes` ended the search early.
    pub(crate) cut: bool,
}

impl Found {
    pub(crate) fn new(key: Vec<u8>) -> Self {
        Self { rows: Vec::new(), lines: Vec::new(), key, scanned: None, cut: false }
    }

    pub(crate) fn push_posted(&mut self, row: Row, count: u32, segment: usize, document: u32) {
        self.rows.push(RowHits { row, count, lines: Lines::Posted { segment: segment as u32, document } });
    }

    /// Adds zero-based lines, which several rows may share.
    pub(crate) fn push_listed(&mut self, rows: impl Iterator<Item = Row>, lines: &[u32]) {
        let start = self.lines.len();
        self.lines.extend_from_slice(lines);
        let range = start..self.lines.len();
        for row in rows {
            self.rows.push(RowHits { row, count: range.len() as u32, lines: Lines::Listed(range.clone()) });
        }
    }

    /// Adds lines of documents of one segment, in any order and with repetitions.
    pub(crate) fn push_lines(&mut self, scope: &Scope, segment: usize, mut lines: Vec<Spot>) {
        spots::to_set(&mut lines);
        let mut own: Vec<u32> = Vec::new();
        for same in lines.chunk_by(|a, b| a.document() == b.document()) {
            own.clear();
            own.extend(same.iter().map(|spot| spot.line()));
            self.push_listed(scope.rows_of(segment, same[0].document()), &own);
        }
    }

    /// Brings the rows into their order. Those of one segment are mostly in it already, which a stable sort makes use of.
    pub(crate) fn sort(&mut self) {
        self.rows.sort_by_key(|hits| hits.row);
    }

    /// Matching lines in the whole scope.
    pub(crate) fn total(&self) -> u64 {
        self.rows.iter().map(|hits| u64::from(hits.count)).sum()
    }

    /// The matching lines of documents of one segment, ascending when the documents are.
    ///
    /// # Errors
    /// `index_corrupt`.
    pub(crate) fn lines_in(&self, ground: &Ground<'_>, number: usize, documents: &[u32]) -> Result<Vec<Spot>, Failure> {
        let mut lines = Vec::new();
        let mut posted = Vec::new();
        for document in documents {
            // All paths of a document have the same lines.
            let Some(row) = ground.scope.rows_of(number, *document).next() else { continue };
            let Ok(at) = self.rows.binary_search_by_key(&row, |hits| hits.row) else { continue };
            match &self.rows[at].lines {
                Lines::Listed(range) => {
                    lines.extend(self.lines[range.clone()].iter().map(|line| Spot::new(*document, *line)));
                }
                Lines::Posted { .. } => posted.push(*document),
            }
        }
        let segment = &ground.snapshot.segments[number];
        if !posted.is_empty()
            && let Some(list) = segment.inverted.list(&self.key)?
        {
            let push = |document, line| lines.push(Spot::new(document, line));
            segment.inverted.postings().for_each_line_in(&list, &posted, push)?;
            spots::to_set(&mut lines);
        }
        Ok(lines)
    }

    /// The first `limit` matches by path and line.
    ///
    /// # Errors
    /// `index_corrupt`.
    pub(crate) fn first(&self, snapshot: &Snapshot, limit: u64) -> Result<Vec<(Row, LineNumber)>, Failure> {
        let mut seen = 0u64;
        let needed = self.rows.iter().take_while(|hits| {
            let before = seen;
            seen += u64::from(hits.count);
            before < limit
        });
        let picked: Vec<usize> = (0..needed.count()).collect();
        let mut matches = Vec::new();
        self.for_each_picked(snapshot, &picked, |hits, own| {
            let room = usize::try_from(limit - matches.len() as u64).unwrap_or(usize::MAX);
            matches.extend(own.iter().take(room).map(|line| (hits.row, LineNumber::from_index(*line))));
        })?;
        Ok(matches)
    }

    /// The lines of some of [`Self::rows`], by their places there.
    ///
    /// # Errors
    /// `index_corrupt`.
    pub(crate) fn lines_of(&self, snapshot: &Snapshot, picked: &[usize]) -> Result<Vec<Vec<LineNumber>>, Failure> {
        let mut lines = Vec::with_capacity(picked.len());
        self.for_each_picked(snapshot, picked, |_, own| {
            lines.push(own.iter().map(|line| LineNumber::from_index(*line)).collect());
        })?;
        Ok(lines)
    }

    /// Calls `visit` with some of the rows, in the order given, and their zero-based lines.
    fn for_each_picked(
        &self,
        snapshot: &Snapshot,
        picked: &[usize],
        mut visit: impl FnMut(&RowHits, &[u32]),
    ) -> Result<(), Failure> {
        // Rows by segment and document, so that one pass over the postings fetches their lines.
        let mut posted: Vec<(u32, u32, usize)> = Vec::new();
        for (at, row) in picked.iter().enumerate() {
            if let Lines::Posted { segment, document } = self.rows[*row].lines {
                posted.push((segment, document, at));
            }
        }
        let mut spans: Vec<(usize, usize)> = vec![(0, 0); picked.len()];
        posted.sort_unstable();
        let mut lines: Vec<u32> = Vec::new();
        for same in posted.chunk_by(|a, b| a.0 == b.0) {
            let segment = &snapshot.segments[same[0].0 as usize];
            let list = segment.inverted.list(&self.key)?.ok_or_else(|| segment.corrupt("a term is gone"))?;
            let mut documents: Vec<u32> = same.iter().map(|(_, document, _)| *document).collect();
            documents.dedup();
            let mut fetched: Vec<(u32, u32)> = Vec::new();
            let push = |document, line| fetched.push((document, line));
            segment.inverted.postings().for_each_line_in(&list, &documents, push)?;
            for (_, document, at) in same {
                let from = fetched.partition_point(|(known, _)| known < document);
                let start = lines.len();
                lines.extend(fetched[from..].iter().take_while(|(known, _)| known == document).map(|(_, line)| *line));
                spans[*at] = (start, lines.len());
            }
        }
        for (row, (start, end)) in picked.iter().zip(spans) {
            let hits = &self.rows[*row];
            let own = match &hits.lines {
                Lines::Listed(range) => &self.lines[range.clone()],
                Lines::Posted { .. } => &lines[start..end],
            };
            if own.len() != hits.count as usize || !own.is_sorted_by(|a, b| a < b) {
                return Err(snapshot.segments.first().map_or_else(
                    || Failure::new(pincite_shared::failure::Code::IndexCorrupt, "hits without a segment"),
                    |segment| segment.corrupt("lines and their number do not agree").into(),
                ));
            }
            visit(hits, own);
        }
        Ok(())
    }
}
