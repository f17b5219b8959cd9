//! Whether the results of a trial are what `--want` asks for.

use super::{FailureKind, Performance, RunnerUse, StressTrials, TrialResult, bytes_of, rewrite};
use crate::checker::CheckOutcome;
use crate::judge::InSandbox;
use crate::stress::programs::WantOfPrograms;
use crate::verdict::Verdict;

impl StressTrials<'_> {
    /// The finding, if the condition holds. The inner error is a fault of the checker.
    pub(super) fn wanted(
        &mut self,
        want: &WantOfPrograms,
        results: &[Option<Performance>],
    ) -> InSandbox<Vec<FailureKind>, TrialResult> {
        let of_name = |name: usize| results[want.programs[name]].as_ref();
        let verdict = |one: &Performance| match one.verdict {
            Verdict::Ran => Verdict::Accepted,
            verdict => verdict,
        };
        let names = 0..want.programs.len();
        let verdicts: Vec<Verdict> =
            names.map(|name| of_name(name).map_or(Verdict::Skipped, verdict)).collect();
        let mut differences = Vec::new();
        for pair in want.want.pairs() {
            let outputs = of_name(pair.0).zip(of_name(pair.1));
            let printed = outputs.filter(|(one, two)| one.has_output() && two.has_output());
            differences.push(match printed {
                Some((one, two)) => {
                    rewrite(&self.answer, &bytes_of(&two.output, u64::MAX)?)?;
                    let (programs, case) = (self.programs, self.case.clone());
                    self.counts.checker += 1;
                    let runner = self.runner(RunnerUse::Checker)?;
                    let checked = programs.inspector.check(&case, &one.output, runner)?;
                    if let CheckOutcome::Fault(why) = checked.outcome {
                        let contestant = want.programs[pair.0];
                        return Ok(Err(TrialResult::BrokenChecker { contestant, why }));
                    }
                    checked.outcome != CheckOutcome::Accepted
                }
                None => false,
            });
        }
        if !want.want.holds(&verdicts, &differences) {
            return Ok(Ok(Vec::new()));
        }
        let failed = verdicts.iter().position(|verdict| *verdict != Verdict::Accepted);
        let name = failed.unwrap_or(0);
        Ok(Ok(vec![FailureKind {
            contestant: want.programs[name],
            verdict: verdicts[name],
            exit: None,
        }]))
    }
}
