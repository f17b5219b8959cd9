//! `count`: how often a rule makes a case, and with which numbers.

use crate::problem::yaml::{Node, Value};

/// The largest number of cases of one rule.
const MOST: usize = 100;

/// Why a `count` is invalid.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum CountError {
    #[error(
        "`count` must be a number from 1 to {MOST}, a list of whole numbers, or a range such as `-4..=5`"
    )]
    Form,
    #[error("`count` contains {0} twice")]
    Twice(i64),
    #[error("`count` gives more than {MOST} cases")]
    TooMany,
}

/// The numbers of the cases of a rule, each with the end of the case's name. A rule without `count` makes one case.
pub(super) fn of(count: Option<&Node>) -> Result<Vec<(i64, String)>, CountError> {
    let Some(count) = count else {
        return Ok(vec![(1, String::new())]);
    };
    let numbers = numbers(&count.value)?;
    let (Some(least), Some(most)) = (numbers.iter().min(), numbers.iter().max()) else {
        return Err(CountError::Form);
    };
    let is_run = usize::try_from(most.abs_diff(*least)) == Ok(numbers.len() - 1);
    let digits = numbers.iter().map(|number| number.to_string().len());
    let width = digits.max().filter(|_| is_run).unwrap_or(0);
    let named = |number| (number, format!("-{number:0width$}"));
    Ok(numbers.iter().copied().map(named).collect())
}

fn numbers(count: &Value) -> Result<Vec<i64>, CountError> {
    let numbers = match count {
        Value::Number(_) => match whole(count) {
            Some(last) if last >= 1 => between(1, last)?,
            _ => return Err(CountError::Form),
        },
        Value::List(items) => {
            let mut numbers = Vec::new();
            for item in items {
                let number = whole(&item.value).ok_or(CountError::Form)?;
                if numbers.contains(&number) {
                    return Err(CountError::Twice(number));
                }
                numbers.push(number);
            }
            numbers
        }
        Value::Text(range) => {
            let ends = range.split_once("..=").ok_or(CountError::Form)?;
            let number = |text: &str| text.parse::<i64>().map_err(|_| CountError::Form);
            between(number(ends.0)?, number(ends.1)?)?
        }
        _ => return Err(CountError::Form),
    };
    match numbers.len() {
        0 => Err(CountError::Form),
        length if length > MOST => Err(CountError::TooMany),
        _ => Ok(numbers),
    }
}

fn between(first: i64, last: i64) -> Result<Vec<i64>, CountError> {
    match last.checked_sub(first).map(usize::try_from) {
        Some(Ok(distance)) if distance < MOST => Ok((first..=last).collect()),
        Some(Err(_)) => Err(CountError::Form),
        _ => Err(CountError::TooMany),
    }
}

fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.to_string().parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::yaml::parse;

    #[test]
    fn numbers_of_a_run_have_equal_width() {
        let table = [
            ("3", Ok(vec!["-1", "-2", "-3"])),
            ("[-1, 0, 1]", Ok(vec!["--1", "-00", "-01"])),
            ("-2..=1", Ok(vec!["--2", "--1", "-00", "-01"])),
            ("[0, 2]", Ok(vec!["-0", "-2"])),
            ("[-123456, 0, 1000000]", Ok(vec!["--123456", "-0", "-1000000"])),
            ("9..=10", Ok(vec!["-09", "-10"])),
            (
                "[-9000000000000000000, 9000000000000000000]",
                Ok(vec!["--9000000000000000000", "-9000000000000000000"]),
            ),
            ("0", Err(CountError::Form)),
            ("2.5", Err(CountError::Form)),
            ("[]", Err(CountError::Form)),
            ("[1, 1]", Err(CountError::Twice(1))),
            ("2..=1", Err(CountError::Form)),
            ("1..2", Err(CountError::Form)),
            ("1..=101", Err(CountError::TooMany)),
            ("0..=99999999999999999", Err(CountError::TooMany)),
            ("101", Err(CountError::TooMany)),
            ("yes", Err(CountError::Form)),
        ];
        for (text, expected) in table {
            let found = of(Some(&parse(text).unwrap()))
                .map(|all| all.into_iter().map(|(_, end)| end).collect::<Vec<_>>());
            let expected = expected.map(|all| all.into_iter().map(str::to_owned).collect());
            assert_eq!(found, expected, "{text}");
        }
        assert_eq!(of(None), Ok(vec![(1, String::new())]));
    }
}
