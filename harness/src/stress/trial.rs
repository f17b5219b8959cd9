//! One trial: an input goes through the validators, the references, the solutions and the checker.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::Arc;

use super::fault::InputFault;
use super::performance::failures;
pub(crate) use super::performance::{FailureKind, Performance};
use super::programs::StressPrograms;
use crate::attempts::{follow_fairly, run_fairly};
use crate::checker::CheckOutcome;
use crate::decide;
use crate::diff::Look;
use crate::judge::{Launch, SingleRunners, SingleSubmission};
use crate::left_behind::Temporary;
use crate::problem::{CaseFiles, CaseSet, TestCase};
use crate::sandbox::{Captured, Execution, Input, Job, Runner, RunnerSource, SandboxError};
use crate::verdict::Verdict;

mod condition;
mod counted;
mod early;
mod inputs;

pub(crate) use counted::InstructionChoice;
use early::{EarlyPrograms, standard_input};
pub(crate) use inputs::GeneratorFault;

/// The names of the files that a checker reads.
const INPUT: &str = "input.in";
const ANSWER: &str = "input.ans";

/// The result of a trial.
#[derive(Debug)]
pub(crate) enum TrialResult {
    /// No program was run on the input.
    Unusable(InputFault),
    /// The checker or the interactor failed with this program.
    BrokenChecker { contestant: usize, why: String },
    /// No reference has an answer, and none is to blame.
    NoAnswer,
    /// The results, by the index of the program; `None`: it was not run. And the failures among them that count.
    Judged(Vec<Option<Performance>>, Vec<FailureKind>),
}

/// Which programs a trial runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cast {
    All,
    /// The references, and this program.
    Only(usize),
}

/// The number of runs of each kind of program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RunCounts {
    pub(crate) generator: u64,
    pub(crate) validator: u64,
    pub(crate) solution: u64,
    pub(crate) checker: u64,
}

impl RunCounts {
    pub(crate) fn add(&mut self, other: Self) {
        self.generator += other.generator;
        self.validator += other.validator;
        self.solution += other.solution;
        self.checker += other.checker;
    }
}

/// A launcher prepares the next run of the program that it ran last, so every program has its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RunnerUse {
    Generator,
    Validator(usize),
    Contestant(usize),
    Checker,
}

/// The largest number of launchers of a worker. Programs above it share one.
const MOST_RUNNERS: usize = 8;

/// Runs trials. Every worker has one.
pub(crate) struct StressTrials<'a> {
    programs: &'a StressPrograms,
    source: &'a RunnerSource,
    runners: BTreeMap<RunnerUse, Runner>,
    /// The runners of programs that talk with an interactor.
    singles: BTreeMap<usize, SingleRunners>,
    /// The folder with the input and the answer for the checker.
    _folder: Temporary,
    input: File,
    answer: File,
    case: TestCase,
    early: EarlyPrograms,
    pub(crate) counts: RunCounts,
    /// How differences are drawn; `None`: they are not.
    look: Option<Look>,
}

impl<'a> StressTrials<'a> {
    pub(crate) fn new(
        programs: &'a StressPrograms,
        source: &'a RunnerSource,
        look: Option<Look>,
    ) -> Result<Self, SandboxError> {
        let folder = Temporary::new_in(&std::env::temp_dir(), "rejudge-stress-")
            .map_err(io_error("cannot create a temporary folder"))?;
        let set = CaseSet { root: folder.path().to_owned(), ..CaseSet::default() };
        let files = CaseFiles { input: INPUT.into(), answer: Some(ANSWER.into()) };
        Ok(Self {
            case: TestCase::with_files("stress", Arc::new(set), files),
            programs,
            source,
            runners: BTreeMap::new(),
            singles: BTreeMap::new(),
            input: create(&folder, INPUT)?,
            answer: create(&folder, ANSWER)?,
            _folder: folder,
            early: EarlyPrograms::default(),
            counts: RunCounts::default(),
            look,
        })
    }

    fn runner(&mut self, wanted: RunnerUse) -> Result<&mut Runner, SandboxError> {
        let wanted = if self.shares_runner(wanted) { RunnerUse::Checker } else { wanted };
        if !self.runners.contains_key(&wanted) {
            self.runners.insert(wanted, self.source.runner()?);
        }
        Ok(self.runners.get_mut(&wanted).expect("it was just inserted"))
    }

