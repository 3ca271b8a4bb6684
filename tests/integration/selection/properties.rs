//! Classes under content that is repeated, added and reordered.

use super::*;

/// The classes of an answer by path, from an engine in this process.
fn classes(repository: &TestRepository, case: &Value, text: &str, refs: &[&str]) -> Vec<(String, String)> {
    let folder = tempfile::tempdir().unwrap();
    let open = || Repository::open(repository.path()).unwrap();
    let commit = open().resolve("HEAD").unwrap();
    pincite_indexer::index(&open(), folder.path(), commit, &IndexOptions::default(), &NoProgress).unwrap();
    let settings = Profile::parse(&profile_text(WIDE), std::path::Path::new("p.toml")).unwrap().settings;
    let engine = Engine::open(open(), folder.path(), None, settings).unwrap();
    let engine = engine.with_interpretation(Interpretation::parse(case).unwrap());
    let request = json!({"kind": "source.context", "text": text, "entity_refs": refs});
    let answer = engine.answer(&Request::parse(&request, Protocol::Two).unwrap()).unwrap();
    let result: Value = serde_json::from_str(&answer.to_json(u64::MAX).unwrap()).unwrap();
    check(repository, &result);
    let files = list(&result["selection"], "files").iter();
    files.map(|file| (file["path"].as_str().unwrap().to_owned(), file["class"].as_str().unwrap().to_owned())).collect()
}

/// Lines that hold an anchor or look as if they did.
const LINES: [&str; 8] = [
    "f(23487);",
    "enum { NPC_WOLPERTINGER = 23487 };",
    "enum { SPELL_X = 23487 };",
    "summon(NPC_WOLPERTINGER);",
    "// Wolpertinger",
    "name(\"npc_wolpertinger\");",
    "f(123487, 12057);",
    "// nothing",
];

fn write_files(files: &[Vec<usize>], repeat: usize) -> TestRepository {
    let repository = TestRepository::new();
    for (number, lines) in files.iter().enumerate() {
        let folder = ["fjord", "wintergrasp", "other"][number % 3];
        let content: String = lines.iter().map(|line| format!("{}\n", LINES[*line])).collect();
        repository.write(format!("src/scripts/{folder}/f{number}.cpp"), content.repeat(repeat));
    }
    repository.commit("files");
    repository
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    // C2-10: repeating what a file holds never changes a class; a file without any anchor never removes a primary one;
    // C2-06: the order of entities, facts and records changes nothing.
    #[test]
    fn classes_depend_on_what_is_there_alone(
        files in prop::collection::vec(prop::collection::vec(0..LINES.len(), 1..4), 1..7),
        repeat in 2usize..30,
        asked in 0usize..4,
    ) {
        let (text, refs): (&str, &[&str]) =
            [("23487", &["N0005"][..]), ("23487", &[][..]), ("npc_wolpertinger", &[][..]), ("Wolpertinger", &[][..])][asked];
        let repository = write_files(&files, 1);
        let before = classes(&repository, &case(), text, refs);
        prop_assert_eq!(&classes(&write_files(&files, repeat), &case(), text, refs), &before);
        let mut turned = case();
        for list in ["entities", "facts", "records"] {
            turned[list].as_array_mut().unwrap().reverse();
        }
        prop_assert_eq!(&classes(&repository, &turned, text, refs), &before);
        repository.write("src/aaa.cpp", "int unrelated = 4711; // 99\n".repeat(repeat));
        repository.commit("an unrelated file");
        prop_assert_eq!(&classes(&repository, &case(), text, refs), &before);
    }
}
