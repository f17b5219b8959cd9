//! What the programs do. They run as judged programs, and know nothing of the judge.

use std::fs;
use std::hint::black_box;
use std::io::{self, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use clap::ValueEnum;
use rustix::process::{Pid, Signal, kill_process};
use rustix::time::{ClockId, clock_gettime};

/// A program that is part of the binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BuiltInProgram {
    /// Prints the sum of the numbers on standard input.
    Sum,
    /// Ends abnormally.
    Abort,
    /// Loops for ever.
    Spin,
    /// Sleeps for a minute.
    Sleep,
    /// Prints for ever.
    Print,
    /// Uses so many milliseconds of CPU time by its own clock.
    Work,
    /// Writes to so many MiB of memory.
    Allocate,
    /// Starts so many processes that sleep, and prints how many were started.
    Multiply,
    /// Starts a process that sleeps, and ends before it.
    Linger,
    /// Prints the contents of a file.
    Read,
    /// Prints the names of its open files, without the standard streams.
    Inherit,
    /// Creates a file.
    Write,
    /// Connects to a port of this machine.
    Connect,
    /// Kills the process with a number.
    Kill,
}

/// Does what `program` does, and returns its exit code.
pub(crate) fn run_program(program: BuiltInProgram, argument: &str) -> ExitCode {
    match act(program, argument) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn act(program: BuiltInProgram, argument: &str) -> io::Result<()> {
    match program {
        BuiltInProgram::Sum => sum(),
        BuiltInProgram::Abort => std::process::abort(),
        BuiltInProgram::Spin => {
            work(u64::MAX);
            Ok(())
        }
        BuiltInProgram::Sleep => {
            thread::sleep(Duration::from_secs(60));
            Ok(())
        }
        BuiltInProgram::Print => print(),
        BuiltInProgram::Work => {
            work(number(argument)?);
            Ok(())
        }
        BuiltInProgram::Allocate => {
            let bytes = usize::try_from(number(argument)? << 20).map_err(io::Error::other)?;
            black_box(vec![1_u8; bytes]);
            Ok(())
        }
        BuiltInProgram::Multiply => multiply(number(argument)?),
        BuiltInProgram::Linger => sleeper(argument)?.spawn().map(drop),
        BuiltInProgram::Read => io::stdout().write_all(&fs::read(argument)?),
        BuiltInProgram::Inherit => inherit(),
        BuiltInProgram::Write => fs::write(argument, "written by a judged program\n"),
        BuiltInProgram::Connect => TcpStream::connect(argument).map(drop),
        BuiltInProgram::Kill => {
            let pid = i32::try_from(number(argument)?).ok().and_then(Pid::from_raw);
            let pid = pid.ok_or(io::ErrorKind::InvalidInput)?;
            Ok(kill_process(pid, Signal::KILL)?)
        }
    }
}

fn number(argument: &str) -> io::Result<u64> {
    argument.parse().map_err(io::Error::other)
}

fn sum() -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let numbers: Result<Vec<i64>, _> = text.split_whitespace().map(str::parse::<i64>).collect();
    let sum: i64 = numbers.map_err(io::Error::other)?.iter().sum();
    writeln!(io::stdout(), "{sum}")
}

fn work(milliseconds: u64) {
    let used = || {
        let now = clock_gettime(ClockId::ProcessCPUTime);
        let seconds = u64::try_from(now.tv_sec).unwrap_or_default();
        seconds * 1000 + u64::try_from(now.tv_nsec).unwrap_or_default() / 1_000_000
    };
    // What the process used before it became this program does not count, and takes long on an emulated machine.
    let before = used();
    while used() - before < milliseconds {
        black_box((0..10_000_u64).sum::<u64>());
    }
}

fn print() -> io::Result<()> {
    let line = [b'x'; 1 << 13];
    let mut out = io::stdout();
    loop {
        out.write_all(&line)?;
    }
}

/// A process that sleeps. Its arguments hold `mark`, by which it is found.
fn sleeper(mark: &str) -> io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args(["self-test", "--program", "sleep", mark])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    Ok(command)
}

fn multiply(most: u64) -> io::Result<()> {
    let mut started = Vec::new();
    for _ in 0..most {
        match sleeper("")?.spawn() {
            Ok(child) => started.push(child),
            Err(_) => break,
        }
    }
    writeln!(io::stdout(), "{}", started.len())?;
    for mut child in started {
        let _ = child.kill();
        let _ = child.wait();
    }
    Ok(())
}

fn inherit() -> io::Result<()> {
    for entry in fs::read_dir("/proc/self/fd")? {
        let entry = entry?;
        let is_standard = matches!(entry.file_name().to_str(), Some("0" | "1" | "2"));
        if !is_standard && let Ok(file) = fs::read_link(entry.path()) {
            writeln!(io::stdout(), "{}", file.display())?;
        }
    }
    Ok(())
}
