//! `rejudge cluster`: the workers, the queue, the files and the runs of a server.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::Result;
use indicatif::HumanDuration;
use rejudge_quantity::Bytes;

use super::super::exit::CommandExit;
use super::super::nats_args::{ClusterArgs, ClusterCommand};
use super::super::signals::SignalWatch;
use super::cleaning::clean;
use super::cluster_lines;
use super::cluster_state::{ClusterState, ListedRun, read};
use super::connecting::{SUBMITTER, of_cluster};
use super::key::make_key;
use crate::farm::again_words;
use crate::show::words::Count;

/// Lists the workers, the queue and the runs of a server, makes a key, or removes files.
pub(in crate::cli) fn cluster(args: &ClusterArgs) -> Result<CommandExit> {
    match &args.command {
        Some(ClusterCommand::Key(args)) => make_key(args),
        Some(ClusterCommand::Clean(args)) => clean(args),
        None => list(args),
    }
}

fn list(args: &ClusterArgs) -> Result<CommandExit> {
    let mut json = args.json.open()?;
    let signals = SignalWatch::start()?;
    let who = ("rejudge cluster", SUBMITTER);
    let cluster = args.server.connect(who, &signals.interrupt)?;
    let state = if args.prepare { cluster.prepare() } else { cluster.check() };
    let state = state.and_then(|()| match args.keep_files {
        Some(days) => cluster.set_blob_lifetime(Duration::from_secs(u64::from(days) * 86_400)),
        None => Ok(()),
    });
    let state = state.and_then(|()| read(&cluster));
    if let Some(exit) = signals.exit() {
        return Ok(exit);
    }
    let state = state.map_err(|error| of_cluster(&error))?;
    json.write(|out| cluster_lines::write(out, &state), |out| write(out, &state))
}

/// A time in the largest unit that fits evenly.
fn in_words(time: Duration) -> String {
    let seconds = usize::try_from(time.as_secs()).unwrap_or(usize::MAX);
    let units = [(86_400, "day"), (3600, "hour"), (60, "minute")];
    let fits = |(size, _): &(usize, &str)| seconds >= *size && seconds.is_multiple_of(*size);
    let (size, unit) = units.into_iter().find(fits).unwrap_or((1, "second"));
    Count(seconds / size, unit).to_string()
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
    if let Some(left) = state.time_left() {
        let (rate, left) = (state.rate(), HumanDuration(left));
        write!(out, ", about {left} left at {rate:.1} units/s")?;
    }
    writeln!(out)?;
    write!(out, "files    {}, ", Bytes(state.files.bytes))?;
    match state.files.lifetime {
        Some(lifetime) => writeln!(out, "each kept for {}", in_words(lifetime))?,
        None => writeln!(out, "kept for ever")?,
    }
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
