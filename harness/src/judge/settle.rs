//! One case, as often as the machine's load makes it necessary; and what that says of its verdict.

use super::Bench;
use super::case::{Run, Subject};
use super::near_limit;
use super::play::{Circumstances, Record};
use super::runners::Runners;
use crate::attempts::{self, Decision, Settled};
use crate::event::{Disturbance, Nearness};
use crate::sandbox::SandboxError;

impl Bench<'_> {
    /// Plays the case, and again where others may have decided; what is played again is alone.
    pub(super) fn settle(
        &self,
        subject: &Subject<'_>,
        runners: &mut Runners,
    ) -> Result<Run, SandboxError> {
        let record = if self.options.transcript {
            Record::Everything
        } else {
            Record::Nothing
        };
        let (limits, options) = (subject.ready.limits, self.options);
        let others = u32::try_from(options.jobs.saturating_sub(1)).unwrap_or(u32::MAX);
        let confirmations = &subject.ready.confirmations;
        let mut one_core = false;
        let settled = attempts::settle(confirmations, options.measures, |before| {
            let mut circumstances = Circumstances {
                limits,
                workers: None,
                record,
            };
            let run = match before.first() {
                None if others > 0 => {
                    circumstances.limits = near_limit::shared(&limits);
                    circumstances.workers = Some(others);
                    let _shared = self.share();
                    self.play(subject, &circumstances, runners)?
                }
                None => self.play(subject, &circumstances, runners)?,
                Some(first) => {
                    circumstances.limits = near_limit::alone(&limits, first);
                    one_core = circumstances.limits.one_core;
                    let _alone = self.alone();
                    self.play(subject, &circumstances, runners)?
                }
            };
            Ok::<_, SandboxError>((run.attempt, run))
        })?;
        let (nearness, disturbance) = (nearness(&settled, one_core), disturbance(&settled));
        Ok(Run {
            nearness,
            disturbance,
            ..settled.result
        })
    }
}

/// How sure a verdict is whose first run came close to its time limit beside our other workers.
fn nearness<R>(settled: &Settled<R>, one_core: bool) -> Option<Nearness> {
    let first = settled.attempts.first().filter(|first| first.open)?;
    if settled.attempts.len() > 1 {
        let first = first.usage;
        return Some(Nearness::Confirmed { first, one_core });
    }
    (settled.decision == Decision::Believe).then_some(Nearness::Believed)
}

/// What the rest of the machine had to do with the verdict, if anything.
fn disturbance<R>(settled: &Settled<R>) -> Option<Disturbance> {
    let attempts = &settled.attempts;
    let killed = attempts.len() > 1 && attempts.iter().any(|run| run.killed);
    let stands = settled.stands_disturbed();
    let mut disturbed = attempts.iter().filter(|run| run.over_time && run.disturbed);
    let felt = if stands {
        Some(&attempts[settled.decides])
    } else {
        disturbed.next().filter(|_| attempts.len() > 1)
    };
    (killed || felt.is_some()).then(|| Disturbance {
        contention: felt.map(|run| run.usage.contention).unwrap_or_default(),
        reruns: attempts.len() - 1,
        killed,
        stands,
    })
}
