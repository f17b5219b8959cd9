//! One submission on one case: run it, settle the verdict, keep what explains it.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::Bench;
use super::build::Ready;
use super::near_limit;
use crate::checker::{self, CaseFiles, CheckOutcome, Checked, printable};
use crate::diff;
use crate::event::{CaseResult, Nearness, Repeats};
use crate::problem::TestCase;
use crate::sandbox::{Captured, Execution, Exit, Input, Job, Limits, Runner, SandboxError, Usage};
use crate::submission::Submission;
use crate::verdict::{self, Verdict};

/// How many differences are made ready for a submission; the first failing case always gets one.
const DIFFERENCES: usize = 4;

/// How much of a validator's message and of standard error is shown, in bytes.
const SHOWN: usize = 4 << 10;

/// One run of one case.
struct Run {
    verdict: Verdict,
    reason: Option<String>,
    exit: Option<Exit>,
    usage: Usage,
    diff: Option<String>,
    stderr: Vec<u8>,
    nearness: Option<Nearness>,
    messages: Vec<usize>,
}

/// What the checker settled, and what explains it.
struct Judged {
    verdict: Verdict,
    reason: Option<String>,
    diff: Option<String>,
    messages: Vec<usize>,
}

impl Run {
    fn fault(reason: String) -> Self {
        Self {
            verdict: Verdict::JudgeError,
            reason: Some(reason),
            exit: None,
            usage: Usage::default(),
            diff: None,
            stderr: Vec::new(),
            nearness: None,
            messages: Vec::new(),
        }
    }
}

impl Bench<'_> {
    /// Judges the case, as often as was asked for; the worst run counts.
    pub(super) fn judge_case(
        &self,
        submission: usize,
        case: usize,
        runner: &mut Runner,
    ) -> Result<CaseResult, SandboxError> {
        let ready = self.builds.ready(submission);
        let (entry, problem) = self.entries[submission];
        let test = &problem.cases[case];
        let runs = (0..self.options.repeat.max(1))
            .map(|_| self.run_once(entry, ready, test, case, runner))
            .collect::<Result<Vec<_>, _>>()?;
        let repeats = (runs.len() > 1).then(|| repeats(&runs));
        let worst = runs
            .into_iter()
            .max_by_key(|run| (run.verdict, run.usage.cpu()));
        let run = worst.expect("a case is run at least once");
        let permitted = self.permits(entry, test.name(), run.verdict);
        let mut reason = run.reason;
        if repeats.as_ref().is_some_and(Repeats::flaky) {
            let why = reason.map(|why| format!(": {why}")).unwrap_or_default();
            reason = Some(format!("not the same verdict in every run{why}"));
        }
        let stderr = !permitted && !run.stderr.is_empty();
        Ok(CaseResult {
            submission: entry.name.clone(),
            problem: problem.id.clone(),
            case: test.name().to_owned(),
            verdict: run.verdict,
            permitted,
            exit: run.exit,
            usage: run.usage,
            messages: run.messages,
            reason,
            diff: run.diff,
            stderr: stderr.then(|| printable::paragraph(&run.stderr, SHOWN)),
            nearness: run.nearness,
            repeats,
        })
    }

    fn permits(&self, submission: &Submission, case: &str, verdict: Verdict) -> bool {
        let unchecked = self.options.allow_unchecked && verdict == Verdict::Ran;
        unchecked || submission.expected.permits(case, verdict)
    }

    fn run_once(
        &self,
        submission: &Submission,
        ready: &Ready,
        case: &TestCase,
        index: usize,
        runner: &mut Runner,
    ) -> Result<Run, SandboxError> {
        let (nearness, execution) = match self.execute(ready, case, runner) {
            Ok(ran) => ran,
            Err(SandboxError::Setup {
                program,
                step,
                source,
            }) => {
                return Ok(Run::fault(format!(
                    "cannot start `{program}`: {step}: {source}"
                )));
            }
            // The runner replaces its launcher before the next run.
            Err(SandboxError::Launcher(words)) => {
                return Ok(Run::fault(format!("the launcher failed: {words}")));
            }
            Err(SandboxError::Io { action, source }) => {
                return Ok(Run::fault(format!("{action}: {source}")));
            }
            Err(error) => return Err(error),
        };
        if let Some(folder) = &self.options.keep
            && let Err(error) = keep(folder, submission, case, &execution)
        {
            return Ok(Run::fault(format!("cannot keep the output: {error}")));
        }
        let judged = match verdict::of_execution(&execution, &ready.limits) {
            Some((verdict, evidence)) => Judged {
                verdict,
                reason: Some(evidence),
                diff: None,
                messages: Vec::new(),
            },
            None => self.check(submission, ready, case, index, &execution, runner)?,
        };
        Ok(Run {
            verdict: judged.verdict,
            reason: judged.reason,
            exit: Some(execution.exit),
            usage: execution.usage,
            diff: judged.diff,
            stderr: execution.stderr_tail,
            nearness,
            messages: judged.messages,
        })
    }

    /// Runs the program; a run that leaves its time verdict open is repeated alone.
    fn execute(
        &self,
        ready: &Ready,
        case: &TestCase,
        runner: &mut Runner,
    ) -> Result<(Option<Nearness>, Execution), SandboxError> {
        let base = &self.options.runner.work_base;
        let run = |limits: &Limits, runner: &mut Runner| run(ready, limits, case, base, runner);
        if self.options.jobs <= 1 {
            return Ok((None, run(&ready.limits, runner)?));
        }
        let first = {
            let _shared = self.share();
            run(&near_limit::shared(&ready.limits), runner)?
        };
        if !near_limit::undecided(&first, &ready.limits) {
            return Ok((None, first));
        }
        if ready.confirmations.enough() {
            return Ok((Some(Nearness::Believed), first));
        }
        let limits = near_limit::alone(&ready.limits, &first.usage);
        let second = {
            let _alone = self.alone();
            run(&limits, runner)?
        };
        ready.confirmations.add(&first, &second, &ready.limits);
        let nearness = Nearness::Confirmed {
            first: first.usage,
            one_core: limits.one_core,
        };
        Ok((Some(nearness), second))
    }

    fn check(
        &self,
        submission: &Submission,
        ready: &Ready,
        case: &TestCase,
        index: usize,
        execution: &Execution,
        runner: &mut Runner,
    ) -> Result<Judged, SandboxError> {
        let (input, answer) = (case.input(), case.answer());
        let checker = ready.checker_of(case);
        let files = CaseFiles {
            input: &input,
            answer: answer.as_deref(),
        };
        let said = {
            let _shared = self.share();
            let run = &mut |job: &Job, input: Input| runner.run(job, input);
            checker::check(&checker, files, &execution.stdout, run)?
        };
        let verdict = verdict::of_check(&said.outcome);
        let mut shown = None;
        if let (CheckOutcome::Wrong(mismatch), Some(answer)) = (&said.outcome, &answer)
            && !self.permits(submission, case.name(), verdict)
            && ready.claim_difference(index, DIFFERENCES)
        {
            let look = self.options.look;
            let drawn = diff::render(&execution.stdout, answer, mismatch, &checker, look);
            shown = drawn.ok().and_then(|text| lines_around(&text));
        }
        Ok(Judged {
            verdict,
            reason: reason(&said),
            diff: shown,
            messages: messages(submission, case.name(), &said),
        })
    }
}

