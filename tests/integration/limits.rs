//! The shared limits, and terms and prefixes as plain data.

use serde_json::json;

use crate::pincite::{Pincite, hits};
use crate::support::repository::TestRepository;

fn repository() -> TestRepository {
    let repository = TestRepository::new();
    let lines: String = (0..500).map(|n| format!("value({n}); // --output=x -e\n")).collect();
    repository.write("src/many.c", lines);
    repository.write("src/small.c", "int value = 7;\n");
    repository.write("src2/other.c", "value();\n");
    repository.commit("files");
    repository
}

// L-01 L-02: what can not be answered within the limits is an error and no shortened result.
#[test]
fn too_large_and_too_slow_are_errors() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let profile = pincite.profile("[limits]\nmax_result_bytes = 1024\n[source_analysis]\nmax_matches = 400\n");
    let error = pincite.error(&["search", "value", "--profile", &profile]);
    assert_eq!((&error["code"], &error["field"]), (&json!("result_too_large"), &json!("max_result_bytes")));
    let error = pincite.error(&["context", "value", "--profile", &profile]);
    assert_eq!(error["code"], "result_too_large");
    // 1 ms is enough to find out that nothing can be done in it: the work between two looks at the clock is more.
    let slow = TestRepository::new();
    for n in 0..60 {
        slow.write(format!("f{n}.c"), "a -> b ; c\n".repeat(40_000));
    }
    slow.commit("much to read");
    let slow = Pincite::indexed(slow.path());
    let profile = slow.profile("[limits]\ntimeout_ms = 1\n[source_analysis]\n");
    let error = slow.error(&["search", "->", "--mode", "literal", "--profile", &profile]);
    assert_eq!((&error["code"], &error["field"]), (&json!("timeout"), &json!("timeout_ms")));
}

// L-01: `max_file_bytes` of the profile holds for an index that was built with a larger one, and is counted.
#[test]
fn large_files_are_counted() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let profile = pincite.profile("[limits]\nmax_file_bytes = 1000\n[source_analysis]\n");
    let result = pincite.json(&["search", "value", "--profile", &profile]);
    assert_eq!(result["searches"][0]["skipped"], json!({"too_large": 1}));
    assert_eq!(result["searches"][0]["matches"], 2);
    assert_eq!(result["status"], "partial_source_search");
    let list = pincite.json(&["list", "src/", "--profile", &profile]);
    assert_eq!(list["entries"][0]["skipped"], "too_large");
    // The same when the index itself was built with the bound.
    let small = Pincite::new(repository.path());
    let profile = small.profile("[limits]\nmax_file_bytes = 1000\n[source_analysis]\n");
    let report = small.json(&["index", "--profile", &profile]);
    assert_eq!(report["skipped"], json!({"too_large": 1}));
    assert_eq!(small.json(&["search", "value"])["searches"][0]["skipped"], json!({"too_large": 1}));
    // A later run without the bound brings the file in.
    assert_eq!(small.json(&["index"])["skipped"], json!({}));
    assert_eq!(small.json(&["search", "value"])["searches"][0]["matches"], 502);
}

// L-04: totals stay exact whatever the limits cut; every search says how and where it looked.
#[test]
fn totals_are_exact_when_the_list_is_cut() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let result = pincite.json(&["search", "value", "--max-matches", "3"]);
    assert_eq!(result["matches"].as_array().unwrap().len(), 3);
    let search = &result["searches"][0];
    assert_eq!((&search["matches"], &search["files"]), (&json!(502), &json!(3)));
    assert_eq!(
        (&search["text"], &search["mode"], &search["path_prefix"]),
        (&json!("value"), &json!("word"), &json!(""))
    );
    assert_eq!((&search["complete"], &search["searched_files"]), (&json!(true), &json!(3)));
    assert_eq!(result["limits_reached"], json!([{"limit": "max_matches", "configured": 3, "search": "s1"}]));
    assert_eq!(result["status"], "partial_source_search");
    let profile = pincite.profile("[source_analysis]\nmax_matches = 5\n");
    let error = pincite.error(&["search", "value", "--max-matches", "6", "--profile", &profile]);
    assert_eq!((&error["code"], &error["field"]), (&json!("invalid_request"), &json!("max_matches")));
}

