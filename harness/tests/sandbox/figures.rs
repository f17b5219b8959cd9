//! The figures against a second observer of the same run.

use std::time::{Duration, Instant};

use rejudge::bytes::Bytes;
use rejudge::sandbox::{Exit, Input};

use crate::fixture::{Fixture, programs, scaled};

#[test]
fn cpu_and_memory_agree_with_what_the_program_saw_itself() {
    if programs().is_none() {
        return;
    }
    let mut fixture = Fixture::new();
    let mut job = fixture.job("usage");
    job.limits.cpu_kill = scaled(Duration::from_secs(10));
    for _ in 0..5 {
        let before = Instant::now();
        let execution = fixture.run(&job, Input::Empty).unwrap();
        let around = before.elapsed();
        assert_eq!(execution.exit, Exit::Code(0));
        let text = String::from_utf8(execution.stdout.as_slice().unwrap().to_vec()).unwrap();
        let own: Vec<u64> = text
            .split_whitespace()
            .map(|n| n.parse().unwrap())
            .collect();
        let (own_cpu, own_rss) = (Duration::from_micros(own[0]), Bytes::kib(own[1]));
        let usage = execution.usage;
        // The program looked before its own end, which costs time too: it is unmapped then.
        assert!(usage.cpu() >= own_cpu, "{usage:?}, own {own_cpu:?}");
        let after = scaled(Duration::from_millis(10));
        assert!(usage.cpu() <= own_cpu + after, "{usage:?}, own {own_cpu:?}");
        assert!(usage.peak_memory >= own_rss, "{usage:?}, own {own_rss}");
        // Before Linux 6.2 a thread keeps up to 64 pages of each kind to itself before the kernel counts them.
        let slack = Bytes(own_rss.get() + (768 << 10));
        assert!(usage.peak_memory <= slack, "{usage:?}, own {own_rss}");
        assert!(usage.wall <= around, "{usage:?}, around {around:?}");
    }
}

#[test]
fn memory_that_the_judge_holds_is_not_the_programs() {
    if programs().is_none() {
        return;
    }
    let held = std::hint::black_box(vec![1_u8; 400 << 20]);
    let mut fixture = Fixture::new();
    fixture.innocent_is_unaffected("a judge of 400 MiB");
    drop(held);
}
