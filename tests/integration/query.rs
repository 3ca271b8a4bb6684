//! `project.query`: one request or a bundle.

use serde_json::{Value, json};

use crate::pincite::Pincite;
use crate::support::repository::TestRepository;

fn repository() -> TestRepository {
    let repository = TestRepository::new();
    repository.write("src/a.c", "int answer = 42;\nint other = answer;\n");
    repository.write("src/b.c", "void f(void) { answer(); }\n");
    for n in 0..40 {
        repository.write(format!("much/{n}.c"), format!("a{n} -> b ; c\n").repeat(30_000));
    }
    repository.commit("files");
    repository
}

// Q-01: results come in order, each with its own limits, and an error in one does not spoil the others.
#[test]
fn a_bundle_is_answered_in_order() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let requests = [
        json!({"kind": "source.context", "text": "answer", "path_prefix": "src/"}),
        json!({"kind": "source.search", "text": "answer", "commit": "HEAD"}),
        json!({"kind": "source.read", "path": "src/nothing.c", "start_line": 1, "end_line": 2}),
        json!({"kind": "source.read", "path": "src/a.c", "start_line": 1, "end_line": 2}),
        json!({"kind": "source.list", "path_prefix": "src/"}),
        json!({"kind": "source.search", "text": "answer", "path_prefix": "src/"}),
    ];
    let (reply, success) = pincite.query(&[], &json!({ "queries": requests }));
    assert!(success, "a bundle is an answer whatever its entries are");
    let results = reply["results"].as_array().unwrap();
    let kinds: Vec<&Value> =
        results.iter().map(|one| one.get("kind").unwrap_or_else(|| &one["error"]["code"])).collect();
    assert_eq!(
        kinds,
        ["source.context", "invalid_request", "not_found", "source.read", "source.list", "source.search"]
    );
    assert_eq!(results[1]["error"]["field"], "commit");
    // Each entry is what the request alone is answered with.
    for at in [0, 3, 4, 5] {
        let (alone, success) = pincite.query(&[], &requests[at]);
        assert!(success);
        assert_eq!(alone, results[at]);
    }
    let (error, success) = pincite.query(&[], &requests[2]);
    assert!(!success);
    assert_eq!(error, results[2]);
    // The same twice, byte for byte.
    let text = json!({ "queries": requests }).to_string();
    assert_eq!(pincite.run_with(&["query"], &text).stdout, pincite.run_with(&["query", "-"], &text).stdout);
    let file = pincite.home().join("query.json");
    std::fs::write(&file, &text).unwrap();
    assert_eq!(pincite.run(&["query", file.to_str().unwrap()]).stdout, pincite.run_with(&["query"], &text).stdout);
}

// Q-01 L-02: the time is shared by the bundle; what fell behind it is an error, what came before stands.
#[test]
fn one_deadline_holds_for_a_bundle() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let profile = pincite.profile("[limits]\ntimeout_ms = 60\n[source_analysis]\nmax_matches = 1\n");
    let slow = json!({"kind": "source.search", "text": "->", "mode": "literal"});
    let fast = json!({"kind": "source.read", "path": "src/a.c", "start_line": 1, "end_line": 1});
    let mut queries = vec![fast.clone()];
    queries.extend(vec![slow; 14]);
    queries.push(fast);
    let (reply, _) = pincite.query(&["--profile", &profile], &json!({ "queries": queries }));
    let results = reply["results"].as_array().unwrap();
    assert_eq!(results[0]["kind"], "source.read");
    assert_eq!(results[15]["error"]["code"], "timeout", "the time was spent before it");
    assert_eq!(results[15]["error"]["field"], "timeout_ms");
}

// Q-01 L-02: each answer has its own bound on bytes.
#[test]
fn each_answer_has_its_own_size() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let profile = pincite.profile("[limits]\nmax_result_bytes = 2000\nmax_lines = 200\n[source_analysis]\n");
    let read = |end: u32| json!({"kind": "source.read", "path": "much/1.c", "start_line": 1, "end_line": end});
    let (reply, _) = pincite.query(&["--profile", &profile], &json!({"queries": [read(3), read(150), read(4)]}));
    let codes: Vec<&Value> = reply["results"].as_array().unwrap().iter().map(|one| &one["error"]["code"]).collect();
    assert_eq!(codes, [&json!(null), &json!("result_too_large"), &json!(null)]);
}

// Q-01 L-07: bad queries are refused whole, with the field.
#[test]
fn bad_queries_are_refused() {
    let repository = TestRepository::new();
    repository.write("a.c", "int a;\n");
    repository.commit("a");
    let pincite = Pincite::indexed(repository.path());
    let list = json!({"kind": "source.list"});
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for (text, field) in [
        (json!({"queries": vec![list.clone(); 17]}).to_string(), json!("queries")),
        (json!({"queries": []}).to_string(), json!("queries")),
        (json!({"queries": [list.clone()], "budget": 7}).to_string(), json!("budget")),
        (json!({"queries": [list.clone()], "repository": "x"}).to_string(), json!("repository")),
        ("{\"queries\":[],\"queries\":[]}".into(), json!("queries")),
        ("nothing".into(), json!(null)),
        (String::new(), json!(null)),
        (deep, json!(null)),
        (format!("\"{}\"", "x".repeat(2 << 20)), json!(null)),
        // Doubled members refuse the bundle whole, at any depth; the message has the place, the field the name.
        (
            r#"{"queries":[{"kind":"source.list"},{"kind":"source.search","text":"a","text":"b"}]}"#.into(),
            json!("text"),
        ),
        (r#"{"queries":[{"kind":"source.list","after":[{"x":0},{"y":1,"y":1}]}]}"#.into(), json!("y")),
    ] {
        let output = pincite.run_with(&["query"], &text);
        assert_eq!(output.status.code(), Some(1));
        let error: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&error["error"]["code"], &error["error"]["field"]), (&json!("invalid_request"), &field));
    }
    assert_eq!(pincite.error(&["query", "/nowhere/at/all.json"])["code"], "not_found");
    let says = |text: &str, words: &str| {
        let output = pincite.run_with(&["query"], text);
        let error: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(error["error"]["message"].as_str().unwrap().contains(words), "{error}");
    };
    let doubled = r#"{"kind":"source.search","text":"a","text":"b"}"#;
    says(doubled, "the request is not valid JSON: the member `text` stands twice");
    says(&format!(r#"{{"queries":[{list},{list},{doubled}]}}"#), "in /queries/2 the member `text` stands twice");
    let deep = r#"{"queries":[{"kind":"source.list","after":[{"x":0},{"y":1,"y":1}]}]}"#;
    says(deep, "in /queries/0/after/1 the member `y` stands twice");
    // A text that is cut within a character is too long, not badly encoded.
    says(&format!("\"{}", "\u{20ac}".repeat(1 << 20)), "the request is too large; 1048576 bytes are allowed");
}
