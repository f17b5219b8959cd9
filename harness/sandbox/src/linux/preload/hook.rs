//! What the interpreter runs while it starts.

use std::ffi::{CString, OsStr};
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rustix::fs::{Mode, OFlags, mkdirat, openat};

use super::super::mounts::Root;
use super::super::protocol::ProgramSpec;
use super::super::step::Step;

/// What it runs while it starts.
const HOOK: &str = include_str!("../preload_hook.py");
/// The folder of that, in the files of its cell and as it sees it.
const FOLDER_INSIDE: &str = "preload";
const FOLDER: &str = "/tmp/preload";
/// Tells it where that is.
const PATH: &[u8] = b"PYTHONPATH=";
/// What the interpreter of `program` may see: everything but the program, which must not run with its rights. `None` if the
/// program is where every run sees it.
pub(in crate::linux) fn without_source(program: &ProgramSpec, root: &Root) -> Option<ProgramSpec> {
    let path = |text: &CString| Path::new(OsStr::from_bytes(text.to_bytes())).to_owned();
    let source = path(program.argv.last()?);
    let mut seen = program.clone();
    seen.readable.retain(|shown| !source.starts_with(path(shown)));
    (program.argv.len() > 1 && source.is_absolute() && !root.shows(&source)).then_some(seen)
}

/// What tells the interpreter where the hook is, as a part of its environment.
pub(super) fn place() -> io::Result<CString> {
    Ok(CString::new([PATH, FOLDER.as_bytes()].concat())?)
}

/// The text of the hook for `program`; `None` if a name is not one of Python, or if the environment has other modules.
pub(super) fn text(program: &ProgramSpec, modules: &[CString]) -> Option<String> {
    if program.env.iter().any(|pair| pair.to_bytes().starts_with(PATH)) {
        return None;
    }
    let is_name = |name: &&str| {
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.".contains(&byte))
    };
    let names = modules.iter().map(|name| name.to_str().ok().filter(is_name));
    let names: Vec<&str> = names.collect::<Option<_>>()?;
    let source = program.argv.last()?.to_str().ok()?;
    let source = Path::new(source).file_stem()?.to_str()?;
    // Any other is not the name of a module.
    let source = Some(source).filter(is_name).unwrap_or_default();
    let calls =
        [("prctl", libc::SYS_prctl), ("setns", libc::SYS_setns), ("clone", libc::SYS_clone)];
    let calls = calls.map(|(name, number)| format!("'{name}': {number}"));
    Some(format!(
        "MODULES = {names:?}\nSOURCE = {source:?}\nFOLDER = {FOLDER:?}\nCALLS = {{{}}}\nLAST_STEP = {}\n{HOOK}",
        calls.join(", "),
        Step::Exec as u8,
    ))
}

/// Writes it into the files of the cell.
pub(super) fn write(tmp: BorrowedFd<'_>, text: &str) -> io::Result<()> {
    mkdirat(tmp, FOLDER_INSIDE, Mode::from(0o755))?;
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::CLOEXEC;
    let name = format!("{FOLDER_INSIDE}/sitecustomize.py");
    let file = openat(tmp, name, flags, Mode::from(0o644))?;
    File::from(file).write_all(text.as_bytes())
}
