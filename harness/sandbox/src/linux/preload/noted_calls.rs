//! The system calls of a copy of an interpreter, as a message to it.

use std::ffi::{c_int, c_long};
use std::marker::PhantomData;
use std::os::fd::{AsRawFd as _, BorrowedFd, RawFd};

use super::super::caller::{Argument, Caller};
use super::super::step::{SetupError, Step};

/// Calls that are noted for a copy, with the descriptors that they need.
#[derive(Debug)]
pub(super) struct NotedCalls<'a> {
    /// Of each call [`WORDS`] numbers: the step, how it may end, the call, the wanted result, and six arguments of two.
    words: Vec<u64>,
    /// What arguments point to.
    bytes: Vec<u8>,
    pub(super) fds: Vec<RawFd>,
    /// The number of instructions of the filter.
    instructions: u64,
    _held: PhantomData<BorrowedFd<'a>>,
}

/// How a call may end.
#[derive(Debug, Clone, Copy)]
enum CallEnd {
    Any,
    Success,
    Wanted,
}

/// The kind of an argument.
#[derive(Debug, Clone, Copy)]
enum ArgumentKind {
    Number,
    Descriptor,
    Bytes,
    Filter,
}

/// The numbers of a call.
const WORDS: usize = 16;

impl<'a> NotedCalls<'a> {
    /// The first descriptors are not of calls.
    pub(super) fn new(first: [BorrowedFd<'a>; 2]) -> Self {
        Self {
            words: Vec::with_capacity(WORDS * 48),
            bytes: Vec::with_capacity(8 << 10),
            fds: first.map(|fd| fd.as_raw_fd()).to_vec(),
            instructions: 0,
            _held: PhantomData,
        }
    }

    fn note(
        &mut self,
        step: u64,
        end: CallEnd,
        number: c_long,
        wanted: c_int,
        arguments: &[Argument<'_>],
    ) {
        let start = self.words.len();
        let number = number.cast_unsigned();
        self.words.extend([step, end as u64, number, u64::from(wanted.cast_unsigned())]);
        for argument in arguments {
            let (kind, value) = match *argument {
                Argument::Number(number) => (ArgumentKind::Number, number as u64),
                Argument::Descriptor(fd) => {
                    self.fds.push(fd);
                    (ArgumentKind::Descriptor, self.fds.len() as u64 - 1)
                }
                Argument::Bytes(bytes) => (ArgumentKind::Bytes, self.keep(bytes)),
            };
            self.words.extend([kind as u64, value]);
        }
        self.words.resize(start + WORDS, 0);
    }

    /// Keeps the bytes at a place that suits numbers. Returns the place.
    fn keep(&mut self, bytes: &[u8]) -> u64 {
        let place = self.bytes.len() as u64;
        self.bytes.extend_from_slice(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        place
    }

    /// The installation of a filter with these instructions.
    pub(super) fn filter(&mut self, instructions: &[u8]) {
        let mode = Argument::Number(libc::SECCOMP_SET_MODE_FILTER as usize);
        let flags = usize::try_from(libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW).unwrap_or(0);
        let step = Step::FilterCalls as u64;
        let arguments = [mode, Argument::Number(flags), Argument::Bytes(instructions)];
        self.note(step, CallEnd::Success, libc::SYS_seccomp, 0, &arguments);
        // The kind of the last one.
        let place = self.words.len() - WORDS + 4 + 2 * 2;
        self.words[place] = ArgumentKind::Filter as u64;
        self.instructions = (instructions.len() / size_of::<libc::sock_filter>()) as u64;
    }

    /// The number of calls, that of instructions, the calls, and what they point to.
    pub(super) fn message(&self) -> Vec<u8> {
        let head = [(self.words.len() / WORDS) as u64, self.instructions];
        let before = (head.len() + self.words.len()) as u64 * 8;
        let mut message: Vec<u8> = head.iter().flat_map(|word| word.to_le_bytes()).collect();
        for call in self.words.chunks_exact(WORDS) {
            let (front, arguments) = call.split_at(4);
            message.extend(front.iter().flat_map(|word| word.to_le_bytes()));
            for argument in arguments.chunks_exact(2) {
                let points = argument[0] >= ArgumentKind::Bytes as u64;
                let value = if points { argument[1] + before } else { argument[1] };
                message.extend(argument[0].to_le_bytes());
                message.extend(value.to_le_bytes());
            }
        }
        message.extend_from_slice(&self.bytes);
        message
    }
}

impl Caller for NotedCalls<'_> {
    fn must<const N: usize>(
        &mut self,
        step: Step,
        number: c_long,
        arguments: [Argument<'_>; N],
    ) -> Result<(), SetupError> {
        self.note(step as u64, CallEnd::Success, number, 0, &arguments);
        Ok(())
    }

    fn must_return<const N: usize>(
        &mut self,
        step: Step,
        number: c_long,
        arguments: [Argument<'_>; N],
        wanted: c_int,
    ) -> Result<(), SetupError> {
        self.note(step as u64, CallEnd::Wanted, number, wanted, &arguments);
        Ok(())
    }

    fn may<const N: usize>(&mut self, number: c_long, arguments: [Argument<'_>; N]) {
        self.note(0, CallEnd::Any, number, 0, &arguments);
    }
}
