//! `rejudge cluster`: the workers, the queue and the runs of a server.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::Result;
use indicatif::HumanDuration;
use rejudge_cluster::{Cluster, ClusterError, Queue, Row, Table};

use super::super::exit::CommandExit;
use super::super::nats_args::{ClusterArgs, SUBMITTER, of_cluster};
use super::super::signals::SignalWatch;
use super::super::stream;
use crate::farm::{AgainNote, FarmRun, WorkerInfo, again_words, workers};
use crate::report::words::Count;

/// What is on a server.
struct ClusterState {
    server: (String, String),
    workers: Vec<(String, WorkerInfo)>,
    waiting: u64,
    held: usize,
    runs: Vec<ListedRun>,
}

/// A run with its name.
struct ListedRun {
    id: String,
    run: FarmRun,
    /// Number of results that came again, also after the report was written, and of those of them that differ.
    again: usize,
    unlike: usize,
}

/// Lists.
pub(in crate::cli) fn list(args: &ClusterArgs) -> Result<CommandExit> {
    let signals = SignalWatch::start()?;
    let who = ("rejudge cluster", SUBMITTER);
    let cluster = args.server.connect(who, &signals.interrupt)?;
    let state = if args.prepare {
        cluster.prepare()
    } else {
        cluster.check()
    };
    let state = state.and_then(|()| read(&cluster));
    if let Some(exit) = signals.exit() {
        return Ok(exit);
    }
    let state = state.map_err(|error| of_cluster(&error))?;
    stream::print(|out| write(out, &state))
}

fn read(cluster: &Cluster) -> Result<ClusterState, ClusterError> {
    let (waiting, held) = cluster.load(&Queue::Any)?.unwrap_or_default();
    let rows = cluster.rows(Table::Runs)?.into_iter();
    let runs = rows.filter_map(|row| listed(cluster, row).transpose());
    let runs = runs.collect::<Result<_, _>>()?;
    Ok(ClusterState {
        server: cluster.server(),
        workers: workers(cluster)?,
        waiting,
        held,
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
    Ok(Some(ListedRun {
        id: row.key,
        run,
        again: notes.len(),
        unlike: unlike.count(),
    }))
}

fn write(out: &mut dyn Write, state: &ClusterState) -> io::Result<()> {
    let (url, version) = &state.server;
    writeln!(out, "server   {url}, version {version}")?;
    writeln!(out, "workers  {}", state.workers.len())?;
    for (name, info) in &state.workers {
        let units = usize::try_from(info.units).unwrap_or(usize::MAX);
        writeln!(
            out,
            "  {name}: {}, {}, {:.1} units/s, class `{}`",
            Count(info.jobs, "place"),
            Count(units, "unit"),
            info.rate,
            info.class
        )?;
        writeln!(out, "    {}; {}", info.machine, info.figures)?;
        if let Some(why) = &info.out {
            writeln!(out, "    judges no more: {why}")?;
        }
    }
    let (waiting, held) = (state.waiting, state.held);
    write!(out, "queue    {waiting} waiting, {held} being judged")?;
    let able = state.workers.iter().filter(|(_, info)| info.takes_work());
    let rate: f64 = able.map(|(_, info)| info.rate).sum();
    let left = waiting + held as u64;
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    if rate > 0.0
        && left > 0
        && let Ok(left) = Duration::try_from_secs_f64(left as f64 / rate)
    {
        write!(
            out,
            ", about {} left at {rate:.1} units/s",
            HumanDuration(left)
        )?;
    }
    writeln!(out)?;
    writeln!(out, "runs     {}", state.runs.len())?;
    for listed in &state.runs {
        let ListedRun { id, run, .. } = listed;
        let state = if run.is_over { "reported" } else { "open" };
        let of = Count(run.units, "unit");
        write!(out, "  {id}: {} of {of}, {state}", run.judged)?;
        if listed.again > 0 {
            write!(out, "; {}", again_words(listed.again, listed.unlike))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
