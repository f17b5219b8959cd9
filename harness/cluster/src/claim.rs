//! Units that a worker takes, and what it says about them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::consumer::{PullConsumer, pull};
use async_nats::jetstream::context::PublishAckFuture;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};

use crate::connection::Cluster;
use crate::error::{ClusterError, Doing};
use crate::held::Held;
use crate::messages::first_of_subject;
use crate::queue::{Queue, Unit};
use crate::signed::SigningKey;
use crate::streams::{CLAIMS, WORK};

/// Who a worker is.
#[derive(Debug)]
pub struct WorkerIdentity {
    /// Its name, a token.
    pub name: String,
    /// The key that signs its results. Nobody needs to know it in advance: it ties a result to the note that took the unit.
    pub key: SigningKey,
}

/// What happened to a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NoteKind {
    /// A worker took it.
    Taken,
    /// A worker returned it unjudged, because it ends.
    Returned,
    /// A worker could not judge it, and returned it.
    Failed,
}

/// A note about a unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClaimNote {
    /// What happened.
    pub kind: NoteKind,
    /// The worker.
    pub worker: String,
    /// Its public key.
    pub key: String,
    /// The delivery of the unit, from 1.
    pub delivery: u64,
}

/// A unit that this worker holds.
pub struct Claim {
    /// The unit.
    pub unit: Unit,
    /// What the submitter sent.
    pub bytes: Vec<u8>,
    /// How often it was delivered, including this time.
    pub delivery: u64,
    /// The place of its message in the stream: a unit that is submitted again has another one.
    sequence: u64,
    /// The answer to the note that this worker took it.
    taken: Mutex<Option<PublishAckFuture>>,
    message: Arc<Message>,
    held: Arc<Held>,
    key: u64,
}

impl std::fmt::Debug for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Claim")
            .field("unit", &self.unit)
            .field("delivery", &self.delivery)
            .finish_non_exhaustive()
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.held.remove(self.key);
    }
}

impl Claim {
    /// This delivery.
    pub(crate) fn turn(&self) -> String {
        turn(self.sequence, self.delivery)
    }

    /// Notes progress, so that the lease goes on.
    pub fn progress(&self) {
        self.held.note_progress(self.key);
    }
}

/// A unit as the queue gives it.
struct Taken {
    message: Message,
    unit: Unit,
    sequence: u64,
    delivery: u64,
}

impl Cluster {
    /// The next unit of the queue. Waits for one until `wait` is over. A lost connection counts as no unit.
    pub fn claim(
        &self,
        queue: &Queue,
        worker: &WorkerIdentity,
        wait: Duration,
    ) -> Result<Option<Claim>, ClusterError> {
        let claimed = self.stubborn(|| self.block_on(self.try_claim(queue, wait)))?;
        let Some(Taken { message, unit, sequence, delivery }) = claimed else {
            return Ok(None);
        };
        let message = Arc::new(message);
        let key = self.held.insert(&message);
        let taken =
            self.note_taken(&note_subject(&unit, &turn(sequence, delivery)), delivery, worker);
        Ok(Some(Claim {
            unit,
            sequence,
            bytes: message.payload.to_vec(),
            delivery,
            taken: Mutex::new(taken),
            message,
            held: Arc::clone(&self.held),
            key,
        }))
    }

    async fn try_claim(
        &self,
        queue: &Queue,
        wait: Duration,
    ) -> Result<Option<Taken>, ClusterError> {
        let doing = Doing::Claiming;
        let consumer = self.consumer(queue).await?;
        let batch = consumer.batch().max_messages(1).expires(wait).messages();
        let mut batch = batch.await.map_err(|error| self.lost(doing, &error))?;
        let message = match batch.next().await {
            None => return Ok(None),
            Some(Ok(message)) => message,
            Some(Err(error)) => {
                // It may not exist any more: then the next attempt says so.
                self.consumers().remove(queue);
                return Err(ClusterError::Lost { doing, why: error.to_string() });
            }
        };
        let info = message.info().ok();
        let info = info.map(|info| (info.stream_sequence, info.delivered));
        let mut tokens = message.subject.split('.').skip(3);
        let run = tokens.next().map(str::to_owned);
        let number = tokens.next().and_then(|number| number.parse().ok());
        if let (Some(run), Some(number), Some((sequence, delivered))) = (run, number, info) {
            return Ok(Some(Taken {
                message,
                unit: Unit { run, number },
                sequence,
                delivery: u64::try_from(delivered).unwrap_or(1),
            }));
        }
        // Nobody can judge it: it did not come from a submitter.
        let _ = message.ack_with(AckKind::Term).await;
        Ok(None)
    }

