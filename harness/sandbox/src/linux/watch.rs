//! Watches a program until it ends or breaks a limit.

use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rejudge_quantity::Bytes;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};

use super::cgroup::ControlGroups;
use super::child::Child;
use super::cpu_timer::CpuAlarm;
use super::init::Init;
use super::observe::Observer;
use super::processors;
use super::requests::{Requests, RunMessage};
use super::tree::{self, Reaped};
use crate::contention::Contention;
use crate::contention::extended;
use crate::execution::{Clock, Exit, LimitKind, Usage};
use crate::limits::Limits;
use crate::standstill::Standstill;

mod sweep;

/// The result.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) exit: Exit,
    pub(super) usage: Usage,
    /// Whether the judge has closed the socket.
    pub(super) hung_up: bool,
}

impl Watched {
    /// Adds the files in memory to the memory of the run, if no group has counted them.
    pub(super) fn count_files(&mut self, files: Bytes, limit: Bytes) {
        if self.usage.memory_enforced {
            return;
        }
        self.usage.peak_memory.0 += files.get();
        if self.usage.peak_memory > limit && !matches!(self.exit, Exit::Killed(_)) {
            self.exit = Exit::Killed(LimitKind::Memory);
        }
    }
}

/// The sandbox's own processes during a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Helpers<'a> {
    /// Process 1 of the pid namespace of the run.
    pub(super) now: Option<&'a Init>,
    /// The inits of other runs, the process that waits to become a program, the decoy, and the preloaded interpreter.
    pub(super) others: [Option<libc::pid_t>; 9],
    /// Whether the preloaded interpreter is among them, whose end sends a signal like that of a program.
    pub(super) has_interpreter: bool,
    /// The number of further threads of the launcher, which count as processes.
    pub(super) threads: usize,
}

impl Helpers<'_> {
    pub(super) fn pids(self) -> impl Iterator<Item = libc::pid_t> {
        let now = self.now.map(Init::pid);
        self.others.into_iter().chain([now]).flatten()
    }

    /// The number of processes as the kernel counts them.
    pub(super) fn count(self) -> usize {
        self.pids().count() + self.threads
    }

    /// The parents of all processes of the run, including the init and the launcher.
    fn roots(self) -> Vec<libc::pid_t> {
        let us = std::process::id().cast_signed();
        std::iter::once(us).chain(self.pids()).collect()
    }

    /// The CPU time that they used themselves so far.
    pub(super) fn cpu(self) -> Duration {
        self.pids().map(tree::cpu_of).sum()
    }
}

/// The line to the judge during a run.
pub(super) struct JudgeLine<'a> {
    pub(super) requests: &'a mut Requests,
    pub(super) next: &'a mut dyn NextRun,
}

/// The run that follows.
pub(super) trait NextRun {
    /// The judge has requested it.
    fn requested(&mut self, requests: &Requests);
    /// The current program has ended by itself, so it comes soon.
    fn is_near(&mut self, current: &Child);
    /// The current program takes longer than most do.
    fn takes_long(&mut self);
}

/// The reason why the wait ended.
enum Cause {
    Ended,
    /// With the observed memory, if the kernel does not limit it.
    Limit(LimitKind, Option<u64>),
    Asked,
    HungUp,
}

/// The minimum time between two checks, however close a limit is.
const SHORTEST: Duration = Duration::from_millis(2);
/// The time until the next attempt at something that the start of the program did not permit yet.
const AT_ONCE: Duration = Duration::from_micros(500);
/// The maximum time between two checks.
const LONGEST: Duration = Duration::from_millis(100);
/// The fastest rate at which a program can touch new memory: a page fault costs about a microsecond.
const BYTES_PER_SECOND: u64 = 4 << 30;

