//! Packages of protocol 2: the interpretation is bound, other anchors give other captures, and evidence travels.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;

struct Packaged {
    asker: Asker,
    package: PathBuf,
}

impl Packaged {
    fn new(case: &Value, budget: &str) -> Self {
        let asker = Asker::new(world(), &format!("{WIDE}\ncontext_fact_names = ['zone']"), case);
        let package = asker.pincite.home().join("package");
        let packaged = Self { asker, package };
        packaged.make(&packaged.package, &packaged.asker.case, budget);
        packaged
    }

    fn make(&self, package: &Path, case: &str, budget: &str) {
        let arguments = ["case", "new", "--package", package.to_str().unwrap(), "--profile", &self.asker.profile];
        let output =
            self.asker.pincite.run(&[&arguments[..], &["--interpretation", case, "--budget", budget]].concat());
        assert!(output.status.success(), "{output:?}");
    }

    fn ask(&self, package: &Path, query: &Value) -> (Value, bool) {
        let arguments = ["--package", package.to_str().unwrap(), "--profile", &self.asker.profile];
        self.asker.pincite.query(&arguments, query)
    }

    fn captures(&self, package: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(package.join("captures")).unwrap();
        let mut all: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        all.sort();
        let _ = self;
        all
    }
}

fn about(text: &str) -> Value {
    json!({"kind": "source.context", "text": text, "entity_refs": ["N0005"]})
}

// C2-06 Q-02 Q-07: the interpretation is in the binding; the same question with other proven anchors is another capture.
#[test]
fn the_interpretation_is_bound() {
    let packaged = Packaged::new(&case(), "20");
    let (first, success) = packaged.ask(&packaged.package, &about("23487"));
    assert!(success, "{first}");
    check(&packaged.asker.repository, &first);
    let captures = packaged.captures(&packaged.package);
    let capture: Value = serde_json::from_slice(&fs::read(&captures[0]).unwrap()).unwrap();
    let bound = &capture["interpretation"]["sha256"];
    let stored = fs::read_to_string(packaged.package.join("interpretation.json")).unwrap();
    assert_eq!(bound, Interpretation::parse_str(&stored).unwrap().sha256());
    let anchor = first["anchors"].as_array().unwrap().iter().find(|one| one["source"]["document"] == "interpretation");
    assert_eq!(&anchor.unwrap()["source"]["sha256"], bound);
    let (again, _) = packaged.ask(&packaged.package, &about("23487"));
    assert_eq!(first, again);
    assert_eq!(packaged.captures(&packaged.package).len(), 1);
    // Another script name for the same creature.
    let mut other = case();
    other["records"][0]["row"]["ScriptName"] = json!("npc_of_another_case");
    let file = packaged.asker.pincite.home().join("other.json");
    fs::write(&file, other.to_string()).unwrap();
    let second = packaged.asker.pincite.home().join("second");
    packaged.make(&second, file.to_str().unwrap(), "5");
    packaged.ask(&second, &about("23487"));
    assert_ne!(packaged.captures(&second)[0].file_name(), captures[0].file_name());
}

// C2-06: a forged interpretation is refused before anything is answered.
#[test]
fn a_forged_interpretation_is_refused() {
    let packaged = Packaged::new(&case(), "20");
    let file = packaged.package.join("interpretation.json");
    let stored = fs::read_to_string(&file).unwrap();
    fs::write(&file, stored.replace("npc_wolpertinger", "npc_wolpertinger_2")).unwrap();
    let (reply, success) = packaged.ask(&packaged.package, &about("23487"));
    assert!(!success);
    assert_eq!(
        (&reply["error"]["code"], &reply["error"]["field"]),
        (&json!("settings_mismatch"), &json!("interpretation"))
    );
    let package = packaged.package.to_str().unwrap();
    assert!(!packaged.asker.pincite.run(&["verify", package]).status.success());
    fs::remove_file(&file).unwrap();
    assert_eq!(packaged.ask(&packaged.package, &about("23487")).0["error"]["code"], "package_corrupt");
    fs::write(&file, &stored).unwrap();
    assert!(packaged.ask(&packaged.package, &about("23487")).1);
    // A request can not bring anchors or an interpretation along.
    for member in ["anchors", "interpretation", "records"] {
        let mut query = about("23487");
        query[member] = json!([]);
        let (reply, _) = packaged.ask(&packaged.package, &query);
        assert_eq!((&reply["error"]["code"], &reply["error"]["field"]), (&json!("invalid_request"), &json!(member)));
    }
    // And an interpretation goes with protocol 2 only.
    let one = packaged.asker.pincite.home().join("one.toml");
    fs::write(&one, "[source_analysis]\n").unwrap();
    let out = packaged.asker.pincite.home().join("refused");
    let error = packaged.asker.pincite.run(&[
        "case",
        "new",
        "--format",
        "json",
        "--package",
        out.to_str().unwrap(),
        "--profile",
        one.to_str().unwrap(),
        "--interpretation",
        &packaged.asker.case,
    ]);
    let error: Value = serde_json::from_slice(&error.stdout).unwrap();
    assert_eq!(
        (&error["error"]["code"], &error["error"]["field"]),
        (&json!("invalid_request"), &json!("interpretation"))
    );
    assert!(!out.exists());
}

