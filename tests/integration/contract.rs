//! The tool contract: published, stable, and true of what the program does.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::pincite::Pincite;
use crate::schemas::CONTRACT;
use crate::support::repository::TestRepository;

// the published contract is the one that the program prints; `PINCITE_BLESS=1` writes it again.
#[test]
fn the_published_contract_is_the_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/contract");
    let repository = TestRepository::new();
    let pincite = Pincite::new(repository.path());
    let mut files = Vec::new();
    for protocol in [1, 2] {
        let profile = pincite.profile(&format!("[source_analysis]\nprotocol = {protocol}\n"));
        let text = pincite.run(&["contract", "--profile", &profile]).stdout;
        let printed = pincite.run(&["contract", "--format", "json", "--profile", &profile]).stdout;
        let value: Value = serde_json::from_slice(&printed).unwrap();
        let pretty = format!("{}\n", serde_json::to_string_pretty(&value).unwrap());
        files.push((format!("protocol-{protocol}.json"), pretty.into_bytes()));
        files.push((format!("protocol-{protocol}.md"), text));
    }
    // Without a profile it is that of protocol 1.
    assert_eq!(pincite.run(&["contract"]).stdout, files[1].1);
    for (name, should) in files {
        let file = folder.join(&name);
        if std::env::var_os("PINCITE_BLESS").is_some() {
            fs::create_dir_all(&folder).unwrap();
            fs::write(&file, &should).unwrap();
        }
        assert_eq!(String::from_utf8(fs::read(&file).unwrap()), String::from_utf8(should), "{name}");
    }
}

// `source.context` is recommended first, and the basic tools are not locked.
#[test]
fn the_context_is_recommended_and_the_basic_tools_stay() {
    let text = CONTRACT["text"].as_str().unwrap();
    let first = text.find("source.context").unwrap();
    assert!(text.contains("Begin with `source.context`"));
    for kind in ["source.search", "source.read", "source.list"] {
        assert!(text.find(kind).is_some_and(|at| at > first), "{kind}");
        assert!(CONTRACT["requests"][kind].is_object() && CONTRACT["results"][kind].is_object(), "{kind}");
    }
    assert!(text.contains("The basic tools stay open"));
}

// Q-03 Q-02: the contract follows from the settings and from nothing else.
#[test]
fn the_contract_is_stable_for_settings() {
    let (one, other) = (TestRepository::new(), TestRepository::new());
    other.write("a.c", "int a;\n");
    other.commit("a");
    let print = |pincite: &Pincite, profile: &str| {
        let profile = pincite.profile(profile);
        pincite.run(&["contract", "--format", "json", "--profile", &profile]).stdout
    };
    let (first, second) = (Pincite::new(one.path()), Pincite::new(other.path()));
    let settings = "[source_analysis]\nmax_matches = 33\nregistration_prefixes = [\"AddSC_\"]\n";
    assert_eq!(print(&first, settings), print(&second, &format!("[project]\nname = \"x\"\n{settings}")));
    let text: Value = serde_json::from_slice(&print(&first, settings)).unwrap();
    let text = text["text"].as_str().unwrap();
    assert!(text.contains("`AddSC_`") && text.contains("33 matches considered"), "{text}");
    let off: Value = serde_json::from_slice(&print(&first, "[limits]\nmax_lines = 5\n")).unwrap();
    assert!(off["text"].as_str().unwrap().contains("`source.context` is switched off"));
    for word in [one.path().to_str().unwrap(), "/tmp"] {
        assert!(!text.contains(word));
    }
}

// schemas are of the dialect they name, closed, and refuse what they should.
#[test]
fn schemas_are_closed() {
    for (kind, schema) in CONTRACT["results"].as_object().unwrap() {
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{kind}");
        assert_eq!(schema["additionalProperties"], json!(false), "{kind}");
        assert_eq!(schema["properties"]["kind"], json!({"const": kind}), "{kind}");
        jsonschema::meta::validate(schema).unwrap();
    }
    let repository = TestRepository::new();
    repository.write("a.c", "int a = 1;\n");
    repository.commit("a");
    let pincite = Pincite::indexed(repository.path());
    let validator = jsonschema::validator_for(&CONTRACT["results"]["source.search"]).unwrap();
    let result = pincite.json(&["search", "a"]);
    assert!(validator.is_valid(&result));
    let mut more = result.clone();
    more["surprise"] = json!(1);
    assert!(!validator.is_valid(&more));
    let mut less = result.clone();
    less.as_object_mut().unwrap().remove("notice");
    assert!(!validator.is_valid(&less));
    let mut other = result;
    other["searches"][0]["matches"] = json!("1");
    assert!(!validator.is_valid(&other));
}
