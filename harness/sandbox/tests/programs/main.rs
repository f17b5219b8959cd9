//! The sandbox against programs that misbehave: what becomes of each, and that it harms nobody after it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod attack;
mod attacks;
mod back_ends;
#[cfg(target_arch = "x86_64")]
mod bits_32;
mod contention;
mod early_runs;
mod end;
mod figures;
mod fixture;
mod foreign;
mod ground;
mod limits;
mod memory;
mod nobody;
mod outputs;
mod preload;
mod repeated;
mod requested;
mod shape;
mod starting;
mod streams;
#[path = "../support/mod.rs"]
mod support;
mod unmapped;
mod wires;

use std::fs::File;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use rejudge_sandbox::Bytes;
use rejudge_sandbox::{Exit, Input, LimitKind, OwnProcessor, Protection, SandboxError, WorkDir};

use fixture::{Fixture, input, processors, sh};

#[test]
fn an_exit_is_reported_unchanged() {
    let mut fixture = Fixture::new();
    for (script, exit) in [
        ("exit 0", Exit::Code(0)),
        ("exit 3", Exit::Code(3)),
        ("exit 255", Exit::Code(255)),
        ("kill -KILL $$", Exit::Signal(9)),
        ("kill -SEGV $$", Exit::Signal(11)),
        ("kill -TERM $$", Exit::Signal(15)),
    ] {
        let execution = fixture.run(&sh(&fixture, script), Input::Empty).unwrap();
        assert_eq!(execution.exit, exit, "{script}");
    }
}

#[test]
fn a_program_sees_only_what_it_is_given() {
    let mut fixture = Fixture::new();
    let script = "env | sort; pwd | grep -c run; ls -A | wc -l; ls /proc/self/fd | wc -w; \
                  ulimit -c; ulimit -n; cat";
    let execution = fixture.run(&sh(&fixture, script), Input::Empty).unwrap();
    let stdout = String::from_utf8_lossy(execution.stdout.as_slice().unwrap()).into_owned();
    // `ls` has the folder that it lists open beside the standard three.
    let lines: Vec<&str> = stdout.lines().filter(|line| !line.starts_with("PWD=")).collect();
    let mark = format!("REJUDGE_TEST_MARK={}", fixture.mark);
    assert_eq!(lines, [&mark, "1", "0", "4", "0", "1024"]);
}

#[test]
fn output_is_captured_and_the_tail_of_errors_kept() {
    let mut fixture = Fixture::new();
    let script = "seq 1 100000; seq 1 20000 >&2";
    let execution = fixture.run(&sh(&fixture, script), Input::Empty).unwrap();
    let numbers = |n: u32| (1..=n).map(|i| i.to_string() + "\n").collect::<String>();
    let (stdout, stderr) = (numbers(100_000), numbers(20_000));
    let mut captured = String::new();
    let mut reader = execution.stdout.reader().unwrap();
    std::io::Read::read_to_string(&mut reader, &mut captured).unwrap();
    assert!(captured == stdout);
    let tail = &stderr.as_bytes()[stderr.len() - execution.stderr_tail.len()..];
    assert_eq!(execution.stderr_tail.len(), rejudge_sandbox::STDERR_TAIL);
    assert!(execution.stderr_tail == tail);
    assert_eq!(execution.usage.output, Bytes((stdout.len() + stderr.len()) as u64));
}

#[test]
fn an_input_that_only_its_owner_may_read_can_be_opened_again() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mode = file.as_file().metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    std::fs::write(file.path(), "input\n").unwrap();
    for shape in shape::all() {
        let mut fixture = Fixture::in_shape(&shape);
        let job = sh(&fixture, "cat /dev/stdin; cat /proc/self/fd/0; cat");
        for number in 0..4 {
            let input = Input::File(File::open(file.path()).unwrap());
            let execution = fixture.run(&job, input).unwrap();
            let said = String::from_utf8_lossy(execution.stdout.as_slice().unwrap()).into_owned();
            assert_eq!(said, "input\n".repeat(3), "{}, run {number}", shape.name);
        }
    }
}

#[test]
fn a_program_has_every_processor_or_one_if_it_is_pinned() {
    let mut fixture = Fixture::new();
    let mut job = sh(&fixture, "nproc");
    let all = processors();
    for (one_core, processors) in [(true, 1), (false, all), (true, 1)] {
        job.limits.one_core = one_core;
        // The first ones start at once, the others from a process that waits.
        for run in 0..4 {
            let execution = fixture.run(&job, Input::Empty).unwrap();
            let told = format!("{processors}\n");
            assert_eq!(execution.stdout.as_slice(), Some(told.as_bytes()), "run {run}");
        }
    }
}

/// The launcher then chooses processors in every way that it knows.
#[test]
fn beside_busy_programs_a_program_has_every_processor() {
    struct Busy(std::process::Child);
    impl Drop for Busy {
        fn drop(&mut self) {
            self.0.kill().unwrap();
            self.0.wait().unwrap();
        }
    }
    let all = processors();
    let busy = || {
        let endless = std::process::Command::new("sh").args(["-c", "while :; do :; done"]).spawn();
        Busy(endless.unwrap())
    };
    let told = format!("{all}\n");
    let mut fixture = Fixture::new();
    let job = sh(&fixture, "nproc");
    for count in [all - 1, all] {
        let neighbours: Vec<Busy> = (0..count).map(|_| busy()).collect();
        for run in 0..30 {
            let execution = fixture.run(&job, Input::Empty).unwrap();
            let stdout = execution.stdout.as_slice();
            assert_eq!(stdout, Some(told.as_bytes()), "{count}, run {run}");
        }
        drop(neighbours);
    }
    assert_eq!(processors(), all);
}

