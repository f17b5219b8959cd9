//! Scoring problems: points of 2025-09, graders of the legacy format, one rule at a time.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

mod support;

use support::{Ran, Repo};

const V2025: &str =
    "problem_format_version: 2025-09\nname: P\ntype: scoring\nlimits: {time_limit: 5}\n";
const LEGACY: &str = "name: P\ntype: scoring\nlimits: {time_limit: 5}\n";

/// Prints its input, but nothing for the words among its own letters' list.
fn echo_but(hard: &str) -> String {
    format!("read word\ncase $word in\n{hard}) exit 0;;\nesac\necho $word\n")
}

/// A package with these settings and cases; a case's input and answer are its own name.
fn package(yaml: &str, settings: &[(&str, &str)], cases: &[&str]) -> Repo {
    let repo = Repo::new();
    repo.file("p/problem.yaml", yaml);
    for (path, text) in settings {
        repo.file(&format!("p/{path}"), text);
    }
    for case in cases {
        for end in ["in", "ans"] {
            repo.file(&format!("p/data/{case}.{end}"), format!("{case}\n"));
        }
    }
    repo
}

fn judge(repo: &Repo) -> Ran {
    repo.run(&["run", "p", "-v", "-j", "2"])
}

/// Judges one submission of which nothing is expected, and returns what is said of it.
fn figures(repo: &Repo, submission: &str) -> String {
    repo.file("p/submissions/any/s.sh", submission);
    repo.file(
        "p/submissions/submissions.yaml",
        "any: {permitted: [AC, WA, TLE, RTE]}\n",
    );
    let ran = judge(repo);
    let line = ran.stdout.lines().find(|line| line.contains("any/s.sh"));
    let line = line.unwrap_or_else(|| panic!("{}", ran.all()));
    assert_eq!(
        ran.status,
        i32::from(line.starts_with("FAIL")) * 2,
        "{}",
        ran.all()
    );
    let (_, figures) = line.split_once("any/s.sh").unwrap();
    figures.split(", slowest").next().unwrap().trim().to_owned()
}

const GROUPS: [(&str, &str); 2] = [
    ("data/secret/a/test_group.yaml", "max_score: 30\n"),
    (
        "data/secret/b/test_group.yaml",
        "max_score: 70\nscore_aggregation: sum\nrequire_pass: [sample, secret/a]\n",
    ),
];
const GROUP_CASES: [&str; 6] = [
    "sample/1",
    "secret/a/1",
    "secret/a/2",
    "secret/b/1",
    "secret/b/2",
    "secret/b/deep/3",
];

#[test]
fn groups_add_up_to_a_hundred() {
    let repo = package(V2025, &GROUPS, &GROUP_CASES);
    let table = [
        (
            "none",
            "AC   6/6 accepted, 100 of 100 points (secret/a 30 of 30, secret/b 70 of 70)",
        ),
        (
            "secret/b/2",
            "WA   5/6 accepted, 76.666667 of 100 points (secret/a 30 of 30, secret/b 46.666667 of 70)",
        ),
        // What requires a group that failed is not run.
        (
            "secret/a/2",
            "WA   2/6 accepted, 0 of 100 points (secret/a 0 of 30, secret/b 0 of 70)",
        ),
        (
            "sample/1",
            "WA   2/6 accepted, 30 of 100 points (secret/a 30 of 30, secret/b 0 of 70)",
        ),
    ];
    for (hard, expected) in table {
        assert_eq!(figures(&repo, &echo_but(hard)), expected, "{hard}");
    }
    repo.file(
        "p/data/secret/b/test_group.yaml",
        "max_score: 70\nscore_aggregation: min\n",
    );
    let found = figures(&repo, &echo_but("secret/b/2"));
    assert!(
        found.contains("30 of 100 points (secret/a 30 of 30, secret/b 0 of 70)"),
        "{found}"
    );
    repo.file("p/data/secret/test_group.yaml", "score_aggregation: min\n");
    let found = figures(&repo, &echo_but("none"));
    assert!(found.contains("30 of 100 points"), "{found}");
    let all = "score_aggregation: pass-fail\nmax_score: 9\n";
    repo.file("p/data/secret/test_group.yaml", all);
    repo.file("p/data/secret/b/test_group.yaml", "max_score: 70\n");
    assert!(figures(&repo, &echo_but("none")).contains("9 of 9 points"));
    assert!(figures(&repo, &echo_but("secret/b/1")).contains("0 of 9 points"));
}

