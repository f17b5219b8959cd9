//! `rejudge batch`: requests of programs.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::schema::LineSchema;
use crate::support::{Ran, Repo, does};

mod faults;
mod preload;
mod programs;
mod same;

/// What a batch answered.
struct Batch {
    ran: Ran,
    answers: Vec<Value>,
}

impl Batch {
    /// Judges these lines.
    fn of_lines(repo: &Repo, args: &[&str], lines: &[String]) -> Self {
        let args = [&["batch"], args].concat();
        let mut command = repo.command(&args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let text = lines.join("\n");
        let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
        let output = child.wait_with_output().unwrap();
        // The batch may end before it has read everything.
        let _ = writer.join().unwrap();
        let stdout = String::from_utf8(output.stdout).unwrap();
        let schema = LineSchema::of("batch");
        let answers: Vec<Value> =
            stdout.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
        for answer in &answers {
            assert_eq!(schema.fault(answer), None, "{answer}");
        }
        let ran = Ran {
            status: output.status.code().unwrap_or(-1),
            stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        };
        Self { ran, answers }
    }

    /// Judges these requests, which get their place in the list as id.
    fn of(repo: &Repo, requests: &[Value]) -> Self {
        Self::with_options(repo, &[], requests)
    }

    /// The same with these options.
    fn with_options(repo: &Repo, args: &[&str], requests: &[Value]) -> Self {
        let lines = requests.iter().enumerate().map(|(index, request)| {
            let mut request = request.clone();
            request["id"] = index.into();
            request.to_string()
        });
        let batch = Self::of_lines(repo, args, &lines.collect::<Vec<_>>());
        assert_eq!(batch.answers.len(), requests.len(), "{}", batch.ran.all());
        batch
    }

    /// The answer with this id.
    fn answer(&self, id: impl Into<Value>) -> &Value {
        let id = id.into();
        let mut found = self.answers.iter().filter(|answer| answer["id"] == id);
        let answer = found.next().unwrap_or_else(|| panic!("{id}: {}", self.ran.all()));
        assert!(found.next().is_none(), "two answers to {id}: {}", self.ran.all());
        answer
    }

    /// The verdicts of the cases of an answer.
    fn verdicts(&self, id: impl Into<Value>) -> String {
        let cases = self.answer(id)["cases"].as_array().unwrap().iter();
        let verdicts: Vec<&str> = cases.map(|case| case["verdict"].as_str().unwrap()).collect();
        verdicts.join(" ")
    }
}

/// A program in Rust that prints the double of the number it reads.
fn doubled() -> String {
    does(
        "let mut line = String::new(); std::io::stdin().read_line(&mut line).unwrap(); \
         println!(\"{}\", line.trim().parse::<i64>().unwrap() * 2);",
    )
}

/// A request with further keys.
fn with(request: &Value, more: &Value) -> Value {
    let mut request = request.clone();
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    request
}

fn case(input: &str, answer: &str) -> Value {
    json!({ "input": input, "answer": answer })
}

#[test]
fn requests_are_judged_on_their_cases() {
    let repo = Repo::new();
    let cases = json!([case("2\n", "4\n"), case("3\n", "7\n"), case("4\n", "8\n")]);
    let parallel = json!({ "inputs": ["2\n", ["3"]], "outputs": ["4", ["6"]] });
    let request = |cases: &Value, more: Value| {
        with(&json!({ "language": "rust", "source": doubled(), "cases": cases }), &more)
    };
    let batch = Batch::of(
        &repo,
        &[
            request(&cases, json!({})),
            request(&cases, json!({ "stop": "all" })),
            request(&cases, json!({ "stop": { "batch": 2 }, "score": "all" })),
            request(&parallel, json!({ "return_output": true })),
            request(&cases, json!({ "limit_cases": 1 })),
            request(&json!([{ "input": "5" }]), json!({})),
            json!({ "language": "rs", "source": "fn main() { oops }", "cases": cases }),
        ],
    );
    assert_eq!(batch.ran.status, 0, "{}", batch.ran.all());
    assert_eq!(batch.verdicts(0), "AC WA SKIP");
    assert_eq!(batch.verdicts(1), "AC WA AC");
    assert_eq!(batch.verdicts(2), "AC WA SKIP");
    assert_eq!(batch.verdicts(3), "AC AC");
    assert_eq!(batch.verdicts(4), "AC");
    assert_eq!(batch.verdicts(5), "RAN");
    assert_eq!(batch.verdicts(6), "SKIP SKIP SKIP");
    let answer = batch.answer(0);
    assert_eq!(
        (&answer["verdict"], &answer["passed"], &answer["total"], &answer["not_run"]),
        (&json!("WA"), &json!(1), &json!(3), &json!(1))
    );
    assert_eq!(answer["cases"][1]["reason"], "token 1: expected `7`, got `6`");
    assert_eq!(answer["cases"][1]["stdout_head"], "6\n");
    assert!(answer["cases"][0]["cpu_ms"].as_f64().unwrap() > 0.0);
    for (id, score) in [(1, 2.0 / 3.0), (2, 0.0), (3, 1.0)] {
        let got = batch.answer(id)["score"].as_f64().unwrap();
        assert!((got - score).abs() < 1e-9, "{id}: {got}");
    }
    assert_eq!(batch.answer(3)["cases"][1]["stdout"], "6\n");
    assert_eq!(batch.answer(5)["verdict"], "RAN");
    let refused = batch.answer(6);
    assert_eq!((&refused["verdict"], &refused["judged"]), (&json!("CE"), &json!(true)));
    let message = refused["compile"]["message"].as_str().unwrap();
    assert!(message.contains("solution.rs:1:13") && !message.contains("/tmp"), "{message}");
}

#[test]
fn groups_limits_checkers_and_problems_are_those_of_the_request() {
    let repo = Repo::with_sum();
    repo.file("lone/1.in", "2\n").file("lone/1.ans", "5\n");
    let grouped = json!([
        { "input": "1", "answer": "2", "group": "a" },
        { "input": "2", "answer": "4", "group": "b" },
        { "input": "3", "answer": "7", "group": "b" },
    ]);
    let rust = |source: String, cases: Value, more: Value| {
        with(&json!({ "language": "rust", "source": source, "cases": cases }), &more)
    };
    let lone = |answer: &str| json!([case("", answer)]);
    let prints = |text: &str| does(&format!("println!(\"{text}\");"));
    let never = does("loop { std::hint::black_box(0); }");
    let slow = json!([{ "input": "", "answer": "", "time_limit": "100ms" }]);
    let batch = Batch::of(
        &repo,
        &[
            rust(doubled(), grouped, json!({ "stop": "all", "score": "groups" })),
            rust(never.clone(), json!([case("", "")]), json!({ "time_limit": 0.1 })),
            rust(never, slow, json!({ "time_limit": 50 })),
            rust(prints("0.500"), lone("0.5"), json!({})),
            rust(prints("1000001"), lone("1000000"), json!({})),
            rust(prints("YES"), lone("yes"), json!({})),
            rust(prints("YES"), lone("yes"), json!({ "checker": "tokens" })),
            rust(prints("[1,2]"), lone("[1, 2]"), json!({ "checker": "json" })),
            rust(doubled(), json!("lone"), json!({})),
            json!({ "language": "rust", "source": doubled(), "problem": "sum" }),
        ],
    );
    assert_eq!(batch.answer(0)["score"], 0.5);
    for (id, verdicts) in
        [(1, "TLE"), (2, "TLE"), (3, "AC"), (4, "WA"), (5, "WA"), (6, "AC"), (7, "AC"), (8, "WA")]
    {
        assert_eq!(batch.verdicts(id), verdicts, "{id}");
    }
    assert_eq!(batch.answer(1)["limits"]["cpu_ms"], 100.0);
    let cases = batch.answer(9)["total"].as_u64().unwrap();
    assert!(cases > 0, "{}", batch.answer(9));
}

#[test]
fn cases_of_one_request_are_spread_and_verdicts_do_not_depend_on_it() {
    let repo = Repo::new();
    let cases: Vec<Value> = (0..20)
        .map(|number| {
            let answer = if number == 13 { 0 } else { number * 2 };
            case(&number.to_string(), &answer.to_string())
        })
        .collect();
    let line = json!({ "id": "x", "language": "rust", "source": doubled(), "cases": cases });
    let verdicts = |jobs: &str| {
        let batch = Batch::of_lines(&repo, &["-j", jobs], &[line.to_string()]);
        batch.verdicts("x")
    };
    let one = verdicts("1");
    assert!(one.starts_with("AC AC") && one.ends_with("WA SKIP SKIP SKIP SKIP SKIP SKIP"), "{one}");
    assert_eq!(verdicts("4"), one);
}
