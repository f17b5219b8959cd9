//! One trial: an input goes through the validators, the references, the solutions and the checker.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::Arc;

use super::programs::{Contestant, StressPrograms};
use crate::attempts::run_fairly;
use crate::checker::CheckOutcome;
use crate::decide;
use crate::diff::Look;
use crate::judge::{Launch, Solution};
use crate::left_behind::Temporary;
use crate::problem::{CaseFiles, CaseSet, TestCase};
use crate::sandbox::{Captured, Execution, Exit, Input, Job, Runner, RunnerSource, SandboxError};
use crate::verdict::Verdict;

mod inputs;

pub(crate) use inputs::GeneratorFault;

/// The names of the files that a checker reads.
const INPUT: &str = "input.in";
const ANSWER: &str = "input.ans";

/// The kind of a failure. Shrinking keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FailureKind {
    /// The index of the program that fails.
    pub(crate) contestant: usize,
    pub(crate) verdict: Verdict,
    /// How it ended, if that is the failure.
    exit: Option<Exit>,
}

/// The result of a program in a trial.
#[derive(Debug)]
pub(crate) struct Performance {
    pub(crate) verdict: Verdict,
    pub(crate) reason: Option<String>,
    exit: Exit,
    pub(crate) output: Captured,
    /// The last bytes of standard error.
    pub(crate) messages: Vec<u8>,
    /// The lines around the first difference.
    pub(crate) difference: Option<String>,
}

/// The result of a trial.
#[derive(Debug)]
pub(crate) enum TrialResult {
    /// A validator rejects the input, for this reason.
    Invalid { validator: String, why: String },
    /// A validator failed.
    BrokenValidator { validator: String, why: String },
    /// No reference has an answer, and none is to blame.
    NoAnswer,
    /// The results, by the index of the program; `None`: it was not run.
    Judged(Vec<Option<Performance>>),
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
pub(crate) struct Trials<'a> {
    programs: &'a StressPrograms,
    source: &'a RunnerSource,
    runners: BTreeMap<RunnerUse, Runner>,
    /// The folder with the input and the answer for the checker.
    _folder: Temporary,
    input: File,
    answer: File,
    case: TestCase,
    pub(crate) counts: RunCounts,
    /// How differences are drawn; `None`: they are not.
    look: Option<Look>,
}

impl<'a> Trials<'a> {
    pub(crate) fn new(
        programs: &'a StressPrograms,
        source: &'a RunnerSource,
        look: Option<Look>,
    ) -> Result<Self, SandboxError> {
        let folder = Temporary::new_in(&std::env::temp_dir(), "rejudge-stress-")
            .map_err(io_error("cannot create a temporary folder"))?;
        let set = CaseSet {
            root: folder.path().to_owned(),
            ..CaseSet::default()
        };
        let files = CaseFiles {
            input: INPUT.into(),
            answer: Some(ANSWER.into()),
        };
        Ok(Self {
            case: TestCase::with_files("stress", Arc::new(set), files),
            programs,
            source,
            runners: BTreeMap::new(),
            input: create(&folder, INPUT)?,
            answer: create(&folder, ANSWER)?,
            _folder: folder,
            counts: RunCounts::default(),
            look,
        })
    }

    fn runner(&mut self, wanted: RunnerUse) -> Result<&mut Runner, SandboxError> {
        let full = self.runners.len() >= MOST_RUNNERS && !self.runners.contains_key(&wanted);
        let wanted = if full { RunnerUse::Checker } else { wanted };
        if !self.runners.contains_key(&wanted) {
            self.runners.insert(wanted, self.source.runner()?);
        }
        Ok(self.runners.get_mut(&wanted).expect("it was just inserted"))
    }

    fn run(
        &mut self,
        wanted: RunnerUse,
        launch: &Launch,
        input: Input,
    ) -> Result<Execution, SandboxError> {
        let runner = self.runner(wanted)?;
        launch.run(input, &mut |job: &Job, input| {
            run_fairly(runner, job, input)
        })
    }

