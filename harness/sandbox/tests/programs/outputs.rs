//! Standard output is a file of the run's own, as judges give it, under every back end: its limit, its memory, and what
//! programs may do with it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use rejudge_sandbox::Bytes;
use rejudge_sandbox::Protection::{MemoryGroup, Seccomp};
use rejudge_sandbox::{Exit, Input, Isolation, Job, LimitKind, Turn};

use crate::fixture::{Fixture, input, programs};
use crate::limits::{MEMORY, patient};
use crate::shape::{self, MachineShape};
use crate::support;

const OUTPUT: Exit = Exit::Killed(LimitKind::Output);

#[test]
fn output_that_is_too_long_in_any_way_is_the_same_verdict() {
    if programs().is_none() {
        return;
    }
    let near = ["truncate", "allocate", "write", "seek", "print", "both", "again", "wait"];
    // These would leave no trace in the file.
    let far = [
        "truncate far",
        "allocate far",
        "allocate at far",
        "allocate in two",
        "write far",
        "write at limit",
        "write vector",
        "seek far",
    ];
    let shapes = shape::all().into_iter().map(|shape| (shape.name, Fixture::in_shape(&shape)));
    let off = || ("no protection", Fixture::in_isolation(Isolation::Off));
    for (name, mut fixture) in shapes.chain(std::iter::once_with(off)) {
        let filtered = fixture.facts().has(Seccomp);
        let far = far.iter().filter(|_| filtered);
        for how in near.iter().chain(far) {
            for deaf in [&[][..], &["deaf"]] {
                let mut job = fixture.job("output_far");
                patient(&mut job);
                job.argv.push(how.into());
                job.argv.extend(deaf.iter().map(Into::into));
                let execution = fixture.run(&job, Input::Empty).unwrap();
                let what = format!("{how} {deaf:?} under {name}");
                assert_eq!(execution.exit, OUTPUT, "{what}: {:?}", execution.usage);
                let kept = execution.stdout.len();
                assert!(kept <= job.limits.output.get(), "{what}: {kept} bytes");
            }
        }
        let mut job = fixture.job("output_far");
        job.argv.push("nothing".into());
        let execution = fixture.run(&job, Input::Empty).unwrap();
        assert_eq!(execution.exit, Exit::Code(0), "under {name}");
        fixture.is_clean(name);
    }
}

fn drop_bytes(_: &[u8]) {}

#[test]
fn a_signal_of_the_program_itself_stays_what_it_is_where_nothing_is_printed_to_a_file() {
    let mut fixture = Fixture::new();
    fixture.runner().show_output(drop_bytes);
    let job = crate::fixture::sh(&fixture, "kill -SYS $$");
    let execution = fixture.run(&job, Input::Empty).unwrap();
    assert_eq!(execution.exit, Exit::Signal(31));
}

/// A job that prints, and touches `kib` of memory.
fn print(fixture: &Fixture, mib: u64, kib: u64, memory: Bytes) -> Job {
    let mut job = fixture.job("print_much");
    patient(&mut job);
    job.argv.extend([mib, kib].map(|n| n.to_string().into()));
    job.limits.memory = memory;
    job.limits.output = Bytes::mib(64);
    job.limits.file_size = Bytes::mib(64);
    job
}

#[test]
fn output_is_no_memory_of_the_program() {
    if programs().is_none() {
        return;
    }
    for shape in shape::all() {
        let mut fixture = Fixture::in_shape(&shape);
        // The figure of the kernel for a process is at least that of our process that became it, which may grow at any time.
        // What the output causes shows in each round.
        let spreads: Vec<u64> = (0..3).map(|_| spread_of_peaks(&mut fixture, &shape)).collect();
        let least = spreads.iter().min();
        assert!(least < Some(&(1 << 20)), "{}: {spreads:?}", shape.name);
        fixture.is_clean(shape.name);
    }
}

/// The difference between the peaks of programs with little and with much output, in bytes.
fn spread_of_peaks(fixture: &mut Fixture, shape: &MachineShape) -> u64 {
    let mut peaks = Vec::new();
    for mib in [0, 1, 64] {
        let job = print(fixture, mib, 1024, Bytes::mib(16));
        let execution = fixture.run(&job, Input::Empty).unwrap();
        let what = format!("{mib} MiB under {}: {:?}", shape.name, execution.usage);
        assert_eq!(execution.exit, Exit::Code(0), "{what}");
        assert_eq!(execution.stdout.len(), mib << 20, "{what}");
        assert_eq!(execution.usage.output, Bytes::mib(mib), "{what}");
        peaks.push(execution.usage.peak_memory.get());
        // Enough memory at once, so that it runs only once.
        let job = print(fixture, mib, 1024, Bytes::mib(256));
        let execution = fixture.run(&job, Input::Empty).unwrap();
        peaks.push(execution.usage.peak_memory.get());
    }
    peaks.iter().max().unwrap() - peaks.iter().min().unwrap()
}

