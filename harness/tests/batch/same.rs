//! Equal requests are judged once.

use serde_json::{Value, json};

use super::{Batch, case, doubled};
use crate::support::{Repo, does};

fn lines(requests: &[(&str, &Value)]) -> Vec<String> {
    let lines = requests.iter().map(|(id, request)| {
        let mut request = (*request).clone();
        request["id"] = (*id).into();
        request.to_string()
    });
    lines.collect()
}

#[test]
fn an_equal_request_takes_over_the_answer_but_not_the_times() {
    let repo = Repo::new();
    let request = json!({ "language": "rust", "source": doubled(), "cases": [case("1", "2"), case("2", "5")] });
    let mut other = request.clone();
    other["stop"] = "all".into();
    let lines = lines(&[("a", &request), ("b", &request), ("c", &other), ("d", &request)]);
    let batch = Batch::of_lines(&repo, &["-j", "1"], &lines);
    for id in ["b", "d"] {
        let answer = batch.answer(id);
        assert_eq!(answer["same_as"], "a");
        assert_eq!((&answer["verdict"], batch.verdicts(id)), (&json!("WA"), "AC WA".to_owned()));
        assert!(answer["cases"][0].get("cpu_ms").is_none(), "{answer}");
    }
    assert!(batch.answer("a").get("same_as").is_none());
    assert!(batch.answer("c").get("same_as").is_none());
    assert!(batch.ran.stderr.contains("2 judged, 2 equal"), "{}", batch.ran.stderr);
    let all = Batch::of_lines(&repo, &["-j", "1", "--window", "0"], &lines);
    assert!(all.answers.iter().all(|answer| answer.get("same_as").is_none()));
}

#[test]
fn an_equal_request_takes_over_what_the_compiler_said() {
    let repo = Repo::new();
    let request =
        json!({ "language": "rust", "source": "fn main() { oops }", "cases": [case("", "")] });
    let batch = Batch::of_lines(&repo, &["-j", "1"], &lines(&[("a", &request), ("b", &request)]));
    let [first, same] = ["a", "b"].map(|id| &batch.answer(id)["compile"]);
    assert_eq!(batch.answer("b")["same_as"], "a");
    assert_eq!((&same["ok"], &same["message"]), (&json!(false), &first["message"]));
    assert!(same["message"].as_str().unwrap().contains("oops"), "{same}");
    assert!(same.get("wall_ms").is_none(), "{same}");
}

#[test]
fn what_depends_on_resources_is_judged_again() {
    let repo = Repo::new();
    let never = does("loop { std::hint::black_box(0); }");
    let slow =
        json!({ "language": "rust", "source": never, "cases": [case("", "")], "time_limit": 0.1 });
    let dies = json!({ "language": "rust", "source": does("std::process::abort();"), "cases": [case("", "")] });
    let fails = json!({ "language": "rust", "source": does("std::process::exit(3);"), "cases": [case("", "")] });
    let lines = lines(&[
        ("t1", &slow),
        ("t2", &slow),
        ("s1", &dies),
        ("s2", &dies),
        ("e1", &fails),
        ("e2", &fails),
    ]);
    let batch = Batch::of_lines(&repo, &["-j", "2"], &lines);
    for id in ["t1", "t2", "s1", "s2"] {
        assert!(batch.answer(id).get("same_as").is_none(), "{id}");
    }
    let same = ["e1", "e2"].map(|id| batch.answer(id).get("same_as").is_some());
    assert_eq!(same.iter().filter(|is| **is).count(), 1, "{}", batch.ran.all());
}