/// Waits for `child`. When this returns, no process of the run is alive.
pub(super) fn watch(
    child: &Child,
    limits: &Limits,
    control_groups: &mut ControlGroups,
    alarm: &CpuAlarm,
    helpers: Helpers<'_>,
    judge: &mut JudgeLine<'_>,
) -> io::Result<Watched> {
    let mut observer =
        Observer::new(child.pid, if limits.one_core { 1 } else { processors::count() });
    let mut standstill = Standstill::default();
    let cause = wait(
        child,
        limits,
        control_groups,
        alarm,
        helpers,
        (&mut observer, &mut standstill),
        judge,
    )?;
    let wall = standstill.subtract_from(child.started().elapsed());
    if matches!(cause, Cause::Ended) {
        judge.next.is_near(child);
    }
    // The figures of the program exist until it is reaped.
    if observer.has_begun() {
        observer.look(&helpers.roots(), control_groups.cpu(helpers.cpu())?);
    }
    // Before anything that allocates memory: only this process is left for the kernel to kill.
    if may_have_touched(wall) > limits.memory.get() / 2 {
        control_groups.lift_memory_limit()?;
    }
    // Now, because the cleanup itself makes the kernel refuse forks.
    let out_of_processes = control_groups.out_of_processes()? == Some(true);
    let mut reaped = Reaped::default();
    let status = match helpers.now {
        Some(init) => sweep::sweep(child, init, helpers, &mut reaped)?,
        None => sweep::clear(child, control_groups, &mut reaped)?,
    };
    let out_of_memory = control_groups.out_of_memory()?;
    let [before_exec, since_begin] = child.cpu_before_exec();
    reaped.subtract(before_exec);
    control_groups.helper_ended(since_begin);
    let mut usage = measure(&reaped, wall, control_groups, helpers)?;
    usage.contention = observer.contention();
    usage.preloaded = child.is_copy;
    if let Cause::Limit(_, Some(rss)) = cause
        && rss > usage.peak_memory.get()
    {
        usage.memory_clock = Clock::Polled;
        usage.peak_memory = Bytes(rss);
    }
    let hung_up = matches!(cause, Cause::HungUp);
    let exit = match cause {
        // The kernel killed one of several processes, and the others waited for it until the wall time limit.
        Cause::Limit(LimitKind::Wall, _) if out_of_memory == Some(true) => {
            Exit::Killed(LimitKind::Memory)
        }
        Cause::Limit(limit, _) => Exit::Killed(limit),
        _ if out_of_memory == Some(true) || usage.peak_memory > limits.memory => {
            Exit::Killed(LimitKind::Memory)
        }
        _ if out_of_processes => Exit::Killed(LimitKind::Processes),
        _ if libc::WIFSIGNALED(status) => Exit::Signal(libc::WTERMSIG(status)),
        _ => Exit::Code(libc::WEXITSTATUS(status)),
    };
    Ok(Watched { exit, usage, hung_up })
}

fn measure(
    reaped: &Reaped,
    wall: Duration,
    control_groups: &ControlGroups,
    helpers: Helpers<'_>,
) -> io::Result<Usage> {
    let mut usage = Usage {
        cpu_user: reaped.user,
        cpu_system: reaped.system,
        cpu_clock: Clock::Rusage,
        wall,
        peak_memory: Bytes(reaped.max_rss),
        memory_clock: Clock::Rusage,
        memory_enforced: control_groups.limits_memory(),
        output: Bytes(0),
        preloaded: false,
        contention: Contention::default(),
    };
    if let Some(cpu) = control_groups.cpu(helpers.cpu())? {
        usage.cpu_clock = Clock::Cgroup;
        // No rusage contains processes that nobody waited for, so the split of their time is unknown.
        usage.cpu_user += cpu.saturating_sub(usage.cpu());
    }
    if let Some(peak) = control_groups.peak(reaped.max_rss)? {
        usage.memory_clock = Clock::Cgroup;
        usage.peak_memory = Bytes(peak);
    }
    Ok(usage)
}

/// Sends SIGINT to the program's process group, which is what a terminal does. The program leads it, because it leads a
/// session of its own, and it exists: nobody has waited for it.
fn interrupt(child: &Child) {
    if let Some(leader) = Pid::from_raw(child.pid) {
        // An error means that all its processes have ended.
        let _ = kill_process_group(leader, Signal::INT);
    }
}

fn wait(
    child: &Child,
    limits: &Limits,
    control_groups: &mut ControlGroups,
    alarm: &CpuAlarm,
    helpers: Helpers<'_>,
    (observer, standstill): (&mut Observer, &mut Standstill),
    judge: &mut JudgeLine<'_>,
) -> io::Result<Cause> {
    let first_look = until_next_look(limits, &UsageReading::default()).min(limits.cpu_kill / 2);
    let first_look = if control_groups.is_wide() { SHORTEST } else { first_look.max(SHORTEST) };
    let mut next_look = child.started() + first_look;
    let mut allowed = limits.wall_time;
    let (mut timer, mut offered) = (None, false);
    let mut settled = Some(child.started() + until_settled(limits));
    loop {
        let deadline = child.started().checked_add(standstill.add_to(allowed));
        let now = Instant::now();
        let tasks = [Some(next_look), deadline, settled].into_iter().flatten();
        let wake = tasks.min().unwrap_or(now);
        let timeout = wake.saturating_duration_since(now);
        let [ended, asked, rang] = poll_all([&child.pidfd, judge.requests, alarm], timeout)?;
        standstill.note(wake);
        if ended {
            return Ok(Cause::Ended);
        }
        if asked {
            match judge.requests.receive_during_run()? {
                RunMessage::Nothing => {}
                RunMessage::Next => judge.next.requested(judge.requests),
                RunMessage::Interrupt => interrupt(child),
                RunMessage::Kill => return Ok(Cause::Asked),
                RunMessage::HungUp => return Ok(Cause::HungUp),
            }
        }
        let now = Instant::now();
        if deadline.is_some_and(|deadline| now >= deadline) {
            observer.look(&helpers.roots(), control_groups.cpu(helpers.cpu())?);
            let starved = observer.contention().starved;
            allowed = extended(limits.wall_time, starved).max(allowed);
            if standstill.subtract_from(child.started().elapsed()) >= allowed {
                return Ok(Cause::Limit(LimitKind::Wall, None));
            }
        }
        if rang {
            alarm.clear();
        }
        if settled.is_some_and(|settled| now >= settled) {
            let left = || limits.cpu_kill.saturating_sub(child.started().elapsed());
            timer = timer.or_else(|| alarm.arm(child.pid, left()));
            offered = offered || control_groups.offer(child.pid, child.is_copy);
            settled = (!offered).then(|| now + AT_ONCE);
            judge.next.takes_long();
        }
        if rang || now >= next_look {
            let seen = look(control_groups, helpers)?;
            let cpu = control_groups.counts_cpu().then_some(seen.cpu);
            observer.look_again(&helpers.roots(), cpu);
            let over_memory = control_groups.narrow_memory()?;
            let over = seen.over(limits);
            if let Some(limit) = over.or(over_memory.then_some(LimitKind::Memory)) {
                return Ok(Cause::Limit(limit, seen.rss));
            }
            next_look = now
                + if control_groups.is_wide() { SHORTEST } else { until_next_look(limits, &seen) };
        }
    }
}

