//! Measures solutions, and detects whether they got slower.
//!
//! This module is a sibling of the judge: it takes the same problems, submissions and sandbox, and passes its figures
//! to [`statistics`](rejudge_statistics), which alone decides what they mean. It prints nothing and parses no arguments.
//!
//! # How a regression is distinguished from noise
//!
//! Two runs of the same program take different times, and differ more on a shared machine. rejudge therefore compares
//! two programs in pairs: the same compiler builds the base and the new version on this machine, and the two run
//! alternately, in random order within each pair, so that a disturbance of the machine affects both. For every such
//! pair, the base also runs against itself. If *that* shows a difference, it is subtracted from the change; if nothing
//! significant remains, there is no verdict. A case that looks slower is measured again with new pairs, and only a case
//! that looks slower twice is a regression.

mod base;
pub mod baseline;
pub mod criterion;
mod failure;
pub mod gate;
pub mod git;
pub(crate) mod history;
mod meter;
mod random_source;
pub(crate) mod report;
mod run_measurement;
mod runner;
pub mod sampling;
pub mod selection;
pub mod settings;
pub mod startup_cost;
pub mod stored;

pub use base::{Against, AgainstError, BaseSource};
pub use failure::{FailureText, PairFailure};
pub use meter::{Callgrind, Meter, MeterError};
pub use random_source::RandomSource;
pub use run_measurement::{
    FormattedFigure, RunMeasurement, formatted, quantity_key, quantity_name,
};
pub use runner::BenchRunner;
