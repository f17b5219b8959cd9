//! Cases that Git LFS stores elsewhere, and of which only the pointers are here.

use std::path::Path;

use super::problem_table::ProblemTable;
use crate::notice::{Code, Notices};
use crate::plain_file;
use crate::problem::{Problem, TestCase};

/// How a pointer begins.
const HEAD: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";

/// No pointer is longer. Such a file has a hash and a size, and perhaps the lines of extensions.
const LONGEST: u64 = 1024;

/// Leaves out the cases that are pointers, with one error for each problem.
pub(super) fn leave_out_pointers(problems: &mut ProblemTable, notices: &mut Notices) {
    for entry in &mut problems.entries {
        if entry.problem.as_mut().is_some_and(|one| leave_out(one, notices)) {
            entry.problem = None;
        }
    }
}

/// Whether no case is left.
fn leave_out(problem: &mut Problem, notices: &mut Notices) -> bool {
    let all = problem.cases.len();
    // A repository stores files by their names, so a few cases tell whether the others have to be read.
    let mut some = [0, all / 2, all.saturating_sub(1)].into_iter();
    if !some.any(|index| problem.cases.get(index).is_some_and(is_pointer)) {
        return false;
    }
    problem.cases.retain(|case| !is_pointer(case));
    let pointers = all - problem.cases.len();
    let shown = notices.show(&problem.dir);
    notices.error_help(
        Code::MissingCases
            .says(format!(
                "{shown}: {pointers} of {all} cases are pointers of Git LFS; the files are not here"
            ))
            .about(&shown),
        "fetch them with `git lfs pull`",
    );
    problem.cases.is_empty()
}

/// Whether the input or the answer is a pointer.
fn is_pointer(case: &TestCase) -> bool {
    !case.is_static()
        && (is_pointer_file(&case.input())
            || case.answer().is_some_and(|path| is_pointer_file(&path)))
}

fn is_pointer_file(path: &Path) -> bool {
    let may_be = path
        .metadata()
        .is_ok_and(|file| file.is_file() && (HEAD.len() as u64..=LONGEST).contains(&file.len()));
    may_be && plain_file::read_up_to(path, LONGEST).is_ok_and(|text| text.starts_with(HEAD))
}
