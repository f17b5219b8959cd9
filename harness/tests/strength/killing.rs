//! The killing matrix of a run, and of a stored report.

use serde_json::Value;

use super::{lines, prints, repo, strength};
use crate::support::Repo;

#[test]
fn each_wrong_submission_is_listed_with_the_cases_that_catch_it() {
    let repo = repo(
        4,
        &[
            ("wrong_answer/a", &["yes", "no", "no", "yes"]),
            ("wrong_answer/b", &["yes", "no", "yes", "yes"]),
            ("wrong_answer/c", &["yes", "no", "yes", "no"]),
        ],
    );
    let (status, found) = strength(&repo, &["p"]);
    assert_eq!(status, 0);
    assert_eq!(found["wrong"], 3);
    assert_eq!(found["minimal"], serde_json::json!(["secret/1"]));
    assert_eq!(found["minimal_is_exact"], true);
    assert_eq!(found["essential"], serde_json::json!(["secret/1"]));
    assert_eq!(found["redundant"], serde_json::json!(["secret/2", "secret/3"]));
    assert_eq!(found["idle"], serde_json::json!(["secret/0"]));
    assert_eq!(found["order"][0], "secret/1");
    assert_eq!(found["order_needed"], 1);
    let ran = repo.run(&["strength", "p"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("1 of 4 cases catches all 3 wrong submissions"), "{}", ran.all());
}

#[test]
fn a_wrong_submission_that_no_case_catches_is_a_finding() {
    let repo = repo(2, &[("wrong_answer/a", &["yes", "yes"]), ("wrong_answer/b", &["no", "yes"])]);
    let (status, found) = strength(&repo, &["p"]);
    assert_eq!(status, 1);
    assert_eq!(found["uncaught"], serde_json::json!(["solutions/p/wrong_answer/a.sh"]));
    let ran = repo.run(&["strength", "p"]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.stdout.contains("1 of 2 cases catches 1 of 2 wrong submissions, and 1 is not caught"),
        "{}",
        ran.all()
    );
}

/// A group of a scoring problem is skipped if one that it requires has failed, but strength needs every result.
#[test]
fn every_case_is_run_even_if_its_group_would_be_skipped() {
    let repo = Repo::new();
    let yaml = "name: P\ntype: scoring\nlimits: {time_limit: 5}\n";
    let cases = ["a/0", "b/1", "b/2"].map(|case| (format!("secret/{case}"), &case[2..]));
    let cases: Vec<_> =
        cases.iter().map(|(name, input)| (name.as_str(), *input, "yes\n")).collect();
    let group = |name: &str| format!("cases/p/data/secret/{name}/test_group.yaml");
    repo.problem("p", yaml, &cases)
        .file(&group("a"), "max_score: 50\n")
        .file(&group("b"), "max_score: 50\nrequire_pass: [secret/a]\n")
        .file("solutions/p/good.sh", "echo yes\n")
        .file("solutions/p/wrong_answer/a.sh", prints(&["no", "no", "yes"]));
    let ran = repo.run(&["run", "p", "--json", "run.jsonl"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let plain = lines(&repo, &["strength", "--json", "-", "run.jsonl"]).1;
    assert_eq!(plain[0]["unknown"], serde_json::json!(["secret/b/1", "secret/b/2"]));
    let args = ["strength", "--json", "-", "p", "--mutants", "0"];
    let found = lines(&repo, &args).1;
    assert_eq!(found[0]["caught_by"], serde_json::json!(["secret/a/0", "secret/b/1"]));
    assert_eq!(found[0]["unknown"], serde_json::json!([]));
}

#[test]
fn a_stored_report_gives_the_same_and_a_case_that_was_not_run_is_unknown() {
    let repo = repo(
        3,
        &[("wrong_answer/a", &["no", "yes", "no"]), ("wrong_answer/b", &["yes", "yes", "no"])],
    );
    let ran = repo.run(&["run", "p", "--json", "run.jsonl"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let (status, stored) = strength(&repo, &["run.jsonl"]);
    let (_, judged) = strength(&repo, &["p"]);
    assert_eq!(status, 0);
    for key in ["cases", "wrong", "uncaught", "essential", "redundant", "idle", "minimal"] {
        assert_eq!(stored[key], judged[key], "{key}");
    }
    repo.run(&["run", "p", "--json", "short.jsonl", "--fail-fast"]);
    let short = lines(&repo, &["strength", "--json", "-", "short.jsonl"]).1;
    assert_eq!(short[0]["caught_by"], serde_json::json!(["secret/0"]));
    assert_eq!(short[0]["unknown"], serde_json::json!(["secret/1", "secret/2"]));
    assert_eq!(short.last().unwrap()["essential"], serde_json::json!(["secret/2"]));
}

/// A submission that waits until the wall limit ends it, unless it sees that it may use more CPU time than at first. The
/// kernel's limit is twice ours and 1 s; a run next to others may take half as long again.
const LATE: &str = "case $(ulimit -t) in 201 | 301) sleep 1000 ;; esac\necho yes\n";

#[test]
fn a_catch_that_a_little_more_time_would_undo_is_reported() {
    let repo = repo(1, &[]);
    let yaml = "name: P\nlimits: {time_limit: 100}\n";
    repo.file("cases/p/problem.yaml", yaml)
        .file("rejudge.toml", "[problems.p]\nwall_limit = 1\n")
        .file("solutions/p/time_limit_exceeded/late.sh", LATE)
        .file("solutions/p/time_limit_exceeded/never.sh", "sleep 1000\necho yes\n");
    let found = lines(&repo, &["strength", "--json", "-", "p", "-j", "2"]).1;
    let close: Vec<&Value> = found.iter().filter(|line| line["type"] == "submission").collect();
    assert_eq!(close[0]["close"], "yes", "{found:?}");
    assert_eq!(close[1]["close"], "no");
}

#[test]
fn a_report_is_not_overwritten_by_its_evaluation() {
    let repo = repo(1, &[("wrong_answer/a", &["no"])]);
    repo.run(&["run", "p", "--json", "run.jsonl"]);
    let before = repo.read("run.jsonl");
    let ran = repo.run(&["strength", "run.jsonl", "--json", "run.jsonl"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let error = "error: `--json` would overwrite `run.jsonl`, which the command reads\n";
    assert!(ran.stderr.starts_with(error), "{}", ran.all());
    assert_eq!(repo.read("run.jsonl"), before);
}

#[test]
fn reports_and_problems_are_not_mixed() {
    let repo = repo(1, &[]);
    let ran = repo.run(&["strength", "p", "run.jsonl"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("error: reports and problems cannot be mixed\nhelp: "),
        "{}",
        ran.all()
    );
    let ran = repo.run(&["strength", "run.jsonl"]);
    assert!(ran.stderr.contains("error: cannot read `run.jsonl`"), "{}", ran.all());
    repo.file("run.jsonl", "zonk\n");
    let ran = repo.run(&["strength", "run.jsonl"]);
    assert!(ran.stderr.contains("error: `run.jsonl` is not a report: line 1"), "{}", ran.all());
}

#[test]
fn verify_counts_the_wrong_submissions_that_the_cases_catch() {
    let repo = repo(
        3,
        &[("wrong_answer/a", &["yes", "no", "no"]), ("wrong_answer/b", &["yes", "no", "yes"])],
    );
    let ran = repo.run(&["verify", "p"]);
    assert!(
        ran.stdout.contains("3 submissions, 1 of 3 cases catches all 2 wrong submissions\n"),
        "{}",
        ran.all()
    );
    let found = lines(&repo, &["verify", "--json", "-", "p"]).1;
    let problem = found.iter().find(|line| line["type"] == "problem").unwrap();
    let counts = ["wrong_submissions", "wrong_caught", "minimal_cases"]
        .map(|key| problem[key].as_u64().unwrap());
    assert_eq!(counts, [2, 2, 1]);
}
