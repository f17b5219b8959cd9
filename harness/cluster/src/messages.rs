//! Messages: how they are published, and how they are read, which needs no consumer and no state at the server.

use async_nats::HeaderMap;
use async_nats::header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::{PublishMessage, StreamMessage};
use async_nats::jetstream::stream::DirectGetErrorKind;

use crate::connection::Cluster;
use crate::error::{ClusterError, Doing};
use crate::replies::chain;

/// A message that the server takes only as the first one of its subject.
pub(crate) fn first_of_subject(bytes: &[u8]) -> PublishMessage {
    let mut headers = HeaderMap::new();
    headers.insert(NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, "0");
    PublishMessage::build().payload(bytes.to_vec().into()).headers(headers)
}

impl Cluster {
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

    pub(crate) async fn try_create(
        &self,
        doing: Doing,
        subject: &str,
        bytes: &[u8],
    ) -> Result<bool, ClusterError> {
        self.publish_message(doing, subject, first_of_subject(bytes)).await
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
                PublishErrorKind::StreamNotFound => {
                    Err(ClusterError::Lost { doing, why: format!("no stream takes `{subject}`") })
                }
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
        self.stubborn(|| self.block_on(self.try_get(stream, last, next)))
    }

    /// The same, once: the last message of a subject, or the next one after a number.
    pub(crate) async fn try_get(
        &self,
        stream: &str,
        last: Option<&str>,
        next: Option<(&str, u64)>,
    ) -> Result<Option<StreamMessage>, ClusterError> {
        let doing = Doing::Reading;
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
                    Err(ClusterError::Lost { doing, why: format!("{status} {words}") })
                }
                _ => Err(self.lost(doing, &error)),
            },
        }
    }

    pub(crate) async fn stream(
        &self,
        doing: Doing,
        name: &str,
    ) -> Result<async_nats::jetstream::stream::Stream<()>, ClusterError> {
        let stream = self.jetstream().get_stream_no_info(name).await;
        stream.map_err(|error| ClusterError::Lost { doing, why: chain(&error) })
    }
}
