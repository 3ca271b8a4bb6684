//! What a terminal gets, and what a pipe gets. `script` makes the terminal.

use std::collections::BTreeSet;
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

const TEMPLATE: &str = "https://code.example.org/{commit}/{path}?x#L{line}";

/// Text without its links, and where they lead: the paths' bytes and the lines.
///
/// What is no link of exactly this form stays in the text.
fn unlinked(commit: &str, text: &str) -> (String, Vec<(Vec<u8>, u32)>) {
    let form = format!(
        "\x1b\\]8;;https://code\\.example\\.org/{commit}/([A-Za-z0-9._~/%-]*)\\?x#L([0-9]+)\x1b\\\\([^\n]*?)\x1b\\]8;;\x1b\\\\"
    );
    let form = regex::Regex::new(&form).unwrap();
    let decoded = |path: &str| {
        let mut bytes = path.bytes();
        let mut out = Vec::new();
        while let Some(byte) = bytes.next() {
            let digits = if byte == b'%' { [bytes.next().unwrap(), bytes.next().unwrap()] } else { [b'0'; 2] };
            let code = u8::from_str_radix(str::from_utf8(&digits).unwrap(), 16).unwrap();
            out.push(if byte == b'%' { code } else { byte });
        }
        out
    };
    let links = form.captures_iter(text).map(|one| (decoded(&one[1]), one[2].parse().unwrap())).collect();
    (form.replace_all(text, "$3").into_owned(), links)
}

/// Paths that could end a link, begin an escape sequence, or mean something in a URI.
const ODD_PATHS: [&[u8]; 9] = [
    b"odd/ \"q\" 'q'.c",
    b"odd/\n.c",
    b"odd/\x07\x1b\\.c",
    b"odd/\x1b]8;;evil:x\x1b\\.c",
    b"odd/\x9c\xff.c",
    b"odd/%20?a=b&c#d{line}.c",
    b"odd/\xc2\x9c\xe2\x80\xae.c",
    b"odd/dir;x/+@:,=!$()*.c",
    b"odd/\r\t<>^`|}.c",
];

fn odd_repository() -> TestRepository {
    let repository = TestRepository::new();
    for path in ODD_PATHS {
        repository.write(path, "\nint other;\nint odd = 23487;\n");
    }
    repository.commit("odd paths");
    repository
}

#[test]
fn links_lead_to_the_bytes_of_the_path_and_to_the_line() {
    let repository = odd_repository();
    let pincite = Pincite::indexed(repository.path());
    let commit = repository.head();
    let all: BTreeSet<Vec<u8>> = ODD_PATHS.iter().map(|path| path.to_vec()).collect();
    let profile =
        pincite.profile("[limits]\nmax_result_bytes = 1000000\n[source_analysis]\nmax_files = 20\nmax_blocks = 20\n");
    let context = format!("context 23487 --profile {profile}");
    for (command, lines) in [("search 23487", vec![3]), (&context, vec![1, 2, 3]), ("list", vec![1])] {
        let linked = on_terminal(&pincite, 80, &[], &format!("{command} --hyperlink '{TEMPLATE}'"));
        let (rest, links) = unlinked(&commit, &linked);
        // Without the links, byte for byte what is shown without the flag.
        let without = on_terminal(&pincite, 80, &[], command);
        assert_eq!(rest, without, "{command}");
        assert!(!without.contains("\x1b]"), "{command}: {without:?}");
        let paths: BTreeSet<Vec<u8>> = links.iter().map(|(path, _)| path.clone()).collect();
        let found: BTreeSet<u32> = links.iter().map(|(_, line)| *line).collect();
        assert_eq!(found, lines.iter().copied().collect(), "{command}");
        assert_eq!(paths, all, "{command}");
    }
}

