//! What figures are measured with: the judge's own clocks, or a counter of instructions.
//!
//! Instructions are counted by the processor where the kernel lets us, else by valgrind's callgrind, in which the program
//! then runs. Callgrind counts the first process only, and its clocks say nothing of the program's.

use std::path::{Path, PathBuf};

use crate::bytes::Bytes;
use crate::outside;
use crate::sandbox::{
    Execution, Input, InstructionCounter, Job, Limits, Runner, SandboxError, WorkDir,
};
use crate::verdict::Verdict;

use super::run_measurement::RunMeasurement;
use super::runner::{Failure, failure_text};

/// How much slower a program may be under callgrind than without: a loop of single steps is 60 times slower.
const SLOWER: u32 = 100;
/// What callgrind itself needs, beside a multiple of what the program needs.
const OWN_MEMORY: Bytes = Bytes::mib(512);
/// What callgrind itself prints.
const OWN_OUTPUT: u64 = 64 << 10;

/// What measures.
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

/// No instructions can be counted here, and why.
#[derive(Debug, thiserror::Error)]
pub enum MeterError {
    /// Neither counter can be used.
    #[error(
        "instructions cannot be counted here: the kernel offers no hardware counter ({0}) and there is no `valgrind`\n\
         help: install valgrind, or compare CPU time (without `--counter`)"
    )]
    Nothing(std::io::Error),
    /// The probe could not be run.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
}

impl Meter {
    /// The best counter of instructions that this machine has.
    pub fn instructions(runner: &mut Runner) -> Result<Self, MeterError> {
        match hardware(runner)? {
            Ok(counter) => Ok(Self::Hardware(counter)),
            Err(error) => match Callgrind::find() {
                Some(callgrind) => Ok(Self::Callgrind(callgrind)),
                None => Err(MeterError::Nothing(error)),
            },
        }
    }

    /// The counter whose counts hold on other machines too, or else the best that there is.
    pub fn portable(runner: &mut Runner) -> Result<Self, MeterError> {
        match Callgrind::find() {
            Some(callgrind) => Ok(Self::Callgrind(callgrind)),
            None => Self::instructions(runner),
        }
    }

    /// What it is, with its version: `callgrind, valgrind-3.19.0`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Clocks => String::from("clocks"),
            Self::Hardware(_) => String::from("hardware counter"),
            Self::Callgrind(callgrind) => format!("callgrind, {}", callgrind.version),
        }
    }

    /// The job as it is measured.
    pub(super) fn dress(&self, job: Job) -> Job {
        match self {
            Self::Clocks | Self::Hardware(_) => job,
            Self::Callgrind(callgrind) => callgrind.dress(job),
        }
    }

    /// The state before a run.
    pub(super) fn before(&self) -> Option<u64> {
        match self {
            Self::Hardware(counter) => counter.read().ok(),
            Self::Clocks | Self::Callgrind(_) => None,
        }
    }

    /// What a run used that ended well.
    pub(super) fn read(
        &self,
        execution: &Execution,
        before: Option<u64>,
    ) -> Result<RunMeasurement, Failure> {
        let usage = &execution.usage;
        let instructions = match self {
            Self::Clocks => None,
            Self::Hardware(counter) => Some(counted(before, counter.read().ok())?),
            Self::Callgrind(_) => Some(
                collected(&execution.stderr_tail).ok_or("callgrind did not say what it counted")?,
            ),
        };
        Ok(RunMeasurement {
            cpu: usage.cpu(),
            wall: usage.wall,
            memory: usage.peak_memory,
            instructions,
        })
    }

    /// Why a run that was measured with this did not end well.
    pub(super) fn explain(
        &self,
        verdict: Verdict,
        evidence: &str,
        execution: &Execution,
    ) -> Failure {
        let why = failure_text(verdict, evidence);
        let Self::Callgrind(_) = self else {
            return why;
        };
        let said = String::from_utf8_lossy(&execution.stderr_tail);
        let complaint = said.lines().find_map(|line| {
            let (_, words) = line.strip_prefix("==")?.split_once("== ")?;
            let fatal = ["unhandled instruction", "cannot", "Cannot", "failed"];
            fatal
                .iter()
                .any(|word| words.contains(word))
                .then_some(words)
        });
        let own = said.lines().find(|line| line.starts_with("valgrind: "));
        match complaint.or(own) {
            Some(words) => format!("under callgrind: {why} ({})", words.trim()),
            None => format!("under callgrind: {why}"),
        }
    }
}

