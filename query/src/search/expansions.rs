//! What cut runs expand to, kept for the next search of the same request.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use pincite_shared::index_format::IndexError;
use pincite_shared::index_format::postings::PostingList;
use pincite_shared::index_format::vocabulary::Cut;

use crate::index::Segment;

/// A longer expansion is made again: its postings cost far more than the pass over the vocabulary.
const MAX_KEPT: usize = 1 << 16;

/// A segment, a run and where it is cut.
type Key = (usize, String, Cut);

/// Expansions of one request.
#[derive(Default)]
pub(crate) struct Expansions(Mutex<HashMap<Key, Arc<Vec<PostingList>>>>);

impl Expansions {
    /// The postings of all keys that hold the run where `cut` allows; `None` when there are more than `limit`, which is
    /// the same for all callers with the same cut.
    pub(super) fn get(
        &self,
        number: usize,
        segment: &Segment,
        run: &str,
        cut: Cut,
        limit: usize,
    ) -> Result<Option<Arc<Vec<PostingList>>>, IndexError> {
        let key = (number, run.to_owned(), cut);
        if let Some(known) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Some(Arc::clone(known)));
        }
        let Some(terms) = segment.inverted.expand(run.as_bytes(), cut, limit)? else { return Ok(None) };
        let terms: Arc<Vec<PostingList>> = Arc::new(terms.into_iter().map(|(_, list)| list).collect());
        if terms.len() <= MAX_KEPT {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&terms));
        }
        Ok(Some(terms))
    }
}
