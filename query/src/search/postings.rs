//! Searches that postings alone answer: whole words and decimal tokens.

use pincite_shared::failure::Failure;

use super::{Found, Ground, Spot};
use crate::failure::timed_out;

/// Every line that has one of the keys. With one key, lines are not even looked up: a term is indexed once a line,
/// so its frequency is the number of its lines.
pub(super) fn search(ground: &Ground<'_>, keys: &[Vec<u8>]) -> Result<Found, Failure> {
    let mut present = Vec::new();
    for (number, segment) in ground.snapshot.segments.iter().enumerate() {
        for key in keys {
            if let Some(list) = segment.inverted.list(key)? {
                present.push((number, key, list));
            }
        }
    }
    present.sort_by(|a, b| a.1.cmp(b.1));
    let one_key = present.first().is_none_or(|first| present.iter().all(|other| other.1 == first.1));
    let mut found = Found::new(present.first().map(|first| first.1.clone()).unwrap_or_default());
    if one_key {
        for (number, _, list) in &present {
            ground.deadline.check().map_err(timed_out)?;
            ground.snapshot.segments[*number].inverted.postings().for_each_document(list, |document, count| {
                for row in ground.scope.rows_of(*number, document) {
                    found.push_posted(row, count, *number, document);
                }
            })?;
        }
    } else {
        for (number, segment) in ground.snapshot.segments.iter().enumerate() {
            ground.deadline.check().map_err(timed_out)?;
            let mut lines = Vec::new();
            for (_, _, list) in present.iter().filter(|(of, _, _)| *of == number) {
                segment.inverted.postings().for_each_line(
                    list,
                    |document| ground.scope.holds(number, document),
                    |document, line| lines.push(Spot::new(document, line)),
                )?;
            }
            found.push_lines(ground.scope, number, lines);
        }
    }
    found.sort();
    Ok(found)
}
