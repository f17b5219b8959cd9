//! The messages between judge and launcher, as bytes.
//!
//! Little-endian numbers and length-prefixed strings. Both ends are the same binary, so there is no version. A
//! malformed message gets an error as its reply, and is never trusted.

use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use super::handshake::{self, Wanted};
use super::step::{SetupError, Step};
use crate::bytes::Bytes;
use crate::contention::Contention;
use crate::execution::{Exit, LimitKind, Usage};
use crate::facts::Facts;
use crate::job::{Job, WorkDir};
use crate::limits::Limits;

/// A request of the judge.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// Run this program. The descriptors of its standard input, output and error come with the message. One run may be
    /// requested while another goes on, and starts after it.
    Run {
        program: Box<Program>,
        /// The thread that waits for the reply.
        asker: u32,
    },
    /// End the run with this number now, counted from one in the order of requests. No effect if it has ended.
    Kill(u64),
    /// The judge needs nothing more, not even the current run. Without this message, the judge died.
    Quit,
    /// The first request: set up these protections.
    Begin(Wanted),
}

/// The parts of a [`Job`] that the launcher needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Program {
    pub(super) argv: Vec<CString>,
    pub(super) env: Vec<CString>,
    /// `None`: a fresh folder.
    pub(super) work_dir: Option<CString>,
    /// What it may read in addition to the system.
    pub(super) readable: Vec<CString>,
    pub(super) limits: Limits,
}

/// A reply of the launcher: one for each [`Request::Begin`] or [`Request::Run`].
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// The protections that work.
    Ready(Facts),
    /// The program ran. The judge itself counts `usage.output`.
    Ended { exit: Exit, usage: Box<Usage> },
    /// The program could not be started.
    Setup { step: Step, errno: i32 },
    /// The launcher itself failed.
    Fault(String),
}

impl From<SetupError> for Reply {
    fn from(SetupError { step, errno }: SetupError) -> Self {
        Self::Setup { step, errno }
    }
}

/// A malformed message.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Malformed;

impl Program {
    /// Converts `job`; the error is the string that contains a NUL byte.
    pub(super) fn new(job: &Job) -> Result<Self, String> {
        let text = |s: &OsStr| {
            CString::new(s.as_bytes()).map_err(|_| s.to_string_lossy().replace('\0', "\\0"))
        };
        let argv = job.argv.iter().map(|s| text(s)).collect::<Result<_, _>>()?;
        let env = job.env.iter().map(|(name, value)| {
            let mut pair = name.clone();
            pair.push("=");
            pair.push(value);
            text(&pair)
        });
        let work_dir = match &job.work_dir {
            WorkDir::Fresh => None,
            WorkDir::At(path) => Some(text(path.as_os_str())?),
        };
        let readable = job.readable.iter().map(|path| text(path.as_os_str()));
        Ok(Self {
            argv,
            env: env.collect::<Result<_, _>>()?,
            work_dir,
            readable: readable.collect::<Result<_, _>>()?,
            limits: job.limits,
        })
    }
}

impl Request {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Encoder(Vec::with_capacity(1024));
        match self {
            Self::Kill(run) => {
                out.u8(0);
                out.u64(*run);
            }
            Self::Quit => out.u8(2),
            Self::Begin(wanted) => {
                out.u8(3);
                wanted.encode(&mut out);
            }
            Self::Run { program, asker } => {
                out.u8(1);
                out.limits(&program.limits);
                out.strings(program.work_dir.as_slice());
                out.strings(&program.readable);
                out.strings(&program.argv);
                out.strings(&program.env);
                out.u64(u64::from(*asker));
            }
        }
        out.0
    }

    pub(super) fn decode(message: &[u8]) -> Result<Self, Malformed> {
        let mut input = Decoder(message);
        let request = match input.u8()? {
            0 => Self::Kill(input.u64()?),
            1 => Self::Run {
                program: Box::new(Program {
                    limits: input.limits()?,
                    work_dir: input.strings()?.pop(),
                    readable: input.strings()?,
                    argv: input.strings()?,
                    env: input.strings()?,
                }),
                asker: input.u32()?,
            },
            2 => Self::Quit,
            3 => Self::Begin(Wanted::decode(&mut input)?),
            _ => return Err(Malformed),
        };
        input.end(request)
    }
}

impl Reply {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Encoder(Vec::with_capacity(128));
        match self {
            Self::Ready(facts) => {
                out.u8(0);
                handshake::encode_facts(facts, &mut out);
            }
            Self::Ended { exit, usage } => {
                out.u8(1);
                out.exit(*exit);
                out.usage(usage);
            }
            Self::Setup { step, errno } => {
                out.u8(2);
                out.u8(*step as u8);
                out.u64(u64::from(errno.cast_unsigned()));
            }
            Self::Fault(text) => {
                out.u8(3);
                out.bytes(text.as_bytes());
            }
        }
        out.0
    }

    pub(super) fn decode(message: &[u8]) -> Result<Self, Malformed> {
        let mut input = Decoder(message);
        let reply = match input.u8()? {
            0 => Self::Ready(handshake::decode_facts(&mut input)?),
            1 => Self::Ended {
                exit: input.exit()?,
                usage: Box::new(input.usage()?),
            },
            2 => Self::Setup {
                step: Step::from_u8(input.u8()?).ok_or(Malformed)?,
                errno: input.i32()?,
            },
            3 => Self::Fault(String::from_utf8_lossy(input.bytes()?).into_owned()),
            _ => return Err(Malformed),
        };
        input.end(reply)
    }
}

pub(super) struct Encoder(Vec<u8>);

impl Encoder {
    pub(super) fn u8(&mut self, n: u8) {
        self.0.push(n);
    }

