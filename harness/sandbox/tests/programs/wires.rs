//! Two programs that talk over pipes, each in a runner of its own.

use std::io::pipe;
use std::os::fd::OwnedFd;
use std::time::Duration;

use rejudge_sandbox::{Execution, Exit, Input, Interrupt, LimitKind, Peer, Wires};

use crate::fixture::{Fixture, assert_slept, sh};

/// Runs both scripts, wired crosswise, and tells what became of them. The first may take `wall` seconds.
fn talk(one: &str, other: &str, wall: u64, patient: bool) -> [Execution; 2] {
    connect(one, other, wall, patient, None)
}

/// Like [`talk`], where the first is patient, but not while both wait for longer than 0.4 s.
fn talk_unless_idle(one: &str, other: &str) -> [Execution; 2] {
    connect(one, other, 60, true, Some(Duration::from_millis(400)))
}

fn connect(
    one: &str,
    other: &str,
    wall: u64,
    patient: bool,
    idle_time: Option<Duration>,
) -> [Execution; 2] {
    let (mut first, mut second) = (Fixture::new(), Fixture::new());
    let jobs = [sh(&first, one), sh(&second, other)].map(|mut job| {
        job.limits.wall_time = Duration::from_secs(wall);
        job.limits.cpu_time = Duration::from_secs(60);
        job.limits.cpu_kill = job.limits.cpu_time;
        job
    });
    let cpu_reader = second.runner().cpu_reader();
    let cpu_limit = Duration::from_secs(60);
    let peer = patient.then_some(Peer { cpu_reader, cpu_limit, idle_time });
    let ((first_in, to_first), (second_in, to_second)) = (pipe().unwrap(), pipe().unwrap());
    let wires = |stdin: OwnedFd, stdout: OwnedFd, peer| Wires { stdin, stdout, peer, stop: None };
    let mine = wires(first_in.into(), to_second.into(), peer);
    let theirs = wires(second_in.into(), to_first.into(), None);
    let [job, other_job] = &jobs;
    let both = std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            let mut job = other_job.clone();
            job.limits.wall_time = Duration::from_secs(60);
            second.runner().run_wired(&job, theirs).unwrap()
        });
        let one = first.runner().run_wired(job, mine).unwrap();
        [one, other.join().unwrap()]
    });
    first.is_clean(one);
    second.is_clean(other);
    both
}

#[test]
fn two_programs_exchange_messages_and_nothing_is_captured() {
    let [one, other] = talk(
        "read n; echo $((n + 1)); read n; echo said $n >&2; exit 3",
        "echo 41; read n; echo $((n * 2)); echo heard $n >&2; exit 4",
        60,
        false,
    );
    assert_eq!((one.exit, other.exit), (Exit::Code(3), Exit::Code(4)));
    assert_eq!(one.stderr_tail, b"said 84\n");
    assert_eq!(other.stderr_tail, b"heard 42\n");
    assert!(one.stdout.is_empty() && other.stdout.is_empty());
    assert_eq!(one.usage.output.get(), 8, "only standard error is counted");
}

#[test]
fn the_end_of_one_is_the_end_of_file_and_the_broken_pipe_of_the_other() {
    let [one, other] = talk("exit 0", "cat; echo over >&2", 60, false);
    assert_eq!((one.exit, other.exit), (Exit::Code(0), Exit::Code(0)));
    assert_eq!(other.stderr_tail, b"over\n");
    let [one, other] = talk("exec cat /dev/zero", "exit 0", 60, false);
    assert_eq!((one.exit, other.exit), (Exit::Signal(13), Exit::Code(0)));
}

#[test]
fn a_closed_output_is_the_end_of_file_for_the_other_at_once() {
    let closes = "echo 1; exec >&-; read n; echo got $n >&2";
    let [one, other] = talk(closes, "cat > /dev/null; echo seen", 60, false);
    assert_eq!((one.exit, other.exit), (Exit::Code(0), Exit::Code(0)));
    assert_eq!(one.stderr_tail, b"got seen\n");
}

#[test]
fn a_program_is_stopped_as_soon_as_its_caller_wants() {
    let mut fixture = Fixture::new();
    let mut job = sh(&fixture, "trap '' TERM INT PIPE; while :; do :; done");
    job.limits.cpu_time = Duration::from_secs(60);
    job.limits.cpu_kill = job.limits.cpu_time;
    job.limits.wall_time = Duration::from_secs(600);
    let ((stdin, _to_program), (_from_program, stdout)) = (pipe().unwrap(), pipe().unwrap());
    let stop = Interrupt::new().unwrap();
    let wires =
        Wires { stdin: stdin.into(), stdout: stdout.into(), peer: None, stop: Some(stop.clone()) };
    let ended = std::thread::scope(|scope| {
        let ended = scope.spawn(|| fixture.runner().run_wired(&job, wires).unwrap());
        std::thread::sleep(Duration::from_millis(50));
        stop.trigger();
        ended.join().unwrap()
    });
    assert_eq!(ended.exit, Exit::Stopped);
    assert!(ended.usage.cpu() < Duration::from_secs(30), "{ended:?}");
    // The next run is not affected.
    job.argv = sh(&fixture, "exit 3").argv;
    let next = fixture.runner().run(&job, Input::Empty).unwrap();
    assert_eq!(next.exit, Exit::Code(3));
}

#[test]
fn a_program_that_waits_for_an_idle_one_exceeds_its_wall_limit() {
    for patient in [false, true] {
        let [one, other] = talk("read n", "read n", 1, patient);
        assert_eq!(one.exit, Exit::Killed(LimitKind::Wall), "{patient}");
        assert_eq!(other.exit, Exit::Code(1), "{patient}");
    }
}

#[test]
fn a_program_that_waits_for_a_waiting_one_exceeds_its_idle_time() {
    let [one, other] = talk_unless_idle("read n", "read n");
    assert_eq!(one.exit, Exit::Killed(LimitKind::Idle));
    assert_eq!(other.exit, Exit::Code(1));
    assert!(one.usage.wall < Duration::from_secs(30), "{one:?}");
    assert_slept(&one.usage.contention);
}

#[test]
fn nobody_is_idle_who_computes_or_talks_now_and_then() {
    // Longer than the limit together, but never without a break.
    let asks = "for i in 1 2 3 4 5 6; do echo 1; read n; done";
    let answers = "while read n; do sleep 0.2; echo 2; done";
    let [one, other] = talk_unless_idle(asks, answers);
    assert_eq!((one.exit, other.exit), (Exit::Code(0), Exit::Code(0)));
    let computes = "i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; echo 1; read n";
    for (one, other) in [(computes, "read n"), ("read n", computes)] {
        let [one, _] = talk_unless_idle(one, other);
        assert_eq!(one.exit, Exit::Code(i32::from(other == "read n")));
    }
}
