//! Memory that belongs to no process: where no control group counts it, it is refused, or counted by us.

use std::fs;
use std::time::Duration;

use rejudge_sandbox::Bytes;
use rejudge_sandbox::{Exit, Input, Isolation, LimitKind, Protection};

use crate::fixture::{Fixture, programs, scaled, sh};
use crate::shape::{self, GROUPS};

#[test]
fn files_in_memory_are_memory_under_every_back_end_that_bounds_them() {
    for shape in shape::all() {
        let mut fixture = Fixture::in_shape(&shape);
        if !fixture.facts().has(Protection::BoundedFolder) {
            continue;
        }
        let piece = "head -c 10000000 /dev/zero";
        let script = format!("for i in 1 2 3 4 5 6 7 8 9; do {piece} >/tmp/$i; done; exit 0");
        let mut job = sh(&fixture, &script);
        job.limits.file_size = Bytes::mib(256);
        job.limits.cpu_time = scaled(Duration::from_secs(20));
        job.limits.cpu_kill = job.limits.cpu_time;
        let execution = fixture.run(&job, Input::Empty).unwrap();
        let killed = Exit::Killed(LimitKind::Memory);
        assert_eq!(execution.exit, killed, "{}: {execution:?}", shape.name);
    }
}

#[test]
fn files_in_memory_are_reported_without_a_control_group() {
    let shape = shape::MachineShape::new("no groups", &GROUPS);
    let mut fixture = Fixture::in_shape(&shape);
    if !fixture.facts().has(Protection::BoundedFolder) {
        return;
    }
    let mut job = sh(&fixture, "head -c 10000000 /dev/zero >/tmp/file");
    job.limits.file_size = Bytes::mib(16);
    let execution = fixture.run(&job, Input::Empty).unwrap();
    assert_eq!(execution.exit, Exit::Code(0));
    assert!(execution.usage.peak_memory.get() > 10_000_000, "{execution:?}");
}

/// The number of pipes, and of sockets, that the program fills.
const EACH: u64 = 40;

#[test]
fn buffers_of_pipes_and_sockets_keep_their_size_where_no_group_counts_them() {
    if programs().is_none() {
        return;
    }
    let most = |kib: u64| EACH * kib;
    let usual = fs::read_to_string("/proc/sys/net/core/wmem_default").unwrap();
    let usual: u64 = usual.trim().parse::<u64>().unwrap() >> 10;
    let shapes = shape::all().into_iter().map(|shape| (shape.name, Fixture::in_shape(&shape)));
    let off = || ("no protection", Fixture::in_isolation(Isolation::Off));
    for (name, mut fixture) in shapes.chain(std::iter::once_with(off)) {
        let mut job = fixture.job("fill_buffers");
        job.limits.cpu_time = scaled(Duration::from_secs(20));
        job.limits.cpu_kill = job.limits.cpu_time;
        job.limits.memory = Bytes::mib(1024);
        let execution = fixture.run(&job, Input::Empty).unwrap();
        let text = execution.stdout.as_slice().unwrap();
        let text = String::from_utf8_lossy(text);
        let kib: Vec<u64> = text.split_whitespace().flat_map(str::parse).collect();
        let &[sockets, pipes] = kib.as_slice() else {
            panic!("{name}: {execution:?}");
        };
        let facts = fixture.facts();
        if !facts.has(Protection::Seccomp) {
            assert!(pipes > most(64), "it would be seen: {text}");
        } else if !facts.has(Protection::MemoryGroup) {
            assert!(pipes <= most(64), "{name}: {text}");
            assert!(sockets <= most(usual * 2), "{name}: {text}");
        }
    }
}
