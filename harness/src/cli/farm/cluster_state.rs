//! What is on a server: the workers, the queue, the files and the runs.

use std::time::Duration;

use rejudge_cluster::{BlobTotal, Cluster, ClusterError, Queue, Row, Table};

use crate::farm::{AgainNote, FarmRun, WorkerInfo, workers};

/// What is on a server.
pub(super) struct ClusterState {
    pub(super) server: (String, String),
    pub(super) workers: Vec<(String, WorkerInfo)>,
    pub(super) waiting: u64,
    pub(super) held: usize,
    pub(super) files: BlobTotal,
    pub(super) runs: Vec<ListedRun>,
}

/// A run with its name.
pub(super) struct ListedRun {
    pub(super) id: String,
    pub(super) run: FarmRun,
    /// Number of results that came again, also after the report was written, and of those of them that differ.
    pub(super) again: usize,
    pub(super) unlike: usize,
}

impl ClusterState {
    /// The units a second of all workers that judge.
    pub(super) fn rate(&self) -> f64 {
        let able = self.workers.iter().filter(|(_, info)| info.takes_work());
        able.map(|(_, info)| info.rate).sum()
    }

    /// How long the queue lasts. `None`: nobody knows, or it is empty.
    pub(super) fn time_left(&self) -> Option<Duration> {
        let left = self.waiting + self.held as u64;
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let seconds = (left > 0).then(|| left as f64 / self.rate())?;
        Duration::try_from_secs_f64(seconds).ok()
    }
}

/// Reads what is on the server.
pub(super) fn read(cluster: &Cluster) -> Result<ClusterState, ClusterError> {
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
