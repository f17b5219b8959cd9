//! What must become of each program, seen from outside.

use std::fs::{self, File};
use std::io;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use clap::ValueEnum as _;
use rejudge_quantity::Bytes;

use super::BuiltInProgram;
use crate::sandbox::{
    Execution, Exit, Input, Job, LimitKind, Limits, ProcessFolder, Runner, SandboxError,
};

/// A promise of the sandbox, and the program that tries to break it.
pub(crate) struct SelfCheck {
    /// Its name in JSON.
    pub(crate) id: &'static str,
    /// What holds for every judged program.
    pub(crate) promise: &'static str,
    /// Runs the program. The inner value says how the promise was broken.
    pub(crate) run: fn(&mut TestBench) -> Result<Option<String>, SelfCheckError>,
}

/// Why a check could not be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SelfCheckError {
    /// The program could not be started.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// Something that the check needs could not be set up.
    #[error("cannot set up the check")]
    Io(#[from] io::Error),
}

/// Where the programs run, and what they attack.
pub(crate) struct TestBench {
    runner: Runner,
    /// The binary, which holds the programs.
    executable: PathBuf,
    /// A folder that everybody may write to, but no judged program.
    folder: ProcessFolder,
}

/// The checks, harmless programs first.
pub(crate) const CHECKS: [SelfCheck; 14] = [
    SelfCheck {
        id: "output",
        promise: "a program reads its input, and its output is kept",
        run: output,
    },
    SelfCheck { id: "crash", promise: "a crash is not taken for success", run: crash },
    SelfCheck { id: "cpu-time", promise: "CPU time is measured", run: cpu_time },
    SelfCheck { id: "memory", promise: "peak memory is measured", run: memory },
    SelfCheck {
        id: "cpu-limit",
        promise: "an endless loop is ended at its CPU time limit",
        run: cpu_limit,
    },
    SelfCheck {
        id: "wall-limit",
        promise: "a program that sleeps is ended at its wall time limit",
        run: wall_limit,
    },
    SelfCheck {
        id: "memory-limit",
        promise: "a program gets no more memory than its limit",
        run: memory_limit,
    },
    SelfCheck {
        id: "output-limit",
        promise: "a program that prints without end is ended at its output limit",
        run: output_limit,
    },
    SelfCheck {
        id: "process-limit",
        promise: "a program starts no more processes than its limit",
        run: process_limit,
    },
    SelfCheck {
        id: "left-behind",
        promise: "no process of a program is left when it ends",
        run: left_behind,
    },
    SelfCheck {
        id: "read",
        promise: "a program cannot read the files of others, such as answers",
        run: read,
    },
    SelfCheck {
        id: "write",
        promise: "a program cannot write outside its working folder",
        run: write,
    },
    SelfCheck { id: "network", promise: "a program reaches no network", run: network },
    SelfCheck {
        id: "kill",
        promise: "a program cannot kill processes outside the sandbox",
        run: kill,
    },
];

/// What nobody may read.
const SECRET: &str = "the answer is 42";

/// Creates the secret in `folder`, and keeps it open as a careless parent would: programs that it starts inherit it.
pub(crate) fn open_secret(folder: &Path) -> io::Result<File> {
    let secret = folder.join("secret");
    fs::write(&secret, SECRET)?;
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o644))?;
    let file = File::open(secret)?;
    rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::empty())?;
    Ok(file)
}

