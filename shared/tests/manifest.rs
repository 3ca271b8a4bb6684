//! Manifests through their public interface: what a check finds beyond the checksums.

#![allow(clippy::unwrap_used, reason = "a test that can not go on panics")]

use pincite_shared::git::EntryKind;
use pincite_shared::ids::{Oid, Pin};
use pincite_shared::index_format::manifest::{Entry, Manifest, ManifestWriter, State};
use pincite_shared::index_format::sealed::{SealedFile, SealedWriter};
use pincite_shared::skip::SkipReason;

fn id(digit: &str) -> Oid {
    Oid::from_hex(&digit.repeat(40)).unwrap()
}

fn entry(path: &str, state: State) -> Entry {
    let kind = if state == State::NotAFile { EntryKind::Symlink } else { EntryKind::File };
    Entry { path: path.into(), kind, id: id("3"), bytes: path.len() as u64, language: None, state }
}

fn document(segment: u32, document: u32) -> State {
    State::Document { segment, document }
}

/// A checked manifest with that content, or what is wrong with it.
fn check(content: &[u8]) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = SealedWriter::create(&folder.path().join("m")).unwrap();
    writer.write(content).unwrap();
    let record = writer.finish("m".into()).unwrap();
    let file = SealedFile::open(folder.path(), &record).unwrap();
    Manifest::open(file).and_then(|manifest| manifest.check()).map_err(|error| error.to_string())
}

// searches go by the links and totals, so a check holds them against the rows. A fault of a writer has right
// checksums.
#[test]
fn links_and_totals_are_held_against_the_rows() {
    let folder = tempfile::tempdir().unwrap();
    let entries = [
        entry("a.c", document(0, 1)),
        entry("b.c", document(0, 1)),
        entry("c.h", document(0, 0)),
        entry("d", document(1, 0)),
        entry("e.c", State::Skipped(SkipReason::Binary)),
        entry("f.h", State::NotAFile),
        entry("g.h", document(1, 2)),
    ];
    let segments = [("00000000".to_owned(), 2), ("00000001".to_owned(), 3)];
    let pin = Pin { commit: id("1"), tree: id("2") };
    let writer = ManifestWriter { pin, segments: &segments, entries: &entries };
    let path = folder.path().join("manifest");
    let record = writer.write(&path, "manifest".into()).unwrap();
    let file = SealedFile::open(folder.path(), &record).unwrap();
    let content = file.read_all().unwrap().to_vec();
    check(&content).unwrap();

    let manifest = Manifest::open(file).unwrap();
    let links = manifest.links().unwrap().unwrap();
    for (number, entry) in (0u32..).zip(&entries) {
        if let State::Document { segment, document } = entry.state {
            let facts = manifest.facts(number).unwrap();
            assert!(links.rows_of(segment as usize, document).any(|linked| linked == (number, facts.extension)));
        }
    }
    assert_eq!(links.rows_of(0, 1).map(|(row, _)| row).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(links.rows_of(1, 1).next(), None);
    assert_eq!((links.rows_of(0, 2).next(), links.rows_of(2, 0).next()), (None, None));
    let totals = manifest.totals().unwrap();
    assert_eq!(totals.extensions.iter().map(|of| of.files()).sum::<u64>() + totals.symlinks + totals.submodules, 7);

    // Offsets, rows and extensions of two segments stand at the end: 3 + 3 + 3 and 4 + 2 + 2 numbers.
    let links = content.len() - 17 * 4;
    for at in (links..content.len()).step_by(4) {
        let was = u32::from_le_bytes(content[at..at + 4].try_into().unwrap());
        for other in [0, 1, 2, 3, 4, 6, u32::MAX] {
            let mut changed = content.clone();
            changed[at..at + 4].copy_from_slice(&other.to_le_bytes());
            assert_eq!(check(&changed).is_ok(), other == was, "{at}: {was} to {other}");
        }
    }
}
