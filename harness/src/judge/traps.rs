//! What a language does that makes a right program wrong on a case, and that its output does not show. The table of behaviour
//! measures these traps: `harness/behaviour`.

use std::io::Read as _;

use super::exception;
use super::run::{Run, Subject};
use crate::checker::CheckOutcome;
use crate::plain_file;
use crate::sandbox::Exit;
use crate::verdict::Verdict;

/// The part of an input, an output and an answer that is looked at.
const READ: u64 = 4 << 20;

/// A line of the input that is too long for the plain way to read it.
struct LongLine {
    language: &'static str,
    /// The longest line in bytes that is read as a whole.
    longest: usize,
    /// A word of the source without which it is no trap, in lower case.
    with: &'static str,
    /// Words of the source with which it is no trap, in lower case.
    without: &'static [&'static str],
    hint: &'static str,
}

const LONG_LINES: [LongLine; 3] = [
    LongLine {
        language: "cobol",
        longest: 8191,
        with: "accept",
        without: &[],
        hint: "`ACCEPT` reads at most 8,191 bytes of a line, and the input has a longer one",
    },
    LongLine {
        language: "pascal",
        longest: 255,
        with: "string",
        without: &["ansistring", "{$h+}", "{$longstrings on}", "{$mode delphi}"],
        hint: "without `{$H+}`, a `string` holds 255 characters, and the input has a longer line",
    },
    LongLine {
        language: "go",
        longest: (64 << 10) - 1,
        with: "bufio.newscanner",
        without: &[".buffer("],
        hint: "without `Buffer`, a `bufio.Scanner` stops at a line of 64 KiB, and the input has one",
    },
];

/// What is added to the reason of a wrong answer or a run-time error.
pub(super) fn hint(subject: &Subject<'_>, run: &Run) -> Option<String> {
    let execution = run.execution.as_ref()?;
    let checked = run.checked.as_ref().map(|checked| &checked.outcome);
    let is_wrong = matches!(checked, Some(CheckOutcome::Wrong(_)));
    let is_failed = run.judgement.verdict == Verdict::RunTimeError;
    if !subject.is_one_text() || !(is_wrong || is_failed) {
        return None;
    }
    let language = subject.submission.language.as_str();
    let input = plain_file::read_up_to(&subject.case.input(), READ).ok()?;
    if is_wrong && execution.exit == Exit::Code(0) {
        let source = plain_file::read(&subject.submission.path).unwrap_or_default();
        let source = String::from_utf8_lossy(&source).to_ascii_lowercase();
        if let Some(hint) = of_long_line(language, &source, &input) {
            return Some(hint.to_owned());
        }
        if let Some(cause) = exception::of_survivor(language, execution) {
            let cause = format!("it exits with code 0 after an error: {cause}");
            let words = [Some(cause.as_str()), of_encoding(&input)];
            return Some(words.into_iter().flatten().collect::<Vec<_>>().join("; "));
        }
        // It prints a warning for each directive that fails or raises an error.
        if language == "gprolog" && !execution.stderr_tail.is_empty() {
            return Some("GNU Prolog exits with code 0 after an uncaught error".to_owned());
        }
        if let Some(hint) = of_output(language, subject, run) {
            return Some(hint.to_owned());
        }
    }
    of_encoding(&input).map(str::to_owned)
}

