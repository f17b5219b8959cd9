//! Memory that belongs to no process: where no control group counts it, it is refused, or counted by us.

use std::time::Duration;

use rejudge::bytes::Bytes;
use rejudge::sandbox::{Exit, Input, LimitKind, Protection};

use crate::fixture::{Fixture, scaled, sh};
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
    assert!(
        execution.usage.peak_memory.get() > 10_000_000,
        "{execution:?}"
    );
}
