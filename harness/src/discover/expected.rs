//! `@EXPECTED_RESULTS@: A, B` in a source: the verdicts that its author expects.

use crate::verdict::Verdict;

/// The tag in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Tag {
    /// The source has no tag.
    Absent,
    /// The verdicts in the order of the tag, without duplicates.
    Results(Vec<Verdict>),
    /// The tag is invalid: its line, and the reason.
    Broken(u64, TagError),
}

/// Why a tag is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum TagError {
    #[error("`@EXPECTED_RESULTS@` is already in line {0}")]
    Second(u64),
    #[error("`@EXPECTED_RESULTS@` lists `{0}`, which is not a verdict")]
    NotAVerdict(String),
    #[error("`@EXPECTED_RESULTS@` lists no verdict")]
    Empty,
}

const TAG: &[u8] = b"@EXPECTED_RESULTS@";
const SCORE: &[u8] = b"@EXPECTED_SCORE@";

/// Every name of a verdict: rejudge's, those of ICPC folders, `DOMjudge`'s. In upper case, with `-`
/// between words.
const NAMES: [(&str, Verdict); 34] = {
    use Verdict::{
        Accepted, CompileError, MemoryLimit, OutputLimit, RunTimeError, TimeLimit, WrongAnswer,
    };
    [
        ("AC", Accepted),
        ("ACCEPTED", Accepted),
        ("CORRECT", Accepted),
        ("WA", WrongAnswer),
        ("WRONG-ANSWER", WrongAnswer),
        ("NO-OUTPUT", WrongAnswer),
        ("PE", WrongAnswer),
        ("PRESENTATION-ERROR", WrongAnswer),
        ("TLE", TimeLimit),
        ("TIMELIMIT", TimeLimit),
        ("TIME-LIMIT", TimeLimit),
        ("TIMELIMIT-EXCEEDED", TimeLimit),
        ("TIME-LIMIT-EXCEEDED", TimeLimit),
        ("RTE", RunTimeError),
        ("RE", RunTimeError),
        ("RUN-ERROR", RunTimeError),
        ("RUNTIME-ERROR", RunTimeError),
        ("RUN-TIME-ERROR", RunTimeError),
        ("MLE", MemoryLimit),
        ("MEMORYLIMIT", MemoryLimit),
        ("MEMORY-LIMIT", MemoryLimit),
        ("MEMORY-LIMIT-EXCEEDED", MemoryLimit),
        ("OLE", OutputLimit),
        ("OUTPUTLIMIT", OutputLimit),
        ("OUTPUT-LIMIT", OutputLimit),
        ("OUTPUT-LIMIT-EXCEEDED", OutputLimit),
        ("CE", CompileError),
        ("COMPILER-ERROR", CompileError),
        ("COMPILE-ERROR", CompileError),
        ("COMPILATION-ERROR", CompileError),
        ("COMPILE-TIME-ERROR", CompileError),
        ("RUNTIME", RunTimeError),
        ("WRONG", WrongAnswer),
        ("OK", Accepted),
    ]
};

/// Finds the tag in a source.
pub(super) fn tag(source: &[u8]) -> Tag {
    // Most sources have no tag: this is several times as fast as reading them line by line.
    if position(source, TAG).is_none() {
        return Tag::Absent;
    }
    let mut found: Option<(u64, Vec<Verdict>)> = None;
    for (number, line) in (1..).zip(source.split(|byte| *byte == b'\n')) {
        let Some(words) = after_tag(line) else {
            continue;
        };
        if let Some((first, _)) = found {
            return Tag::Broken(number, TagError::Second(first));
        }
        match results(&String::from_utf8_lossy(words)) {
            Ok(results) => found = Some((number, results)),
            Err(why) => return Tag::Broken(number, why),
        }
    }
    found.map_or(Tag::Absent, |(_, results)| Tag::Results(results))
}

/// The score in `@EXPECTED_SCORE@: N`, if a source has one.
pub(super) fn score(source: &[u8]) -> Option<f64> {
    position(source, SCORE)?;
    let mut lines = source.split(|byte| *byte == b'\n');
    let words = lines.find_map(|line| after(line, SCORE))?;
    let word = words.trim_ascii_start().split(u8::is_ascii_whitespace);
    let score: f64 = std::str::from_utf8(word.into_iter().next()?)
        .ok()?
        .parse()
        .ok()?;
    score.is_finite().then_some(score)
}

/// The rest of a line after the tag of verdicts and its colon.
fn after_tag(line: &[u8]) -> Option<&[u8]> {
    after(line, TAG)
}

