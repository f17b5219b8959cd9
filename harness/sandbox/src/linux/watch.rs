//! Watches a program until it ends or breaks a limit.

use std::io;
use std::num::NonZero;
use std::os::fd::AsFd;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::cgroup::Accounts;
use super::cpu_timer::CpuAlarm;
use super::init::Init;
use super::observe::Observer;
use super::requests::{Requests, Word};
use super::spawn::Child;
use super::tree::{self, Found, Reaped};
use crate::bytes::Bytes;
use crate::contention::Contention;
use crate::contention::extended;
use crate::execution::{Clock, Exit, LimitKind, Usage};
use crate::limits::Limits;

/// The result.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) exit: Exit,
    pub(super) usage: Usage,
    /// Whether the judge has closed the socket.
    pub(super) hung_up: bool,
}

impl Watched {
    /// Counts what is left in files, which are in memory, as memory too where no group has counted it.
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
    /// Those of the run before and of the next one, and the decoy.
    pub(super) others: [Option<libc::pid_t>; 4],
}

impl Helpers<'_> {
    pub(super) fn pids(self) -> impl Iterator<Item = libc::pid_t> {
        let now = self.now.map(Init::pid);
        self.others.into_iter().chain([now]).flatten()
    }

    /// The processes whose children a run's processes are, and they themselves.
    fn roots(self) -> Vec<libc::pid_t> {
        let us = std::process::id().cast_signed();
        std::iter::once(us).chain(self.pids()).collect()
    }

    /// What they have ever used themselves.
    pub(super) fn cpu(self) -> Duration {
        self.pids().map(tree::cpu_of).sum()
    }
}

/// The reason why the wait ended.
enum Cause {
    Ended,
    /// With the memory that was seen to be used, where nobody else watches it.
    Limit(LimitKind, Option<u64>),
    Asked,
    HungUp,
}

/// The minimum time between two checks, however close a limit is.
const SHORTEST: Duration = Duration::from_millis(2);
/// So soon we try again what the program's start has not let us do yet.
const AT_ONCE: Duration = Duration::from_micros(500);
/// The maximum time between two checks.
const LONGEST: Duration = Duration::from_millis(100);
/// The fastest that a program can touch new memory: a page fault costs about a microsecond a page.
const BYTES_PER_SECOND: u64 = 4 << 30;

