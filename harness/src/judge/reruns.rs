//! Runs one case, and repeats it as often as the load of the machine makes that necessary.

use super::WorkerPool;
use super::near_limit;
use super::run::{Circumstances, TranscriptScope};
use super::run::{Run, Subject};
use super::runners::Runners;
use crate::attempts::{self, RepeatedRun, RunDecision};
use crate::event::{Disturbance, Nearness};
use crate::sandbox::SandboxError;

impl WorkerPool<'_> {
    /// Runs the case, and runs it again if other processes may have caused the verdict. Repeats run alone.
    pub(super) fn run_until_decided(
        &self,
        subject: &Subject<'_>,
        runners: &mut Runners,
    ) -> Result<Run, SandboxError> {
        let record = if self.options.transcript {
            TranscriptScope::Everything
        } else {
            TranscriptScope::Nothing
        };
        let (limits, options, others) = (*subject.limits(), self.options, self.others());
        let confirmations = &subject.ready.confirmations;
        let mut one_core = false;
        let repeated = attempts::repeat_until_decided(confirmations, options.measures, |before| {
            let mut circumstances = Circumstances { limits, workers: None, record };
            let run = match before.first() {
                None if others > 0 => {
                    circumstances.limits = near_limit::shared(&limits);
                    circumstances.workers = Some(others);
                    let _shared = self.share();
                    self.run_passes(subject, &circumstances, runners)?
                }
                None => self.run_passes(subject, &circumstances, runners)?,
                Some(first) => {
                    circumstances.limits = near_limit::alone(&limits, first);
                    one_core = circumstances.limits.one_core;
                    let _alone = self.alone();
                    self.run_passes(subject, &circumstances, runners)?
                }
            };
            Ok::<_, SandboxError>((run.attempt, run))
        })?;
        let (nearness, disturbance) = (nearness(&repeated, one_core), disturbance(&repeated));
        Ok(Run { nearness, disturbance, ..repeated.result })
    }
}

/// How a verdict was confirmed if its first run came close to the time limit in parallel with our other workers.
fn nearness<R>(repeated: &RepeatedRun<R>, one_core: bool) -> Option<Nearness> {
    let first = repeated.attempts.first().filter(|first| first.open)?;
    if repeated.attempts.len() > 1 {
        let first = first.usage;
        return Some(Nearness::Confirmed { first, one_core });
    }
    (repeated.decision == RunDecision::Believe).then_some(Nearness::Believed)
}

/// How other processes of the machine influenced the verdict, if they did.
fn disturbance<R>(repeated: &RepeatedRun<R>) -> Option<Disturbance> {
    let attempts = &repeated.attempts;
    let killed = attempts.len() > 1 && attempts.iter().any(|run| run.killed);
    let stands = repeated.stands_disturbed();
    let mut disturbed = attempts.iter().filter(|run| run.over_time && run.disturbed);
    let decisive = if stands {
        Some(&attempts[repeated.decides])
    } else {
        disturbed.next().filter(|_| attempts.len() > 1)
    };
    (killed || decisive.is_some()).then(|| Disturbance {
        contention: decisive.map(|run| run.usage.contention).unwrap_or_default(),
        reruns: attempts.len() - 1,
        killed,
        stands,
    })
}
