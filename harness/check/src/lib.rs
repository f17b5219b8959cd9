//! Decides whether an output answers a case, and shows the first difference.
//!
//! The crate sees outputs, answers and the programs that check them. It must never know which program wrote an output, what a
//! verdict is, or where a case comes from.
//!
//! # Layers
//!
//! A module imports only modules that are further right in its row, or in a row below. A test in the harness holds this.
//!
//! ```text
//! shown     diff
//! decided   checker own_paths
//! ```

#![forbid(unsafe_code)]

pub mod checker;
pub mod diff;
mod own_paths;

pub use own_paths::{OwnPaths, rename};
