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
use crate::batch::{BatchPool, BatchTools, LocalJudge, RequestJudge, RequestNumbers};
use crate::compile::Compiler;
use crate::config::Repository;
use crate::judge::{Options, Tools};
use crate::language::Languages;
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
    /// Start Python once for many cases: each begins in a copy of an interpreter that has loaded its imports
    #[arg(long)]
    preload: bool,
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

    /// What to say if interpreters should have been copied, and none was.
    pub(super) fn missing_copies(&self, numbers: RequestNumbers) -> Option<&'static str> {
        let none = self.preload && numbers.preloaded == 0 && numbers.judged > 0;
        none.then_some(
            "no case began in a copy of an interpreter: no program of CPython had two cases in a row, or the sandbox lacks a \
             protection here, which `rejudge doctor` names",
        )
    }

    /// The number of workers that was set.
    pub(super) fn jobs(&self) -> Option<usize> {
        self.jobs.map(NonZeroUsize::get)
    }

    /// The options that decide how requests are judged, each with its value.
    pub(super) fn decisive_options(&self) -> Vec<(String, Option<String>)> {
        let mut words = self.limits.words();
        words.extend(self.build.words());
        let pairs = words.chunks_exact(2);
        pairs.map(|pair| (pair[0].clone(), Some(pair[1].clone()))).collect()
    }

    /// Calls `work` with a pool whose requests are judged here.
    pub(super) fn with_pool(
        &self,
        work: impl FnOnce(&BatchPool<'_>, &Session) -> Result<CommandExit>,
    ) -> Result<CommandExit> {
        let session = Session::start(self.sandbox)?;
        let current = std::env::current_dir().context("cannot determine the current folder")?;
        let tools = self.tools(Repository::around(&current, &[])?, &session)?;
        session.accept(&tools.languages)?;
        let judge = LocalJudge::new(tools.borrowed());
        work(&self.pool(&judge), &session)
    }

    /// A pool whose requests this judge judges.
    pub(super) fn pool<'a>(&self, judge: &'a dyn RequestJudge) -> BatchPool<'a> {
        BatchPool::new(judge, self.window, self.longest())
    }

    /// The tools of a judge, with the settings of a repository.
    pub(super) fn tools(
        &self,
        repository: Option<Repository>,
        session: &Session,
    ) -> Result<PoolTools> {
        let languages = build_args::languages(repository.as_ref())?;
        let mut compiler = self.build.compiler(repository.as_ref())?;
        if self.preload {
            compiler.preload();
        }
        let over = LimitOverrides::from(&self.limits);
        let mut options = Options::new(session.runners().clone());
        options.jobs = self.jobs().unwrap_or_else(default_jobs);
        options.limits.time_factor = over.time_factor;
        let limits = ProblemLimits {
            cpu_time: over.cpu_time,
            wall_time: over.wall_time,
            memory: over.memory,
            output: over.output,
            ..ProblemLimits::default()
        };
        Ok(PoolTools { repository, languages, compiler, options, limits })
    }

    /// How programs are isolated.
    pub(super) fn sandbox(&self) -> SandboxArgs {
        self.sandbox
    }
}

/// What a judge of requests needs.
pub(super) struct PoolTools {
    repository: Option<Repository>,
    pub(super) languages: Languages,
    compiler: Compiler,
    pub(super) options: Options,
    limits: ProblemLimits,
}

impl PoolTools {
    /// The tools for judging.
    pub(super) fn borrowed(&self) -> BatchTools<'_> {
        BatchTools {
            tools: Tools { compiler: &self.compiler, languages: &self.languages },
            repository: self.repository.as_ref(),
            options: self.options.clone(),
            limits: self.limits,
        }
    }
}
