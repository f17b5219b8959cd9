//! Builds and runs the measured programs, one at a time, with the compilers, the sandbox and the clocks of the judge.
//! Every output is checked.
//!
//! The checker of the problem reads the first output of a program on a case. Later outputs are compared with it by
//! their hash, and the checker reads only those that differ. Checking therefore costs little between two measured runs.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::Path;

use crate::checker::CheckOutcome;
use crate::judge::InSandbox;
use crate::judge::build::{Builds, ReadySubmission};
use crate::judge::{Solution, Tools, check_output};
use crate::limits::LimitOverrides;
use crate::problem::{Problem, TestCase};
use crate::sandbox::{
    Captured, Execution, Input, Limits, Runner, RunnerSource, SandboxError, WorkDir,
};
use crate::sequence::BuildOutcome;
use crate::submission::Submission;
use crate::verdict::Verdict;

use super::failure::{FailureText, failure_text};
use super::meter::{Callgrind, Meter, MeterError};
use super::run_measurement::RunMeasurement;

/// The built programs, the sandbox that runs them, and the meter that measures them.
pub struct BenchRunner<'a> {
    entries: &'a [(&'a Submission, &'a Problem)],
    builds: Builds<'a>,
    built: HashMap<usize, Result<(), FailureText>>,
    sandbox: Runner,
    meter: Meter,
    /// Whether the first run of a program used one core at a time. If so, its later runs are pinned to one core.
    on_one_core: HashMap<usize, bool>,
    /// The hashes of the accepted outputs, by program and case.
    accepted: HashMap<(usize, usize), blake3::Hash>,
}

impl<'a> BenchRunner<'a> {
    /// Builds nothing yet. A program is identified by its index in `entries`, a case by its index in the problem.
    pub fn new(
        entries: &'a [(&'a Submission, &'a Problem)],
        tools: Tools<'a>,
        limits: LimitOverrides,
        runners: &RunnerSource,
    ) -> Result<Self, SandboxError> {
        // In a comparison, the base runs more often than the new version, because it also runs against itself. Without
        // this, it would find its process prepared more often, and seem faster.
        let mut sandbox = runners.runner()?;
        sandbox.start_all_alike();
        Ok(Self {
            entries,
            builds: Builds::new(entries, tools, limits),
            built: HashMap::new(),
            sandbox,
            meter: Meter::Clocks,
            on_one_core: HashMap::new(),
            accepted: HashMap::new(),
        })
    }

    /// Sets the meter for later runs.
    pub fn set_meter(&mut self, meter: Meter) {
        self.meter = meter;
    }

    /// The meter.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Counts instructions in later runs, with the best counter of this machine.
    pub fn count_instructions(&mut self) -> Result<(), MeterError> {
        self.meter = Meter::instructions(&mut self.sandbox)?;
        Ok(())
    }

    /// The sandbox, for a meter that probes whether it works.
    pub(crate) fn sandbox(&mut self) -> &mut Runner {
        &mut self.sandbox
    }

    /// Builds a program and the checkers of its problem, if that was not done yet.
    pub fn build(&mut self, program: usize) -> InSandbox<(), FailureText> {
        if let Some(known) = self.built.get(&program) {
            return Ok(known.clone());
        }
        let built = match self.builds.build(program, &mut self.sandbox)? {
            BuildOutcome::Ready { .. } => Ok(()),
            BuildOutcome::Refused { build, .. } => {
                Err(format!("it does not compile: {}", build.error.unwrap_or_default()))
            }
            BuildOutcome::Impossible { why, .. } => Err(why.to_string()),
        };
        self.built.insert(program, built.clone());
        Ok(built)
    }

