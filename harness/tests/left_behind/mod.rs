//! Files that untrusted code leaves in a folder are data. The tests run malicious packages and
//! compilations, and compare everything that the judge's user can write to, before and after.
//!
//! A language that is not installed is skipped with a message; if `CI` is set, the test fails
//! instead.

mod builds;
mod commands;
mod compilers;
mod nobody;
mod sources;
mod workbench;
mod world;
