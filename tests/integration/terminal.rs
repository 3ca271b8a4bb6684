//! What a terminal gets, and what a pipe gets. `script` makes the terminal.

use std::process::Command;

use crate::pincite::Pincite;
use crate::support::repository::TestRepository;

fn repository() -> TestRepository {
    let repository = TestRepository::new();
    repository
        .write("src/a.c", "int first = 23487;\nint gr\u{f6}\u{df}e = 23487; // 23487u\n\u{1b}]0;title\u{7} 23487\n");
    repository.write("src/b.c", "\tint other = 23487;\n");
    // Trojan Source: what a reader sees is not what a compiler reads.
    repository.write("src/trojan.c", "if (level != \"user\u{202e} \u{2066}// admin 23487\u{2069} \u{2066}\") {\n");
    repository.write("src/hid\u{200b}den.c", "int x\u{feff} = 23487;\n");
    repository.write("src/long.c", format!("int long = 23487; {}\n", "word ".repeat(60)));
    repository.commit("files");
    repository
}

/// What a command prints on a terminal of so many columns, carriage returns left out.
fn on_terminal(pincite: &Pincite, columns: u32, variables: &[(&str, &str)], line: &str) -> String {
    let command = pincite.command();
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let quoted: Vec<String> = words.map(|word| format!("'{}'", word.to_str().unwrap())).collect();
    let shell = format!("stty cols {columns} rows 10; exec {} {line}", quoted.join(" "));
    let output = Command::new("script")
        .args(["--quiet", "--return", "--command", &shell, "/dev/null"])
        .env_clear()
        .envs([("PATH", "/usr/bin:/bin"), ("HOME", pincite.home().to_str().unwrap()), ("TERM", "xterm-256color")])
        .envs(variables.iter().copied())
        .current_dir(pincite.home())
        .stdin(std::process::Stdio::null())
        .output()
        .expect("`script` of bsdutils makes the terminal");
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stdout).unwrap().replace('\r', "")
}

fn piped(pincite: &Pincite, arguments: &[&str]) -> String {
    let output = pincite.run(arguments);
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// Text without colours.
fn plain(text: &str) -> String {
    regex::Regex::new("\x1b\\[[0-9;]*m").unwrap().replace_all(text, "").into_owned()
}

#[test]
fn matches_are_grouped_on_a_terminal_only() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let shown = on_terminal(&pincite, 80, &[], "search 23487 --path-prefix src/a.c");
    assert!(shown.starts_with("\x1b[35msrc/a.c\x1b[0m\n"), "{shown:?}");
    assert!(shown.contains("\x1b[32m     2\x1b[0m int größe = \x1b[1;31m23487\x1b[0m; // \x1b[1;31m23487\x1b[0mu\n"));
    assert_eq!(shown.matches("src/a.c").count(), 1, "the path is a heading: {shown:?}");
    let all = plain(&on_terminal(&pincite, 80, &[], "search other"));
    assert!(all.starts_with("src/b.c\n     1 \tint other = 23487;\n\ns1 word"), "{all:?}");

    let text = piped(&pincite, &["search", "23487", "--path-prefix", "src/b.c"]);
    assert_eq!(text, "src/b.c:1:\tint other = 23487;\n");
    let coloured = piped(&pincite, &["search", "23487", "--path-prefix", "src/b.c", "--color", "always"]);
    assert_eq!(plain(&coloured), text);
    assert!(coloured.contains("\x1b[1;31m23487\x1b[0m"));
}

#[test]
fn colours_follow_the_flag_then_no_color() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    for command in ["search 23487", "context 23487", "read src/a.c 1-2"] {
        assert!(on_terminal(&pincite, 80, &[], command).contains('\x1b'), "{command}");
        assert!(!on_terminal(&pincite, 80, &[("NO_COLOR", "1")], command).contains('\x1b'), "{command}");
        assert!(!on_terminal(&pincite, 80, &[], &format!("{command} --color never")).contains('\x1b'), "{command}");
    }
    assert!(on_terminal(&pincite, 80, &[("NO_COLOR", "")], "search 23487").contains('\x1b'));
    assert!(on_terminal(&pincite, 80, &[("NO_COLOR", "1")], "search 23487 --color always").contains('\x1b'));
    for arguments in [&["search", "23487"][..], &["context", "23487"], &["read", "src/a.c", "1-3"]] {
        assert!(!piped(&pincite, arguments).contains('\x1b'), "{arguments:?}");
    }
}

#[test]
fn matches_are_marked_in_windows() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let shown = on_terminal(&pincite, 80, &[], "context 23487 --path-prefix src/a.c");
    assert!(
        shown.contains("\x1b[1;31m     1>\x1b[0m int \x1b[1;31mfirst\x1b[0m = \x1b[1;31m23487\x1b[0m;\n"),
        "{shown:?}"
    );
}

// Nothing is wrapped and nothing is cut, however narrow the terminal: line numbers and copied lines stay true.
#[test]
fn narrow_terminals_change_nothing() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    // The age in `status` may move on.
    let age = regex::Regex::new(r"\d+ s ago").unwrap();
    for command in ["search 23487", "context 23487", "read src/long.c 1", "status"] {
        let wide = on_terminal(&pincite, 400, &[], command);
        let narrow = on_terminal(&pincite, 20, &[], command);
        assert_eq!(age.replace_all(&narrow, ""), age.replace_all(&wide, ""), "{command}");
    }
}

#[test]
fn what_hides_or_steers_is_shown() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let asks = ["search 23487", "context 23487", "read src/trojan.c 1", "read src/a.c 3", "list"];
    for ask in asks {
        let words: Vec<&str> = ask.split(' ').collect();
        for text in [piped(&pincite, &words), plain(&on_terminal(&pincite, 80, &[], ask))] {
            let steers = |c: char| c.is_control() && c != '\n' && c != '\t';
            let hides = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
            assert!(!text.chars().any(|c| steers(c) || hides(c)), "{ask}: {text:?}");
        }
    }
    let text = piped(&pincite, &["search", "23487"]);
    assert!(text.contains("user⟨U+202E⟩ ⟨U+2066⟩// admin 23487⟨U+2069⟩ ⟨U+2066⟩"), "{text}");
    assert!(text.contains("src/hid⟨U+200B⟩den.c:1:int x⟨U+FEFF⟩ = 23487;"), "{text}");
    assert!(text.contains("␛]0;title␇ 23487"), "{text}");
    // The wire keeps every character.
    let json = pincite.json(&["search", "23487", "--path-prefix", "src/trojan"]);
    assert!(json["matches"][0]["text"].as_str().unwrap().contains('\u{202e}'));
}

#[test]
fn a_pager_gets_what_it_needs() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    // A pager's standard input is a pipe; the reader may leave early.
    let command = pincite.command();
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let quoted: Vec<String> = words.map(|word| format!("'{}'", word.to_str().unwrap())).collect();
    let line = format!("{} context 23487 --color always | head -n 3", quoted.join(" "));
    let mut shell = Command::new("bash");
    let output = shell.args(["-o", "pipefail", "-c", &line]).current_dir(pincite.home()).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(output.stdout.iter().filter(|byte| **byte == b'\n').count(), 3);
}
