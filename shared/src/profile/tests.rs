//! Rows of profiles and what becomes of them.

use std::path::Path;

use super::keys::{KEYS, KeyKind, Number};
use super::{MAX_PROFILE_BYTES, Profile, reference_markdown};
use crate::failure::{Code, Failure};
use crate::settings::{Protocol, ScopeName};

const ID: &str = "75057b03b0d9c3d2f4a2c1e5a6b7c8d9e0f1a2b3";

fn parse(text: &str) -> Result<Profile, Failure> {
    Profile::parse(text, Path::new("conf/pincite.toml")).map_err(Failure::from)
}

/// The profile is refused at `line` for `key`, and the message holds `says`.
fn check(text: &str, line: u32, key: Option<&str>, says: &str) {
    let failure = parse(text).expect_err(text);
    assert_eq!(failure.code, Code::InvalidProfile, "{text}");
    assert_eq!(failure.field.as_deref(), key, "{text}: {failure}");
    assert!(failure.message.starts_with(&format!("conf/pincite.toml:{line}: ")), "{text}: {failure}");
    assert!(failure.message.contains(says), "{text}: {failure}");
}

#[test]
fn a_whole_profile_is_read() {
    let text = format!(
        "[project]\nname = 'v'\nrepository = '../r'\ncommit = '{ID}'\nindex = '/i'\n[limits]\nmax_lines = 9\n\
         [source_analysis]\nprotocol = 1\ncontext_lines = 0\nregistration_prefixes = ['b_', 'a', 'a']\n\
         extensions = ['.C', 'c', 'Cpp']\n"
    );
    let profile = parse(&text).expect("a whole profile");
    assert_eq!(profile.name.as_deref(), Some("v"));
    assert_eq!(profile.repository.as_deref(), Some(Path::new("conf/../r")));
    assert_eq!(profile.commit.map(|id| id.to_string()).as_deref(), Some(ID));
    assert_eq!(profile.index.as_deref(), Some(Path::new("/i")));
    assert_eq!(profile.settings.limits.max_lines, 9);
    let analysis = profile.settings.source_analysis;
    assert_eq!(analysis.context_lines, 0);
    assert_eq!(analysis.registration_prefixes, ["a", "b_"]);
    assert_eq!(analysis.extensions, ["c", "cpp"]);
}

#[test]
fn the_table_switches_source_analysis_on() {
    for (text, expected) in [
        ("", false),
        ("[limits]\nmax_lines = 1", false),
        ("[source_analysis]", true),
        ("source_analysis = {}", true),
        ("source_analysis.max_files = 2", true),
        ("[source_analysis]\nenabled = false", false),
    ] {
        let enabled = parse(text).map(|profile| profile.settings.source_analysis.enabled);
        assert_eq!(enabled, Ok(expected), "{text}");
    }
    assert!(Profile::default().settings.source_analysis.enabled);
}

#[test]
fn faults_name_line_key_and_what_is_allowed() {
    check("[limits]\n\nmax_lines = 0", 3, Some("limits.max_lines"), "is 0; an integer from 1 to 100000 is allowed");
    check("[limits]\nmax_lines = -1", 2, Some("limits.max_lines"), "is -1; ");
    check("[limits]\nmax_lines = 8.0", 2, Some("limits.max_lines"), "of type float; an integer from 1");
    check("[limits]\nmax_lines = '8'", 2, Some("limits.max_lines"), "of type string");
    check("[limits]\nmax_line = 1", 2, Some("limits.max_line"), "did you mean `limits.max_lines`?");
    check("[limits]\nmax_files = 1", 2, Some("limits.max_files"), "did you mean `source_analysis.max_files`?");
    check("[limits]\nzzzzzzzzz = 1", 2, Some("limits.zzzzzzzzz"), "the table takes `timeout_ms`, ");
    check("[limit]\nmax_lines = 1", 1, Some("limit"), "did you mean `limits`?");
    check("max_lines = 1", 1, Some("max_lines"), "did you mean `limits.max_lines`?");
    check("limits = 3", 1, Some("limits"), "a table `[limits]`");
    check("[[limits]]\nmax_lines = 3", 1, Some("limits"), "array of tables");
    check("[project]\nname = ''", 2, Some("project.name"), "not empty");
    check("[project]\ncommit = 'HEAD'", 2, Some("project.commit"), "is 'HEAD'; a full object id");
    check(&format!("[project]\ncommit = '{}'", &ID[1..]), 2, Some("project.commit"), "40 or 64");
    check("[project]\nremote = 'x'", 2, Some("project.remote"), "not a configuration key");
    check("[limits\n", 1, None, "not valid TOML (column 8)");
    check("[limits]\nmax_lines = 1\nmax_lines = 2", 3, None, "duplicate key");
    check("[limits]\nmax_lines = ", 2, None, "not valid TOML");
    check("[limits]\nmax_lines = 99999999999999999999", 2, None, "not valid TOML");
    let (prefixes, extensions) = ("source_analysis.registration_prefixes", "source_analysis.extensions");
    for bad in ["''", "'1a'", "'a b'", "'A::b'", "7"] {
        check(&format!("[source_analysis]\nregistration_prefixes = [\n{bad}]"), 3, Some(prefixes), "an identifier");
    }
    for bad in ["''", "'.'", "'a/b'", "'a b'", "'tar.gz'", "7"] {
        check(&format!("[source_analysis]\nextensions = ['c',\n{bad}]"), 3, Some(extensions), "a file extension");
    }
    check("[source_analysis]\nextensions = 'c'", 2, Some(extensions), "an array of strings");
}

