//! Where is searched and how much is shown: scopes, tokens, limits.

use super::*;

// C2-14: configured directories and endings; history only when asked for; prefixes outside are refused.
#[test]
fn scopes_bound_what_is_searched() {
    let asker = Asker::new(world(), WIDE, &case());
    let weak = |result: &Value| -> Vec<String> {
        list(result, "weak_numeric").iter().map(|one| one["path"].as_str().unwrap().to_owned()).collect()
    };
    let code = asker.ask(&["23487"]);
    assert_eq!((&code["scope"], &code["searches"][0]["scope"]), (&json!("code"), &json!("code")));
    assert_eq!(weak(&code), [QUEST, WOLPERTINGER, GARR, TABLE].map(str::to_owned));
    // An empty prefix is the scope, not the root; what it leaves out is counted.
    assert_eq!(code["searches"][0]["outside"], json!({"extensions": 1, "scope": 4}));
    assert_eq!(weak(&asker.ask(&["23487", "--scope", "schema"])), ["sql/base/world.sql"]);
    let history = asker.ask(&["23487", "--scope", "historical_sql"]);
    assert_eq!(weak(&history), ["sql/archive/old.sql", "sql/updates/new.sql"]);
    let narrow = asker.ask(&["23487", "--scope", "historical_sql", "--path-prefix", "sql/updates/n"]);
    assert_eq!(weak(&narrow), ["sql/updates/new.sql"]);
    // A wider prefix is cut to the scope.
    for (scope, prefix, expected, outside) in [
        ("schema", "sql/", 1, json!({"scope": 2})),
        ("historical_sql", "sql", 2, json!({"scope": 1})),
        ("code", "src", 4, json!({"extensions": 1})),
    ] {
        let result = asker.ask(&["23487", "--scope", scope, "--path-prefix", prefix]);
        assert_eq!(weak(&result).len(), expected, "{scope} {prefix}");
        assert_eq!(result["searches"][0]["outside"], outside);
        assert_eq!(result["searches"][0]["path_prefix"], prefix);
    }
    for (scope, prefix) in [("code", "sql/"), ("code", "tools/"), ("schema", "src/"), ("historical_sql", "sql/base/")] {
        let error = asker.error(&["23487", "--scope", scope, "--path-prefix", prefix]);
        assert_eq!((&error["code"], &error["field"]), (&json!("outside_scope"), &json!("path_prefix")), "{prefix}");
    }
    let error = asker.error(&["23487", "--scope", "docs"]);
    assert_eq!((&error["code"], &error["field"]), (&json!("invalid_request"), &json!("scope")));
    assert_eq!(asker.error(&["23487", "--path-prefix", "../x"])["code"], "unsafe_path");
    // What the profile does not have can not be searched, and code is every path without SQL then.
    let bare = asker.pincite.profile("[source_analysis]\nprotocol = 2\n");
    let error = asker.pincite.error(&["context", "23487", "--profile", &bare, "--scope", "schema"]);
    assert_eq!((&error["code"], &error["field"]), (&json!("invalid_request"), &json!("scope")));
    let all = asker.pincite.json(&["context", "23487", "--profile", &bare]);
    assert!(weak(&all).contains(&"tools/spawn.py".to_owned()) && weak(&all).iter().all(|path| !path.ends_with(".sql")));
}

// C2-15 T-05: a number is a whole decimal token.
#[test]
fn numbers_are_decimal_tokens() {
    let repository = TestRepository::new();
    let lines =
        ["23487", "123487", "23487.5", "x23487", "0x23487", "23487UL", "-23487", "'23487'", "234870", "23487'000"];
    repository.write("src/a.cpp", lines.map(|line| format!("f({line});\n")).concat());
    repository.commit("tokens");
    let result = Asker::new(repository, "", &case()).ask(&["23487"]);
    assert_eq!(result["searches"][0]["mode"], "decimal");
    assert_eq!(result["weak_numeric"][0]["lines"], json!([1, 6, 7, 8]));
}

