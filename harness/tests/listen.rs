//! `rejudge listen` with real sockets: problems sent by the browser extension are saved.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};

use crate::support::Repo;

const CASTLE: &str = r#"{"name":"G. Castle Defense","group":"Codeforces - Educational Round 40",
 "url":"https://codeforces.com/problemset/problem/954/G","interactive":false,
 "memoryLimit":256,"timeLimit":1500,
 "tests":[{"input":"5 0 6\n5 4 3 4 9\n","output":"5\n"}],
 "testType":"single","input":{"type":"stdin"},"output":{"type":"stdout"},
 "languages":{"java":{"mainClass":"Main","taskClass":"GCastleDefense"}},
 "batch":{"id":"123e67c8-03c6-44a4-a3f9-5918533f9fb2","size":1}}"#;

/// A running listener.
struct TestListener {
    child: Child,
    out: BufReader<ChildStdout>,
    /// `127.0.0.1:PORT` and, if there is IPv6, `[::1]:PORT`.
    addresses: Vec<String>,
}

impl TestListener {
    fn start(repo: &Repo, args: &[&str]) -> Self {
        let all = [&["listen", "--port", "0"], args].concat();
        let mut child =
            repo.command(&all).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let addresses_and_folder = line.strip_prefix("listening on ").expect(&line);
        let (addresses, _) = addresses_and_folder.split_once(';').unwrap();
        let addresses = addresses.split(" and ").map(str::to_owned).collect();
        Self { child, out, addresses }
    }

    /// Sends bytes in pieces; returns the response.
    fn send(&self, pieces: &[&str]) -> String {
        Self::send_to(&self.addresses[0], pieces)
    }

    /// Sends bytes in pieces to an address; returns the response.
    fn send_to(address: &str, pieces: &[&str]) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        for piece in pieces {
            stream.write_all(piece.as_bytes()).unwrap();
            stream.flush().unwrap();
        }
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn post(&self, body: &str) {
        let answer = self.send(&[&head(body), body]);
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\nConnection: close\r\n"), "{answer}");
    }

    /// The next line of its output.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Its exit status and standard error.
    fn end(mut self) -> (Option<i32>, String) {
        let mut text = String::new();
        let mut stderr = self.child.stderr.take().unwrap();
        stderr.read_to_string(&mut text).unwrap();
        (self.child.wait().unwrap().code(), text)
    }

    /// Sends Ctrl-C.
    fn stop(self) -> (Option<i32>, String) {
        let pid = self.child.id().to_string();
        Command::new("kill").args(["-INT", &pid]).status().unwrap();
        self.end()
    }
}

impl Drop for TestListener {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

fn head(body: &str) -> String {
    format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    )
}

fn task(name: &str, batch: &str) -> String {
    format!(
        r#"{{"name": "{name}", "url": "https://example.org/{name}", "unknown": [1],
            "tests": [{{"input": "1 2\n", "output": "3\n"}}]{batch}}}"#
    )
}

#[test]
fn the_example_is_saved_as_a_problem_that_can_be_judged() {
    let repo = Repo::new();
    repo.file("rejudge.toml", "template = \"start.rs\"\n")
        .file("start.rs", "fn main() { println!(\"5\"); }\n");
    let mut listener = TestListener::start(&repo, &["--once"]);
    listener.post(CASTLE);
    assert_eq!(
        listener.line(),
        "g-castle-defense: G. Castle Defense (1 sample) -> cases/g-castle-defense"
    );
    assert_eq!(listener.line(), "  solution: solutions/g-castle-defense/g-castle-defense.rs");
    assert_eq!(
        listener.line(),
        "next: write solutions/g-castle-defense/, then: rejudge run g-castle-defense"
    );
    assert_eq!(listener.end(), (Some(0), String::new()));
    let yaml = repo.read("cases/g-castle-defense/problem.yaml");
    for line in [
        "name: \"G. Castle Defense\"",
        "  name: \"Codeforces - Educational Round 40\"",
        "  time_limit: 1.5",
        "  memory: 256",
    ] {
        assert!(yaml.lines().any(|known| known == line), "{line}: {yaml}");
    }
    assert_eq!(repo.read("cases/g-castle-defense/data/sample/1.in"), "5 0 6\n5 4 3 4 9\n");
    let ran = repo.run(&["run"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.all());
}

#[test]
fn split_writes_prefixes_and_both_addresses_work() {
    let repo = Repo::new();
    let mut listener = TestListener::start(&repo, &["--into", "there"]);
    let addresses = listener.addresses.clone();
    for (address, number) in addresses.iter().zip(1..) {
        let body = task(&format!("split{number}"), "");
        let (first, second) = body.split_at(20);
        let answer = TestListener::send_to(address, &[&head(&body), first, second]);
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        let line = listener.line();
        assert_eq!(line, format!("split{number}: split{number} (1 sample) -> there/split{number}"));
        assert_eq!(
            listener.line(),
            format!("next: rejudge run --cases there/split{number} SOLUTION")
        );
    }
    let body = format!("json\n{}", task("prefix", ""));
    listener.post(&body);
    assert_eq!(listener.line(), "prefix: prefix (1 sample) -> there/prefix");
    assert_eq!(listener.stop().0, Some(130));
}

#[test]
fn a_contest_is_complete_in_any_order() {
    let repo = Repo::new();
    let mut listener = TestListener::start(&repo, &["--once"]);
    let batch = r#", "batch": {"id": "x", "size": 3}"#;
    for (name, again) in [("c", ""), ("a", ""), ("c", ", again"), ("b", "")] {
        listener.post(&task(name, batch));
        assert_eq!(listener.line(), format!("{name}: {name} (1 sample{again}) -> cases/{name}"));
    }
    assert_eq!(listener.line(), "received all 3 problems");
    assert_eq!(listener.line(), "next: write solutions/PROBLEM/, then: rejudge run a b c");
    assert_eq!(listener.end(), (Some(0), String::new()));
}

#[test]
fn a_page_whose_problems_share_an_address_ends_with_all_of_them() {
    let repo = Repo::new();
    let mut listener = TestListener::start(&repo, &["--once"]);
    for name in ["One", "Two", "Three"] {
        listener.post(&format!(
            r#"{{"name": "{name}", "url": "https://codeforces.com/contest/1/problems",
                "tests": [], "batch": {{"id": "x", "size": 3}}}}"#
        ));
        let id = name.to_lowercase();
        let line = format!("{id}: {name} (0 samples) -> cases/{id}");
        assert_eq!(listener.line(), line);
    }
    assert_eq!(listener.line(), "received all 3 problems");
    assert_eq!(listener.line(), "next: write solutions/PROBLEM/, then: rejudge run one three two");
    assert_eq!(listener.end().0, Some(0));
}

