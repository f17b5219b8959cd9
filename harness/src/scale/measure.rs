//! Runs the solution on inputs of increasing size, several times and in random order.

use std::io;
use std::time::Duration;

use rejudge_statistics::{mad, median};

use super::{SizeSample, SizedInput};
use crate::bench::RandomSource;
use crate::compile::Artifact;
use crate::generate::words;
use crate::judge::Solution;
use crate::sandbox::{Input, Limits, RunJob, SandboxError};
use crate::submission::FileNames;
use crate::verdict::Verdict;

/// The solution to run, its limits, and the number of runs.
pub(crate) struct MeasurementPlan<'a> {
    /// The solution.
    pub(crate) artifact: &'a Artifact,
    /// The files that the solution uses instead of standard input and output.
    pub(crate) files: &'a FileNames,
    /// The limits. The first size that exceeds the time limit ends the series.
    pub(crate) limits: Limits,
    /// The number of runs of each size. A size whose runs have taken [`ENOUGH`] is not run more often than twice.
    pub(crate) runs: usize,
    /// The seed of the random order.
    pub(crate) seed: u64,
}

/// Two runs are enough for a size whose runs have taken more than this CPU time.
const ENOUGH: Duration = Duration::from_secs(2);

/// The measurements at one size.
#[derive(Debug, Clone)]
pub(crate) struct SizeMeasurement {
    /// The size.
    pub(crate) n: u64,
    /// The length of the input in bytes.
    pub(crate) input: u64,
    /// CPU time of each run, in seconds.
    pub(crate) cpu: Vec<f64>,
    /// Peak memory of each run, in bytes.
    pub(crate) memory: Vec<f64>,
    /// The message, if this size exceeded the time limit. It is then the last one.
    pub(crate) over: Option<String>,
}

/// Why a solution could not be measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum MeasureError {
    /// The solution failed for a reason other than the time limit.
    #[error("the solution fails at size {n}: {verdict}, {evidence}{stderr}")]
    Fails { n: u64, verdict: Verdict, evidence: String, stderr: String },
    #[error("cannot read the input of size {n}")]
    Input {
        n: u64,
        #[source]
        source: io::Error,
    },
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
}

impl SizeMeasurement {
    /// The CPU time as a sample; `None` if the size was not measured.
    pub(crate) fn cpu_sample(&self) -> Option<SizeSample> {
        self.sample(&self.cpu)
    }

    /// The peak memory as a sample; `None` if the size was not measured.
    pub(crate) fn memory_sample(&self) -> Option<SizeSample> {
        self.sample(&self.memory)
    }

    fn sample(&self, figures: &[f64]) -> Option<SizeSample> {
        let value = median(figures).ok().filter(|value| *value > 0.0)?;
        // The standard error of a median, from a spread that outliers do not affect.
        let error = 1.2533 * mad(figures).ok()? / (figures.len() as f64).sqrt();
        let n = self.n as f64;
        (self.over.is_none()).then_some(SizeSample { n, value, spread: error / value })
    }
}

/// Measures the sizes once in increasing order, up to the first that exceeds the time limit, and then repeatedly in
/// random order. `next` returns the input with the given index; `progress` is called after the first run of each size.
/// Returns what was measured before an error, too.
pub(crate) fn measure<E: From<MeasureError>>(
    plan: &MeasurementPlan<'_>,
    sizes: &[u64],
    next: impl FnMut(usize, &mut RunJob<'_>) -> Result<SizedInput, E>,
    run: &mut RunJob<'_>,
    progress: &mut dyn FnMut(&SizeMeasurement),
) -> (Vec<SizeMeasurement>, Result<(), E>) {
    let mut series = Vec::new();
    let ended = rounds(plan, sizes, next, run, progress, &mut series);
    let series = series.into_iter().map(|(measured, _)| measured);
    (up_to_limit(series.collect()), ended)
}

/// The sizes up to the first that exceeded the time limit, perhaps not in its first run.
fn up_to_limit(mut series: Vec<SizeMeasurement>) -> Vec<SizeMeasurement> {
    if let Some(last) = series.iter().position(|measured| measured.over.is_some()) {
        series.truncate(last + 1);
    }
    series
}

fn rounds<E: From<MeasureError>>(
    plan: &MeasurementPlan<'_>,
    sizes: &[u64],
    mut next: impl FnMut(usize, &mut RunJob<'_>) -> Result<SizedInput, E>,
    run: &mut RunJob<'_>,
    progress: &mut dyn FnMut(&SizeMeasurement),
    series: &mut Vec<(SizeMeasurement, SizedInput)>,
) -> Result<(), E> {
    for (index, n) in sizes.iter().enumerate() {
        let source = next(index, run)?;
        let input = source.len().map_err(|source| MeasureError::Input { n: *n, source })?;
        let mut measured =
            SizeMeasurement { n: *n, input, cpu: Vec::new(), memory: Vec::new(), over: None };
        once(plan, &mut measured, &source, run)?;
        progress(&measured);
        let over = measured.over.is_some();
        series.push((measured, source));
        if over {
            break;
        }
    }
    let mut random = RandomSource::new(plan.seed);
    for round in 1..plan.runs {
        let mut order: Vec<usize> = (0..series.len()).collect();
        random.shuffle(&mut order);
        for index in order {
            let (measured, source) = &mut series[index];
            let spent: f64 = measured.cpu.iter().sum();
            let enough = round > 1 && spent > ENOUGH.as_secs_f64();
            if measured.over.is_none() && !enough {
                once(plan, measured, source, run)?;
            }
        }
    }
    Ok(())
}

fn once(
    plan: &MeasurementPlan<'_>,
    measured: &mut SizeMeasurement,
    source: &SizedInput,
    run: &mut RunJob<'_>,
) -> Result<(), MeasureError> {
    let n = measured.n;
    let solution = Solution { artifact: plan.artifact, files: plan.files, limits: &plan.limits };
    let launch = solution.launch_on(source.args(), None, || source.reader())?;
    let input = if launch.reads_only_files() {
        Input::Empty
    } else {
        source.open().map_err(|source| MeasureError::Input { n, source })?
    };
    let execution = launch.run(input, run)?;
    match launch.decide(&execution, &plan.limits) {
        None => {
            measured.cpu.push(execution.usage.cpu().as_secs_f64());
            measured.memory.push(execution.usage.peak_memory.get() as f64);
        }
        Some((Verdict::TimeLimit, evidence)) => measured.over = Some(evidence),
        Some((verdict, evidence)) => {
            return Err(MeasureError::Fails {
                n,
                verdict,
                evidence,
                stderr: words(&execution.stderr_tail),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(n: u64, over: bool) -> SizeMeasurement {
        SizeMeasurement {
            n,
            input: 1,
            cpu: vec![0.9],
            memory: vec![1.0],
            over: over.then(|| "CPU time limit of 1 s exceeded".to_owned()),
        }
    }

    #[test]
    fn the_first_size_over_the_limit_is_the_last() {
        let sizes = |series: Vec<SizeMeasurement>| -> Vec<u64> {
            let series = up_to_limit(series);
            series.iter().map(|measured| measured.n).collect()
        };
        let within = vec![size(1, false), size(2, false)];
        assert_eq!(sizes(within.clone()), [1, 2]);
        // A repeat of size 3 was over the limit, and the first run of size 4.
        let over = [within, vec![size(3, true), size(4, true)]].concat();
        assert_eq!(sizes(over), [1, 2, 3]);
    }
}
