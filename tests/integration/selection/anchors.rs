//! What is searched: protocols, entities, anchors and where they are from.

use super::*;

// C2-01: protocol 1 keeps its arguments, its settings and its answers; protocol 2 is switched on explicitly.
#[test]
fn protocol_2_is_switched_on_and_protocol_1_stays() {
    let repository = world();
    let pincite = Pincite::indexed(repository.path());
    let one = pincite.profile("[source_analysis]\nprotocol = 1\nregistration_prefixes = ['AddSC_']\n");
    let result = pincite.json(&["context", "23487", "--path-prefix", "src/", "--profile", &one]);
    assert_eq!(result["protocol"], 1);
    assert_eq!(result["request"], json!({"kind": "source.context", "text": "23487", "path_prefix": "src/"}));
    assert_eq!(result["searches"][0]["mode"], "literal");
    let members: Vec<&str> = result.as_object().unwrap().keys().map(String::as_str).collect();
    let known = [
        "kind",
        "protocol",
        "pin",
        "index",
        "request",
        "status",
        "limits_reached",
        "work",
        "searches",
        "files",
        "matches",
    ];
    assert_eq!(members, [&known[..], &["notice"]].concat());
    assert!(result["searches"][0].get("scope").is_none());
    for (flag, value, field) in [
        ("--scope", "code", "scope"),
        ("--entity", "N0005", "entity_refs"),
        ("--interpretation", "/x", "interpretation"),
    ] {
        let error = pincite.error(&["context", "23487", "--profile", &one, flag, value]);
        assert_eq!((&error["code"], &error["field"]), (&json!("invalid_request"), &json!(field)));
    }
    let refused = pincite.profile("[source_analysis]\nmax_anchors = 3\n");
    let error = pincite.error(&["context", "23487", "--profile", &refused]);
    assert_eq!((&error["code"], &error["field"]), (&json!("invalid_profile"), &json!("source_analysis.max_anchors")));
    let two = Asker::new(repository, "", &case()).ask(&["23487"]);
    assert_eq!(two["protocol"], 2);
    let request =
        json!({"kind": "source.context", "text": "23487", "path_prefix": "", "entity_refs": [], "scope": "code"});
    assert_eq!(two["request"], request);
}