impl Ready {
    /// Whether the case may have its difference made ready: the first few, and any that comes
    /// before all that had one, so that the first failing case is always among them.
    fn claim_difference(&self, case: usize, most: usize) -> bool {
        let earliest = self.earliest_difference.fetch_min(case, Ordering::Relaxed);
        self.differences.fetch_add(1, Ordering::Relaxed) < most || case < earliest
    }
}

fn run(
    ready: &Ready,
    limits: &Limits,
    case: &TestCase,
    work_base: &Path,
    runner: &mut Runner,
) -> Result<Execution, SandboxError> {
    let input = case.input();
    let file = File::open(&input).map_err(|source| SandboxError::Io {
        action: format!("cannot open the input `{}`", input.display()),
        source,
    })?;
    let launch = ready.launch(case, limits, work_base)?;
    runner.run(&launch.job, Input::File(file))
}

/// A rendered difference without its headline, which is the verdict's reason already.
fn lines_around(rendered: &str) -> Option<String> {
    let (_, lines) = rendered.split_once('\n')?;
    (!lines.is_empty()).then(|| lines.to_owned())
}

/// The rules of the expectation whose message the checker said.
fn messages(submission: &Submission, case: &str, checked: &Checked) -> Vec<usize> {
    let rules = submission.expected.rules.iter().enumerate();
    rules
        .filter(|(_, rule)| rule.covers(case))
        .filter(|(_, rule)| {
            let message = rule.message.as_ref();
            message.is_some_and(|message| checked.says(message))
        })
        .map(|(index, _)| index)
        .collect()
}

/// What explains the checker's verdict, in one paragraph.
fn reason(checked: &Checked) -> Option<String> {
    match &checked.outcome {
        CheckOutcome::Accepted => None,
        CheckOutcome::Wrong(mismatch) => Some(mismatch.headline.clone()),
        CheckOutcome::Unchecked => Some(String::from("no answer to compare with")),
        CheckOutcome::Fault(words) => Some(words.clone()),
    }
}

fn repeats(runs: &[Run]) -> Repeats {
    let mut cpu: Vec<Duration> = runs.iter().map(|run| run.usage.cpu()).collect();
    cpu.sort_unstable();
    Repeats {
        verdicts: runs.iter().map(|run| run.verdict).collect(),
        cpu_min: cpu[0],
        cpu_median: cpu[cpu.len() / 2],
        cpu_max: cpu[cpu.len() - 1],
    }
}

/// Writes what the program printed to `FOLDER/SUBMISSION/CASE.out`, and the end of what it said on
/// standard error to `.err`.
fn keep(
    folder: &Path,
    submission: &Submission,
    case: &TestCase,
    execution: &Execution,
) -> io::Result<()> {
    let base = folder
        .join(submission.name.trim_start_matches(['/', '.']))
        .join(case.name());
    if let Some(parent) = base.parent() {
        fs::create_dir_all(parent)?;
    }
    let with = |suffix: &str| {
        let mut path = OsString::from(&base);
        path.push(suffix);
        path
    };
    write_captured(&execution.stdout, Path::new(&with(".out")))?;
    if !execution.stderr_tail.is_empty() {
        fs::write(with(".err"), &execution.stderr_tail)?;
    }
    Ok(())
}

fn write_captured(output: &Captured, path: &Path) -> io::Result<()> {
    let mut file = File::create(path)?;
    io::copy(&mut output.reader()?, &mut file)?;
    Ok(())
}
