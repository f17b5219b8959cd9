//! The guide and the readme are true: their transcripts are run, their tables held against the program.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

mod markdown;
mod options;
mod report;
mod settings;
#[path = "../support/mod.rs"]
mod support;
mod tables;
mod transcripts;

const GUIDE: &str = include_str!("../../../GUIDE.md");
const README: &str = include_str!("../../../README.md");
