//! A request from its preparation to its answer.

use std::collections::HashSet;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use super::answer::{BatchAnswer, FaultOf};
use super::answering::{Answering, CollectedResults, no_program};
use super::case_files::CaseFolders;
use super::loaded::{LoadedProblems, ProblemLookup};
use super::outputs::KeptOutputs;
use super::pool::{AskedRequest, RequestJudge};
use super::prepared::{Preparation, Prepared, RequestRefusal};
use super::request::{BatchRequest, StopRule};
use crate::config::Repository;
use crate::event::{Event, Work};
use crate::fail_fast::FailFast;
use crate::judge::{Options, OutputKeeper, Peers, Tools, judge_part};
use crate::problem::{Problem, ProblemLimits};
use crate::sandbox::{Interrupt, SandboxError};
use crate::verdict::Verdict;

/// What judging needs, for all requests.
pub(crate) struct BatchTools<'a> {
    /// The compiler and the languages.
    pub(crate) tools: Tools<'a>,
    /// The repository, whose problems have names.
    pub(crate) repository: Option<&'a Repository>,
    /// How to judge, if the request does not say it. `jobs` is the number of workers of all requests together.
    pub(crate) options: Options,
    /// The limits of requests that set none.
    pub(crate) limits: ProblemLimits,
}

/// The judge of this machine.
pub(crate) struct LocalJudge<'a> {
    tools: BatchTools<'a>,
    shared: BatchShared,
}

impl<'a> LocalJudge<'a> {
    pub(crate) fn new(tools: BatchTools<'a>) -> Self {
        Self { tools, shared: BatchShared::default() }
    }
}

impl RequestJudge for LocalJudge<'_> {
    fn jobs(&self) -> usize {
        self.tools.options.jobs
    }

    fn interrupt(&self) -> &Interrupt {
        &self.tools.options.runners.options().interrupt
    }

    fn needs_text(&self) -> bool {
        false
    }

    fn judge(&self, asked: AskedRequest<'_>) -> BatchAnswer {
        self.tools.judge(asked.request, &self.shared, asked.jobs, &mut || {})
    }
}

/// What the requests share while they are judged.
#[derive(Debug, Default)]
pub(crate) struct BatchShared {
    folders: CaseFolders,
    loaded: LoadedProblems,
    compiling: Compiling,
    tokens: std::sync::atomic::AtomicU64,
}

/// The programs that are being compiled: another request with the same one waits, and then finds it in the cache.
#[derive(Debug, Default)]
struct Compiling {
    programs: Mutex<HashSet<blake3::Hash>>,
    ended: Condvar,
}

struct CompileTurn<'a> {
    of: &'a Compiling,
    program: blake3::Hash,
}

impl Compiling {
    fn begin(&self, program: blake3::Hash) -> CompileTurn<'_> {
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        while !programs.insert(program) {
            programs = self.ended.wait(programs).unwrap_or_else(PoisonError::into_inner);
        }
        CompileTurn { of: self, program }
    }
}

impl Drop for CompileTurn<'_> {
    fn drop(&mut self) {
        let mut programs = self.of.programs.lock().unwrap_or_else(PoisonError::into_inner);
        programs.remove(&self.program);
        self.of.ended.notify_all();
    }
}

