//! One search: from a term and a scope to every line that holds it.
//!
//! Whole words and decimals are answered from postings alone. Literals go from postings to the few blobs that can
//! hold them ([`literal`]) and are then checked in the blobs' bytes ([`check`]). All three give exact (path, line)
//! sets, or say that a limit cut them.

pub(crate) mod check;
mod expansions;
mod found;
mod literal;
mod postings;
pub(crate) mod spots;

pub(crate) use check::Budget;
pub(crate) use expansions::Expansions;
pub(crate) use found::{Found, ScanReport, Scanned};
pub(crate) use spots::Spot;

use pincite_shared::deadline::Deadline;
use pincite_shared::failure::Failure;
use pincite_shared::git::Repository;
use pincite_shared::index_format::terms;
use pincite_shared::term::{Mode, Term};
use rayon::prelude::*;

use crate::failure::timed_out;
use crate::index::{Segment, Snapshot};
use crate::scope::Scope;
use crate::work::Work;

/// What a search works on.
pub(crate) struct Ground<'a> {
    pub(crate) repository: &'a Repository,
    pub(crate) snapshot: &'a Snapshot,
    pub(crate) scope: &'a Scope,
    pub(crate) deadline: Deadline,
    pub(crate) work: &'a Work,
    /// Shared by the searches of one request that differ in their scope only.
    pub(crate) expansions: &'a Expansions,
}

impl Ground<'_> {
    /// What `of` makes of each segment, in their order; worked out on all processors.
    pub(crate) fn each_segment<T: Send>(
        &self,
        of: impl Fn(usize, &Segment) -> Result<T, Failure> + Sync,
    ) -> Result<Vec<T>, Failure> {
        let segments = self.snapshot.segments.par_iter().enumerate();
        segments
            .map(|(number, segment)| {
                self.deadline.check().map_err(timed_out)?;
                of(number, segment)
            })
            .collect()
    }
}

/// Finds every line of the scope that holds the term.
///
/// # Errors
/// `timeout`, `index_corrupt`, `object_missing`, `object_corrupt`.
pub(crate) fn search(ground: &Ground<'_>, term: &Term, budget: Budget) -> Result<Found, Failure> {
    ground.deadline.check().map_err(timed_out)?;
    ground.work.searched();
    let text = term.text().as_bytes();
    match term.mode() {
        Mode::Word if text.iter().all(u8::is_ascii_digit) => {
            postings::search(ground, &[text.to_vec(), terms::marked(terms::DECIMAL, text)])
        }
        Mode::Word => postings::search(ground, &[text.to_vec()]),
        Mode::Decimal => {
            postings::search(ground, &[terms::marked(terms::DECIMAL, text), terms::marked(terms::SUFFIXED, text)])
        }
        Mode::Literal => literal::search(ground, term, budget),
    }
}
