//! Submissions that are answers: a file is checked as if a program had printed it, and nothing is run.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rejudge_quantity::Bytes;

use super::output_check::check_output;
use super::run::{Run, Subject};
use super::runners::Runners;
use crate::decide;
use crate::problem::Problem;
use crate::problem::archive::StoreError;
use crate::sandbox::{Captured, Execution, Exit, SandboxError, Usage};

/// Possible endings of the name of an answer file.
const ENDINGS: [&str; 4] = [".out", ".ans", ".txt", ""];

/// Checks the submission's answer for the case.
pub(super) fn check_answer(
    subject: &Subject<'_>,
    runners: &mut Runners,
) -> Result<Run, SandboxError> {
    let (path, case) = (&subject.submission.path, subject.case);
    let path = match &subject.ready.unpacked {
        Some(Ok(folder)) => folder,
        // The submission is to blame, and not the machine.
        Some(Err(StoreError::Content { what, .. })) => {
            return Ok(Run::without_execution(decide::of_broken_answers(what)));
        }
        Some(Err(fault)) => {
            let action = format!("cannot unpack `{}`", path.display());
            return Err(SandboxError::Io { action, source: io::Error::other(fault.to_string()) });
        }
        None => path,
    };
    let Some(found) = answer_in(path, case.name(), subject.problem) else {
        return Ok(without_answer(path, case.name()));
    };
    let stdout = read(&found).map_err(|source| SandboxError::Io {
        action: format!("cannot read `{}`", found.display()),
        source,
    })?;
    let limit = subject.limits().output;
    let execution =
        Execution { exit: Exit::Code(0), usage: Usage::default(), stdout, stderr_tail: Vec::new() };
    if let Some(decided) = decide::of_answer_size(Bytes(execution.stdout.len()), limit) {
        return Ok(Run::without_check(execution, decided, ""));
    }
    let checker = subject.ready.checker_of(case);
    let found = check_output(&checker, case, &execution.stdout, runners.first())?;
    Ok(Run::checked(execution, found))
}

/// The answer for the case called `name`. In a folder, it is the file with the case's name or the last part of it. A
/// single file is the answer for the case that has its name, or otherwise for the only secret case.
fn answer_in(submission: &Path, name: &str, problem: &Problem) -> Option<PathBuf> {
    let base = name.rsplit('/').next().unwrap_or(name);
    if submission.is_dir() {
        let below = name.split_once('/').map_or(name, |(_, below)| below);
        // As CMS names the files of an output-only task.
        let of_cms = format!("output_{base}");
        let of_number = base.parse().map(|number: u32| format!("output{number}"));
        let places = [name, below, base, &of_cms].into_iter();
        let mut paths = places
            .chain(of_number.as_deref())
            .flat_map(|place| ENDINGS.map(|ending| submission.join(format!("{place}{ending}"))));
        return paths.find(|path| path.is_file());
    }
    let stem = submission.file_stem()?.to_string_lossy();
    let is_named = |case: &str| case.rsplit('/').next() == Some(&stem);
    let names = || problem.cases.iter().map(crate::problem::TestCase::name);
    let mut secret = names().filter(|name| name.starts_with("secret/"));
    let fits = if names().any(is_named) {
        is_named(name)
    } else {
        secret.next() == Some(name) && secret.next().is_none()
    };
    fits.then(|| submission.to_path_buf())
}

/// The result of a case for which the submission has no answer. A folder must have answers for all cases except the
/// samples; a single file is for one case only.
fn without_answer(submission: &Path, case: &str) -> Run {
    let is_required = submission.is_dir() && !case.starts_with("sample/");
    Run::without_execution(decide::of_missing_answer(is_required))
}

fn read(path: &Path) -> io::Result<Captured> {
    let mut file = File::open(path)?;
    crate::plain_file::require(&file.metadata()?)?;
    Captured::read_from(&mut file)
}
