//! `rejudge exec`: compiles a solution and runs it once under the limits, with the user's input.

use std::fs::File;
use std::io::{self, IsTerminal as _, PipeWriter, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use signal_hook::consts::SIGINT;

use super::build_args::BuildArgs;
use super::exit::CommandExit;
use super::limits::LimitArgs;
use super::live_output::{LiveOutput, show_all};
use super::missing_path::unreadable_solution;
use super::named_solution::{NamedSolution, NotCompiled};
use super::opening::Opening;

use super::sandbox::SandboxArgs;
use super::session::Session;
use super::stream;
use crate::decide::signal_words;
use crate::judge::Solution;
use crate::limits::LimitOverrides;
use crate::notice::Code;
use crate::notice::few;
use crate::plain_file;
use crate::printable;
use crate::problem::{Problem, TestCase};
use crate::sandbox::{self, Execution, Input, Runner};
use crate::submission::FileNames;
use crate::time_limit::is_inferred;

/// Compile a solution and run it once on standard input
#[derive(Debug, Args)]
pub(crate) struct ExecArgs {
    /// Source file of the solution
    #[arg(value_name = "SOLUTION")]
    solution: PathBuf,
    /// File with the input [default: standard input]
    #[arg(value_name = "INPUT", conflicts_with = "case")]
    input: Option<PathBuf>,
    /// Run the solution on the input of this case of its problem
    #[arg(long, value_name = "CASE")]
    case: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    build: BuildArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

/// The wall time limit if the user types the input.
const TYPING: Duration = Duration::from_secs(24 * 60 * 60);

/// Runs the solution. Its output goes to standard output as soon as it is written; the resources that it used, to standard
/// error.
pub(crate) fn exec(args: &ExecArgs) -> Result<CommandExit> {
    let session = Session::start(args.sandbox)?;
    if let Err(error) = File::open(&args.solution) {
        return Err(unreadable_solution(&args.solution, error));
    }
    let project = Opening::of(std::slice::from_ref(&args.solution)).to_run(&args.build).open()?;
    session.accept(&project.languages)?;
    let problem = project.problem_of_solution();
    let case = args.case.as_deref().map(|name| case_called(problem, name)).transpose()?;
    let mut over = LimitOverrides::from(&args.limits);
    let has_limit = over.cpu_time.is_some();
    let is_typed = case.is_none() && args.input.is_none() && io::stdin().is_terminal();
    if is_typed {
        over.wall_time.get_or_insert(TYPING);
    }
    let mut runner = session.runner()?;
    runner.report_interrupted();
    let mut run = |job: &sandbox::Job, input| runner.run(job, input);
    let compiled =
        NamedSolution::compile(project.tools(), &args.solution, problem, &over, &mut run);
    if let Some(exit) = session.signalled() {
        return Ok(exit);
    }
    let solution = match compiled? {
        Ok(solution) => solution,
        Err(error) => return Ok(report(error)),
    };
    let message = &solution.artifact.message;
    if args.build.is_debug() && !message.plain.is_empty() {
        stream::eprint_line(message.colored.as_ref().unwrap_or(&message.plain));
    }
    if !has_limit && problem.is_some_and(is_inferred) {
        stream::note(
            "the problem has no time limit of its own: `rejudge run` infers it; this run uses the default",
        );
    }
    run_and_show(args, &session, &mut runner, solution.ready(), case)
}

/// Runs the compiled solution. Ctrl-C reaches the program first.
fn run_and_show(
    args: &ExecArgs,
    session: &Session,
    runner: &mut Runner,
    solution: Solution<'_>,
    case: Option<&TestCase>,
) -> Result<CommandExit> {
    let launch = match (case, &args.input) {
        (Some(case), _) => solution.launch(case, &case.input())?,
        (None, Some(input)) => solution.launch_on(&[], None, || File::open(input))?,
        (None, None) => {
            note_of_files(solution.files);
            solution.launch_without_input()?
        }
    };
    let input = if launch.reads_only_files() { Input::Empty } else { input(args, case)? };
    session.pass_ctrl_c_on(runner);
    let shown = if launch.has_output_files() {
        None
    } else {
        LiveOutput::start(runner).context("cannot write to standard output")?
    };
    let shown = shown.as_ref();
    let execution = launch.run(input, &mut |job: &sandbox::Job, input| runner.run(job, input));
    let got_ctrl_c = session.program_got_ctrl_c();
    if let Some(exit) = session.signalled() {
        // Without an execution, the program had not started.
        return execution.map_or(Ok(exit), |execution| show(&execution, shown, true).map(|_| exit));
    }
    let execution = execution?;
    // A program that does not handle Ctrl-C dies of it.
    if got_ctrl_c && execution.exit == sandbox::Exit::Signal(SIGINT) {
        return show(&execution, shown, true).map(|_| CommandExit::Interrupted(SIGINT));
    }
    show(&execution, shown, false)
}

/// Says that standard input is not where the solution reads its input.
fn note_of_files(files: &FileNames) {
    if let Some(name) = files.inputs.first().filter(|_| files.are_stated) {
        stream::note(format_args!(
            "solutions of this problem read the file `{name}`; give the input as a file: `rejudge exec SOLUTION INPUT`"
        ));
    }
}

fn report(error: NotCompiled) -> CommandExit {
    let NotCompiled { headline, failure } = error;
    stream::error(headline);
    if !failure.message.is_empty() {
        stream::eprint_line(failure.colored.as_ref().unwrap_or(&failure.message));
    }
    CommandExit::Unexpected
}

/// The case of the problem with this name, or with this last part of the name.
fn case_called<'a>(problem: Option<&'a Problem>, name: &str) -> Result<&'a TestCase> {
    let cases = || problem.iter().flat_map(|problem| &problem.cases);
    if let Some(case) = cases().find(|case| case.name() == name) {
        return Ok(case);
    }
    let last = |case: &TestCase| case.name().rsplit('/').next() == Some(name);
    let found: Vec<&TestCase> = cases().filter(|case| last(case)).collect();
    match found.as_slice() {
        [one] => Ok(one),
        [] => bail!(
            Code::UnknownPath
                .says(format!("no such case: `{name}`"))
                .help("`rejudge list -v` shows the cases")
        ),
        several => {
            let names: Vec<&str> = several.iter().map(|case| case.name()).collect();
            bail!(
                Code::UnknownPath
                    .says(format!("several cases are called `{name}`: {}", few(&names)))
                    .help("give the whole name")
            )
        }
    }
}

