//! `rejudge cluster clean`: removes files from a server.

use anyhow::Result;
use rejudge_quantity::Bytes;

use super::super::exit::CommandExit;
use super::super::nats_args::ClusterCleanArgs;
use super::super::signals::SignalWatch;
use super::super::stream;
use super::connecting::{SUBMITTER, of_farm};
use crate::farm;
use crate::notice::few;
use crate::show::words::Count;

/// Removes what no unfinished run needs.
pub(super) fn clean(args: &ClusterCleanArgs) -> Result<CommandExit> {
    let signals = SignalWatch::start()?;
    let who = ("rejudge cluster clean", SUBMITTER);
    let cluster = args.server.connect(who, &signals.interrupt)?;
    let cleaned = farm::clean(&cluster, args.dry_run);
    if let Some(exit) = signals.exit() {
        return Ok(exit);
    }
    let cleaned = cleaned.map_err(|error| of_farm(&error))?;
    let verb = if args.dry_run { "would remove" } else { "removed" };
    let runs: Vec<&str> = cleaned.runs.iter().map(String::as_str).collect();
    stream::print(|out| {
        let packs = Count(cleaned.removed, "pack");
        write!(out, "{verb} {packs} of files, {}", Bytes(cleaned.removed_bytes))?;
        match cleaned.remains {
            0 => writeln!(out)?,
            remains => {
                writeln!(out, ", and {} that was not sent to its end", Count(remains, "pack"))?;
            }
        }
        if cleaned.kept > 0 {
            let packs = Count(cleaned.kept, "pack");
            write!(out, "kept {packs}, {}", Bytes(cleaned.kept_bytes))?;
            match runs.as_slice() {
                [] => writeln!(out, ", which a run just stored")?,
                runs => writeln!(
                    out,
                    ", for {} that {} not reported: {}",
                    Count(runs.len(), "run"),
                    if runs.len() == 1 { "is" } else { "are" },
                    few(runs)
                )?,
            }
        }
        Ok(())
    })
}
