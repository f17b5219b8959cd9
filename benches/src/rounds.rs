//! The rounds of a measurement, and which of them count.
//!
//! On a virtual machine, the hypervisor may give a processor to another machine while a program here needs it. Linux counts
//! this time as stolen. It slows down everything, but most of all programs that hand work from one processor to another.
//! Therefore rounds are repeated until enough of them are undisturbed, and those with the least stolen time count.

use std::fmt;
use std::fs;
use std::time::{Duration, Instant};

use crate::{TICK_MS, is_test, median};

/// A round is undisturbed if a smaller share of its time was stolen.
const UNDISTURBED: f64 = 0.01;

const MOST_REPEATED: usize = 20;

/// The rounds that count. As text, it says how they were chosen; empty if no round was repeated.
#[derive(Debug)]
pub struct CountedRounds<T> {
    /// Their results, in no particular order.
    pub results: Vec<T>,
    made: usize,
    /// The largest stolen share of a round that counts: stolen CPU time, divided by elapsed time.
    stolen: f64,
}

/// Calls `round` until `count` rounds are undisturbed: at most `count * 3` times, and at most `count + 20` times. Those with
/// the smallest stolen shares count. Only one round is made if the benchmark is only tested.
pub fn measure<T>(count: usize, mut round: impl FnMut() -> T) -> CountedRounds<T> {
    let (count, most) =
        if is_test() { (1, 1) } else { (count, count + MOST_REPEATED.min(count * 2)) };
    let mut rounds = Vec::new();
    let mut undisturbed = 0;
    while undisturbed < count && rounds.len() < most {
        let (stolen_before, start) = (stolen_time(), Instant::now());
        let result = round();
        let elapsed = start.elapsed();
        let stolen = stolen_time().saturating_sub(stolen_before);
        let share = stolen.as_secs_f64() / elapsed.as_secs_f64();
        undisturbed += usize::from(share < UNDISTURBED);
        rounds.push((share, result));
    }
    let made = rounds.len();
    rounds.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    rounds.truncate(count);
    CountedRounds {
        made,
        stolen: rounds.last().map_or(0.0, |(share, _)| *share),
        results: rounds.into_iter().map(|(_, result)| result).collect(),
    }
}

impl<const N: usize> CountedRounds<[Duration; N]> {
    /// The median of each of the times that a round measures, from an odd number of rounds.
    #[must_use]
    pub fn medians(&self) -> [Duration; N] {
        std::array::from_fn(|at| median(self.results.iter().map(|times| times[at]).collect()))
    }
}

impl<T> fmt::Display for CountedRounds<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, made) = (self.results.len(), self.made);
        if made == count {
            return Ok(());
        }
        if self.stolen < UNDISTURBED {
            let disturbed = made - count;
            return write!(
                f,
                "; rounds left out because the hypervisor disturbed them: {disturbed}"
            );
        }
        let percent = 100.0 * self.stolen;
        write!(
            f,
            "; the {count} least disturbed of {made} rounds: the hypervisor took up to {percent:.0} % of their time"
        )
    }
}

/// The CPU time that the hypervisor has taken so far from all processors, while something needed them. Zero on a physical
/// machine. See `proc_stat(5)`.
fn stolen_time() -> Duration {
    let stat = fs::read_to_string("/proc/stat").unwrap_or_default();
    let ticks = stat.lines().next().and_then(|all| {
        let field = all.split_whitespace().nth(8)?;
        field.parse::<u64>().ok()
    });
    Duration::from_millis(TICK_MS * ticks.unwrap_or(0))
}
