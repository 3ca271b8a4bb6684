//! What matches are worth: namespaces, spellings, repetitions, places.

use super::*;

// C2-07: scripts and asked symbols are strong; a display name is not, and is never taken for a script name.
#[test]
fn display_names_are_no_symbols() {
    let asker = Asker::new(world(), WIDE, &case());
    let symbol = asker.ask(&["NPC_WOLPERTINGER"]);
    assert_eq!(primary(&symbol), [WOLPERTINGER, BATTLE]);
    assert_eq!(signals(&symbol, BATTLE), ["symbol"]);
    let mut quest = case();
    quest["entities"] = json!([entity("N1", "quest", 7, "Wolpertinger", "context")]);
    quest["facts"] = json!([]);
    std::fs::write(&asker.case, quest.to_string()).unwrap();
    for text in ["Wolpertinger", "wolpertinger", "WOLPERTINGER"] {
        let result = asker.ask(&[text]);
        assert_eq!(primary(&result), [""; 0], "{text}");
        assert_eq!(class(&result, "src/names.cpp"), "supporting_context");
    }
    // The same identifier is a symbol where no entity is called like that.
    quest["entities"][0]["names"] = json!(["The Hunt"]);
    std::fs::write(&asker.case, quest.to_string()).unwrap();
    assert!(primary(&asker.ask(&["Wolpertinger"])).contains(&"src/names.cpp"));
    // A phrase is neither a symbol nor a name.
    let phrase = asker.ask(&["summon(NPC_WOLPERTINGER)"]);
    assert_eq!((primary(&phrase), signals(&phrase, BATTLE)), (vec![], vec!["text".to_owned()]));
}

// C2-09: what is bound must be the number itself, under a marker of the proven type.
#[test]
fn only_a_marked_binding_makes_a_number_primary() {
    let repository = TestRepository::new();
    for (path, line) in [
        ("src/a.cpp", "enum { NPC_A = 23487 };"),
        ("src/b.cpp", "int counter = 23487;"),
        ("src/c.cpp", "enum { NPC_C = 5, OTHER = 23487 };"),
        ("src/d.cpp", "int NPC_D = -23487;"),
        ("src/e.cpp", "if (NPC_E == 23487) {}"),
        ("src/f.cpp", "#define NPC_F 23487u"),
        ("src/g.cpp", "f(NPC_A); int NPC_A = 99;"),
    ] {
        repository.write(path, format!("{line}\n"));
    }
    repository.commit("bindings");
    let result = Asker::new(repository, WIDE, &case()).ask(&["23487", "--entity", "N0005"]);
    assert_eq!(primary(&result), ["src/a.cpp", "src/f.cpp"]);
    for path in ["src/b.cpp", "src/c.cpp", "src/d.cpp", "src/e.cpp"] {
        assert_eq!(class(&result, path), "weak_numeric", "{path}");
    }
    assert_eq!(signals(&result, "src/g.cpp"), ["namesake"], "the constant has another value there");
    assert_eq!(class(&result, "src/g.cpp"), "supporting_context");
}

// C2-10: mass repetition and many numbers make nothing stronger.
#[test]
fn repetitions_add_nothing() {
    let repository = world();
    repository.write("src/aaa_noise.cpp", "f(23487); g(12057); h(23487, 12057);\n".repeat(500));
    repository.commit("noise");
    let mut case = case();
    case["entities"].as_array_mut().unwrap().retain(|one| one["type"] == "creature");
    let asker = Asker::new(repository, "max_searches = 12", &case);
    let result = asker.ask(&["23487", "--entity", "N0005", "--entity", "N0007"]);
    assert_eq!(class(&result, "src/aaa_noise.cpp"), "weak_numeric");
    assert!(primary(&result).contains(&WOLPERTINGER));
    let weak = list(&result, "weak_numeric").iter().find(|one| one["path"] == "src/aaa_noise.cpp").unwrap();
    assert_eq!(weak["count"], 500);
    assert_eq!(list(weak, "lines").len(), 8);
    assert!(list(&result, "files").iter().all(|file| file["path"] != "src/aaa_noise.cpp"), "no windows");
    assert!(list(&result, "matches").iter().all(|one| one["path"] != "src/aaa_noise.cpp"));
    assert!(!reached(&result, "max_matches"), "weak matches crowd nothing out");
}

