//! Watches one program until it ends or a limit ends it.

use std::io;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::super::{Clock, Exit, LimitKind, Limits, Usage};
use super::protocol::Request;
use super::socket::Socket;
use super::spawn::Child;
use super::tree::{self, Found, Reaped};
use crate::bytes::Bytes;

/// What happened.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) exit: Exit,
    pub(super) usage: Usage,
    /// The judge is gone: there is nobody to tell.
    pub(super) hung_up: bool,
}

/// Why the waiting ended.
enum Cause {
    Ended,
    Limit(LimitKind),
    Asked,
    HungUp,
}

/// We look at least this rarely, however near a limit is.
const SHORTEST: Duration = Duration::from_millis(2);
/// We look at least this often.
const LONGEST: Duration = Duration::from_millis(100);
/// The fastest that a program can touch new memory: a page fault costs about a microsecond a page.
const BYTES_PER_SECOND: u64 = 4 << 30;

/// Waits for `child`; when this returns nothing is alive below us.
pub(super) fn watch(child: &Child, limits: &Limits, judge: &mut Socket) -> io::Result<Watched> {
    let cause = wait(child, limits, judge)?;
    let mut reaped = Reaped::default();
    let mut status = None;
    if matches!(cause, Cause::Ended)
        && let Found::Dead(_, s) = tree::reap(child.pid, true, &mut reaped)?
    {
        status = Some(s);
    }
    let wall = child.started.elapsed();
    // Usually there is nobody left, and this one call says so.
    if tree::reap(-1, false, &mut Reaped::default())? != Found::Nobody {
        status = tree::kill_all(&mut reaped, child.pid)?.or(status);
    }
    let status = status.ok_or_else(|| io::Error::other("the program's end was missed"))?;
    let usage = Usage {
        cpu_user: reaped.user,
        cpu_system: reaped.system,
        cpu_clock: Clock::Rusage,
        wall,
        peak_memory: Bytes(reaped.max_rss),
        memory_clock: Clock::Rusage,
        output: Bytes(0),
    };
    let hung_up = matches!(cause, Cause::HungUp);
    let exit = match cause {
        Cause::Limit(limit) => Exit::Killed(limit),
        _ if usage.peak_memory > limits.memory => Exit::Killed(LimitKind::Memory),
        _ if libc::WIFSIGNALED(status) => Exit::Signal(libc::WTERMSIG(status)),
        _ => Exit::Code(libc::WEXITSTATUS(status)),
    };
    Ok(Watched {
        exit,
        usage,
        hung_up,
    })
}

fn wait(child: &Child, limits: &Limits, judge: &mut Socket) -> io::Result<Cause> {
    let deadline = child.started.checked_add(limits.wall_time);
    let mut next_look = child.started + until_next_look(limits, Duration::ZERO, 0);
    loop {
        let now = Instant::now();
        let wake = deadline.map_or(next_look, |deadline| deadline.min(next_look));
        let (ended, asked) = poll_both(child, judge, wake.saturating_duration_since(now))?;
        if ended {
            return Ok(Cause::Ended);
        }
        if asked {
            return Ok(match judge.receive()? {
                None => Cause::HungUp,
                Some(message) if Request::decode(&message.bytes) == Ok(Request::Kill) => {
                    Cause::Asked
                }
                Some(_) => return Err(io::Error::other("a request during a run")),
            });
        }
        let now = Instant::now();
        if deadline.is_some_and(|deadline| now >= deadline) {
            return Ok(Cause::Limit(LimitKind::Wall));
        }
        if now >= next_look {
            let seen = tree::snapshot()?;
            if seen.rss > limits.memory.get() {
                return Ok(Cause::Limit(LimitKind::Memory));
            }
            if seen.cpu >= limits.cpu_kill {
                return Ok(Cause::Limit(LimitKind::Cpu));
            }
            if seen.processes > limits.processes {
                return Ok(Cause::Limit(LimitKind::Processes));
            }
            next_look = now + until_next_look(limits, seen.cpu, seen.rss);
        }
    }
}

/// Whether the program ended, and whether the judge said something.
fn poll_both(child: &Child, judge: &Socket, timeout: Duration) -> io::Result<(bool, bool)> {
    let mut fds = [
        PollFd::new(&child.pidfd, PollFlags::IN),
        PollFd::new(judge, PollFlags::IN),
    ];
    let timeout = Timespec::try_from(timeout).ok();
    match poll(&mut fds, timeout.as_ref()) {
        Ok(_) => Ok((!fds[0].revents().is_empty(), !fds[1].revents().is_empty())),
        Err(rustix::io::Errno::INTR) => Ok((false, false)),
        Err(error) => Err(error.into()),
    }
}

/// No limit can be passed sooner than this.
fn until_next_look(limits: &Limits, cpu: Duration, rss: u64) -> Duration {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let cores = u32::try_from(cores).unwrap_or(u32::MAX);
    let cpu_left = limits.cpu_kill.saturating_sub(cpu) / cores;
    let memory_left = limits.memory.get().saturating_sub(rss);
    let memory_left = Duration::from_micros(memory_left / (BYTES_PER_SECOND / 1_000_000));
    cpu_left.min(memory_left).clamp(SHORTEST, LONGEST)
}
