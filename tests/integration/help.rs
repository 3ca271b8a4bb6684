//! Help, completions, manual pages, and the promise that every command in them and in the documentation runs.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pincite_shared::wire::strict_json;
use serde_json::Value;

use crate::pincite::Pincite;
use crate::support::repository::TestRepository;

fn pincite() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pincite"));
    command.env_clear().stdin(Stdio::null());
    command
}

fn text(arguments: &[&str]) -> String {
    let output = pincite().args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The commands, as `--help` lists them.
fn commands() -> Vec<String> {
    below(&text(&["--help"]))
}

/// The commands below the one with this help.
fn below(help: &str) -> Vec<String> {
    let (_, rest) = help.split_once("Commands:\n").unwrap_or_default();
    let rows = rest.lines().take_while(|line| !line.is_empty());
    let names = rows
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn help_suffices() {
    let names = commands();
    assert!(names.len() >= 11 && names.contains(&"report".to_owned()), "{names:?}");
    for name in &names {
        let help = text(&[name, "--help"]);
        assert!(help.contains("Examples:\n  pincite "), "{name}: {help}");
        assert!(!examples(&help).is_empty());
    }
}

#[test]
fn shells_complete_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = text(&["completions", shell]);
        for name in commands() {
            assert!(script.contains(&name), "{shell}: {name}");
        }
        // The shells themselves, where they are.
        if matches!(shell, "bash" | "fish" | "zsh") {
            let Ok(mut child) = Command::new(shell).arg("-n").stdin(Stdio::piped()).spawn() else {
                eprintln!("skipped: there is no {shell} to read its completions");
                continue;
            };
            child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
            assert!(child.wait().unwrap().success(), "{shell}");
        }
    }
    assert_eq!(pincite().args(["completions", "cmd"]).output().unwrap().status.code(), Some(2));
}

#[test]
fn every_command_has_a_page_of_the_manual() {
    let page = text(&["man"]);
    assert!(page.contains(".TH pincite 1") && page.contains("\\-\\-profile"), "{page}");
    for name in commands() {
        let page = text(&["man", &name]);
        assert!(page.contains(&format!(".TH pincite-{name} 1")) && page.contains("Examples:"), "{page}");
        for flag in ["profile", "repo", "index", "color"] {
            assert!(page.contains(&format!("\\-\\-{flag}")), "{name}: {flag}");
        }
    }
    for (names, says) in [
        (&["nosuch"][..], "no command `pincite nosuch`; there are index, search"),
        (&["case", "nosuch"], "no command `pincite case nosuch`; there are new, export"),
        (&["search", "new"], "no command `pincite search new`; there are none"),
    ] {
        let output = pincite().arg("man").args(names).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(says) && said.contains("invalid_request, command"), "{said}");
    }
}

#[test]
fn commands_below_commands_have_pages() {
    let mut pages = 0;
    for name in commands() {
        let help = text(&[&name, "--help"]);
        let (title, names) = (format!(".TH pincite-{name}"), below(&help));
        // The page of the upper command names those of the lower ones.
        let upper = text(&["man", &name]);
        for lower in &names {
            let page = text(&["man", &name, lower]);
            assert!(page.contains(&format!("{title}-{lower} 1")), "{page}");
            assert!(page.contains(&format!("pincite {name} {lower}")), "{page}");
            let flags = text(&[&name, lower, "--help"]);
            for flag in
                flags.split_whitespace().filter_map(|word| word.trim_matches(['[', ']', ',']).strip_prefix("--"))
            {
                assert!(page.contains(&format!("\\-\\-{}", flag.replace('-', "\\-"))), "{name} {lower}: {flag}");
            }
            assert!(upper.contains(&format!("pincite\\-{name}\\-{lower}(1)")), "{upper}");
            pages += 1;
        }
    }
    assert!(pages >= 2, "`case new` and `case export` at least");
}

/// A place where the commands of the documentation run: a repository with the paths that they name, a home, and
/// programs that the pages pipe into.
struct World {
    repository: TestRepository,
    home: Pincite,
}