impl BatchTools<'_> {
    /// Judges a request that another machine sent. It must not name files of this one. `progress` is called after each case.
    #[cfg(feature = "nats")]
    pub(crate) fn judge_sent(
        &self,
        text: &[u8],
        shared: &BatchShared,
        progress: &mut dyn FnMut(),
    ) -> BatchAnswer {
        let refused = |why: String| BatchAnswer::not_judged(None, FaultOf::Request, why);
        match serde_json::from_slice::<BatchRequest>(text) {
            Err(error) => refused(format!("not a request: {error}")),
            Ok(request) => match request.needs_files() {
                Some(why) => refused(why.message),
                None => self.judge(&request, shared, self.options.jobs, progress),
            },
        }
    }

    /// Judges a request on this number of workers. `progress` is called after each case.
    fn judge(
        &self,
        request: &BatchRequest,
        shared: &BatchShared,
        jobs: usize,
        progress: &mut dyn FnMut(),
    ) -> BatchAnswer {
        let id = request.id.clone();
        let preparation = Preparation {
            place: ProblemLookup {
                tools: self.tools,
                repository: self.repository,
                runners: &self.options.runners,
            },
            folders: &shared.folders,
            loaded: &shared.loaded,
            limits: self.limits,
        };
        let token = shared.token();
        let prepared = match preparation.prepare(request, &token) {
            Ok(prepared) => prepared,
            Err(RequestRefusal::NoProgram { why, total }) => {
                return no_program(request, why, total);
            }
            Err(RequestRefusal::Request(why)) => {
                return BatchAnswer::not_judged(id, FaultOf::Request, why.message)
                    .with_help(why.help);
            }
            Err(RequestRefusal::Judge(why)) => {
                return BatchAnswer::not_judged(id, FaultOf::Judge, why);
            }
        };
        let peers = &self.options.peers;
        let outputs = Arc::new(KeptOutputs::new(request.return_output));
        let keep: Arc<dyn OutputKeeper> = Arc::clone(&outputs) as _;
        let options = Options {
            jobs,
            fail_fast: match request.stop {
                StopRule::First => FailFast::Case,
                StopRule::All | StopRule::Batch(_) => FailFast::Never,
            },
            allow_unchecked: true,
            keep: Some(keep),
            peers: Peers { count: peers.count + self.options.jobs - jobs, ..peers.clone() },
            ..self.options.clone()
        };
        match self.collect((request, &prepared), &options, shared, progress) {
            Ok(collected) => {
                Answering { request, prepared: &prepared, outputs: &outputs }.answer(collected)
            }
            Err(error) => BatchAnswer::not_judged(id, FaultOf::Judge, error.to_string()),
        }
    }

    /// Judges all cases, or one batch after the other.
    fn collect(
        &self,
        (request, prepared): (&BatchRequest, &Prepared),
        options: &Options,
        shared: &BatchShared,
        progress: &mut dyn FnMut(),
    ) -> Result<CollectedResults, SandboxError> {
        let mut all = CollectedResults::default();
        let mut turn = Some(shared.compiling.begin(prepared.program));
        let mut part = |problem: &Problem| -> Result<bool, SandboxError> {
            let entry = (&prepared.submission, problem);
            let mut accepted = true;
            let summary = judge_part(entry, self.tools, options, &mut |event| match event {
                Event::Working(Work::Compiling { .. }) => {}
                Event::Working(_) => turn = None,
                Event::Case(result) => {
                    accepted &= matches!(result.verdict, Verdict::Accepted | Verdict::Ran);
                    all.cases.push((*result).clone());
                    progress();
                }
                Event::Submission(report) => {
                    accepted &= report.build.error.is_none() && report.not_judged.is_none();
                    all.report.get_or_insert_with(|| (*report).clone());
                }
                _ => {}
            })?;
            all.interrupted |= summary.interrupted;
            Ok(accepted && !summary.interrupted)
        };
        let StopRule::Batch(size) = request.stop else {
            part(&prepared.problem)?;
            return Ok(all);
        };
        let whole = &prepared.problem;
        for cases in whole.cases.chunks(size.get()) {
            if !part(&Problem { cases: cases.to_vec(), ..whole.clone() })? {
                break;
            }
        }
        Ok(all)
    }
}

impl BatchShared {
    /// A line that no other request has.
    fn token(&self) -> String {
        let number = self.tokens.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let mut digest = blake3::Hasher::new();
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
        digest.update(&now.as_nanos().to_le_bytes()).update(&number.to_le_bytes());
        digest.update(&std::process::id().to_le_bytes());
        format!("{}\n", digest.finalize().to_hex())
    }
}