// C2-06 Q-05 Q-06 Q-08: budget, a copy that goes on and verifies, and every change of a capture is noticed.
#[test]
fn packages_of_protocol_2_travel_and_verify() {
    let packaged = Packaged::new(&case(), "4");
    let queries = json!({"queries": [
        about("23487"),
        {"kind": "source.context", "text": "23487", "scope": "schema"},
        {"kind": "source.context", "text": "NPC_WOLPERTINGER", "path_prefix": "src/scripts/"},
    ]});
    let (reply, _) = packaged.ask(&packaged.package, &queries);
    let results = reply["results"].as_array().unwrap();
    results.iter().for_each(|one| check(&packaged.asker.repository, one));
    let copy = packaged.asker.pincite.home().join("copy");
    let arguments = ["case", "export", "--objects", "--package", packaged.package.to_str().unwrap(), "--out"];
    assert!(packaged.asker.pincite.run(&[&arguments[..], &[copy.to_str().unwrap()]].concat()).status.success());
    let (reply, success) = packaged.ask(&copy, &about("boss_garr"));
    assert!(success, "{reply}");
    let (reply, _) = packaged.ask(&copy, &about("another"));
    assert_eq!(reply["error"]["code"], "budget_exhausted");
    let verified = packaged.asker.pincite.run(&[
        "verify",
        "--recount",
        "--answer-again",
        copy.to_str().unwrap(),
        "--format",
        "json",
    ]);
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
    let report: Value = serde_json::from_slice(&verified.stdout).unwrap();
    assert_eq!((&report[0]["captures"], &report[0]["answered_again"]), (&json!(4), &json!(4)));
    let interpretation = Interpretation::parse_str(&case().to_string()).unwrap();
    let (repository, index) = (packaged.asker.repository.path(), packaged.asker.pincite.index());
    // One is enough: each change is checked by a scan and by the engine.
    let captures = &packaged.captures(&packaged.package)[..1];
    let mutations = crate::verify::check_every_change(repository, &index, captures, Some(&interpretation));
    assert!(mutations > 300, "{mutations}");
}

// C2-13 R-10: the rendering for a model has anchors, classes, locations and weak matches.
#[test]
fn a_model_reads_anchors_and_classes() {
    let packaged = Packaged::new(&case(), "4");
    let arguments = ["query", "--format", "prompt", "--package", packaged.package.to_str().unwrap()];
    let arguments = [&arguments[..], &["--profile", &packaged.asker.profile]].concat();
    let output = packaged.asker.pincite.run_with(&arguments, &about("23487").to_string());
    let text = String::from_utf8(output.stdout).unwrap();
    for fact in [
        "source.context text=\"23487\" entity_refs=[\"N0005\"] scope=\"code\"",
        "script \"npc_wolpertinger\" of N0005 creature roles target from interpretation /records/",
        "primary_candidate src/scripts/fjord/wolpertinger.cpp in Howling Fjord: ",
        "supporting_other_location src/scripts/wintergrasp/battle.cpp in Wintergrasp: ",
        "weak_numeric src/table.cpp: 1 lines 1",
        "3>\t    NPC_WOLPERTINGER = 23487,",
    ] {
        assert!(text.contains(fact), "{fact}\n{text}");
    }
}
