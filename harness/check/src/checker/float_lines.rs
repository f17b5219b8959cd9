//! Compares numbers with a tolerance, line by line, as cargo-compete and DMOJ do: with doubles, and with all that their
//! languages read as a number, such as `inf`.

use std::io::{self, Read};

use super::finding::{DifferenceKind, FoundDifference, TokenReason};
use rejudge_problem::checker_spec::{FloatJudge, FloatLines};
use rejudge_problem::printable::compared;

/// Compares two texts; `None` if the output is right.
pub fn compare(
    mut output: impl Read,
    mut answer: impl Read,
    rule: &FloatLines,
) -> io::Result<Option<FoundDifference>> {
    let (mut got, mut expected) = (Vec::new(), Vec::new());
    output.read_to_end(&mut got)?;
    answer.read_to_end(&mut expected)?;
    let (mut outputs, mut answers) = (words(&got, rule.judge), words(&expected, rule.judge));
    loop {
        let (output, answer) = (outputs.next(), answers.next());
        let same = match (&output, &answer) {
            (None, None) => return Ok(None),
            (Some(FloatPart::Word(got, _)), Some(FloatPart::Word(expected, _))) => {
                allows(rule, got, expected)
            }
            (Some(FloatPart::End(_)), Some(FloatPart::End(_))) => true,
            _ => false,
        };
        if !same {
            return Ok(Some(FoundDifference {
                output_offset: output.as_ref().map_or(got.len(), FloatPart::offset) as u64,
                answer_offset: answer.as_ref().map_or(expected.len(), FloatPart::offset) as u64,
                kind: kind(output, answer),
            }));
        }
    }
}

/// A word, or the end of a line that counts; with its offset.
enum FloatPart<'a> {
    Word(&'a [u8], usize),
    End(usize),
}

impl FloatPart<'_> {
    fn offset(&self) -> usize {
        match self {
            Self::Word(_, at) | Self::End(at) => *at,
        }
    }

    fn in_words(&self) -> String {
        /// The length of a word that is shown.
        const SHOWN: usize = 40;
        match self {
            Self::Word(word, _) => compared(word, SHOWN),
            Self::End(_) => "the end of the line".to_owned(),
        }
    }
}

fn kind(output: Option<FloatPart<'_>>, answer: Option<FloatPart<'_>>) -> DifferenceKind {
    let shown = |part: &Option<FloatPart<'_>>| {
        let text = part.as_ref().map(FloatPart::in_words);
        text.unwrap_or_else(|| "the end".to_owned())
    };
    let (expected, got) = (shown(&answer), shown(&output));
    match (output, answer) {
        (Some(FloatPart::Word(..)), Some(FloatPart::Word(..))) => {
            DifferenceKind::Token { expected, got, inside: None, why: TokenReason::TooFar(None) }
        }
        _ => DifferenceKind::Bytes { expected, got },
    }
}

/// The words of a text and the ends of its lines.
fn words(text: &[u8], judge: FloatJudge) -> impl Iterator<Item = FloatPart<'_>> {
    let is_end = move |byte: &u8| *byte == b'\n' || (judge == FloatJudge::Dmoj && *byte == b'\r');
    // After the last line end, there is no line.
    let whole = match judge {
        FloatJudge::Compete => text.strip_suffix(b"\n").unwrap_or(text),
        FloatJudge::Dmoj => text,
    };
    let lines = (!text.is_empty()).then(|| whole.split(is_end));
    let mut next = 0;
    let lines = lines.into_iter().flatten().map(move |line| {
        let at = next;
        next += line.len() + 1;
        (line, at)
    });
    let lines = lines.filter(move |(line, _)| judge == FloatJudge::Compete || !line.is_empty());
    lines.flat_map(|(line, at)| {
        let mut next = at;
        let words =
            line.split(|byte| byte.is_ascii_whitespace() || *byte == b'\x0b').map(move |word| {
                let at = next;
                next += word.len() + 1;
                FloatPart::Word(word, at)
            });
        let is_filled = |part: &FloatPart<'_>| !matches!(part, FloatPart::Word(b"", _));
        let end = FloatPart::End(at + line.len());
        words.filter(is_filled).chain(std::iter::once(end))
    })
}

fn allows(rule: &FloatLines, got: &[u8], expected: &[u8]) -> bool {
    match (number(got, rule.judge), number(expected, rule.judge)) {
        (Some(got), Some(expected)) => is_close(rule, got, expected),
        // DMOJ demands a number where the answer has one.
        (None, Some(_)) if rule.judge == FloatJudge::Dmoj => false,
        _ => got == expected,
    }
}

