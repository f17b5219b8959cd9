//! The limits of a run: those of the command line, otherwise the problem's, otherwise the defaults.

use std::collections::BTreeMap;
use std::time::Duration;

use rejudge_quantity::Bytes;

use crate::language::Language;
use crate::problem::{Problem, ProblemLimits, TestCase, default_output};
use crate::sandbox::{Limits, wall_time_for};

/// The CPU time limit if nothing else sets one. It is long because a wrong TLE misleads more than a
/// late one.
pub const DEFAULT_CPU_TIME: Duration = Duration::from_secs(10);

/// The memory limit if nothing else sets one: 2 GiB, as is usual at the ICPC.
pub const DEFAULT_MEMORY: Bytes = Bytes::mib(2048);

/// The output limit of a validator if a package sets none: the default of the 2025-09 format.
const DEFAULT_VALIDATION_OUTPUT: Bytes = default_output::OF_PACKAGE;

/// The output limit if there is no problem.
pub const DEFAULT_OUTPUT: Bytes = default_output::ELSEWHERE;

/// The lower bound of scaled time limits.
const SHORTEST: Duration = Duration::from_millis(1);

/// The limits on the command line, which override all others.
#[derive(Debug, Clone, Copy, Default)]
pub struct LimitOverrides {
    /// `--time-limit`.
    pub cpu_time: Option<Duration>,
    /// `--wall-limit`.
    pub wall_time: Option<Duration>,
    /// `--memory-limit`.
    pub memory: Option<Bytes>,
    /// `--output-limit`.
    pub output: Option<Bytes>,
    /// `--time-factor`: multiplies CPU and wall time limits, wherever they come from.
    pub time_factor: Option<f64>,
}

impl LimitOverrides {
    /// The same limits for a language whose programs take `factor` times as long.
    #[must_use]
    pub fn for_language(&self, factor: Option<f64>) -> Self {
        let time_factor = match (self.time_factor, factor) {
            (Some(all), Some(language)) => Some(all * language),
            (all, language) => all.or(language),
        };
        Self { time_factor, ..*self }
    }
}

/// The limits of the runs of a solution on the cases of a problem.
#[derive(Debug, Clone)]
pub(crate) struct CaseLimits {
    /// Those of most cases.
    pub(crate) common: Limits,
    /// Those of cases with limits of their own.
    own: BTreeMap<String, Limits>,
}

impl CaseLimits {
    /// The limits of a solution in `language`.
    pub(crate) fn new(
        problem: &Problem,
        language: Option<&Language>,
        over: &LimitOverrides,
    ) -> Self {
        let own = problem.limits_of_cases.iter().map(|(case, own)| {
            let limits = of_solution_with(Some(problem), language, over, own);
            (case.clone(), limits)
        });
        Self { common: of_solution(Some(problem), language, over), own: own.collect() }
    }

    /// The limits of a run on this case.
    pub(crate) fn on(&self, case: &TestCase) -> &Limits {
        self.own.get(case.name()).unwrap_or(&self.common)
    }

    /// All limits.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Limits> {
        std::iter::once(&self.common).chain(self.own.values())
    }
}

/// The limits of the runs of a solution in `language` on the cases of `problem` without limits of their own, or on other
/// inputs.
pub(crate) fn of_solution(
    problem: Option<&Problem>,
    language: Option<&Language>,
    over: &LimitOverrides,
) -> Limits {
    of_solution_with(problem, language, over, &ProblemLimits::default())
}

/// The same with limits that replace the problem's, but not those of the language.
fn of_solution_with(
    problem: Option<&Problem>,
    language: Option<&Language>,
    over: &LimitOverrides,
    own: &ProblemLimits,
) -> Limits {
    let of_problem = problem.map(|problem| problem.limits).unwrap_or_default();
    let mut stated = of_problem.replaced_by(own);
    if let (Some(problem), Some(language)) = (problem, language) {
        let mut all = problem.limits_of_extensions.iter();
        let found = all.find(|(extension, _)| language.extensions.contains(extension));
        if let Some((_, of_language)) = found {
            stated = stated.replaced_by(of_language);
        }
    }
    let default_output = problem.map_or(DEFAULT_OUTPUT, Problem::default_output);
    let over = over.for_language(language.and_then(|language| language.time_factor));
    effective_limits(&stated, default_output, &over)
}

