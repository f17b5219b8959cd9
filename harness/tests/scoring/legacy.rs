//! Groups of the legacy format: graders combine the results from the leaves up.

use crate::scoring::{LEGACY, OBEY, echo_but, package};

const TREE: [(&str, &str); 3] = [
    ("data/testdata.yaml", "on_reject: continue\ngrader_flags: ignore_sample\nrange: 0 101\n"),
    ("data/secret/testdata.yaml", "grader_flags: sum always_accept\n"),
    (
        "data/secret/a/testdata.yaml",
        "on_reject: break\ngrader_flags: min no_errors\naccept_score: 30\n",
    ),
];

const TREE_CASES: [&str; 6] =
    ["sample/1", "secret/a/1", "secret/a/2", "secret/b/1", "secret/b/2", "secret/c"];

#[test]
fn legacy_groups_are_graded_from_the_leaves_up() {
    let repo = package(LEGACY, &TREE, &TREE_CASES);
    repo.file("p/data/secret/b/testdata.yaml", "accept_score: 35\ngrader_flags: sum\n");
    repo.file("p/submissions/accepted/all.sh", echo_but("none"));
    repo.file("p/submissions/partially_accepted/some.sh", echo_but("secret/a/*"));
    repo.file("p/submissions/partially_accepted/sample.sh", echo_but("sample/*|secret/c"));
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    for line in [
        "all.sh  AC   6/6 accepted, 101 of 101 points (sample 1 of 101, secret 101 of 101, \
         secret/a 30 of 101, secret/b 70 of 101)",
        "some.sh  AC   4/6 accepted, 71 of 101 points",
        "sample.sh  AC   4/6 accepted, 100 of 101 points",
    ] {
        assert!(ran.stdout.contains(line), "{line}\n{}", ran.all());
    }
    repo.file("p/data/secret/testdata.yaml", "grader_flags: always_accept\nrange: 0 100\n");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 2, "{}", ran.all());
    let fault = "all.sh: cannot compute the score: `data/secret` has a score of 101, outside \
                 its range of 0 to 100";
    assert!(ran.stdout.contains(fault), "{}", ran.all());
}

#[test]
fn the_sample_counts_if_there_is_no_secret_data() {
    let root = "on_reject: continue\ngrader_flags: ignore_sample\nrange: 0 100\n";
    let groups = [("data/testdata.yaml", root), ("data/sample/testdata.yaml", "accept_score: 0\n")];
    let repo = package(LEGACY, &groups, &["sample/1", "sample/2"]);
    repo.file("p/submissions/accepted/all.sh", echo_but("none"));
    repo.file("p/submissions/wrong_answer/none.sh", echo_but("*"));
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    let all = "all.sh  AC   2/2 accepted, 0 of 100 points (sample 0 of 100)";
    let none = "none.sh  WA   0/2 accepted, 0 of 100 points (sample 0 of 100)";
    for line in [all, none] {
        assert!(ran.stdout.contains(line), "{line}\n{}", ran.all());
    }
}

#[test]
fn results_after_a_break_do_not_count_but_are_shown() {
    // Wrong, then a crash: with `break` the first result decides, with `continue` the worst.
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
        // A verdict that contradicts the submission's expectation is shown, even if the case may
        // get any verdict.
        repo.file("p/submissions/accepted/s.sh", crash);
        let ran = repo.run(&["run", "p/submissions/accepted"]);
        assert_eq!(ran.status, 1, "{}", ran.all());
        assert!(ran.stdout.contains("      secret/1  WA  "), "{}", ran.all());
    }
}

/// A grader that accepts if at least N of its results are accepted, and scores their number.
const GRADER: &str = "count=0\ntotal=0\nwhile read verdict score; do\ntotal=$((total + 1))\n\
                      [ $verdict = AC ] && count=$((count + 1))\ndone\n\
                      [ $count -ge ${1:-$total} ] && echo AC $count || echo WA 0\n";

#[test]
fn a_package_can_have_its_own_grader() {
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
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("most.sh  AC   3/4 accepted, 2 points (sample"), "{}", ran.all());
    let table = [
        ("echo AC", "the grader prints `AC` for `data/secret`, expected a verdict and a score"),
        ("exit 3", "the grader exited with code 3: expected 0"),
        ("echo AC 1; echo AC 1", "the grader prints `AC 1\\nAC 1` for `data/secret`"),
    ];
    for (grader, fault) in table {
        repo.file("p/graders/grade.sh", grader);
        let ran = repo.judge_package();
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.stdout.contains(fault), "{fault}\n{}", ran.all());
    }
    std::fs::remove_dir_all(repo.path("p/graders")).unwrap();
    let ran = repo.judge_package();
    assert_eq!(ran.status, 2);
    let fault = "secret/testdata.yaml:1:10: `grading: custom`, but the package has no grader\n\
                 help: add its source to `graders/`";
    assert!(ran.stderr.contains(fault), "{}", ran.all());
}

