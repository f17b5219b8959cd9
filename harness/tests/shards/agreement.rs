//! The merged report is that of an unsharded run.

use std::path::Path;

use super::{archive, merge, shard};
use crate::support::Repo;
use crate::support::divided::results;

/// Checks for each number of shards that the merged report of the run with `args` is that of an unsharded run.
fn agrees(repo: &Repo, numbers: &[usize], args: &[&str]) {
    let whole = repo.run(&[&["run", "-q", "--json", "whole.jsonl"], args].concat());
    let expected = results(&repo.read("whole.jsonl"));
    for &of in numbers {
        for number in 1..=of {
            shard(repo, number, of, args);
        }
        let merged = merge(repo, of);
        assert_eq!(merged.status, whole.status, "{of}: {}", merged.all());
        let found = results(&repo.read("merged.jsonl"));
        assert_eq!(found.len(), expected.len(), "{of}");
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found, expected, "{of}");
        }
    }
}

/// A repository with a copy of each of these entries of this one.
fn copied(entries: &[&str]) -> Repo {
    let repo = Repo::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for entry in entries {
        let place = repo.path(entry);
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        copy(&root.join(entry), &place);
    }
    repo
}

fn copy(from: &Path, to: &Path) {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry.unwrap();
        let below = entry.path().strip_prefix(from).unwrap();
        let place = if below.as_os_str().is_empty() { to.to_owned() } else { to.join(below) };
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(place).unwrap();
        } else {
            std::fs::copy(entry.path(), place).unwrap();
        }
    }
}

#[test]
fn the_merged_report_is_that_of_an_unsharded_run() {
    let repo = archive();
    agrees(&repo, &[1, 2, 3, 7, 11], &[]);
}

#[test]
fn shards_by_earlier_times_agree_too() {
    let repo = archive();
    let whole = repo.run(&["run", "-q", "--json", "whole.jsonl"]);
    for number in 1..=3 {
        shard(&repo, number, 3, &["--durations", "whole.jsonl"]);
    }
    let merged = merge(&repo, 3);
    assert_eq!(merged.status, whole.status, "{}", merged.all());
    let found = results(&repo.read("merged.jsonl"));
    assert_eq!(found, results(&repo.read("whole.jsonl")));
}

#[test]
fn groups_and_scores_stay_together() {
    let repo = Repo::new();
    repo.problem(
        "points",
        "name: Points\ntype: scoring\nlimits: {time_limit: 2}\n",
        &[
            ("sample/1", "1\n", "1\n"),
            ("secret/a/1", "1\n", "1\n"),
            ("secret/a/2", "2\n", "2\n"),
            ("secret/b/1", "3\n", "3\n"),
        ],
    )
    .file("cases/points/data/secret/a/test_group.yaml", "max_score: 40\n")
    .file("cases/points/data/secret/b/test_group.yaml", "max_score: 60\nrequire_pass: secret/a\n");
    for (path, script) in [
        ("accepted/all.sh", "cat"),
        ("partially_accepted/half.sh", "read a; [ $a = 3 ] && a=0; echo $a"),
        ("rejected/none.sh", "echo 7"),
        ("accepted/wrong.sh", "read a; [ $a = 2 ] && a=0; echo $a"),
    ] {
        repo.file(&format!("solutions/points/{path}"), format!("{script}\n"));
    }
    agrees(&repo, &[1, 2, 3, 7], &[]);
}

#[test]
fn a_broken_problem_gives_the_merged_run_the_exit_status_of_the_whole() {
    let repo = archive();
    repo.problem("broken", "name: Broken\n", &[("secret/1", "1\n", "1\n")]);
    repo.file("cases/broken/data/secret/2.in", "2\n");
    repo.file("solutions/broken/a.sh", "cat\n");
    agrees(&repo, &[3], &[]);
}

#[test]
fn a_sample_of_this_repository_agrees() {
    let repo = copied(&["cases/klotskisteps", "solutions/klotskisteps", "rejudge.toml"]);
    agrees(&repo, &[2, 3], &["--case", "sample/*"]);
}

/// Takes minutes: `.ci/full` runs it.
#[test]
#[ignore = "judges the whole repository five times: `.ci/full shards` runs it"]
fn this_repository_agrees() {
    let repo = copied(&["cases", "solutions", "rejudge.toml"]);
    agrees(&repo, &[1, 2, 3, 7, 100], &[]);
}
