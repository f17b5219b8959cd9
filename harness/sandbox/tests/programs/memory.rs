//! The memory limit under every back end: what reaches it, what only comes near, and the figure beside the verdict.

use std::collections::HashSet;
use std::fs;

use rejudge_sandbox::Bytes;
use rejudge_sandbox::Protection::{BoundedFolder, MemoryGroup};
use rejudge_sandbox::{Clock, Exit, Input, Job};

use crate::fixture::{Fixture, programs, sh};
use crate::limits::{MEMORY, all_end, expect, patient};
use crate::shape;

#[test]
fn memory() {
    let programs =
        ["memory_slow", "memory_fast", "memory_and_exit", "memory_mmap", "memory_threads"];
    all_end(&[], &programs, MEMORY, patient);
    all_end(&[], &["memory_stack"], MEMORY, |job| {
        patient(job);
        job.limits.stack = Bytes::mib(512);
    });
}

#[test]
fn memory_is_limited_exactly() {
    // Beside the arrays a program needs its code, its stack and its tables: not three MiB, and more than nothing.
    for (kib, exit) in [("62464", Exit::Code(0)), ("65536", MEMORY)] {
        // The third one and those after it are foreseen.
        let told = |job: &mut Job| {
            patient(job);
            job.argv.push(kib.into());
        };
        expect(&[], &[("touch", exit); 4], told, |_, _| {});
    }
}

#[test]
fn a_limit_below_the_size_of_the_launcher_ends_the_program_and_not_the_launcher() {
    for mib in 1..=4 {
        let told = |job: &mut Job| {
            patient(job);
            job.limits.memory = Bytes::mib(mib);
            job.argv.push("65536".into());
        };
        // Enough for one that is foreseen.
        expect(&[MemoryGroup], &[("touch", MEMORY); 4], told, |_, _| {});
    }
}

#[test]
fn the_figure_next_to_a_verdict_agrees_with_it_even_close_to_the_limit() {
    if programs().is_none() {
        return;
    }
    for shape in shape::all() {
        let mut fixture = Fixture::in_shape(&shape);
        let mut ends = HashSet::new();
        for kib in (61 << 10..67 << 10).step_by(256) {
            let mut job = fixture.job("touch");
            patient(&mut job);
            job.argv.push(kib.to_string().into());
            let execution = fixture.run(&job, Input::Empty).unwrap();
            let (what, usage) = (format!("{kib} KiB under {}", shape.name), execution.usage);
            match execution.exit {
                Exit::Code(0) => assert!(usage.peak_memory <= Bytes::mib(64), "{what}: {usage:?}"),
                other => assert_eq!(other, MEMORY, "{what}: {usage:?}"),
            }
            ends.insert(execution.exit == MEMORY);
        }
        assert_eq!(ends.len(), 2, "{}: one side was never tried", shape.name);
    }
}

#[test]
fn files_that_were_read_before_do_not_count_for_the_next_program() {
    // Pages of files stay with the group that read them first, and so does the room that was made for them.
    let mut fixture = Fixture::new();
    if programs().is_none() || !fixture.facts().has(MemoryGroup) {
        return;
    }
    let large = fixture.base.path().join("large");
    fs::write(&large, vec![b'1'; 48 << 20]).unwrap();
    let drop_pages = rustix::fs::Advice::DontNeed;
    for _ in 0..3 {
        let file = fs::File::open(&large).unwrap();
        file.sync_all().unwrap();
        rustix::fs::fadvise(&file, 0, None, drop_pages).unwrap();
        let read = sh(&fixture, "cat >/dev/null");
        let execution = fixture.run(&read, Input::File(file)).unwrap();
        assert_eq!(execution.exit, Exit::Code(0));
        for (kib, exit) in [("62464", Exit::Code(0)), ("65536", MEMORY)] {
            let mut job = fixture.job("touch");
            patient(&mut job);
            job.argv.push(kib.into());
            let execution = fixture.run(&job, Input::Empty).unwrap();
            assert_eq!(execution.exit, exit, "{kib}: {:?}", execution.usage);
        }
    }
}

#[test]
fn files_in_memory_are_memory_and_no_output() {
    // The figure is that of the group: the process itself is small.
    for shape in shape::all() {
        let mut fixture = Fixture::in_shape(&shape);
        let script = "echo 3; head -c 6000000 /dev/zero >here; head -c 9000000 /dev/zero >/tmp/there; echo four >&2";
        let mut job = sh(&fixture, script);
        patient(&mut job);
        let bounded = fixture.facts().has(BoundedFolder);
        if !bounded {
            // Without a mount namespace there is no `/tmp` of its own.
            job.argv[2] = "echo 3; head -c 15000000 /dev/zero >here; echo four >&2".into();
        }
        let execution = fixture.run(&job, Input::Empty).unwrap();
        assert_eq!(execution.exit, Exit::Code(0), "{}", shape.name);
        assert_eq!(execution.usage.output, Bytes(7), "{}", shape.name);
        let usage = execution.usage;
        // The kernel may enforce the limit of a group without a peak of it: version 2 before Linux 6.12.
        if bounded && usage.memory_clock == Clock::Cgroup {
            assert!(usage.peak_memory.get() > 14_000_000, "{}: {usage:?}", shape.name);
        }
    }
}

#[test]
fn memory_that_the_system_can_reclaim_does_not_count() {
    // It maps a file and reads all of it, more than its limit, which holds all the same.
    let table = [("map_input", Exit::Code(0))];
    let long = |job: &mut Job| {
        patient(job);
        job.limits.memory = Bytes::mib(2);
    };
    expect(&[MemoryGroup], &table, long, |what, stdout| {
        assert_eq!(stdout, b"3\n", "{what}");
    });
}

#[test]
fn memory_of_several_processes() {
    // They hold it for ever, so that looking now and then is enough.
    all_end(&[], &["memory_children"], MEMORY, patient);
    all_end(&[MemoryGroup], &["memory_hidden"], MEMORY, patient);
}

#[test]
fn memory_that_remains_after_its_program_ended() {
    // Again and again, for it is the launcher that is left alone with it.
    all_end(&[MemoryGroup, BoundedFolder], &["memory_files"; 3], MEMORY, |job| {
        patient(job);
        job.limits.file_size = Bytes::mib(512);
    });
}
