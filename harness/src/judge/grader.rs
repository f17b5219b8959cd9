//! Runs the graders of packages; seldom, so one runner of its own, started when it is first needed.

use std::ffi::OsString;
use std::path::Path;

use super::Bench;
use crate::attempts::run_fairly;
use crate::sandbox::{Exit, Input, Job, Runner, WorkDir};

/// What runs graders on the listening thread.
pub(super) struct Graders<'a> {
    bench: &'a Bench<'a>,
    runner: Option<Runner>,
}

impl<'a> Graders<'a> {
    /// Nothing is started yet.
    pub(super) fn new(bench: &'a Bench<'a>) -> Self {
        Self {
            bench,
            runner: None,
        }
    }

    /// What the grader at `source` says of `results`; the error is in words.
    pub(super) fn run(
        &mut self,
        submission: usize,
        source: &Path,
        flags: &[String],
        results: &str,
    ) -> Result<String, String> {
        let in_words = |error: &dyn std::fmt::Display| format!("the grader cannot be run: {error}");
        if self.runner.is_none() {
            let started = self.bench.options.runner.runner();
            self.runner = Some(started.map_err(|error| in_words(&error))?);
        }
        let runner = self.runner.as_mut().expect("it was started above");
        let problem = self.bench.entries[submission].1;
        let program = self
            .bench
            .builds
            .grader(source, problem, runner)
            .map_err(|error| in_words(&error))??;
        let mut argv = program.argv.clone();
        argv.extend(flags.iter().map(OsString::from));
        let job = Job {
            argv,
            env: program.env.clone(),
            work_dir: WorkDir::Fresh,
            readable: program.readable.clone(),
            limits: program.limits,
        };
        let stdin = Input::Bytes(results.as_bytes().to_vec());
        let execution = run_fairly(runner, &job, stdin).map_err(|error| in_words(&error))?;
        match execution.exit {
            Exit::Code(0) => {
                let said = execution.stdout.as_slice().unwrap_or_default();
                Ok(String::from_utf8_lossy(said).into_owned())
            }
            Exit::Code(code) => Err(format!("the grader exited with {code}, not with 0")),
            Exit::Signal(signal) => Err(format!("the grader was killed by signal {signal}")),
            Exit::Killed(_) => Err("the grader was stopped: over a limit".to_owned()),
        }
    }
}
