//! A repository of problems whose cases are all `1 2`, with the bare loop on the same cases, and the judge as a process.
//!
//! The judge is the benchmark itself, started again, so a benchmark calls [`act_as_judge`] first.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::{BareLoop, compile, source, write_sums};

/// An environment variable that names a file. A process with this variable is the judge, and writes its figures to the
/// file.
const JUDGE: &str = "REJUDGE_BENCH_FIGURES";

/// See the [module](self).
#[derive(Debug)]
pub struct SumRepository {
    dir: TempDir,
    /// The yardstick.
    pub bare_loop: BareLoop,
}

impl SumRepository {
    /// A repository without problems.
    ///
    /// # Panics
    /// If there is no room, or no compiler.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it compiles a program")]
    pub fn new() -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let programs = dir.path().join("programs");
        fs::create_dir(&programs).expect("a fresh temporary folder");
        Self { bare_loop: BareLoop::build(&programs), dir }
    }

    /// A path in the repository.
    #[must_use]
    pub fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    /// Compiles a C program, in a separate folder, because the programs have the same names as problems.
    #[must_use]
    pub fn compile(&self, program: &str) -> PathBuf {
        compile(&self.path("programs"), program)
    }

    /// The folder with the cases of a problem.
    #[must_use]
    pub fn cases(&self, problem: &str) -> PathBuf {
        self.path(&format!("cases/{problem}/data/secret"))
    }

    /// Writes a problem with this solution, a C program.
    ///
    /// # Panics
    /// If there is no room.
    pub fn write_problem(&self, problem: &str, program: &str, cases: u32) {
        let secret = self.cases(problem);
        let solutions = self.path(&format!("solutions/{problem}"));
        let write = || -> io::Result<()> {
            fs::create_dir_all(&secret)?;
            fs::create_dir_all(&solutions)?;
            fs::copy(source(program), solutions.join(program))?;
            let yaml = format!(
                "problem_format_version: 2025-09\nname: {problem}\nlimits:\n  time_limit: 30\n"
            );
            fs::write(self.path(&format!("cases/{problem}/problem.yaml")), yaml)?;
            write_sums(&secret, cases)
        };
        write().expect("room for the cases");
    }

    /// Makes the judge of a command that starts this benchmark.
    #[must_use]
    pub fn judge(&self, mut command: Command) -> Command {
        command
            .arg("run")
            .current_dir(self.dir.path())
            .env(JUDGE, self.path("figures"))
            .env("REJUDGE_CACHE_DIR", self.path("cache"))
            .stdin(Stdio::null());
        command
    }

    /// Runs the judge by such a command. Returns the elapsed time and the judge's figures.
    ///
    /// # Panics
    /// If the judge fails.
    #[must_use]
    pub fn time(&self, command: Command, arguments: &[&str]) -> (Duration, String) {
        let start = Instant::now();
        let status = self
            .judge(command)
            .args(arguments)
            .args(["--json", "report.json"])
            .stdout(Stdio::null())
            .status();
        let time = start.elapsed();
        let code = status.expect("this program starts").code();
        // Status 1 means a wrong answer, which some cases have on purpose.
        assert!(matches!(code, Some(0 | 1)), "{arguments:?}: {code:?}");
        let figures = fs::read_to_string(self.path("figures"));
        (time, figures.expect("the judge writes its figures"))
    }
}

/// A command that starts this benchmark.
///
/// # Panics
/// If its path is unknown.
#[must_use]
pub fn own_command() -> Command {
    Command::new(own_path())
}

/// The path of this benchmark.
///
/// # Panics
/// If it is unknown.
#[must_use]
pub fn own_path() -> PathBuf {
    env::current_exe().expect("the path of this program")
}

/// Acts as the judge, if the process was started as one, and writes what `figures` returns afterwards.
///
/// # Panics
/// If there is no room for the figures.
pub fn act_as_judge(figures: fn() -> String) -> Option<ExitCode> {
    let file = env::var_os(JUDGE)?;
    let code = rejudge::command_line();
    fs::write(Path::new(&file), figures()).expect("room for the figures");
    Some(code)
}
