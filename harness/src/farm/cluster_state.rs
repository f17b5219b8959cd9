//! What is on a server: the workers, the queue, the files and the runs.

use std::time::Duration;

use rejudge_cluster::{BlobTotal, Cluster, ClusterError, Queue, Row, Table};

use super::source::{AgainNote, FarmRun, workers};
use super::worker_info::WorkerInfo;

/// What is on a server.
pub(crate) struct ClusterState {
    pub(crate) server: (String, String),
    pub(crate) workers: Vec<(String, WorkerInfo)>,
    pub(crate) waiting: u64,
    pub(crate) held: usize,
    pub(crate) files: BlobTotal,
    pub(crate) runs: Vec<ListedRun>,
}

/// A run with its name.
pub(crate) struct ListedRun {
    pub(crate) id: String,
    pub(crate) run: FarmRun,
    /// Number of results that came again, also after the report was written, and of those of them that differ.
    pub(crate) again: usize,
    pub(crate) unlike: usize,
}

impl ClusterState {
    /// The units a second of all workers that judge.
    pub(crate) fn rate(&self) -> f64 {
        let able = self.workers.iter().filter(|(_, info)| info.takes_work());
        able.map(|(_, info)| info.rate).sum()
    }

    /// How long the queue lasts. `None`: nobody knows, or it is empty.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let left = self.waiting + self.held as u64;
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let seconds = (left > 0).then(|| left as f64 / self.rate())?;
        Duration::try_from_secs_f64(seconds).ok()
    }
}

/// Reads what is on the server.
pub(crate) fn cluster_state(cluster: &Cluster) -> Result<ClusterState, ClusterError> {
    let (waiting, held) = cluster.load(&Queue::Any)?.unwrap_or_default();
    let rows = cluster.rows(Table::Runs)?.into_iter();
    let runs = rows.filter_map(|row| listed(cluster, row).transpose()).collect::<Result<_, _>>()?;
    Ok(ClusterState {
        server: cluster.server(),
        workers: workers(cluster)?,
        waiting,
        held,
        files: cluster.blob_total()?,
        runs,
    })
}

/// The run of a row. `None`: another version wrote it.
fn listed(cluster: &Cluster, row: Row) -> Result<Option<ListedRun>, ClusterError> {
    let Ok(run) = serde_json::from_slice(&row.value) else {
        return Ok(None);
    };
    let notes = cluster.notes_again(&row.key)?;
    let unlike = notes
        .iter()
        .filter(|note| serde_json::from_slice(note).is_ok_and(|note: AgainNote| note.is_unlike()));
    Ok(Some(ListedRun { id: row.key, run, again: notes.len(), unlike: unlike.count() }))
}