#[test]
fn cases_without_groups_share_the_points_of_secret() {
    let repo = package(
        V2025,
        &[],
        &["secret/1", "secret/2", "secret/3", "secret/4"],
    );
    assert_eq!(
        figures(&repo, &echo_but("secret/3")),
        "WA   3/4 accepted, 75 of 100 points"
    );
    // A selection of the cases says nothing of the score.
    let ran = repo.run(&["run", "p", "-v", "--case", "secret/1"]);
    assert!(!ran.stdout.contains("points"), "{}", ran.all());
}

#[test]
fn a_case_that_is_not_run_says_why() {
    let repo = package(V2025, &GROUPS, &GROUP_CASES);
    repo.file("p/submissions/any/s.sh", echo_but("secret/a/1"));
    repo.file(
        "p/submissions/submissions.yaml",
        "any: {permitted: [AC, WA]}\n",
    );
    let ran = repo.run(&["run", "p", "--json", "-", "--junit", "report.xml"]);
    assert_eq!(ran.status, 0);
    let lines: Vec<serde_json::Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let case = |name: &str| lines.iter().find(|line| line["case"] == name).unwrap();
    assert_eq!(case("secret/b/1")["verdict"], "SKIP");
    assert_eq!(
        case("secret/b/1")["feedback"],
        "its group requires `secret/a`, which did not pass"
    );
    let report = lines
        .iter()
        .find(|line| line["type"] == "submission")
        .unwrap();
    assert_eq!(
        (&report["score"], &report["max_score"]),
        (&0.0.into(), &100.0.into())
    );
    assert_eq!(report["groups"][0]["group"], "secret/a");
    assert_eq!(report["groups"][1]["max_score"], 70.0);
    let xml = repo.read("report.xml");
    assert!(
        xml.contains("<skipped message=\"its group requires"),
        "{xml}"
    );
    assert!(xml.contains("name=\"score\" value=\"0\""), "{xml}");
}

/// An output validator that obeys the answer: `accept` or `reject`, then files and their texts.
const OBEY: &str = "read exit rest < \"$2\"\nset -- \"$3\" $rest\nfeedback=$1\nshift\n\
                    while [ $# -gt 1 ]; do echo \"$2\" > \"$feedback/$1\"; shift 2; done\n\
                    [ $exit = accept ] && exit 42\nexit 43\n";

#[test]
fn validators_give_scores_within_their_bounds() {
    let unbounded = "max_score: unbounded\n";
    // The settings of `secret`, the validator's orders on two cases, what comes of it.
    let table = [
        ("", "accept score.txt 20", "accept", "70 of 100 points"),
        (
            "",
            "accept score_multiplier.txt 0.5",
            "accept score_multiplier.txt 1",
            "75 of 100 points",
        ),
        (
            unbounded,
            "accept score.txt 1e3",
            "accept score.txt 0.25",
            "1000.25 points",
        ),
        (unbounded, "reject", "accept score.txt 7", "7 points"),
        (
            "score_aggregation: min\n",
            "accept score.txt 99",
            "accept",
            "99 of 100 points",
        ),
        ("", "accept score.txt 50.5", "accept", "not judged"),
        ("", "reject score.txt 0", "accept", "not judged"),
        (
            "",
            "accept score.txt 1 score_multiplier.txt 1",
            "accept",
            "not judged",
        ),
        (unbounded, "accept", "accept score.txt 1", "not judged"),
        (
            "score_aggregation: pass-fail\n",
            "accept score.txt 1",
            "accept",
            "not judged",
        ),
    ];
    for (settings, first, second, expected) in table {
        let repo = package(
            V2025,
            &[("output_validator/obey.sh", OBEY)],
            &["secret/1", "secret/2"],
        );
        repo.file("p/data/secret/test_group.yaml", settings);
        // A sample's score is no fault, and counts for nothing.
        repo.file("p/data/sample/1.in", "")
            .file("p/data/sample/1.ans", "accept score.txt 5\n");
        repo.file("p/data/secret/1.ans", format!("{first}\n"));
        repo.file("p/data/secret/2.ans", format!("{second}\n"));
        repo.file("p/submissions/any/s.sh", "echo\n");
        repo.file(
            "p/submissions/submissions.yaml",
            "any: {permitted: [AC, WA]}\n",
        );
        let ran = judge(&repo);
        if expected == "not judged" {
            assert_eq!(ran.status, 2, "{first} {second}\n{}", ran.all());
            assert!(
                ran.stdout
                    .contains("secret/1  JE  the output validator is at fault: it wrote")
                    || ran
                        .stdout
                        .contains("JE  the output validator is at fault: score.txt says"),
                "{}",
                ran.all()
            );
        } else {
            assert_eq!(ran.status, 0, "{first} {second}\n{}", ran.all());
            assert!(
                ran.stdout.contains(&format!("accepted, {expected}")),
                "{expected}\n{}",
                ran.all()
            );
        }
    }
}

