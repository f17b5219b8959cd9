//! What an answer says of the cases that were judged.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::answer::{BatchAnswer, CaseAnswer, CompileAnswer, FaultOf, LimitsAnswer};
use super::outputs::{KeptOutput, KeptOutputs};
use super::prepared::Prepared;
use super::request::{BatchRequest, ScoreRule};
use super::text::start_of;
use crate::event::{CaseResult, SubmissionReport};
use crate::sandbox::Exit;
use crate::show::json_line::milliseconds;
use crate::show::verdict_code::VerdictCode;
use crate::verdict::Verdict;

/// What the judge reported.
#[derive(Default)]
pub(super) struct CollectedResults {
    pub(super) cases: Vec<CaseResult>,
    pub(super) report: Option<SubmissionReport>,
    pub(super) interrupted: bool,
}

/// The answer to a request that names no program.
pub(super) fn no_program(request: &BatchRequest, why: &str, total: usize) -> BatchAnswer {
    let message = Some(why.to_owned());
    BatchAnswer {
        id: request.id.clone(),
        judged: true,
        verdict: Some(VerdictCode(Verdict::CompileError)),
        no_program: true,
        total,
        not_run: total,
        compile: Some(CompileAnswer { ok: false, cached: false, wall_ms: None, message }),
        cases: vec![CaseAnswer::bare(Verdict::Skipped); total],
        ..BatchAnswer::default()
    }
}

/// Makes an answer of what was collected.
pub(super) struct Answering<'a> {
    pub(super) request: &'a BatchRequest,
    pub(super) prepared: &'a Prepared,
    pub(super) outputs: &'a KeptOutputs,
}

impl Answering<'_> {
    pub(super) fn answer(&self, collected: CollectedResults) -> BatchAnswer {
        let id = self.request.id.clone();
        let Some(report) = collected.report.filter(|_| !collected.interrupted) else {
            let why = "the command was interrupted";
            return BatchAnswer::not_judged(id, FaultOf::Interrupt, why);
        };
        if let Some(why) = &report.not_judged {
            let answer = BatchAnswer::not_judged(id, FaultOf::Judge, why.message.clone());
            return answer.with_help(why.help.clone());
        }
        let fault = collected.cases.iter().find(|case| case.verdict == Verdict::JudgeError);
        if let Some(fault) = fault {
            let why = fault.reason.clone().unwrap_or_else(|| "the judge failed".to_owned());
            return BatchAnswer::not_judged(
                id,
                FaultOf::Judge,
                format!("case {}: {why}", fault.case),
            );
        }
        let total = self.prepared.problem.cases.len();
        let is_built = report.build.error.is_none();
        let mut cases: Vec<CaseAnswer> = Vec::with_capacity(total);
        for result in collected.cases.iter().filter(|_| is_built) {
            cases.push(self.case(result));
        }
        let not_run = total - cases.len().min(total);
        cases.resize_with(total, || CaseAnswer::bare(Verdict::Skipped));
        let accepted = |case: &&CaseAnswer| case.verdict.0 == Verdict::Accepted;
        let passed = cases.iter().filter(accepted).count();
        let verdict = if is_built { verdict_of(&cases) } else { Verdict::CompileError };
        let build = &report.build;
        let message = build.error.as_ref().or(build.warnings.as_ref());
        let message = message.map(|message| message.replace(&self.prepared.folder, ""));
        let limits = &report.limits;
        BatchAnswer {
            id,
            judged: true,
            verdict: Some(VerdictCode(verdict)),
            passed,
            total,
            not_run,
            score: self.score(&cases, passed),
            compile: Some(CompileAnswer {
                ok: is_built,
                cached: build.cached,
                wall_ms: build.time.map(milliseconds),
                message,
            }),
            limits: Some(LimitsAnswer {
                cpu_ms: milliseconds(limits.cpu_time),
                wall_ms: milliseconds(limits.wall_time),
                memory_bytes: limits.memory.get(),
                output_bytes: limits.output.get(),
            }),
            cases,
            ..BatchAnswer::default()
        }
    }

    fn case(&self, result: &CaseResult) -> CaseAnswer {
        let (exit_code, signal) = match result.exit {
            Some(Exit::Code(code)) => (Some(code), None),
            Some(Exit::Signal(signal)) => (None, Some(signal)),
            _ => (None, None),
        };
        let reason = match result.verdict {
            Verdict::WrongAnswer if self.prepared.has_own_tests => {
                Some("the program ended before its last test".to_owned())
            }
            _ => result.reason.clone(),
        };
        let mut answer = CaseAnswer {
            reason,
            exit_code,
            signal,
            disturbed: result.disturbance.is_some_and(|disturbance| disturbance.stands),
            ..CaseAnswer::bare(result.verdict)
        };
        if result.exit.is_some() {
            answer.cpu_ms = Some(milliseconds(result.usage.cpu()));
            answer.wall_ms = Some(milliseconds(result.usage.wall));
            answer.memory_bytes = Some(result.usage.peak_memory.get());
            answer.preloaded = result.usage.preloaded;
        }
        if let Some(kept) = self.outputs.take(&result.case) {
            self.add_output(&mut answer, kept);
        }
        answer
    }

    fn add_output(&self, answer: &mut CaseAnswer, kept: KeptOutput) {
        let KeptOutput { bytes, size, stderr } = kept;
        answer.stdout_bytes = Some(size);
        // The token of own tests means nothing to anybody.
        if !self.prepared.has_own_tests {
            answer.stdout_head = Some(start_of(&bytes));
        }
        if self.request.return_output {
            match String::from_utf8(bytes) {
                Ok(text) => answer.stdout = Some(text),
                Err(error) => {
                    answer.stdout_base64 = Some(BASE64_STANDARD.encode(error.as_bytes()));
                }
            }
        }
        let stderr = String::from_utf8_lossy(&stderr).replace(&self.prepared.folder, "");
        answer.stderr_tail = (!stderr.is_empty()).then_some(stderr);
    }

    #[expect(clippy::cast_precision_loss, reason = "shares of counts of cases")]
    fn score(&self, cases: &[CaseAnswer], passed: usize) -> f64 {
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        match self.request.score {
            ScoreRule::Fraction => share(passed, cases.len()),
            ScoreRule::All => f64::from(u8::from(passed == cases.len())),
            ScoreRule::Groups => {
                let mut groups: BTreeMap<Option<&str>, bool> = BTreeMap::new();
                for (case, group) in cases.iter().zip(&self.prepared.groups) {
                    let is_accepted = case.verdict.0 == Verdict::Accepted;
                    *groups.entry(group.as_deref()).or_insert(true) &= is_accepted;
                }
                share(groups.values().filter(|all| **all).count(), groups.len())
            }
        }
    }
}

/// The first verdict other than AC, or AC. RAN counts only if there is nothing else.
fn verdict_of(cases: &[CaseAnswer]) -> Verdict {
    let mut verdicts = cases.iter().map(|case| case.verdict.0);
    let decisive = verdicts
        .clone()
        .find(|verdict| !matches!(verdict, Verdict::Accepted | Verdict::Ran | Verdict::Skipped));
    let is_accepted = verdicts.any(|verdict| verdict == Verdict::Accepted);
    decisive.unwrap_or(if is_accepted { Verdict::Accepted } else { Verdict::Ran })
}
