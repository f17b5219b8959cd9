//! Compares line by line and ignores some blanks. No ICPC format does this, but imported packages
//! of other formats need it.

use std::io::{self, Read};

use super::finding::{DifferenceKind, FoundDifference, byte_in_words};
use super::line_parts::{LocatedPart, parts};
use super::normal_text::Normal;
use rejudge_problem::checker_spec::LineRule;
use rejudge_problem::printable::{compared, one_line, quoted};

/// Compares two texts; `None` if they are equal under this rule.
pub fn compare(
    output: impl Read,
    answer: impl Read,
    rule: LineRule,
) -> io::Result<Option<FoundDifference>> {
    if !matches!(rule, LineRule::Whole | LineRule::Trimmed | LineRule::Blanks | LineRule::Words) {
        return compare_whole(output, answer, rule);
    }
    let (mut output, mut answer) = (Normal::new(output, rule), Normal::new(answer, rule));
    loop {
        let (got, expected) = (output.next()?, answer.next()?);
        if got != expected {
            return Ok(Some(FoundDifference {
                kind: DifferenceKind::Bytes { expected: in_words(expected), got: in_words(got) },
                output_offset: output.offset,
                answer_offset: answer.offset,
            }));
        }
        if got.is_none() {
            return Ok(None);
        }
    }
}

/// Compares two texts of which the rule ignores more than blanks, so that they have to be read whole.
fn compare_whole(
    mut output: impl Read,
    mut answer: impl Read,
    rule: LineRule,
) -> io::Result<Option<FoundDifference>> {
    let (mut got, mut expected) = (Vec::new(), Vec::new());
    output.read_to_end(&mut got)?;
    answer.read_to_end(&mut expected)?;
    let (mut outputs, mut answers) = (parts(&got, rule), parts(&expected, rule));
    loop {
        let (output, answer) = (outputs.next(), answers.next());
        if output.as_ref().map(|part| &part.0) != answer.as_ref().map(|part| &part.0) {
            let offset = |part: &Option<LocatedPart<'_>>, whole: &[u8]| {
                part.as_ref().map_or(whole.len(), |(_, at)| *at) as u64
            };
            return Ok(Some(FoundDifference {
                kind: DifferenceKind::Bytes {
                    expected: part_in_words(answer.as_ref()),
                    got: part_in_words(output.as_ref()),
                },
                output_offset: offset(&output, &got),
                answer_offset: offset(&answer, &expected),
            }));
        }
        if output.is_none() {
            return Ok(None);
        }
    }
}

fn part_in_words(part: Option<&LocatedPart<'_>>) -> String {
    /// The length of a part that is shown.
    const SHOWN: usize = 40;
    match part {
        Some((text, _)) if text.is_empty() => "an empty line".to_owned(),
        Some((text, _)) => quoted(&compared(text, SHOWN)),
        None => "the end".to_owned(),
    }
}