    /// Runs a program on a case and checks its output.
    pub fn run(&mut self, program: usize, case: usize) -> InSandbox<RunMeasurement, FailureText> {
        if let Err(why) = self.build(program)? {
            return Ok(Err(why));
        }
        let (submission, problem) = self.entries[program];
        let test = &problem.cases[case];
        let ready = self.builds.ready(program);
        let limits = Limits {
            one_core: self.on_one_core.get(&program).copied().unwrap_or(false),
            ..*ready.limits.on(test)
        };
        let solution =
            Solution { artifact: &ready.artifact, files: &submission.files, limits: &limits };
        let input = test.input();
        let launch = solution.launch(test, &input)?;
        let job = self.meter.wrap(launch.job.clone());
        let input = open(launch.standard_input(&input))?;
        let before = self.meter.before();
        let execution = launch.finish(self.sandbox.run(&job, Input::File(input))?)?;
        if let Some((verdict, evidence)) = launch.decide(&execution, &job.limits) {
            return Ok(Err(self.meter.explain(verdict, &evidence, &execution)));
        }
        let measurement = match self.meter.read(&execution, before) {
            Ok(measurement) => measurement,
            Err(why) => return Ok(Err(why)),
        };
        self.on_one_core.entry(program).or_insert(measurement.cpu <= measurement.wall.mul_f64(1.1));
        let checked = self.check(program, case, test, &execution)?;
        Ok(checked.map(|()| measurement))
    }

    /// Whether a program starts other processes on a case, which its meter would not count. A program that does not
    /// compile starts none.
    pub fn has_uncounted_processes(
        &mut self,
        program: usize,
        case: usize,
    ) -> Result<bool, SandboxError> {
        let Some(callgrind) = self.meter.one_process_only().cloned() else {
            return Ok(false);
        };
        if self.build(program)?.is_err() {
            return Ok(false);
        }
        let (submission, problem) = self.entries[program];
        let test = &problem.cases[case];
        let ready = self.builds.ready(program);
        let solution = Solution {
            artifact: &ready.artifact,
            files: &submission.files,
            limits: ready.limits.on(test),
        };
        let input = test.input();
        let launch = solution.launch(test, &input)?;
        let failed = |source| SandboxError::Io {
            action: String::from("cannot list the processes of the program"),
            source,
        };
        let own = tempfile::tempdir().map_err(failed)?;
        let mut job = launch.job.clone();
        let folder = match &job.work_dir {
            WorkDir::At(folder) => folder.clone(),
            WorkDir::Fresh => own.path().to_owned(),
        };
        job.work_dir = WorkDir::At(folder.clone());
        let input = open(launch.standard_input(&input))?;
        self.sandbox.run(&callgrind.with_logs(job), Input::File(input))?;
        Ok(Callgrind::logs_in(&folder).map_err(failed)? > 1)
    }

    fn check(
        &mut self,
        program: usize,
        case: usize,
        test: &TestCase,
        execution: &Execution,
    ) -> InSandbox<(), FailureText> {
        let hash = hash_of(&execution.stdout).map_err(|source| SandboxError::Io {
            action: String::from("cannot read the output of the program"),
            source,
        })?;
        if self.accepted.get(&(program, case)) == Some(&hash) {
            return Ok(Ok(()));
        }
        let ready: &ReadySubmission = self.builds.ready(program);
        let checker = ready.checker_of(test);
        let found = check_output(&checker, test, &execution.stdout, &mut self.sandbox)?;
        match found.outcome {
            CheckOutcome::Accepted => {
                self.accepted.insert((program, case), hash);
                Ok(Ok(()))
            }
            CheckOutcome::Wrong(mismatch) => {
                Ok(Err(failure_text(Verdict::WrongAnswer, &mismatch.headline)))
            }
            // The output may be right, and the base does the same work.
            CheckOutcome::Unchecked => Ok(Ok(())),
            CheckOutcome::Fault(message) => Ok(Err(failure_text(Verdict::JudgeError, &message))),
        }
    }
}

fn open(path: &Path) -> Result<File, SandboxError> {
    File::open(path).map_err(|source| SandboxError::Io {
        action: format!("cannot open the input `{}`", path.display()),
        source,
    })
}

fn hash_of(output: &Captured) -> io::Result<blake3::Hash> {
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
