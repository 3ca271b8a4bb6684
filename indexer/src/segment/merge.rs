//! Puts the inverted indexes of several segments together, less the documents that are gone.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use pincite_shared::index_format::IndexError;
use pincite_shared::index_format::inverted::{Inverted, InvertedWriter};
use pincite_shared::index_format::postings::{ListEncoder, PostingList};
use pincite_shared::index_format::vocabulary::order;

/// One of them.
pub(crate) struct Part {
    pub(crate) inverted: Inverted,
    /// Per document its new number; `None` when it is gone. Numbers ascend within a part and from part to part.
    pub(crate) now: Vec<Option<u32>>,
}

/// The next term of a part; the least is the first in the order of the vocabulary, and of equal ones the first part's.
struct Next<'a> {
    key: &'a [u8],
    part: usize,
    list: PostingList,
}

impl Ord for Next<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        order(self.key, other.key).then(self.part.cmp(&other.part))
    }
}

impl PartialOrd for Next<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Next<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Next<'_> {}

/// Writes the terms of all parts. Terms without documents are left out.
///
/// # Errors
/// [`IndexError::Corrupt`] for a part, and what the system says.
pub(crate) fn merge(parts: &[Part], to: &mut InvertedWriter) -> Result<(), IndexError> {
    let mut terms = Vec::with_capacity(parts.len());
    for part in parts {
        terms.push(part.inverted.terms()?);
    }
    let mut waiting = BinaryHeap::with_capacity(parts.len());
    for (part, terms) in terms.iter_mut().enumerate() {
        if let Some(next) = terms.next() {
            let (key, list) = next?;
            waiting.push(Reverse(Next { key, part, list }));
        }
    }
    let mut list = ListEncoder::default();
    while let Some(Reverse(next)) = waiting.pop() {
        let Part { inverted, now } = &parts[next.part];
        let number = |document: u32| now[document as usize];
        inverted.postings().for_each_line(
            &next.list,
            |document| number(document).is_some(),
            |document, line| {
                if let Some(document) = number(document) {
                    list.add(document, line);
                }
            },
        )?;
        if let Some(following) = terms[next.part].next() {
            let (key, list) = following?;
            waiting.push(Reverse(Next { key, part: next.part, list }));
        }
        if !list.is_empty() && waiting.peek().is_none_or(|Reverse(other)| other.key != next.key) {
            to.push(next.key, &mut list)?;
        }
    }
    Ok(())
}
