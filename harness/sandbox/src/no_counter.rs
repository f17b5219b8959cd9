//! The counter of instructions of systems where we know of none.

use std::convert::Infallible;
use std::io;

use super::Runner;

/// Never made.
#[derive(Debug)]
pub struct InstructionCounter(Infallible);

impl Runner {
    /// No counter.
    pub fn instruction_counter(&self) -> io::Result<InstructionCounter> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl InstructionCounter {
    /// Never called.
    pub fn read(&self) -> io::Result<u64> {
        match self.0 {}
    }
}
