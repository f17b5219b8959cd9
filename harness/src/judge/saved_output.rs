//! Saves the outputs of runs, if that is requested.

use std::io;
use std::path::{Component, Path, PathBuf};

use super::WorkerPool;
use super::run::Subject;
use crate::left_behind::write_beneath;
use crate::problem::TestCase;
use crate::sandbox::Execution;
use crate::submission::Submission;

impl WorkerPool<'_> {
    /// Saves the output of a pass, if requested.
    pub(super) fn save_output(
        &self,
        subject: &Subject<'_>,
        execution: &Execution,
        pass: u32,
    ) -> io::Result<()> {
        let Some(folder) = &self.options.keep else {
            return Ok(());
        };
        save(folder, subject.submission, subject.case, pass, execution)
    }
}

/// Writes the output of the program to `FOLDER/SUBMISSION/CASE.out`, and the end of its standard error to `.err`. From
/// the second pass on, `.pass2` and so on come before the suffix.
fn save(
    folder: &Path,
    submission: &Submission,
    case: &TestCase,
    pass: u32,
    execution: &Execution,
) -> io::Result<()> {
    let name = Path::new(&submission.name).components();
    let name: PathBuf = name.filter(|part| matches!(part, Component::Normal(_))).collect();
    let with = |suffix: &str| {
        let mut path = name.join(case.name()).into_os_string();
        if pass > 1 {
            path.push(format!(".pass{pass}"));
        }
        path.push(suffix);
        PathBuf::from(path)
    };
    write_beneath(folder, &with(".out"), &mut execution.stdout.reader()?)?;
    if !execution.stderr_tail.is_empty() {
        write_beneath(folder, &with(".err"), &mut &execution.stderr_tail[..])?;
    }
    Ok(())
}
