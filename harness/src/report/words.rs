//! The words of a run: how sure its verdicts are, and its scores.

use std::fmt;

use crate::event::{Disturbance, Nearness, Score};
use crate::show::words::{Count, Seconds, ShownPoints};

/// The mark of a run whose time is close to a limit, in a report that is merged from unlike machines.
pub(crate) const NEAR_LIMIT: &str =
    "within 20 % of a time limit: on another of the machines the verdict may differ";

/// How a verdict close to the time limit was confirmed: `confirmed by a run alone, pinned to a core; in parallel with
/// other cases CPU 1.012 s, wall 1.040 s`.
pub(crate) struct Sureness(pub(crate) Nearness);

impl fmt::Display for Sureness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Nearness::Confirmed { first, one_core } = self.0 else {
            return f.write_str(
                "close to the limit in parallel with other cases; not repeated alone, since earlier repeats changed no \
                 verdict",
            );
        };
        let pinned = if one_core { ", pinned to a core" } else { "" };
        let (cpu, wall) = (Seconds(first.cpu()), Seconds(first.wall));
        write!(
            f,
            "confirmed by a run alone{pinned}; in parallel with other cases CPU {cpu}, wall {wall}"
        )
    }
}

/// How other programs influenced a verdict: `run again, other programs used 1.912 s of CPU time in the 2.000 s of the run`.
/// All figures are in JSON.
pub(crate) struct Disturbed<'a>(pub(crate) &'a Disturbance);

impl fmt::Display for Disturbed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let disturbance = self.0;
        if disturbance.killed {
            f.write_str("run again, another program killed it with SIGKILL")?;
            if !disturbance.stands {
                return Ok(());
            }
            f.write_str("; ")?;
        }
        let figures = disturbance.contention;
        match (disturbance.stands, disturbance.reruns) {
            (false, _) => f.write_str("run again, ")?,
            (true, 0) => f.write_str("in doubt, not run again: ")?,
            (true, reruns) => write!(f, "in doubt after {}: ", Count(reruns + 1, "run"))?,
        }
        let observed = Seconds(figures.observed);
        if figures.others >= figures.starved {
            let others = Seconds(figures.others);
            write!(f, "other programs used {others} of CPU time in the {observed} of the run")?;
        } else {
            let starved = Seconds(figures.starved);
            write!(f, "it waited {starved} of the {observed} for a processor")?;
        }
        if !figures.steal.is_zero() {
            let steal = Seconds(figures.steal);
            write!(f, ", {steal} stolen by the hypervisor")?;
        }
        if !figures.throttled.is_zero() {
            let throttled = Seconds(figures.throttled);
            write!(f, ", {throttled} throttled by a CPU quota")?;
        }
        Ok(())
    }
}

/// The score of a submission: `40 of 100 points (secret/a 40 of 50, secret/b 0 of 50)`.
pub(crate) struct Scored<'a>(pub(crate) &'a Score);

impl fmt::Display for Scored<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Score { score, max, groups } = self.0;
        write!(f, "{}", OutOf(*score, *max))?;
        f.write_str(" points")?;
        for (index, group) in groups.iter().enumerate() {
            let before = if index == 0 { " (" } else { ", " };
            let points = OutOf(group.score, group.max);
            write!(f, "{before}{} {points}", group.group)?;
        }
        f.write_str(if groups.is_empty() { "" } else { ")" })
    }
}

/// `40 of 100`, or `40` if the maximum is unknown.
struct OutOf(f64, Option<f64>);

impl fmt::Display for OutOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", ShownPoints(self.0))?;
        match self.1 {
            Some(max) => write!(f, " of {}", ShownPoints(max)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::event::GroupScore;

    #[test]
    fn a_disturbance_is_shown_with_its_figures() {
        let contention = crate::sandbox::Contention {
            observed: Duration::from_secs(2),
            starved: Duration::from_millis(800),
            run_delay: Duration::from_millis(900),
            others: Duration::from_secs(3),
            ..Default::default()
        };
        let figures = "other programs used 3.000 s of CPU time in the 2.000 s of the run";
        let table = [
            ((1, false, false), format!("run again, {figures}")),
            ((2, true, false), format!("in doubt after 3 runs: {figures}")),
            ((0, true, false), format!("in doubt, not run again: {figures}")),
            ((1, false, true), "run again, another program killed it with SIGKILL".to_owned()),
        ];
        for ((reruns, stands, killed), expected) in table {
            let disturbance = Disturbance { contention, reruns, killed, stands };
            assert_eq!(Disturbed(&disturbance).to_string(), expected);
        }
        let contention = crate::sandbox::Contention { others: Duration::ZERO, ..contention };
        let disturbance = Disturbance { contention, reruns: 1, killed: false, stands: false };
        let expected = "run again, it waited 0.800 s of the 2.000 s for a processor";
        assert_eq!(Disturbed(&disturbance).to_string(), expected);
    }

    #[test]
    fn a_score_is_shown_with_its_groups() {
        let group = |group: &str, score, max| GroupScore { group: group.to_owned(), score, max };
        let score = Score {
            score: 40.0,
            max: Some(100.0),
            groups: vec![group("secret/a", 40.0, Some(50.0)), group("secret/b", 0.0, None)],
        };
        assert_eq!(Scored(&score).to_string(), "40 of 100 points (secret/a 40 of 50, secret/b 0)");
    }
}
