//! What one answer took: searches, and blobs considered and read. Milliseconds are no part of it, since answers are
//! the same bytes each time.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use pincite_shared::ids::Oid;
use pincite_shared::wire::result::WireWork;

/// Counts while a request is answered, in any order and from any thread: sets give the same numbers each time.
#[derive(Default)]
pub(crate) struct Work {
    searches: AtomicU64,
    /// The blobs considered, and of those that are read the bytes.
    blobs: Mutex<HashMap<Oid, Option<u64>>>,
}

impl Work {
    /// One search was made.
    pub(crate) fn searched(&self) {
        self.searches.fetch_add(1, Ordering::Relaxed);
    }

    /// The index or the scope named blobs that may have to be read.
    pub(crate) fn considered(&self, blobs: impl Iterator<Item = Oid>) {
        let mut known = self.blobs.lock().unwrap_or_else(PoisonError::into_inner);
        blobs.for_each(|blob| {
            known.entry(blob).or_default();
        });
    }

    /// Blobs are read, as candidates or to cut evidence from them.
    pub(crate) fn read(&self, blobs: impl Iterator<Item = (Oid, u64)>) {
        let mut known = self.blobs.lock().unwrap_or_else(PoisonError::into_inner);
        known.extend(blobs.map(|(blob, bytes)| (blob, Some(bytes))));
    }

    pub(crate) fn to_wire(&self) -> WireWork {
        let known = self.blobs.lock().unwrap_or_else(PoisonError::into_inner);
        let read = known.values().flatten();
        WireWork {
            searches: self.searches.load(Ordering::Relaxed),
            blobs_considered: known.len() as u64,
            blobs_read: read.clone().count() as u64,
            bytes_read: read.sum(),
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
        work.considered([blob("1"), blob("2")].into_iter());
        work.read([(blob("2"), 7)].into_iter());
        work.read([(blob("2"), 7)].into_iter());
        work.considered([blob("2")].into_iter());
        let wire = work.to_wire();
        assert_eq!((wire.searches, wire.blobs_considered, wire.blobs_read, wire.bytes_read), (1, 2, 1, 7));
    }
}