impl TestBench {
    /// A bench whose programs `runner` starts. They attack `folder`.
    pub(crate) fn new(runner: Runner, folder: ProcessFolder) -> io::Result<Self> {
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777))?;
        Ok(Self { runner, executable: std::env::current_exe()?, folder })
    }

    /// Runs a program with an argument, under `limits`.
    fn run(
        &mut self,
        program: BuiltInProgram,
        argument: &str,
        limits: Limits,
    ) -> Result<Execution, SelfCheckError> {
        let name = program.to_possible_value().map(|value| value.get_name().to_owned());
        let name = name.unwrap_or_default();
        let executable = self.executable.clone().into_os_string();
        let mut argv = vec![executable, "self-test".into(), "--program".into()];
        argv.push(name.into());
        if !argument.is_empty() {
            argv.push(argument.into());
        }
        let mut job = Job::new(argv, limits);
        job.readable.push(self.executable.clone());
        Ok(self.runner.run(&job, Input::Bytes(b"2 3\n".to_vec()))?)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// Limits that no honest program of these reaches, also on a busy machine.
fn ample() -> Limits {
    Limits::new(Duration::from_secs(10), Bytes::mib(256))
}

/// `None` if the run ended as it must; otherwise how it ended.
fn ended(execution: &Execution, is_right: bool) -> Option<String> {
    (!is_right).then(|| {
        let said = String::from_utf8_lossy(&execution.stderr_tail);
        let said = said.lines().next().unwrap_or_default();
        let gap = if said.is_empty() { "" } else { ": " };
        format!("it {}{gap}{said}", words(execution.exit))
    })
}

/// How a program ended.
fn words(exit: Exit) -> String {
    match exit {
        Exit::Code(code) => format!("exited with code {code}"),
        Exit::Signal(signal) => format!("was killed by signal {signal}"),
        Exit::Killed(limit) => format!("was stopped at its {limit}"),
        Exit::Stopped => "was stopped".to_owned(),
    }
}

fn text(execution: &Execution) -> io::Result<String> {
    let mut text = Vec::new();
    io::copy(&mut execution.stdout.reader()?, &mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn output(bench: &mut TestBench) -> Result<Option<String>, SelfCheckError> {
    let ran = bench.run(BuiltInProgram::Sum, "", ample())?;
    let printed = text(&ran)?;
    if ran.exit == Exit::Code(0) && printed != "5\n" {
        return Ok(Some(format!("it printed {printed:?} instead of the sum 5")));
    }
    Ok(ended(&ran, ran.exit == Exit::Code(0)))
}

fn crash(bench: &mut TestBench) -> Result<Option<String>, SelfCheckError> {
    let ran = bench.run(BuiltInProgram::Abort, "", ample())?;
    Ok(ended(&ran, matches!(ran.exit, Exit::Signal(_))))
}

fn cpu_time(bench: &mut TestBench) -> Result<Option<String>, SelfCheckError> {
    let ran = bench.run(BuiltInProgram::Work, "100", ample())?;
    let measured = ran.usage.cpu();
    if ran.exit == Exit::Code(0) && measured < Duration::from_millis(95) {
        return Ok(Some(format!(
            "it used 100 ms by its own clock, but {measured:.1?} were measured"
        )));
    }
    Ok(ended(&ran, ran.exit == Exit::Code(0)))
}

fn memory(bench: &mut TestBench) -> Result<Option<String>, SelfCheckError> {
    let ran = bench.run(BuiltInProgram::Allocate, "64", ample())?;
    let measured = ran.usage.peak_memory;
    if ran.exit == Exit::Code(0) && measured < Bytes::mib(64) {
        return Ok(Some(format!("it used 64 MiB, but {measured} were measured")));
    }
    Ok(ended(&ran, ran.exit == Exit::Code(0)))
}

fn cpu_limit(bench: &mut TestBench) -> Result<Option<String>, SelfCheckError> {
    let limits = Limits {
        wall_time: Duration::from_secs(60),
        ..Limits::new(Duration::from_millis(300), Bytes::mib(256))
    };
    let ran = bench.run(BuiltInProgram::Spin, "", limits)?;
    Ok(ended(&ran, ran.exit == Exit::Killed(LimitKind::Cpu)))
}

fn wall_limit(bench: &mut TestBench) -> Result<Option<String>, SelfCheckError> {
    let limits = Limits { wall_time: Duration::from_millis(500), ..ample() };
    let ran = bench.run(BuiltInProgram::Sleep, "", limits)?;
    Ok(ended(&ran, ran.exit == Exit::Killed(LimitKind::Wall)))
}

fn memory_limit(bench: &mut TestBench) -> Result<Option<String>, SelfCheckError> {
    let limits = Limits::new(Duration::from_secs(10), Bytes::mib(64));
    let ran = bench.run(BuiltInProgram::Allocate, "256", limits)?;
    // Without a group, an allocation fails, and the program with it.
    let is_right = matches!(ran.exit, Exit::Killed(LimitKind::Memory) | Exit::Signal(_));
    Ok(ended(&ran, is_right))
}

fn output_limit(bench: &mut TestBench) -> Result<Option<String>, SelfCheckError> {
    let limits = Limits { output: Bytes::mib(1), ..ample() };
    let ran = bench.run(BuiltInProgram::Print, "", limits)?;
    Ok(ended(&ran, ran.exit == Exit::Killed(LimitKind::Output)))
}

fn process_limit(bench: &mut TestBench) -> Result<Option<String>, SelfCheckError> {
    const MOST: u32 = 16;
    // Without a control group the kernel limits the processes of a user, and some of these are ours.
    const OURS: u32 = 8;
    let limits =
        Limits { processes: MOST, ..Limits::new(Duration::from_secs(10), Bytes::mib(2048)) };
    let ran = bench.run(BuiltInProgram::Multiply, "48", limits)?;
    if ran.exit == Exit::Killed(LimitKind::Processes) {
        return Ok(None);
    }
    let started = text(&ran)?;
    match started.trim().parse::<u32>() {
        Ok(count) if count < MOST + OURS => Ok(None),
        Ok(count) => Ok(Some(format!("it started {count} processes"))),
        Err(_) => Ok(ended(&ran, false)),
    }
}

fn left_behind(bench: &mut TestBench) -> Result<Option<String>, SelfCheckError> {
    let mark = format!("left-by-{}", std::process::id());
    let ran = bench.run(BuiltInProgram::Linger, &mark, ample())?;
    if ran.exit != Exit::Code(0) {
        return Ok(ended(&ran, false));
    }
    let left = processes_with(&mark)?;
    for process in &left {
        let pid = i32::try_from(*process).ok().and_then(rustix::process::Pid::from_raw);
        if let Some(pid) = pid {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
        }
    }
    Ok(left.first().map(|_| "it left a process behind".to_owned()))
}

/// The processes of this machine that have `mark` among their arguments.
fn processes_with(mark: &str) -> io::Result<Vec<u32>> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc")? {
        let entry = entry?;
        let number: Option<u32> = entry.file_name().to_str().and_then(|name| name.parse().ok());
        // A process may end while the folder is read.
        let Ok(arguments) = fs::read(entry.path().join("cmdline")) else {
            continue;
        };
        let mut words = arguments.split(|byte| *byte == 0);
        if words.any(|word| word == mark.as_bytes()) {
            found.extend(number);
        }
    }
    Ok(found)
}

fn read(bench: &mut TestBench) -> Result<Option<String>, SelfCheckError> {
    let secret = bench.file("secret");
    let read = bench.run(BuiltInProgram::Read, &shown(&secret), ample())?;
    let inherited = bench.run(BuiltInProgram::Inherit, "", ample())?;
    Ok(if text(&read)?.contains(SECRET) {
        Some(format!("it read `{}`", secret.display()))
    } else if text(&inherited)?.lines().any(|file| file.ends_with("/secret")) {
        Some("it inherited a file that rejudge has open".to_owned())
    } else {
        ended(&inherited, inherited.exit == Exit::Code(0))
    })
}

fn write(bench: &mut TestBench) -> Result<Option<String>, SelfCheckError> {
    let target = bench.file("written");
    bench.run(BuiltInProgram::Write, &shown(&target), ample())?;
    let is_there = target.symlink_metadata().is_ok();
    Ok(is_there.then(|| format!("it created `{}`", target.display())))
}

fn network(bench: &mut TestBench) -> Result<Option<String>, SelfCheckError> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?.to_string();
    let ran = bench.run(BuiltInProgram::Connect, &address, ample())?;
    let is_connected = ran.exit == Exit::Code(0) || listener.accept().is_ok();
    Ok(is_connected.then(|| format!("it connected to {address}")))
}

fn kill(bench: &mut TestBench) -> Result<Option<String>, SelfCheckError> {
    let mut victim = Command::new(&bench.executable)
        .args(["self-test", "--program", "sleep"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let ran = bench.run(BuiltInProgram::Kill, &victim.id().to_string(), ample());
    let ended = victim.try_wait();
    let _ = victim.kill();
    let _ = victim.wait();
    // The killed process may take a while to end, but the program knows at once whether it could send the signal.
    let is_killed = ran?.exit == Exit::Code(0) || ended?.is_some();
    Ok(is_killed.then(|| "it killed a process outside".to_owned()))
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