    /// Judges all programs, or one of them, on `input`.
    pub(crate) fn judge(&mut self, input: &[u8], cast: Cast) -> Result<TrialResult, SandboxError> {
        if let Some(invalid) = self.validate(input)? {
            return Ok(invalid);
        }
        let programs = self.programs;
        rewrite(&self.input, input)?;
        let mut results: Vec<Option<Performance>> = Vec::new();
        let mut answer = None;
        for (index, contestant) in programs.contestants.iter().enumerate() {
            let is_reference = contestant.source.is_reference;
            if !is_reference && !matches!(cast, Cast::All) && cast != Cast::Only(index) {
                results.push(None);
                continue;
            }
            if !is_reference && answer.is_none() && programs.references() > 0 {
                let to_blame = results
                    .iter()
                    .zip(&programs.contestants)
                    .any(|(one, source)| {
                        let slow = source.source.may_be_slow;
                        one.as_ref()
                            .is_some_and(|one| !(slow && one.is_over_a_limit()))
                    });
                if !to_blame {
                    return Ok(TrialResult::NoAnswer);
                }
                results.push(None);
                continue;
            }
            let performance = self.perform(index, contestant, input, answer.as_deref())?;
            if is_reference && answer.is_none() && performance.verdict == Verdict::Accepted {
                answer = Some(bytes_of(&performance.output, u64::MAX)?);
            }
            results.push(Some(performance));
        }
        Ok(TrialResult::Judged(results))
    }

    /// Runs a program, and checks its output. The output of the first reference is the answer.
    fn perform(
        &mut self,
        index: usize,
        contestant: &Contestant,
        input: &[u8],
        answer: Option<&[u8]>,
    ) -> Result<Performance, SandboxError> {
        let solution = Solution {
            artifact: &contestant.artifact,
            files: &contestant.files,
            limits: &contestant.limits,
        };
        let launch = solution.launch_on(&[], None, || Ok(input))?;
        let given = if launch.reads_only_files() {
            Input::Empty
        } else {
            Input::Bytes(input.to_vec())
        };
        self.counts.solution += 1;
        let execution = self.run(RunnerUse::Contestant(index), &launch, given)?;
        let decided = launch.decide(&execution, &contestant.limits);
        let mut performance = Performance {
            verdict: Verdict::Accepted,
            reason: None,
            exit: execution.exit,
            output: execution.stdout,
            messages: execution.stderr_tail,
            difference: None,
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
            None => {
                let own = bytes_of(&performance.output, u64::MAX)?;
                rewrite(&self.answer, &own)?;
                if !compares {
                    self.check(&mut performance)?;
                }
            }
            Some(answer) if compares && performance.output.as_slice() == Some(answer) => {}
            Some(_) => self.check(&mut performance)?,
        }
        Ok(performance)
    }

    fn check(&mut self, performance: &mut Performance) -> Result<(), SandboxError> {
        self.counts.checker += 1;
        let (programs, case) = (self.programs, self.case.clone());
        let runner = self.runner(RunnerUse::Checker)?;
        let checked = programs
            .inspector
            .check(&case, &performance.output, runner)?;
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

fn create(folder: &Temporary, name: &str) -> Result<File, SandboxError> {
    let file = folder.folder().create(Path::new(name), 0o644);
    file.map_err(io_error("cannot create a temporary file"))
}

/// Replaces the contents of a file.
fn rewrite(file: &File, bytes: &[u8]) -> Result<(), SandboxError> {
    let written = file
        .write_all_at(bytes, 0)
        .and_then(|()| file.set_len(bytes.len() as u64));
    written.map_err(io_error("cannot write a temporary file"))
}

impl Performance {
    fn is_over_a_limit(&self) -> bool {
        matches!(
            self.verdict,
            Verdict::TimeLimit | Verdict::MemoryLimit | Verdict::OutputLimit
        )
    }

    fn fails(&self) -> bool {
        !matches!(self.verdict, Verdict::Accepted | Verdict::Ran)
    }
}

/// The first failure among these results that counts.
pub(crate) fn first_failure(
    programs: &StressPrograms,
    results: &[Option<Performance>],
) -> Option<FailureKind> {
    let all = results.iter().enumerate();
    let mut failures = all.filter_map(|(contestant, one)| {
        let one = one.as_ref().filter(|one| one.fails())?;
        let source = &programs.contestants[contestant].source;
        if source.may_be_slow && one.is_over_a_limit() {
            return None;
        }
        Some(FailureKind {
            contestant,
            verdict: one.verdict,
            exit: (one.verdict == Verdict::RunTimeError).then_some(one.exit),
        })
    });
    failures.next()
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
    move |source| SandboxError::Io {
        action: action.into(),
        source,
    }
}
