//! The options of commands that judge requests of programs.

use std::num::NonZeroUsize;

use anyhow::{Context as _, Result};
use clap::Args;
use rejudge_quantity::{self as quantity, Bytes};

use super::build_args::{self, BuildArgs};
use super::exit::CommandExit;
use super::limits::LimitArgs;
use super::project::default_jobs;
use super::sandbox::SandboxArgs;
use super::session::Session;
use crate::batch::{BatchPool, BatchTools};
use crate::config::Repository;
use crate::judge::{Options, Tools};
use crate::limits::LimitOverrides;
use crate::problem::ProblemLimits;

/// How requests are judged
#[derive(Debug, Args)]
pub(crate) struct PoolArgs {
    /// Number of workers [default: one less than the cores]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Judge equal requests once, if not more than N others are between them; 0 judges all
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    window: usize,
    /// The largest request, in MiB or with a unit
    #[arg(long, value_name = "MIB", value_parser = quantity::size, default_value = "256")]
    max_request: Bytes,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    build: BuildArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

impl PoolArgs {
    /// The size of the largest request, in bytes.
    pub(super) fn longest(&self) -> u64 {
        self.max_request.get()
    }

    /// Calls `work` with the pool of these options.
    pub(super) fn with_pool(
        &self,
        work: impl FnOnce(&BatchPool<'_>, &Session) -> Result<CommandExit>,
    ) -> Result<CommandExit> {
        let session = Session::start(self.sandbox)?;
        let current = std::env::current_dir().context("cannot determine the current folder")?;
        let repository = Repository::around(&current, &[])?;
        let languages = build_args::languages(repository.as_ref())?;
        session.accept(&languages)?;
        let compiler = self.build.compiler(repository.as_ref())?;
        let over = LimitOverrides::from(&self.limits);
        let mut options = Options::new(session.runners().clone());
        options.jobs = self.jobs.map_or_else(default_jobs, NonZeroUsize::get);
        options.limits.time_factor = over.time_factor;
        let tools = BatchTools {
            tools: Tools { compiler: &compiler, languages: &languages },
            repository: repository.as_ref(),
            limits: ProblemLimits {
                cpu_time: over.cpu_time,
                wall_time: over.wall_time,
                memory: over.memory,
                output: over.output,
                ..ProblemLimits::default()
            },
            options,
        };
        let pool = BatchPool::new(&tools, self.window, self.longest());
        work(&pool, &session)
    }
}