    /// Whether this program has no launcher of its own.
    fn shares_runner(&self, wanted: RunnerUse) -> bool {
        self.runners.len() >= MOST_RUNNERS && !self.runners.contains_key(&wanted)
    }

    /// Runs a program to its end. `has_started`: it was requested before, with this input.
    fn run(
        &mut self,
        wanted: RunnerUse,
        launch: &Launch,
        input: Input,
        has_started: bool,
    ) -> Result<Execution, SandboxError> {
        let runner = self.runner(wanted)?;
        launch.run(input, &mut |job: &Job, input| {
            if has_started {
                follow_fairly(runner, job, input)
            } else {
                run_fairly(runner, job, input)
            }
        })
    }

    /// Judges all programs, or one of them, on `input`.
    pub(crate) fn judge(&mut self, input: &[u8], cast: Cast) -> Result<TrialResult, SandboxError> {
        if let Some(fault) = self.validate(input)? {
            return Ok(TrialResult::Unusable(fault));
        }
        let programs = self.programs;
        let wants = programs.want.is_some();
        let contestants = &programs.contestants;
        // A built-in comparison reads no input.
        if !programs.inspector.only_compares() || contestants.iter().any(|one| one.single.is_some())
        {
            rewrite(&self.input, input)?;
        }
        let mut results: Vec<Option<Performance>> = Vec::new();
        let mut answer = None;
        for (index, contestant) in contestants.iter().enumerate() {
            let is_reference = contestant.source.is_reference;
            if !self.is_cast(index, cast) {
                results.push(None);
                continue;
            }
            if !is_reference && !wants && answer.is_none() && programs.references() > 0 {
                self.withdraw_contestant();
                if !is_any_to_blame(programs, &results) {
                    return Ok(TrialResult::NoAnswer);
                }
                results.push(None);
                continue;
            }
            let next = (index + 1..contestants.len()).find(|&at| self.is_cast(at, cast));
            let performance = self.perform(index, input, answer.as_deref(), next)?;
            if is_reference && answer.is_none() && performance.verdict == Verdict::Accepted {
                answer = Some(bytes_of(&performance.output, u64::MAX)?);
            }
            results.push(Some(performance));
        }
        if let Some(broken) = broken_checker(&results) {
            return Ok(broken);
        }
        let failures = match &programs.want {
            Some(want) => match self.wanted(want, &results)? {
                Ok(failures) => failures,
                Err(broken) => return Ok(broken),
            },
            None => failures(programs, &results),
        };
        Ok(TrialResult::Judged(results, failures))
    }

    /// Whether a program takes part.
    fn is_cast(&self, contestant: usize, cast: Cast) -> bool {
        let programs = self.programs;
        let is_chosen = cast == Cast::All || cast == Cast::Only(contestant);
        is_chosen || programs.want.is_some() || programs.is_reference(contestant)
    }

    /// Runs a program, and checks its output. The output of the first reference is the answer. The program `next` starts
    /// too.
    fn perform(
        &mut self,
        index: usize,
        input: &[u8],
        answer: Option<&[u8]>,
        next: Option<usize>,
    ) -> Result<Performance, SandboxError> {
        let contestant = &self.programs.contestants[index];
        if let Some(single) = &contestant.single {
            return self.perform_with_interactor(index, single);
        }
        let (launch, has_started) = self.start_contestant(index, input, next)?;
        let given = standard_input(&launch, input);
        self.counts.solution += 1;
        let execution = self.run(RunnerUse::Contestant(index), &launch, given, has_started)?;
        let decided = launch.decide(&execution, &contestant.limits);
        let mut performance = Performance {
            verdict: Verdict::Accepted,
            reason: None,
            exit: Some(execution.exit),
            cpu: execution.usage.cpu(),
            output: execution.stdout,
            messages: execution.stderr_tail,
            difference: None,
            transcript: None,
        };
        if let Some((verdict, reason)) = decided {
            performance.verdict = verdict;
            performance.reason = Some(reason);
            return Ok(performance);
        }
        let compares = self.programs.inspector.only_compares();
        match answer {
            None if !contestant.source.is_reference => {
                performance.verdict = Verdict::Ran;
            }
            // The first reference gives the answer, which a program can check.
            None if compares => {}
            None => {
                let own = bytes_of(&performance.output, u64::MAX)?;
                rewrite(&self.answer, &own)?;
                self.check(&mut performance)?;
            }
            Some(answer) if compares && performance.output.as_slice() == Some(answer) => {}
            Some(answer) => {
                if compares {
                    rewrite(&self.answer, answer)?;
                }
                self.check(&mut performance)?;
            }
        }
        Ok(performance)
    }

