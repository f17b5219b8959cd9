//! Judges one submission on one case: all requested repeats, and the details that explain the verdict.

use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::WorkerPool;
use super::answers;
use super::build::ReadySubmission;
use super::run::{Circumstances, Run, Subject, TranscriptScope};
use super::runners::Runners;
use super::shown_text;
use super::static_validation;
use super::{habits, rounding, traps};
use crate::checker::{CheckOutcome, Checked};
use crate::decide::{self, Judgement};
use crate::diff;
use crate::event::{CaseResult, DifferenceOffsets, Repeats, ShownText, ShownTranscript};
use crate::printable;
use crate::sandbox::{Captured, Limits, SandboxError};
use crate::scoring::{self, TimeShare};
use crate::sequence::DIFFERENCES_KEPT;
use crate::submission::Submission;
use crate::verdict::Verdict;

/// Maximum length of a path that is shown, in characters.
const PATH: usize = 4096;

/// Maximum length of the part of standard error that is shown, in bytes.
const SHOWN: usize = 4 << 10;

impl Run {
    /// Sets the score of the run, which may change its verdict.
    fn give_score(&mut self, subject: &Subject<'_>) {
        let checked = self.checked.as_ref();
        let files = checked.map(|checked| checked.score_files.clone()).unwrap_or_default();
        let scoring = subject.problem.scoring.as_ref();
        let accepted = self.verdict() == Verdict::Accepted;
        let time = TimeShare { taken: self.usage().cpu(), limit: subject.limits().cpu_time };
        let score = scoring::of_case(scoring, subject.case, accepted, &files, time);
        let part_is_wrong = score.as_ref().is_ok_and(|score| score.part_is_wrong);
        let partly = files.partly.as_deref().filter(|_| part_is_wrong);
        let score = score.map(|score| score.points);
        let program = if files.is_of_validator() {
            "output validator"
        } else if subject.problem.interactor.is_some() {
            "interactor"
        } else {
            "checker"
        };
        let (judgement, score) = decide::with_score(self.judgement.clone(), program, partly, score);
        self.judgement = judgement;
        self.score = score;
    }
}

