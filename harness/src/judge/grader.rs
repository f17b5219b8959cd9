//! Runs the graders of packages. Graders are rare, so they share one runner, which is started when first needed.

use std::ffi::OsString;
use std::path::Path;

use super::WorkerPool;
use crate::attempts::run_fairly;
use crate::decide::signal_words;
use crate::notice::{Code, Notice};
use crate::sandbox::{Exit, Input, Job, Runner, SandboxError, WorkDir};

/// Runs graders on the thread that collects the results.
pub(super) struct Graders<'a> {
    pool: &'a WorkerPool<'a>,
    runner: Option<Runner>,
}

impl<'a> Graders<'a> {
    /// No runner is started yet.
    pub(super) fn new(pool: &'a WorkerPool<'a>) -> Self {
        Self { pool, runner: None }
    }

    /// The output of the grader at `source` for `results`.
    pub(super) fn run(
        &mut self,
        submission: usize,
        source: &Path,
        flags: &[String],
        results: &str,
    ) -> Result<String, Notice> {
        let broken = |error: SandboxError| {
            Code::BrokenProgram.says(format!("cannot run the grader: {error}"))
        };
        let fails = |how: String| Code::FailingProgram.says(how);
        if self.runner.is_none() {
            let started = self.pool.options.runners.runner();
            self.runner = Some(started.map_err(broken)?);
        }
        let runner = self.runner.as_mut().expect("it was started above");
        let problem = self.pool.entries[submission].1;
        let program = self.pool.builds.grader(source, problem, runner).map_err(broken)??;
        let mut argv = program.argv.clone();
        argv.extend(flags.iter().map(OsString::from));
        let job = Job {
            argv,
            env: program.env.clone(),
            work_dir: WorkDir::Fresh,
            readable: program.readable.clone(),
            limits: program.limits,
            preload: None,
        };
        let stdin = Input::Bytes(results.as_bytes().to_vec());
        let execution = run_fairly(runner, &job, stdin).map_err(broken)?;
        match execution.exit {
            Exit::Code(0) => {
                let output = execution.stdout.as_slice().unwrap_or_default();
                Ok(String::from_utf8_lossy(output).into_owned())
            }
            Exit::Code(code) => {
                Err(fails(format!("the grader exited with code {code}: expected 0")))
            }
            Exit::Signal(signal) => {
                Err(fails(format!("the grader was killed by {}", signal_words(signal))))
            }
            Exit::Killed(_) | Exit::Stopped => {
                Err(fails("the grader was killed: it exceeded a limit".to_owned()))
            }
        }
    }
}
