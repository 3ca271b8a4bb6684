//! `source.context`, protocol 1.

use serde_json::{Value, json};

use crate::pincite::Pincite;
use crate::support::oracle::blob;
use crate::support::repository::TestRepository;

/// A small game server: a constant, its uses, a registration, and a central loader.
fn server() -> TestRepository {
    let repository = TestRepository::new();
    let filler = |from: usize, to: usize| (from..to).map(|n| format!("// filler {n}\n")).collect::<String>();
    repository.write(
        "src/scripts/boss_garr.cpp",
        format!(
            "enum Spells\n{{\n    SPELL_SEPARATION_ANXIETY = 23487,\n    SPELL_OTHER = 1\n}};\n{}void f()\n{{\n    \
             cast(SPELL_SEPARATION_ANXIETY);\n}}\n{}void AddSC_boss_garr()\n{{\n    register_script();\n}}\n",
            filler(0, 30),
            filler(30, 70)
        ),
    );
    let all: String = (0..40).map(|n| format!("void AddSC_other_{n}();\n")).collect();
    let calls: String = (0..40).map(|n| format!("    AddSC_other_{n}();\n")).collect();
    repository.write(
        "src/system/loader.cpp",
        format!("{all}void AddSC_boss_garr();\nvoid load()\n{{\n{calls}    AddSC_boss_garr();\n}}\n"),
    );
    repository.write("sql/spells.sql", "INSERT INTO spell VALUES (23487, 'x'), (123487, 'y');\n");
    repository.write(
        "tools/spawn.py",
        "NPC_WOLPERTINGER = 23487\n\n\ndef register_wolpertinger():\n    spawn(NPC_WOLPERTINGER)\n",
    );
    repository.write("doc/notes.txt", "23487 is the spell\n");
    repository.commit("server");
    repository
}

fn profile(pincite: &Pincite, settings: &str) -> String {
    pincite.profile(&format!("[source_analysis]\n{settings}\n"))
}

fn names(result: &Value) -> Vec<&str> {
    result["searches"].as_array().unwrap().iter().map(|search| search["text"].as_str().unwrap()).collect()
}

/// Every line of every block stands at its number in the blob that Git has.
fn check_blocks(repository: &TestRepository, result: &Value) {
    for file in result["files"].as_array().unwrap() {
        let bytes = blob(repository.path(), file["blob"].as_str().unwrap());
        assert_eq!(file["bytes"], bytes.len());
        let lines: Vec<String> = String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect();
        let mut last = 0;
        for block in file["blocks"].as_array().unwrap() {
            let start = block["start_line"].as_u64().unwrap() as usize;
            assert!(last == 0 || start > last + 1, "blocks neither overlap nor touch");
            for (at, line) in block["lines"].as_array().unwrap().iter().enumerate() {
                assert_eq!(line, lines[start - 1 + at].as_str());
                last = start + at;
            }
        }
    }
}

