//! What others on the machine do to a run, and what its own threads do to it, which is no disturbance.
//!
//! The machine may be as busy as it likes: what is held here holds beside any others.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use rejudge_sandbox::{Exit, Input, LimitKind};

use crate::fixture::{Fixture, TICKS, assert_slept, programs, scaled, sh};

#[test]
fn threads_of_the_same_run_do_not_count_as_others() {
    if programs().is_none() {
        return;
    }
    let mut fixture = Fixture::new();
    for program in ["spin_threads", "spin_processes"] {
        let mut job = fixture.job(program);
        job.limits.processes = 64;
        job.limits.cpu_time = scaled(Duration::from_millis(600));
        job.limits.cpu_kill = job.limits.cpu_time;
        let execution = fixture.run(&job, Input::Empty).unwrap();
        assert_eq!(execution.exit, Exit::Killed(LimitKind::Cpu), "{program}");
        let felt = execution.usage.contention;
        // Some forty of them are ready all the time, and wait for each other.
        assert!(felt.run_delay > felt.observed, "{program}: {felt:?}");
        assert!(felt.starved <= felt.others + felt.steal + TICKS, "{program}: {felt:?}");
    }
}

#[test]
fn a_sleeping_program_is_ended_at_its_wall_limit_and_is_not_starved() {
    if programs().is_none() {
        return;
    }
    let mut fixture = Fixture::new();
    let _busy = Burners::start(4);
    let mut job = fixture.job("sleep");
    job.limits.wall_time = Duration::from_secs(1);
    let execution = fixture.run(&job, Input::Empty).unwrap();
    assert_eq!(execution.exit, Exit::Killed(LimitKind::Wall));
    assert_slept(&execution.usage.contention);
}

#[test]
fn a_starved_program_is_ended_by_its_cpu_time_and_not_by_the_wall_clock() {
    if programs().is_none() {
        return;
    }
    let mut fixture = Fixture::new();
    let _busy = Burners::start(4);
    let mut job = fixture.job("spin");
    job.limits.cpu_time = Duration::from_millis(500);
    job.limits.cpu_kill = job.limits.cpu_time;
    // Beside four others it is not even half done.
    job.limits.wall_time = Duration::from_secs(1);
    let execution = fixture.run(&job, Input::Empty).unwrap();
    let usage = execution.usage;
    if usage.wall < 10 * job.limits.wall_time {
        assert_eq!(execution.exit, Exit::Killed(LimitKind::Cpu), "{usage:?}");
    }
    assert!(usage.contention.disturbs(0), "{usage:?}");
}

#[test]
fn a_run_that_a_cpu_quota_holds_back_is_starved() {
    if programs().is_none() {
        return;
    }
    let Some(_quota) = Quota::in_milliseconds(1) else {
        return;
    };
    // Its launcher, and so the program, is in the group of this thread.
    let mut fixture = Fixture::new();
    let mut job = fixture.job("spin");
    job.limits.cpu_time = Duration::from_millis(200);
    job.limits.cpu_kill = job.limits.cpu_time;
    // With a twentieth of a processor, less than other processes leave to it, it is a quarter done.
    job.limits.wall_time = Duration::from_secs(1);
    let execution = fixture.run(&job, Input::Empty).unwrap();
    let usage = execution.usage;
    assert!(!usage.contention.throttled.is_zero(), "{usage:?}");
    assert!(usage.contention.starves(), "{usage:?}");
    if usage.wall < 10 * job.limits.wall_time {
        assert_eq!(execution.exit, Exit::Killed(LimitKind::Cpu), "{usage:?}");
    }
}

/// Then judge, launcher and program take turns on one processor, and no run is requested in advance.
#[test]
fn runs_in_a_row_are_alike_if_they_use_up_a_quota() {
    const TESTS: [&str; 4] = [
        "early_runs::each_run_of_a_series_has_its_own_input_output_and_end",
        "early_runs::a_limit_ends_one_run_of_a_series_and_not_the_next",
        "repeated::every_run_is_like_the_first",
        "repeated::no_trace_of_a_run_reaches_another",
    ];
    // One processor.
    let Some(_quota) = Quota::in_milliseconds(20) else {
        return;
    };
    // Another process, because a process looks for a quota once. It is in the group of this thread.
    let tested = test_again(&TESTS);
    let said = String::from_utf8_lossy(&tested.stdout);
    assert!(said.contains("4 passed"), "{tested:?}");
}

