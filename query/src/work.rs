//! What one answer took: searches, and blobs considered and read. Milliseconds are no part of it, since answers are
//! the same bytes each time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use pincite_shared::ids::Oid;
use pincite_shared::wire::result::WireWork;

/// Counts while a request is answered, in any order and from any thread: sets give the same numbers each time.
#[derive(Default)]
pub(crate) struct Work {
    searches: AtomicU64,
    considered: Mutex<BTreeSet<Oid>>,
    read: Mutex<BTreeMap<Oid, u64>>,
}

impl Work {
    /// One search was made.
    pub(crate) fn searched(&self) {
        self.searches.fetch_add(1, Ordering::Relaxed);
    }

    /// The index or the scope named a blob that may have to be read.
    pub(crate) fn considered(&self, blob: Oid) {
        self.considered.lock().unwrap_or_else(PoisonError::into_inner).insert(blob);
    }

    /// A blob is read, as a candidate or to cut evidence from it.
    pub(crate) fn read(&self, blob: Oid, bytes: u64) {
        self.considered(blob);
        self.read.lock().unwrap_or_else(PoisonError::into_inner).insert(blob, bytes);
    }

    pub(crate) fn to_wire(&self) -> WireWork {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        WireWork {
            searches: self.searches.load(Ordering::Relaxed),
            blobs_considered: self.considered.lock().unwrap_or_else(PoisonError::into_inner).len() as u64,
            blobs_read: read.len() as u64,
            bytes_read: read.values().sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use pincite_shared::ids::Oid;

    use super::Work;

    //
    #[test]
    fn a_blob_counts_once() {
        let blob = |digit: &str| Oid::from_hex(&digit.repeat(40)).unwrap();
        let work = Work::default();
        work.searched();
        work.considered(blob("1"));
        work.read(blob("2"), 7);
        work.read(blob("2"), 7);
        let wire = work.to_wire();
        assert_eq!((wire.searches, wire.blobs_considered, wire.blobs_read, wire.bytes_read), (1, 2, 1, 7));
    }
}
