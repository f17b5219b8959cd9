//! Follows one run from its request to the launcher's reply.

use std::io;
use std::path::Path;

use rejudge_quantity::Bytes;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::super::protocol::{JudgeRequest, Reply};
use super::{Followed, Requested, Runner, setup_error, unexpected};
use crate::contention::Contention;
use crate::drain::Drain;
use crate::error::{SandboxError, io_error};
use crate::execution::{Execution, Exit, LimitKind, Usage};
use crate::interrupt::Interrupt;
use crate::job::{Job, WorkDir};
use crate::program_class::has_32_bits;
use crate::protection::Protection;

/// A short program is over before this, with all that it wrote still in the pipes; so for this long its writing does
/// not wake us. One that fills a pipe sooner waits for us once, until then.
const UNDISTURBED: Timespec = Timespec { tv_sec: 0, tv_nsec: 2_000_000 };

/// Who has something for us.
struct News {
    reply: bool,
    output: bool,
    order: Option<Order>,
}

/// What others want of the run.
#[derive(Clone, Copy)]
enum Order {
    /// The user: end it.
    Interrupt,
    /// The user: pass the interrupt on to the program.
    PassOn,
    /// The caller: [`Wires::stop`](crate::Wires::stop).
    Stop,
}

/// The orders that have not been given yet.
struct Orders {
    interrupt: Option<Interrupt>,
    passed_on: Option<Interrupt>,
    stop: Option<Interrupt>,
    /// Whether the caller's order was given.
    stopped: bool,
}

impl Orders {
    /// What to wait for.
    fn awaited(&self) -> impl Iterator<Item = (Order, &Interrupt)> {
        [
            (Order::Interrupt, &self.interrupt),
            (Order::PassOn, &self.passed_on),
            (Order::Stop, &self.stop),
        ]
        .into_iter()
        .filter_map(|(order, interrupt)| Some((order, interrupt.as_ref()?)))
    }

    /// Records that `order` was given. Returns the request to the launcher for the run with this number.
    fn obey(&mut self, order: Order, number: u64) -> JudgeRequest {
        match order {
            Order::Interrupt => self.interrupt = None,
            Order::PassOn => {
                self.passed_on = None;
                return JudgeRequest::Interrupt(number);
            }
            Order::Stop => {
                self.stop = None;
                self.stopped = true;
            }
        }
        JudgeRequest::Kill(number)
    }
}

impl News {
    /// Whether the time was over.
    fn is_none(&self) -> bool {
        !self.reply && !self.output && self.order.is_none()
    }
}

impl Runner {
    /// Takes in what the program writes until the launcher tells its end.
    pub(super) fn follow(&mut self, job: &Job, begun: Requested) -> Result<Followed, SandboxError> {
        self.wait_until_ready()?;
        let Requested { number, mut drain, mut wall_limit, stop, _busy } = begun;
        let mut orders = Orders {
            interrupt: Some(self.options.interrupt.clone()),
            passed_on: self.options.passed_on.clone(),
            stop,
            stopped: false,
        };
        let mut flooded = false;
        let mut looked = false;
        let reply = loop {
            let timeout = match &mut wall_limit {
                _ if !looked => Some(UNDISTURBED),
                // Its output is not kept.
                Some(wall_limit) => wall_limit.time_until_check(),
                None => (drain.time_until_look()).and_then(|time| Timespec::try_from(time).ok()),
            };
            let streams = looked.then_some(&drain);
            let ready = self.wait_for_news(streams, &orders, timeout)?;
            looked = true;
            if let Some(wall_limit) = &mut wall_limit
                && wall_limit.is_over()
            {
                self.send(&JudgeRequest::Kill(number), &[])?;
            }
            if let Some(order) = ready.order {
                self.send(&orders.obey(order, number), &[])?;
            }
            if ready.output || ready.is_none() {
                drain.read(&mut self.buffer).map_err(io_error("cannot keep the output"))?;
                if drain.over_limit() && !flooded {
                    flooded = true;
                    self.send(&JudgeRequest::Kill(number), &[])?;
                }
            }
            if ready.reply {
                break self.receive()?;
            }
        };
        // Everything that could write is dead: what is in the pipes is the rest.
        drain.read(&mut self.buffer).map_err(io_error("cannot keep the output"))?;
        if orders.interrupt.is_none() && !self.options.report_interrupted {
            return Err(SandboxError::Interrupted);
        }
        match reply {
            Reply::Ended { exit, usage } => {
                let exceeded = wall_limit.and_then(|wall_limit| wall_limit.exceeded());
                self.ended(job, (exit, *usage), drain, exceeded, orders.stopped)
            }
            Reply::Setup { step, errno } => {
                let source = io::Error::from_raw_os_error(errno);
                Err(setup_error(job, step.describe(), source))
            }
            Reply::Fault(text) => Err(SandboxError::Launcher(text)),
            other @ Reply::Ready(_) => Err(unexpected(&other)),
        }
    }