/// Then judge, launcher and program take turns on one processor, and programs are held until exec is done.
#[test]
fn runs_in_a_row_are_alike_where_others_keep_all_processors_busy() {
    const TESTS: [&str; 7] = [
        "early_runs::each_run_of_a_series_has_its_own_input_output_and_end",
        "early_runs::a_limit_ends_one_run_of_a_series_and_not_the_next",
        "repeated::every_run_is_like_the_first",
        "repeated::limits_hold_in_every_run",
        "repeated::a_program_that_was_replaced_is_not_run_again",
        "repeated::a_program_that_somebody_still_has_open_for_writing_is_waited_for",
        "repeated::no_trace_of_a_run_reaches_another",
    ];
    let _busy = Burners::start(1);
    let mut fixture = Fixture::new();
    // `SigQ` counts the signals that wait for all processes of a user, and other tests may run programs as this user.
    let job =
        sh(&fixture, "exec grep -E 'TracerPid|Cpus_allowed|Sig[^Q]|Seccomp' /proc/self/status");
    let mut seen = HashSet::new();
    for _ in 0..100 {
        let execution = fixture.run(&job, Input::Empty).unwrap();
        assert_eq!(execution.exit, Exit::Code(0));
        seen.insert(execution.stdout.as_slice().unwrap().to_vec());
    }
    assert_eq!(seen.len(), 1, "{seen:?}");
    let tested = test_again(&TESTS);
    let said = String::from_utf8_lossy(&tested.stdout);
    assert!(said.contains("7 passed"), "{tested:?}");
}

/// Does these tests in another process.
fn test_again(tests: &[&str]) -> Output {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--test-threads", "1"])
        .args(tests)
        .output()
        .unwrap()
}

/// A control group of version 1 with a CPU quota, with the calling thread in it.
struct Quota(PathBuf);

impl Quota {
    /// Out of every 20 milliseconds, so many; `None`, said loudly, if that cannot be.
    fn in_milliseconds(quota: u32) -> Option<Self> {
        let made = Self::make(quota);
        if made.is_none() {
            crate::support::skip_even_in_ci("a control group with a CPU quota cannot be made here");
        }
        made
    }

    fn make(milliseconds: u32) -> Option<Self> {
        let parent = Path::new("/sys/fs/cgroup/cpu");
        let name = format!("rejudge-test-{}-{milliseconds}", std::process::id());
        let group = parent.join(name);
        fs::create_dir(&group).ok()?;
        let quota = Self(group);
        let write = |name: &str, text: &str| fs::write(quota.0.join(name), text).ok();
        write("cpu.cfs_period_us", "20000")?;
        write("cpu.cfs_quota_us", &(milliseconds * 1000).to_string())?;
        write("tasks", "0")?;
        Some(quota)
    }
}

impl Drop for Quota {
    fn drop(&mut self) {
        // What is left in the group, such as this thread, goes back to the group above.
        let tasks = fs::read_to_string(self.0.join("tasks")).unwrap_or_default();
        for task in tasks.lines() {
            let _ = fs::write("/sys/fs/cgroup/cpu/tasks", task);
        }
        let _ = fs::remove_dir(&self.0);
    }
}

/// Programs that keep every processor busy; they end with this.
struct Burners(Vec<Child>);

impl Burners {
    /// So many for each processor, each in a session of its own: some kernels share out between sessions first.
    fn start(each: usize) -> Self {
        let processors = std::thread::available_parallelism().unwrap().get();
        let burner = |_| {
            Command::new("setsid")
                .args(["sh", "-c", "while :; do :; done"])
                .stdin(Stdio::null())
                .spawn()
                .unwrap()
        };
        Self((0..processors * each).map(burner).collect())
    }
}

impl Drop for Burners {
    fn drop(&mut self) {
        for burner in &mut self.0 {
            let _ = burner.kill();
            let _ = burner.wait();
        }
    }
}
