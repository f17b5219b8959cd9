//! The requests that were judged last: equal ones are not judged again.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::answer::{BatchAnswer, CaseAnswer, CompileAnswer};
use super::request::RequestId;
use super::same_results::SameResults;
use crate::show::verdict_code::VerdictCode;
use crate::verdict::Verdict;

/// The number of requests that wait for one that is equal to them.
const WAITING: usize = 64;

/// Requests by the digests of all but their ids.
#[derive(Debug)]
pub(super) struct RequestWindow<W> {
    most: usize,
    state: Mutex<WindowState<W>>,
}

#[derive(Debug)]
struct WindowState<W> {
    /// The requests that are being judged, each with the equal ones that wait for it.
    running: HashMap<blake3::Hash, Vec<W>>,
    judged: SameResults,
}

/// What equal requests take over from the one that was judged. A window has many of them, so they are small.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SameResult {
    id: RequestId,
    verdict: Option<VerdictCode>,
    no_program: bool,
    passed: u32,
    total: u32,
    not_run: u32,
    score: f64,
    /// What the compiler said; `None`: nothing, and the source compiled.
    compile: Option<Box<CompileAnswer>>,
    /// The verdicts of the cases: each with the number of cases in a row that have it.
    verdicts: Box<[(VerdictCode, u32)]>,
}

impl SameResult {
    /// `None`: a second run could have another result.
    pub(super) fn of(answer: &BatchAnswer) -> Option<Self> {
        if !answer.judged || answer.cases.iter().any(is_fragile) {
            return None;
        }
        let mut verdicts: Vec<(VerdictCode, u32)> = Vec::new();
        for case in &answer.cases {
            match verdicts.last_mut() {
                Some((verdict, count)) if *verdict == case.verdict => *count += 1,
                _ => verdicts.push((case.verdict, 1)),
            }
        }
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let compile = answer.compile.as_ref().filter(|it| !it.ok || it.message.is_some());
        Some(Self {
            id: answer.id.clone()?,
            verdict: answer.verdict,
            no_program: answer.no_program,
            passed: number(answer.passed),
            total: number(answer.total),
            not_run: number(answer.not_run),
            score: answer.score,
            compile: compile.map(|compile| Box::new(compile.taken_over())),
            verdicts: verdicts.into(),
        })
    }

    /// The answer to an equal request.
    pub(super) fn answer(&self, id: RequestId) -> BatchAnswer {
        let cases = self.verdicts.iter().flat_map(|(verdict, count)| {
            std::iter::repeat_n(CaseAnswer::bare(verdict.0), *count as usize)
        });
        let compile = self.compile.as_deref().cloned();
        BatchAnswer {
            id: Some(id),
            judged: true,
            verdict: self.verdict,
            no_program: self.no_program,
            passed: self.passed as usize,
            total: self.total as usize,
            not_run: self.not_run as usize,
            score: self.score,
            same_as: Some(self.id.clone()),
            compile: Some(compile.unwrap_or_else(CompileAnswer::without_message)),
            cases: cases.collect(),
            ..BatchAnswer::default()
        }
    }
}

/// Whether a second run could have another verdict.
fn is_fragile(case: &CaseAnswer) -> bool {
    let VerdictCode(verdict) = case.verdict;
    let by_resources =
        matches!(verdict, Verdict::TimeLimit | Verdict::MemoryLimit | Verdict::JudgeError);
    by_resources || case.signal.is_some() || case.disturbed
}

/// What becomes of a request.
#[derive(Debug)]
pub(super) enum EnteredRequest<W> {
    /// It is the first, and must be judged. [`RequestWindow::leave`] follows.
    First(W),
    /// It is judged like a request that has no equal.
    Alone(W),
    /// It waits until another thread leaves with the first.
    Waits,
    /// An equal one was judged.
    Known(W, Box<SameResult>),
}

impl<W> RequestWindow<W> {
    /// A window of the last `most` requests.
    pub(super) fn new(most: usize) -> Self {
        let state = WindowState { running: HashMap::new(), judged: SameResults::new(most) };
        Self { most, state: Mutex::new(state) }
    }

