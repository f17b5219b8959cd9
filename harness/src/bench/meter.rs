//! Meters: the clocks of the judge, or a counter of instructions.
//!
//! The processor counts instructions if the kernel permits it; otherwise valgrind's callgrind does, which then runs the
//! program. Callgrind counts only the first process: a copy of it starts with its count, and what another program does in a
//! copy before it starts is lost. So no sum over processes is exact, and a program with several is not counted. CPU times
//! measured under callgrind are meaningless.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use rejudge_quantity::Bytes;

use crate::judge::InSandbox;
use crate::notice::{Code, Notice};
use crate::outside;
use crate::sandbox::{
    Execution, Input, InstructionCounter, Job, Limits, Runner, SandboxError, WorkDir,
};
use crate::verdict::Verdict;

use super::failure::{FailureText, failure_text};
use super::run_measurement::RunMeasurement;

/// The allowed slowdown under callgrind. A loop of single instructions is 60 times slower.
const SLOWDOWN: u32 = 100;
/// Memory for callgrind itself, in addition to a multiple of the program's memory.
const CALLGRIND_MEMORY: Bytes = Bytes::mib(512);
/// Output of callgrind itself, in bytes.
const CALLGRIND_OUTPUT: u64 = 64 << 10;

/// The start of the names of valgrind's logs.
const LOG: &str = ".valgrind-";

/// The means of measurement.
#[derive(Debug)]
pub enum Meter {
    /// The judge's clocks.
    Clocks,
    /// The processor's counter of instructions.
    Hardware(InstructionCounter),
    /// Valgrind's callgrind.
    Callgrind(Callgrind),
}

/// An installed valgrind.
#[derive(Debug, Clone)]
pub struct Callgrind {
    program: PathBuf,
    version: String,
}

/// Why instructions cannot be counted on this machine.
#[derive(Debug, thiserror::Error)]
pub enum MeterError {
    /// Neither counter is available.
    #[error(transparent)]
    Nothing(Notice),
    /// The probe could not be run.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
}

impl Meter {
    /// The best counter of instructions on this machine.
    pub fn instructions(runner: &mut Runner) -> Result<Self, MeterError> {
        match hardware(runner)? {
            Ok(counter) => Ok(Self::Hardware(counter)),
            Err(error) => Callgrind::find().map(Self::Callgrind).ok_or_else(|| {
                let what = format!(
                    "cannot count instructions: the kernel provides no hardware counter ({error}), and `valgrind` is \
                     not installed"
                );
                MeterError::Nothing(
                    Code::MissingTool
                        .says(what)
                        .help("install valgrind, or omit `--counter` to compare CPU time"),
                )
            }),
        }
    }

    /// The processor's counter if it can be read, otherwise the clocks.
    pub(crate) fn hardware(runner: &mut Runner) -> Result<Self, SandboxError> {
        Ok(hardware(runner)?.map_or(Self::Clocks, Self::Hardware))
    }

    /// The counter whose counts are valid on other machines too (callgrind), otherwise the best available one.
    pub fn portable(runner: &mut Runner) -> Result<Self, MeterError> {
        match Callgrind::find() {
            Some(callgrind) => Ok(Self::Callgrind(callgrind)),
            None => Self::instructions(runner),
        }
    }

    /// Its name and version: `callgrind, valgrind-3.19.0`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Clocks => String::from("clocks"),
            Self::Hardware(_) => String::from("hardware counter"),
            Self::Callgrind(callgrind) => format!("callgrind, {}", callgrind.version),
        }
    }

    /// The job that is run: `job` itself, or `job` under callgrind.
    pub(crate) fn wrap(&self, job: Job) -> Job {
        match self {
            Self::Clocks | Self::Hardware(_) => job,
            Self::Callgrind(callgrind) => callgrind.wrap(job),
        }
    }

    /// Whether it counts only the first process of a program.
    pub(crate) fn one_process_only(&self) -> Option<&Callgrind> {
        match self {
            Self::Clocks | Self::Hardware(_) => None,
            Self::Callgrind(callgrind) => Some(callgrind),
        }
    }

    /// The hardware count before a run.
    pub(crate) fn before(&self) -> Option<u64> {
        match self {
            Self::Hardware(counter) => counter.read().ok(),
            Self::Clocks | Self::Callgrind(_) => None,
        }
    }

    /// The hardware count of all runs since `before`.
    pub(crate) fn since(&self, before: Option<u64>) -> Option<u64> {
        counted(before, self.before()).ok()
    }

    /// The figures of a successful run.
    pub(crate) fn read(
        &self,
        execution: &Execution,
        before: Option<u64>,
    ) -> Result<RunMeasurement, FailureText> {
        let usage = &execution.usage;
        let instructions = match self {
            Self::Clocks => None,
            Self::Hardware(counter) => Some(counted(before, counter.read().ok())?),
            Self::Callgrind(_) => {
                Some(collected(&execution.stderr_tail).ok_or("callgrind printed no count")?)
            }
        };
        Ok(RunMeasurement {
            cpu: usage.cpu(),
            wall: usage.wall,
            memory: usage.peak_memory,
            instructions,
        })
    }

    /// Why a run failed. Under callgrind, the cause may be callgrind itself.
    pub(super) fn explain(
        &self,
        verdict: Verdict,
        evidence: &str,
        execution: &Execution,
    ) -> FailureText {
        let why = failure_text(verdict, evidence);
        let Self::Callgrind(_) = self else {
            return why;
        };
        let stderr = String::from_utf8_lossy(&execution.stderr_tail);
        let callgrind_message = stderr.lines().find_map(|line| {
            let (_, message) = line.strip_prefix("==")?.split_once("== ")?;
            let fatal = ["unhandled instruction", "cannot", "Cannot", "failed"];
            fatal.iter().any(|word| message.contains(word)).then_some(message)
        });
        let mut lines = stderr.lines();
        let valgrind_message = lines.find(|line| line.starts_with("valgrind: "));
        match callgrind_message.or(valgrind_message) {
            Some(message) => format!("under callgrind: {why} ({})", message.trim()),
            None => format!("under callgrind: {why}"),
        }
    }
}

