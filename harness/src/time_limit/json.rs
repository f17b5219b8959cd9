//! The JSON lines of `rejudge time`.

use std::time::Duration;

use serde::Serialize;

use super::text::format_name;
use super::{Review, ReviewRow};
use crate::expectation::Bound;
use crate::sandbox::Facts;
use crate::show::facts::{MachineFacts, SandboxFacts};

/// A line of the report.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum TimeLine<'a> {
    /// A submission that bounds the time limit.
    Submission(TimedEntry<'a>),
    /// The problem, and the limits that follow.
    Problem(Box<LimitEntry<'a>>),
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct TimedEntry<'a> {
    problem: &'a str,
    submission: &'a str,
    language: &'a str,
    bound: &'static str,
    case: Option<&'a str>,
    cpu_ms: Option<f64>,
    stopped: bool,
    cpu_min_ms: Option<f64>,
    cpu_median_ms: Option<f64>,
    cpu_max_ms: Option<f64>,
    margin: Option<f64>,
    least_margin: f64,
    not_run: Option<&'a str>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct LimitEntry<'a> {
    machine: MachineFacts,
    sandbox: SandboxFacts,
    problem: &'a str,
    format: &'static str,
    set_ms: Option<f64>,
    inferred_ms: Option<f64>,
    inferred_least_ms: Option<f64>,
    inferred_most_ms: Option<f64>,
    reason: Option<&'a str>,
    conflict: Option<String>,
    formats: Vec<FormatLimit>,
    machines: Vec<MachineLimit>,
    least_factor: Option<f64>,
    most_factor: Option<f64>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FormatLimit {
    format: &'static str,
    limit_ms: f64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct MachineLimit {
    factor: f64,
    limit_ms: f64,
}

/// A line for each submission, and one for the problem.
pub(crate) fn json_of<'a>(review: &'a Review, sandbox: &Facts) -> Vec<TimeLine<'a>> {
    let rows = review.rows.iter();
    let mut lines: Vec<TimeLine<'_>> =
        rows.map(|row| TimeLine::Submission(timed_entry(review, row))).collect();
    lines.push(TimeLine::Problem(Box::new(limit_entry(review, sandbox))));
    lines
}

fn timed_entry<'a>(review: &'a Review, row: &'a ReviewRow) -> TimedEntry<'a> {
    let time = row.time();
    TimedEntry {
        problem: &review.problem,
        submission: &row.timed.submission,
        language: &row.timed.language,
        bound: match row.timed.side {
            Bound::Upper => "upper",
            _ => "lower",
        },
        case: row.case(),
        cpu_ms: time.map(|(time, _)| milliseconds(time)),
        stopped: time.is_some_and(|(_, stopped)| stopped),
        cpu_min_ms: row.spread.map(|spread| milliseconds(spread.least)),
        cpu_median_ms: row.spread.map(|spread| milliseconds(spread.median)),
        cpu_max_ms: row.spread.map(|spread| milliseconds(spread.greatest)),
        margin: review.ratio(row),
        least_margin: review.demanded(row),
        not_run: row.timed.unusable.as_deref(),
    }
}

fn limit_entry<'a>(review: &'a Review, sandbox: &Facts) -> LimitEntry<'a> {
    let interval = review.interval();
    let (least_factor, most_factor) = review.slack();
    let formats = review.by_format().into_iter();
    let machines = review.on_machines().into_iter();
    LimitEntry {
        machine: MachineFacts::here(),
        sandbox: SandboxFacts::from(sandbox),
        problem: &review.problem,
        format: format_name(review.format),
        set_ms: review.given.map(milliseconds),
        inferred_ms: review.inferred.as_ref().map(|one| milliseconds(one.limit)),
        inferred_least_ms: interval.map(|(least, _)| milliseconds(least)),
        inferred_most_ms: interval.map(|(_, most)| milliseconds(most)),
        reason: review.inferred.as_ref().map(|found| found.why.as_str()),
        conflict: review.conflict.as_ref().map(ToString::to_string),
        formats: formats
            .map(|(format, limit)| FormatLimit {
                format: format_name(format),
                limit_ms: milliseconds(limit),
            })
            .collect(),
        machines: machines
            .map(|(factor, limit)| MachineLimit { factor, limit_ms: milliseconds(limit) })
            .collect(),
        least_factor,
        most_factor,
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::schema;

    #[test]
    fn the_schema_of_time_is_up_to_date() {
        schema::is_up_to_date("time", schema::of_lines::<TimeLine<'static>>());
    }
}
