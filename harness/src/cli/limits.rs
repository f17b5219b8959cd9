//! The options that set limits, shared by all commands that run a solution.

use std::time::Duration;

use clap::Args;
use rejudge_quantity::Bytes;
use rejudge_quantity::{self as quantity, QuantityError};

use crate::language::LARGEST_FACTOR;
use crate::limits::LimitOverrides;

/// Limits that override those of the problem.
#[derive(Debug, Clone, Args)]
pub(crate) struct LimitArgs {
    /// CPU time limit in seconds, or with a unit: `2s`, `500ms` [default: the problem's, or 10]
    #[arg(short, long, value_name = "SECONDS", help_heading = "Limits", value_parser = quantity::time, allow_negative_numbers = true)]
    time_limit: Option<Duration>,
    /// Wall time limit in seconds [default: three times the CPU time limit, and at least 2 s more]
    #[arg(long, value_name = "SECONDS", help_heading = "Limits", hide_short_help = true, value_parser = quantity::time, allow_negative_numbers = true)]
    wall_limit: Option<Duration>,
    /// Memory limit in MiB, or with a unit: `256M`, `2G` [default: the problem's, or 2048]
    #[arg(short, long, value_name = "MIB", help_heading = "Limits", value_parser = quantity::size, allow_negative_numbers = true)]
    memory_limit: Option<Bytes>,
    /// Limit in MiB of standard output and standard error together [default: the problem's or its layout's,
    /// at least twice the largest answer]
    #[arg(long, value_name = "MIB", help_heading = "Limits", hide_short_help = true, value_parser = quantity::size, allow_negative_numbers = true)]
    output_limit: Option<Bytes>,
    /// Factor for the CPU and wall time limits, for a slower or faster machine [default: 1]
    #[arg(long, value_name = "F", help_heading = "Limits", hide_short_help = true, value_parser = factor, allow_negative_numbers = true)]
    time_factor: Option<f64>,
}

impl LimitArgs {
    /// The command-line arguments that set these limits.
    pub(crate) fn words(&self) -> Vec<String> {
        let seconds = |limit: Option<Duration>| limit.map(|limit| limit.as_secs_f64());
        #[expect(clippy::cast_precision_loss, reason = "for display only")]
        let mebibytes = |limit: Option<Bytes>| limit.map(|limit| limit.get() as f64 / 1_048_576.0);
        let given = [
            ("--time-limit", seconds(self.time_limit)),
            ("--wall-limit", seconds(self.wall_limit)),
            ("--memory-limit", mebibytes(self.memory_limit)),
            ("--output-limit", mebibytes(self.output_limit)),
            ("--time-factor", self.time_factor),
        ];
        given
            .into_iter()
            .filter_map(|(flag, value)| Some([flag.to_owned(), value?.to_string()]))
            .flatten()
            .collect()
    }
}

impl From<&LimitArgs> for LimitOverrides {
    fn from(args: &LimitArgs) -> Self {
        Self {
            cpu_time: args.time_limit,
            wall_time: args.wall_limit,
            memory: args.memory_limit,
            output: args.output_limit,
            time_factor: args.time_factor,
        }
    }
}

fn factor(text: &str) -> Result<f64, QuantityError> {
    quantity::positive_number(text, LARGEST_FACTOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_a_positive_number_up_to_a_maximum() {
        assert_eq!(factor("1.5"), Ok(1.5));
        for bad in ["0", "-1", "nan", "inf", "1e300", "", "2s"] {
            assert!(factor(bad).is_err(), "{bad}");
        }
    }
}
