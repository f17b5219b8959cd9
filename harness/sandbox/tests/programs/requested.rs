//! Runs that are requested and followed later.

use std::fmt::Write as _;
use std::thread::sleep;
use std::time::Duration;

use rejudge_sandbox::{
    Execution, Exit, Input, Interrupt, Job, LimitKind, Runner, RunnerOptions, SandboxError,
};

use crate::early_runs::{kill_launcher, said};
use crate::fixture::{Fixture, input, marked_processes, sh};

fn request(fixture: &mut Fixture, job: &Job, text: &str) {
    fixture.runner().request(job, &input(text.as_bytes()));
}

fn follow(fixture: &mut Fixture, job: &Job, text: &str) -> Result<Execution, SandboxError> {
    fixture.runner().run_requested(job, input(text.as_bytes()))
}

/// A program that never ends, and that nobody can wait for.
fn endless(fixture: &Fixture) -> Job {
    let mut endless = sh(fixture, "sleep infinity & sleep infinity");
    endless.limits.wall_time = Duration::from_secs(360_000);
    endless
}

#[test]
fn each_requested_run_has_its_own_input_output_and_end() {
    let (mut one, mut two) = (Fixture::new(), Fixture::new());
    let echo = sh(&one, "cat; exit 3");
    // More than a pipe holds, so it waits until somebody reads.
    let long = sh(&two, "read n; seq $n");
    let numbers = (1..=40_000).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "{number}");
        text
    });
    for round in 0..4 {
        let text = format!("{round}\n");
        request(&mut two, &long, "40000\n");
        request(&mut one, &echo, &text);
        let echoed = follow(&mut one, &echo, &text).unwrap();
        assert_eq!((echoed.exit, said(&echoed)), (Exit::Code(3), text));
        let counted = follow(&mut two, &long, "40000\n").unwrap();
        assert_eq!(counted.exit, Exit::Code(0));
        assert!(said(&counted) == numbers, "round {round}");
    }
    // Without a request, the run starts when it is followed.
    let echoed = follow(&mut one, &echo, "late\n").unwrap();
    assert_eq!(said(&echoed), "late\n");
    one.is_clean("requested runs");
    two.is_clean("requested runs");
}

#[test]
fn a_requested_program_runs_while_nobody_follows_it_and_is_killed_if_it_is_not_needed() {
    let mut fixture = Fixture::new();
    let (echo, endless) = (sh(&fixture, "cat"), endless(&fixture));
    for _ in 0..3 {
        request(&mut fixture, &endless, "");
        while marked_processes(&fixture.mark).is_empty() {
            sleep(Duration::from_millis(2));
        }
        fixture.runner().withdraw();
        assert_eq!(marked_processes(&fixture.mark), [0_u32; 0]);
        fixture.runner().withdraw();
        // Another request, and another run, end it too.
        request(&mut fixture, &endless, "");
        request(&mut fixture, &echo, "two\n");
        assert_eq!(said(&follow(&mut fixture, &echo, "two\n").unwrap()), "two\n");
        request(&mut fixture, &endless, "");
        let other = fixture.run(&echo, Input::Empty).unwrap();
        assert_eq!((other.exit, said(&other)), (Exit::Code(0), String::new()));
    }
    fixture.is_clean("runs that are not needed");
    request(&mut fixture, &endless, "");
    let mark = fixture.mark.clone();
    drop(fixture);
    assert_eq!(marked_processes(&mark), [0_u32; 0]);
}

#[test]
fn a_requested_run_has_its_limits() {
    let mut fixture = Fixture::new();
    let flood = sh(&fixture, "yes");
    request(&mut fixture, &flood, "");
    let execution = follow(&mut fixture, &flood, "").unwrap();
    assert_eq!(execution.exit, Exit::Killed(LimitKind::Output));
    let mut spin = sh(&fixture, "while :; do :; done");
    (spin.limits.cpu_time, spin.limits.cpu_kill) =
        (Duration::from_millis(100), Duration::from_millis(100));
    request(&mut fixture, &spin, "");
    let execution = follow(&mut fixture, &spin, "").unwrap();
    assert_eq!(execution.exit, Exit::Killed(LimitKind::Cpu));
}

#[test]
fn a_requested_run_that_fails_is_reported_when_it_is_followed() {
    let mut fixture = Fixture::new();
    let (echo, missing) = (sh(&fixture, "cat"), fixture.job("/nothing/here"));
    request(&mut fixture, &missing, "");
    let error = follow(&mut fixture, &missing, "").unwrap_err();
    assert!(matches!(error, SandboxError::Setup { .. }), "{error}");
    // A lost launcher only delays it.
    request(&mut fixture, &echo, "1\n");
    kill_launcher(&mut fixture);
    assert_eq!(said(&follow(&mut fixture, &echo, "1\n").unwrap()), "1\n");
    kill_launcher(&mut fixture);
    request(&mut fixture, &echo, "2\n");
    assert_eq!(said(&follow(&mut fixture, &echo, "2\n").unwrap()), "2\n");
}

#[test]
fn an_interrupt_ends_a_requested_run() {
    let mut fixture = Fixture::new();
    let endless = endless(&fixture);
    request(&mut fixture, &endless, "");
    fixture.interrupt.trigger();
    let interrupted = follow(&mut fixture, &endless, "");
    assert!(matches!(interrupted, Err(SandboxError::Interrupted)));
    let mark = fixture.mark.clone();
    drop(fixture);
    assert_eq!(marked_processes(&mark), [0_u32; 0]);
}

#[test]
fn a_dropped_runner_with_a_requested_run_leaves_the_folder_to_others() {
    let mut fixture = Fixture::new();
    let echo = sh(&fixture, "cat");
    for pause in [0, 10, 300] {
        let options = RunnerOptions::new(fixture.base.path(), Interrupt::new().unwrap());
        let mut runner = Runner::start(&options).unwrap();
        runner.request(&echo, &Input::Empty);
        sleep(Duration::from_millis(pause));
        drop(runner);
        assert!(fixture.base.path().exists(), "after {pause} ms");
    }
    assert_eq!(fixture.run(&echo, Input::Empty).unwrap().exit, Exit::Code(0));
}