#[test]
fn expected_scores_are_compared() {
    let repo = package(V2025, &GROUPS, &GROUP_CASES);
    repo.file(
        "p/submissions/partially_accepted/s.sh",
        echo_but("secret/b/2"),
    );
    let table = [
        ("{}", None),
        ("partially_accepted: {score: [76, 77]}", None),
        (
            "partially_accepted:\n  secret/a: {score: 30}\n  secret/b: {score: [0, 69]}\n",
            None,
        ),
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
    for (yaml, complaint) in table {
        repo.file("p/submissions/submissions.yaml", yaml);
        let ran = judge(&repo);
        assert_eq!(
            ran.status,
            i32::from(complaint.is_some()),
            "{yaml}\n{}",
            ran.all()
        );
        assert!(
            ran.stdout.contains(complaint.unwrap_or("ok")),
            "{yaml}\n{}",
            ran.all()
        );
    }
    repo.file("p/submissions/submissions.yaml", "{}");
    repo.file("p/submissions/partially_accepted/s.sh", echo_but("none"));
    let ran = judge(&repo);
    assert!(
        ran.stdout.contains("got all of 100 points, expected fewer"),
        "{}",
        ran.all()
    );
}

#[test]
fn points_that_make_no_sense_are_named() {
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
            "data/secret/a has no greatest score, though `secret` has one\nhelp: add `max_score` to its `test_group.yaml`",
        ),
        (
            group,
            "max_score: 1\nrequire_pass: secret/a\n",
            "a/test_group.yaml:2:15: it requires itself\nhelp: name `sample`, or a `pass-fail` group that comes earlier, as `secret/group1`",
        ),
        (
            group,
            "max_score: 1\nrequire_pass: [sample, secret/b]\n",
            "a/test_group.yaml:2:15: it requires `secret/b`, which comes later",
        ),
        (
            group,
            "max_score: 1\nrequire_pass: b\n",
            "a/test_group.yaml:2:15: it requires `b`, which is no group",
        ),
        (
            "data/secret/c/test_group.yaml",
            "max_score: 1\nrequire_pass: secret/b\n",
            "c/test_group.yaml:2:15: it requires `secret/b`, which is not `pass-fail`",
        ),
        (
            "data/secret/c/test_group.yaml",
            "max_score: 1\n",
            "data/secret/c has no test cases",
        ),
        (
            "data/secret/test_group.yaml",
            "require_pass: secret/a\n",
            "secret/test_group.yaml:1:15: `secret` may require only `sample`",
        ),
        (
            "data/secret/test_group.yaml",
            "score_aggregation: pass-fail\n",
            "data/secret/b has another `score_aggregation` than `secret`, which is `pass-fail`",
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
        repo.file("p/data/secret/1.ans", "")
            .file("p/submissions/accepted/s.sh", "cat\n");
        if path != "data/secret/1.in" {
            std::fs::remove_file(repo.path("p/data/secret/1.ans")).unwrap();
        }
        repo.file(&format!("p/{path}"), text);
        let ran = judge(&repo);
        assert_eq!(ran.status, 2, "{expected}\n{}", ran.all());
        assert!(ran.stderr.contains(expected), "{expected}\n{}", ran.all());
    }
    let repo = package(V2025, &GROUPS, &GROUP_CASES);
    repo.file("p/problem.yaml", V2025.replace("scoring", "pass-fail"));
    repo.file("p/submissions/accepted/s.sh", "cat\n");
    let ran = judge(&repo);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(
        ran.stderr
            .contains("`max_score` is ignored: the problem gives no scores")
    );
}