// C2-02: a reference names an entity of the interpretation; a caller can not hand in anchors.
#[test]
fn invented_entities_are_refused() {
    let asker = Asker::new(world(), "", &case());
    let error = asker.error(&["23487", "--entity", "N0005", "--entity", "N9999"]);
    assert_eq!((&error["code"], &error["field"]), (&json!("unknown_entity"), &json!("entity_refs")));
    assert!(error["message"].as_str().unwrap().contains("N9999"));
    let without = asker.pincite.error(&["context", "23487", "--profile", &asker.profile, "--entity", "N0005"]);
    assert_eq!(without["code"], "unknown_entity");
    let free = json!({"kind": "source.context", "text": "23487", "anchors": ["boss"]});
    assert_eq!(Request::parse(&free, Protocol::Two).unwrap_err().field.as_deref(), Some("anchors"));
    std::fs::write(&asker.case, r#"{"interpretation": 1, "entities": [{"id": 5}]}"#).unwrap();
    let error = asker.error(&["23487"]);
    assert_eq!((&error["code"], &error["field"]), (&json!("invalid_request"), &json!("interpretation/entities/0/id")));
}

// C2-03 C2-09: one number in three namespaces: no type is guessed, and a named entity counts in its own namespace only.
#[test]
fn the_same_number_in_different_namespaces() {
    let asker = Asker::new(world(), WIDE, &case());
    let bare = asker.ask(&["23487"]);
    assert_eq!(primary(&bare), [""; 0]);
    assert_eq!(bare["anchors"][0]["kind"], "number");
    assert_eq!((&bare["anchors"][0]["type"], &bare["anchors"][0]["entity"]), (&Value::Null, &Value::Null));
    assert!(bare["warnings"][0].as_str().unwrap().contains("creature, quest, spell"), "{}", bare["warnings"]);
    for path in [WOLPERTINGER, GARR, QUEST, TABLE] {
        assert_eq!(class(&bare, path), "weak_numeric", "{path}");
    }
    let creature = asker.ask(&["23487", "--entity", "N0005"]);
    assert!(primary(&creature).contains(&WOLPERTINGER));
    assert_eq!(class(&creature, GARR), "weak_numeric", "a spell's binding is no evidence for a creature");
    let spell = asker.ask(&["23487", "--entity", "N0006"]);
    assert_eq!(primary(&spell), [GARR]);
    assert_eq!(signals(&spell, GARR), ["binding"]);
    assert_eq!(class(&spell, WOLPERTINGER), "weak_numeric");
    // No namespace is configured for quests, so a quest's number stays a number.
    let quest = asker.ask(&["23487", "--entity", "N0004"]);
    assert_eq!(primary(&quest), [""; 0]);
    assert_eq!(quest["anchors"][0]["type"], "quest");
    let both = asker.ask(&["23487", "--entity", "N0006", "--entity", "N0005"]);
    assert!(primary(&both).contains(&GARR) && primary(&both).contains(&WOLPERTINGER));
}

// C2-03: unique numbers, names and script names are assigned; what is shared is not.
#[test]
fn unique_texts_are_assigned() {
    let mut case = case();
    case["entities"].as_array_mut().unwrap().push(entity("N0008", "quest", 7, "Garr", "other"));
    case["entities"].as_array_mut().unwrap().push(entity("N0009", "creature", 12057, "Garr the Elder", "other"));
    let asker = Asker::new(world(), WIDE, &case);
    let entities = |result: &Value| -> Vec<String> {
        let all = list(result, "anchors").iter().filter_map(|one| one["entity"].as_str().map(str::to_owned));
        all.collect::<BTreeSet<_>>().into_iter().collect()
    };
    assert_eq!(entities(&asker.ask(&["12057"])), ["N0007", "N0009"], "one type, so the number is that type's");
    assert_eq!(entities(&asker.ask(&["Separation Anxiety"])), ["N0006"]);
    assert_eq!(entities(&asker.ask(&["separation_anxiety"])), ["N0006"], "a spelling of the name");
    assert_eq!(entities(&asker.ask(&["npc_wolpertinger"])), ["N0005"], "a proven script name");
    let shared = asker.ask(&["Garr"]);
    assert_eq!(entities(&shared), [""; 0]);
    assert_eq!((&shared["anchors"][0]["kind"], &shared["anchors"][0]["entity"]), (&json!("name"), &Value::Null));
    assert_eq!(shared["anchors"][0]["variants"], json!(["garr", "GARR"]));
    assert!(shared["warnings"][0].as_str().unwrap().contains("N0007, N0008"));
    assert_eq!(entities(&asker.ask(&["unknown_text"])), [""; 0]);
    assert_eq!(entities(&asker.ask(&["012057"])), [""; 0], "written otherwise it is another token");
}

// C2-04 C2-08: a name and its spellings are one group that supports once, however many of them a file has.
#[test]
fn spellings_of_a_name_are_one_group() {
    let asker =
        Asker::new(world(), &format!("{WIDE}\nfocus_roles = ['effect']\ncontext_fact_names = ['zone']"), &case());
    let result = asker.ask(&["Wolpertinger"]);
    let names: Vec<_> = list(&result, "anchors").iter().filter(|one| one["kind"] == "name").collect();
    assert_eq!(names.len(), 1);
    assert_eq!(names[0]["variants"], json!(["wolpertinger", "WOLPERTINGER"]));
    assert_eq!(signals(&result, "src/names.cpp"), ["name"]);
    assert_eq!(class(&result, "src/names.cpp"), "supporting_context");
    // Entities in focus and facts are context, each with its spellings.
    let kinds = |kind: &str| -> Vec<&Value> {
        list(&result, "anchors").iter().filter(|one| one["kind"] == kind).map(|one| &one["text"]).collect()
    };
    assert_eq!(kinds("context_name"), ["Separation Anxiety"]);
    assert_eq!(kinds("context_fact"), ["Howling Fjord"]);
    assert!(texts(&result, "searches").contains(&"HOWLING_FJORD"));
    let origins: BTreeSet<_> =
        list(&result, "searches").iter().map(|one| one["origin"]["kind"].as_str().unwrap()).collect();
    assert_eq!(origins, BTreeSet::from(["request", "anchor", "binding", "registration"]));
    let plain = asker.with_settings(WIDE).ask(&["Wolpertinger"]);
    assert!(list(&plain, "anchors").iter().all(|one| !one["kind"].as_str().unwrap().starts_with("context")));
}

// C2-05: a script name comes from a mapped record alone.
#[test]
fn scripts_come_from_mapped_records_only() {
    let asker = Asker::new(world(), WIDE, &case());
    let result = asker.ask(&["23487", "--entity", "N0005"]);
    let scripts: Vec<_> = list(&result, "anchors").iter().filter(|one| one["kind"] == "script").collect();
    assert_eq!(scripts.len(), 1);
    assert_eq!(scripts[0]["text"], "npc_wolpertinger");
    assert_eq!(signals(&result, WOLPERTINGER)[0], "script");
    // The record of a table that is not mapped, or of another type or number, proves nothing; nor does a fact.
    let spell = asker.ask(&["23487", "--entity", "N0006"]);
    assert!(list(&spell, "anchors").iter().all(|one| one["kind"] != "script"));
    let mut without = case();
    without["records"] = json!([]);
    without["facts"] = json!([{"name": "script", "value": "npc_wolpertinger", "entity": "N0005",
                               "source": {"document": "case", "pointer": "/summary"}}]);
    std::fs::write(&asker.case, without.to_string()).unwrap();
    let result = asker.ask(&["23487", "--entity", "N0005"]);
    assert!(!texts(&result, "searches").contains(&"npc_wolpertinger"));
    // A number that was captured as text is a number.
    without["records"] = case()["records"].clone();
    without["records"][0]["row"]["entry"] = json!("23487");
    std::fs::write(&asker.case, without.to_string()).unwrap();
    assert!(texts(&asker.ask(&["23487", "--entity", "N0005"]), "searches").contains(&"npc_wolpertinger"));
}

// C2-05 C2-07: a proven script name may be the term.
#[test]
fn a_script_name_can_be_asked_for() {
    let result = Asker::new(world(), WIDE, &case()).ask(&["npc_wolpertinger"]);
    assert_eq!(result["anchors"][0]["kind"], "script");
    assert_eq!(signals(&result, WOLPERTINGER)[0], "script");
    assert_eq!(primary(&result)[0], WOLPERTINGER);
}

// C2-06: every anchor has its source in the canonical interpretation, and other anchors give another answer.
#[test]
fn anchors_have_their_source() {
    let settings = format!("{WIDE}\nfocus_roles = ['target', 'boss']\ncontext_fact_names = ['zone']");
    let asker = Asker::new(world(), &settings, &case());
    let read = Interpretation::parse(&case()).unwrap();
    let canonical: Value = serde_json::from_str(read.canonical_text()).unwrap();
    let result = asker.ask(&["23487", "--entity", "N0005"]);
    let mut kinds = BTreeSet::new();
    for anchor in list(&result, "anchors") {
        let source = &anchor["source"];
        assert_eq!((&source["document"], &source["sha256"]), (&json!("interpretation"), &json!(read.sha256())));
        let item = canonical.pointer(source["pointer"].as_str().unwrap()).expect("the pointer leads somewhere");
        let shown = item.as_str().map_or_else(|| item.to_string(), str::to_owned);
        assert_eq!(anchor["text"], shown, "{anchor}");
        assert!(source["from"]["document"].is_string() && source["from"]["pointer"].is_string());
        kinds.insert(anchor["kind"].as_str().unwrap());
        if anchor["entity"] == "N0005" && anchor["kind"] != "context_fact" {
            assert_eq!((&anchor["type"], &anchor["roles"]), (&json!("creature"), &json!(["target"])));
        }
    }
    assert_eq!(kinds, BTreeSet::from(["id", "script", "name", "context_name", "context_fact"]));
    let asked = asker.ask(&["nothing_of_it"]);
    assert_eq!(asked["anchors"][0]["source"], json!({"document": "request", "pointer": "/text"}));
    let mut other = case();
    other["records"][0]["row"]["ScriptName"] = json!("npc_another");
    std::fs::write(&asker.case, other.to_string()).unwrap();
    let changed = asker.ask(&["23487", "--entity", "N0005"]);
    assert_eq!(changed["request"], result["request"]);
    assert_ne!(changed["anchors"], result["anchors"]);
}
