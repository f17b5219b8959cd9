//! What the client and the server say about a failure, in terms of [`ClusterError`].

use std::io;

use async_nats::jetstream::context::{ConsumerInfoError, ConsumerInfoErrorKind};
use async_nats::jetstream::stream::{ConsumerError, ConsumerErrorKind, PurgeError, PurgeErrorKind};
use async_nats::jetstream::{Error as Reply, ErrorCode};
use async_nats::{ConnectError, ConnectErrorKind};

use crate::error::{ClusterError, Doing};

/// The status of a server that cannot do it now.
const UNAVAILABLE: usize = 503;

impl ClusterError {
    pub(crate) fn of_connect(url: &str, error: &ConnectError) -> Self {
        let (url, why) = (url.to_owned(), chain(error));
        match error.kind() {
            ConnectErrorKind::ServerParse => Self::Address { url },
            ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
                Self::Refused { url, why }
            }
            ConnectErrorKind::Tls => Self::Tls { url, why },
            // Its own words, and not those of a broken connection.
            _ if is_of_server(error) => Self::Refused { url, why },
            // A server that does not like the certificate just closes the connection.
            _ if url.contains("tls://") && has_ended(error) => Self::Tls { url, why },
            _ => Self::NoServer { url, why },
        }
    }

    /// The error of the client: a refusal of the server, or the lack of an answer.
    pub(crate) fn of_client(doing: Doing, error: &(dyn std::error::Error + 'static)) -> Self {
        let mut cause = Some(error);
        while let Some(known) = cause {
            if let Some(known) = known.downcast_ref::<ConsumerInfoError>()
                && matches!(
                    known.kind(),
                    ConsumerInfoErrorKind::NotFound | ConsumerInfoErrorKind::StreamNotFound
                )
            {
                return Self::Missing { why: known.to_string() };
            }
            if let Some(reply) = reply_of(known) {
                return Self::of_reply(doing, &reply);
            }
            cause = known.source();
        }
        Self::Lost { doing, why: chain(error) }
    }

    /// The error of a reply of `JetStream`.
    pub(crate) fn of_reply(doing: Doing, error: &Reply) -> Self {
        let why = error.to_string();
        match error.error_code() {
            ErrorCode::INSUFFICIENT_RESOURCES
            | ErrorCode::STREAM_STORE_FAILED
            | ErrorCode::STORAGE_RESOURCES_EXCEEDED
            | ErrorCode::MEMORY_RESOURCES_EXCEEDED => Self::Full { doing, why },
            ErrorCode::CONSUMER_NOT_FOUND | ErrorCode::STREAM_NOT_FOUND => Self::Missing { why },
            _ if error.code() == UNAVAILABLE => Self::Lost { doing, why },
            _ => Self::Denied { doing, why },
        }
    }
}

/// Whether the server answered with an error, for example because its time for the check of an account was over.
fn is_of_server(error: &ConnectError) -> bool {
    let cause = std::error::Error::source(error);
    cause.is_some_and(<dyn std::error::Error>::is::<async_nats::ServerError>)
}

/// Whether the other side ended the connection, or sent something else than TLS.
fn has_ended(error: &ConnectError) -> bool {
    let mut cause = std::error::Error::source(error);
    while let Some(known) = cause {
        if let Some(error) = known.downcast_ref::<io::Error>() {
            return matches!(
                error.kind(),
                io::ErrorKind::UnexpectedEof
                    | io::ErrorKind::InvalidData
                    | io::ErrorKind::ConnectionReset
                    | io::ErrorKind::BrokenPipe
            );
        }
        cause = known.source();
    }
    false
}

/// The reply of `JetStream` that this error is, or that its kind has.
fn reply_of(error: &(dyn std::error::Error + 'static)) -> Option<Reply> {
    if let Some(reply) = error.downcast_ref::<Reply>() {
        return Some(reply.clone());
    }
    if let Some(error) = error.downcast_ref::<ConsumerError>()
        && let ConsumerErrorKind::JetStream(reply) = error.kind()
    {
        return Some(reply);
    }
    if let Some(error) = error.downcast_ref::<ConsumerInfoError>()
        && let ConsumerInfoErrorKind::JetStream(reply) = error.kind()
    {
        return Some(reply);
    }
    if let Some(error) = error.downcast_ref::<PurgeError>()
        && let PurgeErrorKind::JetStream(reply) = error.kind()
    {
        return Some(reply);
    }
    None
}

/// The error with its causes, in one line.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        let words = cause.to_string();
        if !text.ends_with(&words) {
            text = format!("{text}: {words}");
        }
        next = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(status: usize, code: u64) -> Reply {
        let text = format!(r#"{{"code":{status},"err_code":{code},"description":"told"}}"#);
        serde_json::from_str(&text).unwrap()
    }

    /// The client puts some replies into the kind of an error, and not into its causes.
    #[test]
    fn what_does_not_exist_is_not_a_lost_connection() {
        let missing = reply(404, 10_014);
        for error in [
            ClusterError::of_client(Doing::Claiming, &ConsumerError::from(missing.clone())),
            ClusterError::of_client(Doing::Claiming, &ConsumerInfoError::from(missing.clone())),
            ClusterError::of_client(Doing::Claiming, &missing),
        ] {
            assert!(matches!(error, ClusterError::Missing { .. }), "{error:?}");
        }
    }

    #[test]
    fn a_full_server_and_a_lost_one_are_temporary() {
        for (status, code) in [(500, 10_023), (503, 10_077), (503, 10_008)] {
            let error = ConsumerError::from(reply(status, code));
            let error = ClusterError::of_client(Doing::Storing, &error);
            assert!(error.is_temporary(), "{error:?}");
        }
        let refused = ClusterError::of_client(Doing::Storing, &reply(400, 10_025));
        assert!(!refused.is_temporary(), "{refused:?}");
    }
}