/// The limits of a submission's runs. `default_output` is the problem's, or [`DEFAULT_OUTPUT`].
/// `cpu_kill` equals `cpu_time`, as for a run without others in parallel. Where nobody states a limit, it is a fifth above the
/// default, so that one run decides about a program without end on any machine.
#[must_use]
pub fn effective_limits(
    problem: &ProblemLimits,
    default_output: Bytes,
    over: &LimitOverrides,
) -> Limits {
    let scaled = |time: Duration| match over.time_factor {
        Some(factor) => time.mul_f64(factor).max(SHORTEST),
        None => time,
    };
    let stated = over.cpu_time.or(problem.cpu_time);
    let cpu_time = scaled(stated.unwrap_or(DEFAULT_CPU_TIME));
    let cpu_kill = if stated.is_some() { cpu_time } else { cpu_time * 6 / 5 };
    let wall_time =
        over.wall_time.or(problem.wall_time).map_or_else(|| wall_time_for(cpu_time), scaled);
    let memory = over.memory.or(problem.memory).unwrap_or(DEFAULT_MEMORY);
    let output = over.output.or(problem.output).unwrap_or(default_output);
    Limits { wall_time, cpu_kill, ..limits(cpu_time, memory, output) }
}

/// The limits of a problem's own validators.
#[must_use]
pub fn of_validator(problem: &ProblemLimits) -> Limits {
    let cpu_time = problem.validation_time.unwrap_or(Duration::from_secs(60));
    limits(
        cpu_time,
        problem.validation_memory.unwrap_or(DEFAULT_MEMORY),
        problem.validation_output.unwrap_or(DEFAULT_VALIDATION_OUTPUT),
    )
}

/// The default limits for this CPU time, memory and output.
fn limits(cpu_time: Duration, memory: Bytes, output: Bytes) -> Limits {
    Limits { output, file_size: output, ..Limits::new(cpu_time, memory) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_overrides_the_problem_which_overrides_the_defaults() {
        let problem = ProblemLimits {
            cpu_time: Some(Duration::from_secs(1)),
            memory: Some(Bytes::mib(64)),
            ..ProblemLimits::default()
        };
        let over = LimitOverrides { memory: Some(Bytes::mib(32)), ..LimitOverrides::default() };
        let limits = effective_limits(&problem, Bytes::mib(8), &over);
        assert_eq!(limits.cpu_time, Duration::from_secs(1));
        assert_eq!(limits.wall_time, Duration::from_secs(3));
        assert_eq!(limits.memory, Bytes::mib(32));
        assert_eq!(limits.output, Bytes::mib(8));
        assert_eq!(limits.cpu_kill, limits.cpu_time);
        let bare =
            effective_limits(&ProblemLimits::default(), DEFAULT_OUTPUT, &LimitOverrides::default());
        assert_eq!(bare.cpu_kill, Duration::from_secs(12));
        assert_eq!(
            (bare.cpu_time, bare.memory, bare.output),
            (DEFAULT_CPU_TIME, DEFAULT_MEMORY, DEFAULT_OUTPUT)
        );
    }

    #[test]
    fn factors_scale_every_time_limit_and_nothing_else() {
        let problem =
            ProblemLimits { cpu_time: Some(Duration::from_secs(2)), ..ProblemLimits::default() };
        let limits = |over: LimitOverrides| effective_limits(&problem, DEFAULT_OUTPUT, &over);
        let plain = limits(LimitOverrides::default());
        let slow = LimitOverrides { time_factor: Some(1.5), ..LimitOverrides::default() };
        let mut expected = plain;
        expected.cpu_time = Duration::from_secs(6);
        expected.cpu_kill = Duration::from_secs(6);
        expected.wall_time = Duration::from_secs(18);
        assert_eq!(limits(slow.for_language(Some(2.0))), expected);
        assert_eq!(limits(LimitOverrides::default().for_language(None)), plain);
        let given = LimitOverrides {
            cpu_time: Some(Duration::from_secs(1)),
            wall_time: Some(Duration::from_secs(4)),
            ..slow
        };
        let both = limits(given);
        assert_eq!(both.cpu_time, Duration::from_millis(1500));
        assert_eq!(both.wall_time, Duration::from_secs(6));
    }
}