const TREE: [(&str, &str); 3] = [
    (
        "data/testdata.yaml",
        "on_reject: continue\ngrader_flags: ignore_sample\nrange: 0 101\n",
    ),
    (
        "data/secret/testdata.yaml",
        "grader_flags: sum always_accept\n",
    ),
    (
        "data/secret/a/testdata.yaml",
        "on_reject: break\ngrader_flags: min\naccept_score: 30\n",
    ),
];
const TREE_CASES: [&str; 6] = [
    "sample/1",
    "secret/a/1",
    "secret/a/2",
    "secret/b/1",
    "secret/b/2",
    "secret/c",
];

#[test]
fn legacy_groups_are_graded_from_the_leaves_up() {
    let repo = package(LEGACY, &TREE, &TREE_CASES);
    repo.file(
        "p/data/secret/b/testdata.yaml",
        "accept_score: 35\ngrader_flags: sum\n",
    );
    repo.file("p/submissions/accepted/all.sh", echo_but("none"));
    repo.file(
        "p/submissions/partially_accepted/some.sh",
        echo_but("secret/a/*"),
    );
    repo.file(
        "p/submissions/partially_accepted/sample.sh",
        echo_but("sample/*|secret/c"),
    );
    let ran = judge(&repo);
    assert_eq!(ran.status, 0, "{}", ran.all());
    for line in [
        "all.sh  AC   6/6 accepted, 101 of 101 points (sample 1 of 101, secret 101 of 101, \
         secret/a 30 of 101, secret/b 70 of 101)",
        "some.sh  AC   4/6 accepted, 71 of 101 points",
        "sample.sh  AC   4/6 accepted, 100 of 101 points",
    ] {
        assert!(ran.stdout.contains(line), "{line}\n{}", ran.all());
    }
    repo.file(
        "p/data/secret/testdata.yaml",
        "grader_flags: always_accept\nrange: 0 100\n",
    );
    let ran = judge(&repo);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let fault = "all.sh: the scores cannot be settled: `data/secret` has a score of 101, outside \
                 of its range of 0 to 100";
    assert!(ran.stdout.contains(fault), "{}", ran.all());
}

#[test]
fn what_comes_after_a_break_does_not_count_but_is_shown() {
    // Wrong, then a crash: with `break` the first decides, with `continue` the worst.
    let crash = "read word\ncase $word in secret/1) exit 0;; secret/2) exit 1;; esac\necho $word\n";
    for (on_reject, folder) in [("break", "wrong_answer"), ("continue", "run_time_error")] {
        let settings = format!("on_reject: {on_reject}\n");
        let repo = package(
            "name: P\n",
            &[("data/testdata.yaml", settings.as_str())],
            &["sample/1", "secret/1", "secret/2", "secret/3"],
        );
        repo.file(&format!("p/submissions/{folder}/s.sh"), crash);
        let ran = repo.run(&["run", "p", "-vv"]);
        assert_eq!(ran.status, 0, "{}", ran.all());
        assert!(ran.stdout.contains("secret/2  RTE"), "{}", ran.all());
        assert!(ran.stdout.contains("secret/3  AC"), "{}", ran.all());
        // What is against the promise of the whole is shown, though no case is forbidden anything.
        repo.file("p/submissions/accepted/s.sh", crash);
        let ran = repo.run(&["run", "p/submissions/accepted"]);
        assert_eq!(ran.status, 1, "{}", ran.all());
        assert!(ran.stdout.contains("      secret/1  WA  "), "{}", ran.all());
    }
}

/// A grader that accepts if at least so many of its results are accepted, with their number.
const GRADER: &str = "count=0\ntotal=0\nwhile read verdict score; do\ntotal=$((total + 1))\n\
                      [ $verdict = AC ] && count=$((count + 1))\ndone\n\
                      [ $count -ge ${1:-$total} ] && echo AC $count || echo WA 0\n";