/// What the output shows next to the answer.
fn of_output(language: &str, subject: &Subject<'_>, run: &Run) -> Option<&'static str> {
    if !["awk", "lisp", "mawk"].contains(&language) {
        return None;
    }
    let mut output = Vec::new();
    let execution = run.execution.as_ref()?;
    execution.stdout.reader().ok()?.take(READ).read_to_end(&mut output).ok()?;
    let answer = plain_file::read_up_to(&subject.case.answer()?, READ).ok()?;
    match language {
        "lisp" if ends_early(&output, &answer) => {
            Some("at the end of the input, `sbcl --script` exits with code 0 and without a message")
        }
        "awk" | "mawk" if has_exponents(&output, &answer) => {
            Some("mawk prints integers from 2^31 on in the form of `%.6g`: use `printf \"%.0f\"`")
        }
        _ => None,
    }
}

/// Whether an output has numbers with exponents, such as `3e+09`, and the answer has none.
fn has_exponents(output: &[u8], answer: &[u8]) -> bool {
    let in_text = |text: &[u8]| {
        let mut words = text.split(u8::is_ascii_whitespace);
        words.any(|word| {
            let digits = word.first().is_some_and(u8::is_ascii_digit);
            digits && word.windows(2).any(|pair| pair == b"e+")
        })
    };
    in_text(output) && !in_text(answer)
}

fn of_long_line(language: &str, source: &str, input: &[u8]) -> Option<&'static str> {
    let longest = input.split(|byte| *byte == b'\n').map(<[u8]>::len).max()?;
    let trap = LONG_LINES.iter().find(|trap| trap.language == language)?;
    let is_trap = longest > trap.longest
        && source.contains(trap.with)
        && !trap.without.iter().any(|word| source.contains(word));
    is_trap.then_some(trap.hint)
}

/// Whether an output is only the beginning of the answer.
fn ends_early(output: &[u8], answer: &[u8]) -> bool {
    let (output, answer) = (output.trim_ascii_end(), answer.trim_ascii_end());
    output.len() < answer.len() && answer.starts_with(output)
}

/// What editors put into a text and programs do not expect.
fn of_encoding(input: &[u8]) -> Option<&'static str> {
    if input.starts_with(b"\xef\xbb\xbf") {
        return Some("the input starts with a byte order mark (EF BB BF)");
    }
    let lines = input.windows(2).any(|pair| pair == b"\r\n");
    lines.then_some("lines of the input end with CR and LF, and many languages keep the CR")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_too_long_only_for_the_plain_way_to_read_it() {
        let line = |length| vec![b'x'; length];
        for (language, source, length, expected) in [
            ("cobol", "accept line-read", 8192, true),
            ("cobol", "accept line-read", 8191, false),
            ("pascal", "var line: string;", 256, true),
            ("pascal", "var line: string;", 255, false),
            ("pascal", "{$h+} var line: string;", 256, false),
            ("pascal", "var line: ansistring;", 256, false),
            ("go", "input := bufio.newscanner(os.stdin)", 65536, true),
            ("go", "input := bufio.newscanner(os.stdin)", 65535, false),
            ("go", "bufio.newscanner(os.stdin); s.buffer(b, 1)", 65536, false),
            ("cpp", "std::string line;", 65536, false),
        ] {
            let found = of_long_line(language, source, &line(length)).is_some();
            assert_eq!(found, expected, "{language} {source} {length}");
        }
        assert!(
            of_long_line("cobol", "accept a", &[line(8000), line(8000)].join(&b'\n')).is_none()
        );
    }

    #[test]
    fn an_output_ends_early_if_more_of_the_answer_follows() {
        for (output, answer, expected) in [
            ("", "1\n", true),
            ("1\n", "1\n2\n", true),
            ("1\n", "1\n", false),
            ("2\n", "1\n2\n", false),
        ] {
            assert_eq!(ends_early(output.as_bytes(), answer.as_bytes()), expected, "{output:?}");
        }
    }

    #[test]
    fn numbers_with_exponents_count_if_the_answer_has_none() {
        for (output, answer, expected) in [
            ("3e+09\n", "3000000000\n", true),
            ("1 2.5e+10", "1 25000000000", true),
            ("3e+09", "3e+09", false),
            ("3000000000", "3000000001", false),
            ("the+n", "1", false),
        ] {
            assert_eq!(has_exponents(output.as_bytes(), answer.as_bytes()), expected, "{output:?}");
        }
    }

    #[test]
    fn marks_of_editors_are_named() {
        assert!(
            of_encoding(b"\xef\xbb\xbf5\n").is_some_and(|hint| hint.contains("byte order mark"))
        );
        assert!(of_encoding(b"5\r\n").is_some_and(|hint| hint.contains("CR")));
        assert_eq!(of_encoding(b"5\rabc\n"), None);
    }
}
