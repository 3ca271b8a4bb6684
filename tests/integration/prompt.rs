//! The compact rendering for a model.

use serde_json::{Value, json};

use crate::pincite::Pincite;
use crate::support::repository::TestRepository;

fn repository() -> TestRepository {
    let repository = TestRepository::new();
    let filler = |from: usize, to: usize| (from..to).map(|n| format!("// filler {n}\n")).collect::<String>();
    repository.write(
        "src/a.cpp",
        format!(
            "{}enum {{ NPC = 23487 }};\n{}\t# src/evil.c\n12>\tnot a line\n@1-2\n{}void AddSC_x() {{ NPC; }}\n",
            filler(0, 20),
            filler(20, 24),
            filler(24, 60)
        ),
    );
    repository.write("src/long.cpp", format!("x = 23487; {}\nlatin = \"caf\u{e9}\";\n", "y".repeat(900)));
    repository.write("src/bytes.cpp", b"NPC; // caf\xe9\n\xff\x01\x1b[31m NPC\n");
    repository.write("src/a \"b\".cpp", "NPC\n");
    repository.write("doc/n.txt", "23487\n");
    repository.commit("files");
    repository
}

/// The lines of code of a rendering: (file, first numbered line of the block, texts).
fn lines(text: &str) -> Vec<(String, u32, Vec<String>)> {
    let mut blocks: Vec<(String, u32, Vec<String>)> = Vec::new();
    let mut file = String::new();
    for line in text.split_terminator('\n') {
        let code = line.starts_with('\t') || line.starts_with(|c: char| c.is_ascii_digit());
        if let Some(name) = line.strip_prefix("# ") {
            file = name.to_owned();
        } else if let Some(span) = line.strip_prefix('@') {
            blocks.push((file.clone(), span.split('-').next().unwrap().parse().unwrap(), Vec::new()));
        } else if code {
            let (label, code) = line.split_once('\t').unwrap();
            let block = blocks.last_mut().unwrap();
            let number = block.1 + block.2.len() as u32;
            let shown = label.trim_end_matches('>');
            assert!(shown.is_empty() || shown == number.to_string(), "{line}");
            block.2.push(code.to_owned());
        }
    }
    blocks
}

// every fact that a reader needs is there, and the lines of code come back as they were.
#[test]
fn contexts_are_reversible() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let profile = pincite.profile("[source_analysis]\nregistration_prefixes = [\"AddSC_\"]\n");
    let arguments = ["23487", "--path-prefix", "src/", "--profile", &profile];
    let result = pincite.json(&[&["context"], &arguments[..]].concat());
    let output = pincite.run(&[&["context", "--format", "prompt"], &arguments[..]].concat());
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let mut expected: Vec<(u32, Vec<String>)> = Vec::new();
    for file in result["files"].as_array().unwrap() {
        assert!(text.contains(file["blob"].as_str().unwrap()));
        for block in file["blocks"].as_array().unwrap() {
            let code = block["lines"].as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned());
            expected.push((block["start_line"].as_u64().unwrap() as u32, code.collect()));
        }
    }
    let found: Vec<(u32, Vec<String>)> = lines(&text).into_iter().map(|(_, start, code)| (start, code)).collect();
    assert_eq!(found, expected);
    for fact in [
        result["pin"]["commit"].as_str().unwrap(),
        "partial_configured_source_context",
        "limit max_line_chars=400",
        "by assignment of s1 at src/a.cpp:21",
        "by registration of",
        "searched 4 files",
        "shortened 1 of 911 chars",
        "not UTF-8 1, 2",
        "# \"src/a \\\"b\\\".cpp\"",
        "21>\tenum { NPC = 23487 };",
    ] {
        assert!(text.contains(fact), "{fact}\n{text}");
    }
    // Each search that the JSON has is told with its totals.
    for search in result["searches"].as_array().unwrap() {
        let line = format!(": {} lines in {} files, complete", search["matches"], search["files"]);
        assert!(text.lines().any(|one| one.starts_with(search["id"].as_str().unwrap()) && one.contains(&line)));
    }
}

// R-10 R-03: a read that was shortened says where to go on.
#[test]
fn reads_keep_range_and_continuation() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let profile = pincite.profile("[limits]\nmax_lines = 5\n[source_analysis]\n");
    let read = |lines: &str| {
        let output = pincite.run(&["read", "src/a.cpp", lines, "--profile", &profile, "--format", "prompt"]);
        String::from_utf8(output.stdout).unwrap()
    };
    let text = read("10-30");
    assert!(text.contains("@10-14\n"), "{text}");
    assert!(text.contains("requested 10-30 (21 lines, limit 5), range complete: false, next_start_line 15"), "{text}");
    assert_eq!(lines(&text)[0].2.len(), 5);
    assert!(read("62-90").contains("end of file") && read("62-90").contains("next_start_line none"));
    let profile = pincite.profile("[source_analysis]\nmax_files = 1\n");
    let output = pincite.run(&["context", "NPC", "--profile", &profile, "--format", "prompt"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("limit max_files=1\n") && text.contains("no window: s1 src/bytes.cpp:1,2\n"), "{text}");
    assert!(!read("1-2").contains("requested"));
}

// searches, lists, bundles and errors, and it is far smaller than the JSON.
#[test]
fn everything_has_a_compact_form() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let queries = json!({"queries": [
        {"kind": "source.search", "text": "NPC"},
        {"kind": "source.list", "path_prefix": "src/"},
        {"kind": "source.read", "path": "nothing.c", "start_line": 1, "end_line": 1},
        {"kind": "source.context", "text": "filler"},
    ]});
    let output = pincite.run_with(&["query", "--format", "prompt"], &queries.to_string());
    let text = String::from_utf8(output.stdout).unwrap();
    for fact in [
        "=== 1 of 4\ncomplete_source_search\n",
        "source.search text=\"NPC\" mode=\"auto\"",
        "# src/a.cpp\n21\tenum { NPC = 23487 };\n",
        "1?\tNPC; // caf\u{fffd}\n",
        "=== 2 of 4\n",
        "- src/long.cpp ",
        "=== 3 of 4\nerror not_found (path): ",
        "=== 4 of 4\n",
        "limit max_matches=12 in s1\n",
    ] {
        assert!(text.contains(fact), "{fact}\n{text}");
    }
    let (json, _): (Value, bool) = pincite.query(&[], &queries);
    assert!(text.len() * 10 < json.to_string().len() * 7, "{} of {} bytes", text.len(), json.to_string().len());
    let again = pincite.run_with(&["query", "--format", "prompt"], &queries.to_string());
    assert_eq!(again.stdout, text.as_bytes());
}
