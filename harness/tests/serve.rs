//! `rejudge serve`: requests of programs over HTTP. In a build with the server only.
#![cfg(feature = "serve")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::support::{Repo, does};

/// A server that ends with the test.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(repo: &Repo, args: &[&str]) -> Self {
        let args = [&["serve"], args].concat();
        let mut command = repo.command(&args);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines.find_map(|line| {
            let line = line.unwrap();
            let (_, address) = line.split_once("listening on ")?;
            Some(address.split(';').next().unwrap().trim_start_matches("http://").to_owned())
        });
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, address: address.expect("the server says where it listens") }
    }

    /// Sends a request as it stands, and returns the status and the body.
    fn send(&self, head: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        exchange(&mut stream, head, body)
    }

    fn post(&self, path: &str, kind: &str, body: &str) -> (u16, String) {
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n");
        self.send(&head, body)
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n"), "")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn exchange(
    stream: &mut (impl std::io::Read + std::io::Write),
    head: &str,
    body: &str,
) -> (u16, String) {
    let length = body.len();
    write!(stream, "{head}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let is_chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
    (status, if is_chunked { joined(body) } else { body.to_owned() })
}

/// The chunks of a body without their sizes.
fn joined(mut body: &str) -> String {
    let mut text = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            break;
        }
        text.push_str(&rest[..size]);
        body = &rest[size + 2..];
    }
    text
}

fn request(id: &str, prints: &str, answer: &str) -> String {
    json!({
        "id": id,
        "language": "rust",
        "source": does(&format!("println!(\"{prints}\");")),
        "cases": [{ "input": "", "answer": answer }],
    })
    .to_string()
}

fn verdict_of(line: &str) -> (Value, Value) {
    let answer: Value = serde_json::from_str(line).expect(line);
    (answer["id"].clone(), answer["verdict"].clone())
}

#[test]
fn lines_are_answered_and_so_is_one_request() {
    let repo = Repo::new();
    let server = Server::start(&repo, &["--address", "127.0.0.1:0"]);
    let body = format!("{}\n\nno json\n{}\n", request("a", "1", "1"), request("b", "1", "2"));
    let (status, answers) = server.post("/v1/judge", "application/x-ndjson", &body);
    assert_eq!(status, 200);
    let mut found: Vec<(Value, Value)> = answers.lines().map(verdict_of).collect();
    found.sort_by_key(|(id, _)| id.to_string());
    let expected = [("a", "AC"), ("b", "WA")].map(|(id, verdict)| (json!(id), json!(verdict)));
    assert_eq!(found[..2], expected, "{answers}");
    assert_eq!(found[2], (Value::Null, Value::Null));

    let pretty = request("c", "1", "1").replace(',', ",\n");
    let (status, answer) = server.post("/v1/judge", "application/json; charset=utf-8", &pretty);
    assert_eq!((status, verdict_of(&answer)), (200, (json!("c"), json!("AC"))));
    // Equal requests of two connections are judged once.
    assert!(answer.contains("\"same_as\":\"a\""), "{answer}");

    let (status, health) = server.get("/health");
    assert!(status == 200 && health.contains("\"status\":\"ok\""), "{health}");
    let (_, metrics) = server.get("/metrics");
    for (result, number) in [("judged", 2), ("same", 1), ("not_judged", 1)] {
        let line = format!("rejudge_requests_total{{result=\"{result}\"}} {number}\n");
        assert!(metrics.contains(&line), "{metrics}");
    }
    assert_eq!(server.get("/nothing").0, 404);
    assert_eq!(server.get("/v1/judge").0, 405);
}

