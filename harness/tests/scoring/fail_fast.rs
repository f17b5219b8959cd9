//! `--fail-fast` on problems with scores: what may still give points is judged.

use crate::scoring::{GROUP_CASES, GROUPS, LEGACY, V2025, echo_but, package};
use crate::support::Repo;

/// Judges a submission in `wrong_answer/` with this option. The report must contain `text`, `run` cases must be run, and the
/// exit status must be `status`.
fn expect(repo: &Repo, submission: &str, option: &str, text: &str, (run, status): (usize, i32)) {
    repo.file("p/submissions/wrong_answer/s.sh", submission);
    let args = ["run", "p", "-v", "--wall-limit", "60", "--json", "r.jsonl"];
    let ran = repo.run(&[&args[..], &[option]].concat());
    assert!(ran.stdout.contains(text), "{submission}{text}: {}", ran.all());
    let report = repo.read("r.jsonl");
    let cases = report.lines().filter(|line| line.contains("\"type\":\"case\""));
    let judged = cases.filter(|line| !line.contains("\"verdict\":\"SKIP\""));
    assert_eq!(judged.count(), run, "{submission}{report}");
    assert_eq!(ran.status, status, "{submission}{}", ran.all());
}

#[test]
fn a_failure_leaves_the_points_of_other_groups() {
    let repo = package(V2025, &GROUPS, &GROUP_CASES);
    // Groups of 2025-09 are `pass-fail` unless they say otherwise.
    repo.file("p/data/secret/b/test_group.yaml", "max_score: 70\nscore_aggregation: sum\n");
    let table = [
        ("secret/a/1", "70 of 100 points (secret/a 0 of 30, secret/b 70 of 70)", 5),
        ("secret/b/1", "76.666667 of 100 points (secret/a 30 of 30, secret/b 46.666667 of 70)", 6),
    ];
    for (hard, points, run) in table {
        for option in ["--fail-fast=submission", "--fail-fast=run"] {
            expect(&repo, &echo_but(hard), option, points, (run, 0));
        }
    }
}

/// Two groups of 60 and 40 points, as problems of olympiads have them.
const SUBTASKS: [(&str, &str); 4] = [
    ("data/testdata.yaml", "on_reject: continue\ngrader_flags: ignore_sample\n"),
    (
        "data/secret/testdata.yaml",
        "on_reject: continue\ngrader_flags: first_error accept_if_any_accepted\nrange: 0 100\n",
    ),
    (
        "data/secret/1/testdata.yaml",
        "on_reject: break\ngrader_flags: min\naccept_score: 60\nrange: 0 60\n",
    ),
    (
        "data/secret/2/testdata.yaml",
        "on_reject: break\ngrader_flags: min\naccept_score: 40\nrange: 0 40\n",
    ),
];

const SUBTASK_CASES: [&str; 7] = [
    "sample/1",
    "secret/1/a",
    "secret/1/b",
    "secret/1/c",
    "secret/2/a",
    "secret/2/b",
    "secret/2/c",
];

#[test]
fn a_legacy_submission_with_points_is_not_a_wrong_answer() {
    let repo = package(LEGACY, &SUBTASKS, &SUBTASK_CASES);
    let table = [
        ("secret/1/b", "secret 40 of 100, secret/1 0 of 60, secret/2 40 of 40", 6),
        ("secret/2/a", "secret 60 of 100, secret/1 60 of 60, secret/2 0 of 40", 5),
    ];
    for (hard, points, run) in table {
        let wrong = echo_but(hard);
        expect(&repo, &wrong, "--fail-fast", points, (run, 1));
        let verdict = "got AC, expected WA";
        expect(&repo, &wrong, "--fail-fast", verdict, (run, 1));
    }
}

#[test]
fn what_no_grader_reads_is_skipped() {
    // A legacy problem without scores: `secret` is not accepted, and the root ignores everything after it.
    let settings = [("data/testdata.yaml", "on_reject: break\ngrader_flags: first_error\n")];
    let repo = package(
        "name: P\nlimits: {time_limit: 5}\n",
        &settings,
        &["sample/1", "sample/2", "secret/1", "secret/2"],
    );
    for (hard, run) in [("sample/1", 1), ("sample/2", 2), ("secret/1", 3)] {
        expect(&repo, &echo_but(hard), "--fail-fast", "  WA   ", (run, 0));
    }
}

#[test]
fn without_a_score_a_submission_still_stops_at_its_first_failure() {
    let repo = package(V2025, &GROUPS, &GROUP_CASES);
    let wrong = echo_but("secret/a/*");
    repo.file("p/submissions/wrong_answer/s.sh", wrong);
    // A selection of cases gets no score.
    let select = ["--case", "secret/*", "--json", "r.jsonl"];
    let ran = repo.run(&[&["run", "p", "--fail-fast"], &select[..]].concat());
    assert_eq!(ran.status, 0, "{}", ran.all());
    let judged = repo.read("r.jsonl").matches("\"type\":\"case\"").count();
    assert_eq!(judged, 1, "{}", ran.all());
}

/// A failed case decides nothing where the best one counts.
#[test]
fn a_group_of_which_the_best_case_counts_is_judged_to_its_end() {
    let repo = Repo::new();
    repo.file(
        "p/testdata/config.yaml",
        "subtasks:\n- {type: max, score: 100, cases: [{input: 1.in, output: 1.out}, {input: 2.in, output: 2.out}]}\n",
    );
    for number in ["1", "2"] {
        repo.file(&format!("p/testdata/{number}.in"), number)
            .file(&format!("p/testdata/{number}.out"), number);
    }
    repo.file("p/s.sh", "read x\n[ \"$x\" = 1 ] && x=z\necho $x\n");
    let ran = repo.run(&["run", "p/s.sh", "-v", "--fail-fast=submission"]);
    assert!(ran.stdout.contains("100 of 100 points"), "{}", ran.all());
}
