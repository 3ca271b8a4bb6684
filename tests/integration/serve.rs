//! `pincite serve` and `pincite mcp` on the wire, byte by byte; the official clients are in `tests/clients/`.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::pincite::Pincite;
use crate::support::repository::TestRepository;

const LIST: &str = r#"{"kind":"source.list"}"#;

fn repository() -> TestRepository {
    let repository = TestRepository::new();
    repository.write("src/a.c", "int needle = 7;\nint other = needle;\n");
    repository.commit("one");
    repository
}

/// A package of the index, and where it lies.
fn package(pincite: &Pincite) -> String {
    let package = pincite.home().join("package").to_str().unwrap().to_owned();
    assert!(pincite.run(&["case", "new", "--package", &package]).status.success());
    package
}

/// A server on a free port of loopback; ended when dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(pincite: &Pincite, arguments: &[&str]) -> Self {
        let mut command = pincite.command();
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit_once("http://").unwrap_or_else(|| panic!("{line}")).1.to_owned();
        Self { child, address }
    }

    /// Sends a request. `head` is the request line, maybe with more header lines.
    fn open(&self, head: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let host = if head.contains("Host:") { String::new() } else { format!("Host: {}\r\n", self.address) };
        let text = format!("{head}\r\n{host}Connection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        // A server that refuses may close before it has read everything.
        let _ = stream.write_all(text.as_bytes());
        stream
    }

    /// Status, head and body of the answer.
    fn ask(&self, head: &str, body: &str) -> (u16, String, String) {
        answer(self.open(head, body)).unwrap()
    }

    fn post(&self, header: &str, body: &str) -> u16 {
        self.ask(&format!("POST /query HTTP/1.1\r\n{header}"), body).0
    }

    fn query(&self, body: &Value) -> (u16, Value) {
        let (status, _, text) = self.ask("POST /query HTTP/1.1", &body.to_string());
        (status, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
    }

    fn metrics(&self) -> String {
        self.ask("GET /metrics HTTP/1.1", "").2
    }

    /// Ends it as an operator does and returns its exit status.
    fn end(mut self) -> Option<i32> {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Status, head in small letters, and body; `None` when nothing came.
fn answer(mut stream: TcpStream) -> Option<(u16, String, String)> {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n")?;
    Some((head.split(' ').nth(1)?.parse().ok()?, head.to_ascii_lowercase(), body.to_owned()))
}

#[test]
fn plain_json_over_http() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let server = Server::start(&pincite, &[]);
    let (status, value) = server.query(&json!({"kind": "source.search", "text": "needle"}));
    assert_eq!((status, &value["searches"][0]["matches"]), (200, &json!(2)));
    let (status, value) = server.query(&json!({"queries": [{"kind": "source.list"}, {"kind": "x"}]}));
    assert_eq!((status, &value["results"][1]["error"]["field"]), (200, &json!("kind")));
    for (body, expected, code) in [
        (json!({"kind": "source.search"}), 400, "invalid_request"),
        (json!({"kind": "source.read", "path": "../a", "start_line": 1, "end_line": 1}), 400, "unsafe_path"),
        (json!({"kind": "source.read", "path": "no", "start_line": 1, "end_line": 1}), 404, "not_found"),
    ] {
        let (status, value) = server.query(&body);
        assert_eq!((status, value["error"]["code"].as_str()), (expected, Some(code)), "{body}");
    }
    assert_eq!(server.post("X: y", r#"{"kind":"source.list","kind":"source.list"}"#), 400);
    assert_eq!(server.ask("GET /query HTTP/1.1", "").0, 405);
    assert_eq!(server.ask("GET /nothing HTTP/1.1", "").0, 404);
    assert_eq!(server.ask("GET /healthz HTTP/1.1", "").2, "ok\n");
    assert_eq!(server.post("X: y", &" ".repeat(2 << 20)), 413);
    let metrics = server.metrics();
    for line in [
        "pincite_requests_total{kind=\"source.search\",outcome=\"answered\"} 1",
        "pincite_requests_total{kind=\"source.read\",outcome=\"not_found\"} 1",
        "pincite_refused_total{reason=\"size\"} 1",
        "pincite_queries_in_flight 0",
    ] {
        assert!(metrics.lines().any(|one| one == line), "{line} is missing: {metrics}");
    }
    assert_eq!(server.end(), Some(0));
}

// P-04: an answer is the same bytes whether its blobs were read for it or kept, and whatever was driven out.
#[test]
fn answers_do_not_depend_on_what_is_kept() {
    let repository = TestRepository::new();
    for n in 0..40 {
        let text = format!("int own_{n} = everywhere;\nint needle = {n};\n{}", "// filler of a line\n".repeat(3_000));
        repository.write(format!("src/f{n}.c"), text);
    }
    repository.commit("many");
    let pincite = Pincite::indexed(repository.path());
    let mut requests = vec![
        json!({"kind": "source.search", "text": "needle"}),
        json!({"kind": "source.search", "text": "eedl", "mode": "literal"}),
        json!({"kind": "source.context", "text": "everywhere"}),
        json!({"kind": "source.list", "path_prefix": "src/f1"}),
    ];
    for n in 0..40 {
        let path = format!("src/f{n}.c");
        requests.push(json!({"kind": "source.read", "path": path, "start_line": 1, "end_line": 3}));
        requests.push(json!({"kind": "source.search", "text": format!("own_{n}")}));
    }
    let ask = |cache: &str| {
        let server = Server::start(&pincite, &["--cache", cache]);
        let all = (0..2).flat_map(|_| &requests);
        let answers = all.map(|request| server.ask("POST /query HTTP/1.1", &request.to_string()).2);
        answers.collect::<Vec<String>>()
    };
    let without = ask("0");
    let (first, again) = without.split_at(requests.len());
    assert_eq!(first, again);
    for cache in ["1", "32"] {
        assert_eq!(ask(cache), without, "{cache} MiB");
    }
    let refused = pincite.run(&["serve", "--listen", "127.0.0.1:0", "--cache", "many"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--cache"));
}

#[test]
fn pages_of_other_sites_can_not_ask() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let server = Server::start(&pincite, &["--allow-host", "code.example"]);
    for (header, expected) in [
        ("Host: evil.example", 403),
        ("Host: 10.0.0.1", 403),
        ("Host: a@localhost", 403),
        ("Host: localhost:1", 200),
        ("Host: [::1]", 200),
        ("Host: code.example", 200),
        ("Origin: http://evil.example", 403),
        ("Origin: http://localhost:9", 403),
        ("Origin: null", 403),
        (&format!("Origin: http://{}", server.address), 200),
    ] {
        assert_eq!(server.post(header, LIST), expected, "{header}");
        let (status, _, _) = server.ask(&format!("POST /mcp HTTP/1.1\r\n{header}"), LIST);
        assert_eq!(status == 403, expected == 403, "{header}: {status}");
    }
}

#[test]
fn a_token_guards_everything_but_health() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    for address in ["0.0.0.0:0", "[::]:0"] {
        let output = pincite.run(&["serve", "--listen", address]);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1) && stderr.contains("token-file"), "{stderr}");
    }
    let file = pincite.home().join("token");
    std::fs::write(&file, "0123456789abcdef-secret\n").unwrap();
    let server = Server::start(&pincite, &["--token-file", file.to_str().unwrap()]);
    for (header, expected) in [
        ("X-Nothing: 1", 401),
        ("Authorization: Bearer 0123456789abcdef-secreT", 401),
        ("Authorization: Basic 0123456789abcdef-secret", 401),
        ("Authorization: Bearer 0123456789abcdef-secret", 200),
        ("Authorization: bearer 0123456789abcdef-secret", 200),
    ] {
        let (status, head, _) = server.ask(&format!("POST /query HTTP/1.1\r\n{header}"), LIST);
        assert_eq!((status, head.contains("www-authenticate: bearer")), (expected, expected == 401), "{header}");
    }
    assert_eq!(server.ask("POST /mcp HTTP/1.1", LIST).0, 401);
    assert_eq!(server.ask("GET /metrics HTTP/1.1", "").0, 401);
    assert_eq!(server.ask("GET /healthz HTTP/1.1", "").0, 200);
}

#[test]
fn a_new_generation_is_picked_up_and_the_pin_stays() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let server = Server::start(&pincite, &[]);
    let ask = || server.query(&json!({"kind": "source.search", "text": "needle"})).1;
    let before = ask();
    repository.write("src/b.c", "int needle;\n");
    repository.commit("two");
    let generation = || {
        let metrics = server.metrics();
        metrics.lines().find(|line| line.starts_with("pincite_index_generation ")).unwrap().to_owned()
    };
    let old = generation();
    pincite.json(&["index"]);
    let began = Instant::now();
    while generation() == old {
        assert!(began.elapsed() < Duration::from_secs(30), "the new generation was not seen");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(ask(), before);
}

// Sixty-four requests may be under way; the next is told to come again.
#[test]
fn too_many_at_once_are_refused() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let package = package(&pincite);
    let server = Server::start(&pincite, &["--package", &package]);
    // Whoever holds the ledger's lock makes every answer wait.
    let ledger = File::open(format!("{package}/ledger.jsonl")).unwrap();
    ledger.lock().unwrap();
    let mut held: Vec<_> = (0..64).map(|_| server.open("POST /query HTTP/1.1", LIST)).collect();
    let began = Instant::now();
    let head = loop {
        let late = server.open("POST /query HTTP/1.1", LIST);
        late.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
        match answer(late.try_clone().unwrap()) {
            Some((_, head, _)) => break head,
            // It got the slot of one that had not come yet.
            None => held.push(late),
        }
        assert!(began.elapsed() < Duration::from_secs(30), "nothing was refused");
    };
    assert!(head.starts_with("http/1.1 503") && head.contains("retry-after: 1"), "{head}");
    ledger.unlock().unwrap();
    for stream in held {
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let (status, _, body) = answer(stream).unwrap();
        assert!(matches!(status, 200 | 503 | 504), "{status} {body}");
    }
    assert!(server.metrics().contains("pincite_refused_total{reason=\"busy\"}"));
}

/// A client of `pincite mcp` that writes lines.
struct Agent {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Agent {
    fn start(pincite: &Pincite, arguments: &[&str], version: &str) -> Self {
        let mut command = pincite.command();
        command.arg("mcp").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        let mut agent = Self { child, input, output };
        let client = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
        agent.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}));
        let opened = agent.receive();
        assert_eq!(opened["result"]["protocolVersion"], version, "{opened}");
        agent.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        agent
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
    }

    fn call(&mut self, id: u32, params: &Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
    }

    fn receive(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Closes the client's end; what the server still wrote, and its exit status.
    fn end(self) -> (Vec<Value>, Option<i32>) {
        let Self { mut child, input, output } = self;
        drop(input);
        let rest = output.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
        (rest, child.wait().unwrap().code())
    }
}