// L-06: terms that look like options are terms; a prefix is bytes.
#[test]
fn options_in_terms_are_plain_text() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    for term in ["--output=x", "-e", "--"] {
        assert_eq!(pincite.json(&["search", "--mode", "literal", "--", term])["searches"][0]["matches"], 500, "{term}");
    }
    assert_eq!(pincite.json(&["search", "--output=x"])["searches"][0]["matches"], 500);
    assert_eq!(hits(&pincite.json(&["search", "value", "--path-prefix", "src2"])).len(), 1);
    assert_eq!(pincite.json(&["search", "value", "--path-prefix", "src"])["searches"][0]["matches"], 502);
    assert_eq!(pincite.json(&["search", "value", "--path-prefix", "src/"])["searches"][0]["matches"], 501);
    for prefix in ["/src", "../", "src//", "a\\b", ":x", "./src"] {
        for command in ["search", "context"] {
            let error = pincite.error(&[command, "value", "--path-prefix", prefix]);
            assert_eq!((&error["code"], &error["field"]), (&json!("unsafe_path"), &json!("path_prefix")), "{prefix}");
        }
    }
}

// T-05 T-06: decimal searches count whole numbers and say when a suffix follows; the notice names other notations.
#[test]
fn decimal_searches_count_whole_numbers() {
    let repository = TestRepository::new();
    let lines = [
        "a = 23487,",
        "(23487)",
        "-23487",
        "See 23487.",
        "0..23487",
        "'23487'",
        "23487u",
        "23487UL",
        "23487n",
        "23487u32",
        "123487",
        "23487.5",
        "1.23487",
        "23487e3",
        "x23487",
        "23487x",
        "0x23487",
        "3.3.23487",
        ".23487",
        "23487.f",
        "23487'000",
        "1'23487",
        "23487_000",
    ];
    repository.write("numbers.c", lines.join("\n"));
    repository.commit("numbers");
    let pincite = Pincite::indexed(repository.path());
    let result = pincite.json(&["search", "23487", "--mode", "decimal"]);
    let found: Vec<u64> =
        result["matches"].as_array().unwrap().iter().map(|one| one["line"].as_u64().unwrap()).collect();
    assert_eq!(found, (1..=10).collect::<Vec<_>>());
    let suffixed = result["matches"].as_array().unwrap().iter().filter(|one| one["suffix"] == true).count();
    assert_eq!(suffixed, 4);
    assert_eq!(result["matches"][0]["columns"], json!([[4, 9]]));
    for notation in ["hexadecimal", "digit separators", "symbolic constants"] {
        assert!(result["notice"].as_str().unwrap().contains(notation));
    }
}

// L-03: a match in a long line is shown with its surroundings, its true columns and the line's length.
#[test]
fn matches_in_long_lines_are_shown() {
    let repository = TestRepository::new();
    repository.write("long.js", format!("{}needle{}\n", "ä".repeat(5_000), "b".repeat(5_000)));
    repository.commit("long");
    let pincite = Pincite::indexed(repository.path());
    let result = pincite.json(&["search", "needle", "--mode", "literal"]);
    let one = &result["matches"][0];
    assert_eq!((&one["columns"], &one["chars"]), (&json!([[5000, 5006]]), &json!(10_006)));
    let text = one["text"].as_str().unwrap();
    assert!(text.contains("needle") && text.chars().count() <= 402, "{text}");
    assert_eq!(result["limits_reached"], json!([{"limit": "max_line_chars", "configured": 400}]));
}
