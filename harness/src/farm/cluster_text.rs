//! What is on a server, as text.

use std::io::{self, Write};
use std::time::Duration;

use indicatif::HumanDuration;
use rejudge_quantity::Bytes;

use super::cluster_state::{ClusterState, ListedRun};
use super::source::again_words;
use crate::show::words::Count;

/// A time in the largest unit that fits evenly.
fn in_words(time: Duration) -> String {
    let seconds = usize::try_from(time.as_secs()).unwrap_or(usize::MAX);
    let units = [(86_400, "day"), (3600, "hour"), (60, "minute")];
    let fits = |(size, _): &(usize, &str)| seconds >= *size && seconds.is_multiple_of(*size);
    let (size, unit) = units.into_iter().find(fits).unwrap_or((1, "second"));
    Count(seconds / size, unit).to_string()
}

/// Writes the state as text.
pub(crate) fn write_cluster(out: &mut dyn Write, state: &ClusterState) -> io::Result<()> {
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
