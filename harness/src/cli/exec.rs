//! `rejudge exec`: compiles a solution and runs it once, under the limits, with the user's input.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, IsTerminal as _, PipeWriter, Read, Write};
use std::os::fd::AsFd as _;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use clap::Args;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use super::exit::Exit;
use super::limits::LimitArgs;
use super::project::{BuildArgs, Project};
use super::sandbox::SandboxArgs;
use super::session::Session;
use super::stream;
use super::time_limits::is_inferred;
use crate::checker::printable::{self, Piece};
use crate::compile::{Artifact, Built, CompileFailure, Terms};
use crate::limits::{LimitOverrides, default_output, settle};
use crate::problem::Problem;
use crate::sandbox::{self, Execution, Input, LimitKind, Limits, WorkDir};

/// Compile a solution and run it once on standard input
#[derive(Debug, Args)]
pub(crate) struct ExecArgs {
    /// Source file of the solution
    #[arg(value_name = "SOLUTION")]
    solution: PathBuf,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    build: BuildArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

/// Whoever types an input is not hurried by the wall limit.
const TYPING: Duration = Duration::from_secs(24 * 60 * 60);

/// Runs it: its output goes to standard output as it is, and what it used to standard error.
pub(crate) fn exec(args: &ExecArgs) -> Result<Exit> {
    let session = Session::start(args.sandbox)?;
    if let Err(error) = File::open(&args.solution) {
        return Err(error).with_context(|| format!("cannot read `{}`", args.solution.display()));
    }
    let project = Project::open(std::slice::from_ref(&args.solution), None, &args.build)?;
    session.accept(&project.languages)?;
    let language = project.languages.of_file(&args.solution).ok_or_else(|| {
        anyhow!(
            "`{}` is in no language of the table\nhelp: `rejudge languages` prints their extensions",
            args.solution.display()
        )
    })?;
    let problem = problem_of(&project);
    let of_problem = problem.map(|problem| problem.limits).unwrap_or_default();
    let terms = problem.map_or_else(|| Terms::from(&of_problem), Terms::of_submission);
    let mut runner = session.runner()?;
    let mut run = |job: &sandbox::Job, input| runner.run(job, input);
    let built = project
        .compiler
        .compile(&args.solution, language, terms, &mut run);
    if let Some(exit) = session.signalled() {
        return Ok(exit);
    }
    let artifact = match built? {
        Built::Ready(artifact) => artifact,
        Built::Failed(failure) => return Ok(not_compiled(args, &failure)),
    };
    let mut over = LimitOverrides::from(&args.limits).for_language(language.time_factor);
    if io::stdin().is_terminal() {
        over.wall_time.get_or_insert(TYPING);
    }
    if over.cpu_time.is_none() && problem.is_some_and(is_inferred) {
        stream::note(
            "the time limit is inferred when the problem is judged; this run has the default one",
        );
    }
    let limits = settle(&of_problem, default_output(problem), &over);
    let execution = once(&artifact, &limits, &mut run);
    if let Some(exit) = session.signalled() {
        return Ok(exit);
    }
    show(&execution?)
}

/// The limits of the problem that the solution solves, and whether that is a package. A solution of
/// no problem, or of a broken one, is run under the defaults: here nothing is judged.
fn problem_of(project: &Project) -> Option<&Problem> {
    let submission = project.found.submissions.first()?;
    let mut problems = project.found.problems.iter();
    problems.find(|problem| problem.id == submission.problem)
}

fn not_compiled(args: &ExecArgs, failure: &CompileFailure) -> Exit {
    stream::report_error(&anyhow!(
        "`{}` does not compile: {}",
        args.solution.display(),
        failure.reason
    ));
    if !failure.message.is_empty() {
        stream::tell(&failure.message);
    }
    Exit::Unexpected
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

/// A file is copied. All else comes through a pipe of ours: whoever holds a terminal changes its settings and its size
/// for good, and even the status flags of a pipe are those of all who have it.
fn standard_input() -> io::Result<Input> {
    let ours = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    if ours.metadata()?.is_file() {
        return Ok(Input::File(ours));
    }
    let (reader, writer) = io::pipe()?;
    // It ends with the input, with the program, or with us.
    std::thread::spawn(move || pass_on(&ours, &writer));
    Ok(Input::Pipe(reader.into()))
}

/// Passes on what comes, as soon as it comes, until there is no more or nobody reads it: what is typed afterwards is for
/// somebody else.
fn pass_on(mut from: &File, mut to: &PipeWriter) {
    let mut buffer = vec![0; 64 << 10];
    loop {
        let mut fds = [
            PollFd::new(&from, PollFlags::IN),
            PollFd::new(&to, PollFlags::empty()),
        ];
        match poll(&mut fds, None) {
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(_) => return,
        }
        let [has_more, nobody_reads] = fds.map(|fd| !fd.revents().is_empty());
        if nobody_reads {
            return;
        }
        if !has_more {
            continue;
        }
        let length = match from.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => length,
            Err(error) => match error.kind() {
                io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock => continue,
                _ => return,
            },
        };
        if to.write_all(&buffer[..length]).is_err() {
            return;
        }
    }
}

/// Shows what the program wrote and used; whether it ended well is the exit status.
fn show(execution: &Execution) -> Result<Exit> {
    let mut reader = execution
        .stdout
        .reader()
        .context("cannot read the output")?;
    let mut out = io::stdout().lock();
    let copied = if out.is_terminal() {
        copy_visible(&mut reader, &mut out)
    } else {
        io::copy(&mut reader, &mut out).map(drop)
    };
    let copied = copied.and_then(|()| out.flush());
    match copied {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            return Err(error).context("cannot write to standard output");
        }
        _ => {}
    }
    let said = printable::paragraph(&execution.stderr_tail, usize::MAX);
    if !said.is_empty() {
        stream::tell(said);
    }
    let usage = &execution.usage;
    stream::tell(format_args!(
        "{}, cpu {:.3} s, wall {:.3} s, memory {}",
        ending(execution.exit),
        usage.cpu().as_secs_f64(),
        usage.wall.as_secs_f64(),
        usage.peak_memory
    ));
    Ok(match execution.exit {
        sandbox::Exit::Code(0) => Exit::Expected,
        _ => Exit::Unexpected,
    })
}

/// Copies line by line, with control characters as escapes: a terminal is not to be steered.
fn copy_visible(from: &mut impl Read, to: &mut impl Write) -> io::Result<()> {
    let mut from = BufReader::new(from);
    let mut line = Vec::new();
    // A line without end is shown in pieces.
    while (&mut from).take(64 << 10).read_until(b'\n', &mut line)? > 0 {
        let ended = line.last() == Some(&b'\n');
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        let mut shown = String::new();
        printable::pieces(text).for_each(|piece| match piece {
            Piece::Escaped('\t') => shown.push('\t'),
            piece => piece.push_to(&mut shown),
        });
        to.write_all(shown.as_bytes())?;
        if ended {
            to.write_all(b"\n")?;
        }
        line.clear();
    }
    Ok(())
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
        sandbox::Exit::Killed(LimitKind::Files) => "over the limit of files".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_prints_never_steers_the_terminal() {
        let mut shown = Vec::new();
        copy_visible(&mut &b"a\tb\n\x1b[2J\xff\nend"[..], &mut shown).unwrap();
        assert_eq!(
            String::from_utf8(shown).unwrap(),
            "a\tb\n\\x1b[2J\\xff\nend"
        );
    }
}
