//! Runs in a row, each asked for while the one before it goes on.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rejudge_sandbox::{Execution, Exit, Input, Job, LimitKind, Protection, SandboxError, Turn};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::fixture::{Fixture, marked_processes, processors, sh};

/// Inputs of a row: the number of the run.
struct NumberedInputs {
    _folder: TempDir,
    inputs: Vec<PathBuf>,
}

impl NumberedInputs {
    fn new(length: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let inputs = (0..length).map(|number| {
            let input = folder.path().join(number.to_string());
            fs::write(&input, format!("{number}\n")).unwrap();
            input
        });
        Self { inputs: inputs.collect(), _folder: folder }
    }

    fn input(&self, number: usize) -> &Path {
        &self.inputs[number]
    }
}

pub(crate) fn said(execution: &Execution) -> String {
    String::from_utf8_lossy(execution.stdout.as_slice().unwrap()).into_owned()
}

/// Runs `now`, which has begun already if it is not the first, on `row`, and lets the next one begin.
fn run(
    fixture: &mut Fixture,
    row: &NumberedInputs,
    number: usize,
    now: &Job,
    next: Option<&Job>,
) -> Result<Execution, SandboxError> {
    let turn = |job, number| Turn { job, input: row.input(number) };
    let next = next.map(|job| turn(job, number + 1));
    fixture.runner().run_ahead(turn(now, number), number > 0, next)
}

#[test]
fn each_run_of_a_series_has_its_own_input_output_and_end() {
    let mut fixture = Fixture::new();
    let row = NumberedInputs::new(9);
    // Each reads its own number, and two kinds take turns irregularly.
    let echo = sh(&fixture, "cat; cat >&2; exit 3");
    let count = sh(&fixture, "read n; seq $n; nproc; touch left");
    let jobs = [&echo, &echo, &echo, &count, &echo, &count, &count, &count, &count];
    let all = processors();
    for (number, &job) in jobs.iter().enumerate() {
        let next = jobs.get(number + 1).copied();
        let execution = run(&mut fixture, &row, number, job, next).unwrap();
        let (exit, text) = if std::ptr::eq(job, &raw const echo) {
            (Exit::Code(3), format!("{number}\n"))
        } else {
            let numbers: Vec<String> = (1..=number).chain([all]).map(|n| n.to_string()).collect();
            (Exit::Code(0), numbers.join("\n") + "\n")
        };
        assert_eq!((execution.exit, said(&execution)), (exit, text), "{number}");
        // We were woken on one of them.
        assert_eq!(processors(), all);
    }
    fixture.is_clean("a row");
}

#[test]
fn a_run_starts_however_long_it_takes_to_clear_away_the_last_one() {
    let mut fixture = Fixture::new();
    let row = NumberedInputs::new(16);
    // The process of the next run is awake by then, and looks out for its order for a while.
    let script = "read n; while [ $n -gt 0 ]; do sleep 1000 & n=$((n - 1)); done; echo done";
    let mut leaver = sh(&fixture, script);
    leaver.limits.processes = 40;
    for number in 0..16 {
        let next = (number < 15).then_some(&leaver);
        let execution = run(&mut fixture, &row, number, &leaver, next).unwrap();
        let end = (execution.exit, said(&execution));
        assert_eq!(end, (Exit::Code(0), "done\n".into()), "{number}");
    }
    fixture.is_clean("a row of runs that leave processes");
}

#[test]
fn a_started_run_that_is_not_wanted_is_killed() {
    let mut fixture = Fixture::new();
    let row = NumberedInputs::new(2);
    let echo = sh(&fixture, "cat");
    let mut endless = sh(&fixture, "sleep infinity & sleep infinity");
    // Who is not killed is waited for.
    endless.limits.wall_time = Duration::from_secs(360_000);
    for _ in 0..3 {
        let first = run(&mut fixture, &row, 0, &echo, Some(&endless)).unwrap();
        assert_eq!(said(&first), "0\n");
        let other = fixture.run(&echo, Input::Empty).unwrap();
        assert_eq!((other.exit, said(&other)), (Exit::Code(0), String::new()));
        // Neither is it taken for another that was not asked for.
        run(&mut fixture, &row, 0, &echo, Some(&endless)).unwrap();
        let again = run(&mut fixture, &row, 0, &echo, None).unwrap();
        assert_eq!(said(&again), "0\n");
    }
    fixture.is_clean("unwanted runs");
}

#[test]
fn a_limit_ends_one_run_of_a_series_and_not_the_next() {
    let mut fixture = Fixture::new();
    let row = NumberedInputs::new(24);
    // The second one has ended by itself, most often, when it is to be killed.
    let floods = ["yes", "head -c 1100000 /dev/zero"].map(|script| sh(&fixture, script));
    let echo = sh(&fixture, "cat; sleep 0.01");
    let job = |number: usize| match number % 2 {
        0 => &floods[number / 2 % 2],
        _ => &echo,
    };
    for number in 0..24 {
        let next = (number < 23).then(|| job(number + 1));
        let execution = run(&mut fixture, &row, number, job(number), next).unwrap();
        if number % 2 == 0 {
            assert_eq!(execution.exit, Exit::Killed(LimitKind::Output), "{number}");
        } else {
            let end = (execution.exit, said(&execution));
            assert_eq!(end, (Exit::Code(0), format!("{number}\n")), "{number}");
        }
    }
}