fn search() -> Value {
    json!({"name": "source_search", "arguments": {"text": "needle"}, "_meta": {"progressToken": 2}})
}

#[test]
fn the_protocol_over_standard_input_and_output() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    for version in ["2025-06-18", "2025-11-25"] {
        let mut agent = Agent::start(&pincite, &[], version);
        agent.call(2, &search());
        for step in [0.0, 1.0] {
            let told = agent.receive();
            assert_eq!((&told["params"]["progress"], &told["params"]["progressToken"]), (&json!(step), &json!(2)));
        }
        let result = agent.receive();
        assert_eq!(result["result"]["structuredContent"]["searches"][0]["matches"], 2, "{result}");
        // What is due when the client goes is still written.
        agent.call(3, &json!({"name": "source_list"}));
        let (rest, status) = agent.end();
        assert_eq!((rest.len(), status), (1, Some(0)), "{rest:?}");
        assert_eq!(rest[0]["result"]["structuredContent"]["total"], 1, "{rest:?}");
    }
    // A client that never says anything is gone, too.
    let output = pincite.run(&["mcp"]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0), "{output:?}");
}

#[test]
fn a_cancelled_request_gets_no_answer() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let package = package(&pincite);
    let mut agent = Agent::start(&pincite, &["--package", &package], "2025-11-25");
    let ledger = File::open(format!("{package}/ledger.jsonl")).unwrap();
    ledger.lock().unwrap();
    agent.call(2, &search());
    assert_eq!(agent.receive()["params"]["progressToken"], 2);
    let params = json!({"requestId": 2, "reason": "enough"});
    agent.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}));
    // Others are answered meanwhile.
    agent.send(&json!({"jsonrpc": "2.0", "id": 3, "method": "tools/list"}));
    assert_eq!(agent.receive()["id"], 3);
    ledger.unlock().unwrap();
    agent.call(4, &json!({"name": "source_list"}));
    let answer = agent.receive();
    assert_eq!(
        (&answer["id"], answer["result"]["_meta"]["pincite/capture"].is_string()),
        (&json!(4), true),
        "{answer}"
    );
    assert_eq!(agent.end(), (Vec::new(), Some(0)));
}

