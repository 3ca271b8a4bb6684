//! Lines of the documents of one segment, as sets: what the postings of several keys are joined to.

use std::cmp::Ordering;

/// A zero-based line of a document, ordered by document and line. One number, because sets of millions are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot(u64);

impl Spot {
    pub(crate) fn new(document: u32, line: u32) -> Self {
        Self(u64::from(document) << 32 | u64::from(line))
    }

    pub(crate) fn document(self) -> u32 {
        (self.0 >> 32) as u32
    }

    pub(crate) fn line(self) -> u32 {
        self.0 as u32
    }
}

/// Makes a set of spots that came in any order and more than once. Those of one key are ascending already, which a
/// stable sort makes use of.
pub(crate) fn to_set(spots: &mut Vec<Spot>) {
    spots.sort();
    spots.dedup();
}

/// The documents of a set, ascending.
pub(crate) fn documents(set: &[Spot]) -> Vec<u32> {
    let mut documents: Vec<u32> = set.iter().map(|spot| spot.document()).collect();
    documents.dedup();
    documents
}

/// Leaves the spots of a set that are in another one, which may repeat some.
pub(crate) fn intersect(set: &mut Vec<Spot>, other: &[Spot]) {
    retain_by(set, other, true);
}

/// Leaves the spots of a set that are not in another one, which may repeat some.
pub(crate) fn subtract(set: &mut Vec<Spot>, other: &[Spot]) {
    retain_by(set, other, false);
}

/// Goes through both at once, in strides where one is far longer.
fn retain_by(set: &mut Vec<Spot>, other: &[Spot], present: bool) {
    let mut rest = other;
    set.retain(|spot| {
        while let Some(first) = rest.first() {
            match first.cmp(spot) {
                Ordering::Less => rest = &rest[skip_below(rest, *spot)..],
                Ordering::Equal => return present,
                Ordering::Greater => break,
            }
        }
        !present
    });
}

/// How many of the ascending spots, of which the first is below `bound`, are below it: found in doubling steps.
fn skip_below(spots: &[Spot], bound: Spot) -> usize {
    let mut step = 1;
    while spots.get(step).is_some_and(|spot| *spot < bound) {
        step *= 2;
    }
    let (known, end) = (step / 2, spots.len().min(step + 1));
    known + spots[known..end].partition_point(|spot| *spot < bound)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn spots(numbers: &[(u32, u32)]) -> Vec<Spot> {
        numbers.iter().map(|(document, line)| Spot::new(*document, *line)).collect()
    }

    proptest! {
        //
        #[test]
        fn sets_are_joined_as_sets(
            first in proptest::collection::vec((0u32..6, prop_oneof![0u32..40, Just(u32::MAX)]), 0..120),
            second in proptest::collection::vec((0u32..9, 0u32..40), 0..120),
        ) {
            let (mut one, mut other) = (spots(&first), spots(&second));
            to_set(&mut one);
            other.sort();
            let (left, right): (BTreeSet<Spot>, BTreeSet<Spot>) =
                (one.iter().copied().collect(), other.iter().copied().collect());
            prop_assert_eq!(&one, &left.iter().copied().collect::<Vec<_>>());
            let (mut both, mut only) = (one.clone(), one.clone());
            intersect(&mut both, &other);
            subtract(&mut only, &other);
            prop_assert_eq!(both, left.intersection(&right).copied().collect::<Vec<_>>());
            prop_assert_eq!(only, left.difference(&right).copied().collect::<Vec<_>>());
            let known: BTreeSet<u32> = first.iter().map(|(document, _)| *document).collect();
            prop_assert_eq!(documents(&one), known.into_iter().collect::<Vec<_>>());
            prop_assert!(one.iter().all(|spot| first.contains(&(spot.document(), spot.line()))));
        }
    }
}
