//! The launcher that `rejudge run` forks before it reads its arguments.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::support::{Repo, skip_even_in_ci};

/// The children of a process, as folders of `/proc`.
fn children(process: &Path) -> Vec<PathBuf> {
    let threads = fs::read_dir(process.join("task")).into_iter().flatten().flatten();
    let lists =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let all: String = lists.collect();
    let all = all.split_whitespace();
    all.map(|child| Path::new("/proc").join(child)).collect()
}

fn name(process: &Path) -> String {
    fs::read_to_string(process.join("comm")).unwrap_or_default()
}

/// Waits until a child of `judge` has started a shell, and returns that child.
fn launcher_at_work(judge: &Path) -> PathBuf {
    // Far longer than the start can take.
    let deadline = Instant::now() + Duration::from_secs(600);
    loop {
        let at_work = |launcher: &PathBuf| {
            let mut programs = children(launcher).into_iter();
            programs.any(|program| name(&program) == "bash\n")
        };
        if let Some(launcher) = children(judge).into_iter().find(at_work) {
            return launcher;
        }
        assert!(Instant::now() < deadline, "no program starts");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A judge that is killed in any case.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a run that does not end by itself, and calls `check` with the judge and its launcher.
fn with_endless_run(arguments: &[&str], check: impl FnOnce(&Path, &Path)) {
    let repo = Repo::with_sum();
    repo.file("secret", "");
    repo.file("solutions/sum/a.sh", "sleep 1000\n");
    let judge = repo
        .command(arguments)
        .args(["--case", "sample/1", "--time-limit", "600"])
        .env("SECRET_OF_THE_JUDGE", "1")
        .stdin(File::open(repo.path("secret")).unwrap())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let process = Path::new("/proc").join(judge.id().to_string());
    let _judge = Killed(judge);
    check(&process, &launcher_at_work(&process));
}

#[test]
fn the_launcher_of_a_run_is_a_fork_and_that_of_other_commands_is_not() {
    with_endless_run(&["run"], |judge, launcher| {
        assert_eq!(name(launcher), name(judge));
    });
    // Its launcher must not isolate.
    with_endless_run(&["run", "--sandbox", "off"], |judge, launcher| {
        assert_ne!(name(launcher), name(judge));
    });
}

#[test]
fn the_launcher_has_neither_environment_nor_files_of_the_judge() {
    if !rustix::process::geteuid().is_root() {
        skip_even_in_ci("the environment of a launcher, because only root can read it");
        return;
    }
    with_endless_run(&["run"], |_, launcher| {
        let environment = fs::read(launcher.join("environ")).unwrap();
        let environment = String::from_utf8_lossy(&environment);
        assert!(!environment.contains("SECRET"), "{environment}");
        let files = fs::read_dir(launcher.join("fd")).unwrap();
        let files = files.filter_map(|file| fs::read_link(file.unwrap().path()).ok());
        let files: Vec<PathBuf> = files.collect();
        // The second is the folder that the judge keeps locked.
        let is_judges = |file: &&PathBuf| {
            let text = file.to_string_lossy();
            text.ends_with("/secret") || text.contains("/rejudge-own-")
        };
        assert_eq!(files.iter().find(is_judges), None);
    });
}

#[test]
fn the_start_is_reported_while_the_first_submission_is_built() {
    for jobs in ["-j1", "-j2"] {
        let repo = Repo::with_sum();
        let built = repo.path("built");
        repo.file(
            "rejudge.toml",
            format!(
                "[languages.slow]\nextensions = [\"slow\"]\nversion = [\"true\"]\nrun = [\"sh\", \"{{source}}\"]\n\
                 compile = [\"sh\", \"-c\", \"until [ -e {} ]; do sleep 0.01; done\"]\n",
                built.display()
            ),
        );
        repo.file("solutions/sum/a.slow", "echo 3\n").file("solutions/sum/b.slow", "echo 3 \n");
        // In the sandbox, the compiler would not see the file.
        let arguments = ["run", jobs, "--json", "-", "--sandbox", "off", "--case", "sample/1"];
        let mut judge = repo
            .command(&arguments)
            .arg("--no-compile-cache")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut report = BufReader::new(judge.stdout.take().unwrap()).lines();
        let (sender, first) = mpsc::channel();
        let reader = std::thread::spawn(move || {
            let _ = sender.send(report.next());
            report.count()
        });
        // Far longer than the start can take.
        let first = first.recv_timeout(Duration::from_secs(600));
        fs::write(&built, "").unwrap();
        reader.join().unwrap();
        assert_eq!(judge.wait().unwrap().code(), Some(0));
        let first = first.unwrap().unwrap().unwrap();
        assert!(first.contains("\"start\""), "{first}");
    }
}
