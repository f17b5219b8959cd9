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
    EnterRoom,
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

impl Step {
    const ALL: [Self; 20] = [
        Self::MakeWorkDir,
        Self::ShowFiles,
        Self::Clone,
        Self::Session,
        Self::Stdio,
        Self::EnterRoom,
        Self::MountFiles,
        Self::EnterWorkDir,
        Self::CpuLimit,
        Self::FileSizeLimit,
        Self::FileCountLimit,
        Self::CoreLimit,
        Self::StackLimit,
        Self::ProcessLimit,
        Self::Pin,
        Self::ChangeUser,
        Self::DropCapabilities,
        Self::RestrictFiles,
        Self::FilterCalls,
        Self::Exec,
    ];

    pub(super) fn from_u8(n: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|&step| step as u8 == n)
    }

    /// What was being done, for an error message.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::MakeWorkDir => "making its working folder",
            Self::ShowFiles => "finding the files that it may read",
            Self::Clone => "starting a process",
            Self::Session => "opening a session of its own",
            Self::Stdio => "connecting its standard streams",
            Self::EnterRoom => "entering its mount namespace",
            Self::MountFiles => "mounting the files that it may read",
            Self::EnterWorkDir => "entering its working folder",
            Self::CpuLimit => "setting the backstop of the CPU limit",
            Self::FileSizeLimit => "setting the file size limit",
            Self::FileCountLimit => "setting the limit of open files",
            Self::CoreLimit => "turning core dumps off",
            Self::StackLimit => "setting the stack limit",
            Self::ProcessLimit => "setting the limit of processes",
            Self::Pin => "choosing its processors",
            Self::ChangeUser => "becoming another user",
            Self::DropCapabilities => "dropping capabilities",
            Self::RestrictFiles => "restricting the files that it may use",
            Self::FilterCalls => "filtering its system calls",
            Self::Exec => "executing it",
        }
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
        SetupError {
            step: self,
            errno: error.raw_os_error(),
        }
    }

    /// The same for an error that may not be the system's.
    pub(super) fn refused(self, error: &std::io::Error) -> SetupError {
        SetupError {
            step: self,
            errno: error.raw_os_error().unwrap_or(0),
        }
    }
}