    pub(crate) async fn consumer(&self, queue: &Queue) -> Result<PullConsumer, ClusterError> {
        if let Some(known) = self.consumers().get(queue) {
            return Ok(known.clone());
        }
        let name = queue.consumer();
        let found =
            self.jetstream().get_consumer_from_stream::<pull::Config, _, _>(&name, WORK).await;
        let found = found.map_err(|error| self.lost(Doing::Claiming, &error))?;
        self.consumers().insert(queue.clone(), found.clone());
        Ok(found)
    }

    /// Whether this worker was the first to note that it took this delivery. Only then its result counts.
    pub fn holds(&self, claim: &Claim, worker: &WorkerIdentity) -> Result<bool, ClusterError> {
        let taken = claim.taken.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(taken) = taken
            && self.block_on(taken.into_future()).is_ok()
        {
            return Ok(true);
        }
        let note = note(NoteKind::Taken, claim.delivery, worker);
        let subject = note_subject(&claim.unit, &claim.turn());
        if self.create(Doing::Claiming, &subject, &note)? {
            return Ok(true);
        }
        let holders = self.holders(&[(claim.unit.clone(), claim.turn())])?;
        Ok(holders == [Some(worker.key.public())])
    }

    /// The public keys of the workers that took these deliveries of units.
    pub(crate) fn holders(
        &self,
        turns: &[(Unit, String)],
    ) -> Result<Vec<Option<String>>, ClusterError> {
        let notes = self.stubborn(|| {
            let notes = turns.iter().map(|(unit, turn)| async move {
                let subject = note_subject(unit, turn);
                self.try_get(CLAIMS, None, Some((&subject, 0))).await
            });
            self.block_on(futures_util::future::try_join_all(notes))
        })?;
        let taken = notes.into_iter().map(|first| {
            let note: ClaimNote = serde_json::from_slice(&first?.payload).ok()?;
            (note.kind == NoteKind::Taken).then_some(note.key)
        });
        Ok(taken.collect())
    }

    /// Takes a unit off the queue unjudged: it does not come from a submitter.
    pub fn refuse(&self, claim: &Claim) -> Result<(), ClusterError> {
        self.answer(claim, AckKind::Term)
    }

    /// The unit is judged, and its result is stored.
    pub fn done(&self, claim: &Claim) -> Result<(), ClusterError> {
        self.answer(claim, AckKind::Ack)
    }

    /// Returns a unit to the queue, where it stays for `pause`.
    pub fn hand_back(
        &self,
        claim: &Claim,
        worker: &WorkerIdentity,
        kind: NoteKind,
        pause: Option<Duration>,
    ) -> Result<(), ClusterError> {
        // If it is lost, a message about the unit has one name less.
        let subject = note_subject(&claim.unit, &claim.turn());
        let bytes = note(kind, claim.delivery, worker).into();
        self.block_on(async {
            let _ = self.client().publish(subject, bytes).await;
        });
        self.answer(claim, AckKind::Nak(pause))
    }

    /// What happened to the unit so far, since it was submitted.
    pub fn history(&self, claim: &Claim) -> Result<Vec<ClaimNote>, ClusterError> {
        let all = note_subject(&claim.unit, &format!("{}.*", claim.sequence));
        let notes = self.payloads(CLAIMS, &all)?;
        let notes = notes.iter().map(|note| serde_json::from_slice(note));
        Ok(notes.filter_map(Result::ok).collect())
    }

    fn answer(&self, claim: &Claim, kind: AckKind) -> Result<(), ClusterError> {
        self.stubborn(|| {
            self.block_on(async {
                let sent = claim.message.ack_with(kind).await;
                sent.map_err(|error| ClusterError::Lost {
                    doing: Doing::Storing,
                    why: error.to_string(),
                })?;
                // A process that is killed now has told the server.
                let doing = Doing::Storing;
                self.flush().await.map_err(|why| ClusterError::Lost { doing, why })
            })
        })
    }

    /// Notes that a worker takes a unit. It is written to the socket at once, and nobody waits for the server: its answer is
    /// needed when the result is stored.
    fn note_taken(
        &self,
        subject: &str,
        delivery: u64,
        worker: &WorkerIdentity,
    ) -> Option<PublishAckFuture> {
        let message = first_of_subject(&note(NoteKind::Taken, delivery, worker));
        self.block_on(async {
            let sent = self.jetstream().send_publish(subject.to_owned(), message).await;
            let _ = self.flush().await;
            sent.ok()
        })
    }
}

/// A delivery of a unit, in all of its submissions: two tokens of a subject.
fn turn(sequence: u64, delivery: u64) -> String {
    format!("{sequence}.{delivery}")
}

fn note_subject(unit: &Unit, turn: &str) -> String {
    format!("rejudge.claim.{}.{}.{turn}", unit.run, unit.number)
}

fn note(kind: NoteKind, delivery: u64, worker: &WorkerIdentity) -> Vec<u8> {
    let note = ClaimNote { kind, worker: worker.name.clone(), key: worker.key.public(), delivery };
    serde_json::to_vec(&note).expect("a note is always JSON")
}
