//! Finds extremes that the input validators allow and that no case reaches.
//!
//! A validator written with testlib logs which of its variables are at an extreme. Other validators are asked: a number
//! that is at the same place in every input is replaced by greater and smaller ones. What is reported was accepted by
//! the validators, so it is never wrong; but a number that other parts of the input depend on cannot be tried.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read as _;

use super::overview::Overview;
use super::positions::{PlacedInteger, TokenPlace, furthest, integers};
use crate::generate::captured;
use crate::judge::Tools;
use crate::problem::{Problem, TestCase};
use crate::sandbox::{Captured, RunnerSource, SandboxError};
use crate::verify::VerifiedPrograms;

/// The first lines of an input are looked for in this part of it.
const START: u64 = 64 << 10;

/// An extreme that no case reaches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MissingExtreme {
    /// The validator's name for the variable, or its place.
    pub(crate) variable: String,
    pub(crate) is_greatest: bool,
    /// The extreme, if it is known.
    pub(crate) bound: Option<String>,
    /// The furthest value that was tried and accepted, if values were tried.
    pub(crate) accepted: Option<String>,
    /// The furthest value that occurs, if it is known.
    pub(crate) reached: Option<String>,
}

/// The extremes of a problem's inputs.
#[derive(Debug, Default)]
pub(crate) struct BoundsReview {
    /// Whether the log of a validator written with testlib names the variables. Otherwise they are places.
    pub(crate) is_logged: bool,
    /// The number of variables.
    pub(crate) variables: usize,
    pub(crate) missing: Vec<MissingExtreme>,
    /// Features that the validator knows, and that no case has.
    pub(crate) missing_features: Vec<String>,
}

/// Asks the input validators of `problem`; `None`: there are none that answer.
pub(crate) fn bounds(
    problem: &Problem,
    tools: Tools<'_>,
    runners: &RunnerSource,
) -> Result<Option<BoundsReview>, SandboxError> {
    // Faults of the programs are for `rejudge verify`.
    let mut programs = VerifiedPrograms::build(problem, tools, runners, &mut Vec::new())?;
    let logging = programs.testlib_validators();
    if !logging.is_empty()
        && let Some(review) = logged(problem, &logging, &mut programs)?
    {
        return Ok(Some(review));
    }
    if !programs.has_validators() {
        return Ok(None);
    }
    tried(problem, &mut programs).map(Some)
}

/// What the logs of these validators show; `None`: nothing. An old testlib writes no log, or an empty one.
fn logged(
    problem: &Problem,
    validators: &[usize],
    programs: &mut VerifiedPrograms<'_>,
) -> Result<Option<BoundsReview>, SandboxError> {
    let mut overview = Overview::default();
    for case in &problem.cases {
        let Ok(input) = captured(&case.input()) else {
            continue;
        };
        for validator in validators {
            if let Some(log) = programs.overview(*validator, case, &input)? {
                overview.add(&text_of(&log));
            }
        }
    }
    let mut review = BoundsReview {
        is_logged: true,
        variables: overview.variables.len(),
        ..BoundsReview::default()
    };
    for (name, variable) in overview.variables {
        let (least, greatest) = variable.bounds();
        let ends = [(variable.has_minimum, false, least), (variable.has_maximum, true, greatest)];
        for (_, is_greatest, bound) in ends.into_iter().filter(|(reached, ..)| !reached) {
            review.missing.push(MissingExtreme {
                variable: name.clone(),
                is_greatest,
                bound,
                accepted: None,
                reached: None,
            });
        }
    }
    let features = overview.features.into_iter().filter(|(_, hit)| !hit);
    review.missing_features = features.map(|(name, _)| name).collect();
    let shows = review.variables > 0 || !review.missing_features.is_empty();
    Ok(shows.then_some(review))
}

fn text_of(log: &Captured) -> String {
    let mut bytes = Vec::new();
    if let Ok(reader) = log.reader() {
        // What cannot be read back is missing in the report, and nothing else.
        let _ = reader.take(START).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// An input of which the start was read.
struct OpenedInput<'a> {
    case: &'a TestCase,
    text: String,
    /// Whether `text` is the whole input.
    is_whole: bool,
    numbers: BTreeMap<TokenPlace, PlacedInteger>,
}

fn tried(
    problem: &Problem,
    programs: &mut VerifiedPrograms<'_>,
) -> Result<BoundsReview, SandboxError> {
    let inputs: Vec<OpenedInput<'_>> = problem.cases.iter().filter_map(opened).collect();
    let mut review = BoundsReview::default();
    let Some(first) = inputs.first() else {
        return Ok(review);
    };
    for place in first.numbers.keys() {
        let values: Option<Vec<i128>> =
            inputs.iter().map(|input| Some(input.numbers.get(place)?.value)).collect();
        let Some(values) = values else { continue };
        review.variables += 1;
        let (Some(least), Some(greatest)) = (values.iter().min(), values.iter().max()) else {
            continue;
        };
        for (reached, direction) in [(*least, -1), (*greatest, 1)] {
            let asked = asked(&inputs, *place, reached);
            let mut found = None;
            for input in asked {
                let further = furthest(reached, direction, &mut |value| {
                    accepts(programs, input, *place, value)
                })?;
                found = found.max(further.map(|found| (found.value * direction, found)));
            }
            let Some((_, found)) = found else { continue };
            let value = found.value.to_string();
            review.missing.push(MissingExtreme {
                variable: format!("line {}, token {}", place.line, place.token),
                is_greatest: direction == 1,
                bound: found.is_bound.then(|| value.clone()),
                accepted: Some(value),
                reached: Some(reached.to_string()),
            });
        }
    }
    Ok(review)
}

/// The inputs in which values are tried: one that has the reached value, and the shortest.
fn asked<'a, 'b>(
    inputs: &'b [OpenedInput<'a>],
    place: TokenPlace,
    reached: i128,
) -> Vec<&'b OpenedInput<'a>> {
    let mut whole: Vec<&OpenedInput<'_>> = inputs.iter().filter(|input| input.is_whole).collect();
    whole.sort_by_key(|input| input.text.len());
    let mut holders = whole.iter();
    let holder = holders.position(|input| input.numbers[&place].value == reached);
    let mut asked: Vec<_> = whole.first().copied().into_iter().collect();
    asked.extend(holder.filter(|at| *at > 0).map(|at| whole[at]));
    asked
}

fn accepts(
    programs: &mut VerifiedPrograms<'_>,
    input: &OpenedInput<'_>,
    place: TokenPlace,
    value: i128,
) -> Result<bool, SandboxError> {
    let mut text = input.text.clone();
    text.replace_range(input.numbers[&place].range.clone(), &value.to_string());
    programs.accept(input.case, &Captured::from_bytes(text.into_bytes()))
}

/// The input of a case, or its start; `None`: it cannot be read, or is not text.
fn opened(case: &TestCase) -> Option<OpenedInput<'_>> {
    let file = File::open(case.input()).ok()?;
    let size = file.metadata().ok()?.len();
    let mut bytes = Vec::new();
    file.take(START).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    Some(OpenedInput { numbers: integers(&text), is_whole: size <= START, text, case })
}
