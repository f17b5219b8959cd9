//! The options that set limits, shared by all commands that run a solution.

use std::time::Duration;

use clap::Args;

use crate::bytes::Bytes;
use crate::language::LARGEST_FACTOR;
use crate::limits::LimitOverrides;

/// Limits that override those of the problem.
#[derive(Debug, Clone, Args)]
pub(crate) struct LimitArgs {
    /// CPU time limit in seconds [default: the problem's, or 10]
    #[arg(short, long, value_name = "SECONDS", help_heading = "Limits", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<Duration>,
    /// Wall time limit in seconds [default: three times the CPU time limit, and at least 2 s more]
    #[arg(long, value_name = "SECONDS", help_heading = "Limits", hide_short_help = true, value_parser = seconds, allow_negative_numbers = true)]
    wall_limit: Option<Duration>,
    /// Memory limit in MiB [default: the problem's, or 2048]
    #[arg(short, long, value_name = "MIB", help_heading = "Limits", value_parser = mebibytes, allow_negative_numbers = true)]
    memory_limit: Option<Bytes>,
    /// Limit in MiB of standard output and standard error together [default: the problem's or its layout's,
    /// at least twice the largest answer]
    #[arg(long, value_name = "MIB", help_heading = "Limits", hide_short_help = true, value_parser = mebibytes, allow_negative_numbers = true)]
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

/// The longest sensible time limit: a day, in seconds.
const LONGEST: f64 = 86_400.0;

/// A size in MiB that is larger than the memory of any machine.
const LARGEST: f64 = 16_777_216.0;

fn seconds(text: &str) -> Result<Duration, String> {
    positive(text, LONGEST).map(Duration::from_secs_f64)
}

fn factor(text: &str) -> Result<f64, String> {
    positive(text, LARGEST_FACTOR)
}

fn mebibytes(text: &str) -> Result<Bytes, String> {
    let mib = positive(text, LARGEST)?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked above"
    )]
    let bytes = (mib * f64::from(1 << 20)) as u64;
    if bytes < 4096 {
        return Err(String::from("less than one page of 4096 bytes"));
    }
    Ok(Bytes(bytes))
}

fn positive(text: &str, most: f64) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| String::from("not a number"))?;
    if number.is_finite() && number > 0.0 && number <= most {
        Ok(number)
    } else {
        Err(format!("must be above 0 and at most {most}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_positive_numbers_up_to_a_maximum() {
        assert_eq!(seconds("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(mebibytes("256"), Ok(Bytes::mib(256)));
        for bad in ["0", "-1", "nan", "inf", "1e300", "", "2s"] {
            assert!(seconds(bad).is_err(), "{bad}");
            assert!(mebibytes(bad).is_err(), "{bad}");
            assert!(factor(bad).is_err(), "{bad}");
        }
    }
}