/// The processor's counter if it works, otherwise the reason.
fn hardware(runner: &mut Runner) -> InSandbox<InstructionCounter, std::io::Error> {
    let counter = match runner.instruction_counter() {
        Ok(counter) => counter,
        Err(error) => return Ok(Err(error)),
    };
    // The environment makes this job different from all others: what was prepared before the counter, to run the same
    // job again, would not be counted.
    let job = Job {
        argv: vec!["/bin/true".into()],
        env: vec![("COUNTED".into(), "1".into())],
        work_dir: WorkDir::Fresh,
        readable: Vec::new(),
        limits: super::startup_cost::LIMITS,
        preload: None,
    };
    runner.run(&job, Input::Empty)?;
    Ok(match counter.read() {
        Ok(0) => Err(std::io::Error::other("it counts nothing")),
        Ok(_) => Ok(counter),
        Err(error) => Err(error),
    })
}

impl Callgrind {
    /// The installed valgrind, if it starts.
    #[must_use]
    pub fn find() -> Option<Self> {
        let program = outside::look_up("valgrind")?;
        let output = outside::command(&program).arg("--version").output().ok()?;
        let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        (output.status.success() && !version.is_empty()).then_some(Self { program, version })
    }

    fn wrap(&self, job: Job) -> Job {
        self.under(&["--tool=callgrind", "--callgrind-out-file=/dev/null"], job)
    }

    /// The job with a log of each process in its working folder, which must be one of the caller.
    pub(super) fn with_logs(&self, job: Job) -> Job {
        let log = format!("--log-file={LOG}%p");
        self.under(&["--tool=none", "--trace-children=yes", &log], job)
    }

    /// The number of processes of which [`Self::with_logs`] left a log in `folder`.
    pub(super) fn logs_in(folder: &Path) -> io::Result<usize> {
        let mut logs = 0;
        for entry in std::fs::read_dir(folder)? {
            logs += usize::from(entry?.file_name().as_encoded_bytes().starts_with(LOG.as_bytes()));
        }
        Ok(logs)
    }

    /// The job under valgrind with these options.
    fn under(&self, options: &[&str], job: Job) -> Job {
        let mut argv = vec![self.program.clone().into_os_string()];
        argv.extend(options.iter().map(OsString::from));
        argv.push("--vgdb=no".into());
        argv.extend(job.argv);
        let mut env = job.env;
        env.retain(|(name, _)| name != "LC_ALL" && name != "LANG");
        env.push(("LC_ALL".into(), "C".into()));
        let mut readable = job.readable;
        let prefix = self.program.parent().and_then(Path::parent);
        readable.extend(prefix.map(|prefix| prefix.join("libexec/valgrind")));
        readable.retain(|path| path.exists());
        Job {
            argv,
            env,
            readable,
            limits: limits_under_callgrind(&job.limits),
            work_dir: job.work_dir,
            preload: None,
        }
    }
}

/// The limits of a program under callgrind. They are generous, but no program runs for ever.
fn limits_under_callgrind(limits: &Limits) -> Limits {
    let memory = limits.memory.get().saturating_mul(2) + CALLGRIND_MEMORY.get();
    Limits {
        cpu_time: limits.cpu_time.saturating_mul(SLOWDOWN),
        cpu_kill: limits.cpu_kill.saturating_mul(SLOWDOWN),
        wall_time: limits.wall_time.saturating_mul(SLOWDOWN),
        memory: Bytes(memory),
        output: Bytes(limits.output.get().saturating_add(CALLGRIND_OUTPUT)),
        ..*limits
    }
}

/// The count of one run, from the values of the processor's counter before and after it.
fn counted(before: Option<u64>, after: Option<u64>) -> Result<u64, &'static str> {
    match before.zip(after) {
        Some((before, after)) if after > before => Ok(after - before),
        Some(_) => Err("the hardware counter counted nothing"),
        None => Err("the hardware counter was not active during the whole run"),
    }
}

/// The count in callgrind's last lines: `==12== Collected : 263123456`.
fn collected(stderr: &[u8]) -> Option<u64> {
    let text = String::from_utf8_lossy(stderr);
    text.lines().rev().find_map(|line| {
        let (_, message) = line.strip_prefix("==")?.split_once("==")?;
        let count = message.trim().strip_prefix("Collected")?;
        count.trim().strip_prefix(':')?.trim().parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_does_not_advance_or_was_inactive_gives_no_count() {
        assert_eq!(counted(Some(5), Some(12)), Ok(7));
        assert!(counted(Some(5), Some(5)).is_err());
        assert!(counted(None, Some(5)).is_err() && counted(Some(5), None).is_err());
    }

    #[test]
    fn the_count_is_read_from_callgrinds_last_line() {
        let table: [(&str, Option<u64>); 5] = [
            ("==7== Events    : Ir\n==7== Collected : 2631\n==7== \n", Some(2631)),
            ("Collected : 3\n==7== Collected : 4\n", Some(4)),
            ("==7== Collected : 5\n==8== Collected : 6\n", Some(6)),
            ("==7== Collected : many\n", None),
            ("", None),
        ];
        for (text, expected) in table {
            assert_eq!(collected(text.as_bytes()), expected, "{text}");
        }
    }
}
