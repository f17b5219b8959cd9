//! What untrusted code leaves in a folder is data: packages and compile steps that mean harm, and everything that the
//! judge's user can write to, before and after.
//!
//! A language that is not installed is skipped aloud; where `CI` is set, that fails.

#![cfg(all(target_os = "linux", not(rejudge_portable)))]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

mod builds;
mod commands;
mod compilers;
mod nobody;
mod sources;
#[path = "../support/mod.rs"]
mod support;
mod workbench;
mod world;
