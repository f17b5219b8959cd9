//! `rejudge batch`: judges requests of programs.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write as _};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{SyncSender, sync_channel};

use anyhow::{Context as _, Result};
use clap::Args;
use rejudge_quantity::{self as quantity, Bytes};

use super::build_args::{self, BuildArgs};
use super::exit::CommandExit;
use super::limits::LimitArgs;
use super::project::default_jobs;
use super::sandbox::SandboxArgs;
use super::session::Session;
use super::stream;
use crate::batch::{BatchLine, BatchPool, BatchTools, read_lines};
use crate::config::Repository;
use crate::judge::{Options, Tools};
use crate::limits::LimitOverrides;
use crate::notice::Code;
use crate::problem::ProblemLimits;
use crate::show::words::Count;

/// Judge requests of programs: JSON lines in, JSON lines out
///
/// A request is a JSON object on one line, with `language`, `source` and `cases`; the answer is one too, with the same `id`.
/// Answers come as soon as they are there, in any order. The guide has a page about this: "Judge generated programs".
#[derive(Debug, Args)]
pub(crate) struct BatchArgs {
    /// Files with requests [default: standard input]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Number of workers [default: one less than the cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Judge equal requests once, if not more than N others are between them; 0 judges all
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    window: usize,
    /// The largest request, in MiB or with a unit
    #[arg(long, value_name = "MIB", value_parser = quantity::size, default_value = "256")]
    max_request: Bytes,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    build: BuildArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

/// Answers every request.
pub(crate) fn batch(args: &BatchArgs) -> Result<CommandExit> {
    let inputs = args.open()?;
    let session = Session::start(args.sandbox)?;
    let current = std::env::current_dir().context("cannot determine the current folder")?;
    let repository = Repository::around(&current, &[])?;
    let languages = build_args::languages(repository.as_ref())?;
    session.accept(&languages)?;
    let compiler = args.build.compiler(repository.as_ref())?;
    let over = LimitOverrides::from(&args.limits);
    let mut options = Options::new(session.runners().clone());
    options.jobs = args.jobs.map_or_else(default_jobs, NonZeroUsize::get);
    options.limits.time_factor = over.time_factor;
    let tools = BatchTools {
        tools: Tools { compiler: &compiler, languages: &languages },
        repository: repository.as_ref(),
        limits: ProblemLimits {
            cpu_time: over.cpu_time,
            wall_time: over.wall_time,
            memory: over.memory,
            output: over.output,
            ..ProblemLimits::default()
        },
        options,
    };
    let pool = BatchPool::new(&tools, args.window, args.max_request.get());
    let (sender, receiver) = sync_channel(tools.options.jobs * 2);
    let most = args.max_request.get();
    // It may wait for input for ever, so nobody waits for it.
    let fault = std::sync::Arc::new(Mutex::new(None));
    let of_reader = std::sync::Arc::clone(&fault);
    std::thread::spawn(move || {
        if let Err(error) = read_all(inputs, most, &sender) {
            *of_reader.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(error);
        }
    });
    let out = AnswerStream::default();
    pool.work(receiver, &|answer| out.write(&answer.line()));
    let (judged, same, not_judged) = pool.figures.numbers();
    stream::note(format_args!(
        "{}: {judged} judged, {same} equal to one of them, {not_judged} not judged",
        Count(usize::try_from(judged + same + not_judged).unwrap_or(usize::MAX), "request")
    ));
    if let Some(exit) = session.signalled() {
        return Ok(exit);
    }
    if let Some(error) = out.into_fault() {
        return Err(error).context("cannot write to standard output");
    }
    let fault = fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
    match fault {
        Some(error) => Err(error).context("cannot read the requests"),
        None if not_judged > 0 => Ok(CommandExit::Fault),
        None => Ok(CommandExit::Expected),
    }
}

impl BatchArgs {
    /// The inputs, opened before anything else is started.
    fn open(&self) -> Result<Vec<Box<dyn BufRead + Send>>> {
        if self.files.is_empty() {
            return Ok(vec![Box::new(BufReader::new(io::stdin()))]);
        }
        let open = |path: &PathBuf| -> Result<Box<dyn BufRead + Send>> {
            if path.as_os_str() == "-" {
                return Ok(Box::new(BufReader::new(io::stdin())));
            }
            let file = File::open(path);
            let file = file.with_context(|| {
                Code::UnknownPath.says(format!("cannot read the requests in `{}`", path.display()))
            })?;
            Ok(Box::new(BufReader::new(file)))
        };
        self.files.iter().map(open).collect()
    }
}

/// Hands on all lines until nobody takes them.
fn read_all(
    inputs: Vec<Box<dyn BufRead + Send>>,
    most: u64,
    sender: &SyncSender<BatchLine>,
) -> io::Result<()> {
    for mut input in inputs {
        read_lines(&mut input, most, &mut |line| sender.send(line).is_ok())?;
    }
    Ok(())
}

/// Where answers go.
#[derive(Default)]
struct AnswerStream {
    fault: Mutex<Option<io::Error>>,
}

impl AnswerStream {
    /// Writes an answer. `false`: nobody reads any more.
    fn write(&self, line: &str) -> bool {
        let mut out = io::stdout().lock();
        match out.write_all(line.as_bytes()).and_then(|()| out.flush()) {
            Ok(()) => true,
            Err(error) => {
                drop(out);
                let mut fault =
                    self.fault.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                fault.get_or_insert(error);
                false
            }
        }
    }

    /// The fault of the stream, unless its reader went away.
    fn into_fault(self) -> Option<io::Error> {
        let fault = self.fault.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        fault.filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
    }
}
