//! The standard streams of a run.

use std::os::fd::OwnedFd;

use rustix::pipe::{PipeFlags, pipe_with};

use super::Runner;
use crate::drain::OutputSink;
use crate::error::{SandboxError, io_error};
use crate::interrupt::Interrupt;
use crate::output_file::{OutputFile, OutputPlace};
use crate::peer::Peer;

/// A program's standard input and output; standard error is always captured.
pub(super) struct ProgramStreams {
    pub(super) stdin: OwnedFd,
    pub(super) stdout: StdoutTarget,
    pub(super) peer: Option<Peer>,
    /// Ends the program when it is triggered.
    pub(super) stop: Option<Interrupt>,
}

/// Where the standard output of a program goes.
pub(super) enum StdoutTarget {
    /// To another program.
    Wire(OwnedFd),
    Captured(OutputPlace),
}

impl ProgramStreams {
    /// Those of a program whose output is captured.
    pub(super) fn captured(stdin: OwnedFd) -> Self {
        Self::of(stdin, OutputPlace::Memory)
    }

    /// The same for a program that does not run again if its output takes its memory.
    pub(super) fn once(stdin: OwnedFd) -> Self {
        Self::of(stdin, OutputPlace::Disk)
    }

    fn of(stdin: OwnedFd, place: OutputPlace) -> Self {
        Self { stdin, stdout: StdoutTarget::Captured(place), peer: None, stop: None }
    }
}

impl Runner {
    /// The judge's end of a program's standard output, and that of the program.
    pub(super) fn connect(
        &self,
        stdout: StdoutTarget,
    ) -> Result<(OutputSink, OwnedFd), SandboxError> {
        match stdout {
            StdoutTarget::Wire(wire) => Ok((OutputSink::Elsewhere, wire)),
            StdoutTarget::Captured(_) if self.buffer.is_shown() => {
                pipe().map(|(reader, writer)| (OutputSink::Pipe(reader), writer))
            }
            StdoutTarget::Captured(place) => {
                let made = OutputFile::new(place).map_err(io_error("cannot make an output file"));
                made.map(|(file, writer)| (OutputSink::File(file), writer))
            }
        }
    }
}

/// A pipe whose reading end does not block; the program's end does.
pub(super) fn pipe() -> Result<(OwnedFd, OwnedFd), SandboxError> {
    let make = || {
        let (reader, writer) = pipe_with(PipeFlags::CLOEXEC)?;
        rustix::io::ioctl_fionbio(&reader, true)?;
        Ok((reader, writer))
    };
    make().map_err(|error: rustix::io::Errno| io_error("cannot create a pipe")(error.into()))
}
