//! Legacy packages whose submissions state scores: they are those of `DOMjudge`.

use crate::scoring::{LEGACY, echo_but, package};

const GROUPS: [(&str, &str); 6] = [
    ("data/testdata.yaml", "on_reject: continue\n"),
    ("data/secret/testdata.yaml", "on_reject: continue\ngrader_flags: sum\n"),
    ("data/secret/a/testdata.yaml", "accept_score: 10\n"),
    ("data/secret/b/testdata.yaml", "grader_flags: avg\n"),
    ("data/secret/b/1/testdata.yaml", "accept_score: 20\n"),
    ("data/secret/b/2/testdata.yaml", "accept_score: 40\n"),
];

const CASES: [&str; 7] = [
    "sample/1",
    "secret/a/1",
    "secret/a/2",
    "secret/b/1/1",
    "secret/b/1/2",
    "secret/b/2/1",
    "secret/c/1",
];

fn tagged(score: &str, submission: &str) -> String {
    format!("# @EXPECTED_SCORE@: {score}\n{submission}")
}

#[test]
fn a_stated_score_is_that_of_domjudge() {
    let repo = package(LEGACY, &GROUPS, &CASES);
    repo.file("p/submissions/accepted/all.sh", tagged("40", &echo_but("none")))
        // Neither the sample nor a folder without settings is a group.
        .file("p/submissions/mixed/rest.sh", tagged("40", &echo_but("sample/*|secret/c/*")))
        .file(
            "p/submissions/partial/a.sh",
            format!("# @EXPECTED_RESULTS@: WA\n{}", tagged("30", &echo_but("secret/a/2"))),
        )
        .file(
            "p/submissions/partial/b.sh",
            format!("# @EXPECTED_RESULTS@: WA\n{}", tagged("20", &echo_but("secret/b/2/*"))),
        );
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    for line in [
        "all.sh  AC   7/7 accepted, 40 of 40 points (secret 40 of 40, secret/a 10 of 10, secret/b 30 of 30, secret/b/1 20 of 20, \
         secret/b/2 40 of 40)",
        "rest.sh  AC   5/7 accepted, 40 of 40 points",
        "a.sh  WA   6/7 accepted, 30 of 40 points",
        "b.sh  WA   6/7 accepted, 20 of 40 points",
    ] {
        assert!(ran.stdout.contains(line), "{line}\n{}", ran.all());
    }
    // A wrong score is a contradiction, and without a stated score, the format decides.
    repo.file(
        "p/submissions/partial/b.sh",
        format!("# @EXPECTED_RESULTS@: WA\n{}", tagged("21", &echo_but("secret/b/2/*"))),
    );
    let ran = repo.judge_package();
    assert_eq!(ran.status, 1, "{}", ran.all());
    assert!(ran.stdout.contains("got 20 points, expected 21"), "{}", ran.all());
    for name in ["mixed/rest.sh", "partial/a.sh", "partial/b.sh"] {
        std::fs::remove_file(repo.path(&format!("p/submissions/{name}"))).unwrap();
    }
    repo.file("p/submissions/accepted/all.sh", echo_but("none"));
    let ran = repo.judge_package();
    assert!(ran.stdout.contains("52 of 52 points (sample 1, secret 51"), "{}", ran.all());
}

/// Gives a part of the points for a wrong output too.
const VALIDATOR: &str = "read word\nread expected < $2\nfolder=$3\n[ \"$word\" = \"$expected\" ] && { printf 60 > $folder/score.txt; exit 42; }\n\
                         printf 7 > $folder/score.txt\nexit 43\n";

#[test]
fn domjudge_reads_the_score_that_the_validator_writes() {
    let groups = [
        ("data/testdata.yaml", "on_reject: continue\n"),
        ("data/secret/testdata.yaml", "range: 0 120\n"),
        ("output_validators/validate.sh", VALIDATOR),
    ];
    let yaml = format!("{LEGACY}validation: custom\n");
    let repo = package(&yaml, &groups, &["sample/1", "secret/1", "secret/2"]);
    repo.file("p/submissions/accepted/all.sh", tagged("120", &echo_but("none")))
        .file(
            "p/submissions/partial/some.sh",
            format!("# @EXPECTED_RESULTS@: WA\n{}", tagged("67", &echo_but("secret/2"))),
        )
        .file(
            "p/submissions/partial/crash.sh",
            format!(
                "# @EXPECTED_RESULTS@: RTE\n{}",
                tagged("60", "read word\n[ $word = secret/2 ] && exit 1\necho $word\n")
            ),
        );
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("120 of 120 points (secret 120 of 120)"), "{}", ran.all());
}
