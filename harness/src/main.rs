//! The command `rejudge`. All code is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    rejudge::command_line()
}
