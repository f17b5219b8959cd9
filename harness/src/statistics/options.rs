//! What the gate goes by: how sure, how large, how many.

/// What was measured, and so the unit of the samples and how they behave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// User plus system time of the program, in seconds.
    CpuTime,
    /// Time on the clock, in seconds.
    WallTime,
    /// Peak memory, in bytes.
    Memory,
    /// Instructions executed.
    Instructions,
}

impl Quantity {
    /// Whether repeated runs may well measure exactly the same, so that equal figures are certainty and not a clock too
    /// coarse.
    pub fn repeats_itself(self) -> bool {
        matches!(self, Self::Memory | Self::Instructions)
    }
}

/// The gate's settings. The defaults of a quantity: [`GateOptions::of`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GateOptions {
    /// What the samples are.
    pub quantity: Quantity,
    /// The level of each pass's two-sided intervals, over all cases and null controls together: 0.95 for 95 %.
    pub level: f64,
    /// The smallest effect that counts, as a fraction: 0.01 for 1 %.
    pub threshold: f64,
    /// The smallest median difference that counts, in the unit of the samples.
    pub floor: f64,
    /// How many pairs to measure in each pass. The gate judges any number; this is what whoever measures goes by.
    pub pairs: usize,
}

/// A setting that makes no sense.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// The level is not a probability that says anything.
    #[error("the level must be at least 0.5 and below 1, not {0}")]
    Level(f64),
    /// The threshold is negative or no number.
    #[error("the threshold must be a fraction of at least 0, not {0}")]
    Threshold(f64),
    /// The floor is negative or no number.
    #[error("the floor must be at least 0, not {0}")]
    Floor(f64),
    /// So few pairs can never show anything.
    #[error("{have} pairs can show nothing at this level\nhelp: measure at least {need}")]
    Pairs {
        /// What was asked for.
        have: usize,
        /// [`GateOptions::pairs_needed`] for a single case without null control.
        need: usize,
    },
}

impl GateOptions {
    /// The defaults: 95 % in each of two passes, 60 pairs in each; 1 % and 0.1 ms of time, 1 % and 64 KiB of memory,
    /// 0.1 % and 1000 of instructions (10 pairs, which matter only if the count does not repeat itself).
    pub fn of(quantity: Quantity) -> Self {
        let (threshold, floor, pairs) = match quantity {
            Quantity::CpuTime | Quantity::WallTime => (0.01, 1e-4, 60),
            Quantity::Memory => (0.01, 65_536.0, 60),
            Quantity::Instructions => (0.001, 1000.0, 10),
        };
        Self {
            quantity,
            level: 0.95,
            threshold,
            floor,
            pairs,
        }
    }

    /// Whether the settings make sense.
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
            Err(OptionsError::Pairs {
                have: self.pairs,
                need,
            })
        } else {
            Ok(())
        }
    }

    /// How many pairs show anything if all agree, when so many tests (cases and null controls) are made at once; two
    /// are enough of a quantity that repeats itself exactly, if it does.
    pub fn pairs_needed(&self, tests: usize) -> usize {
        let tail = self.tail(tests);
        let mut agree = 0.5;
        let mut pairs = 1;
        // Ends: it is halved until it underflows to zero; a senseless level has no tail.
        while agree > tail.max(0.0) {
            agree /= 2.0;
            pairs += 1;
        }
        pairs
    }

    /// What is left at each end of an interval, shared among so many tests.
    pub(super) fn tail(&self, tests: usize) -> f64 {
        self.alpha() / 2.0 / tests.max(1) as f64
    }

    /// The chance of any false finding in one pass.
    pub(super) fn alpha(&self) -> f64 {
        1.0 - self.level
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_make_sense() {
        use Quantity::{CpuTime, Instructions, Memory, WallTime};
        for quantity in [CpuTime, WallTime, Memory, Instructions] {
            assert_eq!(GateOptions::of(quantity).check(), Ok(()), "{quantity:?}");
        }
    }

    #[test]
    fn senseless_settings_are_refused() {
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
                GateOptions {
                    level: f64::NAN,
                    ..good
                },
                "the level must be at least 0.5 and below 1, not NaN",
            ),
            (
                GateOptions {
                    threshold: -0.1,
                    ..good
                },
                "the threshold must be a fraction of at least 0, not -0.1",
            ),
            (
                GateOptions {
                    floor: f64::INFINITY,
                    ..good
                },
                "the floor must be at least 0, not inf",
            ),
            (
                GateOptions { pairs: 5, ..good },
                "5 pairs can show nothing at this level\nhelp: measure at least 6",
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
        assert_eq!(
            [1, 2, 20, 200].map(|tests| options.pairs_needed(tests)),
            [6, 7, 10, 13]
        );
    }
}
