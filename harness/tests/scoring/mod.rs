//! Scoring problems: points of 2025-09 and graders of the legacy format, one rule at a time.

mod domjudge;
mod expected;
mod fail_fast;
mod legacy;
mod points;
mod refused;
mod validators;

use crate::support::Repo;

const V2025: &str =
    "problem_format_version: 2025-09\nname: P\ntype: scoring\nlimits: {time_limit: 5}\n";

const LEGACY: &str = "name: P\ntype: scoring\nlimits: {time_limit: 5}\n";

/// A submission that prints its input, except for the words that the pattern `hard` matches.
fn echo_but(hard: &str) -> String {
    format!("read word\ncase $word in\n{hard}) exit 0;;\nesac\necho $word\n")
}

/// A package with these settings and cases. The input and the answer of a case are its name.
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

/// Judges a submission without expectations, and returns the report about it.
fn figures(repo: &Repo, submission: &str) -> String {
    repo.file("p/submissions/any/s.sh", submission);
    repo.file("p/submissions/submissions.yaml", "any: {permitted: [AC, WA, TLE, RTE]}\n");
    let ran = repo.judge_package();
    let line = ran.stdout.lines().find(|line| line.contains("any/s.sh"));
    let line = line.unwrap_or_else(|| panic!("{}", ran.all()));
    assert_eq!(ran.status, i32::from(line.starts_with("FAIL")) * 2, "{}", ran.all());
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

const GROUP_CASES: [&str; 6] =
    ["sample/1", "secret/a/1", "secret/a/2", "secret/b/1", "secret/b/2", "secret/b/deep/3"];

/// An output validator that does what the answer contains: `accept` or `reject`, then pairs of a
/// feedback file and its text.
const OBEY: &str = "read exit rest < \"$2\"\nset -- \"$3\" $rest\nfeedback=$1\nshift\n\
                    while [ $# -gt 1 ]; do echo \"$2\" > \"$feedback/$1\"; shift 2; done\n\
                    [ $exit = accept ] && exit 42\nexit 43\n";
