//! DMOJ's patterns: which names in an archive are inputs and answers, and of which batch and case.

use std::collections::BTreeMap;
use std::path::Path;

use fancy_regex::{Regex, RegexBuilder};
use walkdir::WalkDir;

use crate::name_text;

const INPUT: &str = r"^(?=.*?\.in|in).*?(?:(?:^|\W)(?P<batch>\d+)[^\d\s]+)?(?P<case>\d+)[^\d\s]*$";
const OUTPUT: &str =
    r"^(?=.*?\.out|out).*?(?:(?:^|\W)(?P<batch>\d+)[^\d\s]+)?(?P<case>\d+)[^\d\s]*$";

/// The limit of backtracking steps of a pattern on one name.
const PATIENCE: usize = 100_000;

/// A case.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct MatchedFiles {
    /// `BATCH/CASE` or `CASE`.
    pub(super) name: String,
    pub(super) input: String,
    pub(super) output: Option<String>,
}

/// Why the files of an archive cannot be paired.
#[derive(Debug, thiserror::Error)]
pub(super) enum PairError {
    #[error(transparent)]
    Walk(#[from] walkdir::Error),
    #[error("several cases in the archive have the number {0}")]
    SameNumber(String),
    #[error("`{0}` in the archive is not the answer to an input")]
    NoInput(String),
    #[error("`{0}` is not a valid pattern: {1}")]
    Pattern(String, Box<fancy_regex::Error>),
    #[error("the pattern fails on `{0}`: {1}")]
    Match(String, Box<fancy_regex::Error>),
    #[error("the pattern has no group `(?P<case>…)`")]
    NoCaseGroup,
}

/// The id of a batch or case. Text sorts before numbers; numbers sort by value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum BatchId {
    Text(String),
    Number(u128),
}

impl BatchId {
    fn of(text: &str) -> Self {
        text.parse().map_or_else(|_| Self::Text(text.to_owned()), Self::Number)
    }

    fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.replace(['/', '\\'], "-"),
            Self::Number(number) => number.to_string(),
        }
    }
}

#[derive(Debug, Default)]
struct BatchFiles {
    input: Option<String>,
    output: Option<String>,
    batched: bool,
}

/// Pairs the files below `folder`, in judging order.
pub(super) fn pair(
    folder: &Path,
    input: Option<&str>,
    output: Option<&str>,
) -> Result<Vec<MatchedFiles>, PairError> {
    let mut names = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry?;
        let below = entry.path().strip_prefix(folder).ok();
        if let (true, Some(below)) = (entry.file_type().is_file(), below) {
            names.push(name_text::text(below.as_os_str()).replace('\\', "/"));
        }
    }
    pair_names(&names, input, output)
}

fn pair_names(
    names: &[String],
    input: Option<&str>,
    output: Option<&str>,
) -> Result<Vec<MatchedFiles>, PairError> {
    // A case without a batch is the only case of a batch with its number.
    let mut found: BTreeMap<BatchId, BTreeMap<BatchId, BatchFiles>> = BTreeMap::new();
    for (is_input, given, usual) in [(true, input, INPUT), (false, output, OUTPUT)] {
        let pattern = compile(given.unwrap_or(usual))?;
        for name in names {
            let Some((batch, case)) = position(&pattern, name)? else {
                continue;
            };
            let batched = batch.is_some();
            let batch = batch.unwrap_or_else(|| case.clone());
            let files = found.entry(batch).or_default().entry(case).or_default();
            files.batched |= batched;
            let slot = if is_input { &mut files.input } else { &mut files.output };
            *slot = Some(name.clone());
        }
    }
    let mut pairs = Vec::new();
    for (batch, cases) in found {
        let batched = cases.values().any(|files| files.batched);
        if !batched && cases.len() > 1 {
            return Err(PairError::SameNumber(batch.shown()));
        }
        for (case, files) in cases {
            let Some(input) = files.input else {
                return Err(PairError::NoInput(files.output.unwrap_or_default()));
            };
            pairs.push(MatchedFiles {
                name: if batched {
                    format!("{}/{}", batch.shown(), case.shown())
                } else {
                    case.shown()
                },
                input,
                output: files.output,
            });
        }
    }
    Ok(pairs)
}

fn compile(pattern: &str) -> Result<Regex, PairError> {
    let built = RegexBuilder::new(pattern).case_insensitive(true).backtrack_limit(PATIENCE).build();
    built.map_err(|error| PairError::Pattern(pattern.to_owned(), Box::new(error)))
}

/// The batch, if there is one, and the case that a name belongs to.
fn position(pattern: &Regex, name: &str) -> Result<Option<(Option<BatchId>, BatchId)>, PairError> {
    let captures = pattern
        .captures(name)
        .map_err(|error| PairError::Match(name.to_owned(), Box::new(error)))?;
    // Like Python's `match`: only from the first character.
    let Some(captures) = captures.filter(|all| all.get(0).is_some_and(|all| all.start() == 0))
    else {
        return Ok(None);
    };
    let id = |group| captures.name(group).map(|text| BatchId::of(text.as_str()));
    match id("case") {
        Some(case) => Ok(Some((id("batch"), case))),
        None => Err(PairError::NoCaseGroup),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(names: &[&str]) -> Vec<(String, String)> {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let pairs = pair_names(&names, None, None).unwrap();
        let both = pairs.into_iter().map(|pair| (pair.name, pair.input));
        both.collect()
    }

    #[test]
    fn the_usual_pattern_reads_the_usual_names() {
        let table = [
            ("test.1.in", "1"),
            ("test-1.in", "1"),
            ("test-case-1.in", "1"),
            ("test-1-2.in", "1/2"),
            ("test-batch-1-case-2.in", "1/2"),
            ("1.2.in", "1/2"),
            ("Data/1.2.IN", "1/2"),
        ];
        for (name, expected) in table {
            assert_eq!(pairs(&[name]), [(expected.to_owned(), name.to_owned())]);
        }
    }

    #[test]
    fn cases_without_a_batch_are_sorted_among_batches() {
        let names = ["10.in", "1.in", "2.1.in", "2.2.in", "3.in", "1.out", "2.1.out"];
        let found: Vec<String> = pairs(&names).into_iter().map(|(name, _)| name).collect();
        assert_eq!(found, ["1", "2/1", "2/2", "3", "10"]);
    }

    #[test]
    fn custom_and_invalid_patterns() {
        let names = ["a7x".to_owned(), "b7x".to_owned()];
        let pairs = pair_names(&names, Some(r"a(?P<case>\d+)"), Some(r"b(?P<case>\d+)")).unwrap();
        assert_eq!(pairs[0].output.as_deref(), Some("b7x"));
        assert!(pair_names(&names, Some("("), None).is_err());
        assert!(pair_names(&names, Some("a"), None).is_err());
        let evil = ["a".repeat(60)];
        let slow = pair_names(&evil, Some(r"^(?:(a|aa)\1?)+b(?P<case>\d+)$"), None);
        assert!(slow.is_err());
    }
}
