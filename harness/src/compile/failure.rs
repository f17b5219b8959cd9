//! Why a source does not compile.

use std::path::Path;

use super::sources::Sources;
use super::store::Place;
use super::{CompileFailure, Request, message};
use crate::bytes::Bytes;
use crate::language::{Values, binary_in};
use crate::problem::ProblemLimits;
use crate::sandbox::{Execution, Exit, LimitKind, Limits};

/// The longest name that a file can have, in bytes.
const LONGEST_NAME: usize = 255;

/// The sources, or why no compiler sees them.
pub(super) fn refused(whole: Sources, limits: &ProblemLimits) -> Result<Sources, String> {
    let text = &whole.files[whole.main].text;
    let size = whole.own_bytes;
    // A class may ask for a longer one than any file can have.
    let too_long = |name: &&str| name.len() > LONGEST_NAME;
    let names = whole.files.iter().map(|file| file.name.as_str());
    if let Some(name) = names.flat_map(|name| name.split('/')).find(too_long) {
        return Err(format!(
            "its file would have a name of {} bytes, and {LONGEST_NAME} are possible",
            name.len()
        ));
    }
    match limits.code {
        Some(most) if size as u64 > most.get() => Err(format!(
            "the source has {}, the problem allows {most}",
            Bytes(size as u64)
        )),
        _ if text.contains(&0) => Err("the source is a binary file".to_owned()),
        _ if text.trim_ascii().is_empty() => Err("the source is empty".to_owned()),
        _ => Ok(whole),
    }
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
        Exit::Killed(LimitKind::Files) => {
            "the compiler left more files, or larger ones, than its folder may hold".to_owned()
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

/// That the compiler left no program, although it ended well: the source is a package or a unit, say. Modes do not count:
/// where a compiler cannot change them, it marks no file as a program.
pub(super) fn without_program(
    execution: &Execution,
    request: &Request<'_>,
    place: &Place,
    file: &Path,
) -> Option<CompileFailure> {
    // Relative to the folder in which the compiler worked.
    let values = Values {
        binary: binary_in(Path::new("")),
        ..Values::default()
    };
    let is_missing = request
        .language
        .run
        .iter()
        .filter_map(|word| word.made(&values))
        .any(|file| place.work().file(&file).is_err());
    is_missing.then(|| CompileFailure {
        reason: "the compiler made no program".to_owned(),
        message: message::of(execution, request.source, place.path(), file),
    })
}

/// Whether a compiler may have failed for want of space, which is no fault of the source.
#[cfg(unix)]
pub(super) fn disk_is_full(dir: &Path) -> bool {
    rustix::fs::statvfs(dir).is_ok_and(|fs| {
        fs.f_bavail.saturating_mul(fs.f_frsize) < 1 << 20 || (fs.f_files > 0 && fs.f_favail == 0)
    })
}

#[cfg(not(unix))]
pub(super) fn disk_is_full(_dir: &Path) -> bool {
    false
}