// C1-01 C1-02 C1-03 C1-04 C1-05 X-02: the chain from a number to a constant to its registration, and no further.
#[test]
fn a_number_leads_to_its_constant_and_registration() {
    let repository = server();
    let pincite = Pincite::indexed(repository.path());
    let profile = profile(&pincite, "registration_prefixes = [\"AddSC_\"]\nmax_searches = 8");
    let result = pincite.json(&["context", "23487", "--path-prefix", "src/", "--profile", &profile]);
    assert_eq!(names(&result), ["23487", "SPELL_SEPARATION_ANXIETY", "AddSC_boss_garr"]);
    assert_eq!(result["request"], json!({"kind": "source.context", "text": "23487", "path_prefix": "src/"}));
    assert_eq!(result["status"], "complete_configured_source_context");
    assert_eq!(result["limits_reached"], json!([]));
    let path = "src/scripts/boss_garr.cpp";
    let searches = &result["searches"];
    assert_eq!(searches[0]["mode"], "literal");
    assert_eq!(searches[0]["origin"], json!({"kind": "request"}));
    assert_eq!(searches[1]["mode"], "word");
    let origin = &searches[1]["origin"];
    assert_eq!(
        (&origin["kind"], &origin["search"], &origin["path"], &origin["line"]),
        (&json!("assignment"), &json!("s1"), &json!(path), &json!(3))
    );
    let origin = &searches[2]["origin"];
    assert_eq!(
        (&origin["kind"], &origin["search"], &origin["path"], &origin["line"]),
        (&json!("registration"), &json!("s1"), &json!(path), &json!(80))
    );
    // The loader has 41 registrations, and none of the others is followed.
    let paths: Vec<_> = result["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert_eq!(paths, [path, "src/system/loader.cpp"]);
    let matches: Vec<_> = result["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["search"].as_str().unwrap(), one["line"].as_u64().unwrap()))
        .collect();
    assert_eq!(matches, [("s1", 3), ("s2", 3), ("s2", 38), ("s3", 80), ("s3", 41), ("s3", 84)]);
    assert!(result["matches"].as_array().unwrap().iter().all(|one| one["context_returned"] == true));
    check_blocks(&repository, &result);
    let file = &result["files"][0];
    let object = repository.resolve(&format!("HEAD:{path}"));
    assert_eq!(file["blob"], object.as_str());
    assert_eq!(file["swhid"], format!("swh:1:cnt:{object}"));
    assert_eq!(file["sha256"].as_str().unwrap().len(), 64);
}

// C1-06: no domain knowledge is built in; without prefixes following of assignments still works.
#[test]
fn nothing_is_registered_without_prefixes() {
    let repository = server();
    let pincite = Pincite::indexed(repository.path());
    let result = pincite.json(&["context", "23487", "--path-prefix", "src/"]);
    assert_eq!(names(&result), ["23487", "SPELL_SEPARATION_ANXIETY"]);
}

// C1-06: only configured extensions are searched, and what is left out is counted.
#[test]
fn extensions_bound_the_scope() {
    let repository = server();
    let pincite = Pincite::indexed(repository.path());
    let all = pincite.json(&["context", "23487"]);
    let files: Vec<_> = all["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert_eq!(files, ["sql/spells.sql", "src/scripts/boss_garr.cpp", "tools/spawn.py"]);
    assert_eq!(all["searches"][0]["outside"], json!({"extensions": 1}));
    let profile = profile(&pincite, "extensions = [\".TXT\"]");
    let text = pincite.json(&["context", "23487", "--profile", &profile]);
    assert_eq!(text["matches"].as_array().unwrap().len(), 1);
    assert_eq!(text["searches"][0]["outside"], json!({"extensions": 4}));
}

// C1-03: a file that the request found because its term is a registration is a loader like any other.
#[test]
fn a_registration_as_term_explores_no_loader() {
    let repository = server();
    let pincite = Pincite::indexed(repository.path());
    let profile = profile(&pincite, "registration_prefixes = [\"AddSC_\"]\nmax_searches = 8");
    let result = pincite.json(&["context", "AddSC_boss_garr", "--profile", &profile]);
    assert_eq!(names(&result), ["AddSC_boss_garr"]);
}

// C1-11: following works in every default language, from precomputed hints of both kinds.
#[test]
fn assignments_are_followed_in_every_language() {
    let sources = [
        ("c", "enum { NAME_C = 4711 };\n"),
        ("cpp", "static constexpr uint32_t NAME_CPP = 4711;\n"),
        ("h", "#define NAME_H 4711\n"),
        ("cs", "class A { const int NAME_CS = 4711; }\n"),
        ("go", "package a\n\nconst NAME_GO = 4711\n"),
        ("java", "class A { static final int NAME_JAVA = 4711; }\n"),
        ("js", "const NAME_JS = 4711;\n"),
        ("lua", "local NAME_LUA = 4711\n"),
        ("py", "NAME_PY = 4711\n"),
        ("rs", "const NAME_RS: u32 = 4711;\n"),
        ("sql", "SET @NAME_SQL = 4711;\n"),
        ("ts", "const NAME_TS: number = 4711;\n"),
        ("tsx", "const NAME_TSX: number = 4711;\n"),
    ];
    let repository = TestRepository::new();
    for (extension, source) in sources {
        repository.write(format!("{extension}/a.{extension}"), source);
    }
    repository.commit("languages");
    for hints in ["lexical", "syntax"] {
        let pincite = Pincite::new(repository.path());
        pincite.json(&["index", "--hints", hints]);
        for (extension, _) in sources {
            let result = pincite.json(&["context", "4711", "--path-prefix", &format!("{extension}/")]);
            let expected = format!("NAME_{}", extension.to_uppercase());
            assert_eq!(names(&result), ["4711", &expected], "{hints}");
            assert_eq!(result["index"]["hints"], hints);
            let by = if extension == "sql" { "lexical" } else { hints };
            assert_eq!(result["searches"][1]["origin"]["hint"], by, "{extension}");
        }
    }
}

// C1-10: a term that is nowhere gives an empty, complete result that excludes nothing.
#[test]
fn an_empty_answer_is_complete_and_excludes_nothing() {
    let repository = server();
    let pincite = Pincite::indexed(repository.path());
    let result = pincite.json(&["context", "NoSuchName"]);
    assert_eq!(result["status"], "complete_configured_source_context");
    assert_eq!(result["searches"].as_array().unwrap().len(), 1);
    assert_eq!((&result["files"], &result["matches"]), (&json!([]), &json!([])));
    assert_eq!(result["searches"][0]["complete"], true);
    let notice = result["notice"].as_str().unwrap();
    for word in
        ["symbolic constants", "generated code", "database control", "other file types", "dynamic paths", "hexadecimal"]
    {
        assert!(notice.contains(word), "{word}");
    }
}

// C1-08 L-04 L-05: each limit that bites is named with its value, and the answer is partial.
#[test]
fn every_limit_that_bites_is_named() {
    let repository = server();
    let long = format!("int big = 815; // {}\n", "x".repeat(2_000));
    repository.write("src/long.cpp", long);
    let many: String = (0..30).map(|n| format!("use(815, {n});\n{}", "//\n".repeat(40))).collect();
    repository.write("src/many.cpp", many);
    repository.commit("more");
    let pincite = Pincite::indexed(repository.path());
    for (settings, term, limit, configured, search) in [
        ("max_matches = 5", "815", "max_matches", 5, Some("s1")),
        ("max_searches = 1", "23487", "max_searches", 1, None),
        ("max_files = 1", "23487", "max_files", 1, None),
        ("max_blocks = 3", "815", "max_blocks", 3, None),
        ("max_total_lines = 20", "815", "max_total_lines", 20, None),
        ("max_files = 8", "815", "max_line_chars", 400, None),
    ] {
        let profile = profile(&pincite, settings);
        let result = pincite.json(&["context", term, "--path-prefix", "src/", "--profile", &profile]);
        let expected = match search {
            Some(search) => json!({"limit": limit, "configured": configured, "search": search}),
            None => json!({"limit": limit, "configured": configured}),
        };
        if limit == "max_files" {
            let all = pincite.json(&["context", term, "--profile", &profile]);
            assert!(all["limits_reached"].as_array().unwrap().contains(&expected), "{all}");
            assert_eq!(all["files"].as_array().unwrap().len(), 1);
            assert!(all["matches"].as_array().unwrap().iter().any(|one| one["context_returned"] == false));
            continue;
        }
        assert!(
            result["limits_reached"].as_array().unwrap().contains(&expected),
            "{limit}: {}",
            result["limits_reached"]
        );
        assert_eq!(result["status"], "partial_configured_source_context");
        let blocks: Vec<_> =
            result["files"].as_array().unwrap().iter().flat_map(|file| file["blocks"].as_array().unwrap()).collect();
        let lines: usize = blocks.iter().map(|block| block["lines"].as_array().unwrap().len()).sum();
        match limit {
            "max_blocks" => assert_eq!(blocks.len(), 3),
            "max_total_lines" => assert_eq!(lines, 20, "the last window is trimmed, not dropped"),
            "max_matches" => {
                assert_eq!(result["matches"].as_array().unwrap().iter().filter(|one| one["search"] == "s1").count(), 5);
                assert_eq!(result["searches"][0]["matches"], 31, "totals stay exact");
            }
            _ => {}
        }
        check_shortened(&result);
    }
}

// L-03
fn check_shortened(result: &Value) {
    for block in result["files"].as_array().unwrap().iter().flat_map(|file| file["blocks"].as_array().unwrap()) {
        for one in block["shortened"].as_array().into_iter().flatten() {
            let at = one["line"].as_u64().unwrap() - block["start_line"].as_u64().unwrap();
            let shown = block["lines"][at as usize].as_str().unwrap();
            assert_eq!(shown.chars().count(), 401);
            assert!(shown.ends_with('…'));
            assert_eq!(one["chars"], 2_018);
        }
    }
}

// C1-07: internal searches share `max_search_bytes`, each with a bounded part.
#[test]
fn searches_share_the_bytes_they_may_read() {
    let repository = TestRepository::new();
    for n in 0..8 {
        repository.write(format!("src/f{n}.c"), format!("{}a->b{n}\n", "// filler\n".repeat(50)));
    }
    repository.commit("eight files of 506 bytes");
    let pincite = Pincite::indexed(repository.path());
    let profile = pincite.profile("[limits]\nmax_search_bytes = 4048\n[source_analysis]\nmax_searches = 4\n");
    let result = pincite.json(&["context", "a->b", "--profile", &profile]);
    let search = &result["searches"][0];
    assert_eq!(
        search["scanned"],
        json!({"over": "candidates", "files": 2, "of_files": 8, "bytes": 1012, "of_bytes": 4048})
    );
    assert_eq!((&search["complete"], &search["matches"]), (&json!(false), &json!(2)));
    assert_eq!(result["limits_reached"][0], json!({"limit": "max_search_bytes", "configured": 4048, "search": "s1"}));
    assert_eq!(result["status"], "partial_configured_source_context");
}

// C1-06: it can be switched off, and then says so.
#[test]
fn it_can_be_switched_off() {
    let repository = server();
    let pincite = Pincite::indexed(repository.path());
    let profile = profile(&pincite, "enabled = false");
    assert_eq!(pincite.error(&["context", "23487", "--profile", &profile])["code"], "disabled");
}

// L-05 A-02: something skipped in scope makes the answer partial; what lies outside does not.
#[test]
fn a_skipped_file_makes_the_answer_partial() {
    let repository = server();
    repository.write("src/data.cpp", b"\0binary 23487");
    repository.commit("binary");
    let pincite = Pincite::indexed(repository.path());
    let result = pincite.json(&["context", "23487"]);
    assert_eq!(result["searches"][0]["skipped"], json!({"binary": 1}));
    assert_eq!(result["searches"][0]["complete"], false);
    assert_eq!(result["status"], "partial_configured_source_context");
    let elsewhere = pincite.json(&["context", "23487", "--path-prefix", "tools/"]);
    assert_eq!(elsewhere["status"], "complete_configured_source_context");
}
