//! The folder for what a command writes while it runs: `target/xtask/NAME`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::files::{files_below, write};

/// The number of lines that are printed of each log after a failure.
const LINES: usize = 20;

/// Calls `code` with an empty folder, and removes it afterwards. After a failure it stays, and the ends of the logs in it are
/// printed. What an interrupted run left there is removed at the start of the next one.
pub(crate) fn with_scratch<T>(name: &str, code: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    with_folder(&target()?.join("xtask"), name, code)
}

/// Cargo's folder for what can be made again.
pub(crate) fn target() -> Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or("target".into(), PathBuf::from);
    Ok(std::path::absolute(target)?)
}

fn with_folder<T>(parent: &Path, name: &str, code: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    let path = parent.join(name);
    let lock = path.with_extension("lock");
    write(&lock, "")?;
    // The kernel unlocks it at the end of this process, however it ends.
    let lock = File::open(&lock)?;
    ensure!(
        lock.try_lock().is_ok(),
        "another `cargo xtask {name}` is running in {}",
        path.display()
    );
    let result = in_new_folder(&path, code);
    // A child of another thread has this file until it executes its program, so closing it would not unlock it.
    lock.unlock()?;
    result
}

fn in_new_folder<T>(path: &Path, code: impl FnOnce(&Path) -> Result<T>) -> Result<T> {
    remove(path)?;
    fs::create_dir_all(path)?;
    match code(path) {
        Ok(value) => remove(path).map(|()| value),
        Err(error) => {
            for log in files_below(path, &["log"]).unwrap_or_default() {
                let bytes = fs::read(&log).unwrap_or_default();
                let text = String::from_utf8_lossy(&bytes);
                eprintln!("--- {}\n{}", log.display(), last_lines(&text));
            }
            Err(error.context(format!("the files of the run are in {}", path.display())))
        }
    }
}

fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

fn last_lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    use anyhow::bail;

    #[test]
    fn files_stay_after_a_failure_until_the_next_run() {
        let dir = tempfile::tempdir().expect("a folder");
        let parent = dir.path().join("xtask");
        let fails = |path: &Path| -> Result<()> {
            write(&path.join("server.log"), "a")?;
            bail!("the cause")
        };
        let error = with_folder(&parent, "try", fails).expect_err("a failure");
        assert!(format!("{error:#}").ends_with("/xtask/try: the cause"));
        assert!(parent.join("try/server.log").exists());
        let is_empty = |path: &Path| Ok(fs::read_dir(path)?.next().is_none());
        assert!(with_folder(&parent, "try", is_empty).expect("a run"));
        assert!(!parent.join("try").exists());
    }

    #[test]
    fn two_runs_do_not_share_a_folder() {
        let dir = tempfile::tempdir().expect("a folder");
        with_folder(dir.path(), "try", |_| {
            assert!(with_folder(dir.path(), "try", |_| Ok(())).is_err());
            with_folder(dir.path(), "other", |_| Ok(()))
        })
        .expect("a run");
    }

    #[test]
    fn the_end_of_a_log_is_short() {
        assert_eq!(last_lines("a\nb\n"), "a\nb");
        assert_eq!(last_lines(&"x\n".repeat(50)).lines().count(), LINES);
    }
}
