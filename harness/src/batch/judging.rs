//! A request from its preparation to its answer.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::answer::{BatchAnswer, CaseAnswer, CompileAnswer, FaultOf, LimitsAnswer};
use super::case_files::CaseFolders;
use super::loaded::{LoadedProblems, ProblemLookup};
use super::outputs::{KeptOutput, KeptOutputs};
use super::pool::{AskedRequest, RequestJudge};
use super::prepared::{Preparation, Prepared, RequestRefusal};
use super::request::{BatchRequest, ScoreRule, StopRule};
use super::text::start_of;
use crate::config::Repository;
use crate::event::{CaseResult, Event, SubmissionReport, Work};
use crate::fail_fast::FailFast;
use crate::judge::{Options, OutputKeeper, Peers, Tools, judge_part};
use crate::problem::{Problem, ProblemLimits};
use crate::sandbox::{Exit, Interrupt, SandboxError};
use crate::show::json_line::milliseconds;
use crate::show::verdict_code::VerdictCode;
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

/// What the judge reported.
#[derive(Default)]
struct CollectedResults {
    cases: Vec<CaseResult>,
    report: Option<SubmissionReport>,
    interrupted: bool,
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

/// The answer to a request that names no program.
fn no_program(request: &BatchRequest, why: &str, total: usize) -> BatchAnswer {
    let message = Some(why.to_owned());
    BatchAnswer {
        id: request.id.clone(),
        judged: true,
        verdict: Some(VerdictCode(Verdict::CompileError)),
        no_program: true,
        total,
        not_run: total,
        compile: Some(CompileAnswer { ok: false, cached: false, wall_ms: None, message }),
        cases: vec![CaseAnswer::bare(Verdict::Skipped); total],
        ..BatchAnswer::default()
    }
}

/// Makes an answer of what was collected.
struct Answering<'a> {
    request: &'a BatchRequest,
    prepared: &'a Prepared,
    outputs: &'a KeptOutputs,
}

impl Answering<'_> {
    fn answer(&self, collected: CollectedResults) -> BatchAnswer {
        let id = self.request.id.clone();
        let Some(report) = collected.report.filter(|_| !collected.interrupted) else {
            let why = "the command was interrupted";
            return BatchAnswer::not_judged(id, FaultOf::Interrupt, why);
        };
        if let Some(why) = &report.not_judged {
            let answer = BatchAnswer::not_judged(id, FaultOf::Judge, why.message.clone());
            return answer.with_help(why.help.clone());
        }
        let fault = collected.cases.iter().find(|case| case.verdict == Verdict::JudgeError);
        if let Some(fault) = fault {
            let why = fault.reason.clone().unwrap_or_else(|| "the judge failed".to_owned());
            return BatchAnswer::not_judged(
                id,
                FaultOf::Judge,
                format!("case {}: {why}", fault.case),
            );
        }
        let total = self.prepared.problem.cases.len();
        let is_built = report.build.error.is_none();
        let mut cases: Vec<CaseAnswer> = Vec::with_capacity(total);
        for result in collected.cases.iter().filter(|_| is_built) {
            cases.push(self.case(result));
        }
        let not_run = total - cases.len().min(total);
        cases.resize_with(total, || CaseAnswer::bare(Verdict::Skipped));
        let accepted = |case: &&CaseAnswer| case.verdict.0 == Verdict::Accepted;
        let passed = cases.iter().filter(accepted).count();
        let verdict = if is_built { verdict_of(&cases) } else { Verdict::CompileError };
        let build = &report.build;
        let message = build.error.as_ref().or(build.warnings.as_ref());
        let message = message.map(|message| message.replace(&self.prepared.folder, ""));
        let limits = &report.limits;
        BatchAnswer {
            id,
            judged: true,
            verdict: Some(VerdictCode(verdict)),
            passed,
            total,
            not_run,
            score: self.score(&cases, passed),
            compile: Some(CompileAnswer {
                ok: is_built,
                cached: build.cached,
                wall_ms: build.time.map(milliseconds),
                message,
            }),
            limits: Some(LimitsAnswer {
                cpu_ms: milliseconds(limits.cpu_time),
                wall_ms: milliseconds(limits.wall_time),
                memory_bytes: limits.memory.get(),
                output_bytes: limits.output.get(),
            }),
            cases,
            ..BatchAnswer::default()
        }
    }

    fn case(&self, result: &CaseResult) -> CaseAnswer {
        let (exit_code, signal) = match result.exit {
            Some(Exit::Code(code)) => (Some(code), None),
            Some(Exit::Signal(signal)) => (None, Some(signal)),
            _ => (None, None),
        };
        let reason = match result.verdict {
            Verdict::WrongAnswer if self.prepared.has_own_tests => {
                Some("the program ended before its last test".to_owned())
            }
            _ => result.reason.clone(),
        };
        let mut answer = CaseAnswer {
            reason,
            exit_code,
            signal,
            disturbed: result.disturbance.is_some_and(|disturbance| disturbance.stands),
            ..CaseAnswer::bare(result.verdict)
        };
        if result.exit.is_some() {
            answer.cpu_ms = Some(milliseconds(result.usage.cpu()));
            answer.wall_ms = Some(milliseconds(result.usage.wall));
            answer.memory_bytes = Some(result.usage.peak_memory.get());
        }
        if let Some(kept) = self.outputs.take(&result.case) {
            self.add_output(&mut answer, kept);
        }
        answer
    }

    fn add_output(&self, answer: &mut CaseAnswer, kept: KeptOutput) {
        let KeptOutput { bytes, size, stderr } = kept;
        answer.stdout_bytes = Some(size);
        // The token of own tests means nothing to anybody.
        if !self.prepared.has_own_tests {
            answer.stdout_head = Some(start_of(&bytes));
        }
        if self.request.return_output {
            match String::from_utf8(bytes) {
                Ok(text) => answer.stdout = Some(text),
                Err(error) => {
                    answer.stdout_base64 = Some(BASE64_STANDARD.encode(error.as_bytes()));
                }
            }
        }
        let stderr = String::from_utf8_lossy(&stderr).replace(&self.prepared.folder, "");
        answer.stderr_tail = (!stderr.is_empty()).then_some(stderr);
    }

    #[expect(clippy::cast_precision_loss, reason = "shares of counts of cases")]
    fn score(&self, cases: &[CaseAnswer], passed: usize) -> f64 {
        let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
        match self.request.score {
            ScoreRule::Fraction => share(passed, cases.len()),
            ScoreRule::All => f64::from(u8::from(passed == cases.len())),
            ScoreRule::Groups => {
                let mut groups: BTreeMap<Option<&str>, bool> = BTreeMap::new();
                for (case, group) in cases.iter().zip(&self.prepared.groups) {
                    let is_accepted = case.verdict.0 == Verdict::Accepted;
                    *groups.entry(group.as_deref()).or_insert(true) &= is_accepted;
                }
                share(groups.values().filter(|all| **all).count(), groups.len())
            }
        }
    }
}

/// The first verdict other than AC, or AC. RAN counts only if there is nothing else.
fn verdict_of(cases: &[CaseAnswer]) -> Verdict {
    let mut verdicts = cases.iter().map(|case| case.verdict.0);
    let decisive = verdicts
        .clone()
        .find(|verdict| !matches!(verdict, Verdict::Accepted | Verdict::Ran | Verdict::Skipped));
    let is_accepted = verdicts.any(|verdict| verdict == Verdict::Accepted);
    decisive.unwrap_or(if is_accepted { Verdict::Accepted } else { Verdict::Ran })
}
