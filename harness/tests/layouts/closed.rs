//! A repository is closed: its own layout is judged, and the folders that `rejudge.toml` adds.

use crate::support::{Repo, SUM};

/// A repository with a problem, and a plain folder with another one.
fn repo() -> Repo {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM)
        .file("2024/max/max.rs", SUM)
        .file("2024/max/1.in", "1 2\n")
        .file("2024/max/1.out", "3\n")
        .file("old/min.rs", SUM)
        .file("old/min.in", "1 2\n")
        .file("old/min.out", "3\n")
        .file("notes/plan.md", "\n");
    repo
}

/// The names of the submissions.
fn listed(repo: &Repo, args: &[&str]) -> Vec<String> {
    let ran = repo.run(&[&["list", "--json", "-"], args].concat());
    let lines = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let lines = lines.filter(|line: &serde_json::Value| line["type"] == "submission");
    lines
        .map(|line| line["submission"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn other_problems_are_counted_in_one_line_with_the_command_that_judges_them() {
    let repo = repo();
    assert_eq!(listed(&repo, &[]), ["solutions/sum/a.rs"]);
    let ran = repo.run(&["list"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert_eq!(
        ran.stderr,
        "warning: 2 problems outside `cases/` and `solutions/` are not judged: 2024, old\n\
         help: judge them with `rejudge 2024 old`; to judge folders always, list them in rejudge.toml: `folders = [\"…\"]`\n"
    );
    assert_eq!(
        listed(&repo, &["2024", "old"]),
        ["2024/max/max.rs", "old/min.rs"]
    );
    // A part of the repository is asked for.
    let ran = repo.run(&["list", "sum"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
}

#[test]
fn settings_add_folders() {
    let repo = repo();
    repo.file("rejudge.toml", "folders = [\"2024\"]\n");
    let found = ["solutions/sum/a.rs", "2024/max/max.rs"];
    assert_eq!(listed(&repo, &[]), found);
    assert_eq!(repo.run(&["list"]).stderr, "");
    repo.file("rejudge.toml", "folders = []\n");
    assert_eq!(listed(&repo, &[]), ["solutions/sum/a.rs"]);
    assert_eq!(repo.run(&["list"]).stderr, "");
    repo.file("rejudge.toml", "folders = [\"2023\", \"2024\"]\n");
    assert_eq!(listed(&repo, &[]), found);
    assert_eq!(
        repo.run(&["list"]).stderr,
        "warning: rejudge.toml: `folders` names `2023`, but no such folder exists\n"
    );
}

#[test]
fn cases_alone_are_a_repository_only_if_their_folders_are_problems() {
    let repo = Repo::new();
    repo.file(".git/HEAD", "")
        .file("cases/big/1.in", "1 2\n")
        .file("cases/big/1.out", "3\n")
        .file("cases/1.in", "1 2\n")
        .file("cases/1.out", "3\n")
        .file("sum.rs", SUM);
    assert_eq!(listed(&repo, &[]), ["sum.rs"]);
    let ran = repo.run(&["list"]);
    assert!(
        ran.stdout.contains("cases: 2\n") || ran.stdout.contains("big 1"),
        "{}",
        ran.all()
    );
    let repo = Repo::new();
    repo.file(".git/HEAD", "")
        .file("cases/sum/1.in", "1 2\n")
        .file("cases/sum/1.out", "3\n");
    let ran = repo.run(&["list"]);
    assert!(
        ran.all().contains("cases/sum has no solutions"),
        "{}",
        ran.all()
    );
}
