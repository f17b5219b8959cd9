//! Static validators read the submission's files; their run is a case of a group.

use crate::icpc::{V2025, package};

/// Logs its arguments, rejects sources with a forbidden word, and gives points by the number of
/// lines.
const VALIDATOR: &str = "\
import os, sys
language, entry, feedback, *args = sys.argv[1:]
names = sorted(name for name in os.listdir('.') if not name.startswith('.'))
text = open(entry).read()
with open(feedback + 'judgemessage.txt', 'w') as message:
    message.write(' '.join([language, entry, *args, '|', *names]))
if 'forbidden' in text:
    sys.exit(43)
if 'crash' in text:
    sys.exit(1)
if 'share' in args:
    open(feedback + 'score_multiplier.txt', 'w').write('0.5')
sys.exit(42)
";

const CASES: [(&str, &str); 5] = [
    ("static_validator/validate.py", VALIDATOR),
    ("data/secret/a/1.in", ""),
    ("data/secret/a/1.ans", "1\n"),
    ("data/secret/b/1.in", ""),
    ("data/secret/b/1.ans", "1\n"),
];

#[test]
fn a_static_validator_is_a_case_of_its_group() {
    if crate::support::lacks("python3") {
        return;
    }
    let repo = package(V2025, &CASES);
    repo.file(
        "p/data/secret/a/test_group.yaml",
        "static_validation_score: pass-fail\nstatic_validator_args: [x, y]\n",
    )
    .file("p/submissions/accepted/good.sh", "echo 1\n")
    .file("p/submissions/accepted/folder/main.sh", ". ./lib.sh\n")
    .file("p/submissions/accepted/folder/lib.sh", "echo 1\n")
    .file("p/submissions/wrong_answer/bad.sh", "echo 1 # forbidden\n")
    .file("p/submissions/accepted/folder/main.sh", ". \"$(dirname \"$0\")/lib.sh\"\n");
    repo.file(
        "p/submissions/submissions.yaml",
        "wrong_answer/bad.sh:\n  secret/a/@static: {message: 'bash bad.sh x y | bad.sh'}\n\
         accepted/folder:\n  secret/a/@static: {message: 'bash main.sh x y | lib.sh main.sh'}\n",
    );
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert_eq!(
        repo.verdicts(&["p/submissions/wrong_answer"]),
        [
            "p/submissions/wrong_answer/bad.sh secret/a/1 AC",
            "p/submissions/wrong_answer/bad.sh secret/a/@static WA bash bad.sh x y | bad.sh",
            "p/submissions/wrong_answer/bad.sh secret/b/1 AC",
        ]
    );
    repo.file("p/submissions/accepted/good.sh", "echo 1 # crash\n");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 2, "{}", ran.all());
    let fault = "the static validator exited with 1, not with 42 (accept) or 43 (reject)";
    assert!(ran.stdout.contains(fault), "{}", ran.all());
    let ran = repo.run(&["verify", "p", "--no-submissions"]);
    assert!(ran.stdout.contains("2 answers"), "{}", ran.all());
}

#[test]
fn a_submission_cannot_leave_scores_for_its_static_validator() {
    if crate::support::lacks("python3") {
        return;
    }
    let repo = package(V2025, &CASES);
    repo.file("p/data/secret/a/test_group.yaml", "static_validation_score: pass-fail\n");
    for name in ["score.txt", "feedback/score.txt"] {
        repo.file(&format!("p/submissions/accepted/folder/{name}"), "1");
    }
    repo.file("p/submissions/accepted/folder/main.sh", "echo 1\n");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
}

#[test]
fn static_validation_is_part_of_the_groups_score() {
    if crate::support::lacks("python3") {
        return;
    }
    let yaml = V2025.replace("name: P", "name: P\ntype: scoring");
    // Settings of `secret` and of its groups, and the score of a submission to which the validator
    // gives half the points.
    let table = [
        (
            "",
            "max_score: 60\nscore_aggregation: sum\nstatic_validation_score: 20\nstatic_validator_args: share\n",
            50.0 + 40.0,
        ),
        (
            "",
            "max_score: 60\nscore_aggregation: min\nstatic_validation_score: 20\nstatic_validator_args: share\n",
            10.0 + 40.0,
        ),
        (
            "static_validation_score: 10\nstatic_validator_args: share\nmax_score: 110\n",
            "max_score: 60\n",
            105.0,
        ),
    ];
    for (secret, a, score) in table {
        let repo = package(&yaml, &CASES);
        repo.file("p/data/secret/a/test_group.yaml", a)
            .file("p/data/secret/b/test_group.yaml", "max_score: 40\n")
            .file("p/submissions/accepted/good.sh", "echo 1\n")
            .file("p/submissions/submissions.yaml", format!("accepted: {{score: {score}}}\n"));
        if !secret.is_empty() {
            repo.file("p/data/secret/test_group.yaml", secret);
        }
        let ran = repo.judge_package();
        assert_eq!(ran.status, 0, "{secret}{a}{}", ran.all());
    }
}

#[test]
fn invalid_static_validation_is_reported() {
    let scoring = V2025.replace("name: P", "name: P\ntype: scoring");
    let table = [
        (
            V2025,
            "static_validation_score: 5\n",
            "p/data/secret/a/test_group.yaml:1:1: `static_validation_score` must be `pass-fail`: the group has no scores to share",
        ),
        (
            &scoring,
            "max_score: 9\nstatic_validation_score: 5\n",
            "p/data/secret/a/test_group.yaml:2:1: `static_validation_score` must be `pass-fail`",
        ),
        (
            &scoring,
            "max_score: 9\nscore_aggregation: sum\nstatic_validation_score: pass-fail\n",
            "p/data/secret/a/test_group.yaml:3:1: `static_validation_score` must be a whole number: the group's `score_aggregation` is `sum`",
        ),
        (
            &scoring,
            "max_score: 9\nscore_aggregation: sum\nstatic_validation_score: 10\n",
            "`static_validation_score` is greater than `max_score`",
        ),
        (
            V2025,
            "static_validation_score: much\n",
            "`static_validation_score` must be a whole number or `pass-fail`, got the text `much`",
        ),
        (
            V2025,
            "static_validator_args: x\n",
            "p/data/secret/a/test_group.yaml:1:1: `static_validator_args` requires `static_validation_score`",
        ),
    ];
    for (yaml, group, error) in table {
        let repo = package(yaml, &CASES);
        repo.file("p/data/secret/a/test_group.yaml", group)
            .file("p/submissions/accepted/good.sh", "echo 1\n");
        let ran = repo.judge_package();
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.stderr.contains(error), "{error}\n{}", ran.all());
    }
    let repo = package(V2025, &CASES[1..]);
    repo.file("p/data/secret/a/test_group.yaml", "static_validation_score: pass-fail\n");
    let error = "`static_validation_score` requires a static validator\nhelp: add its source to p/static_validator, or remove the key";
    assert!(repo.judge_package().stderr.contains(error));
    let repo = package(V2025, &CASES);
    repo.file("p/submissions/accepted/good.sh", "echo 1\n");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stderr.contains("warning: p/static_validator is never used"));
    repo.file("p/problem.yaml", V2025.replace("name: P", "name: P\ntype: submit-answer"));
    let error = "p/static_validator cannot be used: the submissions are answers";
    assert!(repo.judge_package().stderr.contains(error));
}
