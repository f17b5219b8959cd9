//! The exception in the messages of a program that ended by one, as its language prints it.

use std::io::Read as _;

use super::messages::{self, Stream};
use crate::printable;
use crate::sandbox::{Execution, Exit, STDERR_TAIL};

mod shared_forms;

use shared_forms::of_messages;

/// The longest description.
const LONGEST: usize = 120;

/// The largest output in which a message is looked for.
const READ: u64 = 4 << 20;

/// Languages whose runtimes end with a code after an uncaught error, and print nothing.
const SILENT: [(&str, i32, &str); 2] = [
    ("gambit", 70, "that of an uncaught error, about which Gambit prints nothing"),
    ("sml", 1, "perhaps of an uncaught exception, about which Poly/ML prints nothing"),
];

/// The lines of a traceback that has a line for each nested call and stands behind the cause.
const TRACEBACKS: [(&str, &str); 2] =
    [("icon", "{..}({..}) from line {#} in {..}"), ("tcl", "    (procedure {..} line {#})")];

/// Why a program in a language, given by its id, failed, as its runtime tells: `ZeroDivisionError: division by zero`. `None`: it
/// tells nothing that is known.
pub(super) fn of_run(language: &str, execution: &Execution) -> Option<String> {
    of_streams(language, execution, false)
        .or_else(|| of_messages(&execution.stderr_tail))
        .or_else(|| of_traceback(language, execution))
        .or_else(|| of_silence(language, execution))
}

/// The error after which a program went on, and exited with code 0.
pub(super) fn of_survivor(language: &str, execution: &Execution) -> Option<String> {
    of_streams(language, execution, true).or_else(|| of_messages(&execution.stderr_tail))
}

/// What the message consists of if it has a line for each of so many nested calls that the cause is lost.
pub(super) fn of_traceback(language: &str, execution: &Execution) -> Option<String> {
    let (_, form) = TRACEBACKS.iter().find(|(id, _)| *id == language)?;
    let stderr = &execution.stderr_tail;
    let has_line = || messages::has_line(form, stderr);
    (stderr.len() >= STDERR_TAIL && has_line())
        .then(|| "the message about an error has a line for each nested call".to_owned())
}

fn of_silence(language: &str, execution: &Execution) -> Option<String> {
    let is_this =
        |(id, code, _): &&(&str, i32, _)| *id == language && execution.exit == Exit::Code(*code);
    let (_, _, words) = SILENT.iter().find(is_this)?;
    execution.stderr_tail.is_empty().then(|| (*words).to_owned())
}

/// The cause in the forms that are particular to a language.
fn of_streams(language: &str, execution: &Execution, goes_on: bool) -> Option<String> {
    let in_stream = |stream, text: &[u8]| messages::cause_in(language, stream, goes_on, text);
    let found = in_stream(Stream::Error, &execution.stderr_tail).or_else(|| {
        let mut output = Vec::new();
        if messages::is_on_output(language) {
            execution.stdout.reader().ok()?.take(READ).read_to_end(&mut output).ok()?;
        }
        in_stream(Stream::Output, &output)
    })?;
    Some(printable::one_line(found.trim().as_bytes(), LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_runtime_does_not_tell_is_told_for_it() {
        let execution = |code, printed: &str, repeated: usize| Execution {
            exit: Exit::Code(code),
            usage: crate::sandbox::Usage::default(),
            stdout: crate::sandbox::Captured::default(),
            stderr_tail: printed.repeat(repeated).into_bytes(),
        };
        let silent = of_run("gambit", &execution(70, "", 0)).unwrap();
        assert!(silent.contains("Gambit prints nothing"), "{silent}");
        for (language, code, printed) in
            [("gambit", 1, ""), ("gambit", 70, "n = 3\n"), ("c", 70, "")]
        {
            assert_eq!(of_run(language, &execution(code, printed, 1)), None, "{language} {code}");
        }
        let icon = "   depth(-832913) from line 2 in a.icn\n";
        let tcl = "    (procedure \"depth\" line 3)\n    invoked from within\n\"depth [expr {$n - 1}]\"\n";
        for (language, line) in [("icon", icon), ("tcl", tcl)] {
            let lines = STDERR_TAIL / line.len() + 1;
            assert!(of_traceback(language, &execution(1, line, lines)).is_some(), "{language}");
            assert_eq!(of_traceback(language, &execution(1, line, 3)), None, "{language}");
            assert_eq!(of_traceback(language, &execution(1, "x\n", STDERR_TAIL)), None);
        }
        assert_eq!(of_traceback("c", &execution(1, icon, STDERR_TAIL)), None);
    }
}
