//! The results of units. Each is created once; what comes later is noted next to it.

use async_nats::HeaderMap;
use async_nats::header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::{PublishMessage, StreamMessage};
use async_nats::jetstream::stream::DirectGetErrorKind;

use serde::{Deserialize, Serialize};

use crate::claim::Claim;
use crate::connection::Cluster;
use crate::error::{ClusterError, Doing, chain};
use crate::signed::{Purpose, signed_by};
use crate::streams::{RESULTS, WORK, is_token};
use crate::{Queue, Unit, WorkerIdentity};

/// The largest result, in bytes.
const MOST: u64 = 256 << 20;

/// The longest head of a signed result, in bytes.
const MOST_HEAD: usize = 512;

/// The first line of what a worker signs. The bytes follow, unless they are in pieces.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    /// The delivery of the unit: the place of its message in the stream, a dot, and the number of the delivery.
    turn: String,
    /// Where the bytes are, if one message has no room for them.
    pieces: Option<Pieces>,
}

impl Head {
    /// The message of a worker with these bytes.
    fn signed(
        &self,
        purpose: Purpose,
        claim: &Claim,
        worker: &WorkerIdentity,
        bytes: &[u8],
    ) -> Vec<u8> {
        let mut text = serde_json::to_vec(self).expect("a head is always JSON");
        text.push(b'\n');
        text.extend_from_slice(bytes);
        worker.key.sign(purpose, &claim.unit, &text)
    }
}

/// Bytes in several messages.
#[derive(Debug, Serialize, Deserialize)]
struct Pieces {
    /// The name of all bytes: see [`Cluster::blob_name`].
    name: String,
    count: usize,
    size: u64,
}

/// What became of a result that was to be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stored {
    /// It is the first one.
    First,
    /// There is one: these bytes.
    Known(Vec<u8>),
}

/// The kind of a stored message about a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultKind {
    /// The result.
    First,
    /// A note about a result that came again.
    Again,
    /// A request to judge the unit on a machine of the reference class.
    Elsewhere,
}

impl ResultKind {
    /// What a message is whose subject goes on with `token` after the number of the unit.
    fn of_token(token: Option<&str>) -> Option<Self> {
        match token {
            None => Some(Self::First),
            Some("again") => Some(Self::Again),
            Some("elsewhere") => Some(Self::Elsewhere),
            Some(_) => None,
        }
    }

    /// What its signature is for.
    fn purpose(self) -> Purpose {
        match self {
            Self::First => Purpose::Result,
            Self::Again | Self::Elsewhere => Purpose::Again,
        }
    }
}

/// A stored message about a unit.
#[derive(Debug, Clone)]
pub struct StoredResult {
    /// Its place in the stream: later ones have greater numbers.
    pub sequence: u64,
    /// The number of the unit.
    pub unit: usize,
    /// What the bytes are.
    pub kind: ResultKind,
    /// The bytes.
    pub bytes: Vec<u8>,
}

fn subject(run: &str, unit: usize) -> String {
    format!("rejudge.result.{run}.{unit}")
}

fn piece_subject(subject: &str, name: &str, index: usize) -> String {
    format!("{subject}.piece.{name}.{index}")
}

fn of_unit(unit: &Unit) -> String {
    subject(&unit.run, unit.number)
}

/// A message that the server takes only as the first one of its subject.
pub(crate) fn first_of_subject(bytes: &[u8]) -> PublishMessage {
    let mut headers = HeaderMap::new();
    headers.insert(NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, "0");
    PublishMessage::build()
        .payload(bytes.to_vec().into())
        .headers(headers)
}