/// The usage of the tree while it runs. Of a limit that the kernel enforces, it only reads whether it was hit.
#[derive(Debug, Default)]
struct UsageReading {
    cpu: Duration,
    /// `None`: the kernel enforces the limit.
    rss: Option<u64>,
    processes: u32,
    out_of_memory: bool,
    out_of_processes: bool,
}

fn look(control_groups: &ControlGroups, helpers: Helpers<'_>) -> io::Result<UsageReading> {
    let out_of_memory = control_groups.out_of_memory()?;
    let out_of_processes = control_groups.out_of_processes()?;
    let mut seen = UsageReading {
        out_of_memory: out_of_memory == Some(true),
        out_of_processes: out_of_processes == Some(true),
        ..UsageReading::default()
    };
    let cpu = control_groups.cpu(helpers.cpu())?;
    if cpu.is_none() || out_of_memory.is_none() || out_of_processes.is_none() {
        let snapshot = tree::snapshot(&helpers.pids().collect::<Vec<_>>())?;
        seen.cpu = snapshot.cpu;
        seen.rss = out_of_memory.is_none().then_some(snapshot.rss);
        seen.processes = snapshot.processes;
    }
    seen.cpu = cpu.unwrap_or(seen.cpu);
    Ok(seen)
}

impl UsageReading {
    fn over(&self, limits: &Limits) -> Option<LimitKind> {
        if self.out_of_memory || self.rss.is_some_and(|rss| rss > limits.memory.get()) {
            Some(LimitKind::Memory)
        } else if self.cpu >= limits.cpu_kill {
            Some(LimitKind::Cpu)
        } else if self.out_of_processes || self.processes > limits.processes {
            Some(LimitKind::Processes)
        } else {
            None
        }
    }
}

/// Which of these are readable, after at most `timeout`.
fn poll_all<const N: usize>(fds: [&dyn AsFd; N], timeout: Duration) -> io::Result<[bool; N]> {
    let mut fds = fds.map(|fd| PollFd::from_borrowed_fd(fd.as_fd(), PollFlags::IN));
    let timeout = Timespec::try_from(timeout).ok();
    match poll(&mut fds, timeout.as_ref()) {
        Ok(_) => Ok(fds.map(|fd| !fd.revents().is_empty())),
        Err(rustix::io::Errno::INTR) => Ok([false; N]),
        Err(error) => Err(error.into()),
    }
}

/// The most memory that a program can touch in this time.
fn may_have_touched(time: Duration) -> u64 {
    let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    micros.saturating_mul(BYTES_PER_SECOND / 1_000_000 * u64::from(processors::count()))
}

/// The time after which a program gets a timer, and the kernel learns to kill it first. Most programs of most cases end
/// before. None can have touched much of its memory by then.
fn until_settled(limits: &Limits) -> Duration {
    let micros =
        limits.memory.get() / 4 / (BYTES_PER_SECOND / 1_000_000 * u64::from(processors::count()));
    Duration::from_micros(micros).min(SHORTEST)
}

/// The shortest time in which a limit can be reached.
fn until_next_look(limits: &Limits, seen: &UsageReading) -> Duration {
    let cpu_left = limits.cpu_kill.saturating_sub(seen.cpu) / processors::count();
    let memory_left = seen.rss.map_or(LONGEST, |rss| {
        let left = limits.memory.get().saturating_sub(rss);
        Duration::from_micros(left / (BYTES_PER_SECOND / 1_000_000))
    });
    cpu_left.min(memory_left).clamp(SHORTEST, LONGEST)
}