impl WorkerPool<'_> {
    /// Judges the case. With several repeats, the worst run counts.
    pub(super) fn judge_case(
        &self,
        submission: usize,
        case: usize,
        runners: &mut Runners,
    ) -> Result<CaseResult, SandboxError> {
        let ready = self.builds.ready(submission);
        let (entry, problem) = self.entries[submission];
        let test = &problem.cases[case];
        let subject = Subject {
            submission: entry,
            problem,
            ready,
            case: test,
            number: submission,
            index: case,
        };
        let runs = (0..self.options.repeat.max(1))
            .map(|_| self.run_once(&subject, runners))
            .collect::<Result<Vec<_>, _>>()?;
        let repeats = (runs.len() > 1).then(|| repeats(&runs));
        let worst = decide::worst(runs.iter().map(|run| (run.verdict(), run.usage().cpu())));
        let run = runs.into_iter().nth(worst.expect("a case is run at least once"));
        Ok(self.result(&subject, run.expect("the index of a run"), repeats))
    }

    /// The result of a case, with what explains its verdict.
    fn result(&self, subject: &Subject<'_>, run: Run, repeats: Option<Repeats>) -> CaseResult {
        let Subject { submission: entry, problem, ready, case: test, .. } = *subject;
        let (verdict, usage) = (run.verdict(), run.usage());
        let is_of_machine = run.judgement.is_of_machine;
        let permitted = self.permits(entry, test.name(), verdict);
        let mut reason = run.judgement.reason;
        if repeats.as_ref().is_some_and(Repeats::flaky) {
            let why = reason.map(|why| format!(": {why}")).unwrap_or_default();
            reason = Some(format!("the verdict differs between runs{why}"));
        }
        let surprising = self.surprises(entry, test.name(), verdict);
        let exit = run.execution.as_ref().map(|execution| execution.exit);
        let printed = run.execution.map(|execution| execution.stderr_tail);
        let printed = printed.filter(|text| surprising && !text.is_empty());
        CaseResult {
            submission: entry.name.clone(),
            problem: problem.id.clone(),
            case: test.name().to_owned(),
            verdict,
            permitted,
            exit,
            usage,
            score: run.score,
            messages: run.messages,
            reason,
            input_path: Some(self.shown_path(&test.input())),
            answer_path: test.answer().map(|answer| self.shown_path(&answer)),
            input: surprising.then(|| self.shown_input(subject)).flatten(),
            answer: run
                .output
                .as_ref()
                .and_then(|_| shown_text::read(&test.answer()?, self.options.look.width, false)),
            output: run.output,
            diff: run.diff,
            difference: run.difference,
            stderr: printed.map(|printed| {
                let printed = ready.artifact.own_paths.in_message(printed);
                printable::paragraph(&printed, SHOWN)
            }),
            transcript: run.transcript,
            nearness: run.nearness,
            disturbance: run.disturbance,
            repeats,
            near_limit: false,
            is_of_machine,
        }
    }

    fn permits(&self, submission: &Submission, case: &str, verdict: Verdict) -> bool {
        let unchecked = self.options.allow_unchecked && verdict == Verdict::Ran;
        unchecked || submission.expected.permits(case, verdict)
    }

    /// Whether users need details that explain the verdict.
    fn surprises(&self, submission: &Submission, case: &str, verdict: Verdict) -> bool {
        !self.permits(submission, case, verdict) || submission.expected.is_against(verdict)
    }

    fn run_once(&self, subject: &Subject<'_>, runners: &mut Runners) -> Result<Run, SandboxError> {
        let result = if subject.submission.is_answers() {
            let _shared = self.share();
            answers::check_answer(subject, runners)
        } else if subject.case.is_static() {
            let _shared = self.share();
            static_validation::validate(subject, &self.options.runners.options().work_base, runners)
        } else {
            self.run_until_decided(subject, runners)
        };
        let mut run = match result {
            Ok(run) => run,
            Err(error) => return fault(error),
        };
        if let Some(checked) = &run.checked {
            run.messages = messages(subject.submission, subject.case.name(), checked);
        }
        run.give_score(subject);
        if self.surprises(subject.submission, subject.case.name(), run.verdict()) {
            self.explain(subject, &mut run, runners);
        }
        // Only the explanation needs them, and there may be many repeats.
        run.checked = None;
        if let Some(execution) = &mut run.execution {
            execution.stdout = Captured::default();
        }
        Ok(run)
    }

    /// Adds the details that explain a verdict: the difference, the output, and the transcript.
    fn explain(&self, subject: &Subject<'_>, run: &mut Run, runners: &mut Runners) {
        let hint = habits::hint(subject, run)
            .or_else(|| traps::hint(subject, run))
            .or_else(|| rounding::hint(subject, run));
        if let Some(hint) = hint
            && let Some(reason) = &mut run.judgement.reason
        {
            *reason = format!("{reason}; {hint}");
        }
        run.difference = difference_offsets(subject, run);
        run.diff = self.difference(subject, run);
        run.output = self.shown_output(subject, run);
        if subject.ready.interactive
            && run.transcript.is_none()
            && subject.ready.claim_difference(subject.index, DIFFERENCES_KEPT)
        {
            run.transcript = self.record_transcript(subject, run, runners);
        }
    }

    /// The end of the transcript of another run: the first run is not recorded, because that costs time.
    fn record_transcript(
        &self,
        subject: &Subject<'_>,
        run: &Run,
        runners: &mut Runners,
    ) -> Option<ShownTranscript> {
        let verdict = run.verdict();
        let circumstances = Circumstances {
            limits: recorded_limits(subject.limits(), verdict, run.usage().cpu()),
            workers: None,
            record: TranscriptScope::End,
        };
        let _shared = self.share();
        // If the second run fails, there is nothing more to show.
        let Ok(again) = self.run_passes(subject, &circumstances, runners) else {
            return None;
        };
        let transcript = again.transcript?;
        if again.judgement.verdict == verdict {
            return Some(transcript);
        }
        let other = again.judgement.verdict;
        Some(transcript.after_note(format!("from another run, with verdict {other}:")))
    }

    /// The input of a failing case, as far as it is shown.
    fn shown_input(&self, subject: &Subject<'_>) -> Option<ShownText> {
        let whole = self.options.print_input
            && subject.ready.earliest_input.fetch_min(subject.index, Ordering::Relaxed)
                > subject.index;
        shown_text::read(&subject.case.input(), self.options.look.width, whole)
    }

    /// The output, as far as it is shown.
    fn shown_output(&self, subject: &Subject<'_>, run: &Run) -> Option<ShownText> {
        let output = &run.execution.as_ref().filter(|_| subject.is_one_text())?.stdout;
        let width = self.options.look.width;
        shown_text::of(output.reader().ok()?, output.len(), width, false).ok()
    }

    /// The path as reports show it.
    fn shown_path(&self, path: &Path) -> String {
        let root = self.options.root.as_deref();
        let below = root.and_then(|root| path.strip_prefix(root).ok());
        let shown = below.unwrap_or(path).as_os_str().as_encoded_bytes();
        printable::one_line(shown, PATH)
    }

    /// The rendered difference between output and answer.
    fn difference(&self, subject: &Subject<'_>, run: &Run) -> Option<String> {
        let output = &run.execution.as_ref()?.stdout;
        let (CheckOutcome::Wrong(mismatch), Some(answer)) =
            (&run.checked.as_ref()?.outcome, subject.case.answer())
        else {
            return None;
        };
        if !subject.is_one_text()
            || !subject.ready.claim_difference(subject.index, DIFFERENCES_KEPT)
        {
            return None;
        }
        let rule = subject.ready.checker_of(subject.case);
        let drawn = diff::render(output, &answer, mismatch, &rule, self.options.look);
        drawn.ok().and_then(|text| lines_around(&text))
    }
}

