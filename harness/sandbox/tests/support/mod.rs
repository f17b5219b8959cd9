//! What the tests of every crate use.

use std::io::{self, ErrorKind, Write as _};
use std::thread;
use std::time::Duration;

/// Reports that something cannot be tested here, directly to standard error, because the test runner captures output.
/// If `CI` is set, that is a failure.
pub(crate) fn skip(why: &str) {
    assert!(std::env::var_os("CI").is_none(), "{why}");
    skip_even_in_ci(why);
}

/// Reports, in spite of the captured output, why a test was skipped that CI need not run either.
pub(crate) fn skip_even_in_ci(why: &str) {
    let line = format!("SKIPPED: {why}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

/// What `start` returns once nobody has the program that it starts open for writing. A test that has just written the program
/// needs this: another test may be creating a process, which has it open until it executes its own program.
pub(crate) fn once_written<T>(mut start: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match start() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {
                thread::sleep(Duration::from_millis(10));
            }
            result => break result,
        }
    }
}
