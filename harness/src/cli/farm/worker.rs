//! What a worker does with a unit.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::time::{Duration, SystemTime};

use rejudge_cluster::{Claim, ClaimNote, ClusterError, NoteKind, ResultKind, Stored, Unit};

use super::super::stream;
use super::opened::{OpenedProject, UnusableProject};
use super::working::Worker;
use crate::farm::{
    AgainNote, FarmError, JudgedUnit, LOST_DELIVERIES, Refusal, UnitOrder, UnitOutcome,
    is_close_to_limit, judge_unit, workers,
};
use crate::judge::Options;

/// How long a unit that this worker could not judge waits for another one.
const FAILED_PAUSE: Duration = Duration::from_secs(1);

/// The same for a unit of another version.
const VERSION_PAUSE: Duration = Duration::from_secs(5);

/// The largest request of a batch, in bytes.
const MOST_REQUEST: u64 = 1 << 30;

/// Each kind of warning is given once.
static OTHER: Once = Once::new();
static FORGED: Once = Once::new();
static UNTRUSTED: Once = Once::new();
static CLOSED: Once = Once::new();
static HELD: Once = Once::new();

/// What became of a unit.
enum UnitEnd {
    /// Its result.
    Outcome(Box<UnitOutcome>),
    /// A machine of the reference class must judge it.
    Elsewhere,
    /// It goes back to the queue, because the worker ends.
    Interrupted,
    /// This worker cannot judge it. With the result that says so.
    Failed(Box<UnitOutcome>),
    /// It is of another version.
    Version(String),
}

