//! `pincite report`: one page from captures, packages and answers, in which nothing that was read is ever markup.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use regex::Regex;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::pincite::Pincite;
use crate::support::repository::TestRepository;

/// Markup, quotes, CDATA ends, control and bidirectional characters: in names, in source, and in what was asked.
const EVIL: &str = "</code></style><script>document.title='pwned'</script>\"'><img src=x onerror=alert(1)>]]>&lt;-->";

fn evil_repository() -> TestRepository {
    let repository = TestRepository::new();
    let source = format!(
        "int evil = 23487; // {EVIL}\n\u{1b}[2J\u{202e}\u{2066}\u{7f}\u{9b} 23487\n<!-- 23487 --><svg onload=alert(2)>\n\
         \tuse(evil); /* <a href=\"javascript:alert(3)\">23487</a> */\nvoid reg_evil() {{ }}\n"
    );
    repository.write("src/<script>alert(4)<.c", &source);
    repository.write("src/\"' onload='x.c", &source);
    repository.write("src/\u{202e}c.live\u{1b}[0m.c", &source);
    repository.write("src/plain.c", "int a = 23487;\nint b = a;\n");
    repository.raw_entry("100644", b"src/odd\xff.c", b"int odd = 23487; // caf\xe9\n");
    repository.commit("evil");
    repository
}

fn evil() -> (TestRepository, Pincite) {
    let repository = evil_repository();
    let pincite = Pincite::indexed(repository.path());
    (repository, pincite)
}

