//! Compares texts as JSON values: the order of keys, blanks and the notation of strings and numbers do not matter. For programs
//! whose output is what a function returned.

use std::collections::BTreeMap;
use std::io::{self, Read};

use super::finding::{DifferenceKind, FoundDifference, TokenReason};
use super::number::{self, NumberReader, Tolerance};
use rejudge_problem::checker_spec::{JsonRule, TokenOptions};
use rejudge_problem::printable::compared;

mod parser;

use parser::{JsonTree, JsonValue, read_all};

/// The length of a value that is shown.
const SHOWN: usize = 40;

/// Compares two texts, each a sequence of JSON values; `None` if they are equal.
///
/// # Errors
/// Also if the answer is not JSON.
pub fn compare(
    mut output: impl Read,
    mut answer: impl Read,
    rule: JsonRule,
) -> io::Result<Option<FoundDifference>> {
    let (mut got, mut expected) = (Vec::new(), Vec::new());
    output.read_to_end(&mut got)?;
    answer.read_to_end(&mut expected)?;
    let answers = read_all(&expected).map_err(|at| {
        let message = format!("the answer is not JSON at byte {}", at + 1);
        io::Error::new(io::ErrorKind::InvalidData, message)
    })?;
    let outputs = match read_all(&got) {
        Ok(outputs) => outputs,
        Err(at) => {
            let found = &got[at.min(got.len())..];
            let found = if found.is_empty() { "the end" } else { &compared(found, SHOWN) };
            return Ok(Some(FoundDifference {
                kind: DifferenceKind::Bytes { expected: "JSON".to_owned(), got: found.to_owned() },
                output_offset: at as u64,
                answer_offset: 0,
            }));
        }
    };
    let tolerance = rule.tolerance.and_then(|within| Tolerance::of(&TokenOptions::within(within)));
    let comparison = JsonComparison { output: &got, answer: &expected, tolerance };
    for index in 0..outputs.len().max(answers.len()) {
        let difference = match (outputs.get(index), answers.get(index)) {
            (Some(output), Some(answer)) => comparison.difference(output, answer),
            (output, answer) => Some(comparison.differ(output, answer)),
        };
        if difference.is_some() {
            return Ok(difference);
        }
    }
    Ok(None)
}

struct JsonComparison<'a> {
    output: &'a [u8],
    answer: &'a [u8],
    tolerance: Option<Tolerance>,
}

impl JsonComparison<'_> {
    /// The first place where two values differ.
    fn difference(&self, output: &JsonTree<'_>, answer: &JsonTree<'_>) -> Option<FoundDifference> {
        match (&output.value, &answer.value) {
            (JsonValue::List(got), JsonValue::List(expected)) => {
                let mut pairs = got.iter().zip(expected);
                let inside = pairs.find_map(|(got, expected)| self.difference(got, expected));
                inside.or_else(|| {
                    let shorter = got.len().min(expected.len());
                    let is_long = got.len() != expected.len();
                    is_long.then(|| self.differ(got.get(shorter), expected.get(shorter)))
                })
            }
            (JsonValue::Object(got), JsonValue::Object(expected)) => {
                self.in_objects((got, expected), output, answer)
            }
            (JsonValue::Number(got), JsonValue::Number(expected)) => {
                let equal = self.same_number(got, expected);
                (!equal).then(|| self.differ(Some(output), Some(answer)))
            }
            (got, expected) => (got != expected).then(|| self.differ(Some(output), Some(answer))),
        }
    }

    fn in_objects(
        &self,
        (got, expected): (&JsonObject<'_>, &JsonObject<'_>),
        output: &JsonTree<'_>,
        answer: &JsonTree<'_>,
    ) -> Option<FoundDifference> {
        for (key, expected) in expected {
            let difference = match got.get(key) {
                Some(got) => self.difference(got, expected),
                None => Some(FoundDifference {
                    output_offset: output.start as u64,
                    ..self.differ(None, Some(expected))
                }),
            };
            if difference.is_some() {
                return difference;
            }
        }
        let extra = got.iter().find(|(key, _)| !expected.contains_key(*key));
        extra.map(|(_, value)| FoundDifference {
            answer_offset: answer.start as u64,
            ..self.differ(Some(value), None)
        })
    }

    fn same_number(&self, got: &[u8], expected: &[u8]) -> bool {
        let (mut one, mut two) = (NumberReader::default(), NumberReader::default());
        one.feed(got);
        two.feed(expected);
        let whole = |number, head| number::Read::whole(number, head);
        let is_close = |within: &Tolerance| within.allows(whole(&one, got), whole(&two, expected));
        one.equals(&two) || !two.is_integer() && self.tolerance.as_ref().is_some_and(is_close)
    }

    /// The difference between two values, of which one may be missing.
    fn differ(
        &self,
        output: Option<&JsonTree<'_>>,
        answer: Option<&JsonTree<'_>>,
    ) -> FoundDifference {
        let show = |text: &[u8], tree: Option<&JsonTree<'_>>| {
            tree.map_or_else(
                || "nothing".to_owned(),
                |tree| compared(&text[tree.start..tree.end], SHOWN),
            )
        };
        let (expected, got) = (show(self.answer, answer), show(self.output, output));
        let kind = match (output, answer) {
            (Some(_), Some(_)) => {
                DifferenceKind::Token { expected, got, inside: None, why: TokenReason::Text }
            }
            _ => DifferenceKind::Bytes { expected, got },
        };
        let at = |text: &[u8], tree: Option<&JsonTree<'_>>| {
            tree.map_or(text.len(), |tree| tree.start) as u64
        };
        FoundDifference {
            kind,
            output_offset: at(self.output, output),
            answer_offset: at(self.answer, answer),
        }
    }
}