#[test]
fn a_legacy_validator_can_give_scores_and_a_lower_score_can_be_better() {
    let repo = package(
        "name: P\ntype: scoring\nvalidation: custom score\ngrading: {objective: min}\n",
        &[
            ("output_validators/obey.sh", OBEY),
            ("data/testdata.yaml", "range: 3 inf\non_reject: continue\n"),
        ],
        &["secret/1", "secret/2"],
    );
    repo.file("p/data/secret/1.ans", "accept score.txt 2.25\n");
    repo.file("p/data/secret/2.ans", "accept score.txt 1\n");
    repo.file("p/submissions/partially_accepted/s.sh", "echo\n");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("2/2 accepted, 3.25 of 3 points"), "{}", ran.all());
    repo.file("p/data/secret/1.ans", "accept score.txt 2\n");
    assert!(repo.judge_package().stdout.contains("got all 3 points, expected fewer"));
    repo.file("p/data/secret/1.ans", "accept score.txt much\n");
    let ran = repo.judge_package();
    assert!(ran.stdout.contains("score.txt does not contain a number: `much`"), "{}", ran.all());
}

#[test]
fn a_legacy_validator_writes_a_score_for_each_accepted_output_or_for_none() {
    // `problem.yaml`, what the validator does, and a part of the report.
    let (custom, plain) =
        ("type: scoring\nvalidation: custom score\n", "type: scoring\nvalidation: custom\n");
    let table = [
        (custom, "accept score.txt 2", "2 points"),
        (
            custom,
            "accept",
            "it wrote no score.txt, but `problem.yaml` sets `validation: custom score`",
        ),
        (custom, "reject", "WA"),
        (custom, "reject score.txt 0", "WA"),
        (plain, "accept", "1 of 1 point"),
        (
            plain,
            "accept score.txt 2",
            "it wrote score.txt, but `problem.yaml` does not set `validation: custom score`",
        ),
        (plain, "reject score.txt 0", "WA"),
        (
            "validation: custom\n",
            "accept score.txt 2",
            "it wrote score.txt, but the problem has no scores",
        ),
        ("validation: custom\n", "accept", "1/1 accepted"),
        ("validation: custom\n", "reject score.txt 2", "WA"),
        (
            "problem_format_version: 2023-07-draft\ntype: scoring\n",
            "accept score.txt 2",
            "AC   1/1 accepted, 2 points",
        ),
    ];
    for (yaml, does, report) in table {
        let repo = package(
            &format!("name: P\n{yaml}"),
            &[("output_validators/obey.sh", OBEY), ("data/testdata.yaml", "on_reject: continue\n")],
            &["secret/1"],
        );
        repo.file("p/data/secret/1.ans", format!("{does}\n"));
        repo.file("p/submissions/accepted/s.sh", "echo\n");
        let ran = repo.run(&["run", "p", "-v"]);
        let all = ran.all().replace(" of 2 points", " points");
        assert!(all.contains(report), "{yaml}{does}: {all}");
    }
}

#[test]
fn scores_of_a_validator_above_those_of_its_groups_have_no_known_maximum() {
    if crate::support::lacks("python3") {
        return;
    }
    let repo = crate::support::Repo::new();
    let validator = |score: &str| {
        format!(
            "import sys\nopen(sys.argv[3] + '/score.txt', 'w').write('{score}')\nsys.exit(42)\n"
        )
    };
    repo.file("p/problem.yaml", "name: P\ntype: scoring\nvalidation: custom\n")
        .file("p/domjudge-problem.ini", "timelimit = 2\n")
        .file("p/data/secret/1.in", "1\n")
        .file("p/data/secret/1.ans", "1\n")
        .file("p/data/secret/2.in", "2\n")
        .file("p/data/secret/2.ans", "2\n")
        .file("p/submissions/accepted/a.sh", "cat\n");
    for (score, expected) in
        [("100", "200 points ("), ("1", "2 of 2 points ("), ("0.5", "1 of 2 points (")]
    {
        repo.file("p/output_validators/v.py", validator(score));
        let ran = repo.run(&["run", "p"]);
        assert!(ran.stdout.contains(&format!(" accepted, {expected}")), "{}", ran.all());
    }
}