    fn u64(&mut self, n: u64) {
        self.0.extend_from_slice(&n.to_le_bytes());
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.u64(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn strings(&mut self, strings: &[CString]) {
        self.u64(strings.len() as u64);
        for string in strings {
            self.bytes(string.as_bytes());
        }
    }

    /// Whole seconds and nanoseconds separately, so that every duration round-trips.
    fn duration(&mut self, duration: Duration) {
        self.u64(duration.as_secs());
        self.u64(duration.subsec_nanos().into());
    }

    fn limits(&mut self, limits: &Limits) {
        self.duration(limits.cpu_time);
        self.duration(limits.cpu_kill);
        self.duration(limits.wall_time);
        self.u64(limits.memory.get());
        self.u64(limits.output.get());
        self.u64(limits.stack.get());
        self.u64(limits.processes.into());
        self.u64(limits.file_size.get());
        self.u8(limits.one_core.into());
    }

    fn exit(&mut self, exit: Exit) {
        let (kind, n) = match exit {
            Exit::Code(code) => (0, code),
            Exit::Signal(signal) => (1, signal),
            Exit::Killed(limit) => (2, limit as i32),
        };
        self.u8(kind);
        self.u64(u64::from(n.cast_unsigned()));
    }

    fn usage(&mut self, usage: &Usage) {
        self.duration(usage.cpu_user);
        self.duration(usage.cpu_system);
        self.u8(usage.cpu_clock as u8);
        self.duration(usage.wall);
        self.u64(usage.peak_memory.get());
        self.u8(usage.memory_clock as u8);
        self.u8(usage.memory_enforced.into());
        self.u64(usage.output.get());
        self.contention(&usage.contention);
    }

    fn contention(&mut self, contention: &Contention) {
        self.duration(contention.observed);
        self.duration(contention.starved);
        self.duration(contention.run_delay);
        self.duration(contention.others);
        self.duration(contention.steal);
        self.duration(contention.throttled);
        self.u64(contention.processors.into());
    }
}

pub(super) struct Decoder<'a>(&'a [u8]);

impl<'a> Decoder<'a> {
    fn take(&mut self, n: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.0.split_at_checked(n).ok_or(Malformed)?;
        self.0 = rest;
        Ok(taken)
    }

    fn end<T>(&self, value: T) -> Result<T, Malformed> {
        if self.0.is_empty() {
            Ok(value)
        } else {
            Err(Malformed)
        }
    }

    pub(super) fn u8(&mut self) -> Result<u8, Malformed> {
        Ok(self.take(1)?[0])
    }

    fn u64(&mut self) -> Result<u64, Malformed> {
        let bytes = self.take(8)?.try_into().map_err(|_| Malformed)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn u32(&mut self) -> Result<u32, Malformed> {
        u32::try_from(self.u64()?).map_err(|_| Malformed)
    }

    fn i32(&mut self) -> Result<i32, Malformed> {
        Ok(self.u32()?.cast_signed())
    }

    fn len(&mut self) -> Result<usize, Malformed> {
        let len = usize::try_from(self.u64()?).map_err(|_| Malformed)?;
        // A string is no longer than the rest of the message, so a hostile length allocates nothing.
        if len <= self.0.len() {
            Ok(len)
        } else {
            Err(Malformed)
        }
    }

    pub(super) fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let len = self.len()?;
        self.take(len)
    }

    fn strings(&mut self) -> Result<Vec<CString>, Malformed> {
        (0..self.len()?)
            .map(|_| CString::new(self.bytes()?).map_err(|_| Malformed))
            .collect()
    }

    fn duration(&mut self) -> Result<Duration, Malformed> {
        let (secs, nanos) = (self.u64()?, self.u32()?);
        if nanos < 1_000_000_000 {
            Ok(Duration::new(secs, nanos))
        } else {
            Err(Malformed)
        }
    }

    fn limits(&mut self) -> Result<Limits, Malformed> {
        Ok(Limits {
            cpu_time: self.duration()?,
            cpu_kill: self.duration()?,
            wall_time: self.duration()?,
            memory: Bytes(self.u64()?),
            output: Bytes(self.u64()?),
            stack: Bytes(self.u64()?),
            processes: self.u32()?,
            file_size: Bytes(self.u64()?),
            one_core: self.u8()? != 0,
        })
    }

    fn exit(&mut self) -> Result<Exit, Malformed> {
        const KINDS: [LimitKind; 6] = [
            LimitKind::Cpu,
            LimitKind::Wall,
            LimitKind::Memory,
            LimitKind::Output,
            LimitKind::Processes,
            LimitKind::Files,
        ];
        let (kind, n) = (self.u8()?, self.i32()?);
        match kind {
            0 => Ok(Exit::Code(n)),
            1 => Ok(Exit::Signal(n)),
            2 => {
                let limit = KINDS.into_iter().find(|&limit| limit as i32 == n);
                limit.map(Exit::Killed).ok_or(Malformed)
            }
            _ => Err(Malformed),
        }
    }

    fn usage(&mut self) -> Result<Usage, Malformed> {
        Ok(Usage {
            cpu_user: self.duration()?,
            cpu_system: self.duration()?,
            cpu_clock: handshake::clock(self)?,
            wall: self.duration()?,
            peak_memory: Bytes(self.u64()?),
            memory_clock: handshake::clock(self)?,
            memory_enforced: self.u8()? != 0,
            output: Bytes(self.u64()?),
            contention: self.contention()?,
        })
    }

    fn contention(&mut self) -> Result<Contention, Malformed> {
        Ok(Contention {
            observed: self.duration()?,
            starved: self.duration()?,
            run_delay: self.duration()?,
            others: self.duration()?,
            steal: self.duration()?,
            throttled: self.duration()?,
            processors: self.u32()?,
        })
    }
}

#[cfg(test)]
mod fuzz;
