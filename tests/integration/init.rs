//! `pincite init`: a profile that loads, and proposals that hold.

use std::fs;

use serde_json::{Value, json};

use crate::pincite::{Pincite, hits};
use crate::support::repository::TestRepository;

/// Scripts with a registration each, a loader that calls them, helpers that look alike and are none, and SQL.
fn server() -> TestRepository {
    let repository = TestRepository::new();
    for n in 0..6 {
        repository.write(
            format!("src/scripts/boss_{n}.cpp"),
            format!(
                "static void helper() {{}}\nvoid GetThing_{n}() {{ GetThing_{n}(); }}\n\
                 void AddSC_boss_{n}()\n{{\n    helper();\n    spawn(4000{n});\n}}\n"
            ),
        );
        repository.write(format!("tools/task_{n}.py"), format!("def registerTask{n}():\n    run({n})\n"));
    }
    let prototypes: String = (0..6).map(|n| format!("void AddSC_boss_{n}();\n")).collect();
    let calls: String = (0..6).map(|n| format!("    AddSC_boss_{n}();\n    GetThing_{n}();\n")).collect();
    repository.write("src/system/loader.cpp", format!("{prototypes}void load()\n{{\n{calls}}}\n"));
    repository
        .write("src/system/other.cpp", "void other()\n{\n    GetThing_1();\n    GetThing_2();\n    GetThing_3();\n}\n");
    let calls: String = (0..6).map(|n| format!("registerTask{n}()\n")).collect();
    repository.write("tools/main.py", calls);
    // A copy is the same blob and no second definition.
    repository.write("src/copy/boss_0.cpp", fs::read(repository.path().join("src/scripts/boss_0.cpp")).unwrap());
    repository.write("sql/base/world.sql", "CREATE TABLE creature (id INT);\n");
    repository.write("sql/updates/1.sql", "UPDATE creature SET id = 40003;\n");
    repository.write("README.md", "read me\n");
    repository.write("main.c", "int main() { return 0; }\n");
    repository.commit("server");
    repository
}

fn init(pincite: &Pincite, arguments: &[&str]) -> Value {
    pincite.json(&[&["init"], arguments].concat())
}

#[test]
fn the_profile_loads_indexes_and_answers() {
    let repository = server();
    let pincite = Pincite::new(repository.path());
    let report = init(&pincite, &[]);
    assert_eq!(report["profile"], "pincite.toml");
    let file = pincite.home().join("pincite.toml");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains(&format!("commit = \"{}\"\n", repository.head())), "{text}");
    assert!(text.contains(&format!("repository = \"{}\"\n", repository.path().canonicalize().unwrap().display())));
    // Nothing that was guessed is switched on: `index` comes from the flag.
    let keys: Vec<&str> = text.lines().filter(|line| !line.starts_with('#') && line.contains('=')).collect();
    let names: Vec<&str> = keys.iter().map(|line| line.split(" = ").next().unwrap()).collect();
    assert_eq!(names, ["name", "repository", "commit", "index"]);

    // Another branch tip changes nothing: the profile pins.
    repository.write("src/later.cpp", "spawn(40003);\n");
    repository.commit("later");
    let profile = file.to_str().unwrap();
    pincite.json(&["index", "--profile", profile]);
    let found = pincite.json(&["search", "40003", "--profile", profile]);
    let paths: Vec<Vec<u8>> = hits(&found).into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, [b"sql/updates/1.sql".to_vec(), b"src/scripts/boss_3.cpp".to_vec()]);
    let plain = pincite.json(&["context", "40003", "--profile", profile, "--path-prefix", "src/"]);
    assert_eq!(plain["searches"].as_array().unwrap().len(), 1);

    // The proposal, once an operator takes the `#` away, follows the registration.
    let switched = text.replace("# registration_prefixes", "registration_prefixes");
    assert_ne!(switched, text);
    fs::write(pincite.home().join("switched.toml"), switched).unwrap();
    let followed = pincite.json(&["context", "40003", "--profile", "switched.toml", "--path-prefix", "src/"]);
    assert_eq!(followed["searches"][1]["text"], "AddSC_boss_3");
}

