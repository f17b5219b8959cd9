//! The command `rejudge`. All code is in the library.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    rejudge::command_line()
}
