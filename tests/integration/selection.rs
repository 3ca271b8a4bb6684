//! `source.context`, protocol 2: anchors, namespaces, classes, scopes.

use std::collections::BTreeSet;

use pincite_indexer::{IndexOptions, NoProgress};
use pincite_query::Engine;
use pincite_shared::git::Repository;
use pincite_shared::profile::Profile;
use pincite_shared::settings::Protocol;
use pincite_shared::wire::interpretation::Interpretation;
use pincite_shared::wire::request::Request;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::pincite::Pincite;
use crate::support::oracle::blob;
use crate::support::repository::TestRepository;

const WOLPERTINGER: &str = "src/scripts/fjord/wolpertinger.cpp";
const GARR: &str = "src/scripts/garr.cpp";
const BATTLE: &str = "src/scripts/wintergrasp/battle.cpp";
const QUEST: &str = "src/quests.cpp";
const TABLE: &str = "src/table.cpp";
const LOADER: &str = "src/loader.cpp";

fn filler(lines: usize) -> String {
    (0..lines).map(|n| format!("// filler {n}\n")).collect()
}

/// One number as a creature, a spell and a quest; a loader; a battle elsewhere; database text of three ages.
fn world() -> TestRepository {
    let repository = TestRepository::new();
    repository.write(
        WOLPERTINGER,
        format!(
            "enum Creatures\n{{\n    NPC_WOLPERTINGER = 23487,\n}};\n{}void spawn() {{ summon(NPC_WOLPERTINGER); }}\n{}\
             void AddSC_wolpertinger()\n{{\n    script->Name = \"npc_wolpertinger\";\n}}\n",
            filler(30),
            filler(30)
        ),
    );
    repository.write(
        GARR,
        format!(
            "enum Spells {{ SPELL_SEPARATION_ANXIETY = 23487 }};\n{}void AddSC_garr() {{ use(SPELL_SEPARATION_ANXIETY); }}\n",
            filler(30)
        ),
    );
    repository.write(
        BATTLE,
        format!(
            "void f()\n{{\n    summon(NPC_WOLPERTINGER); // Wolpertinger\n}}\n{}void AddSC_battle() {{}}\n",
            filler(20)
        ),
    );
    repository.write(QUEST, "const int QUEST_HUNT = 23487;\nvoid AddSC_quests() {}\n");
    repository.write(TABLE, "int table[] = { 23487, 123487 };\nvoid AddSC_table() {}\n");
    repository.write("src/names.cpp", "// the Wolpertinger of the fjord\n// WOLPERTINGER wolpertinger Wolpertinger\n");
    let names = ["wolpertinger", "garr", "battle", "quests", "table"];
    let calls: String = names.iter().map(|name| format!("    AddSC_{name}();\n")).collect();
    repository.write(LOADER, format!("void load()\n{{\n{calls}}}\n"));
    repository.write("src/data.sql", "INSERT INTO x VALUES (23487);\n");
    repository.write("sql/base/world.sql", "INSERT INTO creature_template VALUES (23487, 'Wolpertinger');\n");
    repository.write("sql/archive/old.sql", "INSERT INTO creature_template VALUES (23487, 'old');\n");
    repository.write("sql/updates/new.sql", "UPDATE creature_template SET x = 1 WHERE entry = 23487;\n");
    repository.write("tools/spawn.py", "NPC_TOOL = 23487\n");
    repository.commit("world");
    repository
}

fn profile_text(settings: &str) -> String {
    format!(
        "[source_analysis]\nprotocol = 2\nregistration_prefixes = ['AddSC_']\n{settings}\n\
         [source_analysis.scopes.code]\npaths = ['src/']\nexclude_extensions = ['sql']\n\
         [source_analysis.scopes.schema]\npaths = ['sql/base/']\nextensions = ['sql']\n\
         [source_analysis.scopes.historical_sql]\npaths = ['sql/archive/', 'sql/updates/']\nextensions = ['sql']\n\
         [[source_analysis.type_markers]]\ntype = 'creature'\nprefixes = ['NPC_']\n\
         [[source_analysis.type_markers]]\ntype = 'spell'\nprefixes = ['SPELL_']\n\
         [[source_analysis.entity_tables]]\ntype = 'creature'\ntable = 'creature_template'\n\
         id_column = 'entry'\nscript_column = 'ScriptName'\n\
         [[source_analysis.location_paths]]\nlocation = 'Wintergrasp'\npaths = ['src/scripts/wintergrasp/']\n\
         [[source_analysis.location_paths]]\nlocation = 'Howling Fjord'\npaths = ['src/scripts/fjord/']\n"
    )
}

