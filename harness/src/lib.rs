//! Re-judges every solution over its test cases, under judge-style limits.

pub mod bytes;
pub mod checker;
pub mod compile;
pub mod language;
pub mod limits;
pub mod problem;
pub mod sandbox;
pub mod submission;
pub mod verdict;