    /// Enters with a request.
    pub(super) fn enter(&self, digest: blake3::Hash, request: W) -> EnteredRequest<W> {
        if self.most == 0 {
            return EnteredRequest::Alone(request);
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(waiting) = state.running.get_mut(&digest) {
            if waiting.len() >= WAITING {
                return EnteredRequest::Alone(request);
            }
            waiting.push(request);
            return EnteredRequest::Waits;
        }
        if let Some(same) = state.judged.find(digest) {
            return EnteredRequest::Known(request, Box::new(same));
        }
        state.running.insert(digest, Vec::new());
        EnteredRequest::First(request)
    }

    /// Leaves with the result of a first request, if equal ones may take it over. Returns those that waited for it.
    pub(super) fn leave(&self, digest: blake3::Hash, same: Option<&SameResult>) -> Vec<W> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = same {
            state.judged.keep(digest, same);
        }
        state.running.remove(&digest).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(id: &str) -> RequestId {
        RequestId::Text(id.to_owned())
    }

    fn answer(id: &str, verdict: Verdict, signal: Option<i32>) -> BatchAnswer {
        let case = CaseAnswer { signal, cpu_ms: Some(7.0), ..CaseAnswer::bare(verdict) };
        BatchAnswer {
            id: Some(text(id)),
            judged: true,
            verdict: Some(VerdictCode(verdict)),
            total: 1,
            cases: vec![case],
            ..BatchAnswer::default()
        }
    }

    fn enter(
        window: &RequestWindow<&'static str>,
        digest: &str,
        id: &'static str,
    ) -> EnteredRequest<&'static str> {
        window.enter(blake3::hash(digest.as_bytes()), id)
    }

    /// Leaves with this answer; returns the ids that waited, and whether they take it over.
    fn leave(
        window: &RequestWindow<&'static str>,
        digest: &str,
        answer: &BatchAnswer,
    ) -> (Vec<&'static str>, bool) {
        let same = SameResult::of(answer);
        (window.leave(blake3::hash(digest.as_bytes()), same.as_ref()), same.is_some())
    }

    #[test]
    fn equal_requests_take_the_answer_of_the_first() {
        let window = RequestWindow::new(2);
        assert!(matches!(enter(&window, "x", "a"), EnteredRequest::First("a")));
        assert!(matches!(enter(&window, "x", "b"), EnteredRequest::Waits));
        assert_eq!(
            leave(&window, "x", &answer("a", Verdict::WrongAnswer, None)),
            (vec!["b"], true)
        );
        let EnteredRequest::Known("c", same) = enter(&window, "x", "c") else {
            panic!("it is known")
        };
        let found = same.answer(text("c"));
        assert_eq!((found.id, found.same_as), (Some(text("c")), Some(text("a"))));
        assert_eq!(found.verdict, Some(VerdictCode(Verdict::WrongAnswer)));
        assert_eq!(found.cases[0].cpu_ms, None, "a time of its own");
        // The oldest of three is forgotten.
        for digest in ["y", "z"] {
            assert!(matches!(enter(&window, digest, "d"), EnteredRequest::First("d")));
            leave(&window, digest, &answer("d", Verdict::Accepted, None));
        }
        assert!(matches!(enter(&window, "x", "e"), EnteredRequest::First("e")));
    }

    #[test]
    fn what_a_second_run_could_change_is_judged_again() {
        let window = RequestWindow::new(10);
        for (verdict, signal) in [
            (Verdict::TimeLimit, None),
            (Verdict::MemoryLimit, None),
            (Verdict::JudgeError, None),
            (Verdict::RunTimeError, Some(11)),
        ] {
            assert!(matches!(enter(&window, "x", "a"), EnteredRequest::First("a")));
            assert!(matches!(enter(&window, "x", "b"), EnteredRequest::Waits));
            assert_eq!(leave(&window, "x", &answer("a", verdict, signal)), (vec!["b"], false));
        }
        assert!(matches!(enter(&window, "x", "a"), EnteredRequest::First("a")));
        let (waiting, is_same) = leave(&window, "x", &answer("a", Verdict::RunTimeError, None));
        assert!(waiting.is_empty() && is_same);
        assert!(matches!(enter(&window, "x", "b"), EnteredRequest::Known("b", _)));
        let none = RequestWindow::new(0);
        assert!(matches!(enter(&none, "x", "a"), EnteredRequest::Alone("a")));
    }
}
