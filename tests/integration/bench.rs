//! `pincite bench`: terms of the repository's own, and answers that a scan confirms. No time is asserted.

use serde_json::{Value, json};

use crate::pincite::Pincite;
use crate::support::repository::TestRepository;

#[test]
fn a_benchmark_measures_and_checks() {
    let repository = TestRepository::new();
    let file = |seed: u32| -> String {
        (0..200u32)
            .map(|n| format!("int value_{}_name = {}; // see other->value_{n}\n", n * seed, n * 131 + seed))
            .collect()
    };
    repository.write("src/a.c", file(3));
    repository.write("src/b.py", file(7));
    repository.commit("first");
    repository.write("src/c.c", file(11));
    repository.commit("second");
    let pincite = Pincite::indexed(repository.path());
    let bench = pincite.json(&["bench", "--terms", "4", "--check", "4", "--build"]);
    let kinds: Vec<&Value> = bench["queries"].as_array().unwrap().iter().map(|row| &row["kind"]).collect();
    assert_eq!(kinds, ["word", "decimal", "phrase", "piece", "absent", "context", "context_of_number"]);
    for row in bench["queries"].as_array().unwrap() {
        assert_eq!((&row["terms"], &row["checked"], &row["wrong"]), (&json!(4), &json!(4), &json!([])), "{row}");
        assert_eq!(row["errors"], 0);
        assert!(row["warm_p50"].as_u64() <= row["warm_max"].as_u64());
        assert_eq!(row["lines"].as_u64().unwrap() == 0, row["kind"] == "absent", "{row}");
    }
    assert_eq!(bench["builds"]["full"]["new_documents"], 3);
    assert_eq!(bench["builds"]["next"]["new_documents"], 1);
    // The same seed draws the same terms, another one others.
    let lines = |seed: &str| {
        let bench = pincite.json(&["bench", "--terms", "3", "--seed", seed]);
        bench["queries"].as_array().unwrap().iter().map(|row| row["lines"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(lines("5"), lines("5"));
    assert!(["6", "7", "8"].iter().any(|seed| lines(seed) != lines("5")));
    let text = String::from_utf8(pincite.run(&["bench", "--terms", "2", "--check", "1"]).stdout).unwrap();
    assert!(text.contains("1 checked by a scan, all right") && text.contains("cold p50"), "{text}");
}