/// The input: that of the case, the file, or standard input.
fn input(args: &ExecArgs, case: Option<&TestCase>) -> Result<Input> {
    let path = case.map(TestCase::input).or_else(|| args.input.clone());
    let Some(path) = path else {
        return standard_input().context("cannot forward standard input");
    };
    let open = || {
        let file = File::open(&path)?;
        plain_file::require(&file.metadata()?)?;
        Ok(Input::File(file))
    };
    let opened: io::Result<Input> = open();
    opened.with_context(|| format!("cannot read `{}`", path.display()))
}

/// A regular file is copied. Everything else is forwarded through a pipe of ours: a program with access to the terminal
/// could permanently change its settings and size, and the status flags of a pipe are shared by all its users.
fn standard_input() -> io::Result<Input> {
    let stdin = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    if stdin.metadata()?.is_file() {
        return Ok(Input::File(stdin));
    }
    let (reader, writer) = io::pipe()?;
    // The thread ends with the input, the program, or this process.
    std::thread::spawn(move || forward(&stdin, &writer));
    Ok(Input::Pipe(reader.into()))
}

/// Forwards input as soon as it arrives, until it ends or the reader closes the pipe: later input is not for the
/// program.
fn forward(mut from: &File, mut to: &PipeWriter) {
    let mut buffer = vec![0; 64 << 10];
    loop {
        let mut fds = [PollFd::new(&from, PollFlags::IN), PollFd::new(&to, PollFlags::empty())];
        match poll(&mut fds, None) {
            Ok(_) => {}
            Err(Errno::INTR) => continue,
            Err(_) => return,
        }
        let [has_more, is_closed] = fds.map(|fd| !fd.revents().is_empty());
        if is_closed {
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

/// Shows the output of the program, as far as that was not shown, and the resources that it used. The exit status depends
/// on the end of the program.
fn show(
    execution: &Execution,
    shown: Option<&LiveOutput>,
    interrupted: bool,
) -> Result<CommandExit> {
    let copied = if let Some(shown) = shown {
        shown.end()
    } else {
        let mut reader = execution.stdout.reader().context("cannot read the output")?;
        show_all(&mut reader)
    };
    match copied {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            return Err(error).context("cannot write to standard output");
        }
        _ => {}
    }
    let stderr = printable::paragraph(&execution.stderr_tail, usize::MAX);
    if !stderr.is_empty() {
        stream::eprint_line(stderr);
    }
    let usage = &execution.usage;
    stream::eprint_line(format_args!(
        "{}, cpu {:.3} s, wall {:.3} s, memory {}",
        if interrupted { "interrupted".to_owned() } else { end_text(execution.exit) },
        usage.cpu().as_secs_f64(),
        usage.wall.as_secs_f64(),
        usage.peak_memory
    ));
    Ok(match execution.exit {
        sandbox::Exit::Code(0) => CommandExit::Expected,
        _ => CommandExit::Unexpected,
    })
}

fn end_text(exit: sandbox::Exit) -> String {
    match exit {
        sandbox::Exit::Code(code) => format!("exit code {code}"),
        sandbox::Exit::Signal(signal) => format!("killed by {}", signal_words(signal)),
        sandbox::Exit::Killed(limit) => format!("{limit} exceeded"),
        sandbox::Exit::Stopped => "stopped".to_owned(),
    }
}
