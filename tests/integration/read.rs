//! `source.read`.

use serde_json::{Value, json};

use crate::pincite::Pincite;
use crate::support::repository::TestRepository;

fn repository() -> TestRepository {
    let repository = TestRepository::new();
    let lines: String = (1..=300).map(|n| format!("line {n}\n")).collect();
    repository.write("src/long.c", lines);
    repository.write("src/short.c", "one\ntwo\nthree");
    repository.write("src/wide.c", format!("short\n{}\nshort\n", "w".repeat(1_000)));
    repository.raw_entry("120000", "link.c", "src/short.c");
    repository.raw_entry("100644", b"odd\xff.c", "odd\n");
    repository.commit("files");
    repository
}

fn numbers(result: &Value) -> Vec<u64> {
    let lines = result["lines"].as_array().unwrap().iter();
    lines.map(|line| line.as_str().unwrap().strip_prefix("line ").unwrap().parse().unwrap()).collect()
}

const EXTRA: [&str; 11] = [
    "requested_line_count",
    "line_limit",
    "line_limit_exceeded",
    "returned_line_count",
    "requested_start_line",
    "requested_end_line",
    "returned_start_line",
    "returned_end_line",
    "requested_range_complete",
    "next_start_line",
    "read_notice",
];

// R-01 R-08: a range within the limit keeps the plain form.
#[test]
fn a_range_is_read() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let result = pincite.json(&["read", "src/long.c", "10-12"]);
    assert_eq!(numbers(&result), [10, 11, 12]);
    assert_eq!((&result["start_line"], &result["end_line"]), (&json!(10), &json!(12)));
    assert_eq!((&result["eof"], &result["truncated"]), (&json!(false), &json!(false)));
    assert_eq!(result["text_truncated"], json!([]));
    assert_eq!(result["status"], "complete_source_read");
    assert_eq!(result["blob"], repository.resolve("HEAD:src/long.c").as_str());
    assert!(EXTRA.iter().all(|name| result.get(name).is_none()));
    assert_eq!(numbers(&pincite.json(&["read", "src/long.c", "80"])), [80]);
    assert_eq!(
        pincite.json(&["read", "src/long.c", "221-300"]).get("line_limit"),
        None,
        "80 lines are within the limit"
    );
}

// R-02 R-03 R-04: a longer range is answered from its start, and says where to go on.
#[test]
fn a_longer_range_is_cut_and_can_be_continued() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let result = pincite.json(&["read", "src/long.c", "115-215"]);
    assert_eq!(numbers(&result), (115..=194).collect::<Vec<_>>());
    assert_eq!(
        result["request"],
        json!({"kind": "source.read", "path": "src/long.c", "start_line": 115, "end_line": 215})
    );
    for (name, expected) in [
        ("requested_line_count", json!(101)),
        ("line_limit", json!(80)),
        ("line_limit_exceeded", json!(true)),
        ("returned_line_count", json!(80)),
        ("requested_start_line", json!(115)),
        ("requested_end_line", json!(215)),
        ("returned_start_line", json!(115)),
        ("returned_end_line", json!(194)),
        ("requested_range_complete", json!(false)),
        ("next_start_line", json!(195)),
        ("truncated", json!(true)),
        ("eof", json!(false)),
        ("status", json!("partial_source_read")),
        ("limits_reached", json!([{"limit": "max_lines", "configured": 80}])),
    ] {
        assert_eq!(result[name], expected, "{name}");
    }
    assert!(result["read_notice"].as_str().unwrap().contains("195"));
    let rest = pincite.json(&["read", "src/long.c", "195-215"]);
    assert_eq!(numbers(&rest), (195..=215).collect::<Vec<_>>());
    assert!(EXTRA.iter().all(|name| rest.get(name).is_none()));
}

