//! The guide and the other documents are true: their transcripts are run, their tables compared with the program,
//! their links followed.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

mod links;
mod markdown;
mod options;
mod pages;
mod report;
mod settings;
#[path = "../support/mod.rs"]
mod support;
mod tables;
mod transcripts;
