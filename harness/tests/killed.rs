//! A judge that is killed before it can clean up: the next one cleans up.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::Repo;

#[test]
fn the_next_judge_removes_the_temporary_files() {
    let repo = Repo::with_sum();
    let temporary = repo.path("temporary");
    fs::create_dir(&temporary).unwrap();
    let left = || {
        let entries = fs::read_dir(&temporary).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect::<Vec<PathBuf>>()
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
        assert!(Instant::now() < deadline, "the judge never creates its folder");
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

#[test]
fn a_signal_that_is_ignored_at_the_start_stays_ignored() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.sh", "sleep 1\nread a b; echo $((a + b))\n");
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let mut lines = status.lines();
    let mask = lines.find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    let mask = u64::from_str_radix(mask.trim(), 16).unwrap();
    // Below `nohup`, nobody can be told to heed it again.
    let ways: &[bool] = if mask & 1 == 1 { &[true] } else { &[true, false] };
    for &is_ignored in ways {
        let report = repo.path("report.jsonl");
        let _ = fs::remove_file(&report);
        let plain = repo.command(&["run", "--json", "report.jsonl", "--time-limit", "600"]);
        let mut command = Command::new(if is_ignored { "nohup" } else { "env" });
        command.arg(plain.get_program()).args(plain.get_args());
        command.current_dir(repo.path(""));
        for (name, value) in plain.get_envs() {
            if let Some(value) = value {
                command.env(name, value);
            }
        }
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let mut judge = command.stderr(Stdio::null()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(600);
        // The first line is written when signals are handled already.
        while !fs::read(&report).is_ok_and(|text| !text.is_empty()) {
            assert!(Instant::now() < deadline, "the run never starts");
            std::thread::sleep(Duration::from_millis(5));
        }
        let pid = Pid::from_raw(judge.id().cast_signed()).unwrap();
        kill_process(pid, Signal::HUP).unwrap();
        let status = judge.wait().unwrap();
        assert_eq!(status.code(), Some(if is_ignored { 0 } else { 129 }));
    }
}
