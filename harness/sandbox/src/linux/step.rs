//! The steps of setting up a program, for telling which one failed.

use rustix::io::Errno;

/// The steps of setting up a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Step {
    MakeWorkDir,
    ShowFiles,
    Clone,
    Session,
    Stdio,
    EnterMountNamespace,
    MountFiles,
    EnterWorkDir,
    CpuLimit,
    FileSizeLimit,
    FileCountLimit,
    CoreLimit,
    StackLimit,
    ProcessLimit,
    Pin,
    ChangeUser,
    DropCapabilities,
    RestrictFiles,
    FilterCalls,
    Exec,
}

/// Each step as an error message names it, in the order of the variants.
const TABLE: [(Step, &str); 20] = [
    (Step::MakeWorkDir, "creating its working folder"),
    (Step::ShowFiles, "finding the files that it may read"),
    (Step::Clone, "starting a process"),
    (Step::Session, "creating its session"),
    (Step::Stdio, "connecting its standard streams"),
    (Step::EnterMountNamespace, "entering its mount namespace"),
    (Step::MountFiles, "mounting the files that it may read"),
    (Step::EnterWorkDir, "entering its working folder"),
    (Step::CpuLimit, "setting the CPU limit"),
    (Step::FileSizeLimit, "setting the file size limit"),
    (Step::FileCountLimit, "setting the limit of open files"),
    (Step::CoreLimit, "disabling core dumps"),
    (Step::StackLimit, "setting the stack limit"),
    (Step::ProcessLimit, "setting the limit of processes"),
    (Step::Pin, "choosing its processors"),
    (Step::ChangeUser, "changing the user"),
    (Step::DropCapabilities, "dropping capabilities"),
    (Step::RestrictFiles, "restricting the files that it may use"),
    (Step::FilterCalls, "filtering its system calls"),
    (Step::Exec, "executing it"),
];

impl Step {
    pub(super) fn from_u8(n: u8) -> Option<Self> {
        TABLE.get(usize::from(n)).map(|(step, _)| *step)
    }

    /// The step as an error message names it.
    pub(super) fn describe(self) -> &'static str {
        TABLE[self as usize].1
    }
}

/// A start that failed.
#[derive(Debug, Clone, Copy)]
pub(super) struct SetupError {
    pub(super) step: Step,
    pub(super) errno: i32,
}

impl Step {
    /// The start that fails here with `error`.
    pub(super) fn failed(self, error: Errno) -> SetupError {
        SetupError { step: self, errno: error.raw_os_error() }
    }

    /// The same for an error that may not be the system's.
    pub(super) fn refused(self, error: &std::io::Error) -> SetupError {
        SetupError { step: self, errno: error.raw_os_error().unwrap_or(0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_has_one_row() {
        for (place, (step, _)) in TABLE.into_iter().enumerate() {
            assert_eq!(step as usize, place, "{step:?}");
        }
    }
}
