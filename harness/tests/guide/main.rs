//! Checks the guide and the other documents: runs their transcripts, compares their tables with the program, and
//! follows their links.

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
