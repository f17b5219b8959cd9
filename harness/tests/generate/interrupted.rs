//! Two commands in parallel and an interrupted command leave only whole files.

use std::fs;
use std::process::Command;

use crate::generate::{CASES, generate, repo};

#[test]
fn two_in_parallel_leave_whole_files() {
    let repo = repo(CASES);
    let mut running: Vec<_> = (0..3)
        .map(|_| {
            let mut command: Command = repo.command(&["generate"]);
            command.stdout(std::process::Stdio::null()).spawn().unwrap()
        })
        .collect();
    for child in &mut running {
        assert!(child.wait().unwrap().success());
    }
    let check = generate(&repo, &["--check"]);
    assert_eq!(check.all(), "sum: 5 cases as generated\n--- exit status 0");
}

#[test]
fn an_interrupted_command_leaves_whole_files_and_a_matching_list() {
    let repo = repo(
        "  secret:
    data:
      before: numbers.rs zeros 5000000
      plain: numbers.rs 1
      slow: numbers.rs sleep
",
    );
    let cache = repo.path("cache");
    let mut command = repo.command(&["generate"]);
    command.env("REJUDGE_CACHE_DIR", &cache);
    let mut child = command.stderr(std::process::Stdio::null()).spawn().unwrap();
    while !repo.path("cases/sum/data/secret/plain.ans").exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it was told to");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert!(repo.read("cases/sum/generators/large.toml").contains("[\"secret/before\"]"));
    let files = fs::read_dir(repo.path("cases/sum/data/secret")).unwrap();
    let mut names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["plain.ans", "plain.in"]);
}
