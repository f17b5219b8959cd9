//! `rejudge batch`: judges requests of programs.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write as _};
use std::path::PathBuf;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::Args;

use super::exit::CommandExit;
use super::farm;
use super::nats_args::BatchOnWorkersArgs;
use super::pool_args::PoolArgs;
use super::session::Session;
use super::stream;
use crate::batch::{BatchPool, BatchReply, QueuedRequest, RequestNumbers, read_lines};
use crate::notice::Code;

/// Judge requests of programs: JSON lines in, JSON lines out
///
/// A request is a JSON object on one line, with `language`, `source` and `cases`; the answer is one too, with the same `id`.
/// Answers come as soon as they are there, in any order. The guide has a page about this: "Judge generated programs".
#[derive(Debug, Args)]
pub(crate) struct BatchArgs {
    /// Files with requests [default: standard input]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    pool: PoolArgs,
    #[command(flatten)]
    nats: BatchOnWorkersArgs,
}

/// How often the batch looks whether somebody still reads.
const LOOK: Duration = Duration::from_millis(20);

/// Answers every request.
pub(crate) fn batch(args: &BatchArgs) -> Result<CommandExit> {
    let inputs = args.open()?;
    let longest = args.pool.longest();
    let Some(url) = args.nats.nats.as_deref() else {
        let missing = |numbers| args.pool.missing_copies(numbers);
        return args
            .pool
            .with_pool(|pool, session| judge_all(inputs, longest, pool, session, missing));
    };
    let session = Session::start(args.pool.sandbox())?;
    let (server, options) = ((url, args.pool.jobs()), args.pool.decisive_options());
    farm::with_batch(&args.nats, server, options, &session, |judge| {
        judge_all(inputs, longest, &args.pool.pool(judge), &session, |_| None)
    })?
}

fn judge_all(
    inputs: Vec<Box<dyn BufRead + Send>>,
    longest: u64,
    pool: &BatchPool<'_>,
    session: &Session,
    missing_copies: impl Fn(RequestNumbers) -> Option<&'static str>,
) -> Result<CommandExit> {
    let (sender, receiver) = sync_channel(pool.jobs() * 2);
    let out = Arc::new(AnswerStream::default());
    let reply: BatchReply = {
        let out = Arc::clone(&out);
        Arc::new(move |answer| out.write(&answer.line()))
    };
    // The reader may wait for input for ever, so nobody waits for it.
    let fault = Arc::new(Mutex::new(None));
    let of_reader = Arc::clone(&fault);
    std::thread::spawn(move || {
        if let Err(error) = read_all(inputs, longest, &sender, &reply) {
            *of_reader.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        }
    });
    std::thread::scope(|scope| {
        let work = scope.spawn(|| pool.work(receiver));
        while !work.is_finished() {
            if out.is_broken() {
                pool.stop();
            }
            std::thread::park_timeout(LOOK);
        }
    });
    let numbers = pool.figures.numbers();
    stream::note(numbers);
    if let Some(missing) = missing_copies(numbers) {
        stream::warn(missing);
    }
    if let Some(exit) = session.signalled() {
        return Ok(exit);
    }
    if let Some(error) = out.take_fault() {
        return Err(error).context("cannot write to standard output");
    }
    let fault = fault.lock().unwrap_or_else(PoisonError::into_inner).take();
    match fault {
        Some(error) => Err(error).context("cannot read the requests"),
        None if numbers.not_judged > 0 => Ok(CommandExit::Fault),
        None => Ok(CommandExit::Expected),
    }
}

impl BatchArgs {
    /// How requests are judged.
    #[cfg(feature = "nats")]
    pub(super) fn pool(&self) -> &PoolArgs {
        &self.pool
    }

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
    sender: &SyncSender<QueuedRequest>,
    reply: &BatchReply,
) -> io::Result<()> {
    for mut input in inputs {
        read_lines(&mut input, most, &mut |line| {
            sender.send(QueuedRequest { line, reply: Arc::clone(reply) }).is_ok()
        })?;
    }
    Ok(())
}

/// Standard output, until it fails.
#[derive(Default)]
struct AnswerStream {
    fault: Mutex<Option<io::Error>>,
}

impl AnswerStream {
    /// Writes an answer, unless nobody reads any more.
    fn write(&self, line: &str) {
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        if fault.is_none() {
            let mut out = io::stdout().lock();
            *fault = out.write_all(line.as_bytes()).and_then(|()| out.flush()).err();
        }
    }

    /// Whether nobody reads any more.
    fn is_broken(&self) -> bool {
        // A writer that waits for its reader holds the lock.
        self.fault.try_lock().is_ok_and(|fault| fault.is_some())
    }

    /// The fault, unless the reader went away.
    fn take_fault(&self) -> Option<io::Error> {
        let fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner).take();
        fault.filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
    }
}
