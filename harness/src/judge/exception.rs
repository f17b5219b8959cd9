//! The exception in the messages of a program that ended by one, as its language prints it.

use crate::printable;

/// The longest description.
const LONGEST: usize = 120;

/// How the names of exceptions end.
const ENDS: [&str; 4] = ["Error", "Exception", "Interrupt", "Exit"];

/// The type of the exception that ended a program with these messages, and its text: `ZeroDivisionError: division by zero`.
/// `None`: there is none that is known.
pub(super) fn of_messages(stderr: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(stderr);
    let lines: Vec<&str> = text.lines().collect();
    // A later exception may have been raised while an earlier one was handled.
    let found =
        (0..lines.len()).rev().find_map(|at| in_line(lines[at], lines.get(at + 1).copied()))?;
    Some(printable::one_line(found.trim().as_bytes(), LONGEST))
}

fn in_line(line: &str, next: Option<&str>) -> Option<String> {
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
    fn the_exception_is_found_as_each_language_prints_it() {
        let table = [
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
