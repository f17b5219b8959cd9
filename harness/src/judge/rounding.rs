//! Whether a wrong output differs from the answer only in numbers that are nearly equal, although nothing sets a tolerance.

use std::io::Read as _;

use super::run::{Run, Subject};
use crate::checker::CheckOutcome;
use crate::checker_spec::{AnswerWords, CheckerSpec};
use crate::plain_file;

/// The longest output and answer that are compared.
const READ: u64 = 4 << 20;

/// The largest absolute or relative difference of two numbers that are nearly equal.
const EPSILON: f64 = 1e-6;

/// What is added to the reason of a wrong answer.
pub(super) fn hint(subject: &Subject<'_>, run: &Run) -> Option<String> {
    let is_wrong = matches!(run.checked.as_ref()?.outcome, CheckOutcome::Wrong(_));
    let checker = subject.case.checker().unwrap_or(&subject.problem.checker);
    if !is_wrong || !compares_texts(checker) {
        return None;
    }
    let mut output = Vec::new();
    run.execution.as_ref()?.stdout.reader().ok()?.take(READ + 1).read_to_end(&mut output).ok()?;
    let most = usize::try_from(READ).ok()?;
    let answer = plain_file::read_up_to(&subject.case.answer()?, READ + 1).ok()?;
    let is_whole = output.len() <= most && answer.len() <= most;
    (is_whole && are_nearly_equal(&output, &answer)).then(|| {
        "its numbers differ from the answer by at most 1e-6: if that is allowed, try `--checker float:1e-6`"
            .to_owned()
    })
}

/// Whether the checker compares numbers as texts.
fn compares_texts(checker: &CheckerSpec) -> bool {
    match checker {
        CheckerSpec::Exact | CheckerSpec::Lines(_) => true,
        CheckerSpec::Tokens(options) => {
            let has_tolerance =
                options.float_absolute.is_some() || options.float_relative.is_some();
            !has_tolerance && options.answers == AnswerWords::Any
        }
        _ => false,
    }
}

/// Whether the words of the texts are equal except for numbers, of which those in the answer are real.
fn are_nearly_equal(output: &[u8], answer: &[u8]) -> bool {
    let words = |text: &'_ [u8]| -> Option<Vec<String>> {
        let text = std::str::from_utf8(text).ok()?;
        Some(text.split_ascii_whitespace().map(str::to_owned).collect())
    };
    let (Some(output), Some(answer)) = (words(output), words(answer)) else {
        return false;
    };
    let mut others =
        output.iter().zip(&answer).filter(|(got, expected)| got != expected).peekable();
    output.len() == answer.len()
        && others.peek().is_some()
        && others.all(|(got, expected)| are_close(got, expected))
}

/// Whether both are numbers, the expected one is not an integer, and they are nearly equal.
fn are_close(got: &str, expected: &str) -> bool {
    let number = |word: &str| {
        let starts = word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        word.parse().ok().filter(|number: &f64| starts && number.is_finite())
    };
    let is_real = expected.contains(['.', 'e', 'E']);
    let (Some(got), Some(expected)) = (number(got), number(expected)) else {
        return false;
    };
    let difference = (got - expected).abs();
    is_real && (difference <= EPSILON || difference <= EPSILON * expected.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_real_numbers_may_differ_a_little() {
        for (output, answer, expected) in [
            ("0.333333333\n", "0.3333333\n", true),
            ("Yes 1.0\n2\n", "Yes 1.00\n2\n", true),
            ("1234567.9", "1234568.0", true),
            ("1", "1.0", true),
            // Nothing differs.
            ("1.0 \n", "1.0\n", false),
            ("0.3334", "0.3333", false),
            ("1.0 2.0", "1.0", false),
            ("1000000008", "1000000007", false),
            ("yes 1.0", "Yes 1.00", false),
            ("inf", "1.0", false),
            ("nan", "nan.0", false),
        ] {
            let found = are_nearly_equal(output.as_bytes(), answer.as_bytes());
            assert_eq!(found, expected, "{output:?} {answer:?}");
        }
    }
}
