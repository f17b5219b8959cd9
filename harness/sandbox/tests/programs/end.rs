//! Runs that are cut short from outside: interrupted, dropped, or orphaned by a judge that was killed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rejudge_sandbox::{Exit, Input, Interrupt, Runner, RunnerOptions, SandboxError};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::fixture::{Fixture, job, marked_processes, sh};

/// Waits until `condition` holds; far longer than it can take, so that only a fault runs into it.
fn eventually(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(600);
    while !condition() {
        assert!(Instant::now() < deadline, "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn an_interrupt_ends_the_run_at_once() {
    let mut fixture = Fixture::new();
    let (interrupt, mark) = (fixture.interrupt.clone(), fixture.mark.clone());
    let thread = std::thread::spawn(move || {
        eventually("the program runs", || marked_processes(&mark).len() == 2);
        interrupt.trigger();
    });
    let script = "sleep 1000 & trap '' INT TERM; wait; wait";
    let error = fixture.run(&sh(&fixture, script), Input::Empty).unwrap_err();
    assert!(matches!(error, SandboxError::Interrupted), "{error}");
    thread.join().unwrap();
    fixture.is_clean("an interrupt");
    let error = fixture.run(&sh(&fixture, ""), Input::Empty).unwrap_err();
    assert!(matches!(error, SandboxError::Interrupted), "{error}");
}

/// Not a test of its own: the judge that the next test starts, in a process to be killed.
#[test]
fn judge_to_be_killed() {
    let Some(base) = std::env::var_os("REJUDGE_TEST_BASE") else {
        return;
    };
    let mark = std::env::var("REJUDGE_TEST_JUDGE_MARK").unwrap();
    let options = RunnerOptions::new(base, Interrupt::new().unwrap());
    let mut runner = Runner::start(&options).unwrap();
    let mut job = job(PathBuf::from("/bin/sh"), &mark);
    let script = "trap '' HUP INT TERM; touch file; setsid sleep 1000 & sleep 1000";
    job.argv.extend(["-c".into(), script.into()]);
    let _ = runner.run(&job, Input::Empty);
}

/// A judge in a process of its own, while it runs programs.
struct DyingJudge {
    process: Child,
    _outer: TempDir,
    /// Where it has its working folders.
    base: PathBuf,
    mark: String,
    launcher: String,
}

impl DyingJudge {
    fn start(mark: &str) -> Self {
        let outer = tempfile::tempdir().unwrap();
        let base = outer.path().join("base");
        fs::create_dir(&base).unwrap();
        let mark = format!("{mark}-{}", std::process::id());
        let process = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "end::judge_to_be_killed"])
            .env("REJUDGE_TEST_BASE", &base)
            .env("REJUDGE_TEST_JUDGE_MARK", &mark)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        eventually("the programs run", || marked_processes(&mark).len() == 3);
        Self { process, _outer: outer, base, launcher: launcher_of(&mark), mark }
    }

    fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// What it started goes by itself, with all that it made.
    fn leaves_nothing(&self) {
        eventually("no process is left", || marked_processes(&self.mark).is_empty());
        eventually("the launcher is gone", || !Path::new("/proc").join(&self.launcher).exists());
        assert!(!self.base.exists(), "the folder of working folders is left");
    }
}

#[test]
fn a_killed_judge_leaves_nothing() {
    let mut judge = DyingJudge::start("killed");
    let groups = groups_of(&judge.launcher);
    judge.kill();
    judge.leaves_nothing();
    for group in groups {
        assert!(!group.exists(), "{} is left", group.display());
    }
}

fn send(pid: &str, signal: Signal) {
    let pid = Pid::from_raw(pid.parse().unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

#[test]
fn time_in_which_everything_stood_still_does_not_count() {
    let mut fixture = Fixture::new();
    let mark = fixture.mark.clone();
    let mut job = sh(&fixture, "sleep 1; sleep 1; sleep 1");
    job.limits.wall_time = Duration::from_secs(5);
    let thread = std::thread::spawn(move || {
        eventually("the program sleeps", || marked_processes(&mark).len() == 2);
        let mut all = vec![launcher_of(&mark)];
        all.extend(marked_processes(&mark).iter().map(ToString::to_string));
        for signal in [Signal::STOP, Signal::CONT] {
            for pid in &all {
                send(pid, signal);
            }
            if signal == Signal::STOP {
                std::thread::sleep(Duration::from_secs(6));
            }
        }
    });
    let execution = fixture.run(&job, Input::Empty).unwrap();
    thread.join().unwrap();
    assert_eq!(execution.exit, Exit::Code(0), "{execution:?}");
    assert!(execution.usage.wall < job.limits.wall_time, "{execution:?}");
}

#[test]
fn a_judge_that_is_killed_while_a_run_ends_leaves_nothing_behind() {
    let mut judge = DyingJudge::start("deaf");
    // It sees the program's end and the judge's at once.
    send(&judge.launcher, Signal::STOP);
    for pid in marked_processes(&judge.mark) {
        send(&pid.to_string(), Signal::KILL);
    }
    judge.kill();
    send(&judge.launcher, Signal::CONT);
    judge.leaves_nothing();
}

/// The process number of the launcher: of its ancestors, the program's only one that is not marked.
fn launcher_of(mark: &str) -> String {
    let marked = marked_processes(mark);
    let parents = marked.iter().map(|pid| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
        let after_name = stat.rsplit(')').next().unwrap();
        after_name.split_whitespace().nth(1).unwrap().to_owned()
    });
    let unmarked = |parent: &String| !marked.iter().any(|pid| pid.to_string() == *parent);
    let ancestors: Vec<String> = parents.filter(unmarked).collect();
    assert_eq!(ancestors.len(), 1, "{ancestors:?}");
    ancestors[0].clone()
}

/// The control groups named after a launcher.
fn groups_of(launcher: &str) -> Vec<PathBuf> {
    let mounts = fs::read_dir("/sys/fs/cgroup").into_iter().flatten().flatten();
    let own = fs::read_to_string(format!("/proc/{launcher}/cgroup")).unwrap_or_default();
    let paths: Vec<&str> = own.lines().filter_map(|line| line.rsplit(':').next()).collect();
    mounts
        .flat_map(|mount| paths.iter().map(move |path| mount.path().join(&path[1..])))
        .filter(|group| group.ends_with(format!("rejudge-{launcher}")) && group.exists())
        .collect()
}
