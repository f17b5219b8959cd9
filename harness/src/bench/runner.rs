//! Where programs are measured: built as the judge builds them, run one at a time under the judge's own clocks and
//! sandbox, every output checked.
//!
//! The first output of a program on a case goes to the problem's checker; later ones are compared with it by their sum,
//! and go to the checker only if they differ, so that checking costs next to nothing between two measured runs.

use std::collections::HashMap;
use std::fs::File;
use std::io;

use crate::attempts::run_fairly;
use crate::checker::{self, CaseFiles, CheckOutcome};
use crate::judge::build::{Builds, Ready};
use crate::judge::{Tools, launch};
use crate::limits::LimitOverrides;
use crate::problem::{Problem, TestCase};
use crate::sandbox::{
    Captured, Execution, Input, Job, Limits, Runner, RunnerOptions, SandboxError,
};
use crate::sequence::Built;
use crate::submission::Submission;
use crate::verdict::{self, Verdict};

use super::meter::{Meter, MeterError};
use super::run_measurement::RunMeasurement;

/// Why a program has no figure on a case, in words; never our fault.
pub type Failure = String;

/// The built programs, and what runs them.
pub struct BenchRunner<'a> {
    entries: &'a [(&'a Submission, &'a Problem)],
    builds: Builds<'a>,
    built: HashMap<usize, Result<(), Failure>>,
    sandbox: Runner,
    meter: Meter,
    /// Whether a program computes on one core at a time, as its first run told; it is then kept on one.
    on_one_core: HashMap<usize, bool>,
    /// The sums of outputs that the checker accepted, by program and case.
    accepted: HashMap<(usize, usize), blake3::Hash>,
}

impl<'a> BenchRunner<'a> {
    /// Nothing is built yet. Programs are named by their index in `entries`, cases by theirs in the problem.
    pub fn new(
        entries: &'a [(&'a Submission, &'a Problem)],
        tools: Tools<'a>,
        limits: LimitOverrides,
        options: &RunnerOptions,
    ) -> Result<Self, SandboxError> {
        Ok(Self {
            entries,
            builds: Builds::new(entries, tools, limits),
            built: HashMap::new(),
            sandbox: options.runner()?,
            meter: Meter::Clocks,
            on_one_core: HashMap::new(),
            accepted: HashMap::new(),
        })
    }

    /// What the figures are measured with from now on.
    pub fn set_meter(&mut self, meter: Meter) {
        self.meter = meter;
    }

    /// What the figures are measured with.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Counts instructions from now on, with the best counter that this machine has.
    pub fn count_instructions(&mut self) -> Result<(), MeterError> {
        self.meter = Meter::instructions(&mut self.sandbox)?;
        Ok(())
    }

    /// The sandbox, for a meter that must try itself.
    pub(crate) fn sandbox(&mut self) -> &mut Runner {
        &mut self.sandbox
    }

    /// Builds a program and the checkers of its problem, once.
    pub fn build(&mut self, program: usize) -> Result<Result<(), Failure>, SandboxError> {
        if let Some(known) = self.built.get(&program) {
            return Ok(known.clone());
        }
        let built = match self.builds.build(program, &mut self.sandbox)? {
            Built::Ready { .. } => Ok(()),
            Built::Refused { build, .. } => Err(format!(
                "it does not compile: {}",
                build.error.unwrap_or_default()
            )),
            Built::Impossible { why, .. } => Err(why),
        };
        self.built.insert(program, built.clone());
        Ok(built)
    }

    /// Runs a program on a case and checks what it prints.
    pub fn run(
        &mut self,
        program: usize,
        case: usize,
    ) -> Result<Result<RunMeasurement, Failure>, SandboxError> {
        if let Err(why) = self.build(program)? {
            return Ok(Err(why));
        }
        let (_, problem) = self.entries[program];
        let test = &problem.cases[case];
        let ready = self.builds.ready(program);
        let limits = Limits {
            one_core: self.on_one_core.get(&program).copied().unwrap_or(false),
            ..ready.limits
        };
        let launch = launch(&ready.artifact, test, &limits)?;
        let job = self.meter.dress(launch.job);
        let input = open(test)?;
        let before = self.meter.before();
        let execution = self.sandbox.run(&job, Input::File(input))?;
        if let Some((verdict, evidence)) = verdict::of_execution(&execution, &job.limits) {
            return Ok(Err(self.meter.explain(verdict, &evidence, &execution)));
        }
        let measurement = match self.meter.read(&execution, before) {
            Ok(measurement) => measurement,
            Err(why) => return Ok(Err(why)),
        };
        self.on_one_core
            .entry(program)
            .or_insert(measurement.cpu <= measurement.wall.mul_f64(1.1));
        let right = self.check(program, case, test, &execution)?;
        Ok(right.map(|()| measurement))
    }

    fn check(
        &mut self,
        program: usize,
        case: usize,
        test: &TestCase,
        execution: &Execution,
    ) -> Result<Result<(), Failure>, SandboxError> {
        let sum = sum(&execution.stdout).map_err(|source| SandboxError::Io {
            action: String::from("cannot read what the program printed"),
            source,
        })?;
        if self.accepted.get(&(program, case)) == Some(&sum) {
            return Ok(Ok(()));
        }
        let ready: &Ready = self.builds.ready(program);
        let checker = ready.checker_of(test);
        let (input, answer) = (test.input(), test.answer());
        let files = CaseFiles {
            input: &input,
            answer: answer.as_deref(),
        };
        let sandbox = &mut self.sandbox;
        let run = &mut |job: &Job, input: Input| run_fairly(sandbox, job, input);
        let said = checker::check(&checker, files, &execution.stdout, run)?;
        match said.outcome {
            CheckOutcome::Accepted => {
                self.accepted.insert((program, case), sum);
                Ok(Ok(()))
            }
            CheckOutcome::Wrong(mismatch) => {
                Ok(Err(failure_text(Verdict::WrongAnswer, &mismatch.headline)))
            }
            // It may be right; what is compared then is at least the same work.
            CheckOutcome::Unchecked => Ok(Ok(())),
            CheckOutcome::Fault(words) => Ok(Err(failure_text(Verdict::JudgeError, &words))),
        }
    }
}

/// `wrong answer: token 3 …`.
pub(super) fn failure_text(verdict: Verdict, evidence: &str) -> Failure {
    if evidence.is_empty() {
        verdict.words().to_owned()
    } else {
        format!("{}: {evidence}", verdict.words())
    }
}

fn open(case: &TestCase) -> Result<File, SandboxError> {
    let path = case.input();
    File::open(&path).map_err(|source| SandboxError::Io {
        action: format!("cannot open the input `{}`", path.display()),
        source,
    })
}

fn sum(output: &Captured) -> io::Result<blake3::Hash> {
    if let Some(bytes) = output.as_slice() {
        return Ok(blake3::hash(bytes));
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update_reader(output.reader()?)?;
    Ok(hasher.finalize())
}

impl std::fmt::Debug for BenchRunner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BenchRunner")
            .field("programs", &self.entries.len())
            .field("meter", &self.meter)
            .finish_non_exhaustive()
    }
}