fn is_close(rule: &FloatLines, got: f64, expected: f64) -> bool {
    let absolute = rule.absolute.is_some_and(|most| (got - expected).abs() <= most);
    let relative = rule.relative.is_some_and(|most| match rule.judge {
        FloatJudge::Compete => ((expected - got) / got).abs() <= most,
        FloatJudge::Dmoj if rule.absolute.is_some() => {
            expected.abs() >= most && (1.0 - got / expected).abs() <= most
        }
        FloatJudge::Dmoj => {
            let bounds = [expected * (1.0 - most), expected * (1.0 + most)];
            bounds[0].min(bounds[1]) <= got && got <= bounds[0].max(bounds[1])
        }
    });
    absolute || relative
}

/// The double that the judge's language reads.
fn number(word: &[u8], judge: FloatJudge) -> Option<f64> {
    let text = str::from_utf8(word).ok()?;
    if judge == FloatJudge::Dmoj && text.contains('_') {
        // In Python, a single `_` may separate two digits.
        let is_digit =
            |at: Option<usize>| at.and_then(|at| word.get(at)).is_some_and(u8::is_ascii_digit);
        let mut marks = text.match_indices('_');
        let fits = marks.all(|(at, _)| is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)));
        return text.replace('_', "").parse().ok().filter(|_| fits);
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(output: &str, answer: &str, judge: FloatJudge, tolerances: [Option<f64>; 2]) -> bool {
        let rule = FloatLines { absolute: tolerances[0], relative: tolerances[1], judge };
        let found = compare(output.as_bytes(), answer.as_bytes(), &rule).unwrap();
        found.is_none()
    }

    #[test]
    fn each_judge_has_its_lines_and_numbers() {
        // Output, answer, and whether cargo-compete and DMOJ accept.
        let (no, yes) = (false, true);
        let table = [
            ("1.0\n", "1\n", [yes, yes]),
            ("1.0", "1\n", [yes, yes]),
            ("1.0000001 a\n", "1 a\n", [yes, yes]),
            ("1.1\n", "1\n", [no, no]),
            ("1 2\n3\n", "1\n2 3\n", [no, no]),
            ("1\n\n2\n", "1\n2\n", [no, yes]),
            ("1\n2\n\n", "1\n2\n", [no, yes]),
            ("1\r\n2\r\n", "1\n2\n", [yes, yes]),
            ("1\r2\n", "1\n2\n", [no, yes]),
            ("1\n \n2\n", "1\n2\n", [no, no]),
            ("  1\t2 \n", "1 2\n", [yes, yes]),
            ("inf\n", "inf\n", [no, no]),
            ("nan\n", "nan\n", [no, no]),
            ("Infinity\n", "1\n", [no, no]),
            ("INFINITE\n", "INFINITE\n", [yes, yes]),
            ("x\n", "1\n", [no, no]),
            ("1_0\n", "10\n", [no, yes]),
            ("1__0\n", "10\n", [no, no]),
            ("0x10\n", "16\n", [no, no]),
            ("", "", [yes, yes]),
            ("\n", "", [no, yes]),
            ("", "1\n", [no, no]),
            ("1 2\n", "1\n", [no, no]),
        ];
        for (output, answer, expected) in table {
            let judges = [FloatJudge::Compete, FloatJudge::Dmoj];
            let got = judges.map(|judge| same(output, answer, judge, [Some(1e-6); 2]));
            assert_eq!(got, expected, "{output:?} {answer:?}");
        }
    }

    #[test]
    fn relative_errors_are_those_of_the_judge() {
        let (compete, dmoj) = (FloatJudge::Compete, FloatJudge::Dmoj);
        // Relative to the output, relative to the answer.
        assert!(same("100", "90", compete, [None, Some(0.1)]));
        assert!(!same("90", "100", compete, [None, Some(0.1)]));
        assert!(same("90", "100", dmoj, [None, Some(0.1)]));
        assert!(same("-inf", "-inf", dmoj, [None, Some(0.1)]));
        assert!(!same("nan", "nan", dmoj, [None, Some(0.1)]));
        // Below the tolerance, only the absolute error counts.
        assert!(!same("0.3", "0.05", dmoj, [Some(0.1); 2]));
        assert!(!same("1", "2", compete, [Some(0.0), Some(0.0)]));
        assert!(same("x", "x", compete, [None, None]));
    }
}