const WIDE: &str = "max_searches = 40\nmax_files = 40\nmax_blocks = 80\nmax_total_lines = 4000\nmax_matches = 200";

fn entity(id: &str, entity_type: &str, number: u64, name: &str, role: &str) -> Value {
    json!({"id": id, "type": entity_type, "ids": [number], "names": [name], "roles": [role],
           "source": {"document": "case", "pointer": format!("/observations/{id}")}})
}

/// A creature, a spell and a quest of one number, and a creature of another.
fn case() -> Value {
    json!({
        "interpretation": 1,
        "entities": [
            entity("N0005", "creature", 23487, "Wolpertinger", "target"),
            entity("N0006", "spell", 23487, "Separation Anxiety", "effect"),
            entity("N0004", "quest", 23487, "The Hunt", "context"),
            entity("N0007", "creature", 12057, "Garr", "boss")],
        "facts": [{"name": "zone", "value": "Howling Fjord", "entity": "N0005",
                   "source": {"document": "case", "pointer": "/facts/0"}}],
        "records": [
            {"table": "creature_template", "row": {"entry": 23487, "ScriptName": "npc_wolpertinger"},
             "source": {"document": "capture", "pointer": "/rows/0"}},
            {"table": "spell_template", "row": {"entry": 23487, "ScriptName": "spell_of_another_table"},
             "source": {"document": "capture", "pointer": "/rows/1"}}]
    })
}

/// Asks about a repository under a profile and a case.
struct Asker {
    repository: TestRepository,
    pincite: Pincite,
    profile: String,
    case: String,
}

impl Asker {
    fn new(repository: TestRepository, settings: &str, case: &Value) -> Self {
        let pincite = Pincite::indexed(repository.path());
        let profile = pincite.profile(&profile_text(settings));
        let file = pincite.home().join("case.json");
        std::fs::write(&file, case.to_string()).unwrap();
        Self { repository, pincite, profile, case: file.to_str().unwrap().to_owned() }
    }

    fn with_settings(self, settings: &str) -> Self {
        self.pincite.profile(&profile_text(settings));
        self
    }

    fn arguments<'a>(&'a self, rest: &[&'a str]) -> Vec<&'a str> {
        [&["context"], rest, &["--profile", &self.profile, "--interpretation", &self.case]].concat()
    }

    /// An answer, checked against Git.
    fn ask(&self, rest: &[&str]) -> Value {
        let result = self.pincite.json(&self.arguments(rest));
        check(&self.repository, &result);
        result
    }

    fn error(&self, rest: &[&str]) -> Value {
        self.pincite.error(&self.arguments(rest))
    }
}

fn list<'a>(value: &'a Value, name: &str) -> &'a Vec<Value> {
    value[name].as_array().unwrap()
}

fn list_or_empty<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map(Vec::as_slice).unwrap_or_default()
}

fn texts<'a>(result: &'a Value, name: &str) -> Vec<&'a str> {
    list(result, name).iter().map(|one| one["text"].as_str().unwrap()).collect()
}

fn primary(result: &Value) -> Vec<&str> {
    list(&result["selection"], "primary_files").iter().map(|path| path.as_str().unwrap()).collect()
}

fn selected<'a>(result: &'a Value, path: &str) -> Option<&'a Value> {
    list(&result["selection"], "files").iter().find(|file| file["path"] == path)
}