#[test]
fn a_flat_folder_gets_the_samples_and_sources_of_a_contest() {
    let repo = Repo::new();
    repo.file("rejudge.toml", "template = \"lib/start.py\"\n")
        .file("lib/start.py", "print(3)\n")
        .file("week1/a.py", "print('mine')\n");
    let mut listener = TestListener::start(&repo, &["--once", "--flat", "--into", "week1"]);
    let batch = r#", "batch": {"id": "x", "size": 2}"#;
    for (name, stem) in [("A. One", "a"), ("B. Two", "b")] {
        listener.post(&task(name, batch));
        let line = format!("{stem}: {name} (1 sample) -> week1/{stem}-*.in");
        assert_eq!(listener.line(), line);
    }
    assert_eq!(listener.line(), "  solution: week1/b.py");
    assert_eq!(listener.line(), "received all 2 problems");
    assert_eq!(
        listener.line(),
        "next: write week1/a.EXT week1/b.EXT, then: rejudge run week1/a.EXT week1/b.EXT"
    );
    assert_eq!(listener.end(), (Some(0), String::new()));
    assert_eq!(repo.read("week1/a-1.in"), "1 2\n");
    assert_eq!(repo.read("week1/b-1.out"), "3\n");
    assert_eq!(repo.read("week1/a.py"), "print('mine')\n");
    assert_eq!(repo.read("week1/b.py"), "print(3)\n");
    assert!(!repo.path("cases").exists());
}

#[test]
fn samples_are_named_like_the_cases_of_the_folder() {
    // A case of `a.py`, the inputs of the first and of the second problem, and the answer of the second.
    let table = [
        ("a1.in", "a1.out", "a*.in", "b*.in", "b1.out"),
        ("A-01.in", "A-01.ans", "A-*.in", "B-*.in", "B-01.ans"),
        ("tests/a_1.in", "tests/a_1.out", "tests/a_*.in", "tests/b_*.in", "tests/b_1.out"),
        ("a/1.in", "a/1.out", "a/*.in", "b/*.in", "b/1.out"),
        ("1.in", "1.ans", "a-*.in", "b-*.in", "b-1.ans"),
    ];
    for (input, answer, first, second, written) in table {
        let repo = Repo::new();
        let source = if input.starts_with('A') { "A.py" } else { "a.py" };
        repo.file(&format!("w/{source}"), "print(3)\n")
            .file(&format!("w/{input}"), "mine\n")
            .file(&format!("w/{answer}"), "3\n");
        let mut listener = TestListener::start(&repo, &["--once", "--flat", "--into", "w"]);
        let batch = r#", "batch": {"id": "x", "size": 2}"#;
        for (name, inputs) in [("A. One", first), ("B. Two", second)] {
            listener.post(&task(name, batch));
            let line = listener.line();
            assert!(line.ends_with(&format!(" -> w/{inputs}")), "{input}: {line}");
        }
        assert_eq!(listener.end(), (Some(0), String::new()), "{input}");
        assert_eq!(repo.read(&format!("w/{input}")), "mine\n");
        assert_eq!(repo.read(&format!("w/{written}")), "3\n", "{input}");
        let Some((stem, _)) = first.split_once('*') else { panic!("{first}") };
        let ran = repo.run(&["list", "-v", &format!("w/{source}")]);
        if input != "1.in" {
            assert!(ran.stdout.contains("cases: 2\n"), "{stem}: {}", ran.all());
        }
    }
}