impl Cluster {
    /// Stores the result of a unit that the worker holds, unless there is one.
    pub fn store(
        &self,
        claim: &Claim,
        worker: &WorkerIdentity,
        bytes: &[u8],
    ) -> Result<Stored, ClusterError> {
        let subject = of_unit(&claim.unit);
        let most = self.room();
        let pieces = (bytes.len() > most)
            .then(|| self.store_pieces(&subject, bytes, most))
            .transpose()?;
        let inline = if pieces.is_some() { &[][..] } else { bytes };
        let head = Head {
            turn: claim.turn(),
            pieces,
        };
        let message = head.signed(Purpose::Result, claim, worker, inline);
        loop {
            if self.create(Doing::Storing, &subject, &message)? {
                return Ok(Stored::First);
            }
            // It may be our own, if the reply to the first attempt was lost: then its bytes are ours.
            if let Some(known) = self.last(RESULTS, &subject)? {
                let known = known.payload.to_vec();
                return Ok(if known == message {
                    Stored::First
                } else {
                    Stored::Known(known)
                });
            }
        }
    }

    /// Stores bytes in messages of at most `most` bytes. The names of their subjects depend on the bytes, so what is stored twice
    /// is equal.
    fn store_pieces(
        &self,
        subject: &str,
        bytes: &[u8],
        most: usize,
    ) -> Result<Pieces, ClusterError> {
        let name = Self::blob_name(bytes);
        let pieces = bytes.chunks(most);
        let count = pieces.len();
        for (index, piece) in pieces.enumerate() {
            self.create(Doing::Storing, &piece_subject(subject, &name, index), piece)?;
        }
        Ok(Pieces {
            name,
            count,
            size: bytes.len() as u64,
        })
    }

    /// The bytes of a result, or of a note about one, if a worker that held the unit signed them.
    pub fn opened(
        &self,
        unit: &Unit,
        kind: ResultKind,
        message: &[u8],
    ) -> Result<Vec<u8>, ClusterError> {
        let unsigned = |why| ClusterError::Unsigned { why };
        let signed = signed_by(message, kind.purpose(), unit);
        let (key, text) = signed.ok_or(unsigned("it is not signed for its unit"))?;
        let end = text.iter().take(MOST_HEAD).position(|&byte| byte == b'\n');
        let head = end.and_then(|end| Some((serde_json::from_slice(&text[..end]).ok()?, end)));
        let (head, end): (Head, usize) = head.ok_or(unsigned("it does not say what it is"))?;
        let is_turn = head.turn.split('.').all(is_token);
        if !is_turn || self.holder(unit, &head.turn)?.as_deref() != Some(key) {
            return Err(unsigned("its worker did not hold the unit"));
        }
        match head.pieces {
            None => Ok(text[end + 1..].to_vec()),
            Some(pieces) => self.joined(&of_unit(unit), &pieces),
        }
    }

    fn joined(&self, subject: &str, pieces: &Pieces) -> Result<Vec<u8>, ClusterError> {
        let damaged = |why: &str| ClusterError::Damaged {
            name: pieces.name.clone(),
            why: why.to_owned(),
        };
        if pieces.size > MOST || pieces.count as u64 > pieces.size || !is_token(&pieces.name) {
            return Err(damaged("it is too large"));
        }
        let mut bytes = Vec::new();
        for index in 0..pieces.count {
            let piece = self.last(RESULTS, &piece_subject(subject, &pieces.name, index))?;
            let piece = piece.ok_or_else(|| damaged("a piece is missing"))?;
            bytes.extend_from_slice(&piece.payload);
            if bytes.len() as u64 > pieces.size {
                break;
            }
        }
        if Self::blob_name(&bytes) != pieces.name {
            return Err(damaged("its content has another digest"));
        }
        Ok(bytes)
    }

    /// Notes that a result came again.
    pub fn note_again(
        &self,
        claim: &Claim,
        worker: &WorkerIdentity,
        bytes: &[u8],
    ) -> Result<(), ClusterError> {
        let subject = format!("{}.again.{}", of_unit(&claim.unit), worker.name);
        let head = Head {
            turn: claim.turn(),
            pieces: None,
        };
        let message = head.signed(Purpose::Again, claim, worker, bytes);
        self.stubborn(|| self.block_on(self.publish(Doing::Storing, &subject, None, &message)))?;
        Ok(())
    }

