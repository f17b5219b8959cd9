//! The statistics of measured runs: medians, intervals, and the decision whether a program got slower.
//!
//! Pure functions over samples: no input or output, no clock, and no chance either, so the same samples always get the
//! same answer. It measures nothing (the benchmark does) and prints nothing. The module is unstable: public because
//! the benchmarks measure it.
//!
//! # From samples to a decision
//!
//! ```text
//! runs of base and new, in pairs ─→ Pairs ─→ ln(new / base) of each pair ─→ median, interval, p ─┐
//! runs of base against base ──────→ Pairs (the null control) ─→ the same ───────────────────────┤
//!                                      first pass: Holm over all of them, candidates ─→ again ─→ judge
//!                                      (a null control that looks different each time is subtracted first)
//! ```
//!
//! A sample is a list of positive finite figures in one unit (seconds of CPU time, bytes, instructions). An effect is a
//! fraction: 0.03 is three per cent more than the base.
//!
//! # Why these methods
//!
//! Noise on shared machines is one-sided, heavy-tailed, drifting and correlated in time, so means and variances say
//! little. What holds: both programs run in turns, and the order within each pair is a coin's. Then, if nothing
//! changed, each pair's log-ratio is as likely above zero as below *whatever the noise*, and independently of the other
//! pairs, so the number of positive pairs is binomial (Fisher's randomisation argument, the sign test). The percentile
//! bootstrap of the median of log-ratios is close to that, and better known, but optimistic for few pairs. Both are
//! computed, the more careful one counts ([`MedianDistribution`]).
//!
//! Nothing is resampled: the bootstrap's distribution of a median is known exactly (B. Efron, *Bootstrap Methods*,
//! Annals of Statistics 7, 1979, section 3; J. Maritz and R. Jarrett, JASA 73, 1978), so it costs microseconds, has no
//! seed, and its tails are as deep as the correction for many cases needs.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of runs and their ranks are far below 2^52"
)]
mod binomial;
mod distribution;
mod effect;
mod gate;
mod holm;
mod null_control;
mod options;
mod sample;
#[cfg(test)]
mod simulation;

pub use distribution::{Interval, MedianDistribution};
pub use effect::{Effect, Pairs};
pub use gate::{CaseGate, CaseReport, Decision, Gate, GateReport, Pass, Reason};
pub use holm::holm;
pub use null_control::Rest;
pub use options::{GateOptions, OptionsError, Quantity};
pub use sample::{SampleError, Side, Summary, mad, median, quantile};