/// Messages in which a member stands twice, the member, and where the answer says that it stands.
const DOUBLED: [(&str, &str, &str); 5] = [
    (
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"source_search","arguments":{"text":"needle","text":"other"}}}"#,
        "text",
        "in /params/arguments ",
    ),
    (
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"source_list","arguments":{"after":"a","\u0061fter":"b"}}}"#,
        "after",
        "in /params/arguments ",
    ),
    (
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"project_query","arguments":{"queries":[{"kind":"source.list"},{"kind":"source.list","kind":"source.list"}]}}}"#,
        "kind",
        "in /params/arguments/queries/1 ",
    ),
    (
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"source_search","arguments":{"text":"needle"},"arguments":{"text":"other"}}}"#,
        "arguments",
        "in /params ",
    ),
    (
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"source_list","_meta":{"progressToken":3,"a":1,"a":1}}}"#,
        "a",
        "in /params/_meta ",
    ),
];

/// Sends a message of the protocol over HTTP; the answer's head, and the message with this id.
fn post_message(server: &Server, session: &str, message: &str, id: u32) -> (String, Value) {
    let head = "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream";
    let (_, head, body) = server.ask(&format!("{head}{session}"), message);
    let lines = body.lines().map(|line| line.strip_prefix("data: ").unwrap_or(line));
    let mut messages = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let found = messages.find(|message| message["id"] == id);
    (head, found.unwrap_or_else(|| panic!("no answer to {message}: {body}")))
}