// C2-16 L-04: every bound holds and is named with its value.
#[test]
fn every_bound_is_named() {
    let repository = world();
    let many: String = (0..30).map(|n| format!("use(NPC_WOLPERTINGER, {n});\n{}", "//\n".repeat(40))).collect();
    repository.write("src/many.cpp", many);
    repository.write("src/long.cpp", format!("use(NPC_WOLPERTINGER); // {}\n", "x".repeat(2_000)));
    repository.commit("more");
    let mut asker = Asker::new(repository, WIDE, &case());
    let focus = "focus_roles = ['effect', 'boss']\ncontext_fact_names = ['zone']\n";
    for (settings, limit, configured, search) in [
        ("max_anchors = 2", "max_anchors", 2, None),
        ("max_candidates = 2", "max_candidates", 2, Some("s1")),
        ("max_weak_summaries = 1", "max_weak_summaries", 1, None),
        ("max_weak_summaries = 0", "max_weak_summaries", 0, None),
        ("max_searches = 2", "max_searches", 2, None),
        ("max_matches = 3", "max_matches", 3, Some("s3")),
        ("max_files = 2", "max_files", 2, None),
        ("max_blocks = 3", "max_blocks", 3, None),
        ("max_total_lines = 20", "max_total_lines", 20, None),
    ] {
        let rest = WIDE.lines().filter(|line| !line.starts_with(limit)).collect::<Vec<_>>().join("\n");
        asker = asker.with_settings(&format!("{rest}\n{focus}{settings}"));
        let result = asker.ask(&["23487", "--entity", "N0005"]);
        let mut expected = json!({"limit": limit, "configured": configured});
        if let Some(search) = search {
            expected["search"] = search.into();
        }
        assert!(list(&result, "limits_reached").contains(&expected), "{expected}: {}", result["limits_reached"]);
        assert_eq!(result["status"], "partial_configured_source_context");
        let blocks: Vec<_> = list(&result, "files").iter().flat_map(|file| list(file, "blocks")).collect();
        let lines: usize = blocks.iter().map(|block| list(block, "lines").len()).sum();
        match limit {
            "max_anchors" => assert_eq!(list(&result, "anchors").len(), 2),
            "max_weak_summaries" => assert_eq!(list(&result, "weak_numeric").len(), configured),
            "max_searches" => assert_eq!(list(&result, "searches").len(), 2),
            "max_files" => assert_eq!(
                list(&result["selection"], "files").iter().filter(|f| f["class"] != "weak_numeric").count(),
                2
            ),
            "max_blocks" => assert_eq!(blocks.len(), 3),
            "max_total_lines" => assert_eq!(lines, 20),
            "max_matches" => {
                let own: Vec<_> = list(&result, "matches").iter().filter(|one| one["search"] == "s3").collect();
                let files: BTreeSet<_> = own.iter().map(|one| one["path"].as_str().unwrap()).collect();
                assert_eq!((own.len(), files.len()), (3, 3), "the first match of each file before the second of any");
            }
            _ => {}
        }
    }
    let result = asker.with_settings(WIDE).ask(&["NPC_WOLPERTINGER"]);
    assert!(reached(&result, "max_line_chars"));
    assert!(result.to_string().contains("\"shortened\":[{\"line\":1,\"chars\":"));
}

// C2-16: looking for bindings shares the bytes that a search may read.
#[test]
fn bindings_are_looked_for_within_the_bytes_of_a_search() {
    let repository = TestRepository::new();
    for n in 0..8 {
        repository.write(format!("src/f{n}.cpp"), format!("enum {{ NPC_{n} = 23487 }};\n{}", "// filler\n".repeat(50)));
    }
    repository.commit("eight files of 525 bytes");
    let asker = Asker::new(repository, "max_searches = 4\n[limits]\nmax_search_bytes = 4400", &case());
    let result = asker.ask(&["23487", "--entity", "N0005"]);
    assert_eq!(primary(&result), ["src/f0.cpp", "src/f1.cpp"]);
    assert_eq!(result["searches"][0]["complete"], true);
    let expected = json!({"limit": "max_search_bytes", "configured": 4400, "search": "s1"});
    assert!(list(&result, "limits_reached").contains(&expected), "{}", result["limits_reached"]);
}

// P-07 C2-16: a changed working tree changes nothing, and the same question has the same bytes.
#[test]
fn a_changed_working_tree_changes_nothing() {
    let asker = Asker::new(world(), WIDE, &case());
    let before = asker.ask(&["23487", "--entity", "N0005"]);
    std::fs::write(asker.repository.path().join(WOLPERTINGER), "enum { NPC_OTHER = 1 };\n").unwrap();
    std::fs::write(asker.repository.path().join("src/new.cpp"), "enum { NPC_NEW = 23487 };\n").unwrap();
    std::fs::remove_file(asker.repository.path().join(BATTLE)).unwrap();
    assert_eq!(asker.ask(&["23487", "--entity", "N0005"]).to_string(), before.to_string());
}

// C2-16 L-05: something skipped in the scope makes the answer partial; text output names classes and weak matches.
#[test]
fn skips_and_text_output() {
    let repository = world();
    repository.write("src/data.cpp", b"\0binary 23487");
    repository.commit("binary");
    let asker = Asker::new(repository, WIDE, &case());
    let result = asker.ask(&["23487", "--entity", "N0006"]);
    assert_eq!(result["searches"][0]["skipped"], json!({"binary": 1}));
    assert_eq!(result["status"], "partial_configured_source_context");
    let output = asker.pincite.run(&asker.arguments(&["23487", "--entity", "N0006"]));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for part in ["g1 id \"23487\" of N0006 (spell)", "primary_candidate src/scripts/garr.cpp", "numbers alone:"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
