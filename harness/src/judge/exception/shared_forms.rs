//! The forms of messages that languages share: a name and its text, a line at a place, what begins like those of a runtime.

use super::LONGEST;
use crate::printable;

/// How the line with the cause begins if it is in no exception of its own: what runtimes print for an error that they find. The rest
/// of the line is the cause, or what precedes it is a part of it.
const BEGINNINGS: [(&str, bool); 9] = [
    ("Fatal error: Uncaught ", false),  // PHP
    ("Fatal error: exception ", false), // OCaml
    ("Fatal error: ", false),           // PHP
    ("raised ", false),                 // Ada
    ("libcob: error: ", false),         // COBOL
    ("ERROR: -g main: ", false),        // SWI-Prolog
    ("mawk: program ", false),          // mawk
    ("Fortran runtime error: ", true),
    ("ERROR STOP", true),
];

/// The numbers of Free Pascal's run-time errors that programs in contests meet.
const PASCAL: [(u8, &str); 14] = [
    (2, "file not found"),
    (100, "disk read error"),
    (101, "disk write error"),
    (103, "file not open"),
    (106, "invalid numeric format"),
    (200, "division by zero"),
    (201, "range check error"),
    (202, "stack overflow"),
    (203, "heap overflow"),
    (204, "invalid pointer operation"),
    (207, "invalid floating point operation"),
    (215, "arithmetic overflow"),
    (216, "general protection fault"),
    (227, "assertion failed"),
];

/// How the names of exceptions end.
const ENDS: [&str; 4] = ["Error", "Exception", "Interrupt", "Exit"];

/// The cause in the forms that languages share.
pub(super) fn of_messages(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let lines: Vec<&str> = text.lines().collect();
    // A later exception may have been raised while an earlier one was handled.
    let found = (0..lines.len()).rev().find_map(|at| in_line(lines[at], &lines[at + 1..]))?;
    Some(printable::one_line(found.trim().as_bytes(), LONGEST))
}

fn in_line(line: &str, following: &[&str]) -> Option<String> {
    let next = following.first().copied();
    // Java, Kotlin, Scala.
    if let Some(rest) = line.strip_prefix("Exception in thread \"") {
        return rest.split_once("\" ").map(|(_, what)| what.to_owned());
    }
    // C++: the text is in the next line, if there is one.
    if let Some(rest) = line.strip_prefix("terminate called after throwing an instance of '") {
        let name = rest.strip_suffix('\'')?;
        let what = next.and_then(|next| next.trim_start().strip_prefix("what():"));
        return Some(
            what.map_or_else(|| name.to_owned(), |what| format!("{name}: {}", what.trim())),
        );
    }
    // Rust: its text is in the next line. Go.
    if line.starts_with("thread '") && line.contains(" panicked at ") {
        return next.map(|text| format!("panic: {text}"));
    }
    if line.starts_with("panic: ") {
        return Some(line.to_owned());
    }
    // SBCL: the text is in the next line, or behind that if the name of the thread goes on there.
    if let Some((name, _)) =
        line.strip_prefix("Unhandled ").and_then(|rest| rest.split_once(" in thread "))
    {
        let text = if line.ends_with(':') { next } else { following.get(1).copied() };
        let text = text.map(str::trim).filter(|text| !text.is_empty());
        return Some(text.map_or_else(|| name.to_owned(), |text| format!("{name}: {text}")));
    }
    if let Some(cause) = of_runtime(line).or_else(|| at_a_place(line)) {
        return Some(cause);
    }
    // Tcl: the line in front of its backtrace.
    if next == Some("    while executing") {
        return Some(line.to_owned());
    }
    // Ruby: `a.rb:1:in 'f': text (ZeroDivisionError)`.
    if let Some((before, name)) = line.strip_suffix(')').and_then(|line| line.rsplit_once(" ("))
        && is_name(name)
        && let Some((_, what)) = before.split_once(": ")
    {
        return Some(format!("{name}: {what}"));
    }
    // Python, JavaScript, C#: the name of the type begins the line.
    let name = line.split_once(':').map_or(line, |(name, _)| name);
    is_name(name).then(|| line.to_owned())
}

/// What a runtime prints for an error that it finds.
fn of_runtime(line: &str) -> Option<String> {
    for (beginning, is_part) in BEGINNINGS {
        if let Some(rest) = line.strip_prefix(beginning) {
            let cause = if is_part { line } else { rest };
            // PHP ends the line with the place: ` in a.php:3`, or ` in a.php on line 3`.
            let place = cause
                .rsplit_once(" in ")
                .filter(|_| cause.ends_with(|end: char| end.is_ascii_digit()));
            return Some(place.map_or(cause, |(cause, _)| cause).to_owned());
        }
    }
    // Pascal: the address is of no use to anybody.
    let (number, _) = line.strip_prefix("Runtime error ")?.split_once(" at $")?;
    let code: u8 = number.parse().ok()?;
    let known = PASCAL.iter().find(|(known, _)| *known == code);
    Some(known.map_or(format!("Runtime error {code}"), |(_, cause)| {
        format!("Runtime error {code}: {cause}")
    }))
}