    /// What a program left that ended so.
    fn ended(
        &self,
        job: &Job,
        (exit, usage): (Exit, Usage),
        drain: Drain,
        exceeded: Option<(LimitKind, Contention)>,
        stopped: bool,
    ) -> Result<Followed, SandboxError> {
        let cannot_keep = io_error("cannot keep the output");
        let holds_memory = drain.holds_memory().map_err(&cannot_keep)?;
        let finished = finish(exit, usage, drain, exceeded, job.limits.output);
        let mut execution = finished.map_err(cannot_keep)?;
        if stopped && execution.exit == Exit::Signal(libc::SIGKILL) {
            execution.exit = Exit::Stopped;
        }
        self.refuse_32_bits(job, execution.exit)?;
        // In a folder that it has changed, it might not do the same again.
        let crowded = execution.exit == Exit::Killed(LimitKind::Memory)
            && execution.usage.memory_enforced
            && job.work_dir == WorkDir::Fresh
            && holds_memory;
        Ok(Followed { execution, crowded })
    }

    /// Names the reason if a program broke down because it has 32 bits.
    fn refuse_32_bits(&self, job: &Job, exit: Exit) -> Result<(), SandboxError> {
        let Some(program) = job.argv.first().map(Path::new) else {
            return Ok(());
        };
        let is_refused = !matches!(exit, Exit::Code(_))
            && self.facts().has(Protection::Seccomp)
            && has_32_bits(program);
        if is_refused {
            let program = program.to_string_lossy().into_owned();
            return Err(SandboxError::Bits32 { program });
        }
        Ok(())
    }

    fn wait_for_news(
        &self,
        drain: Option<&Drain>,
        orders: &Orders,
        timeout: Option<Timespec>,
    ) -> Result<News, SandboxError> {
        let mut fds = Vec::with_capacity(6);
        fds.push(PollFd::new(self.launcher.socket(), PollFlags::IN));
        let awaited = orders.awaited();
        fds.extend(awaited.map(|(_, interrupt)| PollFd::new(interrupt, PollFlags::IN)));
        let before = fds.len();
        let streams = drain.into_iter().flat_map(Drain::open);
        fds.extend(streams.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)));
        rustix::io::retry_on_intr(|| poll(&mut fds, timeout.as_ref()))
            .map_err(|error| io_error("cannot wait for the program")(error.into()))?;
        let ready: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
        let mut given = orders.awaited().zip(&ready[1..]);
        let order = given.find_map(|((order, _), ready)| ready.then_some(order));
        Ok(News { reply: ready[0], output: ready[before..].contains(&true), order })
    }
}

fn finish(
    exit: Exit,
    mut usage: Usage,
    drain: Drain,
    exceeded: Option<(LimitKind, Contention)>,
    most: Bytes,
) -> io::Result<Execution> {
    usage.output = Bytes(drain.total());
    if let Some((_, contention)) = exceeded {
        // To the launcher, the other program is one of the machine's.
        usage.contention = contention;
    }
    // The launcher knows why it killed the program, unless the judge requested it.
    let exit = match (exit, exceeded) {
        (Exit::Code(_) | Exit::Signal(_), Some((limit, _))) => Exit::Killed(limit),
        (Exit::Code(_) | Exit::Signal(_), None) if usage.output > most => {
            Exit::Killed(LimitKind::Output)
        }
        // The filter killed it, because its output would have become far too long.
        (Exit::Signal(libc::SIGSYS), None) if drain.has_file() => Exit::Killed(LimitKind::Output),
        (other, _) => other,
    };
    let (stdout, stderr_tail) = drain.finish()?;
    Ok(Execution { exit, usage, stdout, stderr_tail })
}