#[test]
fn paths_that_are_not_searched_are_linked_too() {
    let repository = TestRepository::new();
    repository.write("a.c", "int a;\n");
    repository.write(b"odd/\x1b\\\xff .bin", b"\0\0");
    let commit = repository.commit("binary");
    let pincite = Pincite::indexed(repository.path());
    let shown = on_terminal(&pincite, 80, &[], &format!("status --skipped --hyperlink '{TEMPLATE}'"));
    let (rest, links) = unlinked(&commit, &shown);
    assert_eq!(links, [(b"odd/\x1b\\\xff .bin".to_vec(), 1)]);
    assert!(!rest.contains('\x1b') && rest.contains("skipped     binary\todd/␛\\\u{fffd} .bin\n"), "{rest:?}");
    let reading = format!("read a.c 1 --hyperlink '{TEMPLATE}'");
    std::fs::write(pincite.home().join("query.json"), r#"{"kind":"source.search","text":"a"}"#).unwrap();
    let asking = format!("query query.json --format text --hyperlink '{TEMPLATE}'");
    for line in [reading, asking] {
        let (rest, links) = unlinked(&commit, &on_terminal(&pincite, 80, &[], &line));
        assert_eq!(links, [(b"a.c".to_vec(), 1), (b"a.c".to_vec(), 1)], "{line}");
        assert!(!rest.contains("\x1b]"), "{rest:?}");
    }
}

#[test]
fn headings_are_linked_to_their_first_match() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let commit = repository.head();
    let places = |command: &str| {
        let shown = on_terminal(&pincite, 80, &[], &format!("{command} --hyperlink github:o/n"));
        let form = format!(
            "\x1b\\]8;;https://github\\.com/o/n/blob/{commit}/([^\x1b]*)#L([0-9]+)\x1b\\\\\x1b\\[[0-9;]*m *([^\x1b]*)\x1b"
        );
        let form = regex::Regex::new(&form).unwrap();
        form.captures_iter(&shown).map(|one| format!("{} {} {}", &one[1], &one[2], &one[3])).collect::<Vec<_>>()
    };
    assert_eq!(places("search other"), ["src/b.c 1 src/b.c", "src/b.c 1 1"]);
    let heading = "src/a.c 2 src/a.c";
    // In a window the number has a mark or a blank behind it.
    let lines = ["src/a.c 1 1 ", "src/a.c 2 2>", "src/a.c 3 3 "];
    assert_eq!(places("context gr\u{f6}\u{df}e")[..4], [&[heading][..], &lines].concat());
    assert_eq!(places("read src/a.c 2-3"), ["src/a.c 2 2", "src/a.c 3 3"]);
    // The path below the lines is on standard error, which is the terminal here too.
    let below = format!("\x1b]8;;https://github.com/o/n/blob/{commit}/src/a.c#L2\x1b\\src/a.c\x1b]8;;\x1b\\ blob ");
    assert!(on_terminal(&pincite, 80, &[], "read src/a.c 2-3 --hyperlink github:o/n").contains(&below));
}

#[test]
fn links_stand_where_colours_do() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let flag = ["--hyperlink", TEMPLATE];
    for command in ["search 23487", "context 23487", "read src/a.c 1-2", "list"] {
        let line = format!("{command} --hyperlink '{TEMPLATE}'");
        assert!(on_terminal(&pincite, 80, &[], &line).contains("\x1b]8;;https://"), "{command}");
        assert!(!on_terminal(&pincite, 80, &[("NO_COLOR", "1")], &line).contains('\x1b'), "{command}");
        assert!(!on_terminal(&pincite, 80, &[], &format!("{line} --color never")).contains('\x1b'), "{command}");
        let json = on_terminal(&pincite, 80, &[], &format!("{line} --format json"));
        assert!(!json.contains('\x1b') && !json.contains("code.example.org"), "{command}: {json}");
        let words: Vec<&str> = command.split(' ').collect();
        assert_eq!(piped(&pincite, &[&words[..], &flag].concat()), piped(&pincite, &words), "{command}");
        let always = piped(&pincite, &[&words[..], &flag, &["--color", "always"]].concat());
        assert!(always.contains("\x1b]8;;https://"), "{command}");
    }
}

#[test]
fn templates_that_are_none_are_refused() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    for template in
        ["https://h/", "{path}", "https://h/{path}{name}", "https://h/{path}\x1b\\", "x:{path}\u{9c}", "github:me", ""]
    {
        let error = pincite.error(&["search", "23487", "--hyperlink", template]);
        assert_eq!((error["code"].as_str(), error["field"].as_str()), (Some("invalid_request"), Some("hyperlink")));
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("`--hyperlink`") && message.contains("{path}"), "{message}");
        let output = pincite.run(&["search", "23487", "--color", "always", "--hyperlink", template]);
        assert!(output.stdout.is_empty(), "{template:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!said.chars().any(|c| c.is_control() && c != '\n'), "{said:?}");
    }
}
