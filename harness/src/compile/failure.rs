//! The reasons why a source does not compile.

use std::fs::{File, Metadata};
use std::os::unix::fs::{FileExt as _, PermissionsExt as _};
use std::path::Path;

use rejudge_quantity::Bytes;

use super::message::{self, MessageOrigin};
use super::sources::Sources;
use super::store::BuildFolder;
use super::terms::Terms;
use super::{CompileFailure, CompileRequest};
use crate::language::is_binary;
use crate::language::{Template, Values, binary_in};
use crate::sandbox::{Execution, Exit, LimitKind, Limits};

/// The maximum length of a file name, in bytes.
const LONGEST_NAME: usize = 255;

/// Checks the sources before the compiler runs.
pub(super) fn refused(whole: Sources, terms: &Terms<'_>) -> Result<Sources, CompileFailure> {
    let text = &whole.files[whole.main].text;
    let size = whole.own_bytes;
    // A file that is named after its class may need a name that is longer than any file name can
    // be.
    let too_long = |name: &&str| name.len() > LONGEST_NAME;
    let names = whole.files.iter().map(|file| file.name.as_str());
    if let Some(name) = names.flat_map(|name| name.split('/')).find(too_long) {
        return Err(CompileFailure::because(format!(
            "the file name would have {} bytes; at most {LONGEST_NAME} are possible",
            name.len()
        )));
    }
    match terms.limits.code {
        Some(most) if size as u64 > most.get() => Err(CompileFailure::because(format!(
            "the source has {}; the problem allows {most}",
            Bytes(size as u64)
        ))),
        _ if is_binary(text) => Err(CompileFailure::because("the source is a binary file")),
        _ if text.trim_ascii().is_empty() && !terms.permit_empty() => {
            Err(CompileFailure::because("the source is empty"))
        }
        _ => Ok(whole),
    }
}

/// Why a compilation failed; `None` if it succeeded. `compiler` is how messages call the program.
pub(super) fn of(
    execution: &Execution,
    limits: &Limits,
    origin: &MessageOrigin<'_>,
    compiler: &str,
) -> Option<CompileFailure> {
    let reason = match execution.exit {
        Exit::Code(0) => return None,
        Exit::Code(code) => format!("{compiler} ended with exit code {code}"),
        Exit::Signal(signal) => format!("{compiler} was killed by signal {signal}"),
        Exit::Stopped => format!("{compiler} was stopped"),
        Exit::Killed(LimitKind::Cpu) => {
            format!("{compiler} used more than {} s of CPU time", limits.cpu_time.as_secs_f64())
        }
        Exit::Killed(LimitKind::Wall | LimitKind::Idle) => {
            format!("{compiler} took longer than {} s", limits.wall_time.as_secs_f64())
        }
        Exit::Killed(LimitKind::Memory) => {
            format!("{compiler} used more than {} of memory", limits.memory)
        }
        Exit::Killed(LimitKind::Output) => {
            format!("{compiler} printed more than {}", limits.output)
        }
        Exit::Killed(LimitKind::Files) => {
            format!(
                "{compiler} exceeded the limit on the number or the size of the files in its folder"
            )
        }
        Exit::Killed(LimitKind::Processes) => {
            format!("{compiler} started more than {} processes", limits.processes)
        }
    };
    Some(CompileFailure::new(reason, message::of(execution, origin)))
}

/// The failure of a compiler that exited with success but created no program, because the source is
/// a package or a unit, for example.
pub(super) fn without_program(
    execution: &Execution,
    request: &CompileRequest<'_>,
    place: &BuildFolder,
    origin: &MessageOrigin<'_>,
) -> Option<CompileFailure> {
    // Relative to the folder in which the compiler ran.
    let values = Values { binary: binary_in(Path::new("")), ..Values::default() };
    let made = |word: &Template| word.made(&values);
    let starts = request.language.run.first().and_then(made);
    let mut others = request.language.run.iter().skip(1).filter_map(made);
    let open = |file: &Path| place.work().file(file);
    let is_missing = starts.is_some_and(|file| !open(&file).is_ok_and(|file| can_start(&file)))
        || others.any(|file| open(&file).is_err());
    is_missing.then(|| {
        let reason = "the compiler created no program".to_owned();
        CompileFailure::new(reason, message::of(execution, origin))
    })
}

/// Whether a file is a program, by its mode or by its first bytes: where a compiler cannot change modes,
/// it marks no file as executable. An object file or an archive is not a program.
fn can_start(file: &File) -> bool {
    /// Offset and values of `e_type` in the ELF header of an executable and of a position-independent one;
    /// see `elf(5)`.
    const TYPE: (usize, [u8; 2]) = (16, [2, 3]);
    let mode = |data: Metadata| data.permissions().mode();
    if file.metadata().map_or(0, mode) & 0o111 != 0 {
        return true;
    }
    let mut head = [0; 20];
    let length = file.read_at(&mut head, 0).unwrap_or(0);
    let head = &head[..length];
    let is_elf = head.starts_with(b"\x7fELF");
    head.starts_with(b"#!") || is_elf && head.get(TYPE.0).is_some_and(|kind| TYPE.1.contains(kind))
}

/// Whether a compiler may have failed because the disk is full, which is not a fault of the source.
pub(super) fn disk_is_full(dir: &Path) -> bool {
    rustix::fs::statvfs(dir).is_ok_and(|fs| {
        fs.f_bavail.saturating_mul(fs.f_frsize) < 1 << 20 || (fs.f_files > 0 && fs.f_favail == 0)
    })
}