    /// Asks the submitter to let a machine of the reference class judge a unit. `worker` is a token.
    pub fn request_reference(
        &self,
        (run, unit): (&str, usize),
        worker: &str,
    ) -> Result<(), ClusterError> {
        let subject = format!("{}.elsewhere.{worker}", subject(run, unit));
        self.stubborn(|| self.block_on(self.publish(Doing::Storing, &subject, None, &[])))?;
        Ok(())
    }

    /// The notes about results of the run that came again, from workers that held their units.
    pub fn notes_again(&self, run: &str) -> Result<Vec<Vec<u8>>, ClusterError> {
        let all = format!("rejudge.result.{run}.*.again.*");
        let mut notes = Vec::new();
        let mut after = 0;
        while let Some(message) = self.next(RESULTS, &all, after)? {
            after = message.sequence;
            let number = message
                .subject
                .split('.')
                .nth(3)
                .and_then(|number| number.parse().ok());
            let Some(number) = number else { continue };
            let unit = Unit {
                run: run.to_owned(),
                number,
            };
            match self.opened(&unit, ResultKind::Again, &message.payload) {
                Ok(note) => notes.push(note),
                Err(ClusterError::Unsigned { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(notes)
    }

    /// The message with the result of a unit, if there is one.
    pub fn result(&self, unit: &Unit) -> Result<Option<Vec<u8>>, ClusterError> {
        let found = self.last(RESULTS, &of_unit(unit))?;
        Ok(found.map(|message| message.payload.to_vec()))
    }

    /// The next message about a unit of the run, after the one with the number `after`. `None`: there is none yet.
    pub fn next_result(&self, run: &str, after: u64) -> Result<Option<StoredResult>, ClusterError> {
        let all = format!("rejudge.result.{run}.>");
        let mut after = after;
        while let Some(message) = self.next(RESULTS, &all, after)? {
            after = message.sequence;
            let mut tokens = message.subject.split('.').skip(3);
            let unit = tokens.next().and_then(|unit| unit.parse().ok());
            let kind = ResultKind::of_token(tokens.next());
            if let (Some(unit), Some(kind)) = (unit, kind) {
                return Ok(Some(StoredResult {
                    sequence: message.sequence,
                    unit,
                    kind,
                    bytes: message.payload.to_vec(),
                }));
            }
        }
        Ok(None)
    }

    /// Submits units, unless they wait already. Each has a number and its bytes.
    pub fn submit(
        &self,
        queue: &Queue,
        run: &str,
        units: &[(usize, Vec<u8>)],
    ) -> Result<(), ClusterError> {
        // Requests in flight at the same time.
        const TOGETHER: usize = 256;
        for units in units.chunks(TOGETHER) {
            self.stubborn(|| {
                self.block_on(async {
                    let sent = units.iter().map(|(unit, bytes)| {
                        let subject = queue.subject(run, *unit);
                        async move { self.try_create(Doing::Submitting, &subject, bytes).await }
                    });
                    futures_util::future::try_join_all(sent).await
                })
            })?;
        }
        Ok(())
    }

    /// Removes the units of a run that wait.
    pub fn withdraw(&self, run: &str) -> Result<(), ClusterError> {
        let doing = Doing::Submitting;
        let filter = format!("rejudge.*.*.{run}.>");
        self.stubborn(|| {
            self.block_on(async {
                let stream = self.stream(doing, WORK).await?;
                let purged = stream.purge().filter(&filter).await;
                purged.map(drop).map_err(|error| self.lost(doing, &error))
            })
        })
    }

    /// The messages whose subjects fit, in order.
    pub(crate) fn payloads(
        &self,
        stream: &str,
        subject: &str,
    ) -> Result<Vec<Vec<u8>>, ClusterError> {
        let mut payloads = Vec::new();
        let mut after = 0;
        while let Some(message) = self.next(stream, subject, after)? {
            after = message.sequence;
            payloads.push(message.payload.to_vec());
        }
        Ok(payloads)
    }

    /// Creates a message, unless its subject has one. Whether it was created.
    pub(crate) fn create(
        &self,
        doing: Doing,
        subject: &str,
        bytes: &[u8],
    ) -> Result<bool, ClusterError> {
        self.stubborn(|| self.block_on(self.try_create(doing, subject, bytes)))
    }

    async fn try_create(
        &self,
        doing: Doing,
        subject: &str,
        bytes: &[u8],
    ) -> Result<bool, ClusterError> {
        self.publish_message(doing, subject, first_of_subject(bytes))
            .await
    }

    /// Publishes a message. Whether the server accepts it as the first of its subject, where that is demanded.
    pub(crate) async fn publish(
        &self,
        doing: Doing,
        subject: &str,
        headers: Option<HeaderMap>,
        bytes: &[u8],
    ) -> Result<bool, ClusterError> {
        let mut message = PublishMessage::build().payload(bytes.to_vec().into());
        if let Some(headers) = headers {
            message = message.headers(headers);
        }
        self.publish_message(doing, subject, message).await
    }

    async fn publish_message(
        &self,
        doing: Doing,
        subject: &str,
        message: PublishMessage,
    ) -> Result<bool, ClusterError> {
        let sent = self.jetstream().send_publish(subject.to_owned(), message);
        let acked = match sent.await {
            Ok(sent) => sent.await,
            Err(error) => Err(error),
        };
        match acked {
            Ok(_) => Ok(true),
            Err(error) => match error.kind() {
                PublishErrorKind::WrongLastSequence => Ok(false),
                // No stream listens, or the server has just started and does not know its streams yet.
                PublishErrorKind::StreamNotFound => Err(ClusterError::Lost {
                    doing,
                    why: format!("no stream takes `{subject}`"),
                }),
                PublishErrorKind::TimedOut if self.jetstream().query_account().await.is_ok() => {
                    Err(ClusterError::Stuck { doing })
                }
                _ => Err(self.lost(doing, &error)),
            },
        }
    }

    /// The last message of a subject.
    pub(crate) fn last(
        &self,
        stream: &str,
        subject: &str,
    ) -> Result<Option<StreamMessage>, ClusterError> {
        self.get(stream, Some(subject), None)
    }

    /// The first message after the one with the number `after` whose subject fits.
    pub(crate) fn next(
        &self,
        stream: &str,
        subject: &str,
        after: u64,
    ) -> Result<Option<StreamMessage>, ClusterError> {
        self.get(stream, None, Some((subject, after)))
    }

    fn get(
        &self,
        stream: &str,
        last: Option<&str>,
        next: Option<(&str, u64)>,
    ) -> Result<Option<StreamMessage>, ClusterError> {
        let doing = Doing::Reading;
        self.stubborn(|| {
            self.block_on(async {
                let opened = self.stream(doing, stream).await?;
                let mut get = opened.direct_get_builder();
                if let Some(subject) = last {
                    get = get.last_by_subject(subject);
                }
                if let Some((subject, after)) = next {
                    get = get.next_by_subject(subject).sequence(after + 1);
                }
                match get.send().await {
                    Ok(message) => Ok(Some(message)),
                    Err(error) => match error.kind() {
                        DirectGetErrorKind::NotFound => Ok(None),
                        DirectGetErrorKind::ErrorResponse(status, words) => {
                            Err(ClusterError::Lost {
                                doing,
                                why: format!("{status} {words}"),
                            })
                        }
                        _ => Err(self.lost(doing, &error)),
                    },
                }
            })
        })
    }

    pub(crate) async fn stream(
        &self,
        doing: Doing,
        name: &str,
    ) -> Result<async_nats::jetstream::stream::Stream<()>, ClusterError> {
        let stream = self.jetstream().get_stream_no_info(name).await;
        stream.map_err(|error| ClusterError::Lost {
            doing,
            why: chain(&error),
        })
    }
}