#[test]
fn prefixes_are_those_of_registrations() {
    let repository = server();
    let pincite = Pincite::new(repository.path());
    let report = init(&pincite, &["--out", "a.toml"]);
    let prefixes = report["registration_prefixes"].as_array().unwrap();
    let names: Vec<&str> = prefixes.iter().map(|one| one["prefix"].as_str().unwrap()).collect();
    // `GetThing_` is called from its own file or from several; of `Add`, `AddSC_` and `AddSC_boss_` the last says most.
    assert_eq!(names, ["AddSC_boss_", "register"], "{prefixes:?}");
    let scripts = prefixes.iter().find(|one| one["prefix"] == "AddSC_boss_").unwrap();
    assert_eq!(
        json!([scripts["functions"], scripts["defined"], scripts["files"], scripts["callers"], scripts["main_caller"]]),
        json!([6, 6, 6, 1, "src/system/loader.cpp"])
    );
    assert_eq!(report["languages"], json!({"c": {"c": 1}, "cpp": {"cpp": 9}, "python": {"py": 7}, "sql": {"sql": 2}}));
    assert_eq!(report["other_extensions"], json!([["md", 1]]));
    assert_eq!(report["sql_folders"], json!([{"path": "sql/base/", "files": 1}, {"path": "sql/updates/", "files": 1}]));
    let text = fs::read_to_string(pincite.home().join("a.toml")).unwrap();
    for line in [
        "#   cpp                9   (cpp 9)",
        "# paths = [\"src/\", \"tools/\"]",
        "# [source_analysis.scopes.schema]\n# paths = [\"sql/base/\"]",
        "# [source_analysis.scopes.historical_sql]\n# paths = [\"sql/updates/\"]",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }

    // The same with an index, on one thread or many, and for every run.
    pincite.json(&["index"]);
    assert_eq!(init(&pincite, &["--out", "b.toml"])["registration_prefixes"], report["registration_prefixes"]);
}

#[test]
fn an_existing_file_stays() {
    let repository = server();
    let pincite = Pincite::new(repository.path());
    let file = pincite.home().join("pincite.toml");
    fs::write(&file, "[project]\n").unwrap();
    let error = pincite.error(&["init"]);
    assert_eq!((&error["code"], &error["field"]), (&json!("invalid_request"), &json!("out")));
    assert_eq!(fs::read_to_string(&file).unwrap(), "[project]\n");
    // Nor is a link followed to a file that is not there yet.
    std::os::unix::fs::symlink(pincite.home().join("elsewhere"), pincite.home().join("link.toml")).unwrap();
    assert_eq!(pincite.error(&["init", "--out", "link.toml"])["field"], "out");
    assert!(!pincite.home().join("elsewhere").exists());
    assert_eq!(pincite.error(&["init", "--out", "no/such/folder.toml"])["field"], "out");
    assert_eq!(pincite.error(&["init", "--out", "x.toml", "--profile", "pincite.toml"])["field"], "profile");
    assert_eq!(pincite.error(&["init", "--out", "x.toml", "--rev", "nosuch"])["field"], "rev");
    assert!(!pincite.home().join("x.toml").exists());
}

// Names from the repository can neither end a comment nor a string.
#[test]
fn hostile_names_stay_within_comments() {
    let repository = TestRepository::new();
    let evil = "x\"]\nenabled = false\n[limits]\nmax_lines = 1\u{202e}";
    repository.write(format!("{evil}/a.cpp"), "int a;\n");
    repository.write(format!("b.{}", "evil\nname = \"x\""), "text\n");
    for n in 0..5 {
        repository.write(format!("{evil}/r{n}.cpp"), format!("void reg_one{n}() {{}}\n"));
    }
    let calls: String = (0..5).map(|n| format!("    reg_one{n}();\n")).collect();
    repository.write(format!("{evil}/main.cpp"), format!("void f()\n{{\n{calls}}}\n"));
    repository.commit("evil");
    let pincite = Pincite::new(repository.path());
    let output = pincite.run(&["init", "--out", "-"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("\"reg_\""), "{text}");
    assert!(!text.contains('\u{202e}') && !text.lines().any(|line| line.starts_with("enabled")), "{text}");
    fs::write(pincite.home().join("p.toml"), &text).unwrap();
    pincite.json(&["index", "--profile", "p.toml"]);
    assert_eq!(pincite.json(&["context", "reg_one1", "--profile", "p.toml"])["searches"][0]["matches"], 2);
}
