//! `rejudge serve`: judges requests of programs over HTTP.

use std::path::Path;
use std::sync::mpsc::{SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result};
use rejudge_http::{HttpAddress, HttpError, HttpLine, HttpSettings, LineReply, LineService};
use serde_json::json;

use super::exit::CommandExit;
use super::serve_args::ServeArgs;
use super::session::Session;
use super::stream;
use crate::batch::{
    BatchAnswer, BatchFigures, BatchLine, BatchPool, BatchReply, FaultOf, QueuedRequest,
    RunCodeRequest,
};
use crate::notice::Code;

/// The shortest token that is taken, in characters.
const SHORTEST_TOKEN: usize = 16;

/// The number of requests of a connection without an answer, for each worker.
const WAITING: usize = 8;

/// Judges what clients send, until a signal.
pub(super) fn serve(args: &ServeArgs) -> Result<CommandExit> {
    let token = args.token.as_deref().map(read_token).transpose()?;
    if args.unix.is_none() && !args.address.ip().is_loopback() && token.is_none() {
        return Err(Code::InvalidOption
            .says(format!(
                "others can reach {}, and would be answered without a token",
                args.address
            ))
            .help("name a file with a token that clients send: `--token FILE`")
            .into());
    }
    let longest = usize::try_from(args.pool.longest()).unwrap_or(usize::MAX);
    args.pool.with_pool(|pool, session| {
        let waiting = args.waiting.map_or(pool.jobs() * WAITING, std::num::NonZero::get);
        let address = match &args.unix {
            Some(path) => HttpAddress::Unix(path.clone()),
            None => HttpAddress::Tcp(args.address),
        };
        let connections = args.connections.get();
        let settings = HttpSettings { address, token, longest, waiting, connections };
        answer_all(settings, pool, session)
    })
}

fn answer_all(
    settings: HttpSettings,
    pool: &BatchPool<'_>,
    session: &Session,
) -> Result<CommandExit> {
    let (queue, receiver) = sync_channel(pool.jobs());
    let figures = Arc::clone(&pool.figures);
    let service = Arc::new(BatchService { queue, figures, jobs: pool.jobs() });
    let interrupt = session.interrupt().clone();
    let served = std::thread::scope(|scope| {
        scope.spawn(|| pool.work(receiver));
        let opened = |address: &str| {
            stream::note(format_args!("listening on {address}; press Ctrl-C to stop"));
        };
        let served = rejudge_http::serve(settings, service, opened, move || interrupt.is_set());
        pool.stop();
        served
    });
    served.map_err(|error| match error {
        HttpError::Listen { .. } => {
            let notice = Code::PortInUse.says(error.to_string());
            notice.help("name another address: `--address 127.0.0.1:0` takes any free port").into()
        }
        _ => anyhow::Error::from(error),
    })?;
    stream::note(pool.figures.numbers());
    // A signal is how it is asked to end.
    Ok(CommandExit::Expected)
}

fn read_token(path: &Path) -> Result<String> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the token in `{}`", path.display()))?;
    let token = text.trim();
    let is_plain = token.bytes().all(|byte| byte.is_ascii_graphic());
    if token.len() < SHORTEST_TOKEN || !is_plain {
        return Err(Code::InvalidValue
            .says(format!("`{}` has no token", path.display()))
            .help("write at least 16 letters and digits into it, such as the output of `openssl rand -hex 32`")
            .into());
    }
    Ok(token.to_owned())
}

/// Hands lines to the workers.
struct BatchService {
    queue: SyncSender<QueuedRequest>,
    figures: Arc<BatchFigures>,
    jobs: usize,
}

impl BatchService {
    fn submit(&self, line: BatchLine, reply: BatchReply) {
        if let Err(refused) = self.queue.send(QueuedRequest { line, reply }) {
            let why = "the server was stopped";
            (refused.0.reply)(&BatchAnswer::not_judged(None, FaultOf::Interrupt, why));
        }
    }
}

impl LineService for BatchService {
    fn take(&self, line: HttpLine, reply: LineReply) {
        let HttpLine { number, text } = line;
        let reply = Mutex::new(Some(reply));
        let once = move |answer: &BatchAnswer| {
            let reply = reply.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(reply) = reply {
                reply(answer.line());
            }
        };
        self.submit(BatchLine { number, text }, Arc::new(once));
    }

    fn run_code(&self, text: Vec<u8>) -> (u16, String) {
        let request = match RunCodeRequest::read(&text) {
            Ok(request) => request,
            Err(error) => return RunCodeRequest::refusal(&error.to_string()),
        };
        let line = BatchLine { number: 1, text: Ok(request.line()) };
        let (sender, receiver) = channel();
        let reply = move |answer: &BatchAnswer| {
            // Nobody waits for it after the server was stopped.
            let _ = sender.send(request.answer(answer));
        };
        self.submit(line, Arc::new(reply));
        receiver.recv().unwrap_or_else(|_| (503, String::new()))
    }

    fn health(&self) -> String {
        json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION"), "workers": self.jobs })
            .to_string()
    }

    fn metrics(&self) -> String {
        let numbers = self.figures.numbers();
        format!(
            "# HELP rejudge_requests_total Requests that were answered.\n\
             # TYPE rejudge_requests_total counter\n\
             rejudge_requests_total{{result=\"judged\"}} {}\n\
             rejudge_requests_total{{result=\"same\"}} {}\n\
             rejudge_requests_total{{result=\"not_judged\"}} {}\n\
             # HELP rejudge_preloaded_cases_total Cases that began in a copy of an interpreter.\n\
             # TYPE rejudge_preloaded_cases_total counter\n\
             rejudge_preloaded_cases_total {}\n\
             # HELP rejudge_workers Workers.\n\
             # TYPE rejudge_workers gauge\n\
             rejudge_workers {}\n",
            numbers.judged, numbers.same, numbers.not_judged, numbers.preloaded, self.jobs
        )
    }
}
