//! Measures solutions, and tells whether they got slower.
//!
//! Beside the judge in the flow: it takes problems, submissions and the sandbox as the judge does, and hands figures to
//! [`statistics`](crate::statistics), which alone decides what they mean. It prints nothing and knows no arguments.
//!
//! # How a regression is told from noise
//!
//! Two programs that are the same give different times, and more so on a machine that others use too. What helps is to
//! run them side by side: base and new are built on this machine by one compiler and run alternately, in random order
//! within each pair, so that whatever disturbs the machine meets both. Beside every such pair runs one of base against
//! base: if *that* shows a difference, the machine cannot be trusted now, and there is no verdict. What looks slower is
//! measured again with fresh pairs, and only what looks slower twice is called so.

mod base;
pub mod baseline;
pub mod criterion;
pub mod gate;
pub mod git;
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
pub use meter::{Callgrind, Meter, MeterError};
pub use random_source::RandomSource;
pub use run_measurement::{
    FormattedFigure, RunMeasurement, formatted, quantity_key, quantity_name,
};
pub use runner::{BenchRunner, Failure};
