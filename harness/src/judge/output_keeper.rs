//! Outputs of runs, for who wants them.

use std::fmt::Debug;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::left_behind::write_beneath;
use crate::problem::TestCase;
use crate::sandbox::Execution;
use crate::submission::Submission;

/// Takes the output of every pass of every run, from the thread of any worker. A run that is repeated comes again.
pub trait OutputKeeper: Debug + Send + Sync {
    /// Takes an output.
    ///
    /// # Errors
    /// If it cannot be kept: the case is not judged then.
    fn save(&self, run: &RunOutput<'_>) -> io::Result<()>;

    /// Whether this takes no longer than comparing an output does.
    fn is_quick(&self) -> bool {
        false
    }
}

/// A run whose output is taken.
#[derive(Debug, Clone, Copy)]
pub struct RunOutput<'a> {
    /// What was run.
    pub submission: &'a Submission,
    /// On which case.
    pub case: &'a TestCase,
    /// The number of the pass, from 1.
    pub pass: u32,
    /// The output, and how it came about.
    pub execution: &'a Execution,
}

/// Writes outputs to `FOLDER/SUBMISSION/CASE.out`, and the ends of standard error to `.err`. From the second pass on,
/// `.pass2` and so on come before the suffix.
#[derive(Debug)]
pub struct OutputFolder {
    /// The folder.
    pub path: PathBuf,
}

impl OutputKeeper for OutputFolder {
    fn save(&self, run: &RunOutput<'_>) -> io::Result<()> {
        let name = Path::new(&run.submission.name).components();
        let name: PathBuf = name.filter(|part| matches!(part, Component::Normal(_))).collect();
        let with = |suffix: &str| {
            let mut path = name.join(run.case.name()).into_os_string();
            if run.pass > 1 {
                path.push(format!(".pass{}", run.pass));
            }
            path.push(suffix);
            PathBuf::from(path)
        };
        let execution = run.execution;
        write_beneath(&self.path, &with(".out"), &mut execution.stdout.reader()?)?;
        if !execution.stderr_tail.is_empty() {
            write_beneath(&self.path, &with(".err"), &mut &execution.stderr_tail[..])?;
        }
        Ok(())
    }
}
