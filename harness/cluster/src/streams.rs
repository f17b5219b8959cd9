//! The streams on the server: their names, their subjects, and how they are created.

use std::time::Duration;

use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::consumer::AckPolicy;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::context::{AccountErrorKind, CreateStreamErrorKind};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};

use crate::LEASE;
use crate::connection::Cluster;
use crate::error::{ClusterError, Doing};
use crate::queue::Queue;
use crate::table::{self, Table};

pub(crate) const WORK: &str = "REJUDGE_WORK";
pub(crate) const RESULTS: &str = "REJUDGE_RESULTS";
pub(crate) const CLAIMS: &str = "REJUDGE_CLAIMS";
pub(crate) const BLOBS: &str = "OBJ_rejudge_blobs";

/// How long runs and their results are kept.
const KEPT: Duration = Duration::from_secs(30 * 86_400);

/// The most units that workers may hold at the same time.
const MOST_HELD: i64 = 20_000;

/// What all streams have in common.
fn stream(name: &str, subjects: &[&str], description: &str) -> Config {
    Config {
        name: name.to_owned(),
        subjects: subjects.iter().map(|&subject| subject.to_owned()).collect(),
        description: Some(description.to_owned()),
        storage: StorageType::File,
        num_replicas: 1,
        max_bytes: -1,
        max_messages: -1,
        max_messages_per_subject: -1,
        max_consumers: -1,
        // Nothing is dropped in silence: a full stream refuses what comes.
        discard: DiscardPolicy::New,
        max_age: KEPT,
        allow_direct: true,
        ..Config::default()
    }
}

fn configs() -> Vec<Config> {
    let table = |table: Table, age| Config {
        max_messages_per_subject: 1,
        max_age: age,
        allow_rollup: true,
        deny_delete: true,
        ..stream(&table.stream(), &[&table.subject(">")], "rejudge: a table of what is running")
    };
    vec![
        Config {
            retention: RetentionPolicy::WorkQueue,
            ..stream(WORK, &["rejudge.again.>", "rejudge.work.>"], "rejudge: units to judge")
        },
        stream(RESULTS, &["rejudge.result.>"], "rejudge: the results of units"),
        // A result counts only with the note of its worker, so these are kept as long.
        stream(CLAIMS, &["rejudge.claim.>"], "rejudge: who took and who returned a unit"),
        Config {
            allow_rollup: true,
            ..stream(
                BLOBS,
                &["$O.rejudge_blobs.C.>", "$O.rejudge_blobs.M.>"],
                "rejudge: files by their BLAKE3 digest",
            )
        },
        table(Table::Workers, table::ALIVE),
        table(Table::Runs, KEPT),
    ]
}

impl Cluster {
    /// Creates the streams and the queue that do not exist yet. What exists must have the same purpose.
    pub fn prepare(&self) -> Result<(), ClusterError> {
        for config in configs() {
            self.stubborn(|| self.block_on(self.create_stream(&config)))?;
        }
        self.open_queue(&Queue::Any)
    }

    /// Sets how long stored files are kept.
    pub fn set_blob_lifetime(&self, lifetime: Duration) -> Result<(), ClusterError> {
        let doing = Doing::Preparing;
        self.stubborn(|| {
            self.block_on(async {
                let stream = self.stream(doing, BLOBS).await?;
                let info = stream.get_info().await;
                let mut config = info.map_err(|error| self.lost(doing, &error))?.config;
                config.max_age = lifetime;
                let updated = self.jetstream().update_stream(config).await;
                updated.map(drop).map_err(|error| self.lost(doing, &error))
            })
        })
    }