/// The processor's counter, if it counts; the reason if not.
fn hardware(
    runner: &mut Runner,
) -> Result<Result<InstructionCounter, std::io::Error>, SandboxError> {
    let counter = match runner.instruction_counter() {
        Ok(counter) => counter,
        Err(error) => return Ok(Err(error)),
    };
    // Unlike any other, so that no process waits for it that was there before the counter.
    let job = Job {
        argv: ["/bin/true", "counted"].map(Into::into).to_vec(),
        env: Vec::new(),
        work_dir: WorkDir::Fresh,
        readable: Vec::new(),
        limits: super::startup_cost::LIMITS,
    };
    runner.run(&job, Input::Empty)?;
    Ok(match counter.read() {
        Ok(0) => Err(std::io::Error::other("it stays at zero")),
        Ok(_) => Ok(counter),
        Err(error) => Err(error),
    })
}

impl Callgrind {
    /// The valgrind of the usual folders, if it starts.
    #[must_use]
    pub fn find() -> Option<Self> {
        let program = outside::look_up("valgrind")?;
        let output = outside::command(&program).arg("--version").output().ok()?;
        let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        (output.status.success() && !version.is_empty()).then_some(Self { program, version })
    }

    fn dress(&self, job: Job) -> Job {
        let mut argv = vec![self.program.clone().into_os_string()];
        argv.extend(
            [
                "--tool=callgrind",
                "--callgrind-out-file=/dev/null",
                "--vgdb=no",
            ]
            .map(Into::into),
        );
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
            limits: roomier(&job.limits),
            work_dir: job.work_dir,
        }
    }
}

/// The limits of a program under callgrind: still there, so that nothing runs for ever.
fn roomier(limits: &Limits) -> Limits {
    let memory = limits.memory.get().saturating_mul(2) + OWN_MEMORY.get();
    Limits {
        cpu_time: limits.cpu_time.saturating_mul(SLOWER),
        cpu_kill: limits.cpu_kill.saturating_mul(SLOWER),
        wall_time: limits.wall_time.saturating_mul(SLOWER),
        memory: Bytes(memory),
        output: Bytes(limits.output.get().saturating_add(OWN_OUTPUT)),
        ..*limits
    }
}

/// The count of one run, from measurements of the processor's counter before and after it.
fn counted(before: Option<u64>, after: Option<u64>) -> Result<u64, &'static str> {
    match before.zip(after) {
        Some((before, after)) if after > before => Ok(after - before),
        Some(_) => Err("the hardware counter counted nothing"),
        None => Err("the hardware counter was not on all the time"),
    }
}

/// The count in callgrind's last words: `==12== Collected : 263123456`.
fn collected(stderr: &[u8]) -> Option<u64> {
    let text = String::from_utf8_lossy(stderr);
    text.lines().rev().find_map(|line| {
        let (_, words) = line.strip_prefix("==")?.split_once("==")?;
        let count = words.trim().strip_prefix("Collected")?;
        count.trim().strip_prefix(':')?.trim().parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_stands_still_or_was_off_is_no_count() {
        assert_eq!(counted(Some(5), Some(12)), Ok(7));
        assert!(counted(Some(5), Some(5)).is_err());
        assert!(counted(None, Some(5)).is_err() && counted(Some(5), None).is_err());
    }

    #[test]
    fn the_count_is_callgrinds_own_last_word() {
        let table: [(&str, Option<u64>); 5] = [
            (
                "==7== Events    : Ir\n==7== Collected : 2631\n==7== \n",
                Some(2631),
            ),
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