#[test]
fn a_package_may_have_a_grader_of_its_own() {
    let repo = package(
        LEGACY,
        &[
            ("graders/grade.sh", GRADER),
            ("data/testdata.yaml", "grader_flags: ignore_sample\n"),
            (
                "data/secret/testdata.yaml",
                "grading: custom\ngrader_flags: 2\non_reject: continue\n",
            ),
        ],
        &["sample/1", "secret/1", "secret/2", "secret/3"],
    );
    repo.file("p/submissions/accepted/most.sh", echo_but("secret/2"));
    repo.file("p/submissions/wrong_answer/few.sh", echo_but("secret/[12]"));
    let ran = judge(&repo);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(
        ran.stdout
            .contains("most.sh  AC   3/4 accepted, 2 points (sample"),
        "{}",
        ran.all()
    );
    let table = [
        (
            "echo AC",
            "the grader says `AC` of `data/secret`, not a verdict and a score",
        ),
        ("exit 3", "the grader exited with 3, not with 0"),
        (
            "echo AC 1; echo AC 1",
            "the grader says `AC 1\\nAC 1` of `data/secret`",
        ),
    ];
    for (grader, fault) in table {
        repo.file("p/graders/grade.sh", grader);
        let ran = judge(&repo);
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.stdout.contains(fault), "{fault}\n{}", ran.all());
    }
    std::fs::remove_dir_all(repo.path("p/graders")).unwrap();
    let ran = judge(&repo);
    assert_eq!(ran.status, 2);
    let fault = "secret/testdata.yaml:1:10: `grading: custom`, but the package has no grader\n\
                 help: add its source to `graders/`";
    assert!(ran.stderr.contains(fault), "{}", ran.all());
}

#[test]
fn a_legacy_validator_may_give_the_scores_and_less_may_be_better() {
    let repo = package(
        "name: P\ntype: scoring\nvalidation: custom score\ngrading: {objective: min}\n",
        &[
            ("output_validators/obey.sh", OBEY),
            ("data/testdata.yaml", "range: 3 inf\non_reject: continue\n"),
        ],
        &["secret/1", "secret/2"],
    );
    repo.file("p/data/secret/1.ans", "accept score.txt 2.25\n");
    repo.file("p/data/secret/2.ans", "accept\n");
    repo.file("p/submissions/partially_accepted/s.sh", "echo\n");
    let ran = judge(&repo);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(
        ran.stdout.contains("2/2 accepted, 3.25 of 3 points"),
        "{}",
        ran.all()
    );
    repo.file("p/data/secret/1.ans", "accept score.txt 2\n");
    assert!(
        judge(&repo)
            .stdout
            .contains("got all of 3 points, expected fewer")
    );
    repo.file("p/data/secret/1.ans", "accept score.txt much\n");
    let ran = judge(&repo);
    assert!(
        ran.stdout.contains("score.txt holds no number: `much`"),
        "{}",
        ran.all()
    );
}

#[test]
fn gradings_that_make_no_sense_are_named() {
    let table = [
        (
            "on_reject: stop",
            ":1:12: `on_reject` must be `break` or `continue`, got the text `stop`",
        ),
        (
            "grading: [x]",
            ":1:10: `grading` must be `default` or `custom`, got a list",
        ),
        (
            "range: 5",
            ":1:8: `range` must be the least and the greatest score, got `5`",
        ),
        (
            "range: 5 1",
            ":1:8: `range` must be the least and the greatest score, got the text `5 1`",
        ),
        (
            "accept_score: full",
            ":1:15: `accept_score` must be a number, got the text `full`",
        ),
        (
            "grader_flags: summ",
            ":1:15: unknown flag `summ`\nhelp: did you mean `sum`?",
        ),
    ];
    for (text, expected) in table {
        let repo = package(LEGACY, &[("data/testdata.yaml", text)], &["secret/1"]);
        repo.file("p/submissions/accepted/s.sh", "cat\n");
        let ran = judge(&repo);
        assert_eq!(ran.status, 2, "{}", ran.all());
        let line = format!("p/data/testdata.yaml{expected}");
        assert!(ran.stderr.contains(&line), "{line}\n{}", ran.all());
    }
}
