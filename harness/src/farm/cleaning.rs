//! Removes files from the server that no run needs.

use std::collections::HashSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rejudge_cluster::{Cluster, ClusterError, Row, Table};

use super::{FarmError, FarmJob, FarmRun, MOST_JOB, MOST_LIST, TreeList};

/// A submitter that has sent files for this time was killed.
const SENDING: Duration = Duration::from_secs(86_400);

/// What was removed, and what stays.
#[derive(Debug, Default)]
pub(crate) struct CleanedFiles {
    pub(crate) removed: usize,
    pub(crate) removed_bytes: u64,
    /// Parts of files that submitters did not send to the end.
    pub(crate) remains: usize,
    pub(crate) kept: usize,
    pub(crate) kept_bytes: u64,
    /// The runs that are not reported yet.
    pub(crate) runs: Vec<String>,
}

/// What must stay.
#[derive(Default)]
struct NeededFiles {
    names: HashSet<String>,
    /// Everything that was stored since: a submitter that sends files now may need it.
    since: Option<SystemTime>,
    runs: Vec<String>,
}

/// Removes the stored files that no open run needs. `dry`: only counts them.
pub(crate) fn clean(cluster: &Cluster, dry: bool) -> Result<CleanedFiles, FarmError> {
    cluster.check()?;
    // The files first: what is stored after that is not in the list, and what is stored again, stays.
    let blobs = cluster.blobs()?;
    let needed = NeededFiles::of(cluster)?;
    let mut cleaned = CleanedFiles::default();
    for blob in &blobs {
        let is_recent = needed.since.is_some_and(|since| blob.used >= since);
        let is_needed = is_recent || needed.names.contains(&blob.name);
        if !is_needed && (dry || cluster.remove_blob(blob)?) {
            cleaned.removed += 1;
            cleaned.removed_bytes += blob.size;
        } else {
            cleaned.kept += 1;
            cleaned.kept_bytes += blob.size;
        }
    }
    cleaned.remains = cluster.remove_remains(needed.since, dry)?;
    cleaned.runs = needed.runs;
    Ok(cleaned)
}

impl NeededFiles {
    fn of(cluster: &Cluster) -> Result<Self, FarmError> {
        let mut needed = Self::default();
        for row in cluster.rows(Table::Runs)? {
            needed.add(cluster, row)?;
        }
        Ok(needed)
    }

    fn add(&mut self, cluster: &Cluster, row: Row) -> Result<(), FarmError> {
        let unknown = |why: String| FarmError::UnknownRun { run: row.key.clone(), why };
        let run: FarmRun =
            serde_json::from_slice(&row.value).map_err(|error| unknown(error.to_string()))?;
        if run.is_over {
            return Ok(());
        }
        let age = row.written.elapsed().unwrap_or_default();
        if run.is_sending && age < SENDING {
            let from =
                run.since.map_or(row.written, |since| UNIX_EPOCH + Duration::from_secs(since));
            self.since = Some(self.since.map_or(from, |since| since.min(from)));
        }
        for name in run.jobs {
            let Some(bytes) = stored(cluster, &name, MOST_JOB)? else {
                continue;
            };
            let job = FarmJob::read(&bytes).map_err(|error| unknown(error.to_string()))?;
            if let Some(bytes) = stored(cluster, &job.tree, MOST_LIST)? {
                let list = TreeList::read(&bytes).map_err(|error| unknown(error.to_string()))?;
                self.names.extend(list.packs);
            }
            self.names.extend([name, job.tree]);
        }
        self.runs.push(row.key);
        Ok(())
    }
}

/// `None`: it is not stored any more.
fn stored(cluster: &Cluster, name: &str, most: u64) -> Result<Option<Vec<u8>>, ClusterError> {
    match cluster.blob(name, most) {
        Err(ClusterError::Damaged { .. }) => Ok(None),
        stored => stored.map(Some),
    }
}
