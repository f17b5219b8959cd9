//! The system calls of a setup, made at once or noted for another process.

#![expect(unsafe_code, reason = "system calls")]

use std::ffi::{CStr, c_int, c_long};
use std::os::fd::RawFd;

use rustix::io::Errno;

use super::raw::{at, call, int};
use super::step::{SetupError, Step};

/// An argument of a system call that only reads memory.
#[derive(Debug, Clone, Copy)]
pub(super) enum Argument<'a> {
    Number(usize),
    /// A descriptor of the launcher.
    Descriptor(RawFd),
    /// The address of these bytes.
    Bytes(&'a [u8]),
}

impl<'a> Argument<'a> {
    pub(super) fn int(number: c_int) -> Self {
        Self::Number(int(number))
    }

    /// A string that ends with NUL.
    pub(super) fn text(text: &'a CStr) -> Self {
        Self::Bytes(text.to_bytes_with_nul())
    }
}

/// Who makes the calls of a setup.
pub(super) trait Caller {
    /// A call that must succeed.
    fn must<const N: usize>(
        &mut self,
        step: Step,
        number: c_long,
        arguments: [Argument<'_>; N],
    ) -> Result<(), SetupError>;

    /// A call that must return this number.
    fn must_return<const N: usize>(
        &mut self,
        step: Step,
        number: c_long,
        arguments: [Argument<'_>; N],
        wanted: c_int,
    ) -> Result<(), SetupError>;

    /// A call that may fail.
    fn may<const N: usize>(&mut self, number: c_long, arguments: [Argument<'_>; N]);
}

/// The calling process itself. Allocates nothing, for it may share the launcher's memory.
#[derive(Debug)]
pub(super) struct OwnCalls;

impl OwnCalls {
    fn call<const N: usize>(number: c_long, arguments: [Argument<'_>; N]) -> Result<usize, Errno> {
        let arguments = arguments.map(|argument| match argument {
            Argument::Number(number) => number,
            Argument::Descriptor(fd) => int(fd),
            Argument::Bytes(bytes) => at(bytes.as_ptr()),
        });
        // SAFETY: the steps of a setup make calls on numbers and on bytes that they read, which live until they return.
        unsafe { call(number, arguments) }
    }
}

impl Caller for OwnCalls {
    fn must<const N: usize>(
        &mut self,
        step: Step,
        number: c_long,
        arguments: [Argument<'_>; N],
    ) -> Result<(), SetupError> {
        Self::call(number, arguments).map(drop).map_err(|error| step.failed(error))
    }

    fn must_return<const N: usize>(
        &mut self,
        step: Step,
        number: c_long,
        arguments: [Argument<'_>; N],
        wanted: c_int,
    ) -> Result<(), SetupError> {
        match Self::call(number, arguments) {
            Ok(found) if found == int(wanted) => Ok(()),
            Ok(_) => Err(step.failed(Errno::SRCH)),
            Err(error) => Err(step.failed(error)),
        }
    }

    fn may<const N: usize>(&mut self, number: c_long, arguments: [Argument<'_>; N]) {
        let _ = Self::call(number, arguments);
    }
}