#[test]
fn web_pages_and_other_names_are_not_answered_and_a_token_is_asked_for() {
    let repo = Repo::new();
    let open = Server::start(&repo, &["--address", "127.0.0.1:0"]);
    for head in [
        "GET /metrics HTTP/1.1\r\nHost: evil.example\r\n",
        "GET /metrics HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n",
    ] {
        assert_eq!(open.send(head, "").0, 403, "{head}");
    }
    repo.file("token", "0123456789abcdef0123\n").file("short", "abc\n");
    let closed = Server::start(&repo, &["--address", "127.0.0.1:0", "--token", "token"]);
    assert_eq!(closed.get("/metrics").0, 401);
    assert_eq!(closed.get("/health").0, 200);
    let head = "GET /metrics HTTP/1.1\r\nHost: judge.example\r\n\
                Authorization: Bearer 0123456789abcdef0123\r\n";
    assert_eq!(closed.send(head, "").0, 200);
    let ran = repo.run(&["serve", "--address", "0.0.0.0:0"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("--token FILE"), "{}", ran.stderr);
    let ran = repo.run(&["serve", "--token", "short"]);
    assert!(ran.status == 2 && ran.stderr.contains("`short` has no token"), "{}", ran.stderr);
}

#[test]
fn a_socket_is_for_this_user_and_goes_with_the_server() {
    let repo = Repo::new();
    let path = repo.path("judge.sock");
    let mut server = Server::start(&repo, &["--unix", path.to_str().unwrap()]);
    let mode = path.metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let mut stream = UnixStream::connect(&path).unwrap();
    let head = "POST /v1/judge HTTP/1.1\r\nHost: localhost\r\n";
    let (status, answer) = exchange(&mut stream, head, &request("a", "1", "1"));
    assert_eq!((status, verdict_of(answer.trim())), (200, (json!("a"), json!("AC"))));
    let asked = std::process::Command::new("kill").arg(server.child.id().to_string()).status();
    assert!(asked.unwrap().success());
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
    assert!(!path.exists());
}

#[test]
fn a_request_that_is_too_large_and_a_client_that_goes_away_harm_nobody() {
    let repo = Repo::new();
    let server = Server::start(&repo, &["--address", "127.0.0.1:0", "--max-request", "1"]);
    let long = format!("{{\"id\": \"x\", \"source\": \"{}\"}}", "x".repeat(2 << 20));
    let (status, answers) =
        server.post("/v1/judge", "text/plain", &format!("{long}\n{}", request("y", "1", "1")));
    assert_eq!(status, 200);
    let mut found: Vec<(Value, Value)> = answers.lines().map(verdict_of).collect();
    found.sort_by_key(|(id, _)| id.to_string());
    assert_eq!(found, [(json!("x"), Value::Null), (json!("y"), json!("AC"))]);
    assert_eq!(server.post("/v1/judge", "application/json", &long).0, 413);
    let never = json!({
        "language": "rust", "source": does("loop { std::hint::black_box(0); }"),
        "cases": [{ "input": "" }], "time_limit": 1,
    });
    for _ in 0..3 {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let body = never.to_string();
        let length = body.len();
        write!(
            stream,
            "POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
    }
    let (_, answer) = server.post("/v1/judge", "application/json", &request("z", "1", "1"));
    assert_eq!(verdict_of(&answer), (json!("z"), json!("AC")));
}

#[test]
fn requests_above_the_limit_are_told_to_come_again() {
    let repo = Repo::new();
    let server = Server::start(&repo, &["--address", "127.0.0.1:0", "--connections", "1"]);
    // It takes the only place until its body ends.
    let mut open = TcpStream::connect(&server.address).unwrap();
    let line = request("a", "1", "1");
    let head = "POST /v1/judge HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
    write!(open, "{head}Content-Length: {}\r\n\r\n{line}\n", line.len() + 2).unwrap();
    let mut reader = BufReader::new(open.try_clone().unwrap());
    let mut first = String::new();
    reader.read_line(&mut first).unwrap();
    assert!(first.contains("200"), "{first}");
    let body = request("b", "1", "1");
    assert_eq!(server.post("/v1/judge", "application/json", &body).0, 503);
    assert_eq!(server.get("/health").0, 200);
    writeln!(open).unwrap();
    reader.lines().for_each(drop);
    // The place is free soon after the last byte.
    let mut statuses = (0..100).map(|_| {
        let (status, _) = server.post("/v1/judge", "application/json", &body);
        if status == 503 {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        status
    });
    assert_eq!(statuses.find(|status| *status != 503), Some(200));
}

#[test]
fn programs_are_run_as_sandbox_fusion_does() {
    let repo = Repo::new();
    let server = Server::start(&repo, &["--address", "127.0.0.1:0"]);
    let run = |code: &str, more: Value| {
        let mut request = json!({ "code": code, "language": "rust" });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let (status, text) = server.post("/run_code", "application/json", &request.to_string());
        (status, serde_json::from_str::<Value>(&text).expect(&text))
    };
    let echo = does(
        "let mut s = String::new(); std::io::Read::read_to_string(&mut std::io::stdin(), &mut s).unwrap(); print!(\"{s}\"); eprint!(\"e\");",
    );
    let (status, ran) = run(&echo, json!({ "stdin": "hi\n" }));
    assert_eq!((status, &ran["status"]), (200, &json!("Success")), "{ran}");
    assert_eq!(
        (&ran["run_result"]["stdout"], &ran["run_result"]["stderr"]),
        (&json!("hi\n"), &json!("e"))
    );
    assert_eq!(ran["compile_result"]["return_code"], 0);
    let (_, ran) = run("oops", json!({}));
    assert_eq!((&ran["status"], &ran["run_result"]), (&json!("Failed"), &Value::Null));
    let (_, ran) = run(&does("std::process::exit(3);"), json!({}));
    assert_eq!(ran["run_result"]["return_code"], 3);
    let (_, ran) = run(&does("loop { std::hint::black_box(0); }"), json!({ "run_timeout": 0.2 }));
    assert_eq!(ran["run_result"]["status"], "TimeLimitExceeded");
    assert_eq!(run("x", json!({ "language": "nothing" })).0, 422);
    assert_eq!(server.post("/run_code", "application/json", "{}").0, 422);
}
