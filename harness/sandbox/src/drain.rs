//! Takes in the output of a program: standard output up to the limit, and the end of standard error. Counts both.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rejudge_quantity::Bytes;
use rustix::io::Errno;

use crate::execution::STDERR_TAIL;
use crate::output::Captured;
use crate::output_file::OutputFile;

/// The capacity of a pipe, so that one read empties it.
const CHUNK: usize = 64 << 10;
/// The first and the longest time between two looks at the length of a file. The kernel lets no file grow much longer than
/// the limit, so looking often is not needed.
const LOOKS: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(100)];

/// A buffer for reading, shared by all runs of a worker, and who is shown standard output as soon as it comes.
pub(super) struct Buffer {
    bytes: Box<[u8]>,
    show: Option<Box<ShowOutput>>,
}

/// Is called with each piece of standard output.
pub(super) type ShowOutput = dyn FnMut(&[u8]) + Send;

impl Buffer {
    pub(super) fn new() -> Self {
        Self { bytes: vec![0; CHUNK].into(), show: None }
    }

    /// From now on, `show` gets every standard output.
    pub(super) fn show(&mut self, show: Box<ShowOutput>) {
        self.show = Some(show);
    }

    /// Whether somebody is shown standard output, which must be a pipe then.
    pub(super) fn is_shown(&self) -> bool {
        self.show.is_some()
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer(shown: {})", self.is_shown())
    }
}

/// Where a program's standard output goes.
#[derive(Debug)]
pub(super) enum OutputSink {
    /// To somebody else. It is neither kept nor counted.
    Elsewhere,
    File(OutputFile),
    /// The reading end of a pipe, which does not block.
    Pipe(OwnedFd),
}

/// The judge's ends of a program's output streams, and what came out of the pipes among them.
#[derive(Debug)]
pub(super) struct Drain {
    file: Option<OutputFile>,
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
    limit: u64,
    /// Bytes that came through pipes.
    piped: u64,
    /// The length of the file when it was last looked at.
    written: u64,
    next_look: Duration,
    captured: Captured,
    tail: VecDeque<u8>,
}

impl Drain {
    /// The reader for standard error does not block.
    pub(super) fn new(stdout: OutputSink, stderr: OwnedFd, limit: Bytes) -> Self {
        let (file, stdout) = match stdout {
            OutputSink::Elsewhere => (None, None),
            OutputSink::File(file) => (Some(file), None),
            OutputSink::Pipe(reader) => (None, Some(reader)),
        };
        Self {
            file,
            stdout,
            stderr: Some(stderr),
            limit: limit.get(),
            piped: 0,
            written: 0,
            next_look: LOOKS[0],
            captured: Captured::default(),
            tail: VecDeque::new(),
        }
    }

    /// The readers that have not reached the end of their stream.
    pub(super) fn open(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        [&self.stdout, &self.stderr].into_iter().flatten().map(AsFd::as_fd)
    }

    /// The time until the next [`Self::read`], even if nothing comes out of a pipe. Longer with every call.
    pub(super) fn time_until_look(&mut self) -> Option<Duration> {
        self.file.as_ref()?;
        let now = self.next_look;
        self.next_look = (now * 2).min(LOOKS[1]);
        Some(now)
    }

    /// Reads the available bytes, and looks at the length of the file. Above the limit, reads little and keeps nothing.
    pub(super) fn read(&mut self, buffer: &mut Buffer) -> io::Result<()> {
        let Buffer { bytes, show } = buffer;
        let buffer = &mut bytes[..];
        if let Some(file) = &self.file {
            self.written = file.length()?;
        }
        while let Some(n) = read_some(&mut self.stdout, buffer)? {
            self.piped += n as u64;
            let room = self.limit.saturating_sub(self.captured.len());
            let keep = n.min(usize::try_from(room).unwrap_or(usize::MAX));
            self.captured.append(&buffer[..keep])?;
            if let Some(show) = show {
                show(&buffer[..keep]);
            }
            if n < CHUNK || self.over_limit() {
                break;
            }
        }
        while let Some(n) = read_some(&mut self.stderr, buffer)? {
            self.piped += n as u64;
            self.tail.extend(&buffer[..n]);
            let excess = self.tail.len().saturating_sub(STDERR_TAIL);
            self.tail.drain(..excess);
            if n < CHUNK || self.over_limit() {
                break;
            }
        }
        Ok(())
    }

    /// Bytes written to both streams.
    pub(super) fn total(&self) -> u64 {
        self.piped.saturating_add(self.written)
    }

    pub(super) fn over_limit(&self) -> bool {
        self.total() > self.limit
    }

    /// Whether standard output is a file.
    pub(super) fn has_file(&self) -> bool {
        self.file.is_some()
    }

    /// Whether the file holds memory of the program's group.
    pub(super) fn holds_memory(&self) -> io::Result<bool> {
        self.file.as_ref().map_or(Ok(false), OutputFile::holds_memory)
    }

    /// Standard output, and the end of standard error. Everything that could write is dead.
    pub(super) fn finish(self) -> io::Result<(Captured, Vec<u8>)> {
        let captured = match self.file {
            Some(file) => Captured::of_file(file, self.limit)?,
            None => self.captured,
        };
        Ok((captured, self.tail.into()))
    }
}

/// `None` if nothing is available. Closes the reader at the end of the stream.
fn read_some(reader: &mut Option<OwnedFd>, buffer: &mut [u8]) -> io::Result<Option<usize>> {
    loop {
        let Some(fd) = reader else { return Ok(None) };
        match rustix::io::read(fd, &mut *buffer) {
            Ok(0) => *reader = None,
            Ok(n) => return Ok(Some(n)),
            Err(Errno::AGAIN) => return Ok(None),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
