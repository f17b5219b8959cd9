//! Runners that are used while their launcher is still starting.

use rejudge_sandbox::{
    Exit, Interrupt, Isolation, Protection, Runner, RunnerOptions, SandboxError, StartingRunner,
    work_base,
};

use crate::early_runs::said;
use crate::fixture::{Fixture, input, sh};

/// A runner of these options whose launcher is still starting, for the folder of `fixture`.
fn begin(fixture: &Fixture, change: impl FnOnce(&mut RunnerOptions)) -> StartingRunner {
    let mut options = RunnerOptions::new(fixture.base(), Interrupt::new().unwrap());
    change(&mut options);
    Runner::begin(&options).unwrap()
}

#[test]
fn a_runner_runs_at_once_and_tells_its_protections_then() {
    let fixture = Fixture::new();
    let mut runner = begin(&fixture, |_| ()).without_waiting().unwrap();
    let facts = runner.pending_facts();
    let ran = runner.run(&sh(&fixture, "cat"), input(b"text")).unwrap();
    assert_eq!((ran.exit, said(&ran).as_str()), (Exit::Code(0), "text"));
    assert_eq!(facts.wait(), Some(fixture.facts()));
    assert_eq!(runner.facts(), fixture.facts());
}

#[test]
fn a_run_that_was_requested_before_the_launcher_was_ready_can_be_abandoned() {
    let fixture = Fixture::new();
    let mut runner = begin(&fixture, |_| ()).without_waiting().unwrap();
    runner.request(&sh(&fixture, "sleep 1000"), &input(b""));
    runner.withdraw();
    let ran = runner.run(&sh(&fixture, "cat"), input(b"text")).unwrap();
    assert_eq!(said(&ran), "text");
}

#[test]
fn a_runner_that_is_not_needed_leaves_the_folder_to_others() {
    let mut fixture = Fixture::new();
    drop(begin(&fixture, |_| ()));
    drop(begin(&fixture, |_| ()).without_waiting().unwrap());
    assert!(fixture.base().exists());
    let echo = sh(&fixture, "cat");
    let ran = fixture.run(&echo, input(b"text")).unwrap();
    assert_eq!(said(&ran), "text");
}

#[test]
fn nobody_waits_for_the_protections_of_a_runner_that_is_gone() {
    let fixture = Fixture::new();
    let runner = begin(&fixture, |_| ()).without_waiting().unwrap();
    let facts = runner.pending_facts();
    drop(runner);
    assert_eq!(facts.wait(), None);
}

#[test]
fn with_strict_isolation_nothing_runs_before_the_protections_are_known() {
    let fixture = Fixture::new();
    let started = begin(&fixture, |options| {
        options.isolation = Isolation::Strict;
        options.without = vec![Protection::Seccomp];
    });
    let runner = started.without_waiting();
    assert!(matches!(runner, Err(SandboxError::TooWeak { .. })), "{runner:?}");
}

#[test]
fn a_judge_with_several_threads_forks_no_launcher() {
    let base = work_base().unwrap();
    let (started, runs) = std::sync::mpsc::channel();
    let other = std::thread::spawn(move || runs.recv());
    let early = rejudge_sandbox::EarlyLauncher::fork(base.path());
    started.send(()).unwrap();
    other.join().unwrap().unwrap();
    assert!(early.is_none(), "{early:?}");
}