#[test]
fn threads_with_a_processor_of_their_own_run_programs_on_every_processor() {
    let all = processors();
    let work = |number| {
        let own = OwnProcessor::of_thread(number, all);
        // It starts its launcher only now.
        let mut fixture = Fixture::new();
        let mut job = sh(&fixture, "read n; nproc");
        let threads = || processors();
        assert_eq!(threads(), 1);
        for run in 0..8 {
            job.limits.one_core = run == 5;
            fixture.runner().request(&job, &input(b"1\n"));
            let execution = fixture.runner().run_requested(&job, input(b"1\n"));
            let told = format!("{}\n", if run == 5 { 1 } else { all });
            let execution = execution.unwrap();
            assert_eq!(execution.stdout.as_slice(), Some(told.as_bytes()), "{run}");
        }
        assert_eq!(threads(), 1);
        fixture.is_clean("a thread with its own processor");
        drop(own);
        assert_eq!(threads(), all);
        assert!(!OwnProcessor::this_thread_has_one());
    };
    std::thread::scope(|scope| {
        for number in 0..all {
            scope.spawn(move || work(number));
        }
    });
    // Some processors are left over.
    let own = OwnProcessor::of_thread(0, all - 1);
    assert!(!OwnProcessor::this_thread_has_one());
    drop(own);
}

#[test]
fn a_given_folder_is_used_and_kept() {
    let mut fixture = Fixture::new();
    let folder = tempfile::tempdir().unwrap();
    let mut job = sh(&fixture, "echo here > file");
    job.work_dir = WorkDir::At(folder.path().to_owned());
    assert_eq!(fixture.run(&job, Input::Empty).unwrap().exit, Exit::Code(0));
    let written = std::fs::read(folder.path().join("file")).unwrap();
    assert_eq!(written, b"here\n");
}

#[test]
fn a_given_folder_stays_bounded() {
    // Many files, one that has no name, holes; the bound is four times what one file and the output may be.
    let scripts = [
        ("for i in $(seq 200); do head -c 1000000 /dev/zero >f$i; done", None),
        ("exec 3>f; rm f; for i in $(seq 200); do head -c 1000000 /dev/zero >&3; done", None),
        ("for i in $(seq 50); do truncate -s 16M f$i; done", Some(LimitKind::Files)),
    ];
    let mut fixture = Fixture::new();
    if !fixture.facts().has(Protection::BoundedFolder) {
        return;
    }
    for (script, killed) in scripts {
        let folder = tempfile::tempdir_in(fixture.base.path()).unwrap();
        std::fs::write(folder.path().join("mine"), "here").unwrap();
        let script = format!("grep -q here mine || exit 9; {script}; df -k . | tail -n 1");
        let mut job = sh(&fixture, &script);
        job.work_dir = WorkDir::At(folder.path().to_owned());
        job.limits.cpu_time = fixture::scaled(Duration::from_secs(20));
        job.limits.cpu_kill = job.limits.cpu_time;
        job.limits.memory = Bytes::mib(256);
        let execution = fixture.run(&job, Input::Empty).unwrap();
        let ended = match killed {
            Some(limit) => Exit::Killed(limit),
            None => Exit::Code(0),
        };
        assert_eq!(execution.exit, ended, "{script}: {execution:?}");
        let said = String::from_utf8_lossy(execution.stdout.as_slice().unwrap()).into_owned();
        let most: u64 = said.split_whitespace().nth(1).unwrap().parse().expect(&said);
        assert!((60 << 10..70 << 10).contains(&most), "{said}");
        let (mut bytes, mut files) = (0, 0);
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            bytes += entry.unwrap().metadata().unwrap().len();
            files += 1;
        }
        assert!(bytes <= 70 << 20 && files <= 201, "{script}: {bytes} bytes in {files} files");
    }
}

#[test]
fn arguments_of_any_length_arrive_or_are_refused() {
    let mut fixture = Fixture::new();
    let mut job = sh(&fixture, "echo $# ${#1}");
    job.argv.push("sh".into());
    job.argv.extend(std::iter::repeat_n("x".repeat(100_000).into(), 10));
    let execution = fixture.run(&job, Input::Empty).unwrap();
    assert_eq!(execution.stdout.as_slice(), Some(&b"10 100000\n"[..]));
    job.argv.push("x".repeat(10 << 20).into());
    let error = fixture.run(&job, Input::Empty).unwrap_err();
    let SandboxError::Setup { step, source, .. } = error else {
        panic!("{error}");
    };
    assert_eq!((step, source.raw_os_error()), ("executing it", Some(7)));
}

#[test]
fn a_program_that_cannot_be_started_is_named() {
    let mut fixture = Fixture::new();
    let nowhere = fixture.base.path().join("nowhere");
    let mut missing_folder = sh(&fixture, "");
    missing_folder.work_dir = WorkDir::At(nowhere.clone());
    let table = [
        (fixture.job(nowhere.to_str().unwrap()), "executing it", 2),
        (fixture.job("/etc/passwd"), "executing it", 13),
        (missing_folder, "entering its working folder", 2),
    ];
    for (job, expected, errno) in table {
        match fixture.run(&job, Input::Empty) {
            Err(SandboxError::Setup { step, source, .. }) => {
                assert_eq!((step, source.raw_os_error()), (expected, Some(errno)));
            }
            other => panic!("{other:?}"),
        }
    }
    let execution = fixture.run(&sh(&fixture, "exit 5"), Input::Empty).unwrap();
    assert_eq!(execution.exit, Exit::Code(5), "the launcher goes on");
}