fn class<'a>(result: &'a Value, path: &str) -> &'a str {
    selected(result, path).map_or("", |file| file["class"].as_str().unwrap())
}

fn signals(result: &Value, path: &str) -> Vec<String> {
    let file = selected(result, path).unwrap_or_else(|| panic!("{path} in {}", result["selection"]));
    list(file, "signals").iter().map(|one| one["signal"].as_str().unwrap().to_owned()).collect()
}

fn reached(result: &Value, limit: &str) -> bool {
    list(result, "limits_reached").iter().any(|one| one["limit"] == limit)
}

/// Every line that an answer shows or names is what Git has, and the answer agrees with itself.
fn check(repository: &TestRepository, result: &Value) {
    let lines_of = |path: &str| -> Vec<String> {
        let object = repository.resolve(&format!("{}:{path}", result["pin"]["commit"].as_str().unwrap()));
        String::from_utf8_lossy(&blob(repository.path(), &object)).lines().map(str::to_owned).collect()
    };
    let holds = |line: &str, search: &Value| {
        let text = regex::escape(search["text"].as_str().unwrap());
        let pattern = match search["mode"].as_str().unwrap() {
            "word" => format!(r"\b{text}\b"),
            "decimal" => format!(r"(^|[^\w.]){text}([uUlL]*)([^\w.]|\.$|$)"),
            _ => text,
        };
        regex::Regex::new(&pattern).unwrap().is_match(line)
    };
    let mut shown = BTreeSet::new();
    for file in list(result, "files") {
        let path = file["path"].as_str().unwrap();
        let real = lines_of(path);
        let mut last = 0;
        for block in list(file, "blocks") {
            let start = block["start_line"].as_u64().unwrap() as usize;
            assert!(last == 0 || start > last + 1, "blocks neither overlap nor touch");
            for (at, line) in list(block, "lines").iter().enumerate() {
                let (line, real) = (line.as_str().unwrap(), real[start - 1 + at].as_str());
                let is_shortened = list_or_empty(block, "shortened").iter().any(|one| one["line"] == start + at);
                match line.strip_suffix('…').filter(|_| is_shortened) {
                    Some(part) => assert!(real.starts_with(part) && real.len() > part.len()),
                    None => assert_eq!(line, real),
                }
                last = start + at;
                shown.insert((path.to_owned(), last));
            }
        }
    }
    let search = |id: &Value| list(result, "searches").iter().find(|one| one["id"] == *id).unwrap();
    for one in list(result, "matches") {
        let (path, line) = (one["path"].as_str().unwrap(), one["line"].as_u64().unwrap() as usize);
        assert!(holds(&lines_of(path)[line - 1], search(&one["search"])), "{one}");
        assert_eq!(one["context_returned"], shown.contains(&(path.to_owned(), line)), "{one}");
        assert!(one.get("text").is_none(), "code is not repeated in matches");
    }
    for weak in list(result, "weak_numeric") {
        let real = lines_of(weak["path"].as_str().unwrap());
        for line in list(weak, "lines") {
            let line = &real[line.as_u64().unwrap() as usize - 1];
            assert!(list(result, "searches").iter().any(|search| holds(line, search)), "{weak}");
        }
    }
    let cut = !list(result, "limits_reached").is_empty();
    let skipped = list(result, "searches").iter().any(|one| one["skipped"] != json!({}));
    let status = if cut || skipped { "partial" } else { "complete" };
    assert_eq!(result["status"], format!("{status}_configured_source_context"));
    let groups: BTreeSet<&str> = list(result, "anchors").iter().map(|one| one["group"].as_str().unwrap()).collect();
    for file in list(&result["selection"], "files") {
        let own: Vec<&str> = list(file, "signals").iter().map(|one| one["group"].as_str().unwrap()).collect();
        assert!(own.iter().all(|group| groups.contains(group)));
        assert_eq!(own.iter().collect::<BTreeSet<_>>().len(), own.len(), "one signal for each group");
    }
}

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
    let known =
        ["kind", "protocol", "pin", "index", "request", "status", "limits_reached", "searches", "files", "matches"];
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