// keeping the end and going on at `next_start_line` yields the range without a gap or overlap.
#[test]
fn continuing_yields_the_whole_range() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let profile = pincite.profile("[limits]\nmax_lines = 7\n");
    let (mut start, mut all) = (100, Vec::new());
    loop {
        let result = pincite.json(&["read", "src/long.c", &format!("{start}-150"), "--profile", &profile]);
        all.extend(numbers(&result));
        match result.get("next_start_line").and_then(Value::as_u64) {
            Some(next) => start = next,
            None => break,
        }
    }
    assert_eq!(all, (100..=150).collect::<Vec<_>>());
}

// R-05 R-06: the end of the file within the shortened window ends the matter.
#[test]
fn the_end_of_the_file_needs_no_continuation() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    for (range, count, returned_end) in
        [("250-400", 51, json!(300)), ("400-600", 0, Value::Null), ("301-401", 0, Value::Null)]
    {
        let result = pincite.json(&["read", "src/long.c", range]);
        assert_eq!(result["lines"].as_array().unwrap().len(), count, "{range}");
        assert_eq!((&result["eof"], &result["truncated"]), (&json!(true), &json!(false)), "{range}");
        assert_eq!((&result["next_start_line"], &result["requested_range_complete"]), (&Value::Null, &json!(true)));
        assert_eq!(result["returned_end_line"], returned_end);
        assert_eq!(result["end_line"], returned_end);
        assert_eq!(result["status"], "complete_source_read");
    }
    // Without exceeding the limit.
    for (path, range, lines) in [("src/short.c", "2-9", 2), ("src/short.c", "3-3", 1), ("src/short.c", "4-9", 0)] {
        let result = pincite.json(&["read", path, range]);
        assert_eq!(result["lines"].as_array().unwrap().len(), lines);
        assert_eq!((&result["eof"], &result["truncated"]), (&json!(true), &json!(false)), "{range}");
    }
    assert_eq!(pincite.json(&["read", "src/short.c", "2-2"])["eof"], false, "eof speaks of the returned lines");
}

// R-07 L-03: long lines are shortened whatever the range.
#[test]
fn long_lines_are_shortened_and_listed() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let result = pincite.json(&["read", "src/wide.c", "1-3"]);
    assert_eq!(result["text_truncated"], json!([2]));
    assert_eq!(result["shortened"], json!([{"line": 2, "chars": 1000}]));
    assert_eq!(result["lines"][1], format!("{}…", "w".repeat(400)));
    assert_eq!((&result["truncated"], &result["eof"]), (&json!(false), &json!(true)));
    assert_eq!(result["limits_reached"], json!([{"limit": "max_line_chars", "configured": 400}]));
}

// R-09 L-06
#[test]
fn bad_ranges_and_paths_are_refused() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    for (path, lines, code, field) in [
        ("src/long.c", "0-3", "invalid_request", "start_line"),
        ("src/long.c", "9-3", "invalid_request", "end_line"),
        ("src/long.c", "1.5-3", "invalid_request", "start_line"),
        ("src/long.c", "x", "invalid_request", "start_line"),
        ("src/long.c", "3-", "invalid_request", "end_line"),
        ("src/nothing.c", "1-3", "not_found", "path"),
        ("src", "1-3", "not_found", "path"),
        ("link.c", "1-3", "not_found", "path"),
        ("../etc/passwd", "1-3", "unsafe_path", "path"),
        ("/etc/passwd", "1-3", "unsafe_path", "path"),
        ("src//long.c", "1-3", "unsafe_path", "path"),
        ("src\\long.c", "1-3", "unsafe_path", "path"),
        (":(top)src/long.c", "1-3", "unsafe_path", "path"),
        ("./src/long.c", "1-3", "unsafe_path", "path"),
    ] {
        let error = pincite.error(&["read", path, lines]);
        assert_eq!((&error["code"], &error["field"]), (&json!(code), &json!(field)), "{path} {lines}: {error}");
    }
}

// the text rendering keeps range and continuation.
#[test]
fn the_text_rendering_tells_where_to_go_on() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let output = pincite.run(&["read", "src/long.c", "115-215"]);
    let (shown, below) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(shown.lines().count(), 80);
    assert_eq!(shown.lines().next().unwrap().trim(), "115 line 115");
    assert!(below.contains("go on at start_line 195 with the same end_line 215"), "{below}");
}
