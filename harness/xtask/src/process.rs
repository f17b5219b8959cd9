//! Processes that end with this program, even if SIGKILL ends it.

use std::ffi::OsStr;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

/// The pause between two looks at a process or a condition.
const PAUSE: Duration = Duration::from_millis(50);

/// A command. The kernel kills its process at the end of this program. That covers the process itself and what ends with
/// it, not all of its descendants.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL", "--"]).arg(program);
    command
}

/// Runs a command to its end.
pub(crate) fn status(command: &mut Command) -> Result<ExitStatus> {
    command.status().with_context(|| format!("cannot start {}", line(command)))
}

/// Runs a command, which must succeed.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = status(command)?;
    ensure!(status.success(), "{}: {status}", line(command));
    Ok(())
}

/// Runs a command, which must succeed, and returns what it prints.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {}", line(command)))?;
    ensure!(output.status.success(), "{}: {}", line(command), output.status);
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The words of a command from [`command`], for messages.
fn line(command: &Command) -> String {
    let words = command.get_args().skip_while(|word| *word != "--").skip(1);
    let words: Vec<_> = words.map(OsStr::to_string_lossy).collect();
    words.join(" ")
}

/// Whether a program is in `PATH`, or is the path of a file.
pub(crate) fn is_installed(program: &str) -> bool {
    if program.contains('/') {
        return Path::new(program).is_file();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Waits until a condition holds.
pub(crate) fn wait_for(
    what: &str,
    limit: Duration,
    mut holds: impl FnMut() -> Result<bool>,
) -> Result<()> {
    let start = Instant::now();
    while !holds()? {
        if start.elapsed() > limit {
            bail!("{what} did not happen in {} s", limit.as_secs());
        }
        sleep(PAUSE);
    }
    Ok(())
}

/// A text as a word of the shell.
pub(crate) fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}

/// A process in the background, which ends with this value.
pub(crate) struct Background(Child);

impl Background {
    /// Starts a command from [`command`] that appends what it prints to a file.
    pub(crate) fn start(command: &mut Command, log: &Path) -> Result<Self> {
        let log = File::options()
            .create(true)
            .append(true)
            .open(log)
            .with_context(|| format!("cannot write {}", log.display()))?;
        let child = command
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()
            .with_context(|| format!("cannot start {}", line(command)))?;
        Ok(Self(child))
    }

    pub(crate) fn is_running(&mut self) -> Result<bool> {
        Ok(self.0.try_wait()?.is_none())
    }

    /// Waits for the end of the process, but not longer than `limit`. Returns whether it is running.
    pub(crate) fn is_running_after(&mut self, limit: Duration) -> Result<bool> {
        let start = Instant::now();
        while self.is_running()? {
            if start.elapsed() > limit {
                return Ok(true);
            }
            sleep(PAUSE);
        }
        Ok(false)
    }

    /// Sends a signal, such as `TERM`, if the process is running. Returns whether it was.
    pub(crate) fn signal(&mut self, name: &str) -> Result<bool> {
        if !self.is_running()? {
            return Ok(false);
        }
        // Until it has been waited for, no other process has its number.
        let script = r#"kill -s "$0" "$1""#;
        let id = self.0.id().to_string();
        run(command("sh").args(["-c", script, name, &id]))?;
        Ok(true)
    }

    pub(crate) fn wait(&mut self) -> Result<ExitStatus> {
        Ok(self.0.wait()?)
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // It fails only for a process that has ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::os::unix::process::ExitStatusExt as _;

    fn sleeping(dir: &Path) -> Background {
        Background::start(command("sleep").arg("60"), &dir.join("log")).expect("sleep")
    }

    fn exists(id: u32) -> bool {
        Path::new(&format!("/proc/{id}")).exists()
    }

    #[test]
    fn a_process_ends_with_its_value() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut process = sleeping(dir.path());
        let id = process.0.id();
        assert!(process.is_running().expect("a state") && exists(id));
        drop(process);
        assert!(!exists(id));
    }

    #[test]
    fn a_process_ends_with_the_thread_that_started_it() {
        let dir = tempfile::tempdir().expect("a folder");
        let thread = std::thread::scope(|scope| {
            let thread = scope.spawn(|| {
                let process = sleeping(dir.path());
                // setpriv asks for the signal just before it starts the program.
                let name = format!("/proc/{}/comm", process.0.id());
                let is_sleeping = || Ok(std::fs::read_to_string(&name)?.starts_with("sleep"));
                wait_for("the start", Duration::from_secs(60), is_sleeping).expect("a start");
                process
            });
            thread.join()
        });
        let mut process = thread.expect("a process");
        let status = process.wait().expect("a status");
        assert_eq!(status.signal(), Some(9));
    }

    #[test]
    fn signals_reach_a_running_process_only() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut process = sleeping(dir.path());
        assert!(process.signal("TERM").expect("a signal"));
        assert_eq!(process.wait().expect("a status").signal(), Some(15));
        assert!(!process.signal("TERM").expect("no signal"));
        let limit = Duration::from_secs(60);
        assert!(!process.is_running_after(limit).expect("a state"));
    }

    #[test]
    fn a_failure_names_the_command() {
        let error = run(command("sh").args(["-c", "exit 3"])).expect_err("a failure");
        assert_eq!(error.to_string(), "sh -c exit 3: exit status: 3");
        let text = output(command("echo").arg("a")).expect("a text");
        assert_eq!(text, "a\n");
    }

    #[test]
    fn a_condition_that_never_holds_is_named() {
        let error = wait_for("the end", Duration::ZERO, || Ok(false)).expect_err("a limit");
        assert_eq!(error.to_string(), "the end did not happen in 0 s");
    }

    #[test]
    fn programs_are_found_in_the_path() {
        assert!(is_installed("sh") && is_installed("/bin/sh"));
        assert!(!is_installed("no-such-program") && !is_installed("/bin/no-such-program"));
    }

    #[test]
    fn quotes_are_quoted() {
        assert_eq!(quoted(Path::new("/a b")), "'/a b'");
        assert_eq!(quoted(Path::new("/it's")), r"'/it'\''s'");
    }
}