// C2-01
#[test]
fn settings_of_protocol_2_need_it() {
    let protocol = Some("source_analysis.protocol");
    check("[source_analysis]\nprotocol = 3", 2, protocol, "is 3; the integer 1 or 2 is allowed");
    check("[source_analysis]\nprotocol = '1'", 2, protocol, "of type string");
    for name in ["max_anchors", "max_candidates", "max_weak_summaries", "focus_roles", "context_fact_names"] {
        let key = format!("source_analysis.{name}");
        check(&format!("[source_analysis]\n{name} = 8"), 2, Some(&key), "needs `protocol = 2`");
    }
    check("[source_analysis.scopes.code]\npaths = []", 1, Some("source_analysis.scopes"), "needs `protocol = 2`");
    for name in ["type_markers", "entity_tables", "location_paths"] {
        let key = format!("source_analysis.{name}");
        check(&format!("[source_analysis]\n[[source_analysis.{name}]]\nx = 1"), 2, Some(&key), "needs `protocol = 2`");
    }
    // The protocol counts wherever it stands.
    let profile = parse("[source_analysis]\nmax_anchors = 3\nprotocol = 2").expect("a profile of protocol 2");
    assert_eq!(profile.settings.source_analysis.protocol, Protocol::Two);
    assert_eq!(profile.settings.source_analysis.selection.max_anchors, 3);
}

// C2-01 C2-14
#[test]
fn a_profile_of_protocol_2_is_read() {
    let text = "[source_analysis]\nprotocol = 2\nfocus_roles = ['target', 'target']\ncontext_fact_names = ['zone']\n\
                [source_analysis.scopes.code]\npaths = ['src/']\nexclude_extensions = ['.SQL']\n\
                [source_analysis.scopes.schema]\npaths = ['sql/base/']\nextensions = []\n\
                [[source_analysis.type_markers]]\ntype = 'creature'\nprefixes = ['NPC_', 'CREATURE_']\n\
                [[source_analysis.entity_tables]]\ntype = 'creature'\ntable = 'creature_template'\n\
                id_column = 'entry'\nscript_column = 'ScriptName'\n\
                [[source_analysis.location_paths]]\nlocation = 'Wintergrasp'\npaths = ['src/w/']\n";
    let analysis = parse(text).expect("a whole profile").settings.source_analysis;
    let selection = &analysis.selection;
    assert_eq!((selection.focus_roles.len(), selection.context_fact_names.len()), (1, 1));
    let code = &selection.scopes[&ScopeName::Code];
    assert_eq!((&code.paths[..], &code.exclude_extensions[..]), (&["src/".to_owned()][..], &["sql".to_owned()][..]));
    assert_eq!(code.extensions, None);
    assert_eq!(selection.scopes[&ScopeName::Schema].extensions, Some(Vec::new()));
    assert!(!selection.scopes.contains_key(&ScopeName::HistoricalSql));
    assert_eq!(selection.type_markers[0].prefixes, ["CREATURE_", "NPC_"]);
    assert_eq!(selection.entity_tables[0].script_column, "ScriptName");
    assert_eq!(selection.location_paths[0].location, "Wintergrasp");
    let twice = "[source_analysis]\nprotocol = 2\n\
                 type_markers = [{ type = 'a', prefixes = ['B_'] }, { type = 'a', prefixes = ['A_', 'B_'] }]";
    let markers = parse(twice).expect("one type twice").settings.source_analysis.selection.type_markers;
    assert_eq!((markers.len(), &markers[0].prefixes[..]), (1, &["A_".to_owned(), "B_".to_owned()][..]));
    let inline = "[source_analysis]\nprotocol = 2\ntype_markers = [{ type = 'spell', prefixes = ['SPELL_'] }]";
    assert_eq!(parse(inline).expect("inline tables").settings.source_analysis.selection.type_markers.len(), 1);
}

