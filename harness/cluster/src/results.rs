//! The results of units. Each is created once; what comes later is noted next to it.

use async_nats::HeaderMap;
use async_nats::header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::{PublishMessage, StreamMessage};
use async_nats::jetstream::stream::DirectGetErrorKind;

use crate::connection::Cluster;
use crate::error::{ClusterError, Doing, chain};
use crate::streams::{CLAIMS, RESULTS, WORK};
use crate::{Queue, Unit};

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

impl Cluster {
    /// Stores the result of a unit, unless there is one.
    pub fn store(&self, run: &str, unit: usize, bytes: &[u8]) -> Result<Stored, ClusterError> {
        let subject = subject(run, unit);
        loop {
            if self.create(Doing::Storing, &subject, bytes)? {
                return Ok(Stored::First);
            }
            // It may be our own, if the reply to the first attempt was lost: then its bytes are ours.
            if let Some(known) = self.last(RESULTS, &subject)? {
                let known = known.payload.to_vec();
                return Ok(if known == bytes {
                    Stored::First
                } else {
                    Stored::Known(known)
                });
            }
        }
    }

    /// Notes that a result came again. `worker` is a token.
    pub fn note_again(
        &self,
        (run, unit): (&str, usize),
        worker: &str,
        bytes: &[u8],
    ) -> Result<(), ClusterError> {
        let subject = format!("{}.again.{worker}", subject(run, unit));
        self.stubborn(|| self.block_on(self.publish(Doing::Storing, &subject, None, bytes)))?;
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

    /// The notes about results of the run that came again.
    pub fn notes_again(&self, run: &str) -> Result<Vec<Vec<u8>>, ClusterError> {
        self.payloads(RESULTS, &format!("rejudge.result.{run}.*.again.*"))
    }

    /// The result of a unit, if there is one.
    pub fn result(&self, run: &str, unit: usize) -> Result<Option<Vec<u8>>, ClusterError> {
        let found = self.last(RESULTS, &subject(run, unit))?;
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

    /// The notes about who took a unit and who returned it, in order.
    pub(crate) fn claims(&self, unit: &Unit) -> Result<Vec<Vec<u8>>, ClusterError> {
        let all = format!("rejudge.claim.{}.{}.>", unit.run, unit.number);
        self.payloads(CLAIMS, &all)
    }

    /// The messages whose subjects fit, in order.
    fn payloads(&self, stream: &str, subject: &str) -> Result<Vec<Vec<u8>>, ClusterError> {
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
        let mut headers = HeaderMap::new();
        headers.insert(NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, "0");
        self.publish(doing, subject, Some(headers), bytes).await
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
