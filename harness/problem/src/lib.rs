//! Reads problems of programming contests, of any layout, into one form.
//!
//! The crate reads files and decides nothing about programs: it must never know how they are compiled, run or judged.
//! [`Problem::load`](problem::Problem::load) reads one problem. Every fault becomes a [`Notice`](notice::Notice).
//!
//! # Layers
//!
//! A module imports only modules that are further right in its row, or in a row below. A test in the harness holds this.
//!
//! ```text
//! joined    submission
//! read      problem language
//! words     expectation verdict
//! base      checker_spec cache plain_file outside printable shell notice name_text braces
//! ```

#![forbid(unsafe_code)]

pub mod braces;
pub mod cache;
pub mod checker_spec;
pub mod expectation;
pub mod language;
pub mod name_text;
pub mod notice;
pub mod outside;
pub mod plain_file;
pub mod printable;
pub mod problem;
pub mod shell;
pub mod submission;
pub mod verdict;