    /// Runs a program with the interactor, or in several passes. The answer is empty.
    fn perform_with_interactor(
        &mut self,
        index: usize,
        single: &SingleSubmission,
    ) -> Result<Performance, SandboxError> {
        rewrite(&self.answer, b"")?;
        self.counts.solution += 1;
        self.counts.checker += 1;
        let runners = match self.singles.entry(index) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(SingleRunners::start(self.source)?),
        };
        let run = runners.run(single, &self.case)?;
        Ok(Performance {
            verdict: run.verdict,
            reason: run.reason,
            exit: run.exit,
            cpu: run.cpu,
            output: run.output,
            messages: run.messages,
            difference: None,
            transcript: run.transcript,
        })
    }

    fn check(&mut self, performance: &mut Performance) -> Result<(), SandboxError> {
        self.counts.checker += 1;
        let (programs, case) = (self.programs, self.case.clone());
        let runner = self.runner(RunnerUse::Checker)?;
        let checked = programs.inspector.check(&case, &performance.output, runner)?;
        let judgement = decide::of_check(&checked.outcome);
        performance.verdict = judgement.verdict;
        performance.reason = judgement.reason;
        if let (CheckOutcome::Wrong(mismatch), Some(look)) = (&checked.outcome, self.look) {
            let inspector = &programs.inspector;
            performance.difference =
                inspector.difference(&case, &performance.output, mismatch, look);
        }
        Ok(())
    }
}

/// Whether a program failed that may not fail.
fn is_any_to_blame(programs: &StressPrograms, results: &[Option<Performance>]) -> bool {
    let mut all = results.iter().zip(&programs.contestants);
    all.any(|(one, contestant)| {
        let slow = contestant.source.may_be_slow;
        one.as_ref().is_some_and(|one| !(slow && one.is_over_a_limit()))
    })
}

/// The first program on which the checker or the interactor failed.
fn broken_checker(results: &[Option<Performance>]) -> Option<TrialResult> {
    let mut all = results.iter().enumerate();
    all.find_map(|(contestant, one)| {
        let one = one.as_ref()?;
        let why = || one.reason.clone().unwrap_or_default();
        (one.verdict == Verdict::JudgeError)
            .then(|| TrialResult::BrokenChecker { contestant, why: why() })
    })
}

fn create(folder: &Temporary, name: &str) -> Result<File, SandboxError> {
    let file = folder.folder().create(Path::new(name), 0o644);
    file.map_err(io_error("cannot create a temporary file"))
}

/// Replaces the contents of a file.
fn rewrite(file: &File, bytes: &[u8]) -> Result<(), SandboxError> {
    let written = file.write_all_at(bytes, 0).and_then(|()| file.set_len(bytes.len() as u64));
    written.map_err(io_error("cannot write a temporary file"))
}

/// The bytes of an output, up to a limit.
pub(crate) fn bytes_of(output: &Captured, most: u64) -> Result<Vec<u8>, SandboxError> {
    if let Some(bytes) = output.as_slice() {
        let end = usize::try_from(most).map_or(bytes.len(), |most| bytes.len().min(most));
        return Ok(bytes[..end].to_vec());
    }
    let mut bytes = Vec::new();
    let reader = output.reader().map_err(io_error("cannot read an output"))?;
    let read = reader.take(most).read_to_end(&mut bytes);
    read.map_err(io_error("cannot read an output"))?;
    Ok(bytes)
}

fn io_error(action: &'static str) -> impl FnOnce(io::Error) -> SandboxError {
    move |source| SandboxError::Io { action: action.into(), source }
}
