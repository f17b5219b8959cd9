//! Results of steps in which programs run: they fail for two different reasons.

use crate::sandbox::SandboxError;

/// What came of a step in which programs run. The inner error is a fault of a program, and concerns only it; the outer one
/// is never a program's fault, and concerns all that runs here.
pub(crate) type InSandbox<T, E> = Result<Result<T, E>, SandboxError>;
