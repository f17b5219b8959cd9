//! What is measured, how often, and what counts as slower: the command line, then `[bench]` in `rejudge.toml`.

use globset::{Glob, GlobMatcher};
use rejudge_statistics::{GateOptions, Quantity};

use crate::config::Bench;
use crate::problem::Problem;

/// Default number of runs of each program on each case, without a comparison.
const RUNS: usize = 20;

/// Settings from the command line. They override `rejudge.toml`.
#[derive(Debug, Clone, Copy, Default)]
pub struct CommandLineSettings {
    /// Number of runs of each program, without a comparison.
    pub runs: Option<usize>,
    /// Number of pairs in each pass.
    pub pairs: Option<usize>,
    /// Confidence level of the intervals.
    pub level: Option<f64>,
    /// The smallest change that counts, in per cent.
    pub threshold: Option<f64>,
    /// The smallest difference that counts, in milliseconds.
    pub floor_ms: Option<f64>,
}

/// The effective settings for one quantity.
#[derive(Debug)]
pub struct BenchSettings {
    /// Options for every case without an override.
    pub options: GateOptions,
    /// Number of runs of each program, without a comparison.
    pub runs: usize,
    cases: Vec<GlobMatcher>,
    overrides: Vec<(GlobMatcher, Override)>,
}

/// The settings that one case overrides.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Override {
    /// The smallest change that counts, as a fraction.
    pub threshold: Option<f64>,
    /// The smallest difference that counts, in the unit of the quantity.
    pub floor: Option<f64>,
}

/// An invalid glob in `rejudge.toml`.
#[derive(Debug, thiserror::Error)]
#[error("rejudge.toml: invalid glob `{glob}` in `bench.{key}`")]
pub struct BenchGlobError {
    key: &'static str,
    glob: String,
    #[source]
    source: globset::Error,
}

impl BenchSettings {
    /// Merges `from_command_line` and `config` for one quantity.
    pub fn new(
        quantity: Quantity,
        config: &Bench,
        from_command_line: &CommandLineSettings,
    ) -> Result<Self, BenchGlobError> {
        let mut options = GateOptions::of(quantity);
        let threshold = match quantity {
            Quantity::CpuTime | Quantity::WallTime => config.threshold,
            Quantity::Memory => config.memory_threshold,
            Quantity::Instructions => config.instructions_threshold,
        };
        if let Some(percent) = from_command_line.threshold.or(threshold) {
            options.threshold = percent / 100.0;
        }
        if let Some(floor) = floor(quantity, from_command_line.floor_ms.or(config.floor_ms)) {
            options.floor = floor;
        }
        // The default of ten pairs is enough for instructions; `config.pairs` is meant for times.
        let pairs = config.pairs.filter(|_| quantity != Quantity::Instructions);
        options.pairs = from_command_line.pairs.or(pairs).unwrap_or(options.pairs);
        options.level = from_command_line.level.or(config.level).unwrap_or(options.level);
        let mut overrides: Vec<_> = config.overrides.iter().collect();
        overrides.sort_by_key(|(glob, _)| std::cmp::Reverse(glob.len()));
        let overrides = overrides.into_iter().map(|(glob, over)| {
            let over = Override {
                threshold: over.threshold.map(|percent| percent / 100.0),
                floor: floor(quantity, over.floor_ms),
            };
            Ok((matcher("overrides", glob)?, over))
        });
        let cases = config.cases.iter().map(|glob| matcher("cases", glob));
        Ok(Self {
            options,
            runs: from_command_line.runs.or(config.runs).unwrap_or(RUNS),
            cases: cases.collect::<Result<_, _>>()?,
            overrides: overrides.collect::<Result<_, _>>()?,
        })
    }

    /// Whether `rejudge.toml` names cases of this problem. If so, the slowest cases need not be found.
    #[must_use]
    pub fn names_cases_of(&self, problem: &Problem) -> bool {
        let mut cases = problem.cases.iter();
        cases.any(|case| self.names(&problem.id, case.name()))
    }

    /// Whether `rejudge.toml` names this case.
    #[must_use]
    pub fn names(&self, problem: &str, case: &str) -> bool {
        let name = format!("{problem}/{case}");
        self.cases.iter().any(|glob| glob.is_match(&name))
    }

    /// The overrides for one case. The longest glob that matches wins.
    #[must_use]
    pub fn of_case(&self, problem: &str, case: &str) -> Override {
        let name = format!("{problem}/{case}");
        let found = self.overrides.iter().find(|(glob, _)| glob.is_match(&name));
        found.map_or_else(Override::default, |(_, over)| *over)
    }
}

/// `floor_ms` in seconds, if the quantity is a time. Sizes and counts keep their default floors.
fn floor(quantity: Quantity, milliseconds: Option<f64>) -> Option<f64> {
    let is_time = matches!(quantity, Quantity::CpuTime | Quantity::WallTime);
    milliseconds.filter(|_| is_time).map(|ms| ms / 1000.0)
}

fn matcher(key: &'static str, glob: &str) -> Result<GlobMatcher, BenchGlobError> {
    match Glob::new(glob) {
        Ok(glob) => Ok(glob.compile_matcher()),
        Err(source) => Err(BenchGlobError { key, glob: glob.to_owned(), source }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_wins_and_the_longest_override_applies() {
        let config: Bench = toml::from_str(
            "threshold = 2\npairs = 30\ninstructions_threshold = 0.5\n\
             [overrides.\"sum/*\"]\nthreshold = 5\n\
             [overrides.\"sum/secret/big\"]\nthreshold = 3\nfloor_ms = 2\n",
        )
        .unwrap();
        let cpu = BenchSettings::new(Quantity::CpuTime, &config, &CommandLineSettings::default())
            .unwrap();
        assert_eq!((cpu.options.threshold, cpu.options.pairs), (0.02, 30));
        let big = Override { threshold: Some(0.03), floor: Some(0.002) };
        assert_eq!(cpu.of_case("sum", "secret/big"), big);
        assert_eq!(cpu.of_case("sum", "sample/1").threshold, Some(0.05));
        assert_eq!(cpu.of_case("other", "1"), Override::default());
        let from_command_line = CommandLineSettings {
            threshold: Some(4.0),
            pairs: Some(12),
            ..CommandLineSettings::default()
        };
        let count =
            BenchSettings::new(Quantity::Instructions, &config, &from_command_line).unwrap();
        assert_eq!((count.options.threshold, count.options.pairs), (0.04, 12));
        assert_eq!(count.of_case("sum", "secret/big").floor, None);
    }
}