#[test]
fn a_program_that_cannot_be_started_is_reported_in_order() {
    let mut fixture = Fixture::new();
    let row = NumberedInputs::new(3);
    let (echo, missing) = (sh(&fixture, "cat"), fixture.job("/nothing/here"));
    let first = run(&mut fixture, &row, 0, &echo, Some(&missing)).unwrap();
    assert_eq!(said(&first), "0\n");
    let error = run(&mut fixture, &row, 1, &missing, Some(&echo)).unwrap_err();
    assert!(matches!(error, SandboxError::Setup { .. }), "{error}");
    let last = run(&mut fixture, &row, 2, &echo, None).unwrap();
    assert_eq!(said(&last), "2\n");

    fs::remove_file(row.input(1)).unwrap();
    run(&mut fixture, &row, 0, &echo, Some(&echo)).unwrap();
    let error = run(&mut fixture, &row, 1, &echo, Some(&echo)).unwrap_err();
    let named = format!("cannot copy the input `{}`", row.input(1).display());
    assert!(error.to_string().contains(&named), "{error}");
    let last = run(&mut fixture, &row, 2, &echo, None).unwrap();
    assert_eq!(said(&last), "2\n");
}

#[test]
fn an_interrupt_ends_the_series_of_runs() {
    let mut fixture = Fixture::new();
    let row = NumberedInputs::new(2);
    let endless = sh(&fixture, "sleep 1000");
    fixture.interrupt.trigger();
    let interrupted = |result| matches!(result, Err(SandboxError::Interrupted));
    assert!(interrupted(run(&mut fixture, &row, 0, &endless, Some(&endless))));

    let mut fixture = Fixture::new();
    let (echo, endless) = (sh(&fixture, "cat"), sh(&fixture, "sleep 1000"));
    run(&mut fixture, &row, 0, &echo, Some(&endless)).unwrap();
    fixture.interrupt.trigger();
    assert!(interrupted(run(&mut fixture, &row, 1, &endless, None)));
}

#[test]
fn a_dropped_runner_ends_the_run_that_it_started() {
    let mut fixture = Fixture::new();
    let row = NumberedInputs::new(2);
    let (echo, endless) = (sh(&fixture, "cat"), sh(&fixture, "sleep 1000"));
    run(&mut fixture, &row, 0, &echo, Some(&endless)).unwrap();
    let mark = fixture.mark.clone();
    drop(fixture);
    assert_eq!(marked_processes(&mark), [0_u32; 0]);
}

#[test]
fn a_lost_launcher_only_delays_a_series_of_runs() {
    let mut fixture = Fixture::new();
    let row = NumberedInputs::new(4);
    let echo = sh(&fixture, "cat");
    for number in 0..4 {
        let next = (number < 3).then_some(&echo);
        let execution = run(&mut fixture, &row, number, &echo, next).unwrap();
        assert_eq!(said(&execution), format!("{number}\n"));
        if number == 1 {
            kill_launcher(&mut fixture);
        }
    }
}

/// The process number of the launcher.
pub(crate) fn launcher(fixture: &mut Fixture) -> i32 {
    let named = format!("{:?}", fixture.runner());
    let number: String = named.chars().filter(char::is_ascii_digit).collect();
    number.parse().unwrap()
}

pub(crate) fn kill_launcher(fixture: &mut Fixture) {
    let launcher = Pid::from_raw(launcher(fixture)).unwrap();
    kill_process(launcher, Signal::KILL).unwrap();
}

/// The children of the launcher that have the input of a run and are no program yet.
fn connected_processes(launcher: i32) -> Vec<Pid> {
    let threads = fs::read_dir(format!("/proc/{launcher}/task")).into_iter().flatten().flatten();
    let lists = threads.map(|thread| fs::read_to_string(thread.path().join("children")));
    let waits = |child: &&str| {
        let file = |name| fs::read_link(format!("/proc/{child}/{name}")).ok();
        file("exe") == std::env::current_exe().ok()
            && file("fd/0").is_some_and(|input| input == Path::new("/memfd:input (deleted)"))
    };
    let list: String = lists.filter_map(Result::ok).collect();
    let waiting = list.split_whitespace().filter(waits);
    waiting.filter_map(|child| Pid::from_raw(child.parse().ok()?)).collect()
}

#[test]
fn a_process_that_dies_with_the_streams_of_the_next_run_is_replaced() {
    const MOST: usize = 100;
    let mut fixture = Fixture::new();
    if !rustix::process::geteuid().is_root() || !fixture.facts().has(Protection::PidNamespace) {
        return;
    }
    let row = NumberedInputs::new(MOST);
    let slow = sh(&fixture, "sleep 0.1; cat");
    let (before, over) = (launcher(&mut fixture), AtomicBool::new(false));
    let killed = thread::scope(|scope| {
        let killer = scope.spawn(|| {
            let mut killed = HashSet::new();
            while killed.len() < 2 && !over.load(Ordering::Relaxed) {
                for process in connected_processes(before) {
                    if killed.insert(process) {
                        kill_process(process, Signal::KILL).unwrap();
                    }
                }
                thread::sleep(Duration::from_millis(1));
            }
            killed.len()
        });
        for number in 0..MOST {
            let last = killer.is_finished() || number + 1 == MOST;
            let next = (!last).then_some(&slow);
            let execution = run(&mut fixture, &row, number, &slow, next).unwrap();
            // On a busy machine, it may have become the program meanwhile.
            if execution.exit != Exit::Signal(Signal::KILL.as_raw()) {
                assert_eq!(said(&execution), format!("{number}\n"));
            }
            if last {
                break;
            }
        }
        over.store(true, Ordering::Relaxed);
        killer.join().unwrap()
    });
    assert_eq!(killed, 2);
    assert_eq!(launcher(&mut fixture), before);
}
