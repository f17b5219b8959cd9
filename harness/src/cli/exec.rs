//! `rejudge exec`: compiles a solution and runs it once, under the limits, with the user's input.

use std::fs::File;
use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use clap::Args;

use super::exit::Exit;
use super::limits::LimitArgs;
use super::project::{self, BuildArgs};
use super::session::Session;
use super::stream;
use crate::compile::{Artifact, Built, CompileFailure};
use crate::config::Repository;
use crate::language::Languages;
use crate::limits::{LimitOverrides, settle};
use crate::problem::ProblemLimits;
use crate::sandbox::{self, Execution, Input, LimitKind, Limits, WorkDir};

/// Compile a solution and run it once, with standard input as its input
#[derive(Debug, Args)]
pub(crate) struct ExecArgs {
    /// The solution's source file
    #[arg(value_name = "SOLUTION")]
    solution: PathBuf,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    build: BuildArgs,
}

/// Whoever types an input is not hurried by the wall limit.
const TYPING: Duration = Duration::from_secs(24 * 60 * 60);

/// Runs it: its output goes to standard output as it is, and what it used to standard error.
pub(crate) fn exec(args: &ExecArgs) -> Result<Exit> {
    let session = Session::start()?;
    let current = std::env::current_dir().context("cannot tell the current folder")?;
    let repository = Repository::around(&current, std::slice::from_ref(&args.solution))?;
    let languages = match &repository {
        Some(repository) => Languages::load(&repository.config.languages)?,
        None => Languages::load(&std::collections::BTreeMap::new())?,
    };
    let language = languages.of_file(&args.solution).ok_or_else(|| {
        anyhow!(
            "`{}` is in no language of the table\nhelp: `rejudge languages` prints their extensions",
            args.solution.display()
        )
    })?;
    let compiler = project::compiler(repository.as_ref(), &args.build)?;
    let mut runner = session.runner()?;
    let mut run = |job: &sandbox::Job, input| runner.run(job, input);
    let problem = ProblemLimits::default();
    let built = compiler.compile(&args.solution, language, &problem, &mut run);
    if let Some(exit) = session.signalled() {
        return Ok(exit);
    }
    let artifact = match built? {
        Built::Ready(artifact) => artifact,
        Built::Failed(failure) => return Ok(not_compiled(args, &failure)),
    };
    let execution = once(&artifact, &limits_of(&args.limits), &mut run);
    if let Some(exit) = session.signalled() {
        return Ok(exit);
    }
    show(&execution?)
}

fn limits_of(args: &LimitArgs) -> Limits {
    let mut over = LimitOverrides::from(args);
    if io::stdin().is_terminal() {
        over.wall_time.get_or_insert(TYPING);
    }
    settle(&ProblemLimits::default(), false, &over)
}

fn not_compiled(args: &ExecArgs, failure: &CompileFailure) -> Exit {
    stream::report_error(&anyhow!(
        "`{}` does not compile: {}",
        args.solution.display(),
        failure.reason
    ));
    if !failure.message.is_empty() {
        anstream::eprintln!("{}", failure.message);
    }
    Exit::Fault
}

fn once(
    artifact: &Artifact,
    limits: &Limits,
    run: &mut crate::compile::Run<'_>,
) -> Result<Execution> {
    let job = artifact.job(limits, &[], WorkDir::Fresh);
    let input = standard_input().context("cannot pass standard input on")?;
    Ok(run(&job, input)?)
}

#[cfg(unix)]
fn standard_input() -> io::Result<Input> {
    use std::os::fd::AsFd as _;
    let owned = io::stdin().as_fd().try_clone_to_owned()?;
    Ok(Input::File(File::from(owned)))
}

#[cfg(windows)]
fn standard_input() -> io::Result<Input> {
    use std::os::windows::io::AsHandle as _;
    let owned = io::stdin().as_handle().try_clone_to_owned()?;
    Ok(Input::File(File::from(owned)))
}

/// Shows what the program wrote and used; whether it ended well is the exit status.
fn show(execution: &Execution) -> Result<Exit> {
    let mut reader = execution
        .stdout
        .reader()
        .context("cannot read the output")?;
    // Not through `stream`: a program's bytes are shown as they are.
    let copied = io::copy(&mut reader, &mut io::stdout().lock());
    let copied = copied.and_then(|_| io::stdout().flush());
    match copied {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            return Err(error).context("cannot write to standard output");
        }
        _ => {}
    }
    let mut stderr = io::stderr().lock();
    stderr.write_all(&execution.stderr_tail)?;
    if !matches!(execution.stderr_tail.last(), None | Some(b'\n')) {
        writeln!(stderr)?;
    }
    let usage = &execution.usage;
    writeln!(
        stderr,
        "{}, cpu {:.3} s, wall {:.3} s, memory {}",
        ending(execution.exit),
        usage.cpu().as_secs_f64(),
        usage.wall.as_secs_f64(),
        usage.peak_memory
    )?;
    Ok(match execution.exit {
        sandbox::Exit::Code(0) => Exit::Expected,
        _ => Exit::Unexpected,
    })
}

fn ending(exit: sandbox::Exit) -> String {
    match exit {
        sandbox::Exit::Code(code) => format!("exit code {code}"),
        sandbox::Exit::Signal(signal) => format!("ended by signal {signal}"),
        sandbox::Exit::Killed(LimitKind::Cpu) => "over the cpu time limit".to_owned(),
        sandbox::Exit::Killed(LimitKind::Wall) => "over the wall time limit".to_owned(),
        sandbox::Exit::Killed(LimitKind::Memory) => "over the memory limit".to_owned(),
        sandbox::Exit::Killed(LimitKind::Output) => "over the output limit".to_owned(),
        sandbox::Exit::Killed(LimitKind::Processes) => "over the limit of processes".to_owned(),
    }
}
