//! The messages between judge and launcher, as bytes.
//!
//! Both ends are the same binary, so there is no version. A malformed message gets an error as its reply, and is never
//! trusted.

use std::ffi::{CString, OsStr};
use std::fmt;
use std::os::unix::ffi::OsStrExt;

use super::encoding::{Decoder, Encoder, Malformed};
use super::handshake::{self, WantedProtections};
use super::step::{SetupError, Step};
use crate::execution::{Exit, Usage};
use crate::facts::Facts;
use crate::job::{Job, WorkDir};
use crate::limits::Limits;

/// A request of the judge.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum JudgeRequest {
    /// Run this program. The descriptors of its standard input, output and error come with the message. One run may be
    /// requested while another goes on, and starts after it.
    Run {
        program: Box<ProgramSpec>,
        /// The thread that waits for the reply.
        asker: u32,
        /// The number of runners at work in the judge's process.
        at_once: u32,
        /// The processor that belongs to that thread; `None`: it may run on all.
        own_processor: Option<u32>,
        /// See [`RunnerOptions::alike`](crate::RunnerOptions::alike).
        alike: bool,
    },
    /// End the run with this number now, counted from one in the order of requests. No effect if it has ended.
    Kill(u64),
    /// Send SIGINT to the processes of the run with this number, as a terminal does. No effect if it has ended.
    Interrupt(u64),
    /// The judge needs nothing more, not even the current run. Without this message, the judge died.
    Quit,
    /// The first request: set up these protections.
    Begin(WantedProtections),
}

/// The parts of a [`Job`] that the launcher needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProgramSpec {
    pub(super) argv: Vec<CString>,
    pub(super) env: Vec<CString>,
    /// `None`: a fresh folder.
    pub(super) work_dir: Option<CString>,
    /// What it may read in addition to the system.
    pub(super) readable: Vec<CString>,
    pub(super) limits: Limits,
    /// See [`Job::preload`]: the modules.
    pub(super) preload: Option<Vec<CString>>,
}

/// A reply of the launcher: one for each [`JudgeRequest::Begin`] or [`JudgeRequest::Run`].
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

/// A text of a job that contains a NUL byte, which no program can get.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NulByte(String);

impl fmt::Display for NulByte {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl ProgramSpec {
    /// Whether `other` differs at most in the arguments after the name of the program.
    pub(super) fn differs_only_in_arguments(&self, other: &Self) -> bool {
        let Self { argv, env, work_dir, readable, limits, preload } = self;
        argv.first() == other.argv.first()
            && *env == other.env
            && *work_dir == other.work_dir
            && *readable == other.readable
            && *limits == other.limits
            && *preload == other.preload
    }

    /// Converts `job`.
    pub(super) fn new(job: &Job) -> Result<Self, NulByte> {
        let text = |s: &OsStr| {
            CString::new(s.as_bytes())
                .map_err(|_| NulByte(s.to_string_lossy().replace('\0', "\\0")))
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
        let preload = job.preload.as_ref().map(|preload| {
            let modules = preload.modules.iter().map(|name| text(name.as_ref()));
            modules.collect::<Result<_, _>>()
        });
        Ok(Self {
            argv,
            env: env.collect::<Result<_, _>>()?,
            work_dir,
            readable: readable.collect::<Result<_, _>>()?,
            limits: job.limits,
            preload: preload.transpose()?,
        })
    }
}

impl JudgeRequest {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::with_capacity(1024);
        match self {
            Self::Kill(run) => {
                out.u8(0);
                out.u64(*run);
            }
            Self::Interrupt(run) => {
                out.u8(4);
                out.u64(*run);
            }
            Self::Quit => out.u8(2),
            Self::Begin(wanted) => {
                out.u8(3);
                wanted.encode(&mut out);
            }
            Self::Run { program, asker, at_once, own_processor, alike } => {
                out.u8(1);
                out.limits(&program.limits);
                out.strings(program.work_dir.as_slice());
                out.strings(&program.readable);
                out.strings(&program.argv);
                out.strings(&program.env);
                out.u8(u8::from(program.preload.is_some()));
                out.strings(program.preload.as_deref().unwrap_or_default());
                out.u64(u64::from(*asker));
                out.u64(u64::from(*at_once));
                out.u64(own_processor.map_or(u64::MAX, u64::from));
                out.u8(u8::from(*alike));
            }
        }
        out.finish()
    }

    pub(super) fn decode(message: &[u8]) -> Result<Self, Malformed> {
        let mut input = Decoder::new(message);
        let request = match input.u8()? {
            0 => Self::Kill(input.u64()?),
            1 => Self::Run {
                program: Box::new(ProgramSpec {
                    limits: input.limits()?,
                    work_dir: input.strings()?.pop(),
                    readable: input.strings()?,
                    argv: input.strings()?,
                    env: input.strings()?,
                    preload: {
                        let is_copy = input.u8()? != 0;
                        let modules = input.strings()?;
                        is_copy.then_some(modules)
                    },
                }),
                asker: input.u32()?,
                at_once: input.u32()?,
                own_processor: match input.u64()? {
                    u64::MAX => None,
                    processor => Some(processor.try_into().map_err(|_| Malformed)?),
                },
                alike: input.u8()? != 0,
            },
            2 => Self::Quit,
            3 => Self::Begin(WantedProtections::decode(&mut input)?),
            4 => Self::Interrupt(input.u64()?),
            _ => return Err(Malformed),
        };
        input.end(request)
    }
}

impl Reply {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::with_capacity(128);
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
        out.finish()
    }

    pub(super) fn decode(message: &[u8]) -> Result<Self, Malformed> {
        let mut input = Decoder::new(message);
        let reply = match input.u8()? {
            0 => Self::Ready(handshake::decode_facts(&mut input)?),
            1 => Self::Ended { exit: input.exit()?, usage: Box::new(input.usage()?) },
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

#[cfg(test)]
mod fuzz;