/// Waits for `child`. When this returns, no process of the run is alive.
pub(super) fn watch(
    child: &Child,
    limits: &Limits,
    accounts: &mut Accounts,
    alarm: &CpuAlarm,
    helpers: Helpers<'_>,
    judge: &mut Requests,
) -> io::Result<Watched> {
    let timer = alarm.arm(child.pid, limits.cpu_kill);
    let mut observer = Observer::new(child.pid, if limits.one_core { 1 } else { cores() });
    let cause = wait(
        child,
        limits,
        accounts,
        alarm,
        helpers,
        &mut observer,
        judge,
    )?;
    let wall = child.started().elapsed();
    drop(timer);
    // The program's own figures last until it is reaped.
    if observer.has_begun() {
        observer.look(&helpers.roots(), accounts.cpu(helpers.cpu())?);
    }
    // Before anything that takes memory: only we are left for the kernel to end.
    if may_have_touched(wall) > limits.memory.get() / 2 {
        accounts.lift_memory_limit()?;
    }
    // Now, before the clearing refuses forks of its own accord.
    let out_of_processes = accounts.out_of_processes()? == Some(true);
    let mut reaped = Reaped::default();
    let status = match helpers.now {
        Some(init) => sweep(child, init, &mut reaped)?,
        None => clear(child, accounts, &mut reaped)?,
    };
    let out_of_memory = accounts.out_of_memory()?;
    let mut usage = measure(&reaped, wall, accounts, helpers)?;
    usage.contention = observer.contention();
    if let Cause::Limit(_, Some(rss)) = cause
        && rss > usage.peak_memory.get()
    {
        usage.memory_clock = Clock::Polled;
        usage.peak_memory = Bytes(rss);
    }
    let hung_up = matches!(cause, Cause::HungUp);
    let exit = match cause {
        // The kernel ended one of several, and the rest waited for it until the wall limit.
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
    Ok(Watched {
        exit,
        usage,
        hung_up,
    })
}

/// Has the first process of the run's namespace end all others, if there may be any; how the program itself ended.
fn sweep(child: &Child, init: &Init, reaped: &mut Reaped) -> io::Result<i32> {
    let mut status = match tree::reap(child.pid, false, reaped)? {
        Found::Dead(_, status) => Some(status),
        Found::Alive | Found::Nobody => None,
    };
    // Waking it takes longer than all else that is to be done. First our own children, then its own: who is left of a
    // program that has ended is below one of us, and nobody else can become ours any more.
    if let Some(status) = status
        && tree::reap(-1, false, reaped)? == Found::Nobody
        && let Some(abandoned) = init.without_children()
    {
        reaped.join(&abandoned);
        return Ok(status);
    }
    init.ask_to_sweep()?;
    let mut abandoned = init.swept()?;
    let mut late = false;
    if status.is_none() {
        // It lived until now, and perhaps never came to exec: then it is not found among the others.
        if let Found::Dead(_, found) = tree::reap(child.pid, true, reaped)? {
            status = Some(found);
            late = true;
        }
    }
    // The program, if it lived until now, and what it made to be our child and not its own: all are dying.
    while let Found::Dead(pid, found) = tree::reap(-1, true, reaped)? {
        late = true;
        if pid == child.pid {
            status = Some(found);
        }
    }
    if late {
        // Only now has init inherited what these left behind.
        init.ask_to_sweep()?;
        abandoned = init.swept()?;
    }
    reaped.join(&abandoned);
    status.ok_or_else(|| io::Error::other("the program's end was missed"))
}

/// Kills and reaps whatever is left; how the program itself ended.
fn clear(child: &Child, accounts: &mut Accounts, reaped: &mut Reaped) -> io::Result<i32> {
    let mut status = match tree::reap(child.pid, false, reaped)? {
        Found::Dead(_, status) => Some(status),
        Found::Alive | Found::Nobody => None,
    };
    // Usually there is nobody left, and this one call says so.
    loop {
        match tree::reap(-1, false, reaped)? {
            Found::Nobody => break,
            Found::Dead(pid, found) if pid == child.pid => status = Some(found),
            Found::Dead(..) => {}
            Found::Alive => {
                accounts.forbid_forks()?;
                status = tree::kill_all(reaped, child.pid)?.or(status);
            }
        }
    }
    status.ok_or_else(|| io::Error::other("the program's end was missed"))
}

fn measure(
    reaped: &Reaped,
    wall: Duration,
    accounts: &Accounts,
    helpers: Helpers<'_>,
) -> io::Result<Usage> {
    let mut usage = Usage {
        cpu_user: reaped.user,
        cpu_system: reaped.system,
        cpu_clock: Clock::Rusage,
        wall,
        peak_memory: Bytes(reaped.max_rss),
        memory_clock: Clock::Rusage,
        memory_enforced: accounts.limits_memory(),
        output: Bytes(0),
        contention: Contention::default(),
    };
    if let Some(cpu) = accounts.cpu(helpers.cpu())? {
        usage.cpu_clock = Clock::Cgroup;
        // Processes that nobody waited for are in no rusage; how they split their time is not known.
        usage.cpu_user += cpu.saturating_sub(usage.cpu());
    }
    if let Some(peak) = accounts.peak(reaped.max_rss)? {
        usage.memory_clock = Clock::Cgroup;
        usage.peak_memory = Bytes(peak);
    }
    Ok(usage)
}

fn wait(
    child: &Child,
    limits: &Limits,
    accounts: &Accounts,
    alarm: &CpuAlarm,
    helpers: Helpers<'_>,
    observer: &mut Observer,
    judge: &mut Requests,
) -> io::Result<Cause> {
    let first_look = until_next_look(limits, &Seen::default()).min(limits.cpu_kill / 2);
    let mut next_look = child.started() + first_look.max(SHORTEST);
    let mut allowed = limits.wall_time;
    let mut offered = accounts.offer(child.pid);
    loop {
        if !offered {
            next_look = next_look.min(Instant::now() + AT_ONCE);
        }
        let deadline = child.started().checked_add(allowed);
        let now = Instant::now();
        let wake = deadline.map_or(next_look, |deadline| deadline.min(next_look));
        let timeout = wake.saturating_duration_since(now);
        let [ended, asked, rang] = poll_all([&child.pidfd, judge, alarm], timeout)?;
        if ended {
            return Ok(Cause::Ended);
        }
        if asked {
            match judge.hear()? {
                Word::Nothing => {}
                Word::Kill => return Ok(Cause::Asked),
                Word::HungUp => return Ok(Cause::HungUp),
            }
        }
        let now = Instant::now();
        if deadline.is_some_and(|deadline| now >= deadline) {
            observer.look(&helpers.roots(), accounts.cpu(helpers.cpu())?);
            let starved = observer.contention().starved;
            allowed = extended(limits.wall_time, starved).max(allowed);
            if child.started().elapsed() >= allowed {
                return Ok(Cause::Limit(LimitKind::Wall, None));
            }
        }
        if rang {
            alarm.clear();
        }
        if rang || now >= next_look {
            offered = offered || accounts.offer(child.pid);
            let seen = look(accounts, helpers)?;
            let cpu = accounts.counts_cpu().then_some(seen.cpu);
            observer.look_again(&helpers.roots(), cpu);
            if let Some(limit) = seen.over(limits) {
                return Ok(Cause::Limit(limit, seen.rss));
            }
            next_look = now + until_next_look(limits, &seen);
        }
    }
}

/// What the tree uses while it runs. What a group limits by itself is looked up only for whether it struck.
#[derive(Debug, Default)]
struct Seen {
    cpu: Duration,
    /// `None`: the kernel watches.
    rss: Option<u64>,
    processes: u32,
    out_of_memory: bool,
    out_of_processes: bool,
}

fn look(accounts: &Accounts, helpers: Helpers<'_>) -> io::Result<Seen> {
    let out_of_memory = accounts.out_of_memory()?;
    let out_of_processes = accounts.out_of_processes()?;
    let mut seen = Seen {
        out_of_memory: out_of_memory == Some(true),
        out_of_processes: out_of_processes == Some(true),
        ..Seen::default()
    };
    let cpu = accounts.cpu(helpers.cpu())?;
    if cpu.is_none() || out_of_memory.is_none() || out_of_processes.is_none() {
        let snapshot = tree::snapshot(&helpers.pids().collect::<Vec<_>>())?;
        seen.cpu = snapshot.cpu;
        seen.rss = out_of_memory.is_none().then_some(snapshot.rss);
        seen.processes = snapshot.processes;
    }
    seen.cpu = cpu.unwrap_or(seen.cpu);
    Ok(seen)
}

impl Seen {
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

/// Which of these have something to read, after `timeout` at most.
fn poll_all<const N: usize>(fds: [&dyn AsFd; N], timeout: Duration) -> io::Result<[bool; N]> {
    let mut fds = fds.map(|fd| PollFd::from_borrowed_fd(fd.as_fd(), PollFlags::IN));
    let timeout = Timespec::try_from(timeout).ok();
    match poll(&mut fds, timeout.as_ref()) {
        Ok(_) => Ok(fds.map(|fd| !fd.revents().is_empty())),
        Err(rustix::io::Errno::INTR) => Ok([false; N]),
        Err(error) => Err(error.into()),
    }
}

/// More memory than this nobody can touch in this time.
fn may_have_touched(time: Duration) -> u64 {
    let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    micros.saturating_mul(BYTES_PER_SECOND / 1_000_000 * u64::from(cores()))
}

/// No limit can be passed sooner than this.
fn until_next_look(limits: &Limits, seen: &Seen) -> Duration {
    let cpu_left = limits.cpu_kill.saturating_sub(seen.cpu) / cores();
    let memory_left = seen.rss.map_or(LONGEST, |rss| {
        let left = limits.memory.get().saturating_sub(rss);
        Duration::from_micros(left / (BYTES_PER_SECOND / 1_000_000))
    });
    cpu_left.min(memory_left).clamp(SHORTEST, LONGEST)
}

/// Processors that the tree can use at once. Asking the system costs a dozen calls, so it is asked once.
pub(super) fn cores() -> u32 {
    static CORES: OnceLock<u32> = OnceLock::new();
    *CORES.get_or_init(|| {
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        u32::try_from(cores).unwrap_or(u32::MAX)
    })
}
