//! Programs that are part of rejudge, honest and hostile, and what must become of each: so that every installation can
//! be tried where it is used, without a compiler.
//!
//! [`run_program`] is what such a program does inside the sandbox; [`CHECKS`] start the programs and look from outside.

mod checks;
mod program;

pub(crate) use checks::{CHECKS, SelfCheck, TestBench, open_secret};
pub(crate) use program::{BuiltInProgram, run_program};
