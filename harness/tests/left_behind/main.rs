//! Files that untrusted code leaves in a folder are data. The tests run malicious packages and
//! compilations, and compare everything that the judge's user can write to, before and after.
//!
//! A language that is not installed is skipped with a message; if `CI` is set, the test fails
//! instead.

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
