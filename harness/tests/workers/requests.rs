//! `rejudge batch --nats`: requests that workers judge.

use std::fs::File;

use serde_json::{Value, json};

use crate::support::nats::{Background, NatsServer, SIGN_KEY, sign_key};
use crate::support::{Repo, does};

/// The answers to these requests, by id, and what was said.
fn answers(repo: &Repo, requests: &[Value], args: &[&str]) -> (Vec<Value>, String) {
    let lines: Vec<String> = requests.iter().map(Value::to_string).collect();
    repo.file("requests.jsonl", lines.join("\n"));
    let mut command = repo.command(&[&["batch"], args].concat());
    command.stdin(File::open(repo.path("requests.jsonl")).unwrap());
    let out = command.output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    let mut answers: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    answers.sort_by_key(|answer| answer["id"].as_u64());
    (answers, String::from_utf8(out.stderr).unwrap())
}

/// What does not depend on the machine.
fn decided(answer: &Value) -> Value {
    let mut answer = answer.clone();
    for case in answer["cases"].as_array_mut().unwrap() {
        for key in ["cpu_ms", "wall_ms", "memory_bytes"] {
            case.as_object_mut().unwrap().remove(key);
        }
    }
    if let Some(compile) = answer.get_mut("compile").and_then(Value::as_object_mut) {
        compile.remove("wall_ms");
        compile.remove("cached");
    }
    answer
}

#[test]
fn requests_that_workers_judge_have_the_same_answers() {
    let Some(server) = NatsServer::start() else { return };
    let repo = Repo::new();
    sign_key(&repo);
    server.prepare(&repo);
    let _workers = ["a", "b"].map(|name| Background::worker(&repo, &server, name, &[]));
    let echo = does("println!(\"{}\", std::io::read_to_string(std::io::stdin()).unwrap());");
    let case = |input: &str, answer: &str| json!({ "input": input, "answer": answer });
    let request = |source: &str, more: Value| {
        let mut request = json!({ "language": "rust", "source": source, "cases": [case("1", "1"), case("2", "3")] });
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    let mut requests = vec![
        request(&echo, json!({})),
        request(&echo, json!({ "stop": "all", "return_output": true })),
        request("fn main() { oops }", json!({})),
        request(&does("std::process::exit(3);"), json!({})),
        request(&echo, json!({ "problem": "x", "cases": null })),
        request(&echo, json!({ "checker": "testlib:/etc/passwd" })),
        request(&echo, json!({})),
    ];
    for (id, request) in requests.iter_mut().enumerate() {
        request["id"] = id.into();
    }
    let url = server.url();
    let remote = ["-t", "7", "--nats", &url, "--sign-key", SIGN_KEY, "-j", "1"];
    let (there, said) = answers(&repo, &requests, &remote);
    let (here, _) = answers(&repo, &requests, &["-t", "7", "-j", "1"]);
    assert_eq!(there.len(), requests.len(), "{said}");
    for (one, other) in there.iter().zip(&here).filter(|(one, _)| one["judged"] == true) {
        assert_eq!(decided(one), decided(other), "{said}");
    }
    let judged: Vec<bool> = there.iter().map(|one| one["judged"].as_bool().unwrap()).collect();
    assert_eq!(judged, [true, true, true, true, false, false, true], "{said}");
    assert_eq!(there[0]["limits"]["cpu_ms"], 7000.0);
    assert_eq!((&there[6]["same_as"], &there[4]["fault"]), (&json!(0), &json!("request")));
    let why = "workers on a NATS server have no files for `problem`";
    assert_eq!((&there[4]["reason"], &there[4]["line"]), (&json!(why), &json!(5)));
    assert!(said.contains("7 requests: 4 judged, 1 equal to one of them, 2 not judged"), "{said}");
    // Nothing of it is left on the server.
    let listed = repo.run(&["cluster", "--nats", &url, "--json", "-"]);
    assert!(listed.stdout.contains("\"waiting\":0"), "{}", listed.all());
}

#[test]
#[ignore = "`.ci/full workers` runs it"]
fn a_worker_that_is_killed_loses_no_request() {
    let Some(server) = NatsServer::start() else { return };
    let repo = Repo::new();
    sign_key(&repo);
    server.prepare(&repo);
    let mut first = Background::worker(&repo, &server, "a", &[]);
    let slow = |number: u32| {
        does(&format!(
            "std::thread::sleep(std::time::Duration::from_millis(700)); println!(\"{number}\");"
        ))
    };
    let requests: Vec<Value> = (0..6)
        .map(|id| {
            let cases = [json!({ "input": "", "answer": id.to_string() })];
            json!({ "id": id, "language": "rust", "source": slow(id), "cases": cases })
        })
        .collect();
    let url = server.url();
    let args = ["--nats", &url, "--sign-key", SIGN_KEY];
    let (answers, said) = std::thread::scope(|scope| {
        let judging = scope.spawn(|| answers(&repo, &requests, &args));
        // It holds requests, and has answered some at most.
        server.lists(&repo, "a");
        std::thread::sleep(std::time::Duration::from_millis(1500));
        first.kill();
        let _second = Background::worker(&repo, &server, "b", &[]);
        judging.join().unwrap()
    });
    let ids: Vec<u64> = answers.iter().map(|answer| answer["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, [0, 1, 2, 3, 4, 5], "{said}");
    for answer in &answers {
        assert_eq!((&answer["judged"], &answer["verdict"]), (&json!(true), &json!("AC")), "{said}");
    }
}

#[test]
fn requests_without_a_worker_are_answered_after_a_while() {
    let Some(server) = NatsServer::start() else { return };
    let repo = Repo::new();
    sign_key(&repo);
    let request =
        json!({ "id": 1, "language": "rust", "source": does(""), "cases": [{ "input": "" }] });
    let url = server.url();
    let args = ["--nats", &url, "--sign-key", SIGN_KEY, "--wait-for-workers", "10ms"];
    let (answers, said) = answers(&repo, &[request], &args);
    assert!(said.contains("no worker is there"), "{said}");
    let reason = "there was no worker for 0.01 s";
    assert_eq!((&answers[0]["fault"], &answers[0]["reason"]), (&json!("judge"), &json!(reason)));
}

#[test]
fn a_batch_needs_a_key_that_workers_trust() {
    let repo = Repo::new();
    let ran = repo.run(&["batch", "--nats", "nats://127.0.0.1:1"]);
    assert!(ran.stderr.contains("workers judge only what is signed"), "{}", ran.all());
    assert_eq!(ran.status, 2);
}
