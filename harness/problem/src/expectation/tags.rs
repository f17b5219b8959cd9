//! `@EXPECTED_RESULTS@: A, B` and `@EXPECTED_SCORE@: N` in a source: the verdicts and the score that its author expects.

use super::Vocabulary;
use crate::notice::visible;
use crate::verdict::Verdict;

/// What the tags in a source state.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Stated {
    /// The verdicts in the order of the tag, without duplicates. None at all: any verdict may be right.
    pub results: Option<Vec<Verdict>>,
    /// The points.
    pub score: Option<f64>,
}

/// An invalid tag: its line, and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrokenTag {
    /// The line of the source, from 1.
    pub line: u64,
    /// What is wrong.
    pub why: TagError,
}

/// Why a tag is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TagError {
    /// The tag is there twice.
    #[error("`{0}` is already in line {1}")]
    Second(&'static str, u64),
    /// A word names no verdict.
    #[error("`@EXPECTED_RESULTS@` lists `{0}`, which is not a verdict")]
    NotAVerdict(String),
    /// No verdict follows the tag.
    #[error("`@EXPECTED_RESULTS@` lists no verdict")]
    Empty,
    /// What follows is neither a number nor verdicts.
    #[error("`@EXPECTED_SCORE@` is neither a number nor a list of verdicts: `{0}`")]
    NotAScore(String),
}

impl TagError {
    /// How to write the tag.
    #[must_use]
    pub fn help(&self) -> &'static str {
        match self {
            Self::Second(SCORE, _) | Self::NotAScore(_) => "write it as `@EXPECTED_SCORE@: 40`",
            _ => "write it as `@EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT`",
        }
    }
}

const TAG: &str = "@EXPECTED_RESULTS@";
const SCORE: &str = "@EXPECTED_SCORE@";

/// Finds the tags in a source. Without `with_results`, another place decides about the verdicts, and only a score counts.
///
/// As in `DOMjudge`, a score that is not a number is a list of verdicts.
///
/// # Errors
///
/// A tag that is there twice, or followed by something else.
pub fn stated(source: &[u8], with_results: bool) -> Result<Stated, BrokenTag> {
    let mut stated = Stated::default();
    // Most sources have no tag: this is several times as fast as reading them line by line.
    if position(source, TAG.as_bytes()).is_none() && position(source, SCORE.as_bytes()).is_none() {
        return Ok(stated);
    }
    let (mut of_results, mut of_score) = (None, None);
    for (line, text) in (1..).zip(source.split(|byte| *byte == b'\n')) {
        let broken = |why| BrokenTag { line, why };
        let first = |known: &mut Option<u64>, tag| match known.replace(line) {
            Some(earlier) => Err(broken(TagError::Second(tag, earlier))),
            None => Ok(()),
        };
        if with_results && let Some(words) = after(text, TAG) {
            first(&mut of_results, TAG)?;
            stated.results = Some(results(&words).map_err(broken)?);
        }
        let Some(words) = after(text, SCORE) else {
            continue;
        };
        if let Some(score) = number(&words) {
            first(&mut of_score, SCORE)?;
            stated.score = Some(score);
            continue;
        }
        let verdicts = results(&words).map_err(|_| broken(TagError::NotAScore(visible(&words))))?;
        if with_results {
            first(&mut of_results, TAG)?;
            stated.results = Some(verdicts);
        }
    }
    Ok(stated)
}

fn number(words: &str) -> Option<f64> {
    let score: f64 = words.split_ascii_whitespace().next()?.parse().ok()?;
    score.is_finite().then_some(score)
}

/// The words of a line after a tag and its colon.
fn after(line: &[u8], tag: &str) -> Option<String> {
    let at = position(line, tag.as_bytes())?;
    let words = line[at + tag.len()..].trim_ascii_start();
    let words = String::from_utf8_lossy(words.strip_prefix(b":")?);
    let words = words.trim();
    // A comment may end on the same line: ignore its end mark.
    let words = ["*/", "-->", "*)", "-}", "\"\"\"", "'''", "}"]
        .iter()
        .find_map(|end| words.strip_suffix(end))
        .unwrap_or(words);
    Some(words.trim_end().to_owned())
}

/// Where a text first has the tag, in upper or lower case.
fn position(text: &[u8], tag: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'@', text).find(|at| {
        text[*at..].len() >= tag.len() && text[*at..][..tag.len()].eq_ignore_ascii_case(tag)
    })
}

