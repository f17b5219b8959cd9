//! A command on a machine that has only Rust's toolchain and a linker.

use std::env;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result};

/// What the names of compilers, interpreters, browsers and the like begin with. Rust's begin with others.
const HIDDEN: [&str; 44] = [
    "clang",
    "python",
    "pypy",
    "java",
    "kotlin",
    "node",
    "npm",
    "ruby",
    "php",
    "ghc",
    "runghc",
    "mono",
    "mcs",
    "csc",
    "dotnet",
    "scala",
    "fpc",
    "R",
    "swift",
    "chrom",
    "firefox",
    "valgrind",
    "perf",
    "qemu",
    "lua",
    "ocaml",
    "julia",
    "dart",
    "elixir",
    "nasm",
    "ldc",
    "dmd",
    "nim",
    "crystal",
    "zig",
    "sbcl",
    "tsc",
    "deno",
    "pwsh",
    "racket",
    "guile",
    "fish",
    "zsh",
    "nats-server",
];

/// What their names contain, with a prefix for the machine or a suffix for the version.
const HIDDEN_WITHIN: [&str; 5] = ["g++", "c++", "gfortran", "gnat", "gdc"];

/// Further names.
const HIDDEN_NAMES: [&str; 3] = ["bun", "go", "gofmt"];

/// `bare COMMAND…`: runs the command with such a `PATH` and without `CI`, and exits with its status.
pub(crate) fn main(arguments: &[String]) -> Result<ExitCode> {
    let [program, arguments @ ..] = arguments else {
        anyhow::bail!("no command\nhelp: cargo xtask bare COMMAND…");
    };
    let folder = programs()?;
    let status = Command::new(program)
        .args(arguments)
        .env("PATH", folder.path())
        .env_remove("CI")
        .status()
        .with_context(|| format!("cannot start {program}"))?;
    Ok(ExitCode::from(u8::from(!status.success())))
}

/// A folder with links to the programs of `PATH` that such a machine has.
pub(crate) fn programs() -> Result<tempfile::TempDir> {
    let folder = tempfile::tempdir()?;
    // If root runs the tests, they judge programs as another user, who needs these links too.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))?;
    let path = env::var_os("PATH").context("PATH is not set")?;
    for place in env::split_paths(&path) {
        link_all(&place, folder.path())?;
    }
    Ok(folder)
}

/// Links the programs of one folder of `PATH`, of which many machines lack some.
fn link_all(from: &Path, to: &Path) -> Result<()> {
    let Ok(entries) = from.read_dir() else {
        return Ok(());
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let is_program = fs::metadata(entry.path())
            .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0);
        let link = to.join(&name);
        // The first of two programs with one name wins, as in PATH.
        if is_program && !is_hidden(&name.to_string_lossy()) && link.symlink_metadata().is_err() {
            symlink(entry.path(), link)?;
        }
    }
    Ok(())
}

fn is_hidden(name: &str) -> bool {
    HIDDEN_NAMES.contains(&name)
        || HIDDEN.iter().any(|start| name.starts_with(start))
        || HIDDEN_WITHIN.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_of_other_languages_are_hidden() {
        for name in ["x86_64-linux-gnu-g++-12", "python3.11", "go", "chromium", "R", "runghc-9.0.2"]
        {
            assert!(is_hidden(name), "{name}");
        }
        for name in ["cargo", "rustc", "cc", "gcc", "ld", "git", "sh", "mkdir", "rustup"] {
            assert!(!is_hidden(name), "{name}");
        }
    }
}
