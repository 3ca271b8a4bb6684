//! A committed index of the present format opens and answers as it did when it was written; older ones are refused.
//!
//! `fixtures/index-format-<n>/` holds an index and its answers; a name behind the number is that of an older layout of the
//! same version. The repository is built anew: its content, authors and
//! dates are fixed, so its commit has the same id everywhere. `PINCITE_BLESS=1` writes the fixture of the present
//! version again; that is right together with a new version number, or when the wire gained members.

use std::fs;
use std::path::{Path, PathBuf};

use pincite_indexer::{IndexOptions, NoProgress};
use pincite_query::Engine;
use pincite_shared::failure::Code;
use pincite_shared::git::Repository;
use pincite_shared::ids::Oid;
use pincite_shared::index_format::FORMAT_VERSION;
use pincite_shared::settings::{Protocol, Settings};
use pincite_shared::wire::request::Request;

use crate::support::repository::TestRepository;

const REQUESTS: [&str; 6] = [
    r#"{"kind":"source.context","text":"23487"}"#,
    r#"{"kind":"source.search","text":"NPC_WOLPERTINGER"}"#,
    r#"{"kind":"source.search","text":"3487","mode":"literal","max_matches":3}"#,
    r#"{"kind":"source.search","text":"23487","mode":"decimal"}"#,
    r#"{"kind":"source.read","path":"src/a.cpp","start_line":1,"end_line":9}"#,
    r#"{"kind":"source.list","path_prefix":"src/"}"#,
];

fn repository() -> (TestRepository, String) {
    let repository = TestRepository::new();
    repository.write(
        "src/a.cpp",
        "enum { NPC_WOLPERTINGER = 23487u };\n\nvoid AddSC_wolpertinger()\n{\n    spawn(NPC_WOLPERTINGER);\n}\n",
    );
    repository.write("src/b.py", "ID = 23487\ngr\u{f6}\u{df}e = ID\n");
    repository.write("sql/c.sql", "INSERT INTO t VALUES (123487, '23487');\n");
    repository.write("data.bin", b"\0\0\0");
    let commit = repository.commit("golden");
    (repository, commit)
}

fn answers(repository: &Path, index: &Path) -> String {
    let mut settings = Settings::default();
    settings.source_analysis.registration_prefixes = vec!["AddSC_".into()];
    let engine = Engine::open(Repository::open(repository).unwrap(), index, None, settings).unwrap();
    let answer = |text: &&str| {
        engine.answer(&Request::parse_str(text, Protocol::One).unwrap()).unwrap().to_json(u64::MAX).unwrap() + "\n"
    };
    REQUESTS.iter().map(answer).collect()
}

#[test]
fn the_present_format_answers_and_older_ones_are_refused() {
    let (repository, commit) = repository();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let present = fixtures.join(format!("index-format-{FORMAT_VERSION}"));
    if std::env::var_os("PINCITE_BLESS").is_some() {
        let _ = fs::remove_dir_all(&present);
        let open = Repository::open(repository.path()).unwrap();
        let commit = Oid::from_hex(&commit).unwrap();
        pincite_indexer::index(&open, &present, commit, &IndexOptions::default(), &NoProgress).unwrap();
        fs::remove_dir_all(present.join("tmp")).unwrap();
        fs::write(present.join("answers.jsonl"), answers(repository.path(), &present)).unwrap();
    }
    let versions: Vec<PathBuf> =
        fs::read_dir(&fixtures).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    assert!(versions.contains(&present), "the present version has a fixture");
    let older_layout = format!("index-format-{FORMAT_VERSION}-");
    for index in versions {
        if index != present && !index.file_name().unwrap().to_str().unwrap().starts_with(&older_layout) {
            let open = Repository::open(repository.path()).unwrap();
            let Err(failure) = Engine::open(open, &index, None, Settings::default()) else {
                panic!("{} is of another format", index.display());
            };
            assert_eq!(failure.code, Code::IndexMissing, "{failure:?}");
            assert!(failure.message.contains("build it again"), "{failure:?}");
            continue;
        }
        let expected = fs::read_to_string(index.join("answers.jsonl")).unwrap();
        assert_eq!(answers(repository.path(), &index), expected, "{}", index.display());
    }
    // The same commit indexed today has the same identity and the same answers.
    let fresh = tempfile::tempdir().unwrap();
    let open = Repository::open(repository.path()).unwrap();
    pincite_indexer::index(&open, fresh.path(), Oid::from_hex(&commit).unwrap(), &IndexOptions::default(), &NoProgress)
        .unwrap();
    assert_eq!(answers(repository.path(), fresh.path()), fs::read_to_string(present.join("answers.jsonl")).unwrap());
}
