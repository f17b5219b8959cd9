//! Looks for a small input on which a solution fails.
//!
//! Every round has an input from a generator ([`arguments`]), which goes through the input validators, the references,
//! the solutions and the checker ([`trial`]). The rounds run on several threads, and the lowest round with a failure is
//! reported ([`rounds`]). The input is then made smaller as long as it fails in the same way: first by the arguments of the
//! generator, and then as a text ([`shrink`]).
//!
//! All programs run in the sandbox. This module prints nothing.

mod again;
mod arguments;
mod fault;
mod finding;
pub(crate) mod json;
mod mutate;
mod order;
mod origin;
mod passed;
mod performance;
mod programs;
mod rounds;
mod search;
mod shape;
mod shrink;
mod slowest;
mod smaller;
pub(crate) mod text;
mod trial;
mod turns;
mod varied;
mod want;

use std::io;
use std::path::PathBuf;

pub(crate) use again::Again;
pub(crate) use arguments::GeneratorTemplate;
pub(crate) use finding::{
    ShrinkEnd, StressFinding, StressPlan, StressReport, StressStep, UndecidedTexts,
};
pub(crate) use programs::{ContestantSource, StressPrograms, StressSources, WantOfPrograms};
pub(crate) use search::search;
pub(crate) use slowest::{SlowInput, SlowestInputs, slowest};
pub(crate) use trial::{InstructionChoice, Performance, RunCounts, bytes_of};
pub(crate) use varied::varied;
pub(crate) use want::{Want, WantError, WantErrorKind};

use crate::bench::MeterError;
use crate::compile::CompileError;
use crate::generate::MakeError;
use crate::notice::Notice;
use crate::sandbox::SandboxError;

/// Why the search cannot continue.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StressError {
    #[error("cannot read `{}`", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Make(#[from] MakeError),
    /// A program of the problem is at fault.
    #[error(transparent)]
    Program(#[from] Notice),
    #[error(transparent)]
    Compile(#[from] CompileError),
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
}

impl From<MeterError> for StressError {
    fn from(error: MeterError) -> Self {
        match error {
            MeterError::Nothing(notice) => Self::Program(notice),
            MeterError::Sandbox(error) => Self::Sandbox(error),
        }
    }
}

impl StressError {
    /// Whether the search was interrupted.
    pub(crate) fn is_interruption(&self) -> bool {
        matches!(
            self,
            Self::Sandbox(SandboxError::Interrupted)
                | Self::Make(MakeError::Sandbox(SandboxError::Interrupted))
                | Self::Compile(CompileError::Sandbox(SandboxError::Interrupted))
        )
    }
}