fn results(text: &str) -> Result<Vec<Verdict>, TagError> {
    let mut is_manual = false;
    let mut results = Vec::new();
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let Some(meaning) = Vocabulary::Tag.meaning(word) else {
            return Err(TagError::NotAVerdict(visible(word)));
        };
        // A person has to look at the submission: no verdict is expected.
        let Some(verdict) = meaning.verdict() else {
            is_manual = true;
            continue;
        };
        if !results.contains(&verdict) {
            results.push(verdict);
        }
    }
    if is_manual {
        return Ok(Vec::new());
    }
    if results.is_empty() {
        return Err(TagError::Empty);
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Accepted, RunTimeError, TimeLimit, WrongAnswer};
    use proptest::prelude::*;

    #[test]
    fn reads_tags_in_every_notation() {
        let table: [(&str, &[Verdict]); 7] = [
            ("// @EXPECTED_RESULTS@: WRONG-ANSWER\n", &[WrongAnswer]),
            ("x\n# @expected_results@:timelimit, Run_Error\r\ny", &[TimeLimit, RunTimeError]),
            ("/* @EXPECTED_RESULTS@: CORRECT */", &[Accepted]),
            ("<!-- @EXPECTED_RESULTS@: wa -->", &[WrongAnswer]),
            ("(* @EXPECTED_RESULTS@ : AC, AC, WA *)", &[Accepted, WrongAnswer]),
            ("// a@b @EXPECTED_RESULTS@: time limit exceeded", &[TimeLimit]),
            ("// \u{e9}\u{e9} @EXPECTED_RESULTS@: AC,", &[Accepted]),
        ];
        for (source, expected) in table {
            assert_eq!(of(source), Ok((Some(expected.to_vec()), None)), "{source}");
        }
        assert_eq!(of("int main() {}\n// @EXPECTED_RESULTS@\n"), Ok((None, None)));
        assert_eq!(stated(b"\xff\xfe@", true), Ok(Stated::default()));
    }

    /// The verdicts and the score that the source states.
    fn of(source: &str) -> Result<(Option<Vec<Verdict>>, Option<f64>), BrokenTag> {
        stated(source.as_bytes(), true).map(|stated| (stated.results, stated.score))
    }

    #[test]
    fn reads_the_expected_score() {
        for (source, expected) in [
            ("// @EXPECTED_SCORE@: 40", Some(40.0)),
            ("x\n/* @expected_score@ : 12.5 */", Some(12.5)),
            ("/* @EXPECTED_SCORE@: 12.5*/", Some(12.5)),
            ("// @EXPECTED_SCORE@: 40 points", Some(40.0)),
            ("// EXPECTED_SCORE: 4", None),
            ("// it has @EXPECTED_SCORE@ as a tag", None),
        ] {
            assert_eq!(of(source), Ok((None, expected)), "{source}");
        }
        let both = "// @EXPECTED_SCORE@: 40\n// @EXPECTED_RESULTS@: WA";
        assert_eq!(of(both), Ok((Some(vec![WrongAnswer]), Some(40.0))));
    }

    #[test]
    fn a_score_that_is_not_a_number_is_a_list_of_verdicts() {
        let source = "\'\'\'\n@EXPECTED_SCORE@: CORRECT, NO-OUTPUT\n\'\'\'";
        let verdicts = vec![Accepted, WrongAnswer];
        assert_eq!(of(source), Ok((Some(verdicts), None)));
        assert_eq!(stated(source.as_bytes(), false), Ok(Stated::default()));
        for with_results in [true, false] {
            let broken = stated(b"\n// @EXPECTED_SCORE@: 4O", with_results);
            let why = TagError::NotAScore("4O".to_owned());
            assert_eq!(broken, Err(BrokenTag { line: 2, why }));
        }
    }

    #[test]
    fn a_verdict_that_a_person_checks_is_any_verdict() {
        let source = "// @EXPECTED_RESULTS@: CORRECT, CHECK-MANUALLY";
        assert_eq!(of(source), Ok((Some(Vec::new()), None)));
    }

    #[test]
    fn reports_invalid_tags() {
        let table = [
            ("\n// @EXPECTED_RESULTS@: FINE", 2, TagError::NotAVerdict("FINE".to_owned())),
            ("// @EXPECTED_RESULTS@:", 1, TagError::Empty),
            ("// @EXPECTED_RESULTS@: AC\n\n// @EXPECTED_RESULTS@: WA", 3, TagError::Second(TAG, 1)),
            ("// @EXPECTED_RESULTS@: AC\n// @EXPECTED_SCORE@: AC", 2, TagError::Second(TAG, 1)),
            ("// @EXPECTED_SCORE@: 1\n// @EXPECTED_SCORE@: 1", 2, TagError::Second(SCORE, 1)),
            ("// @EXPECTED_SCORE@: inf", 1, TagError::NotAScore("inf".to_owned())),
        ];
        for (source, line, why) in table {
            assert_eq!(of(source), Err(BrokenTag { line, why }), "{source}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(source in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = stated(&source, true);
            for tag in [TAG, SCORE] {
                let mut tagged = tag.as_bytes().to_vec();
                tagged.extend(&source);
                let _ = stated(&tagged, true);
            }
        }
    }
}
