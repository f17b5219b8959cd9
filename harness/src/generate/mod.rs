//! Makes test cases from `generators/generators.yaml`, and makes them again to compare.
//!
//! Beside the flow: it uses compile and run as judging does, and leaves files that discovery finds.
//! What the file says is settled in [`Plan`] before anything is started; [`Maker`] runs the
//! programs; [`Store`] alone touches `data/` and the cache. It never deletes a case that it does not
//! know, and it prints nothing.

mod command;
mod compare;
mod maker;
mod materialise;
mod numbering;
mod plan;
mod reader;
mod source;
mod store;

pub(crate) use maker::{
    MakeError, Maker, VALIDATORS, build, captured, limits as program_limits, stdin, words,
};
pub(crate) use materialise::materialise;
pub(crate) use plan::Plan;
pub(crate) use source::files_in;
pub(crate) use store::{Finding, Kept, LARGEST, Store, Unknown};

/// Where a package says how its cases are made.
const FILE: &str = "generators/generators.yaml";
