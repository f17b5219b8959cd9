//! The cases that a request has itself.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::case_files::CaseTexts;
use super::request::{ArgumentsRule, BatchRequest, RequestedCases};
use super::text::{self, NotText};

/// Cases as texts.
pub(super) struct InlineCases<'r> {
    pub(super) texts: CaseTexts<'r>,
    /// The group of each case; shorter if the last have none.
    pub(super) groups: Vec<Option<String>>,
}

/// What is wrong about the cases.
#[derive(Debug, thiserror::Error)]
pub(super) enum WrongCases {
    #[error("it has no cases: add `cases` or `problem`")]
    Missing,
    #[error("its list of cases is empty")]
    Empty,
    #[error("it has {inputs} inputs and {outputs} outputs")]
    Unequal { inputs: usize, outputs: usize },
    #[error("the {part} of case {number} {why}")]
    NoText { part: &'static str, number: usize, why: NotText },
}

/// The cases of the request. `None`: it names a problem.
pub(super) fn cases<'r>(
    request: &'r BatchRequest,
    token: &str,
) -> Result<Option<InlineCases<'r>>, WrongCases> {
    let Some(given) = given(request)? else {
        let is_alone = request.check.is_some() && request.problem.is_none();
        let alone = || InlineCases { texts: vec![with_token(token, "")], groups: Vec::new() };
        return match request.cases {
            Some(RequestedCases::Path(_)) => Ok(None),
            _ if is_alone => Ok(Some(alone())),
            _ if request.problem.is_some() => Ok(None),
            _ => Err(WrongCases::Missing),
        };
    };
    if given.is_empty() {
        return Err(WrongCases::Empty);
    }
    let arguments = request.function.as_ref().map(|function| function.arguments);
    let as_values = arguments == Some(ArgumentsRule::Values);
    let read = |number, part, value: &'r RawValue| {
        let read = if as_values { Ok(Cow::Borrowed(value.get())) } else { text::of(value) };
        read.map_err(|why| WrongCases::NoText { part, number, why })
    };
    let mut texts = CaseTexts::new();
    let most = request.limit_cases.unwrap_or(usize::MAX);
    for (index, (input, answer)) in given.into_iter().enumerate().take(most) {
        let input = read(index + 1, "input", input)?;
        let answer = answer.map(|answer| read(index + 1, "answer", answer)).transpose()?;
        let has_own_tests = request.check.is_some();
        texts.push(if has_own_tests { with_token(token, &input) } else { (input, answer) });
    }
    let groups = match &request.cases {
        Some(RequestedCases::List(list)) => list.iter().map(|case| case.group.clone()).collect(),
        _ => Vec::new(),
    };
    Ok(Some(InlineCases { texts, groups }))
}

/// Inputs and answers of a request.
type GivenCases<'r> = Vec<(&'r RawValue, Option<&'r RawValue>)>;

/// The cases as the request has them; `None`: it has none itself.
fn given(request: &BatchRequest) -> Result<Option<GivenCases<'_>>, WrongCases> {
    Ok(match &request.cases {
        Some(RequestedCases::List(cases)) => {
            let cases = cases.iter().map(|case| (&*case.input, case.answer.as_deref()));
            Some(cases.collect())
        }
        Some(RequestedCases::Parallel(lists)) => {
            let (inputs, outputs) = (&lists.inputs, &lists.outputs);
            if inputs.len() != outputs.len() {
                let (inputs, outputs) = (inputs.len(), outputs.len());
                return Err(WrongCases::Unequal { inputs, outputs });
            }
            let answers = outputs.iter().map(|output| Some(&**output));
            Some(inputs.iter().map(|input| &**input).zip(answers).collect())
        }
        Some(RequestedCases::Path(_)) | None => None,
    })
}

/// A case of a program with its own tests: the token is the first line of the input, and the answer.
fn with_token<'r>(token: &str, input: &str) -> (Cow<'r, str>, Option<Cow<'r, str>>) {
    (format!("{token}{input}").into(), Some(token.to_owned().into()))
}