// C2-11: a typed binding leads to its constant and to the registrations of its file; a bare number leads nowhere.
#[test]
fn only_strong_files_are_explored() {
    let asker = Asker::new(world(), WIDE, &case());
    let bare = asker.ask(&["23487"]);
    assert_eq!(texts(&bare, "searches"), ["23487"]);
    let spell = asker.ask(&["23487", "--entity", "N0006"]);
    assert_eq!(texts(&spell, "searches")[..3], ["23487", "SPELL_SEPARATION_ANXIETY", "AddSC_garr"]);
    assert!(!texts(&spell, "searches").contains(&"AddSC_table"), "the number's other files are not explored");
    let origin = &spell["searches"][1]["origin"];
    assert_eq!(
        (&origin["kind"], &origin["group"], &origin["search"], &origin["path"], &origin["line"]),
        (&json!("binding"), &json!("g1"), &json!("s1"), &json!(GARR), &json!(1))
    );
    let origin = &spell["searches"][2]["origin"];
    assert_eq!((&origin["kind"], &origin["path"]), (&json!("registration"), &json!(GARR)));
    // The loader is context, and none of its other registrations is followed.
    assert_eq!(signals(&spell, LOADER), ["registration"]);
    let asked = asker.ask(&["AddSC_garr"]);
    assert_eq!(texts(&asked, "searches"), ["AddSC_garr"], "a registration as text explores no loader");
}

// C2-12: another known place is told apart and kept; strong evidence stays primary there.
#[test]
fn other_locations_are_kept_apart() {
    let asker = Asker::new(world(), &format!("{WIDE}\ncontext_fact_names = ['zone']"), &case());
    let result = asker.ask(&["23487", "--entity", "N0005"]);
    assert_eq!(class(&result, BATTLE), "supporting_other_location");
    assert_eq!(selected(&result, BATTLE).unwrap()["location"], "Wintergrasp");
    assert_eq!(signals(&result, BATTLE), ["constant", "name"], "the cross reference is kept");
    assert_eq!(selected(&result, WOLPERTINGER).unwrap()["location"], "Howling Fjord");
    assert_eq!(primary(&result), [WOLPERTINGER]);
    assert!(list(&result, "files").iter().any(|file| file["path"] == BATTLE), "it has windows");
    assert!(!texts(&result, "searches").contains(&"AddSC_battle"), "a file elsewhere is not explored");
    // A few words of context do not crowd it out.
    let asker =
        asker.with_settings(&format!("{}\ncontext_fact_names = ['zone']", WIDE.replace("files = 40", "files = 2")));
    let narrow = asker.ask(&["23487", "--entity", "N0005"]);
    let files = list(&narrow["selection"], "files").iter().filter(|file| file["class"] != "weak_numeric");
    assert_eq!(files.map(|file| &file["path"]).collect::<Vec<_>>(), [WOLPERTINGER, BATTLE]);
    // An asked symbol is primary wherever it stands.
    assert!(primary(&asker.ask(&["NPC_WOLPERTINGER", "--entity", "N0005"])).contains(&BATTLE));
    // Without a known place of the case there is no other place.
    let anywhere = asker.with_settings(WIDE).ask(&["23487", "--entity", "N0005"]);
    assert_eq!(class(&anywhere, BATTLE), "primary_candidate");
    assert_eq!(selected(&anywhere, BATTLE).unwrap()["location"], "Wintergrasp");
}

// C2-13: only numbers: no primary file, nothing in its place, short summaries, and the notice says what that means.
#[test]
fn only_numbers_give_summaries() {
    let repository = TestRepository::new();
    repository.write("src/a.cpp", "f(23487);\n\nf(23487);\n");
    repository.write("src/b.cpp", "int x = 23487;\n");
    repository.commit("numbers");
    let result = Asker::new(repository, "", &case()).ask(&["23487"]);
    assert_eq!(result["selection"]["primary_files"], json!([]));
    assert_eq!((&result["files"], &result["matches"]), (&json!([]), &json!([])));
    assert_eq!(
        result["weak_numeric"],
        json!([{"path": "src/a.cpp", "count": 2, "lines": [1, 3]}, {"path": "src/b.cpp", "count": 1, "lines": [1]}])
    );
    let classes: Vec<_> = list(&result["selection"], "files").iter().map(|file| &file["class"]).collect();
    assert_eq!(classes, ["weak_numeric", "weak_numeric"]);
    assert_eq!(result["status"], "complete_configured_source_context");
    let notice = result["notice"].as_str().unwrap();
    for part in ["never confidence in a cause", "No primary file means only", "dynamic paths", "text heuristics"] {
        assert!(notice.contains(part), "{part}");
    }
}