impl World {
    fn new() -> Self {
        let repository = TestRepository::new();
        let file: String = (1..=2_500).map(|n| format!("// line {n}\n")).collect();
        repository.write("src/game/Spells/SpellAuras.cpp", file);
        repository
            .write("src/scripts/boss_garr.cpp", "enum { SPELL_X = 23487 };\nvoid AddSC_boss_garr() { return; }\n");
        repository
            .write("src/main.c", format!("int main() {{\n    return 0;\n}}\n{}", "// MAX_WORD_BYTES\n".repeat(50)));
        repository.write("contrib/dbcEditer/SearchFrm.ddp", b"\0\0");
        repository.commit("documented");
        repository.git(&["tag", "v1.0"]);
        let home = Pincite::new(repository.path());
        let bin = home.home().join("bin");
        fs::create_dir(&bin).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_pincite"), bin.join("pincite")).unwrap();
        // Not every machine has one, and a test has no screen.
        fs::write(bin.join("less"), "#!/bin/sh\nexec cat\n").unwrap();
        fs::set_permissions(bin.join("less"), fs::Permissions::from_mode(0o755)).unwrap();
        Self { repository, home }
    }

    fn write(&self, file: &str, content: &str) {
        fs::write(self.repository.path().join(file), content).unwrap();
    }

    fn run(&self, place: &str, line: &str) {
        let output = Command::new("bash")
            .args(["-o", "pipefail", "-e", "-c", line])
            .env_clear()
            .env("PATH", format!("{}:/usr/bin:/bin", self.home.home().join("bin").display()))
            .env("HOME", self.home.home())
            .current_dir(self.repository.path())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let (shown, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{place}: `{line}` ended with {}: {said}{shown}", output.status);
    }
}

/// The example commands of a help text, without the remarks behind them.
fn examples(help: &str) -> Vec<String> {
    let (_, rest) = help.split_once("Examples:\n").unwrap_or_default();
    let lines = rest.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| line.starts_with("pincite "));
    lines.map(|line| line.split("   ").next().unwrap_or_default().trim().to_owned()).collect()
}

#[test]
fn every_example_of_the_help_runs() {
    let world = World::new();
    for name in commands().into_iter().chain([String::new()]) {
        let arguments: Vec<&str> = [name.as_str(), "--help"].into_iter().filter(|word| !word.is_empty()).collect();
        let lines = examples(&text(&arguments));
        assert!(!lines.is_empty(), "{name}");
        for line in lines {
            // Each page stands alone: what another one wrote is out of the way.
            for file in ["pincite.toml", "release.toml", "answer.html", "report.html"] {
                let _ = fs::remove_file(world.repository.path().join(file));
            }
            world.run(&format!("`{name} --help`"), &line);
        }
    }
}

/// A fenced block of a page.
struct Block {
    /// The line of the fence.
    line: usize,
    language: String,
    lines: Vec<String>,
    /// Why its commands can not be run here.
    not_run: Option<String>,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    let mut reason = None;
    for (line, number) in page.lines().zip(1..) {
        match (line.trim_start().strip_prefix("```"), open.take()) {
            (Some(_), Some(block)) => blocks.push(block),
            (Some(language), None) => {
                open =
                    Some(Block { line: number, language: language.into(), lines: Vec::new(), not_run: reason.take() });
            }
            (None, Some(mut block)) => {
                block.lines.push(line.to_owned());
                open = Some(block);
            }
            (None, None) if line.is_empty() => {}
            (None, None) => {
                let found = line.strip_prefix("<!-- not run: ").and_then(|rest| rest.strip_suffix(" -->"));
                reason = found.map(str::to_owned);
            }
        }
    }
    blocks
}

fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [root.join("docs"), root.join("docs/decisions")];
    let all = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> = all.filter(|path| path.extension().is_some_and(|one| one == "md")).collect();
    pages.push(root.join("README.md"));
    pages.sort();
    pages
}

