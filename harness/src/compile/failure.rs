//! Why a source does not compile.

use std::path::Path;

use super::{CompileFailure, message};
use crate::bytes::Bytes;
use crate::problem::ProblemLimits;
use crate::sandbox::{Execution, Exit, LimitKind, Limits};

/// Sources that no compiler sees.
pub(super) fn refused(text: &[u8], limits: &ProblemLimits) -> Option<CompileFailure> {
    let reason = match limits.code {
        Some(most) if text.len() as u64 > most.get() => format!(
            "the source has {}, the problem allows {most}",
            Bytes(text.len() as u64)
        ),
        _ if text.contains(&0) => "the source is a binary file".to_owned(),
        _ if text.trim_ascii().is_empty() => "the source is empty".to_owned(),
        _ => return None,
    };
    Some(CompileFailure {
        reason,
        message: String::new(),
    })
}

/// Why the compiler failed, if it did.
pub(super) fn of(
    execution: &Execution,
    limits: &Limits,
    source: &Path,
    dir: &Path,
    file: &Path,
) -> Option<CompileFailure> {
    let reason = match execution.exit {
        Exit::Code(0) => return None,
        Exit::Code(code) => format!("the compiler ended with exit code {code}"),
        Exit::Signal(signal) => format!("the compiler was ended by signal {signal}"),
        Exit::Killed(LimitKind::Cpu) => format!(
            "the compiler used more than {} s of CPU time",
            limits.cpu_time.as_secs_f64()
        ),
        Exit::Killed(LimitKind::Wall) => format!(
            "the compiler took longer than {} s",
            limits.wall_time.as_secs_f64()
        ),
        Exit::Killed(LimitKind::Memory) => {
            format!("the compiler used more than {} of memory", limits.memory)
        }
        Exit::Killed(LimitKind::Output) => {
            format!("the compiler printed more than {}", limits.output)
        }
        Exit::Killed(LimitKind::Processes) => {
            format!(
                "the compiler started more than {} processes",
                limits.processes
            )
        }
    };
    Some(CompileFailure {
        reason,
        message: message::of(execution, source, dir, file),
    })
}