/// A cause that stands beside its place in the source.
fn at_a_place(line: &str) -> Option<String> {
    // Lua: `lua: a.lua:1: text`. The lines of its backtrace are indented.
    if !line.starts_with(char::is_whitespace)
        && let Some((_, rest)) = line.split_once(".lua:")
        && let Some((_, cause)) = rest.split_once(": ").filter(|(number, _)| is_number(number))
    {
        return Some(cause.to_owned());
    }
    // Bash: `a.sh: line 1: text`.
    if let Some((_, rest)) = line.split_once(": line ")
        && let Some((_, cause)) = rest.split_once(": ").filter(|(number, _)| is_number(number))
    {
        return Some(cause.to_owned());
    }
    // dash: `a.sh: 1: text`.
    if let Some((name, rest)) = line.split_once(": ")
        && name.strip_suffix("sh").is_some()
        && let Some((_, cause)) = rest.split_once(": ").filter(|(number, _)| is_number(number))
    {
        return Some(cause.to_owned());
    }
    // Perl: `text at a.pl line 1.`, or `text at a.pl line 1, <STDIN> line 1.`
    if let Some((before, place)) = line.strip_suffix('.').and_then(|line| line.rsplit_once(" at "))
        && let Some((_, number)) = place.rsplit_once(" line ")
        && is_number(number)
    {
        return Some(before.to_owned());
    }
    // D: `object.Exception@a.d(1): text`.
    if let Some((name, rest)) = line.split_once('@')
        && is_name(name)
        && let Some((_, cause)) = rest.split_once("): ")
    {
        return Some(format!("{name}: {cause}"));
    }
    // C and C++: `program: a.c:1: main: Assertion `n > 0' failed.`
    let (_, cause) = line.strip_suffix(" failed.")?.split_once(": Assertion ")?;
    Some(format!("Assertion {cause} failed"))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether it is the name of an exception, perhaps with that of its module.
fn is_name(text: &str) -> bool {
    let is_word = |part: &str| {
        part.starts_with(|first: char| first.is_alphabetic() || first == '_')
            && part.chars().all(|one| one.is_alphanumeric() || one == '_')
    };
    text.split(['.', ':']).all(is_word) && ENDS.iter().any(|end| text.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cause_is_found_as_each_runtime_prints_it() {
        let table = [
            (
                "/usr/bin/lua: ...965ea19f46507/files/a.lua:2: sorry\nstack traceback:\n\t[C]: in function 'error'\n\t\
                 ...65ea19f46507/files/a.lua:2: in main chunk\n",
                "sorry",
            ),
            (
                "Illegal division by zero at a.pl line 4, <STDIN> line 1.\n",
                "Illegal division by zero",
            ),
            ("sorry at a.pl line 4.\n", "sorry"),
            (
                "a.dash: 2: arithmetic expression: division by zero: \"100 / n\"\n",
                "arithmetic expression: division by zero: \"100 / n\"",
            ),
            (
                "divide by zero\n    while executing\n\"expr {100 / $n}\"\n    (file \"a.tcl\" line 2)\n",
                "divide by zero",
            ),
            (
                "mawk: program limit exceeded: eval stack size=1024\n",
                "limit exceeded: eval stack size=1024",
            ),
            (
                "a.sh: line 2: 100 / n: division by 0 (error token is \"n\")\n",
                "100 / n: division by 0 (error token is \"n\")",
            ),
            (
                "\nFatal error: Uncaught DivisionByZeroError: Division by zero in /a.php:3\nStack trace:\n#0 {main}\n  \
                 thrown in /a.php on line 3\n",
                "DivisionByZeroError: Division by zero",
            ),
            (
                "\nFatal error: Allowed memory size of 134217728 bytes exhausted (tried to allocate 2097152 bytes) in /a.php on \
                 line 4\n",
                "Allowed memory size of 134217728 bytes exhausted (tried to allocate 2097152 bytes)",
            ),
            ("Fatal error: exception Failure(\"sorry\")\n", "Failure(\"sorry\")"),
            (
                "\nraised CONSTRAINT_ERROR : a.adb:6 divide by zero\n",
                "CONSTRAINT_ERROR : a.adb:6 divide by zero",
            ),
            ("libcob: error: module 'x' not found\n", "module 'x' not found"),
            (
                "ERROR: -g main: ///2: Arithmetic: evaluation error: `zero_divisor'\n",
                "///2: Arithmetic: evaluation error: `zero_divisor'",
            ),
            (
                "At line 5 of file a.f90 (unit = 5, file = 'stdin')\nFortran runtime error: End of file\n\nError \
                 termination. Backtrace:\n#0  0x7f in ???\n",
                "Fortran runtime error: End of file",
            ),
            (
                "ERROR STOP sorry\n\nError termination. Backtrace:\n#0  0x7f in ???\n",
                "ERROR STOP sorry",
            ),
            (
                "Runtime error 106 at $00000000004010B7\n  $00000000004010B7\n",
                "Runtime error 106: invalid numeric format",
            ),
            ("Runtime error 99 at $00000000004010B7\n", "Runtime error 99"),
            (
                "core.exception.AssertError@a.d(6): Assertion failure\n----------------\n??:? [0x5]\n",
                "core.exception.AssertError: Assertion failure",
            ),
            ("program: a.c:6: main: Assertion `n > 0' failed.\n", "Assertion `n > 0' failed"),
        ];
        for (stderr, expected) in table {
            assert_eq!(of_messages(stderr.as_bytes()).as_deref(), Some(expected), "{stderr}");
        }
        for none in ["looked at line 3\n", "a@b\n", "Runtime error many at $1\n", "x.lua:a: b\n"] {
            assert_eq!(of_messages(none.as_bytes()), None, "{none}");
        }
    }

    #[test]
    fn the_exception_is_found_as_each_language_prints_it() {
        let table = [
            (
                "Unhandled DIVISION-BY-ZERO in thread #<SB-THREAD:THREAD \"main thread\" RUNNING\n                  {1001348003}>:\n  \
                 arithmetic error DIVISION-BY-ZERO signalled\nOperation was (/ 1 0).\n\nBacktrace for: #<SB-THREAD:THREAD>\n0: (/ 1 0)\n",
                "DIVISION-BY-ZERO: arithmetic error DIVISION-BY-ZERO signalled",
            ),
            (
                "Unhandled SIMPLE-ERROR in thread #<SB-THREAD:THREAD tid=7 \"main thread\" RUNNING {1}>:\n  sorry\n\nBacktrace\n",
                "SIMPLE-ERROR: sorry",
            ),
            (
                "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    print(1//0)\n          ~^^~\n\
                 ZeroDivisionError: integer division or modulo by zero\n",
                "ZeroDivisionError: integer division or modulo by zero",
            ),
            (
                "KeyError: 1\n\nDuring handling of the above exception, another exception occurred:\n\nEOFError: EOF when reading a line\n",
                "EOFError: EOF when reading a line",
            ),
            (
                "Exception in thread \"main\" java.lang.ArithmeticException: / by zero\n\tat b.main(b.java:1)\n",
                "java.lang.ArithmeticException: / by zero",
            ),
            ("terminate called after throwing an instance of 'int'\n", "int"),
            (
                "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::at\n",
                "std::out_of_range: vector::at",
            ),
            (
                "d.js:1\nconsole.log(x.y)\n            ^\n\nReferenceError: x is not defined\n    at Object.<anonymous> (d.js:1:13)\n\nNode.js v20.17.0\n",
                "ReferenceError: x is not defined",
            ),
            (
                "\nthread 'main' (2) panicked at e.rs:1:52:\nindex out of bounds: the len is 0\nnote: run with `RUST_BACKTRACE=1`\n",
                "panic: index out of bounds: the len is 0",
            ),
            (
                "panic: runtime error: index out of range [3] with length 0\n\ngoroutine 1 [running]:\n",
                "panic: runtime error: index out of range [3] with length 0",
            ),
            (
                "g.rb:1:in `<main>': undefined method `+' for nil:NilClass (NoMethodError)\n\nputs nil + 1\n         ^\n",
                "NoMethodError: undefined method `+' for nil:NilClass",
            ),
            (
                "\nUnhandled Exception:\nSystem.FormatException: Input string was not in a correct format.\n  at P.Main () [0x00000]\n",
                "System.FormatException: Input string was not in a correct format.",
            ),
        ];
        for (stderr, expected) in table {
            assert_eq!(of_messages(stderr.as_bytes()).as_deref(), Some(expected), "{stderr}");
        }
        for none in
            ["", "wrong input\n", "program: Prelude.head: empty list\n", "debug: Error: 3\n"]
        {
            assert_eq!(of_messages(none.as_bytes()), None, "{none}");
        }
        let hostile = of_messages(b"KeyError: \x1b[2J\xff\r\nValueError: \x1b]0;x\x07\n").unwrap();
        assert!(hostile.chars().all(|one| !one.is_control()), "{hostile}");
    }
}
