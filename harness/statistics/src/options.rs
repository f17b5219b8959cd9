//! The options of the gate: confidence level, smallest change, number of pairs.

/// The measured quantity. It determines the unit of the samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// User plus system time of the program, in seconds.
    CpuTime,
    /// Elapsed time, in seconds.
    WallTime,
    /// Peak memory, in bytes.
    Memory,
    /// The number of executed instructions.
    Instructions,
}

impl Quantity {
    /// Whether repeated runs can give exactly the same figure. If so, equal figures are exact; otherwise they show that
    /// the clock is too coarse.
    pub fn repeats_itself(self) -> bool {
        matches!(self, Self::Memory | Self::Instructions)
    }
}

/// The options of the gate. [`GateOptions::of`] returns the defaults for a quantity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GateOptions {
    /// The quantity of the samples.
    pub quantity: Quantity,
    /// The confidence level of the two-sided intervals in each pass, over all cases and null controls together: 0.95 for
    /// 95 %.
    pub level: f64,
    /// The smallest effect that counts, as a fraction: 0.01 for 1 %.
    pub threshold: f64,
    /// The smallest median difference that counts, in the unit of the samples.
    pub floor: f64,
    /// The number of pairs to measure in each pass. The gate itself accepts any number of pairs.
    pub pairs: usize,
}

/// An invalid option.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// The level is outside the useful range of probabilities.
    #[error("the level must be at least 0.5 and below 1, not {0}")]
    Level(f64),
    /// The threshold is negative or not a number.
    #[error("the threshold must be a fraction of at least 0, not {0}")]
    Threshold(f64),
    /// The floor is negative or not a number.
    #[error("the floor must be at least 0, not {0}")]
    Floor(f64),
    /// This number of pairs can never give a significant result.
    #[error("{have} pairs are too few for this confidence level: use at least {need}")]
    Pairs {
        /// The requested number of pairs.
        have: usize,
        /// [`GateOptions::pairs_needed`] for a single case without a null control.
        need: usize,
    },
}

impl GateOptions {
    /// The defaults: 95 % and 60 pairs in each of two passes; 1 % and 0.1 ms for times; 1 % and 64 KiB for memory; 0.1 %
    /// and 1000 for instructions, with 10 pairs, which are needed only if the count does not repeat exactly.
    pub fn of(quantity: Quantity) -> Self {
        let (threshold, floor, pairs) = match quantity {
            Quantity::CpuTime | Quantity::WallTime => (0.01, 1e-4, 60),
            Quantity::Memory => (0.01, 65_536.0, 60),
            Quantity::Instructions => (0.001, 1000.0, 10),
        };
        Self { quantity, level: 0.95, threshold, floor, pairs }
    }

    /// Checks that the options are valid.
    pub fn check(&self) -> Result<(), OptionsError> {
        let fraction = |x: f64| x.is_finite() && x >= 0.0;
        let need = self.pairs_needed(1);
        if !(0.5..1.0).contains(&self.level) {
            Err(OptionsError::Level(self.level))
        } else if !fraction(self.threshold) {
            Err(OptionsError::Threshold(self.threshold))
        } else if !fraction(self.floor) {
            Err(OptionsError::Floor(self.floor))
        } else if self.pairs < need {
            Err(OptionsError::Pairs { have: self.pairs, need })
        } else {
            Ok(())
        }
    }

    /// The fewest pairs that give a significant result if all of them agree and `tests` tests (cases and null controls)
    /// are made at once. If the figures of a quantity repeat exactly, two pairs are enough.
    pub fn pairs_needed(&self, tests: usize) -> usize {
        let tail = self.tail(tests);
        let mut agree = 0.5;
        let mut pairs = 1;
        // The loop ends because `agree` is halved until it underflows to zero. An invalid level may have a negative
        // tail.
        while agree > tail.max(0.0) {
            agree /= 2.0;
            pairs += 1;
        }
        pairs
    }

    /// The probability outside of each end of an interval, divided among `tests` tests.
    pub(super) fn tail(&self, tests: usize) -> f64 {
        self.alpha() / 2.0 / tests.max(1) as f64
    }

    /// The probability of any false finding in one pass.
    pub(super) fn alpha(&self) -> f64 {
        1.0 - self.level
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_valid() {
        use Quantity::{CpuTime, Instructions, Memory, WallTime};
        for quantity in [CpuTime, WallTime, Memory, Instructions] {
            assert_eq!(GateOptions::of(quantity).check(), Ok(()), "{quantity:?}");
        }
    }

    #[test]
    fn invalid_options_are_rejected() {
        let good = GateOptions::of(Quantity::CpuTime);
        let table = [
            (
                GateOptions { level: 1.0, ..good },
                "the level must be at least 0.5 and below 1, not 1",
            ),
            (
                GateOptions { level: 1.5, ..good },
                "the level must be at least 0.5 and below 1, not 1.5",
            ),
            (
                GateOptions { level: f64::NAN, ..good },
                "the level must be at least 0.5 and below 1, not NaN",
            ),
            (
                GateOptions { threshold: -0.1, ..good },
                "the threshold must be a fraction of at least 0, not -0.1",
            ),
            (GateOptions { floor: f64::INFINITY, ..good }, "the floor must be at least 0, not inf"),
            (
                GateOptions { pairs: 5, ..good },
                "5 pairs are too few for this confidence level: use at least 6",
            ),
        ];
        for (options, message) in table {
            assert_eq!(options.check().unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn more_tests_need_more_pairs() {
        let options = GateOptions::of(Quantity::CpuTime);
        // 2^-n is at most 0.025 / tests.
        assert_eq!([1, 2, 20, 200].map(|tests| options.pairs_needed(tests)), [6, 7, 10, 13]);
    }
}
