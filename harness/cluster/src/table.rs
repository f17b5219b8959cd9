//! Tables of what is running, in the form of NATS key-value buckets.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use async_nats::jetstream::message::StreamMessage;

use crate::connection::Cluster;
use crate::error::{ClusterError, Doing};

/// How long the row of a worker stays after its last sign of life.
pub(crate) const ALIVE: Duration = Duration::from_secs(45);

/// A table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Table {
    /// The workers. A row disappears when its worker is silent for 45 s.
    Workers,
    /// The runs.
    Runs,
}

impl Table {
    fn bucket(self) -> &'static str {
        match self {
            Self::Workers => "rejudge_workers",
            Self::Runs => "rejudge_runs",
        }
    }

    pub(crate) fn stream(self) -> String {
        format!("KV_{}", self.bucket())
    }

    pub(crate) fn subject(self, key: &str) -> String {
        format!("$KV.{}.{key}", self.bucket())
    }
}

/// A row of a table.
#[derive(Debug, Clone)]
pub struct Row {
    /// Its key.
    pub key: String,
    /// Its value.
    pub value: Vec<u8>,
    /// When it was written.
    pub written: SystemTime,
}

impl Cluster {
    /// Writes a row. `key` is a token.
    pub fn put(&self, table: Table, key: &str, value: &[u8]) -> Result<(), ClusterError> {
        let subject = table.subject(key);
        self.stubborn(|| self.block_on(self.publish(Doing::Storing, &subject, None, value)))?;
        Ok(())
    }

    /// Removes a row.
    pub fn remove(&self, table: Table, key: &str) -> Result<(), ClusterError> {
        let mut headers = async_nats::HeaderMap::new();
        headers.insert("KV-Operation", "DEL");
        let subject = table.subject(key);
        self.stubborn(|| {
            let publish = self.publish(Doing::Storing, &subject, Some(headers.clone()), &[]);
            self.block_on(publish)
        })?;
        Ok(())
    }

    /// The rows, in the order in which they were written.
    pub fn rows(&self, table: Table) -> Result<Vec<Row>, ClusterError> {
        let (stream, all) = (table.stream(), table.subject(">"));
        let prefix = table.subject("");
        let mut rows = Vec::new();
        let mut after = 0;
        while let Some(message) = self.next(&stream, &all, after)? {
            after = message.sequence;
            let key = message.subject.strip_prefix(&prefix);
            if let (Some(key), false) = (key, is_removed(&message)) {
                rows.push(Row {
                    key: key.to_owned(),
                    value: message.payload.to_vec(),
                    written: stored_at(&message),
                });
            }
        }
        Ok(rows)
    }
}

/// When the server stored the message.
pub(crate) fn stored_at(message: &StreamMessage) -> SystemTime {
    let nanos = u64::try_from(message.time.unix_timestamp_nanos()).unwrap_or(0);
    UNIX_EPOCH + Duration::from_nanos(nanos)
}

fn is_removed(message: &StreamMessage) -> bool {
    message.headers.get("KV-Operation").is_some()
}