impl Worker<'_> {
    /// Judges a unit, stores the result, and then tells the queue.
    pub(super) fn judge(&self, claim: &Claim) -> Result<(), ClusterError> {
        let now = SystemTime::now();
        let order = UnitOrder::read(&claim.bytes, &claim.unit, &self.trusts, now);
        let order = match order {
            Ok(order) => order,
            Err(refusal) => return self.refuse(claim, refusal),
        };
        let history = match claim.delivery {
            1 => Vec::new(),
            _ => self.cluster.history(claim)?,
        };
        let lost = lost(&history, claim.delivery);
        if lost.len() >= LOST_DELIVERIES {
            let why = format!(
                "the unit was lost {} times: its workers were {}",
                lost.len(),
                lost.join(", ")
            );
            return self.keep(claim, &UnitOutcome::of_fault(self.name(), why));
        }
        let judged =
            catch_unwind(AssertUnwindSafe(|| self.judged(claim, &order))).unwrap_or_else(|_| {
                let why = format!("internal error of rejudge on worker {}", self.name());
                Ok(UnitEnd::Failed(Box::new(UnitOutcome::of_fault(self.name(), why))))
            });
        match judged? {
            UnitEnd::Outcome(outcome) => self.keep(claim, &outcome),
            UnitEnd::Elsewhere => {
                if !self.holds(claim)? {
                    return Ok(());
                }
                self.cluster.request_reference(claim, &self.identity)?;
                self.cluster.done(claim)
            }
            UnitEnd::Interrupted => {
                let kind = NoteKind::Returned;
                self.cluster.hand_back(claim, &self.identity, kind, None)
            }
            UnitEnd::Failed(outcome) => self.fail(claim, &order.signer, &history, &outcome),
            UnitEnd::Version(version) => {
                let own = env!("CARGO_PKG_VERSION");
                self.warn_once(&OTHER, &format!("a run of version {version} waits: this is {own}"));
                let (kind, pause) = (NoteKind::Returned, Some(VERSION_PAUSE));
                self.cluster.hand_back(claim, &self.identity, kind, pause)
            }
        }
    }

    /// Takes a unit off the queue that is not one of a submitter, or leaves it to another worker.
    fn refuse(&self, claim: &Claim, refusal: Refusal) -> Result<(), ClusterError> {
        match refusal {
            Refusal::Forged(why) => {
                let Unit { run, number } = &claim.unit;
                self.warn_once(&FORGED, &format!("unit {number} of run {run} was refused: {why}"));
                self.cluster.refuse(claim)
            }
            Refusal::Untrusted(key) => {
                self.warn_once(&UNTRUSTED, &format!(
                    "a unit is signed with the key {key}, which is not among those after `--trust`"
                ));
                let (kind, pause) = (NoteKind::Returned, Some(VERSION_PAUSE));
                self.cluster.hand_back(claim, &self.identity, kind, pause)
            }
        }
    }

    fn judged(&self, claim: &Claim, order: &UnitOrder) -> Result<UnitEnd, ClusterError> {
        let failed =
            |why: String| Ok(UnitEnd::Failed(Box::new(UnitOutcome::of_fault(self.name(), why))));
        if let Some(request) = &order.request {
            return Ok(self.answered(claim, order, request));
        }
        let project = match self.projects.get(&order.job, self.cluster, self.session) {
            Ok(project) => project,
            Err(why) => return Ok(self.unusable(why)),
        };
        let Some((entry, bare)) = project.entry(order) else {
            return failed("the unit names a case that does not exist".to_owned());
        };
        let options = Options {
            peers: self.peers.clone(),
            runners: self.session.runners().options().clone().into(),
            ..project.options.clone()
        };
        let with = (project.project.tools(), &options);
        let judged = judge_unit(entry, bare, order, with, &mut || claim.progress());
        match judged {
            Ok(None) => Ok(UnitEnd::Interrupted),
            Err(_) if self.ends() => Ok(UnitEnd::Interrupted),
            Err(error) => failed(format!("worker {}: {error}", self.name())),
            Ok(Some(unit)) => {
                self.count(&entry.0.name);
                self.outcome(order, &project, unit)
            }
        }
    }

    /// The answer to a request of a batch.
    fn answered(&self, claim: &Claim, order: &UnitOrder, request: &str) -> UnitEnd {
        let batch = match self.batches.get(&order.job, self.cluster, self.session) {
            Ok(batch) => batch,
            Err(why) => return self.unusable(why),
        };
        let text = match self.cluster.blob(request, MOST_REQUEST) {
            Ok(text) => text,
            Err(error) => return self.unusable(UnusableProject::Other(error.to_string())),
        };
        let answer = batch.judge(&text, &self.peers, &mut || claim.progress());
        if answer.is_interrupted() || self.ends() && answer.is_fault_of_judge() {
            return UnitEnd::Interrupted;
        }
        self.count("a request");
        let outcome = Box::new(UnitOutcome::of_answer(self.name(), answer));
        if outcome.is_fault_of_worker {
            UnitEnd::Failed(outcome)
        } else {
            UnitEnd::Outcome(outcome)
        }
    }

    /// What becomes of a unit whose project, options or request cannot be opened here.
    fn unusable(&self, why: UnusableProject) -> UnitEnd {
        match why {
            UnusableProject::Version(version) => UnitEnd::Version(version),
            UnusableProject::Other(_) if self.ends() => UnitEnd::Interrupted,
            UnusableProject::Other(why) => {
                self.warn_once(&CLOSED, &format!("cannot open the project: {why}"));
                let why = format!("worker {} cannot open the project: {why}", self.name());
                UnitEnd::Failed(Box::new(UnitOutcome::of_fault(self.name(), why)))
            }
        }
    }

    /// The result of a unit that was judged, unless a machine of the reference class must judge it.
    fn outcome(
        &self,
        order: &UnitOrder,
        project: &OpenedProject,
        mut unit: JudgedUnit,
    ) -> Result<UnitEnd, ClusterError> {
        let reference = &project.job.reference;
        let limits = unit.limits;
        if self.class != *reference {
            let mut close =
                unit.cases.iter_mut().filter(|case| is_close_to_limit(case, &limits)).peekable();
            if close.peek().is_some() {
                if !order.is_final && self.has_reference(&order.signer, reference)? {
                    return Ok(UnitEnd::Elsewhere);
                }
                close.for_each(|case| case.near_limit = true);
            }
        }
        let outcome = Box::new(UnitOutcome::of_unit(self.name(), unit));
        Ok(if outcome.is_fault_of_worker {
            UnitEnd::Failed(outcome)
        } else {
            UnitEnd::Outcome(outcome)
        })
    }

    /// Whether another worker that trusts the submitter is of the reference class.
    fn has_reference(&self, signer: &str, reference: &str) -> Result<bool, ClusterError> {
        let workers = workers(self.cluster)?;
        Ok(workers.iter().any(|(_, info)| info.takes_work_of(signer) && info.class == reference))
    }

    /// Whether what this worker stores about the unit counts. Otherwise the unit goes back.
    fn holds(&self, claim: &Claim) -> Result<bool, ClusterError> {
        let holds = self.cluster.holds(claim, &self.identity)?;
        if !holds {
            self.warn_once(
                &HELD,
                "another worker noted that it took a unit that this one was given",
            );
            let kind = NoteKind::Returned;
            self.cluster.hand_back(claim, &self.identity, kind, None)?;
        }
        Ok(holds)
    }

    /// Stores a result, unless there is one: then both are compared.
    fn keep(&self, claim: &Claim, outcome: &UnitOutcome) -> Result<(), ClusterError> {
        if !self.holds(claim)? {
            return Ok(());
        }
        let bytes = outcome.bytes();
        let stored = self.cluster.store(claim, &self.identity, &bytes)?;
        if let Stored::Known(known) = stored {
            let known = self
                .cluster
                .opened(&claim.unit, ResultKind::First, &known)
                .map_err(FarmError::from);
            let difference = match known.and_then(|known| UnitOutcome::read(&known)) {
                Ok(first) => first.difference(outcome),
                Err(error) => Some(error.to_string()),
            };
            let note = AgainNote { worker: self.name().to_owned(), difference };
            let note = serde_json::to_vec(&note).expect("a note is always JSON");
            self.cluster.note_again(claim, &self.identity, &note)?;
        }
        self.cluster.done(claim)
    }

    /// Returns a unit that this worker cannot judge. If nobody can, the result says so.
    fn fail(
        &self,
        claim: &Claim,
        signer: &str,
        history: &[ClaimNote],
        outcome: &UnitOutcome,
    ) -> Result<(), ClusterError> {
        let failed = history.iter().filter(|note| note.kind == NoteKind::Failed);
        let mut failed: BTreeSet<&str> = failed.map(|note| note.worker.as_str()).collect();
        failed.insert(self.name());
        let workers = workers(self.cluster)?;
        let mut able = workers.iter().filter(|(_, info)| info.takes_work_of(signer));
        let nobody = able.all(|(name, _)| failed.contains(name.as_str()));
        if nobody || failed.len() >= LOST_DELIVERIES {
            return self.keep(claim, outcome);
        }
        self.note_failure(claim.unit.clone());
        let (kind, pause) = (NoteKind::Failed, Some(FAILED_PAUSE));
        self.cluster.hand_back(claim, &self.identity, kind, pause)
    }

    /// Warns unless there was a warning of this kind.
    fn warn_once(&self, of_kind: &Once, words: &str) {
        of_kind.call_once(|| self.bar.suspend(|| stream::warn(words)));
    }
}

/// The workers of the deliveries that ended without a word, before the delivery with this number.
fn lost(history: &[ClaimNote], delivery: u64) -> Vec<String> {
    let lost = (1..delivery).filter_map(|number| {
        let mut notes = history.iter().filter(|note| note.delivery == number);
        let ended = notes.clone().any(|note| note.kind != NoteKind::Taken);
        let worker = notes.next().map_or("unknown", |note| note.worker.as_str());
        (!ended).then(|| worker.to_owned())
    });
    lost.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deliveries_that_were_handed_back_are_not_lost() {
        let note = |kind, worker: &str, delivery| ClaimNote {
            kind,
            worker: worker.to_owned(),
            key: String::new(),
            delivery,
        };
        let history = [
            note(NoteKind::Taken, "a", 1),
            note(NoteKind::Taken, "b", 2),
            note(NoteKind::Returned, "b", 2),
            note(NoteKind::Taken, "c", 4),
            note(NoteKind::Taken, "d", 5),
        ];
        assert_eq!(lost(&history, 5), ["a", "unknown", "c"]);
        assert!(lost(&history, 1).is_empty());
    }
}
