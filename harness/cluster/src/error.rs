//! Why something could not be done with the server.

use std::io;
use std::path::PathBuf;

/// What was attempted, for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// Creating the streams.
    Preparing,
    /// Sending a file.
    Sending,
    /// Submitting a unit.
    Submitting,
    /// Waiting for work.
    Claiming,
    /// Storing a result.
    Storing,
    /// Reading what is stored.
    Reading,
    /// Removing files that nobody needs.
    Removing,
}

impl std::fmt::Display for Doing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Preparing => "create the streams",
            Self::Sending => "send a file",
            Self::Submitting => "submit a unit",
            Self::Claiming => "ask for work",
            Self::Storing => "store a result",
            Self::Reading => "read what is stored",
            Self::Removing => "remove files",
        })
    }
}

/// Why something could not be done with the server.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// Nothing answers.
    #[error("cannot reach a NATS server at `{url}`: {why}")]
    NoServer {
        /// The address.
        url: String,
        /// The client's reason.
        why: String,
    },
    /// The address is not one.
    #[error("`{url}` is not the address of a NATS server")]
    Address {
        /// The address.
        url: String,
    },
    /// The server refuses the credentials, or demands some.
    #[error("the NATS server at `{url}` refuses the connection: {why}")]
    Refused {
        /// The address.
        url: String,
        /// The client's reason.
        why: String,
    },
    /// No encrypted connection.
    #[error("cannot connect to `{url}` with TLS: {why}")]
    Tls {
        /// The address.
        url: String,
        /// The reason.
        why: String,
    },
    /// The encryption needs a later processor.
    #[error("cannot connect to `{url}` with TLS: this processor has no AVX2, ADX, BMI2 or AES")]
    Processor {
        /// The address.
        url: String,
    },
    /// A file with credentials, a key or a certificate cannot be used.
    #[error("cannot use `{}`: {why}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// A new key would replace another one.
    #[error("`{}` exists", path.display())]
    KeyExists {
        /// The file.
        path: PathBuf,
    },
    /// Others than its owner can use a key.
    #[error("others than its owner can use the key `{}`: its mode is {mode:03o}", path.display())]
    OpenKey {
        /// The file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// A message about a unit does not come from a worker that held it.
    #[error("a result was refused: {why}")]
    Unsigned {
        /// The reason.
        why: &'static str,
    },
    /// The server is too old.
    #[error("the NATS server at `{url}` has version {version}, and 2.9 or later is needed")]
    Old {
        /// The address.
        url: String,
        /// Its version.
        version: String,
    },
    /// The server stores nothing.
    #[error("the NATS server at `{url}` has no JetStream")]
    NoJetStream {
        /// The address.
        url: String,
    },
    /// A stream of the same name or with the same subjects has another purpose.
    #[error("the stream `{stream}` of the NATS server has another purpose: {why}")]
    Foreign {
        /// The stream.
        stream: String,
        /// The difference.
        why: String,
    },
    /// A stream or a queue does not exist.
    #[error("the NATS server is not prepared for work: {why}")]
    Missing {
        /// The server's words.
        why: String,
    },
    /// The account may not do this.
    #[error("cannot {doing}: {why}")]
    Denied {
        /// The attempt.
        doing: Doing,
        /// The server's words.
        why: String,
    },
    /// The server cannot store more.
    #[error("cannot {doing}: the NATS server is full: {why}")]
    Full {
        /// The attempt.
        doing: Doing,
        /// The server's words.
        why: String,
    },
    /// The server answers, and does not confirm that it stores something.
    #[error("cannot {doing}: the NATS server answers, but stores nothing: its disk may be full")]
    Stuck {
        /// The attempt.
        doing: Doing,
    },
    /// The server does not answer now.
    #[error("cannot {doing}: the NATS server does not answer: {why}")]
    Lost {
        /// The attempt.
        doing: Doing,
        /// The client's words.
        why: String,
    },
    /// What was fetched is not what its name promises.
    #[error("the object `{name}` of the NATS server is damaged: {why}")]
    Damaged {
        /// The name.
        name: String,
        /// The difference.
        why: String,
    },
    /// The caller gave up while the server did not answer.
    #[error("stopped while waiting for the NATS server")]
    Stopped,
    /// The runtime of the client cannot be started.
    #[error("cannot start the client of NATS")]
    Runtime(#[source] io::Error),
}

impl ClusterError {
    /// Whether it may succeed later without any change.
    #[must_use]
    pub fn is_temporary(&self) -> bool {
        matches!(self, Self::Lost { .. } | Self::Full { .. } | Self::Stuck { .. })
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        Some(match self {
            Self::NoServer { .. } => {
                "start one with `nats-server -js`, or correct the address after `--nats`".to_owned()
            }
            Self::Address { .. } => {
                "write it as `nats://HOST:4222`, or `tls://HOST:4222`".to_owned()
            }
            Self::Refused { .. } => {
                "name the file of your account with `--nats-creds FILE` or `--nats-nkey FILE`; if you did, and the \
                 server was too busy to check it, try again"
                    .to_owned()
            }
            Self::Tls { .. } => {
                "name the file of the certificate authority with `--nats-ca FILE`, and your own certificate with \
                 `--nats-cert` and `--nats-key` if the server demands one; the name in the address must be that of the \
                 server's certificate"
                    .to_owned()
            }
            Self::Processor { .. } => {
                "use a later processor, or a tunnel to the server and a `nats://` address".to_owned()
            }
            Self::File { .. } => "correct the path, or the file's contents".to_owned(),
            Self::KeyExists { .. } => "name another file; a key is never overwritten".to_owned(),
            Self::OpenKey { path, .. } => format!("`chmod 600 {}`", path.display()),
            Self::Unsigned { .. } => {
                "see whether somebody else than workers writes to the server".to_owned()
            }
            Self::Old { .. } => "install a later version of `nats-server`".to_owned(),
            Self::NoJetStream { .. } => {
                "start it with `nats-server -js`, or enable JetStream for your account".to_owned()
            }
            Self::Foreign { stream, .. } => format!(
                "use another server or account, or remove the stream with `nats stream rm {stream}` if nobody needs it"
            ),
            Self::Missing { .. } => {
                "prepare the server with `rejudge cluster --prepare`, or submit a run".to_owned()
            }
            Self::Denied { .. } => {
                "add the permissions of the guide's page about NATS to the account".to_owned()
            }
            Self::Full { .. } => {
                "free space in the server's store, or raise `max_file_store` in its settings, and start it again"
                    .to_owned()
            }
            Self::Stuck { .. } => {
                "if the server's log says so, free space in its store, and start it again".to_owned()
            }
            Self::Lost { .. } => {
                "if the server runs, see its log: with a full disk, some versions hang; free space, end it with \
                 `kill -9`, and start it again"
                    .to_owned()
            }
            Self::Damaged { .. } => {
                "remove the stream `OBJ_rejudge_blobs` and submit the run again".to_owned()
            }
            Self::Stopped | Self::Runtime(_) => return None,
        })
    }
}