/// The values of an object by their keys.
type JsonObject<'a> = BTreeMap<Vec<u8>, JsonTree<'a>>;

#[cfg(test)]
mod tests {
    use super::*;

    fn same(output: &str, answer: &str, tolerance: Option<f64>) -> bool {
        compare(output.as_bytes(), answer.as_bytes(), JsonRule { tolerance }).unwrap().is_none()
    }

    #[test]
    fn values_are_equal_in_any_notation() {
        for (output, answer, equal) in [
            ("[1,2]", "[1, 2]\n", true),
            ("{\"a\": 1, \"b\": [true, null]}", "{\"b\":[true,null],\"a\":1}", true),
            (r#""\u00e9\n""#, "\"é\\u000a\"", true),
            (r#""\ud83d\ude00""#, "\"😀\"", true),
            ("1.0", "1", true),
            ("1e2", "100", true),
            ("-0", "0", true),
            ("100000000000000000000000000001", "100000000000000000000000000000", false),
            ("1", "true", false),
            ("0", "false", false),
            ("1", "\"1\"", false),
            ("null", "\"null\"", false),
            ("[1,2,3]", "[1,2]", false),
            ("[1]", "[1,2]", false),
            ("{\"a\":1}", "{}", false),
            ("{}", "{\"a\":1}", false),
            ("{\"a\":1,\"a\":2}", "{\"a\":2}", true),
            ("1\n2\n", "1 2", true),
            ("1\n2\n", "1", false),
            ("1", "1 2", false),
            ("", "", true),
            ("NaN", "NaN", true),
            ("-Infinity", "-Infinity", true),
            ("-Infinity", "Infinity", false),
            ("0.5000001", "0.5", false),
        ] {
            assert_eq!(same(output, answer, None), equal, "{output} {answer}");
        }
    }

    #[test]
    fn a_tolerance_is_for_numbers_that_the_answer_does_not_write_as_integers() {
        for (output, answer, equal) in [
            ("[0.5000001]", "[0.5]", true),
            ("[0.51]", "[0.5]", false),
            ("1000001", "1000000", false),
            ("1000001", "1000000.0", true),
            ("true", "1.0", false),
        ] {
            assert_eq!(same(output, answer, Some(1e-6)), equal, "{output} {answer}");
        }
    }

    #[test]
    fn what_is_no_json_is_wrong_in_an_output_and_a_fault_in_an_answer() {
        let deep = "[".repeat(100_000);
        for bad in ["[1,", "{1:2}", "01", "1.", "tru", "'a'", "\"a", "\"\\x\"", "[1 2]", "]", &deep]
        {
            assert!(!same(bad, "1", None), "{bad}");
            let fault = compare(&b"1"[..], bad.as_bytes(), JsonRule::default()).unwrap_err();
            assert!(fault.to_string().contains("the answer is not JSON at byte"), "{bad}: {fault}");
        }
    }

    #[test]
    fn the_difference_is_where_the_values_differ() {
        let (output, answer) = ("{\"a\": [1, 2, 4]}", "{\"a\": [1, 2, 3]}");
        let found = compare(output.as_bytes(), answer.as_bytes(), JsonRule::default()).unwrap();
        let mismatch = found.unwrap().explain(output.as_bytes(), answer.as_bytes()).unwrap();
        assert!(mismatch.headline.ends_with("expected `3`, got `4`"), "{}", mismatch.headline);
        assert_eq!(mismatch.at.unwrap().output.column, 14);
    }
}
