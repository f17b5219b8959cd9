//! A judge that is killed before it can clean up: the next one cleans up.

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::Repo;

#[test]
fn the_next_judge_removes_the_temporary_files() {
    let repo = Repo::with_sum();
    let temporary = repo.path("temporary");
    fs::create_dir(&temporary).unwrap();
    let left = || {
        let entries = fs::read_dir(&temporary).unwrap();
        entries
            .map(|entry| entry.unwrap().path())
            .collect::<Vec<PathBuf>>()
    };
    repo.file("solutions/sum/a.sh", "sleep 100\n");
    let mut judge = repo
        .command(&["run", "--time-limit", "600"])
        .env("TMPDIR", &temporary)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // Far longer than the start can take.
    let deadline = Instant::now() + Duration::from_secs(600);
    while left().is_empty() {
        assert!(
            Instant::now() < deadline,
            "the judge never creates its folder"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    judge.kill().unwrap();
    judge.wait().unwrap();
    assert_eq!(left().len(), 1, "{:?}", left());
    repo.file("solutions/sum/a.sh", "read a b; echo $((a + b))\n");
    let ran = repo.finish(repo.command(&["run"]).env("TMPDIR", &temporary));
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert_eq!(left(), [""; 0].map(PathBuf::from));
}
