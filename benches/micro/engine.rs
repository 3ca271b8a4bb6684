//! Opening an index and answering from it, without a process around it.

use std::sync::LazyLock;

use divan::{Bencher, black_box};
use pincite_indexer::{IndexOptions, NoProgress};
use pincite_query::{Engine, Snapshot};
use pincite_shared::git::Repository;
use pincite_shared::ids::Oid;
use pincite_shared::settings::{Protocol, Settings};
use pincite_shared::wire::request::Request;
use tempfile::TempDir;

use crate::corpus::root;

/// An index of this clone's HEAD.
struct Indexed {
    index: TempDir,
    commit: Oid,
}

static INDEXED: LazyLock<Indexed> = LazyLock::new(|| {
    let repository = Repository::open(root()).expect("these benchmarks need a clone of the project");
    let commit = repository.resolve("HEAD").unwrap();
    let index = tempfile::tempdir().unwrap();
    pincite_indexer::index(&repository, index.path(), commit, &IndexOptions::default(), &NoProgress).unwrap();
    Indexed { index, commit }
});

fn open() -> Engine {
    let repository = Repository::open(root()).unwrap();
    Engine::open(repository, INDEXED.index.path(), Some(INDEXED.commit), Settings::unlimited()).unwrap()
}

#[divan::bench]
fn snapshot_opened() -> Snapshot {
    let indexed = &*INDEXED;
    Snapshot::open(indexed.index.path(), Some(indexed.commit)).unwrap()
}

#[divan::bench]
fn engine_opened() -> Engine {
    open()
}

/// Requests by what they need: postings, postings and blobs, blobs alone, and windows cut from re-hashed blobs.
const REQUESTS: [(&str, &str); 6] = [
    ("rare word", r#"{"kind":"source.search","text":"MAX_SUFFIX","mode":"word","max_matches":100}"#),
    ("frequent word", r#"{"kind":"source.search","text":"self","mode":"word","max_matches":100}"#),
    ("decimal", r#"{"kind":"source.search","text":"100","mode":"decimal","max_matches":100}"#),
    ("literal", r#"{"kind":"source.search","text":"pub fn ","mode":"literal","max_matches":100}"#),
    ("read", r#"{"kind":"source.read","path":"shared/src/tokenizer/scan.rs","start_line":1,"end_line":80}"#),
    ("context", r#"{"kind":"source.context","text":"MAX_SUFFIX"}"#),
];

#[divan::bench(args = REQUESTS.map(|(name, _)| name))]
fn answers(bencher: Bencher<'_, '_>, name: &str) {
    let (_, text) = REQUESTS.iter().find(|(other, _)| *other == name).unwrap();
    let request = Request::parse_str(text, Protocol::One).unwrap();
    let engine = open();
    bencher.bench(|| engine.answer(black_box(&request)).unwrap());
}
