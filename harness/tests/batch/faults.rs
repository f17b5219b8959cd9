//! Requests that cannot be judged, and readers that go away.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use super::{Batch, case, doubled};
use crate::support::{Repo, does};

#[test]
fn a_wrong_request_is_answered_with_its_id_and_the_rest_goes_on() {
    let repo = Repo::new();
    let good =
        json!({ "id": "good", "language": "rust", "source": doubled(), "cases": [case("1", "2")] });
    let wrong = |id: &str, change: &dyn Fn(&mut Value)| {
        let mut request = good.clone();
        request["id"] = id.into();
        change(&mut request);
        request.to_string()
    };
    let lines = [
        "no json".to_owned(),
        r#"{"id": "cut", "language": "rust", "#.to_owned(),
        "[]".to_owned(),
        wrong("key", &|request| request["langauge"] = "rust".into()),
        wrong("language", &|request| request["language"] = "ruts".into()),
        wrong("schema", &|request| request["schema"] = 2.into()),
        wrong("none", &|request| request["cases"] = json!([])),
        wrong("unequal", &|request| request["cases"] = json!({ "inputs": ["1"], "outputs": [] })),
        wrong("type", &|request| request["cases"] = json!([{ "input": 5 }])),
        wrong("limit", &|request| request["time_limit"] = "fast".into()),
        wrong("checker", &|request| request["checker"] = "float".into()),
        wrong("path", &|request| request["cases"] = "nowhere".into()),
        wrong("two", &|request| request["completion"] = "x".into()),
        wrong("function", &|request| request["function"] = json!({ "name": "f" })),
        good.to_string(),
    ];
    let batch = Batch::of_lines(&repo, &[], &lines);
    assert_eq!(batch.ran.status, 2, "{}", batch.ran.all());
    assert_eq!(batch.answers.len(), lines.len());
    assert_eq!(batch.answer("good")["verdict"], "AC");
    for (id, told) in [
        ("cut", "not JSON"),
        ("key", "unknown field `langauge`"),
        ("language", "there is no language `ruts`"),
        ("schema", "it has the schema 2"),
        ("none", "its list of cases is empty"),
        ("unequal", "it has 1 inputs and 0 outputs"),
        ("type", "the input of case 1 is neither text nor a list of lines"),
        ("limit", "`time_limit`: `fast` is not understood"),
        ("checker", "`checker`: `float` needs a tolerance"),
        ("path", "there is no problem and no folder `nowhere`"),
        ("two", "it has several of `source`, `path` and `completion`"),
        ("function", "`function` and `check` are for Python 3, not for Rust"),
    ] {
        let answer = batch.answer(id);
        assert_eq!((&answer["judged"], &answer["fault"]), (&json!(false), &json!("request")));
        assert!(answer.get("verdict").is_none(), "{answer}");
        let reason = answer["reason"].as_str().unwrap();
        assert!(reason.contains(told), "{id}: {reason}");
    }
    assert_eq!(batch.answer("key")["line"], 4);
    let nameless = batch.answers.iter().filter(|answer| answer["id"].is_null()).count();
    assert_eq!(nameless, 2);
    assert!(batch.ran.stderr.contains("15 requests: 1 judged"), "{}", batch.ran.stderr);
}

#[test]
fn a_request_that_is_too_long_is_answered() {
    let repo = Repo::new();
    let long = "x".repeat(3 << 20);
    let lines = [
        json!({ "id": "long", "language": "rust", "source": long, "cases": [] }).to_string(),
        json!({ "id": "ok", "language": "rust", "source": doubled(), "cases": [case("1", "2")] })
            .to_string(),
    ];
    let batch = Batch::of_lines(&repo, &["--max-request", "1"], &lines);
    let answer = batch.answer("long");
    assert_eq!(answer["reason"], "the request has more than 1048576 bytes");
    assert_eq!(batch.answer("ok")["verdict"], "AC");
}

#[test]
fn a_judge_that_cannot_judge_gives_no_verdict() {
    let repo = Repo::new();
    let mut request = json!({ "language": "rust", "source": doubled(), "cases": [case("1", "2")] });
    request["checker"] = json!({ "language": "rust", "source": does("std::process::exit(7);") });
    let mut broken = request.clone();
    broken["checker"] = json!({ "language": "rust", "source": "oops" });
    let mut answers = request.clone();
    answers["checker"] = "json".into();
    answers["cases"] = json!([case("1", "no json")]);
    let batch = Batch::of(&repo, &[request, broken, answers]);
    for id in 0..3 {
        let answer = batch.answer(id);
        assert_eq!(
            (&answer["judged"], &answer["fault"]),
            (&json!(false), &json!("judge")),
            "{answer}"
        );
    }
    assert_eq!(batch.ran.status, 2);
}

#[test]
fn a_signal_in_the_middle_loses_no_answer() {
    let repo = Repo::new();
    let never = does("loop { std::hint::black_box(0); }");
    let request = json!({
        "language": "rust", "source": never, "cases": [case("", "")], "time_limit": 600,
    });
    let mut command = repo.command(&["batch", "-j", "1"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    for id in 0..2 {
        let mut request = request.clone();
        request["id"] = id.into();
        request["time_limit"] = (600 + id).into();
        writeln!(input, "{request}").unwrap();
    }
    input.flush().unwrap();
    // The input stays open, and the first program runs.
    std::thread::sleep(Duration::from_secs(3));
    let killed = std::process::Command::new("kill").arg(child.id().to_string()).status().unwrap();
    assert!(killed.success());
    let mut answers: Vec<Value> = Vec::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        answers.push(serde_json::from_str(&line.unwrap()).unwrap());
    }
    assert_eq!(child.wait().unwrap().code(), Some(143));
    let mut ids: Vec<i64> = answers.iter().map(|answer| answer["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [0, 1]);
    for answer in &answers {
        assert_eq!((&answer["judged"], &answer["fault"]), (&json!(false), &json!("interrupt")));
    }
    drop(input);
}

#[test]
fn a_reader_that_goes_away_ends_the_batch() {
    let repo = Repo::new();
    let request = json!({ "language": "rust", "source": doubled(), "cases": [case("1", "2")] });
    let mut command = repo.command(&["batch", "--window", "0"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    writeln!(input, "{request}").unwrap();
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert!(line.contains("\"AC\""), "{line}");
    drop(output);
    // The batch ends although there would be more.
    while writeln!(input, "{request}").is_ok() {}
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