/// A capture as the protocol has it; canonical enough to have a hash.
fn capture(result: &Value) -> Vec<u8> {
    let capture = json!({
        "capture": 1, "request": result["request"], "pin": result["pin"], "settings": {"max_matches": 12},
        "settings_sha256": "5e".repeat(32), "interpretation": null, "result": result
    });
    serde_json::to_vec(&capture).unwrap()
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn report(pincite: &Pincite, source: &Path) -> String {
    let output = pincite.run(&["report", source.to_str().unwrap(), "--out", "-"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = String::from_utf8(output.stdout).unwrap();
    check(&page);
    page
}

/// What must hold for every page: only elements and attributes of ours, everything closed, links within the page.
fn check(page: &str) {
    let style = Regex::new(r"(?s)<style>.*?</style>").unwrap();
    let css = style.find(page).unwrap().as_str().to_owned();
    let rest = style.replacen(page, 1, "").replacen("<!DOCTYPE html>", "", 1);
    let tag = Regex::new(r#"<(/?)([a-z0-9]+)((?: [a-z-]+="[^"<>]*")*)>"#).unwrap();
    let attribute = Regex::new(r#" ([a-z-]+)="([^"]*)""#).unwrap();
    let allowed = [
        "a", "body", "br", "code", "dd", "details", "div", "dl", "dt", "h1", "h2", "h3", "head", "header", "html",
        "li", "mark", "meta", "p", "section", "span", "strong", "summary", "table", "td", "th", "title", "tr", "ul",
    ];
    let (mut open, mut ids, mut links) = (Vec::new(), HashSet::new(), Vec::new());
    for found in tag.captures_iter(&rest) {
        let name = found[2].to_owned();
        assert!(allowed.contains(&name.as_str()), "{name}");
        for one in attribute.captures_iter(&found[3]) {
            let value = one[2].to_owned();
            match &one[1] {
                "id" => assert!(ids.insert(value.clone()), "the id {value} stands twice"),
                "href" => links.push(value.strip_prefix('#').expect("links stay on the page").to_owned()),
                "class" | "lang" | "charset" | "content" | "name" | "http-equiv" => {}
                other => panic!("attribute {other}"),
            }
        }
        match (&found[1], name.as_str()) {
            (_, "meta" | "br") => {}
            ("/", _) => assert_eq!(open.pop(), Some(name)),
            _ => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    let text = tag.replace_all(&rest, "");
    assert!(!text.contains(['<', '>']), "{text}");
    for link in links {
        assert!(ids.contains(&link), "nothing has the id {link}");
    }
    let steers = |c: char| {
        (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!page.chars().any(steers));
    assert!(page.contains("default-src &#39;none&#39;; style-src &#39;sha256-"), "the policy");
    for word in ["url(", "@import", "http:", "https:", "unsafe-inline"] {
        assert!(!css.contains(word) && !page.contains(&format!("=\"{word}")), "{word}");
    }
}

/// The page's text as a reader sees it.
fn seen(page: &str) -> String {
    let text = Regex::new("(?s)<style>.*?</style>|<[^>]*>").unwrap().replace_all(page, "").into_owned();
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&")
}

#[test]
fn nothing_that_was_read_becomes_markup() {
    let (_repository, pincite) = evil();
    let profile = pincite.profile("[source_analysis]\nregistration_prefixes = [\"reg_\"]\n");
    let path = "src/<script>alert(4)<.c";
    let asks: [&[&str]; 6] = [
        &["context", "23487", "--profile", &profile],
        &["search", "23487"],
        &["search", EVIL, "--mode", "literal"],
        &["read", path, "1-9"],
        &["list"],
        &["context", "<!-- 23487 -->"],
    ];
    for (ask, at) in asks.iter().zip(0..) {
        let result = pincite.json(ask);
        for (content, name) in [(serde_json::to_vec(&result).unwrap(), "answer"), (capture(&result), "capture")] {
            let file = pincite.home().join(format!("{name}-{at}-<b>.json"));
            fs::write(&file, content).unwrap();
            let page = report(&pincite, &file);
            let text = seen(&page);
            assert!(text.contains(result["notice"].as_str().unwrap()), "{ask:?}");
            assert!(text.contains(result["pin"]["commit"].as_str().unwrap()));
            if at < 4 {
                assert!(text.contains(EVIL), "the source stands as it is: {text}");
                assert!(text.contains("alert(4)"));
            }
        }
    }
}

#[test]
fn a_context_is_shown_as_a_chain_with_marked_windows() {
    let (_repository, pincite) = evil();
    let profile = pincite.profile("[source_analysis]\nregistration_prefixes = [\"reg_\"]\nmax_searches = 3\n");
    let result = pincite.json(&["context", "23487", "--profile", &profile, "--path-prefix", "src/"]);
    let file = pincite.home().join("a.json");
    fs::write(&file, capture(&result)).unwrap();
    let page = report(&pincite, &file);
    let text = seen(&page);
    // Limits come before everything that they cut.
    let order = [
        "partial_configured_source_context",
        "max_searches = 3",
        "not valid UTF-8",
        "Bound to",
        "Request",
        "Searches, and",
        "Windows in",
    ];
    let mut at = 0;
    for word in order {
        at += text[at..].find(word).unwrap_or_else(|| panic!("{word} stands too early or not at all: {text}"));
    }
    for search in result["searches"].as_array().unwrap() {
        assert!(page.contains(&format!("id=\"a1-{}\"", search["id"].as_str().unwrap())));
    }
    assert!(Regex::new(r#"<ul><li id="a1-s2">"#).unwrap().is_match(&page), "the second hangs below the first");
    assert!(page.contains("= <mark>23487</mark>;"), "{page}");
    for file in result["files"].as_array().unwrap() {
        for name in ["blob", "sha256", "swhid"] {
            assert!(page.contains(&format!("<code class=\"hash\">{}</code>", file[name].as_str().unwrap())));
        }
    }
    assert!(text.contains(&sha256(&fs::read(&file).unwrap())));
    assert!(text.contains(&"5e".repeat(32)));
}

#[test]
fn a_package_shows_its_ledger_and_what_does_not_fit() {
    let (_repository, pincite) = evil();
    let package = pincite.home().join("case");
    fs::create_dir_all(package.join("captures")).unwrap();
    let first = capture(&pincite.json(&["search", "23487"]));
    let second = capture(&pincite.json(&["context", "23487"]));
    for content in [&first, &second] {
        fs::write(package.join("captures").join(format!("{}.json", sha256(content))), content).unwrap();
    }
    fs::write(
        package.join("context.json"),
        r#"{"pin":{"commit":"c0ffee"},"protocol":1,"settings_sha256":"ab","budget":20}"#,
    )
    .unwrap();
    let line = |content: &[u8], left: u32| {
        format!("{{\"capture\":\"{}\",\"left\":{left},\"<b>\":\"</td>\"}}\n", sha256(content))
    };
    // Asked in this order, whatever the hashes are; the last line was not finished.
    fs::write(package.join("ledger.jsonl"), line(&second, 19) + &line(&first, 18) + "{\"capt").unwrap();
    let page = report(&pincite, &package);
    let text = seen(&page);
    assert!(text.contains("c0ffee") && text.contains("Ledger: 2 actions"), "{text}");
    assert!(text.find("source.context 23487").unwrap() < text.find("source.search 23487").unwrap());
    assert!(text.contains("Line 3 of ledger.jsonl is not JSON"), "{text}");
    assert!(!text.contains("was changed"));

    // What is no file of the package itself is named and not read.
    let strays = ["notes.txt", "linked.json", "folder.json"].map(|name| package.join("captures").join(name));
    fs::write(&strays[0], "mine").unwrap();
    std::os::unix::fs::symlink(package.join("captures").join(format!("{}.json", sha256(&first))), &strays[1]).unwrap();
    fs::create_dir(&strays[2]).unwrap();
    let text = seen(&report(&pincite, &package));
    for stray in &strays {
        let name = stray.file_name().unwrap().to_str().unwrap();
        assert!(text.contains(&format!("captures/{name} is no capture and is left out.")), "{name}: {text}");
    }
    strays[..2].iter().for_each(|stray| fs::remove_file(stray).unwrap());
    fs::remove_dir(&strays[2]).unwrap();

    // A changed capture no longer has the hash that names it, and the ledger's is gone.
    let name = package.join("captures").join(format!("{}.json", sha256(&first)));
    fs::write(&name, String::from_utf8(first.clone()).unwrap().replace("23487", "23488")).unwrap();
    let text = seen(&report(&pincite, &package));
    let problems = text.find("This does not fit together").unwrap();
    assert!(problems < text.find("Bound to").unwrap());
    assert!(text.contains("was changed: the SHA-256 of its content is"), "{text}");
    assert!(text.contains(&format!("The ledger names the capture {}, which is not in the package.", sha256(&first))));
}

#[test]
fn bundles_errors_and_unknown_members_are_shown() {
    let (_repository, pincite) = evil();
    let search = pincite.json(&["search", "23487"]);
    let bundle = json!({"results": [
        search,
        {"error": {"code": "not_found", "message": format!("no {EVIL}"), "field": "path"}},
        {"kind": "source.future", "protocol": 9, "status": "complete_x", EVIL: {"x": [EVIL]}, "notice": "n"},
    ]});
    let file = pincite.home().join("bundle.json");
    fs::write(&file, bundle.to_string()).unwrap();
    let text = seen(&report(&pincite, &file));
    assert!(text.contains("No answer: not_found") && text.contains(&format!("no {EVIL}")), "{text}");
    assert!(text.contains(&format!("Members that this page has no place for: {EVIL}")));
    for at in ["source.search 23487", "source.future"] {
        assert!(text.contains(at), "{at}");
    }
}

#[test]
fn members_of_protocol_2_are_shown() {
    let (_repository, pincite) = evil();
    let mut result = pincite.json(&["context", "23487"]);
    let path = result["files"][0]["path"].clone();
    result["protocol"] = json!(2);
    result["scope"] = json!("code");
    result["anchors"] = json!([{"group": "g1", "text": "23487", "variants": ["23487u", EVIL], "kind": "numeric",
        "type": "creature", "roles": ["target"], "entity": "N0005",
        "source": {"document": "interpretation", "sha256": "ca5e", "pointer": "/entities/0",
            "from": {"document": "case", "pointer": "/observations/3"}}}]);
    result["selection"] = json!({"primary_files": [path], "files": [{"path": path, "class": "primary_candidate",
        "location": "Wintergrasp", "signals": [{"group": "g1", "signal": "assignment", "search": "s1"}]},
        {"path": "src/without/window.c", "class": "supporting_context", "location": null, "signals": []}]});
    result["searches"][0]["elsewhere"] = json!({"inside_longer_numbers": 3});
    result["searches"][0]["origin"] = json!({"kind": "anchor", "group": "g1"});
    result["work"] = json!({"blobs_read": 5});
    result["searches"][0]["later_member"] = json!(["later value"]);
    result["files"][0]["later_fact"] = json!("of the file");
    result["weak_numeric"] = json!([{"path": "sql/x.sql", "count": 7, "lines": [1, 2]}]);
    let file = pincite.home().join("two.json");
    fs::write(&file, capture(&result)).unwrap();
    let text = seen(&report(&pincite, &file));
    for word in [
        "N0005",
        "/observations/3",
        "ca5e",
        "primary_candidate",
        "location Wintergrasp",
        "g1 assignment s1",
        "sql/x.sql",
        "elsewhere: inside_longer_numbers 3",
        "later_member: [\"later value\"]",
        "later_fact: of the file",
        "anchor for g1; ",
        "blobs_read 5",
        "case /observations/3",
        "supporting_context",
        "src/without/window.c",
    ] {
        assert!(text.contains(word), "{word}: {text}");
    }
    // Of other shapes nothing is lost, and nothing breaks.
    for strange in [
        json!({"anchors": 3, "selection": [], "files": {}, "matches": [[]], "searches": [7, {"origin": {"search": "s1"}}]}),
    ] {
        let mut result = result.clone();
        for (name, value) in strange.as_object().unwrap() {
            result[name] = value.clone();
        }
        fs::write(&file, result.to_string()).unwrap();
        report(&pincite, &file);
    }
}

#[test]
fn files_are_never_replaced_and_faults_are_told() {
    let (_repository, pincite) = evil();
    let home = pincite.home();
    fs::write(home.join("a.json"), capture(&pincite.json(&["search", "23487"]))).unwrap();
    let written = pincite.json(&["report", "a.json", "--out", "a.html"]);
    assert_eq!((&written["report"], &written["answers"]), (&json!("a.html"), &json!(1)));
    assert_eq!(written["bytes"], fs::metadata(home.join("a.html")).unwrap().len());
    let before = fs::read(home.join("a.json")).unwrap();
    for out in ["a.html", "a.json"] {
        assert_eq!(pincite.error(&["report", "a.json", "--out", out])["field"], "out");
    }
    assert_eq!(fs::read(home.join("a.json")).unwrap(), before);
    fs::create_dir_all(home.join("empty/captures")).unwrap();
    fs::create_dir(home.join("none")).unwrap();
    for (name, content) in [
        ("text", &b"no JSON"[..]),
        ("other", b"{\"a\":1}"),
        ("list", b"[]"),
        ("bytes", b"\xff"),
        ("twice", b"{\"kind\":1,\"kind\":2}"),
    ] {
        fs::write(home.join(name), content).unwrap();
    }
    for source in ["nosuch", "empty", "none", "text", "other", "list", "bytes", "twice"] {
        let error = pincite.error(&["report", source, "--out", "x.html"]);
        assert_eq!((&error["code"], &error["field"]), (&json!("invalid_request"), &json!("source")), "{source}");
    }
    assert!(!home.join("x.html").exists());
}

/// Chromium; `None`, with a message, where there is none and none is required.
fn browser() -> Option<&'static str> {
    let runs = |name: &&str| Command::new(name).arg("--version").stdout(Stdio::null()).status().is_ok();
    let found = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(runs);
    if found.is_none() {
        assert!(
            std::env::var_os("PINCITE_REQUIRE_BROWSER").is_none_or(|value| value != "1"),
            "no chromium is installed"
        );
        eprintln!("SKIPPED: no chromium is installed, so no page was opened in a browser");
    }
    found
}

fn open(browser: &str, page: &Path, home: &Path, options: &[&str]) -> String {
    open_at(browser, page, "", home, options)
}

/// Opens a page at a place of it.
fn open_at(browser: &str, page: &Path, place: &str, home: &Path, options: &[&str]) -> String {
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"])
        .arg(format!("--user-data-dir={}", home.join("browser").display()))
        .args(options)
        .arg(format!("file://{}{place}", page.display()))
        .env("HOME", home)
        .stderr(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_browser_renders_the_page_and_runs_nothing() {
    let Some(browser) = browser() else { return };
    let (_repository, pincite) = evil();
    let profile = pincite.profile("[source_analysis]\nregistration_prefixes = [\"reg_\"]\n");
    let file = pincite.home().join("evil.json");
    fs::write(&file, capture(&pincite.json(&["context", "23487", "--profile", &profile]))).unwrap();
    let page: PathBuf = pincite.home().join("evil.html");
    let content = report(&pincite, &file);
    fs::write(&page, &content).unwrap();
    let dom = open(browser, &page, pincite.home(), &["--dump-dom"]);
    // The browser found the elements that were written, and none in what was read.
    assert!(dom.contains("<title>pincite report: "), "{dom}");
    for element in ["<script", "<img", "<svg", "<a href=\"javascript"] {
        assert!(!dom.contains(element), "{element}");
    }
    assert!(seen(&dom).contains(EVIL));
    let count = |text: &str, what: &str| text.matches(what).count();
    for element in ["<div", "<section", "<li", "<mark", "<a "] {
        assert_eq!(count(&dom, element), count(&content, element), "{element}");
    }
    // The policy lets the page's own style pass, and both themes differ.
    let shots = [("light.png", "1"), ("dark.png", "0")].map(|(name, theme)| {
        let file = pincite.home().join(name);
        let (shot, scheme) =
            (format!("--screenshot={}", file.display()), format!("--blink-settings=preferredColorScheme={theme}"));
        open(browser, &page, pincite.home(), &["--window-size=500,900", &shot, &scheme]);
        fs::read(file).unwrap()
    });
    assert!(shots.iter().all(|shot| shot.starts_with(b"\x89PNG") && shot.len() > 5_000));
    assert_ne!(shots[0], shots[1]);
    // A link from the chain leads to its line, which shows itself.
    let link = Regex::new(r##"href="(#a1-f[0-9]+-[0-9]+)""##).unwrap().captures(&content).unwrap()[1].to_owned();
    let file = pincite.home().join("jump.png");
    let shot = format!("--screenshot={}", file.display());
    let options = ["--window-size=500,900", &shot, "--blink-settings=preferredColorScheme=1"];
    open_at(browser, &page, &link, pincite.home(), &options);
    assert_ne!(fs::read(file).unwrap(), shots[0]);
}

// A script that got into a page all the same would not run: the policy is what a browser goes by.
#[test]
fn the_policy_stops_what_should_not_be_there() {
    let Some(browser) = browser() else { return };
    let (_repository, pincite) = evil();
    let file = pincite.home().join("a.json");
    fs::write(&file, capture(&pincite.json(&["search", "23487"]))).unwrap();
    let page = pincite.home().join("a.html");
    let planted = "<script>document.title='pwned'</script><img src=x onerror=\"document.title='pwned'\">";
    let content = report(&pincite, &file);
    fs::write(&page, content.replace("</body>", &format!("{planted}</body>"))).unwrap();
    let dom = open(browser, &page, pincite.home(), &["--dump-dom"]);
    assert!(dom.contains("<title>pincite report: "), "{dom}");
    // Without the policy the same script does run, so this test can see it.
    let open_page = content.replace("http-equiv=\"Content-Security-Policy\"", "name=\"none\"");
    fs::write(&page, open_page.replace("</body>", &format!("{planted}</body>"))).unwrap();
    assert!(open(browser, &page, pincite.home(), &["--dump-dom"]).contains("<title>pwned</title>"));
}
