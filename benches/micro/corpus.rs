//! What is measured on.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use pincite_shared::language::Language;

/// A text and its language.
pub(crate) struct Sample {
    pub(crate) name: &'static str,
    pub(crate) language: Language,
    pub(crate) bytes: Vec<u8>,
}

impl Sample {
    /// One of the names below.
    pub(crate) fn named(name: &str) -> &'static Self {
        SAMPLES.iter().find(|sample| sample.name == name).unwrap()
    }
}

/// The names of the samples.
pub(crate) const NAMES: [&str; 2] = ["sources", "dump"];

static SAMPLES: LazyLock<[Sample; 2]> = LazyLock::new(|| {
    [
        Sample { name: NAMES[0], language: Language::Rust, bytes: sources() },
        Sample { name: NAMES[1], language: Language::Sql, bytes: dump() },
    ]
});

/// The root of this project's work tree.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The library's sources, one behind the other in the order of their paths.
fn sources() -> Vec<u8> {
    let mut files = Vec::new();
    for folder in ["shared/src", "indexer/src", "query/src", "mcp-server/src", "cli"] {
        gather(&root().join(folder), &mut files);
    }
    files.sort();
    files.iter().flat_map(|file| fs::read(file).unwrap()).collect()
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            gather(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Rows of numbers and quoted names, as in the dumps of a game's database.
fn dump() -> Vec<u8> {
    let mut text = String::new();
    for row in 1..=20_000u32 {
        let (entry, chance) = (row * 7 + 100_000, row % 100);
        writeln!(text, "INSERT INTO `loot` VALUES ({entry}, {row}, {chance}.5, 0, 'Item number {row}', -1, {chance});")
            .unwrap();
    }
    text.into_bytes()
}