#[test]
fn samples_that_the_folder_has_are_not_written_again_and_other_cases_are_kept() {
    let repo = Repo::new();
    for _ in 0..2 {
        let mut listener = TestListener::start(&repo, &["--once", "--flat"]);
        listener.post(&task("A. One", ""));
        listener.line();
        assert_eq!(listener.end().0, Some(0));
        repo.file("a-2.in", "mine\n");
    }
    assert_eq!(repo.read("a-1.in"), "1 2\n");
    assert_eq!(repo.read("a-2.in"), "mine\n");
    assert!(!repo.path("a-3.in").exists());
}

#[test]
fn unusual_problems_are_saved_with_a_note() {
    let repo = Repo::new();
    let mut listener = TestListener::start(&repo, &[]);
    let lines = [
        (r#"{"name": "None", "url": "u1", "tests": []}"#, "none: None (0 samples) -> cases/none"),
        (
            r#"{"name": "../../up", "url": "u2", "tests": [{"input": "", "output": ""}]}"#,
            "up: ../../up (1 sample) -> cases/up",
        ),
        (
            r#"{"name": "File", "url": "u3", "input": {"type": "file", "fileName": "file.in"},
                "tests": [{"input": "1\n", "output": "1\n"}]}"#,
            "file: File (1 sample) -> cases/file",
        ),
        (
            r#"{"name": "Talk", "url": "u4", "interactive": true, "tests": [{"input": "1\n", "output": "1\n"}]}"#,
            "talk: Talk (1 sample) -> cases/talk",
        ),
    ];
    for (body, line) in lines {
        listener.post(body);
        assert_eq!(listener.line(), line);
        assert!(listener.line().starts_with("next: "));
    }
    let (status, errors) = listener.stop();
    assert_eq!(status, Some(130));
    for note in [
        "none: it has no samples",
        "file: solutions read the file `file.in`; they are set in `[problems.file]` of rejudge.toml",
        "talk: it is interactive",
    ] {
        assert!(errors.contains(note), "{note}: {errors}");
    }
    assert!(!repo.path("cases/talk/data/sample/1.in").exists());
    let settings = "[problems.file]\ninput_file = \"file.in\"\n";
    assert_eq!(repo.read("rejudge.toml"), settings);
    assert_eq!(std::fs::read_dir(repo.path("")).unwrap().count(), 2);
}

#[test]
fn other_clients_are_rejected_and_do_no_harm() {
    let repo = Repo::new();
    let mut listener = TestListener::start(&repo, &["--once"]);
    let body = task("evil", "");
    let page =
        head(&body).replace("Host: localhost", "Host: localhost\r\nOrigin: https://evil.example");
    let table = [
        (page, "403"),
        (head(&body).replace("application/json", "text/plain"), "415"),
        (head(&body).replace("POST / ", "POST /x "), "404"),
        (head(&body).replace("POST", "GET"), "405"),
        (head(&body).replace("Content-Length: ", "Content-Length: 99999999"), "413"),
        (head(&body).replace("Host: localhost", "Host: evil.example"), "421"),
        ("OPTIONS / HTTP/1.1\r\nOrigin: moz-extension://a\r\n\r\n".to_owned(), "204"),
    ];
    for (head, status) in table {
        let answer = listener.send(&[&head]);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{head}: {answer}");
    }
    // Silent connections block no others.
    let silent: Vec<_> =
        (0..100).map(|_| TcpStream::connect(&listener.addresses[0]).unwrap()).collect();
    listener.post("{\"no\": \"problem\"}");
    listener.post(&task("good", ""));
    assert_eq!(listener.line(), "good: good (1 sample) -> cases/good");
    let (status, errors) = listener.end();
    assert_eq!(status, Some(0));
    assert!(errors.contains("a request was refused: web pages may not send problems"), "{errors}");
    assert!(
        errors.contains("a request was refused: not a problem: missing field `name`"),
        "{errors}"
    );
    assert!(!repo.path("cases/evil").exists());
    drop(silent);
}

#[test]
fn a_port_in_use_is_reported() {
    let repo = Repo::new();
    let listener = TestListener::start(&repo, &[]);
    let (_, port) = listener.addresses[0].rsplit_once(':').unwrap();
    let ran = repo.run(&["listen", "--port", port]);
    assert!(ran.stderr.contains(&format!("port {port} is in use")), "{}", ran.stderr);
    assert_eq!(ran.status, 2);
}
