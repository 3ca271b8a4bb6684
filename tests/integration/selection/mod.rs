//! `source.context`, protocol 2: a small world, a case in it, and a check of each answer against Git.

mod anchors;
mod bounds;
mod classes;
mod packages;
mod properties;

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
