//! Answers that a checker of testlib cannot read. It fails then, whatever the output is, and so must the built-in checker in its
//! place: such an answer is a fault of the package.

use std::io::{self, Read};

use super::window::is_blank;
use rejudge_problem::checker_spec::AnswerWords;
use rejudge_problem::printable::{compared, quoted};

/// The first difference, at which the checker stops.
#[derive(Debug, Clone, Copy)]
pub(super) struct CheckerStop {
    /// The offset of the answer's word, in bytes.
    pub(super) answer: u64,
    /// Whether the output ends before it.
    pub(super) output_ended: bool,
}

impl CheckerStop {
    /// Whether the checker looks at the word of the answer at the offset `word`. Some read the output's word first, and reject
    /// an output that has none.
    fn is_after(self, word: u64, words: AnswerWords) -> bool {
        let output_first = matches!(words, AnswerWords::Integer | AnswerWords::YesNo);
        if self.output_ended && output_first { word < self.answer } else { word <= self.answer }
    }
}

/// Why the checker fails: the first word of the answer that it cannot read. It reads no word after `stop`.
pub(super) fn fault(
    mut answer: impl Read,
    words: AnswerWords,
    stop: Option<CheckerStop>,
) -> io::Result<Option<String>> {
    /// The length of a word that is shown.
    const SHOWN: usize = 40;
    let Some((fits, expected)) = rule(words) else {
        return Ok(None);
    };
    let mut text = Vec::new();
    answer.read_to_end(&mut text)?;
    let mut next = 0_u64;
    let mut parts = text.split(|byte| is_blank(*byte)).map(|word| {
        let at = next;
        next += word.len() as u64 + 1;
        (word, at)
    });
    let is_read = |at| stop.is_none_or(|stop| stop.is_after(at, words));
    let bad = parts.find(|(word, at)| !word.is_empty() && is_read(*at) && !fits(word));
    Ok(bad.map(|(word, _)| {
        let word = quoted(&compared(word, SHOWN));
        format!("the answer has {word}, but the checker of testlib needs {expected}")
    }))
}

type AnswerRule = fn(&[u8]) -> bool;

fn rule(words: AnswerWords) -> Option<(AnswerRule, &'static str)> {
    Some(match words {
        AnswerWords::Any => return None,
        AnswerWords::Int32 => (
            |word| integer(word).is_some_and(|number| i32::try_from(number).is_ok()),
            "numbers from -2147483648 to 2147483647",
        ),
        AnswerWords::Int64 => (
            |word| integer(word).is_some(),
            "numbers from -9223372036854775808 to 9223372036854775807",
        ),
        AnswerWords::Integer => (is_integer, "integers without leading zeros"),
        AnswerWords::Real => (is_real, "numbers"),
        AnswerWords::YesNo => (
            |word| word.eq_ignore_ascii_case(b"yes") || word.eq_ignore_ascii_case(b"no"),
            "`YES` or `NO`",
        ),
    })
}

/// Whether it is an integer in the only notation that testlib reads.
fn is_integer(word: &[u8]) -> bool {
    match word.strip_prefix(b"-").unwrap_or(word) {
        b"0" => word == b"0",
        digits => {
            digits.first().is_some_and(|first| *first != b'0')
                && digits.iter().all(u8::is_ascii_digit)
        }
    }
}

fn integer(word: &[u8]) -> Option<i64> {
    let text = str::from_utf8(word).ok()?;
    text.parse().ok().filter(|_| is_integer(word))
}

/// Whether it is a number for testlib, which reads no `inf`, and ignores an exponent without digits.
fn is_real(word: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(word) else {
        return false;
    };
    let only = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
    let body = text.trim_end_matches(['+', '-']).strip_suffix(['e', 'E']).unwrap_or(text);
    text.chars().all(only) && (text.parse::<f64>().is_ok() || body.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_testlib_cannot_read_are_faults() {
        let (no, yes) = (false, true);
        // The word, and whether it may be in an answer for `icmp`, `ncmp`, `hcmp`, `rcmp` and `yesno`.
        let table = [
            ("7", [yes, yes, yes, yes, no]),
            ("-7", [yes, yes, yes, yes, no]),
            ("0", [yes, yes, yes, yes, no]),
            ("-0", [no, no, no, yes, no]),
            ("007", [no, no, no, yes, no]),
            ("+7", [no, no, no, yes, no]),
            ("2147483647", [yes, yes, yes, yes, no]),
            ("2147483648", [no, yes, yes, yes, no]),
            ("-2147483648", [yes, yes, yes, yes, no]),
            ("9223372036854775808", [no, no, yes, yes, no]),
            ("1.5", [no, no, no, yes, no]),
            ("1e5", [no, no, no, yes, no]),
            ("1e", [no, no, no, yes, no]),
            ("inf", [no; 5]),
            ("nan", [no; 5]),
            ("0x10", [no; 5]),
            ("-", [no; 5]),
            ("YES", [no, no, no, no, yes]),
            ("No", [no, no, no, no, yes]),
            ("Alice", [no; 5]),
        ];
        let rules = [
            AnswerWords::Int32,
            AnswerWords::Int64,
            AnswerWords::Integer,
            AnswerWords::Real,
            AnswerWords::YesNo,
        ];
        for (word, expected) in table {
            let found = rules.map(|rule| fault(word.as_bytes(), rule, None).unwrap().is_none());
            assert_eq!(found, expected, "{word}");
            assert_eq!(fault(word.as_bytes(), AnswerWords::Any, None).unwrap(), None);
        }
        assert_eq!(
            fault(&b"1\n x\n"[..], AnswerWords::Int32, None).unwrap().unwrap(),
            "the answer has `x`, but the checker of testlib needs numbers from -2147483648 to 2147483647"
        );
        // The checker stops at an earlier difference.
        let fails = |words, answer, output_ended| {
            let stop = Some(CheckerStop { answer, output_ended });
            fault(&b"1\n x\n"[..], words, stop).unwrap().is_some()
        };
        assert!(!fails(AnswerWords::Int32, 0, false));
        assert!(fails(AnswerWords::Int32, 3, false));
        // `hcmp`, `yesno` and `nyesno` first read the output, `icmp` the answer.
        assert!(fails(AnswerWords::Int32, 3, true));
        assert!(fails(AnswerWords::Integer, 3, false));
        assert!(!fails(AnswerWords::Integer, 3, true));
        assert!(!fails(AnswerWords::YesNo, 0, true));
    }
}
