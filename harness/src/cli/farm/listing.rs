//! `rejudge cluster`: the workers, the queue and the runs of a server.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::Result;
use indicatif::HumanDuration;
use rejudge_cluster::{Cluster, Queue, Row, Table};

use super::super::exit::CommandExit;
use super::super::nats_args::{ClusterArgs, of_cluster};
use super::super::signals::SignalWatch;
use super::super::stream;
use crate::farm::{FarmRun, WorkerInfo, workers};
use crate::report::words::Count;

/// What is on a server.
struct ClusterState {
    server: (String, String),
    workers: Vec<(String, WorkerInfo)>,
    waiting: u64,
    held: usize,
    runs: Vec<(String, FarmRun)>,
}

/// Lists.
pub(in crate::cli) fn list(args: &ClusterArgs) -> Result<CommandExit> {
    let signals = SignalWatch::start()?;
    let cluster = args.server.connect("rejudge cluster", &signals.interrupt)?;
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

fn read(cluster: &Cluster) -> Result<ClusterState, rejudge_cluster::ClusterError> {
    let (waiting, held) = cluster.load(&Queue::Any)?.unwrap_or_default();
    let runs = cluster.rows(Table::Runs)?;
    let run = |row: Row| Some((row.key, serde_json::from_slice(&row.value).ok()?));
    Ok(ClusterState {
        server: cluster.server(),
        workers: workers(cluster)?,
        waiting,
        held,
        runs: runs.into_iter().filter_map(run).collect(),
    })
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
    let rate: f64 = state.workers.iter().map(|(_, info)| info.rate).sum();
    let left = waiting + held as u64;
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    if rate > 0.0 && left > 0 {
        let left = Duration::from_secs_f64(left as f64 / rate);
        write!(
            out,
            ", about {} left at {rate:.1} units/s",
            HumanDuration(left)
        )?;
    }
    writeln!(out)?;
    writeln!(out, "runs     {}", state.runs.len())?;
    for (id, run) in &state.runs {
        let state = if run.is_over { "reported" } else { "open" };
        let of = Count(run.units, "unit");
        writeln!(out, "  {id}: {} of {of}, {state}", run.judged)?;
    }
    Ok(())
}
