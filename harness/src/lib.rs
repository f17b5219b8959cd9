//! Re-judges every solution over its test cases, under judge-style limits.

pub mod bytes;
pub mod cache;
pub mod checker;
mod cli;
pub mod compile;
pub mod config;
pub mod diff;
pub mod discover;
mod draw;
pub mod event;
mod generate;
pub mod judge;
pub mod language;
pub mod limits;
pub mod machine;
pub mod notice;
pub mod problem;
mod report;
pub mod sandbox;
mod schedule;
mod sequence;
#[cfg(test)]
mod specimen;
pub mod submission;
mod tally;
pub mod verdict;
mod whole_file;

pub use cli::main as command_line;