fn after<'a>(line: &'a [u8], tag: &[u8]) -> Option<&'a [u8]> {
    let at = position(line, tag)?;
    line[at + tag.len()..].trim_ascii_start().strip_prefix(b":")
}

/// Where a text first has the tag, in upper or lower case.
fn position(text: &[u8], tag: &[u8]) -> Option<usize> {
    memchr::memchr_iter(b'@', text).find(|at| {
        text[*at..].len() >= tag.len() && text[*at..][..tag.len()].eq_ignore_ascii_case(tag)
    })
}

fn results(text: &str) -> Result<Vec<Verdict>, TagError> {
    let text = text.trim();
    // A comment may end on the same line: ignore its end mark.
    let text = ["*/", "-->", "*)", "-}", "\"\"\"", "'''", "}"]
        .iter()
        .find_map(|end| text.strip_suffix(end))
        .unwrap_or(text);
    let mut results = Vec::new();
    for word in text
        .split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty())
    {
        let name: String = word
            .chars()
            .map(|c| {
                if c == '_' || c == ' ' {
                    '-'
                } else {
                    c.to_ascii_uppercase()
                }
            })
            .collect();
        let Some((_, verdict)) = NAMES.iter().find(|(known, _)| *known == name) else {
            return Err(TagError::NotAVerdict(crate::notice::visible(word)));
        };
        if !results.contains(verdict) {
            results.push(*verdict);
        }
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
            (
                "x\n# @expected_results@:timelimit, Run_Error\r\ny",
                &[TimeLimit, RunTimeError],
            ),
            ("/* @EXPECTED_RESULTS@: CORRECT */", &[Accepted]),
            ("<!-- @EXPECTED_RESULTS@: wa -->", &[WrongAnswer]),
            (
                "(* @EXPECTED_RESULTS@ : AC, AC, WA *)",
                &[Accepted, WrongAnswer],
            ),
            (
                "// a@b @EXPECTED_RESULTS@: time limit exceeded",
                &[TimeLimit],
            ),
            ("// \u{e9}\u{e9} @EXPECTED_RESULTS@: AC,", &[Accepted]),
        ];
        for (source, expected) in table {
            assert_eq!(
                tag(source.as_bytes()),
                Tag::Results(expected.to_vec()),
                "{source}"
            );
        }
        assert_eq!(tag(b"int main() {}\n// @EXPECTED_RESULTS@\n"), Tag::Absent);
        assert_eq!(tag(b"\xff\xfe@"), Tag::Absent);
    }

    #[test]
    fn reads_the_expected_score() {
        for (source, expected) in [
            ("// @EXPECTED_SCORE@: 40", Some(40.0)),
            ("x\n/* @expected_score@ : 12.5 */", Some(12.5)),
            ("// @EXPECTED_SCORE@: many", None),
            ("// EXPECTED_SCORE: 4", None),
        ] {
            assert_eq!(score(source.as_bytes()), expected, "{source}");
        }
    }

    #[test]
    fn reports_invalid_tags() {
        let table = [
            (
                "\n// @EXPECTED_RESULTS@: FINE",
                2,
                TagError::NotAVerdict("FINE".to_owned()),
            ),
            ("// @EXPECTED_RESULTS@:", 1, TagError::Empty),
            (
                "// @EXPECTED_RESULTS@: AC\n\n// @EXPECTED_RESULTS@: WA",
                3,
                TagError::Second(1),
            ),
        ];
        for (source, line, why) in table {
            assert_eq!(tag(source.as_bytes()), Tag::Broken(line, why));
        }
    }

    proptest! {
        #[test]
        fn never_panics(source in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = tag(&source);
            let mut tagged = TAG.to_vec();
            tagged.extend(source);
            let _ = tag(&tagged);
        }

        #[test]
        fn reads_back_every_name_in_any_case(
            picks in proptest::collection::vec((0..NAMES.len(), any::<bool>()), 1..5),
        ) {
            let words: Vec<String> = picks
                .iter()
                .map(|(i, lower)| {
                    let name = NAMES[*i].0;
                    if *lower { name.to_lowercase().replace('-', "_") } else { name.to_owned() }
                })
                .collect();
            let mut expected = Vec::new();
            for (i, _) in picks {
                if !expected.contains(&NAMES[i].1) {
                    expected.push(NAMES[i].1);
                }
            }
            let source = format!("//@EXPECTED_RESULTS@: {}\n", words.join(","));
            prop_assert_eq!(tag(source.as_bytes()), Tag::Results(expected));
        }
    }
}
