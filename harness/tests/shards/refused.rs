//! Wrong usage, and files that are not reports of shards.

use super::{archive, shard};
use crate::support::divided::with_new_digests;
use crate::support::{Repo, SUM};

#[test]
fn a_wrong_number_of_a_shard_is_rejected() {
    let repo = archive();
    for (number, shown) in [
        ("0/3", "the shards of 3 are 1/3 to 3/3"),
        ("4/3", "the shards of 3 are 1/3 to 3/3"),
        ("1/0", "there are from 1 to 1000 shards"),
        ("two", "must be K/N, such as 1/4"),
        ("1/x", "must be K/N, such as 1/4"),
    ] {
        let ran = repo.run(&["run", "--shard", number]);
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.stderr.contains(shown), "{}", ran.all());
    }
}

#[test]
fn options_that_shards_cannot_have_are_rejected() {
    let repo = archive();
    let ran = repo.run(&["run", "--shard", "1/2", "--fail-fast=run"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stderr.contains("help: use `--fail-fast=submission`"), "{}", ran.all());
    for option in ["--watch", "--failed"] {
        let ran = repo.run(&["run", "--shard", "1/2", option]);
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.stderr.contains("cannot be used with"), "{}", ran.all());
    }
    let ran = repo.run(&["run", "--durations", "whole.jsonl"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let ran = repo.run(&["run", "--shard", "1/2", "--durations", "none.jsonl"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stderr.contains("cannot read `none.jsonl`"), "{}", ran.all());
}

#[test]
fn what_is_not_the_report_of_a_shard_is_rejected() {
    let repo = archive();
    shard(&repo, 1, 1, &[]);
    repo.run(&["run", "-q", "--json", "whole.jsonl"]);
    let report = repo.read("1.jsonl");
    repo.file("text.jsonl", "hello\n")
        .file("empty.jsonl", "")
        .file("broken.jsonl", report.replacen("\"type\":\"case\"", "\"type\":case", 1))
        .file("twice.jsonl", report.repeat(2))
        .file(
            "outside.jsonl",
            report.replacen("\"units\":[0,1,2,3,4,5]", "\"units\":[0,1,2,3,4,6]", 1),
        )
        .file("many.jsonl", report.replacen("\"of\":1,", "\"of\":99999999999,", 1));
    let made = std::process::Command::new("mkfifo").arg(repo.path("pipe")).status();
    assert!(made.unwrap().success());
    for (file, shown) in [
        ("text.jsonl", "`text.jsonl` is not a report: line 1"),
        ("empty.jsonl", "the file is empty"),
        ("broken.jsonl", "`broken.jsonl` is not a report: line 3"),
        ("twice.jsonl", "`twice.jsonl` has the reports of several runs"),
        (
            "many.jsonl",
            "`many.jsonl` is not a valid report of a shard: it is shard 1 of 99999999999, but there are from 1 to 1000 shards",
        ),
        ("whole.jsonl", "`whole.jsonl` is the report of a whole run"),
        ("none.jsonl", "cannot read `none.jsonl`"),
        ("cases", "`cases` is not a file"),
        ("pipe", "`pipe` is not a file"),
        (
            "outside.jsonl",
            "`outside.jsonl` is not a valid report of a shard: it is shard 1 of 1, but the run has 6 submissions",
        ),
    ] {
        for partial in [&[][..], &["--partial"]] {
            let ran = repo.run(&[&["merge", "--json", "out.jsonl", file], partial].concat());
            assert_eq!(ran.status, 2, "{}", ran.all());
            assert!(ran.stderr.contains(shown), "{}", ran.all());
            assert!(!repo.path("out.jsonl").exists(), "{file}");
        }
    }
    let ran = repo.run(&["merge", "--json", "1.jsonl", "1.jsonl"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stderr.contains("would overwrite `1.jsonl`"), "{}", ran.all());
}

#[test]
fn absurd_times_in_a_report_do_not_matter() {
    let repo = archive();
    shard(&repo, 1, 1, &[]);
    let absurd = |text: &str, key: &str| {
        let pieces = text.split(key);
        pieces.collect::<Vec<_>>().join(&format!("{key}1e19,\"old\":"))
    };
    let report = repo.read("1.jsonl");
    let report = absurd(&absurd(&report, "\"cpu_ms\":"), "\"wall_ms\":");
    repo.file("absurd.jsonl", with_new_digests(&report));
    let ran = repo.run(&["merge", "absurd.jsonl", "--html", "m.html", "--junit", "m.xml"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    let ran = shard(&repo, 1, 2, &["--durations", "absurd.jsonl"]);
    assert_eq!(ran.stderr, "note: shard 1 of 2: 3 of 6 submissions\n");
}

/// A package whose limit is inferred.
fn unlimited() -> Repo {
    let repo = Repo::new();
    repo.file("p/problem.yaml", "problem_format_version: 2025-09\nname: P\n")
        .file("p/data/secret/1.in", "1 2\n")
        .file("p/data/secret/1.ans", "3\n")
        .file("p/submissions/accepted/a.rs", SUM)
        .file("p/submissions/accepted/b.rs", SUM);
    repo
}

#[test]
fn a_limit_is_measured_once_and_not_by_each_shard() {
    let repo = unlimited();
    let ran = repo.run(&["run", "p", "--shard", "1/2", "--json", "1.jsonl"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stderr.contains("time limits that are set"), "{}", ran.all());
    assert!(ran.stderr.contains("help: measure them once with `rejudge time --save FILE`"));
    assert!(!repo.path("1.jsonl").exists());

    let ran = repo.run(&["time", "p", "--runs", "1", "--save", "limits.jsonl"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert_eq!(repo.read("limits.jsonl").lines().count(), 2);
    for shard in ["1/2", "2/2"] {
        let file = format!("{}.jsonl", &shard[..1]);
        let args =
            ["run", "p", "-q", "--shard", shard, "--limits", "limits.jsonl", "--json", &file];
        let ran = repo.run(&args);
        assert_eq!(ran.status, 0, "{}", ran.all());
    }
    let ran = repo.run(&["merge", "1.jsonl", "2.jsonl"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    repo.file("binary", [0xff, 0xfe, b'\n']);
    let ran = repo.run(&["run", "p", "--limits", "binary"]);
    let shown = "`binary` is not a file of time limits: line 1";
    assert!(ran.stderr.contains(shown), "{}", ran.all());
    let ran = repo.run(&["run", "p", "--limits", "1.jsonl"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stderr.contains("`1.jsonl` is not a file of time limits: line 1"), "{}", ran.all());
}
