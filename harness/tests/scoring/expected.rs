//! Expected scores of submissions.

use crate::scoring::{GROUP_CASES, GROUPS, V2025, echo_but, package};

#[test]
fn expected_scores_are_compared() {
    let repo = package(V2025, &GROUPS, &GROUP_CASES);
    repo.file("p/submissions/partially_accepted/s.sh", echo_but("secret/b/2"));
    let table = [
        ("{}", None),
        ("partially_accepted: {score: [76, 77]}", None),
        ("partially_accepted:\n  secret/a: {score: 30}\n  secret/b: {score: [0, 69]}\n", None),
        (
            "partially_accepted: {score: 100}",
            Some("got 76.666667 points, expected 100 (p/submissions/submissions.yaml:1)"),
        ),
        (
            "partially_accepted:\n  secret/{a,b}: {score: 30}\n",
            Some(
                "got 46.666667 points in `secret/b`, expected 30 (p/submissions/submissions.yaml:2)",
            ),
        ),
        (
            "partially_accepted:\n  secret/a/1: {score: 30}\n",
            Some(
                "no group matches `secret/a/1`, so it has no score (p/submissions/submissions.yaml:2)",
            ),
        ),
    ];
    repo.expect_of_submissions(&table);
    repo.file("p/submissions/submissions.yaml", "{}");
    repo.file("p/submissions/partially_accepted/s.sh", echo_but("none"));
    let ran = repo.judge_package();
    assert!(ran.stdout.contains("got all 100 points, expected fewer"), "{}", ran.all());
}