fn in_words(byte: Option<u8>) -> String {
    match (byte_in_words(byte, ""), byte) {
        ("", Some(byte)) => quoted(&one_line(&[byte], 1)),
        (words, _) => words.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(output: &str, answer: &str, rule: LineRule) -> bool {
        compare(output.as_bytes(), answer.as_bytes(), rule).unwrap().is_none()
    }

    #[test]
    fn each_rule_ignores_its_differences() {
        // Output, answer, and whether they are equal under `Whole`, `Trimmed`, `Blanks` and
        // `Words`.
        let (no, yes) = (false, true);
        let table = [
            ("a b\nc\n", "a b\nc\n", [yes, yes, yes, yes]),
            ("a b\nc", "a b\nc\n", [yes, yes, yes, yes]),
            ("a b\r\nc\r\n", "a b\nc\n", [yes, yes, yes, yes]),
            ("a b \nc\t\n", "a b\nc\n", [no, yes, yes, yes]),
            ("a b\nc\n\n \n", "a b\nc\n", [no, yes, yes, yes]),
            ("a  b\nc\n", "a b\nc\n", [no, no, yes, yes]),
            (" a b\nc\n", "a b\nc\n", [no, no, yes, yes]),
            ("a b\n\t c\n", "a b\nc\n", [no, no, yes, yes]),
            ("\na b\nc\n", "a b\nc\n", [no, no, no, yes]),
            ("a b\n\nc\n", "a b\nc\n", [no, no, no, yes]),
            ("a b c\n", "a b\nc\n", [no; 4]),
            ("a\nb\nc\n", "a b\nc\n", [no; 4]),
            ("A b\nc\n", "a b\nc\n", [no; 4]),
            ("a b\n", "a b\nc\n", [no; 4]),
            ("a b\nc\nd\n", "a b\nc\n", [no; 4]),
            ("ab\nc\n", "a b\nc\n", [no; 4]),
            ("", "", [yes; 4]),
            ("\n", "", [yes; 4]),
            (" \n\n", "", [no, yes, yes, yes]),
            ("", "a\n", [no; 4]),
        ];
        for (output, answer, expected) in table {
            for ((_, rule), expected) in LineRule::ALL.into_iter().zip(expected) {
                assert_eq!(same(output, answer, rule), expected, "{output:?} {rule:?}");
                assert_eq!(same(answer, output, rule), expected, "{output:?} {rule:?}");
            }
        }
    }

    #[test]
    fn rules_of_judges_ignore_what_their_programs_ignore() {
        // Output, answer, and whether they are equal under `Hydro`, `HydroStrict` and `Sinol`.
        let (no, yes) = (false, true);
        let table = [
            ("a b\n", "a b\n", [yes, yes, yes]),
            ("a b", "a b\n", [yes, yes, yes]),
            ("a b \t\r\n", "a b\n", [yes, no, yes]),
            ("a b\r\r\n", "a b\n", [yes, yes, yes]),
            ("a\r\n\r\nb", "a\n\nb\n", [yes, yes, yes]),
            ("a b\n\n\n", "a b\n", [yes, no, yes]),
            ("a b\n\r\n", "a b\n", [yes, no, yes]),
            ("a b\n  \n", "a b\n", [no, no, yes]),
            ("a b\n  ", "a b\n", [no, no, yes]),
            ("a\n  \nb\n", "a\n\nb\n", [yes, no, yes]),
            ("a\n\nb\n", "a\nb\n", [no, no, no]),
            ("\na\n", "a\n", [no, no, no]),
            ("a  b\n", "a b\n", [no, no, yes]),
            (" a b\n", "a b\n", [no, no, yes]),
            ("a\0b\n", "a b\n", [no, no, yes]),
            ("a b\x0c\n", "a b\n", [no, no, no]),
            ("a\x0cb\n", "a b\n", [no, no, no]),
            ("a b\x0b\n", "a b\n", [no, no, yes]),
            ("a\rb\n", "a b\n", [no, no, yes]),
            ("A b\n", "a b\n", [no, no, no]),
            ("", "", [yes, yes, yes]),
            ("\n", "", [yes, no, yes]),
            ("\r", "", [yes, no, yes]),
            ("\r\n", "\n", [yes, yes, yes]),
            (" ", "", [no, no, yes]),
            ("", "a\n", [no, no, no]),
        ];
        for (output, answer, expected) in table {
            let rules = [LineRule::Hydro, LineRule::HydroStrict, LineRule::Sinol];
            for (rule, expected) in rules.into_iter().zip(expected) {
                assert_eq!(same(output, answer, rule), expected, "{output:?} {rule:?}");
                assert_eq!(same(answer, output, rule), expected, "{output:?} {rule:?}");
            }
        }
    }

    #[test]
    fn only_the_end_of_the_text_is_stripped() {
        for (output, answer, expected) in [
            ("a b\n", "a b\n", true),
            ("a b \n \t\n\x0b\r\n", "a b", true),
            ("a \nb\n", "a\nb\n", false),
            ("a\r\nb\n", "a\nb\n", false),
            (" a\n", "a\n", false),
            ("a\n\nb\n", "a\nb\n", false),
            ("\n\n", "", true),
            ("", "a", false),
        ] {
            assert_eq!(same(output, answer, LineRule::Stripped), expected, "{output:?}");
        }
    }

    #[test]
    fn lines_of_numbers_are_equal_as_livecodebench_compares_them() {
        for (output, answer, expected) in [
            ("1 2\n", "1 2", true),
            ("\n 1  2 \n\n", "1 2", true),
            ("1.0 2e0\n", "1 2", true),
            ("0.1", "0.10000000000000000000000000001", false),
            ("-0", "0", true),
            ("1\n\n2", "1\n2", false),
            ("1 2", "1\n2", false),
            ("1 x", "1.0 x", false),
            ("a  b", "a b", false),
            ("Yes", "YES", false),
            ("1000001", "1000000", false),
            ("nan 1", "nan 1.0", false),
            ("nan 1", "nan 1", true),
            ("", "\n", true),
            ("", "0", false),
        ] {
            assert_eq!(same(output, answer, LineRule::Decimal), expected, "{output:?} {answer:?}");
            assert_eq!(same(answer, output, LineRule::Decimal), expected, "{output:?} {answer:?}");
        }
        let (output, answer) = (&b"1\n  2 3\n"[..], &b"1\n2 4\n"[..]);
        let finding = compare(output, answer, LineRule::Decimal).unwrap().unwrap();
        let headline = finding.explain(output, answer).unwrap().headline;
        assert!(headline.starts_with("byte 5 (line 2, column 3)"), "{headline}");
    }

    #[test]
    fn rules_for_whole_texts_ignore_the_order_or_the_lines() {
        // Output, answer, and whether they are equal under `Ends`, `Letters`, `Sorted`, `SortedWords`, `Filled` and
        // `FilledEnds`.
        let (no, yes) = (false, true);
        let table = [
            ("a b\nc\n", "a b\nc\n", [yes; 6]),
            ("a b \nc\n", "a b\nc\n", [yes; 6]),
            ("a b\nc", "a b\nc\n", [no, yes, yes, yes, yes, yes]),
            ("a b\n\nc\n", "a b\nc\n", [no, yes, yes, yes, yes, yes]),
            ("a b\n \nc\n", "a b\nc\n", [no, yes, no, yes, no, no]),
            ("c\na b\n", "a b\nc\n", [no, yes, yes, yes, no, no]),
            ("c b\na\n", "a b\nc\n", [no, yes, no, yes, no, no]),
            ("a  b\nc\n", "a b\nc\n", [no, yes, yes, yes, no, no]),
            (" a b\nc\n", "a b\nc\n", [no, yes, yes, yes, yes, no]),
            ("C\nBA\n", "a b\nc\n", [no, yes, no, no, no, no]),
            ("a b\n", "a b\nc\n", [no; 6]),
            ("a b\nc\nc\n", "a b\nc\n", [no; 6]),
            ("", "", [yes; 6]),
        ];
        for (output, answer, expected) in table {
            for ((_, rule), expected) in LineRule::ALL.into_iter().skip(4).zip(expected) {
                assert_eq!(same(output, answer, rule), expected, "{output:?} {rule:?}");
                assert_eq!(same(answer, output, rule), expected, "{output:?} {rule:?}");
            }
        }
        let finding = compare(&b"b\n"[..], &b"a\nb\n"[..], LineRule::Sorted).unwrap();
        let mismatch = finding.unwrap().explain(&b"b\n"[..], &b"a\nb\n"[..]).unwrap();
        assert!(mismatch.headline.contains("expected `a`, got `b`"), "{}", mismatch.headline);
        for (output, rule, place) in [
            ("a\nx\n", LineRule::Ends, "line 2, column 1"),
            ("a\nx\n", LineRule::Letters, "line 2, column 1"),
            ("c\na\n", LineRule::Sorted, "line 1, column 1"),
            ("c a\n", LineRule::SortedWords, "line 1, column 1"),
            ("\na\nc\n", LineRule::Filled, "line 3, column 1"),
            ("\na\nc\n", LineRule::FilledEnds, "line 3, column 1"),
        ] {
            let (output, answer) = (output.as_bytes(), &b"a\nb\n"[..]);
            let finding = compare(output, answer, rule).unwrap().unwrap();
            let headline = finding.explain(output, answer).unwrap().headline;
            assert!(headline.contains(place), "{rule:?}: {headline}");
        }
    }

    #[test]
    fn the_position_of_the_difference_is_reported() {
        let finding = compare(&b"a\nb x\n"[..], &b"a\nb y\n"[..], LineRule::Trimmed).unwrap();
        let mismatch = finding.unwrap().explain(&b"a\nb x\n"[..], &b"a\nb y\n"[..]).unwrap();
        assert_eq!(mismatch.headline, "byte 5 (line 2, column 3): expected `y`, got `x`");
    }

    #[test]
    fn the_position_is_that_of_the_byte_that_differs_and_not_of_the_next_one() {
        use LineRule::{Blanks, Trimmed, Whole, Words};
        for (output, answer, rules, expected) in [
            ("1.4\n", "1.41\n", &[Whole, Trimmed, Blanks, Words][..], "byte 4 (line 1, column 4)"),
            ("1.4", "1.41", &[Whole, Trimmed, Blanks, Words], "byte 4 (line 1, column 4)"),
            ("1.41\n", "1.4\n", &[Whole, Trimmed, Blanks, Words], "byte 4 (line 1, column 4)"),
            ("a b\n", "ab\n", &[Whole, Trimmed, Blanks, Words], "byte 2 (line 1, column 2)"),
            ("a \n b\n", "ab\n", &[Trimmed, Blanks, Words], "byte 2 (line 1, column 2)"),
            ("a\n\nb\n", "a\nb\n", &[Whole, Trimmed, Blanks], "byte 3 (line 2, column 1)"),
            ("a  \n\n", "ab\n", &[Trimmed, Blanks, Words], "byte 2 (line 1, column 2)"),
            ("a  b\n", "a c\n", &[Blanks, Words], "byte 4 (line 1, column 4)"),
        ] {
            for &rule in rules {
                let finding = compare(output.as_bytes(), answer.as_bytes(), rule).unwrap();
                let mismatch =
                    finding.unwrap().explain(output.as_bytes(), answer.as_bytes()).unwrap();
                let headline = mismatch.headline;
                assert!(headline.starts_with(expected), "{output:?} {rule:?}: {headline}");
            }
        }
        // Runs of line ends that are not kept apart.
        let many = format!("a{}b", "\n ".repeat(3000));
        assert!(compare(many.as_bytes(), many.as_bytes(), Trimmed).unwrap().is_none());
    }
}
