//! Requests that a worker judges: its own compilers and languages, under the options of the submitter.

use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result, bail};
use clap::{CommandFactory as _, FromArgMatches as _};
use rejudge_cluster::Cluster;

use super::super::pool_args::PoolTools;
use super::super::session::Session;
use super::super::{Cli, Command};
use super::opened::UnusableProject;
use crate::batch::{BatchAnswer, BatchShared};
use crate::farm::{FarmJob, MOST_JOB};
use crate::judge::Peers;
use crate::manual;

/// Options that are opened, and what the requests under them share.
pub(super) struct OpenedBatch {
    tools: PoolTools,
    shared: BatchShared,
}

/// The last options that were opened, by the name of their job.
#[derive(Default)]
pub(super) struct OpenBatches(Mutex<Option<(String, Arc<OpenedBatch>)>>);

impl OpenBatches {
    /// The options of a job.
    pub(super) fn get(
        &self,
        name: &str,
        cluster: &Cluster,
        session: &Session,
    ) -> Result<Arc<OpenedBatch>, UnusableProject> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, opened)) = last.as_ref()
            && known == name
        {
            return Ok(Arc::clone(opened));
        }
        let other = |error: anyhow::Error| UnusableProject::Other(format!("{error:#}"));
        let job = cluster.blob(name, MOST_JOB).map_err(anyhow::Error::from);
        let job = job.and_then(|bytes| Ok(FarmJob::read(&bytes)?)).map_err(other)?;
        if job.version != env!("CARGO_PKG_VERSION") {
            return Err(UnusableProject::Version(job.version));
        }
        let opened = Arc::new(OpenedBatch::open(&job, session).map_err(other)?);
        *last = Some((name.to_owned(), Arc::clone(&opened)));
        Ok(opened)
    }
}

impl OpenedBatch {
    fn open(job: &FarmJob, session: &Session) -> Result<Self> {
        let words = job.words_of_batch();
        let matches = manual::complete(Cli::command()).try_get_matches_from(words);
        let cli = matches.and_then(|matches| Cli::from_arg_matches(&matches));
        let Some(Command::Batch(args)) = cli.context("invalid options")?.command else {
            bail!("the options are not those of a batch");
        };
        let mut tools = args.pool().tools(None, session)?;
        tools.options.jobs = 1;
        Ok(Self { tools, shared: BatchShared::default() })
    }

    /// Judges a request in the thread of a worker, next to its `peers`. `progress` is called after each case.
    pub(super) fn judge(
        &self,
        text: &[u8],
        peers: &Peers,
        progress: &mut dyn FnMut(),
    ) -> BatchAnswer {
        let mut tools = self.tools.borrowed();
        tools.options.peers = peers.clone();
        tools.judge_sent(text, &self.shared, progress)
    }
}