/// The limits of a run that is only recorded. One that waits, or whose dialogue never ends, needs no more wall time than
/// the CPU time of the run that decided: time of the interactor does not count.
fn recorded_limits(limits: &Limits, verdict: Verdict, cpu: Duration) -> Limits {
    let mut limits = *limits;
    if verdict == Verdict::TimeLimit {
        limits.wall_time = limits.wall_time.min(cpu + Duration::from_secs(1));
    }
    limits
}

/// Turns a fault of ours that concerns one case only into a judge error; other faults end the run.
fn fault(error: SandboxError) -> Result<Run, SandboxError> {
    let judgement = match error {
        SandboxError::Setup { program, step, source } => {
            Judgement::of_machine(cannot_start(Path::new(&program), step, &source))
        }
        SandboxError::Bits32 { program } => {
            // Without the folder of the cache that contains it.
            let name = Path::new(&program).file_name().unwrap_or_default();
            let program = name.to_string_lossy().into_owned();
            let why = SandboxError::Bits32 { program };
            Judgement::fault(format!("{why}; compile it for 64 bits, without `-m32`"))
        }
        // The runner replaces its launcher before the next run.
        SandboxError::Launcher(words) => {
            Judgement::of_machine(format!("the launcher failed: {words}"))
        }
        SandboxError::Io { action, source } => Judgement::of_machine(format!("{action}: {source}")),
        error => return Err(error),
    };
    Ok(Run::without_execution(judgement))
}

/// Names the file of a program without the folder of the cache that contains it.
fn cannot_start(program: &Path, step: &str, source: &io::Error) -> String {
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let mut words = format!("cannot start `{name}`: {step}: {source}");
    if source.kind() == io::ErrorKind::NotFound && program.exists() {
        words += "; the interpreter that its first line names may be missing";
    }
    words
}

impl ReadySubmission {
    /// Whether the difference of the case may be rendered: that of the first `most` cases to ask, and of any case
    /// before all of these, so that the first failing case is always included.
    fn claim_difference(&self, case: usize, most: usize) -> bool {
        let earliest = self.earliest_difference.fetch_min(case, Ordering::Relaxed);
        self.differences.fetch_add(1, Ordering::Relaxed) < most || case < earliest
    }
}

/// Where the output and the file of the answer differ first, if the checker knows it.
fn difference_offsets(subject: &Subject<'_>, run: &Run) -> Option<DifferenceOffsets> {
    let CheckOutcome::Wrong(mismatch) = &run.checked.as_ref()?.outcome else {
        return None;
    };
    let at = mismatch.at.filter(|_| subject.is_one_text())?;
    Some(DifferenceOffsets { output: at.output.offset, answer: at.answer.offset })
}

/// A rendered difference without its first line, which is already the reason of the verdict.
fn lines_around(rendered: &str) -> Option<String> {
    let (_, lines) = rendered.split_once('\n')?;
    (!lines.is_empty()).then(|| lines.to_owned())
}

/// Indices of the expectation's rules whose message the checker printed.
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

fn repeats(runs: &[Run]) -> Repeats {
    let mut cpu: Vec<Duration> = runs.iter().map(|run| run.usage().cpu()).collect();
    cpu.sort_unstable();
    Repeats {
        verdicts: runs.iter().map(Run::verdict).collect(),
        cpu_min: cpu[0],
        cpu_median: cpu[cpu.len() / 2],
        cpu_max: cpu[cpu.len() - 1],
    }
}

#[cfg(test)]
mod tests {
    use rejudge_quantity::Bytes;

    use super::*;

    #[test]
    fn a_record_of_a_run_that_waits_is_short() {
        let seconds = Duration::from_secs;
        let limits = Limits::new(seconds(5), Bytes::mib(2048));
        let recorded = |verdict, cpu| recorded_limits(&limits, verdict, cpu).wall_time;
        assert_eq!(recorded(Verdict::TimeLimit, seconds(0)), seconds(1));
        assert_eq!(recorded(Verdict::TimeLimit, seconds(5)), seconds(6));
        assert_eq!(recorded(Verdict::TimeLimit, seconds(50)), limits.wall_time);
        assert_eq!(recorded(Verdict::WrongAnswer, seconds(0)), limits.wall_time);
    }
}