#[test]
fn output_gives_a_program_no_more_memory() {
    if programs().is_none() {
        return;
    }
    for shape in shape::all() {
        let mut fixture = Fixture::in_shape(&shape);
        for mib in [0, 1, 60] {
            for (kib, exit) in [(61 << 10, Exit::Code(0)), (64 << 10, MEMORY)] {
                let job = print(&fixture, mib, kib, Bytes::mib(64));
                let execution = fixture.run(&job, Input::Empty).unwrap();
                let what = format!("{mib} MiB, {kib} KiB under {}", shape.name);
                assert_eq!(execution.exit, exit, "{what}: {:?}", execution.usage);
            }
        }
    }
}

#[test]
fn what_the_last_program_printed_gives_the_next_one_no_more_memory() {
    // The judge holds it while the next program runs already.
    let mut fixture = Fixture::new();
    if programs().is_none() || !fixture.facts().has(MemoryGroup) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("1.in");
    fs::write(&path, "1 2\n").unwrap();
    let jobs = [
        print(&fixture, 60, 0, Bytes::mib(128)),
        print(&fixture, 0, 125 << 10, Bytes::mib(128)),
        print(&fixture, 60, 0, Bytes::mib(128)),
        print(&fixture, 0, 128 << 10, Bytes::mib(128)),
    ];
    let exits = [Exit::Code(0), Exit::Code(0), Exit::Code(0), MEMORY];
    let turns = jobs.each_ref().map(|job| Turn { job, input: &path });
    for round in 0..3 {
        for (number, exit) in exits.into_iter().enumerate() {
            let next = turns.get(number + 1).copied();
            let execution = fixture.runner().run_ahead(turns[number], number > 0, next).unwrap();
            let usage = execution.usage;
            assert_eq!(execution.exit, exit, "{round}, {number}: {usage:?}");
            assert!(usage.peak_memory <= Bytes::mib(130), "{usage:?}");
        }
    }
}

#[test]
fn an_output_can_be_read_again_and_again_and_outlives_its_runner() {
    use std::io::Read as _;
    let Some(_) = programs() else { return };
    for mib in [0, 1] {
        let mut fixture = Fixture::new();
        let job = print(&fixture, mib, 0, Bytes::mib(64));
        let execution = fixture.run(&job, Input::Empty).unwrap();
        for _ in 0..2 {
            let mut text = Vec::new();
            let mut reader = execution.stdout.reader().unwrap();
            reader.read_to_end(&mut text).unwrap();
            assert_eq!(text, vec![b'x'; usize::try_from(mib << 20).unwrap()]);
        }
        let again = execution.stdout.to_input().unwrap();
        drop(execution);
        let job = crate::fixture::sh(&fixture, "PATH=/usr/bin:/bin; wc -c; head -c 1 /dev/stdin");
        let execution = fixture.run(&job, again).unwrap();
        let text = execution.stdout.as_slice().unwrap();
        let said = String::from_utf8(text.to_vec()).unwrap();
        let expected = (mib << 20).to_string();
        assert_eq!(said.split_whitespace().next(), Some(expected.as_str()));
    }
}

/// Node, if it is there.
fn node() -> Option<PathBuf> {
    let found = Command::new("node").args(["-p", "process.execPath"]).output();
    let Ok(found) = found else {
        support::skip("node is missing, so what it prints at its exit is not tested");
        return None;
    };
    let path = String::from_utf8(found.stdout).unwrap();
    Some(fs::canonicalize(path.trim()).unwrap())
}

#[test]
fn node_loses_nothing_that_it_printed_before_it_exits() {
    let Some(node) = node() else { return };
    let exits = "process.stdout.write('x'.repeat(1000000)); process.exit(0)";
    let mixes =
        "console.log('x'.repeat(999000)); require('fs').writeFileSync(1, 'y'.repeat(999) + '\\n')";
    for shape in shape::all() {
        let mut fixture = Fixture::in_shape(&shape);
        for script in [exits, mixes] {
            for _ in 0..3 {
                let mut job = fixture.job("/");
                patient(&mut job);
                job.argv = vec![node.clone().into(), "-e".into(), script.into()];
                job.readable.extend(node.parent().and_then(|bin| bin.parent()).map(Into::into));
                job.limits.memory = Bytes::mib(1024);
                job.limits.processes = 64;
                let execution = fixture.run(&job, input(b"")).unwrap();
                let what = format!("{script} under {}: {execution:?}", shape.name);
                assert_eq!(execution.exit, Exit::Code(0), "{what}");
                assert!(execution.stdout.len() >= 1_000_000, "{what}");
            }
        }
    }
}