// C2-01
#[test]
fn faults_in_tables_name_line_key_and_what_is_allowed() {
    let two = |rest: &str| format!("[source_analysis]\nprotocol = 2\n{rest}");
    let check = |rest: &str, line, key: &str, says| {
        check(&two(rest), line, Some(&format!("source_analysis.{key}")), says);
    };
    check(
        "[source_analysis.scopes.docs]\npaths = []",
        3,
        "scopes.docs",
        "`code`, `schema`, `historical_sql` are allowed",
    );
    check(
        "[source_analysis.scopes.code]\npaths = ['a/',\n'../b']",
        5,
        "scopes.code.paths",
        "is '../b'; the beginning of a path",
    );
    check("[source_analysis.scopes.code]\npaths = 'src/'", 4, "scopes.code.paths", "of type string; an array");
    check(
        "[source_analysis.scopes.code]\npath = []",
        4,
        "scopes.code.path",
        "takes `paths`, `extensions`, `exclude_extensions`",
    );
    check("scopes = 3", 3, "scopes", "a table of tables");
    check("scopes.code = 3", 3, "scopes.code", "of type integer; a table");
    check("[[source_analysis.type_markers]]\ntype = 'x'", 4, "type_markers.prefixes", "is missing or empty");
    check(
        "[[source_analysis.type_markers]]\ntype = 'x'\nprefixes = []",
        4,
        "type_markers.prefixes",
        "is missing or empty",
    );
    check("[[source_analysis.type_markers]]\ntype = ''\nprefixes = ['A']", 4, "type_markers.type", "is ''; 1 to 256");
    check(
        "[[source_analysis.type_markers]]\ntype = 'x'\nprefixes = ['A', '1']",
        5,
        "type_markers.prefixes",
        "is '1'; the beginning",
    );
    check("type_markers = 3", 3, "type_markers", "an array of tables");
    check(
        "[[source_analysis.entity_tables]]\ntype = 'x'\ntable = 1",
        5,
        "entity_tables.table",
        "of type integer; a string",
    );
    check("[[source_analysis.location_paths]]\nlocation = 'x'\npaths = ['/a']", 5, "location_paths.paths", "is '/a'");
    check("max_anchors = 0", 3, "max_anchors", "is 0; an integer from 1 to 1000 is allowed");
    check("focus_roles = ['a', 'b ']", 3, "focus_roles", "is 'b '; 1 to 256 characters");
}

#[test]
fn the_table_of_keys_and_the_reader_agree() {
    let one = |key: &super::keys::Key, value: &str| {
        let protocol = if key.protocol == Protocol::Two { "protocol = 2\n" } else { "" };
        parse(&format!("[{}]\n{protocol}{} = {value}", key.table, key.name))
    };
    for key in KEYS {
        if let Some(default) = key.default_toml() {
            let settings = one(key, &default).expect("a default is allowed").settings;
            let mut expected = Profile::default().settings;
            expected.source_analysis.enabled = key.table == "source_analysis";
            expected.source_analysis.protocol = key.protocol;
            assert_eq!(settings, expected, "{}", key.dotted());
        }
        if let KeyKind::Integer { min, max, field } = key.kind {
            for value in [min, max] {
                let mut profile = one(key, &value.to_string()).expect("a bound is allowed");
                let read = match field(&mut profile) {
                    Number::U32(number) => u64::from(*number),
                    Number::U64(number) => *number,
                };
                assert_eq!(read, u64::from(value), "{}", key.dotted());
            }
            for value in [i64::from(min) - 1, i64::from(max) + 1] {
                let failure = one(key, &value.to_string()).expect_err("out of range");
                assert_eq!(failure.field, Some(key.dotted()));
                assert!(failure.message.contains(&key.allowed()), "{failure}");
            }
        }
        assert!(one(key, "1979-05-27").is_err(), "{} takes no date", key.dotted());
    }
}

#[test]
fn files_are_loaded_and_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pincite.toml");
    let check = |content: Option<&[u8]>, expected: &str| {
        if let Some(content) = content {
            std::fs::write(&file, content).expect("a file");
        }
        let message = Profile::load(&file).map(|profile| format!("{:?}", profile.repository));
        let message = message.unwrap_or_else(|error| error.to_string());
        assert!(message.contains(expected), "{message}");
    };
    check(
        None,
        "pincite.toml: there is no profile here; docs/configuration.md has every key, `--profile FILE` names another file",
    );
    check(Some(b"[project]\nrepository = 'r'"), &format!("{:?}", Some(folder.path().join("r"))));
    check(Some(b"\n\xff"), "pincite.toml:2: the profile is not valid UTF-8");
    let most = usize::try_from(MAX_PROFILE_BYTES).expect("a small number");
    check(Some(&vec![b'\n'; most]), "None");
    check(Some(&vec![b'\n'; most + 1]), "more than 1048576 bytes");
    let error = Profile::load(folder.path()).expect_err("a folder is no profile");
    assert!(error.to_string().contains("can not be read"), "{error}");
}

/// Set `PINCITE_BLESS` to write the page anew.
#[test]
fn the_reference_is_current() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/configuration.md");
    if std::env::var_os("PINCITE_BLESS").is_some() {
        std::fs::write(&page, reference_markdown()).expect("docs can be written");
    }
    let written = std::fs::read_to_string(&page).expect("docs/configuration.md");
    assert_eq!(written, reference_markdown(), "run this test with PINCITE_BLESS=1");
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,60}", tail in "(\\[limits\\]\n)?[a-z_=.\\[\\]{}'\"0-9\n ]{0,60}") {
        let _ = parse(&text);
        let _ = parse(&tail);
    }
}
