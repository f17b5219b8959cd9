//! Work, results and files on a NATS server, for machines that judge together.
//!
//! This crate knows nothing about judging: units of work, results and files are bytes with names. Its interface is
//! synchronous: a runtime of its own drives the client.
//!
//! # What is on the server
//!
//! | stream | holds | written by |
//! |---|---|---|
//! | `REJUDGE_WORK` | the units that wait or are judged, each once | submitters; workers return units to it |
//! | `REJUDGE_RESULTS` | the result of each unit, created once, and notes about what came twice | workers |
//! | `REJUDGE_CLAIMS` | who took a unit, who handed it back | workers |
//! | `KV_rejudge_workers` | the workers that are alive | workers |
//! | `KV_rejudge_runs` | the runs | submitters |
//! | `OBJ_rejudge_blobs` | files, by the BLAKE3 digest of their content | submitters |
//!
//! Every operation that changes something can be repeated: units and results are created only if they are absent, and
//! files are named by their content. So a lost connection or a killed process loses and doubles nothing.
//!
//! Whoever may write to a stream is not believed for that: units are signed by submitters, and results by the worker that noted
//! first that it took the delivery of the unit.
//!
//! Messages are read with direct gets, which need no consumer and no state at the server. Only the work has a consumer,
//! because the server must know who holds which unit.

//! # Layers
//!
//! A module imports only modules that are further right in its row, or in a row below. A test in the harness holds this.
//!
//! ```text
//! notes     results claim
//! stored    blobs streams table messages
//! server    connection
//! base      signed held queue replies error
//! ```

#![forbid(unsafe_code)]

mod blobs;
mod claim;
mod connection;
mod error;
mod held;
mod messages;
mod queue;
mod replies;
mod results;
mod signed;
mod streams;
mod table;

pub use blobs::{BlobTotal, StoredBlob};
pub use claim::{Claim, ClaimNote, NoteKind, WorkerIdentity};
pub use connection::{Access, Cluster, Trouble};
pub use error::{ClusterError, Doing};
pub use queue::{Queue, Unit, is_token};
pub use results::{ResultKind, Stored, StoredResult};
pub use signed::{Purpose, SigningKey, is_public_key, signed_by};
pub use table::{Row, Table};

/// How long a worker may be silent before its unit goes to another one.
pub const LEASE: std::time::Duration = std::time::Duration::from_secs(30);
