//! Reads stored messages, and turns them into what the judge gets.

use rejudge_cluster::{ClusterError, ResultKind, StoredResult, Unit};

use super::super::fitting::fitting;
use super::super::{FarmError, UnitOutcome, UnitSpan};
use super::{AgainNote, QueueSource};
use crate::event::CaseResult;
use crate::judge::gather::{Arrival, limits_of};
use crate::report::carried::BuildKind;
use crate::sequence::BuildOutcome;
use crate::verdict::Verdict;

/// The most messages that are read before the judge gets what is in them.
const TOGETHER: usize = 32;

impl QueueSource<'_> {
    /// The next messages on the server, as many as are there, up to a limit.
    pub(super) fn stored(&mut self) -> Result<Vec<StoredResult>, ClusterError> {
        let mut stored = Vec::new();
        while stored.len() < TOGETHER {
            let next = self.cluster.next_result(self.run, self.books.after)?;
            let Some(next) = next else { break };
            self.books.after = next.sequence;
            stored.push(next);
        }
        Ok(stored)
    }

    /// What the judge gets of the next messages. `None`: there are none yet.
    pub(super) fn next_arrivals(&mut self) -> Result<Option<Vec<Arrival>>, ClusterError> {
        let stored = self.stored()?;
        if stored.is_empty() {
            return Ok(None);
        }
        let arrivals = self.arrivals(&stored)?;
        for one in stored.iter().filter(|one| one.kind == ResultKind::Elsewhere) {
            if self.books.elsewhere.contains(&one.unit) {
                self.submit_elsewhere(one.unit);
            }
        }
        Ok(Some(arrivals))
    }

    /// What the judge gets of stored messages.
    pub(super) fn arrivals(
        &mut self,
        stored: &[StoredResult],
    ) -> Result<Vec<Arrival>, ClusterError> {
        let messages: Vec<(Unit, ResultKind, &[u8])> =
            stored.iter().map(|one| (self.unit(one.unit), one.kind, &*one.bytes)).collect();
        let opened = self.cluster.opened_all(&messages)?;
        let mut arrivals = Vec::new();
        for (one, opened) in stored.iter().zip(opened) {
            let opened = match opened {
                Err(error @ (ClusterError::Unsigned { .. } | ClusterError::Damaged { .. })) => {
                    Err(error.into())
                }
                opened => Ok(opened?),
            };
            arrivals.extend(self.arrived(one, opened));
        }
        Ok(arrivals)
    }

    /// What the judge gets of a message: of its bytes, or of the reason for which it does not count.
    fn arrived(
        &mut self,
        stored: &StoredResult,
        opened: Result<Vec<u8>, FarmError>,
    ) -> Vec<Arrival> {
        let Some(&span) = self.units.get(stored.unit) else {
            return Vec::new();
        };
        match (stored.kind, opened) {
            (ResultKind::First, opened) => self.first_result(stored.unit, span, opened),
            (ResultKind::Again, Ok(note)) => {
                self.note_again(&note, span);
                Vec::new()
            }
            (ResultKind::Elsewhere, Ok(_)) => {
                self.books.elsewhere.insert(stored.unit);
                Vec::new()
            }
            (ResultKind::Again | ResultKind::Elsewhere, Err(_)) => Vec::new(),
        }
    }

    fn first_result(
        &mut self,
        unit: usize,
        span: UnitSpan,
        opened: Result<Vec<u8>, FarmError>,
    ) -> Vec<Arrival> {
        if std::mem::replace(&mut self.books.seen[unit], true) {
            return Vec::new();
        }
        self.books.judged += 1;
        let outcome = opened.and_then(|bytes| UnitOutcome::read(&bytes));
        let outcome = outcome.unwrap_or_else(|error| UnitOutcome::of_fault("?", error.to_string()));
        let cases = span.first..span.end;
        let outcome = fitting(self.entries[span.entry], cases, self.options, outcome);
        let worker = outcome.worker.clone();
        *self.books.by_worker.entry(worker).or_default() += 1;
        self.taken(span, outcome)
    }

    fn note_again(&mut self, bytes: &[u8], span: UnitSpan) {
        self.books.again += 1;
        let note: Option<AgainNote> = serde_json::from_slice(bytes).ok();
        let Some((worker, difference)) =
            note.and_then(|note| Some((note.worker, note.difference?)))
        else {
            return;
        };
        let submission = &self.entries[span.entry].0.name;
        self.books.unlike.push(format!("`{submission}`: {difference}, on worker {worker}"));
    }

    /// The build and the cases of an outcome.
    fn taken(&mut self, span: UnitSpan, outcome: UnitOutcome) -> Vec<Arrival> {
        let entry = self.entries[span.entry];
        let mut arrivals = Vec::new();
        let kind = outcome.build.kind();
        let first = *self.books.built.entry(span.entry).or_insert_with(|| {
            let limits = limits_of(entry, self.tools, self.options);
            let why = outcome.build.why();
            let build = outcome.build.clone().into();
            let result = match (kind, why) {
                (BuildKind::Impossible, Some(why)) => BuildOutcome::Impossible { limits, why },
                (BuildKind::Refused, _) => BuildOutcome::Refused { limits, build },
                _ => BuildOutcome::Ready { limits, build },
            };
            arrivals.push(Arrival::Built(span.entry, Box::new(result)));
            kind
        });
        if first != BuildKind::Ready {
            return arrivals;
        }
        let absent = match (&outcome.fault, outcome.build.why()) {
            (Some(fault), _) => fault.clone(),
            (None, Some(why)) => why.message,
            (None, None) => format!("worker {} sent no result for it", outcome.worker),
        };
        let ends_early = self.options.fail_fast != crate::fail_fast::FailFast::Never;
        let is_faulty = outcome.fault.is_some() || kind != BuildKind::Ready;
        let mut results = outcome.cases.into_iter();
        for case in span.first..span.end {
            let name = entry.1.cases[case].name();
            let result = results.next().filter(|result| result.case == name);
            let result = match result {
                Some(result) => result,
                None if ends_early && !is_faulty => break,
                None => {
                    let fault = Verdict::JudgeError;
                    CaseResult::without_run(entry.0, name, fault, absent.clone())
                }
            };
            self.books.marked += usize::from(result.near_limit);
            arrivals.push(Arrival::Case(span.entry, case, Box::new(result)));
        }
        arrivals
    }
}
