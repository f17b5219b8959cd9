//! A sample for every verdict, and the messages of checkers and output validators.

use insta::assert_snapshot;

use crate::support::Repo;
use crate::support::{SUM, does};

/// The verdict of `rejudge` on a source, and its exit status.
fn verdict_of(source: &str, extra: &[&str]) -> (String, i32) {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", source);
    let mut args = vec!["run", "--json", "-", "--case", "sample/1"];
    args.extend(extra);
    let ran = repo.run(&args);
    let verdict = ran.stdout.lines().find(|line| line.starts_with(r#"{"type":"submission""#));
    let json: serde_json::Value = serde_json::from_str(verdict.unwrap()).unwrap();
    (json["verdict"].as_str().unwrap().to_owned(), ran.status)
}

#[test]
fn every_verdict_has_a_sample() {
    let table: [(&str, String, &[&str], i32); 9] = [
        ("AC", SUM.to_owned(), &[], 0),
        ("WA", does("println!(\"4\");"), &[], 1),
        ("TLE", does("loop { std::hint::black_box(0); }"), &["-t", "0.2"], 1),
        (
            "TLE",
            does("std::thread::sleep(std::time::Duration::from_secs(60));"),
            &["--wall-limit", "0.3"],
            1,
        ),
        (
            "MLE",
            does("let mut v = Vec::new(); loop { v.push(vec![1u8; 1 << 20]); }"),
            &["-m", "64"],
            1,
        ),
        ("OLE", does("loop { println!(\"{}\", \"x\".repeat(1 << 16)); }"), &[], 1),
        ("RTE", does("std::process::exit(3);"), &[], 1),
        ("RTE", does("std::process::abort();"), &[], 1),
        ("CE", does("let x: u8 = \"no\";"), &[], 1),
    ];
    for (verdict, source, extra, status) in table {
        assert_eq!(verdict_of(&source, extra), (verdict.to_owned(), status), "{source}");
    }
}

#[test]
fn an_unknown_exit_code_of_a_checker_is_a_judge_error() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM)
        .file("cases/sum/output_validator/check.rs", does("eprintln!(\"oh no\");"));
    assert_snapshot!(repo.run(&[]).all(), @r###"
    FAIL  solutions/sum/a.rs: got JE, expected AC
          sample/1  JE  the output validator exited with 0, not with 42 (accept) or 43 (reject)
            stderr: oh no
            input:
              1 2
            rerun: rejudge run --case sample/1 solutions/sum/a.rs
          secret/big  JE  the output validator exited with 0, not with 42 (accept) or 43 (reject)
          0 of 2 cases accepted, slowest # s (CASE), SIZE
    --- exit status 2
    "###);
}

#[test]
fn an_output_validator_accepts_or_rejects_with_a_message() {
    let repo = Repo::with_sum();
    let validator = r#"
use std::io::Read;
fn main() {
    let mut args = std::env::args().skip(1);
    let (_input, answer, feedback) = (args.next(), args.next().unwrap(), args.next().unwrap());
    let mut output = String::new();
    std::io::stdin().read_to_string(&mut output).unwrap();
    let answer = std::fs::read_to_string(answer).unwrap();
    if output.trim() == answer.trim() {
        std::process::exit(42);
    }
    std::fs::write(format!("{feedback}/judgemessage.txt"), "that is not the sum").unwrap();
    std::process::exit(43);
}
"#;
    repo.file("solutions/sum/a.rs", SUM)
        .file("solutions/sum/wrong_answer/b.rs", does("println!(\"4\");"))
        .file("cases/sum/output_validator/check.rs", validator);
    assert_snapshot!(repo.run(&["-v"]).all(), @r###"
    ok    solutions/sum/a.rs  AC   2/2 accepted, slowest # s of 2 s (CASE), SIZE
    ok    solutions/sum/wrong_answer/b.rs  WA   0/2 accepted, slowest # s (CASE), SIZE
    ok    sum              2 solutions as expected, 2 cases  slowest AC # s of 2 s (CASE), SIZE

    2 solutions: 2 as expected (4 cases in # s)
    --- exit status 0
    "###);
    let broken = repo.run(&["--checker", "exact"]);
    assert_eq!(broken.status, 0, "{}", broken.all());
}

#[test]
fn a_wrong_answer_with_nearly_equal_numbers_says_which_checker_would_accept_it() {
    let repo = Repo::new();
    repo.file("p/1.in", "1\n").file("p/1.ans", "third 0.3333333\n");
    repo.file("p/a.rs", "fn main() { println!(\"third 0.33333334\"); }\n");
    let hint = "its numbers differ from the answer by at most 1e-6: if that is allowed, try `--checker float:1e-6`";
    let ran = repo.run(&["run", "p"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    assert!(ran.stdout.contains(hint), "{}", ran.all());
    assert_eq!(repo.run(&["run", "p", "--checker", "float:1e-6"]).status, 0);
    for (answer, checker) in [("third 0.3334\n", "tokens"), ("third 0.3333333\n", "float:1e-9")] {
        repo.file("p/1.ans", answer);
        let ran = repo.run(&["run", "p", "--checker", checker]);
        assert_eq!(ran.status, 1, "{}", ran.all());
        assert!(!ran.stdout.contains("try `--checker"), "{}", ran.all());
    }
}
