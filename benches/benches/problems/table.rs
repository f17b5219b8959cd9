//! The table of figures and targets.

use std::cmp::Ordering;
use std::time::Duration;

use rejudge::Bytes;
use rejudge_benches::median;

use crate::targets::{BenchmarkedProgram, PromisedFigure, Unit};

/// The figures for one input, minus those of the empty program.
pub(crate) struct MeasuredInput {
    /// The CPU times of all rounds, sorted.
    pub(crate) solution: Vec<Duration>,
    /// The median of the second solution, if it ran.
    pub(crate) second: Option<Duration>,
    pub(crate) peak: Bytes,
    /// [`BenchmarkCase::amount`](crate::targets::BenchmarkCase::amount) of the input.
    pub(crate) amount: f64,
}

impl MeasuredInput {
    fn median(&self) -> Duration {
        median(self.solution.clone())
    }
}

impl Unit {
    fn figure(self, time: Duration, amount: f64) -> f64 {
        let seconds = time.as_secs_f64();
        match self {
            Self::Milliseconds => seconds * 1e3,
            Self::Seconds => seconds,
            Self::Nanoseconds => seconds * 1e9 / amount,
            Self::MegabytesPerSecond => amount / 1e6 / seconds,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Milliseconds => "ms",
            Self::Seconds => "s",
            Self::Nanoseconds => "ns",
            Self::MegabytesPerSecond => "MB/s",
        }
    }

    fn sorted<'a>(
        self,
        inputs: impl Iterator<Item = (f64, &'a MeasuredInput)>,
    ) -> Vec<(f64, &'a MeasuredInput)> {
        let mut inputs: Vec<_> = inputs.collect();
        inputs.sort_by(|a, b| self.order(a.0, b.0));
        inputs
    }

    /// Orders figures from best to worst.
    fn order(self, a: f64, b: f64) -> Ordering {
        match self {
            Self::MegabytesPerSecond => b.total_cmp(&a),
            _ => a.total_cmp(&b),
        }
    }
}

/// The figure at `percent` of the way from the best to the worst.
fn at<T>(percent: usize, sorted: &[T]) -> &T {
    &sorted[(sorted.len() * percent).div_ceil(100).max(1) - 1]
}

fn verdict(kept: bool) -> &'static str {
    if kept { "met" } else { "MISSED" }
}

pub(crate) fn print_head() {
    println!(
        "{:<42} {:>10} {:>9} {:>19} {:>11} {:>6}",
        "CPU time minus an empty program's", "target", "median", "middle half", "second", "faster"
    );
}

/// Prints the line for one promise.
pub(crate) fn print_row(
    target: &BenchmarkedProgram,
    promise: &PromisedFigure,
    measured: &[MeasuredInput],
) {
    let alone = measured.len() == 1;
    match *promise {
        PromisedFigure::Worst(limit) if alone => print_figure(target, "", 100, limit, measured),
        PromisedFigure::Worst(limit) => print_figure(target, ", worst", 100, limit, measured),
        PromisedFigure::Percentile95(limit) => print_figure(target, ", 95 %", 95, limit, measured),
        PromisedFigure::Memory(limit) => print_memory(target, limit, measured),
    }
}

fn print_memory(target: &BenchmarkedProgram, limit: Bytes, measured: &[MeasuredInput]) {
    let peaks = measured.iter().map(|one| one.peak);
    let peak = peaks.max().expect("a target has inputs");
    let met = verdict(peak <= limit);
    let name = format!("{}, memory", target.name);
    let [peak, limit] = [peak, limit].map(|bytes| bytes.get() >> 20);
    println!("{name:<42} {limit:>5} MiB  {peak:>9} {met:>46}");
}

fn print_figure(
    target: &BenchmarkedProgram,
    what: &str,
    percent: usize,
    limit: f64,
    measured: &[MeasuredInput],
) {
    let unit = target.unit;
    let figure = |one: &MeasuredInput, time| unit.figure(time, one.amount);
    let first = measured.iter().map(|one| (figure(one, one.median()), one));
    let inputs = unit.sorted(first);
    let &(worst, one) = at(percent, &inputs);
    // Quartiles over the rounds of that input, or over all inputs if there is only one round.
    let [low, high] = [25, 75].map(|part| match one.solution.as_slice() {
        [_] => at(part, &inputs).0,
        rounds => figure(one, *at(part, rounds)),
    });
    let second = measured.iter().filter_map(|one| Some((figure(one, one.second?), one)));
    let compared = unit.sorted(second);
    let second = (!compared.is_empty()).then(|| {
        let theirs: Duration = compared.iter().filter_map(|(_, one)| one.second).sum();
        let ours: Duration = compared.iter().map(|(_, one)| one.median()).sum();
        let times = theirs.as_secs_f64() / ours.as_secs_f64();
        (at(percent, &compared).0, times)
    });
    let [second, faster] = second.map_or([const { String::new() }; 2], |(second, faster)| {
        [format!("{second:.3}"), format!("{faster:.1}")]
    });
    println!(
        "{:<42} {limit:>5} {:<4} {worst:>9.3} {:>19} {second:>11} {faster:>6} {:>7}",
        format!("{}{what}", target.name),
        unit.name(),
        format!("{low:.3}..{high:.3}"),
        verdict(unit.order(worst, limit).is_le()),
    );
}
