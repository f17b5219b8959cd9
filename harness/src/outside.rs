//! Programs of the machine that rejudge itself starts outside the sandbox: compilers that are asked for their version,
//! `git`, `valgrind`.
//!
//! Many of them obey files of the folder in which they are started, or above it: the proxies of rustup, pyenv, asdf and
//! mise choose the program by such a file, others read their settings there. That folder is the judged repository,
//! which may not be trusted, so they are started elsewhere, and a name in `PATH` is looked for in absolute folders
//! only. Their variables are the user's.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Looks `name` up in the absolute folders of `PATH`.
pub(crate) fn look_up(name: &str) -> Option<PathBuf> {
    let file_name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    folders()
        .map(|folder| folder.join(&file_name))
        .find(|file| is_program(file))
}

/// A command that starts `program` in the root folder, which belongs to nobody's repository, without input.
pub(crate) fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir("/")
        // Shells believe these, rather than where they are.
        .env_remove("PWD")
        .env_remove("OLDPWD")
        .env("PATH", std::env::join_paths(folders()).unwrap_or_default())
        .stdin(Stdio::null());
    command
}

fn folders() -> impl Iterator<Item = PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    folders.into_iter().filter(|folder| folder.is_absolute())
}

#[cfg(unix)]
pub(crate) fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
pub(crate) fn is_program(path: &Path) -> bool {
    path.is_file()
}