/// Runs each line that begins with `pincite` in the `sh` and `console` blocks of README and docs, page by page, in
/// their order. In a `console` block `$ cat FILE` writes FILE first, from the lines below it. A block that can not run
/// stands behind the comment `<!-- not run: REASON -->`.
#[test]
fn every_command_of_the_documentation_runs() {
    let mut ran = 0;
    for page in pages() {
        let content = fs::read_to_string(&page).unwrap();
        let name = page.file_name().unwrap().to_str().unwrap().to_owned();
        let mut world = None;
        for block in blocks(&content).into_iter().filter(|block| matches!(block.language.as_str(), "sh" | "console")) {
            if let Some(reason) = &block.not_run {
                eprintln!("not run: {name}:{}: {reason}", block.line);
                continue;
            }
            for (at, line) in block.lines.iter().enumerate() {
                let command = line.strip_prefix("$ ").or((block.language == "sh").then_some(line.as_str()));
                let Some(command) = command else { continue };
                let world = world.get_or_insert_with(World::new);
                if let Some(file) = command.strip_prefix("cat ").filter(|_| block.language == "console") {
                    let rest = block.lines[at + 1..].iter().take_while(|line| !line.starts_with("$ "));
                    world.write(file, &rest.map(|line| format!("{line}\n")).collect::<String>());
                } else if command.starts_with("pincite ") {
                    world.run(&format!("{name}:{}", block.line + at + 1), command);
                    ran += 1;
                }
            }
        }
    }
    assert!(ran >= 10, "{ran} commands");
}

/// The tables, arrays and strings of TOML as JSON; everything else is null.
fn json_of(item: &toml_edit::Item) -> Value {
    let table =
        item.as_table_like().map(|table| table.iter().map(|(name, item)| (name.into(), json_of(item))).collect());
    let array = || item.as_array().map(|array| array.iter().map(|one| json_of(&one.clone().into())).collect());
    table.map(Value::Object).or_else(|| array().map(Value::Array)).unwrap_or_else(|| item.as_str().into())
}

/// The tables of a value in which a program is named with its arguments.
fn programs(value: &Value) -> Vec<&serde_json::Map<String, Value>> {
    match value {
        Value::Object(map) if map.contains_key("command") => vec![map],
        Value::Object(map) => map.values().flat_map(programs).collect(),
        Value::Array(list) => list.iter().flat_map(programs).collect(),
        _ => Vec::new(),
    }
}

/// A reader copies these blocks into files of other programs: each has to parse, without a member that stands twice,
/// and what starts pincite in it has to be spelled as pincite takes it.
#[test]
fn json_and_toml_of_the_documentation_parse() {
    let (mut parsed, mut started) = (BTreeMap::new(), 0);
    for page in pages() {
        let content = fs::read_to_string(&page).unwrap();
        for block in blocks(&content) {
            let place = format!("{}:{}", page.display(), block.line);
            let text = block.lines.join("\n");
            let value: Value = match block.language.as_str() {
                "json" => strict_json::parse(&text).unwrap_or_else(|failure| panic!("{place}: {failure}")),
                "toml" => {
                    let table: toml_edit::DocumentMut = text.parse().unwrap_or_else(|error| panic!("{place}: {error}"));
                    json_of(table.as_item())
                }
                _ => continue,
            };
            *parsed.entry(block.language).or_insert(0) += 1;
            for program in programs(&value) {
                assert!(program["command"].as_str().unwrap().ends_with("/pincite"), "{place}");
                let arguments = program["args"].as_array().unwrap().iter().map(|one| one.as_str().unwrap());
                // Help comes once everything before it was understood.
                let output = pincite().args(arguments).arg("--help").output().unwrap();
                assert!(output.status.success(), "{place}: {output:?}");
                started += 1;
            }
        }
    }
    assert!(parsed["json"] >= 3 && parsed["toml"] >= 1 && started >= 3, "{parsed:?}, {started}");
    let unknown = pincite().args(["mcp", "--profil", "x", "--help"]).output().unwrap();
    assert_eq!(unknown.status.code(), Some(2), "a flag that is none is noticed before help");
}
