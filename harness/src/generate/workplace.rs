//! The folder in which the generators of some packages run: a copy of the package, because they read files next to them,
//! by paths from the package's folder or from their own.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::compile::{Artifact, is_program_text};
use crate::judge::Launch;
use crate::left_behind::Temporary;
use crate::problem::{collection_of, is_ignored};

/// The folders of test cases, which generators make.
const CASES: [&str; 4] = ["input", "output", "in", "out"];

/// A larger file is not needed to make an input.
const LARGEST: u64 = 16 << 20;

/// Copies the package in `root` without its test cases to `folder`, and creates the folder `current` in it. Links that
/// lead out of the package are copied only if they lead to a source in the same collection.
pub(super) fn copy_package(root: &Path, current: &str, folder: &Temporary) -> io::Result<()> {
    let real_root = root.canonicalize()?;
    let bounds = collection_of(&real_root);
    let is_wanted = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().to_str();
        let is_case = |name: &str| entry.depth() == 1 && CASES.contains(&name);
        entry.depth() == 0 || name.is_some_and(|name| !is_ignored(name) && !is_case(name))
    };
    for entry in WalkDir::new(root).into_iter().filter_entry(is_wanted) {
        let Ok(entry) = entry else { continue };
        let Ok(real) = entry.path().canonicalize() else {
            continue;
        };
        let is_ours =
            real.starts_with(&real_root) || (real.starts_with(bounds) && is_program_text(&real));
        let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
        let Ok(metadata) = real.metadata() else {
            continue;
        };
        let to = folder.path().join(below);
        if metadata.is_dir() && !entry.path_is_symlink() {
            std::fs::create_dir_all(&to)?;
        } else if metadata.is_file() && is_ours && metadata.len() <= LARGEST {
            std::fs::copy(&real, &to)?;
        }
    }
    if current.is_empty() {
        return Ok(());
    }
    let current = folder.path().join(current);
    std::fs::create_dir_all(&current)?;
    // The program may run as another user.
    std::fs::set_permissions(&current, Permissions::from_mode(0o777))
}

/// Lets a program start in the folder `current` of a copy of its package. If it runs from its source, which is `source`
/// in the package, it runs from the copy of the source.
pub(super) fn enter(
    launch: &mut Launch,
    artifact: &Artifact,
    source: Option<&Path>,
    current: &str,
) {
    let up: PathBuf = Path::new(current).iter().map(|_| "..").collect();
    if let Some(source) = source {
        let compiled = artifact.dir.join(artifact.entry_point());
        let copy = up.join(source).into_os_string();
        for word in launch.job.argv.iter_mut().skip(1) {
            if Path::new(word) == compiled {
                word.clone_from(&copy);
            }
        }
    }
    if !current.is_empty() {
        let command = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", current];
        launch.job.argv.splice(0..0, command.map(Into::into));
    }
    launch.leaves_in(current);
}

/// A script that runs the installed program to which the file at `path` is a link: old archives use `/bin/echo` as a
/// generator.
pub(super) fn script_of_installed(path: &Path) -> Option<String> {
    let program = std::fs::read_link(path).ok()?;
    let folder = program.parent()?;
    let is_installed =
        ["/bin", "/usr/bin", "/usr/local/bin"].iter().any(|one| folder == Path::new(one));
    let name = program.to_str()?.to_owned();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/_.+-".contains(c);
    (is_installed && name.chars().all(is_plain)).then(|| format!("exec {name} \"$@\"\n"))
}
