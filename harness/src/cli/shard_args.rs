//! The options of a run that is divided between machines.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Args;

use super::project::Selected;
use super::stream;
use crate::event::Shard;
use crate::fail_fast::FailFast;
use crate::judge::Options;
use crate::notice::Code;
use crate::notice::few;
use crate::sequence::SubmissionEntry;
use crate::shard::{self, Durations, PlanContext, SavedLimits, ShardNumber};
use crate::show::words::Count;
use crate::time_limit::is_inferred;

/// Which part of a run to judge, and what was measured before
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ShardArgs {
    /// Judge only part K of N of the submissions; `rejudge merge` joins the JSON reports of all parts
    #[arg(long, value_name = "K/N", help_heading = "Shards", hide_short_help = true,
        group = "divided", conflicts_with_all = ["watch", "failed"])]
    shard: Option<ShardNumber>,
    /// Divide the submissions by their times in this earlier JSON report
    #[arg(
        long,
        value_name = "OLD.jsonl",
        help_heading = "Shards",
        hide_short_help = true,
        requires = "divided"
    )]
    durations: Option<PathBuf>,
    /// Read the time limits of problems that set none from FILE, which `rejudge time --save FILE` wrote
    #[arg(
        id = "limits_file",
        long = "limits",
        value_name = "FILE",
        help_heading = "Limits",
        hide_short_help = true
    )]
    limits: Option<PathBuf>,
}

impl ShardArgs {
    /// The files that the options name.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.durations.iter().chain(&self.limits).map(PathBuf::as_path)
    }

    /// Sets the limits that were saved, and rejects what shards cannot do. Reads the earlier times.
    pub(super) fn prepare(&self, options: &Options, selected: &mut Selected) -> Result<Durations> {
        let saved = SavedLimits::of_file(self.limits.as_deref())?;
        let mut unset = Vec::new();
        if options.limits.cpu_time.is_none() {
            for problem in &mut selected.problems {
                if is_inferred(problem) {
                    problem.limits.cpu_time = saved.of(&problem.id);
                    unset.extend(is_inferred(problem).then_some(problem.id.as_str()));
                }
            }
        }
        if self.shard.is_some() && !unset.is_empty() {
            return Err(Code::InvalidOption
                .says(format!("`--shard` needs time limits that are set, and not measured by each shard: {}", few(&unset)))
                .help("measure them once with `rejudge time --save FILE`, and add `--limits FILE` to every shard")
                .into());
        }
        if self.shard.is_some() && options.fail_fast == FailFast::Run {
            return Err(Code::InvalidOption
                .says(
                    "`--fail-fast=run` does not work with `--shard`: a shard cannot end the others",
                )
                .help("use `--fail-fast=submission`")
                .into());
        }
        let Some(path) = &self.durations else {
            return Ok(Durations::default());
        };
        let name = path.display().to_string();
        let file = File::open(path).with_context(|| format!("cannot read `{name}`"))?;
        Ok(Durations::read(&name, BufReader::new(file))?)
    }

    /// The entries of this shard, and the shard; without `--shard`, all entries.
    pub(super) fn part<'a>(
        &self,
        entries: Vec<SubmissionEntry<'a>>,
        plan: PlanContext<'_>,
    ) -> (Vec<SubmissionEntry<'a>>, Option<Shard>) {
        let Some(number) = self.shard else {
            return (entries, None);
        };
        let shard = shard::part(&entries, number, plan);
        stream::note(format_args!(
            "{shard}: {} of {}",
            shard.units.len(),
            Count(entries.len(), "submission")
        ));
        let own = shard.units.iter().map(|&unit| entries[unit]).collect();
        (own, Some(shard))
    }
}
