//! Statistics of measured runs: medians, intervals, and the decision whether a program got slower.
//!
//! The crate consists of pure functions over samples. They use no input or output, no clock and no random numbers, so
//! the same samples always give the same answer. It must never know how a sample is measured or printed.
//!
//! # From samples to a decision
//!
//! ```text
//! runs of base and new, in pairs ─→ Pairs ─→ ln(new / base) of each pair ─→ median, interval, p ─┐
//! runs of base against base ──────→ Pairs (the null control) ─→ the same ───────────────────────┤
//!                                      first pass: Holm over all of them, candidates ─→ again ─→ judge
//!                                      (first, a null control that looks different each time is subtracted)
//! ```
//!
//! A sample is a list of positive finite figures in one unit (seconds of CPU time, bytes, instructions). An effect is a
//! fraction: 0.03 means three per cent more than the base.
//!
//! # Why these methods
//!
//! Noise on shared machines is one-sided, heavy-tailed, drifting and correlated in time, so means and variances are not
//! informative. The design makes up for this: both programs run alternately, and a coin decides the order within each
//! pair. If nothing changed, the log-ratio of each pair is therefore as likely above zero as below, *whatever the
//! noise*, and independent of the other pairs. The number of positive pairs is then binomial (Fisher's randomisation
//! argument, the sign test). The percentile bootstrap of the median of the log-ratios is similar and better known, but
//! optimistic for few pairs. Both are computed, and the more conservative one counts ([`MedianDistribution`]).
//!
//! Nothing is resampled, because the bootstrap distribution of a median is known exactly (B. Efron, *Bootstrap Methods*,
//! Annals of Statistics 7, 1979, section 3; J. Maritz and R. Jarrett, JASA 73, 1978). The computation takes
//! microseconds, needs no seed, and resolves the tails as deeply as the correction for many cases requires.
//!
//! # Layers
//!
//! A module imports only modules that are further right in its row, or in a row below. A test in the harness holds this.
//!
//! ```text
//! decision  gate null_control
//! figures   effect summary distribution options
//! base      holm sample binomial
//! ```

#![forbid(unsafe_code)]
#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of runs and ranks are far below 2^52"
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
mod summary;

pub use distribution::{Interval, MedianDistribution};
pub use effect::{Effect, Pairs, Rest};
pub use gate::{CaseGate, CaseReport, Decision, Gate, GateReport, Pass, Reason};
pub use holm::holm;
pub use options::{GateOptions, OptionsError, Quantity};
pub use sample::{SampleError, Version, mad, median, quantile};
pub use summary::SampleSummary;
