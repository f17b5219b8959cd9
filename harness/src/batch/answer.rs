//! What an answer says.

use serde::{Deserialize, Serialize};

use super::request::RequestId;
use super::text::start_of;
use crate::show::json_line;
use crate::show::verdict_code::VerdictCode;
use crate::verdict::Verdict;

/// The answer to a request.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct BatchAnswer {
    /// That of the request.
    pub(super) id: Option<RequestId>,
    /// Whether the source was judged. If not, nothing follows about it.
    pub(super) judged: bool,
    /// Whose fault it is that the source was not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fault: Option<FaultOf>,
    /// Why it was not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    /// What to do about that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) help: Option<String>,
    /// The line of the request in the input, from 1, if the request is at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) line: Option<u64>,
    /// The first verdict other than AC, or AC. RAN: no case has an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) verdict: Option<VerdictCode>,
    /// Whether the request names no program: the source is empty, or the completion has no block of code. The verdict is CE.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) no_program: bool,
    /// The number of accepted cases.
    pub(super) passed: usize,
    /// The number of cases.
    pub(super) total: usize,
    /// The number of cases that were not run, because of `stop`.
    pub(super) not_run: usize,
    /// From 0 to 1, by the rule `score` of the request.
    pub(super) score: f64,
    /// The request whose result this is: both differ in nothing but the id. Its times are there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) same_as: Option<RequestId>,
    /// How the source was compiled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) compile: Option<CompileAnswer>,
    /// The limits that held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) limits: Option<LimitsAnswer>,
    /// The cases, in the order of the request.
    pub(super) cases: Vec<CaseAnswer>,
}

/// Whose fault it is that a source was not judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum FaultOf {
    /// The request is wrong.
    Request,
    /// The judge could not judge: something is missing on this machine, or fails. The same request may be judged later.
    Judge,
    /// The command was interrupted.
    Interrupt,
}

/// How the source was compiled.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct CompileAnswer {
    pub(super) ok: bool,
    /// Whether the program was there already.
    pub(super) cached: bool,
    /// The wall time of the compiler, if it ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) wall_ms: Option<f64>,
    /// What the compiler said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
}

/// The limits that held for most cases.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct LimitsAnswer {
    pub(super) cpu_ms: f64,
    pub(super) wall_ms: f64,
    pub(super) memory_bytes: u64,
    pub(super) output_bytes: u64,
}

/// A case.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct CaseAnswer {
    /// The verdict; SKIP: it was not run.
    pub(super) verdict: VerdictCode,
    /// The evidence for the verdict, in one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) cpu_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) wall_ms: Option<f64>,
    /// The peak memory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) memory_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) exit_code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) signal: Option<i32>,
    /// Whether it began in a copy of an interpreter, whose start is in none of the figures.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) preloaded: bool,
    /// Whether other processes of the machine disturbed the run that decided, and the verdict may differ on an idle one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) disturbed: bool,
    /// The size of the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stdout_bytes: Option<u64>,
    /// Its start, at most 1,024 bytes. What is not UTF-8 is replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stdout_head: Option<String>,
    /// All of it, with `return_output`, if it is UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stdout: Option<String>,
    /// All of it in base64, with `return_output`, if it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stdout_base64: Option<String>,
    /// The end of standard error. What is not UTF-8 is replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stderr_tail: Option<String>,
}

impl BatchAnswer {
    /// The answer to a request that was not judged.
    pub(crate) fn not_judged(
        id: Option<RequestId>,
        fault: FaultOf,
        reason: impl Into<String>,
    ) -> Self {
        Self { id, fault: Some(fault), reason: Some(reason.into()), ..Self::default() }
    }

    /// The number of cases that began in a copy of an interpreter.
    pub(super) fn preloaded_cases(&self) -> u64 {
        self.cases.iter().filter(|case| case.preloaded).count() as u64
    }

    /// The same with advice.
    pub(crate) fn with_help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }

    /// The same with the line of the request.
    pub(crate) fn at_line(mut self, line: u64) -> Self {
        self.line = Some(line);
        self
    }

    /// The same with the id of the request.
    #[cfg(feature = "nats")]
    pub(crate) fn with_id(mut self, id: Option<RequestId>) -> Self {
        self.id = id;
        self
    }

    /// Whether the judge is to blame: another one may be able to judge.
    #[cfg(feature = "nats")]
    pub(crate) fn is_fault_of_judge(&self) -> bool {
        self.fault == Some(FaultOf::Judge)
    }

    /// Whether the judge was interrupted.
    #[cfg(feature = "nats")]
    pub(crate) fn is_interrupted(&self) -> bool {
        self.fault == Some(FaultOf::Interrupt)
    }

    /// The verdict, and those of the cases.
    #[cfg(feature = "nats")]
    pub(crate) fn verdicts(&self) -> Vec<Option<Verdict>> {
        let of_cases = self.cases.iter().map(|case| Some(case.verdict.0));
        std::iter::once(self.verdict.map(|code| code.0)).chain(of_cases).collect()
    }

    /// One line of JSON, with its end.
    pub(crate) fn line(&self) -> String {
        let line = json_line::line(self);
        let mut line = line.expect("an answer is always JSON");
        line.push('\n');
        line
    }
}

impl CompileAnswer {
    /// A source that compiled, and about which nothing was said.
    pub(super) fn without_message() -> Self {
        Self { ok: true, cached: true, wall_ms: None, message: None }
    }

    /// What the answer to an equal request says: no time, and the start of the message, because many answers are kept.
    pub(super) fn taken_over(&self) -> Self {
        let message = self.message.as_ref().map(|message| start_of(message.as_bytes()));
        Self { ok: self.ok, cached: self.ok, wall_ms: None, message }
    }
}

impl CaseAnswer {
    /// A case of which only the verdict is known.
    pub(super) fn bare(verdict: Verdict) -> Self {
        Self {
            verdict: VerdictCode(verdict),
            reason: None,
            cpu_ms: None,
            wall_ms: None,
            memory_bytes: None,
            exit_code: None,
            signal: None,
            preloaded: false,
            disturbed: false,
            stdout_bytes: None,
            stdout_head: None,
            stdout: None,
            stdout_base64: None,
            stderr_tail: None,
        }
    }
}
