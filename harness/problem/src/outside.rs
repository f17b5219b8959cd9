//! Starts installed programs outside the sandbox: compilers (for their version), `git`, `valgrind`.
//!
//! Many of these programs read files in their working folder or above it: the proxies of rustup, pyenv, asdf and mise
//! choose the actual program by such a file, other programs read their settings there. The current folder is the judged
//! repository, which may not be trusted. So these programs are started in a different folder, and a name in `PATH` is
//! looked up in absolute folders only. Their environment variables are those of the user.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Looks `name` up in the absolute folders of `PATH`.
pub fn look_up(name: &str) -> Option<PathBuf> {
    let file_name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    folders().map(|folder| folder.join(&file_name)).find(|file| is_program(file))
}

/// A command that starts `program` without input in the root folder, which is in no repository.
pub fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir("/")
        // Shells trust these variables more than their actual working folder.
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

/// Whether the file can be executed.
pub fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}
