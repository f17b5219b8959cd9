//! Invalid points and gradings: each is reported with its place.

use crate::scoring::{GROUP_CASES, GROUPS, LEGACY, V2025, package};

#[test]
fn invalid_points_are_reported() {
    let group = "data/secret/a/test_group.yaml";
    let table = [
        (
            group,
            "max_score: lots\n",
            "a/test_group.yaml:1:12: `max_score` must be a whole number or `unbounded`, got the text `lots`",
        ),
        (
            group,
            "max_score: 1.5\n",
            "a/test_group.yaml:1:12: `max_score` must be a whole number or `unbounded`, got `1.5`",
        ),
        (
            group,
            "max_score: 1\nscore_aggregation: max\n",
            "a/test_group.yaml:2:20: `score_aggregation` must be `pass-fail`, `sum` or `min`, got the text `max`",
        ),
        (
            group,
            "{}\n",
            "data/secret/a has no maximum score, but `secret` has one\nhelp: add `max_score` to its `test_group.yaml`",
        ),
        (
            group,
            "max_score: 1\nrequire_pass: secret/a\n",
            "a/test_group.yaml:2:15: it requires itself\nhelp: name `sample`, or a `pass-fail` group that comes earlier, for example `secret/group1`",
        ),
        (
            group,
            "max_score: 1\nrequire_pass: [sample, secret/b]\n",
            "a/test_group.yaml:2:15: it requires `secret/b`, which comes later",
        ),
        (
            group,
            "max_score: 1\nrequire_pass: b\n",
            "a/test_group.yaml:2:15: it requires `b`, which is not a group",
        ),
        (
            "data/secret/c/test_group.yaml",
            "max_score: 1\nrequire_pass: secret/b\n",
            "c/test_group.yaml:2:15: it requires `secret/b`, which is not `pass-fail`",
        ),
        ("data/secret/c/test_group.yaml", "max_score: 1\n", "data/secret/c has no test cases"),
        (
            "data/secret/test_group.yaml",
            "require_pass: secret/a\n",
            "secret/test_group.yaml:1:15: `secret` may require only `sample`",
        ),
        (
            "data/secret/test_group.yaml",
            "score_aggregation: pass-fail\n",
            "data/secret/b has a different `score_aggregation` from `secret`, which is `pass-fail`",
        ),
        (
            "data/sample/test_group.yaml",
            "max_score: 1\n",
            "sample/test_group.yaml:1:12: samples have no `max_score`",
        ),
        (
            "data/secret/1.in",
            "",
            "data/secret has both the case `secret/1` and the group `secret/a`\nhelp: put every case into a group, or none",
        ),
    ];
    for (path, text, expected) in table {
        let repo = package(V2025, &GROUPS, &GROUP_CASES);
        repo.file("p/data/secret/1.ans", "").file("p/submissions/accepted/s.sh", "cat\n");
        if path != "data/secret/1.in" {
            std::fs::remove_file(repo.path("p/data/secret/1.ans")).unwrap();
        }
        repo.file(&format!("p/{path}"), text);
        let ran = repo.judge_package();
        assert_eq!(ran.status, 2, "{expected}\n{}", ran.all());
        assert!(ran.stderr.contains(expected), "{expected}\n{}", ran.all());
        if text == "{}\n" {
            // Not twice, because it is also a `pass-fail` group.
            assert_eq!(ran.stderr.matches("error: ").count(), 1, "{}", ran.all());
        }
    }
    let repo = package(V2025, &GROUPS, &GROUP_CASES);
    repo.file("p/problem.yaml", V2025.replace("scoring", "pass-fail"));
    repo.file("p/submissions/accepted/s.sh", "cat\n");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stderr.contains("`max_score` is ignored: the problem gives no scores"));
}

#[test]
fn invalid_gradings_are_reported() {
    let table = [
        (
            "on_reject: stop",
            ":1:12: `on_reject` must be `break` or `continue`, got the text `stop`",
        ),
        ("grading: [x]", ":1:10: `grading` must be `default` or `custom`, got a list"),
        ("range: 5", ":1:8: `range` must be the lowest and the highest score, got `5`"),
        (
            "range: 5 1",
            ":1:8: `range` must be the lowest and the highest score, got the text `5 1`",
        ),
        ("accept_score: full", ":1:15: `accept_score` must be a number, got the text `full`"),
        ("grader_flags: summ", ":1:15: unknown flag `summ`\nhelp: did you mean `sum`?"),
    ];
    for (text, expected) in table {
        let repo = package(LEGACY, &[("data/testdata.yaml", text)], &["secret/1"]);
        repo.file("p/submissions/accepted/s.sh", "cat\n");
        let ran = repo.judge_package();
        assert_eq!(ran.status, 2, "{}", ran.all());
        let line = format!("p/data/testdata.yaml{expected}");
        assert!(ran.stderr.contains(&line), "{line}\n{}", ran.all());
    }
}