// L-07: the protocol's reader would keep the last of two members; an answer to it would be to another question.
#[test]
fn members_that_stand_twice_are_refused_in_calls() {
    let repository = repository();
    let pincite = Pincite::indexed(repository.path());
    let check = |answer: &Value, member: &str, says: &str| {
        let error = &answer["result"]["structuredContent"]["error"];
        assert_eq!((&answer["id"], &answer["result"]["isError"]), (&json!(7), &json!(true)), "{answer}");
        assert_eq!((&error["code"], &error["field"]), (&json!("invalid_request"), &json!(member)), "{answer}");
        assert!(error["message"].as_str().unwrap().contains(says), "{answer}");
    };
    let plain = json!({"name": "source_search", "arguments": {"text": "needle"}, "_meta": {"a": {"text": 1}}});
    let plain = json!({"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": plain});
    let listed = r#"{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"_meta":{"a":1,"a":1}}}"#;
    let mark = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"source_list","_meta":{"pincite/doubled-member":1}}}"#;

    let mut agent = Agent::start(&pincite, &[], "2025-11-25");
    let mut answer = |message: &str, id: u32| {
        writeln!(agent.input, "{message}").unwrap();
        // Progress comes first where it was asked for.
        std::iter::repeat_with(|| agent.receive()).find(|message| message["id"] == id).unwrap()
    };
    for (message, member, says) in DOUBLED {
        check(&answer(message, 7), member, says);
    }
    check(&answer(mark, 7), "pincite/doubled-member", "is not for clients to set");
    assert_eq!(answer(&plain.to_string(), 8)["result"]["structuredContent"]["searches"][0]["matches"], 2);
    assert!(answer(listed, 9)["result"]["tools"].is_array());
    assert_eq!(agent.end(), (Vec::new(), Some(0)));

    let server = Server::start(&pincite, &[]);
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    let opening = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).to_string();
    let (head, _) = post_message(&server, "", &opening, 1);
    let session = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap();
    let session = format!("\r\nMcp-Session-Id: {session}\r\nMcp-Protocol-Version: 2025-11-25");
    let head = format!(
        "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream{session}"
    );
    assert_eq!(server.ask(&head, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).0, 202);
    for (message, member, says) in DOUBLED {
        check(&post_message(&server, &session, message, 7).1, member, says);
    }
    let answered = post_message(&server, &session, &plain.to_string(), 8).1;
    assert_eq!(answered["result"]["structuredContent"]["searches"][0]["matches"], 2, "{answered}");
    let counted = "pincite_requests_total{kind=\"invalid\",outcome=\"invalid_request\"} 5";
    assert!(server.metrics().lines().any(|line| line == counted), "{}", server.metrics());
}