    /// Creates the queue of a class of machines, or the common one.
    pub fn open_queue(&self, queue: &Queue) -> Result<(), ClusterError> {
        let doing = Doing::Preparing;
        self.stubborn(|| {
            self.block_on(async {
                let config = pull::Config {
                    durable_name: Some(queue.consumer()),
                    ack_policy: AckPolicy::Explicit,
                    ack_wait: LEASE,
                    max_deliver: -1,
                    max_ack_pending: MOST_HELD,
                    max_waiting: 10_000,
                    filter_subject: queue.filter(),
                    ..pull::Config::default()
                };
                let made = self.jetstream().create_consumer_on_stream(config, WORK);
                made.await.map(drop).map_err(|error| self.lost(doing, &error))
            })
        })
    }

    /// Fails if the server is not prepared for work.
    pub fn check(&self) -> Result<(), ClusterError> {
        let found = self.block_on(self.consumer(&Queue::Any));
        match found {
            Err(ClusterError::Lost { .. }) if self.has_no_jetstream() => Err(self.no_jetstream()),
            found => found.map(drop),
        }
    }

    fn has_no_jetstream(&self) -> bool {
        let account = self.block_on(self.jetstream().query_account());
        account.is_err_and(|error| {
            matches!(
                error.kind(),
                AccountErrorKind::JetStreamUnavailable | AccountErrorKind::JetStream(_)
            )
        })
    }

    /// The number of units that wait in a queue, and of those that workers hold. `None`: there is no such queue.
    pub fn load(&self, queue: &Queue) -> Result<Option<(u64, usize)>, ClusterError> {
        let doing = Doing::Reading;
        self.stubborn(|| {
            self.block_on(async {
                let stream = self.stream(doing, WORK).await?;
                match stream.consumer_info(queue.consumer()).await {
                    Ok(info) => Ok(Some((info.num_pending, info.num_ack_pending))),
                    Err(error) => match self.lost(doing, &error) {
                        ClusterError::Missing { .. } => Ok(None),
                        error => Err(error),
                    },
                }
            })
        })
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

    async fn create_stream(&self, config: &Config) -> Result<(), ClusterError> {
        let doing = Doing::Preparing;
        let stream = config.name.clone();
        let known = self.jetstream().get_or_create_stream(config.clone()).await;
        match known {
            Ok(known) => {
                let info = known.cached_info();
                match difference(config, &info.config) {
                    Some(why) => Err(ClusterError::Foreign { stream, why }),
                    None => Ok(()),
                }
            }
            Err(error) => Err(match error.kind() {
                CreateStreamErrorKind::JetStreamUnavailable => self.no_jetstream(),
                CreateStreamErrorKind::JetStream(reply) => match reply.error_code() {
                    ErrorCode::JETSTREAM_NOT_ENABLED
                    | ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT => self.no_jetstream(),
                    ErrorCode::STREAM_SUBJECT_OVERLAP => {
                        let subjects = config.subjects.join("`, `");
                        let why = format!("its subjects `{subjects}` belong to another stream");
                        ClusterError::Foreign { stream, why }
                    }
                    _ => ClusterError::of_reply(doing, &reply),
                },
                _ => self.lost(doing, &error),
            }),
        }
    }
}

/// How a stream differs from the one that is needed. Ages and sizes may be set by the server's owner.
fn difference(wanted: &Config, found: &Config) -> Option<String> {
    let mut subjects = found.subjects.clone();
    subjects.sort();
    if subjects != wanted.subjects {
        return Some(format!("it has the subjects `{}`", subjects.join("`, `")));
    }
    if found.retention != wanted.retention {
        return Some("it keeps messages in another way".to_owned());
    }
    if !found.allow_direct {
        return Some("it does not allow direct gets".to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_of_another_purpose_is_recognized() {
        let wanted = configs().swap_remove(0);
        assert_eq!(difference(&wanted, &wanted), None);
        let mut other = wanted.clone();
        other.max_age = Duration::from_secs(1);
        assert_eq!(difference(&wanted, &other), None);
        other.subjects = vec!["orders.>".to_owned()];
        assert_eq!(difference(&wanted, &other).unwrap(), "it has the subjects `orders.>`");
        let other = Config { retention: RetentionPolicy::Limits, ..wanted.clone() };
        assert!(difference(&wanted, &other).is_some());
    }
}
