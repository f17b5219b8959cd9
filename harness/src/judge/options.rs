//! The options and the tools of the judge.

use std::path::PathBuf;
use std::sync::{Arc, RwLock};

use super::output_keeper::OutputKeeper;
use crate::compile::Compiler;
use crate::diff::Look;
use crate::event::Shard;
use crate::fail_fast::FailFast;
use crate::language::Languages;
use crate::limits::LimitOverrides;
use crate::sandbox::RunnerSource;

/// How to judge.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Options {
    /// Number of workers, at least one.
    pub jobs: usize,
    /// Limits that override those of the problems.
    pub limits: LimitOverrides,
    /// What ends at a failure.
    pub fail_fast: FailFast,
    /// A case without an answer is only run, and counts as passed.
    pub allow_unchecked: bool,
    /// Number of runs of each case; the worst verdict counts.
    pub repeat: usize,
    /// How differences are drawn.
    pub look: Look,
    /// Show the whole input of a submission's first failing case, and not only the first lines of a long one.
    pub print_input: bool,
    /// Takes every output.
    pub keep: Option<Arc<dyn OutputKeeper>>,
    /// The caller needs times, not only verdicts: disturbed runs are measured again.
    pub measures: bool,
    /// Record the messages between submissions and interactors.
    pub transcript: bool,
    /// The folder that the paths in results are relative to.
    pub root: Option<PathBuf>,
    /// The arguments with which a command judges one case again in the same way.
    pub arguments: Vec<String>,
    /// The shard to judge, if the run is divided. The caller selects its submissions.
    pub shard: Option<Shard>,
    /// Other calls that judge in this process at the same time.
    pub peers: Peers,
    /// Starts the runners.
    pub runners: RunnerSource,
}

/// Other calls that judge in this process at the same time, each with its own options and one worker.
#[derive(Debug, Clone, Default)]
pub struct Peers {
    /// Their number.
    pub count: usize,
    /// Ordinary work holds it for reading, a run that must be alone holds it for writing. All of them share it.
    pub quiet: Arc<RwLock<()>>,
}

impl Options {
    /// One worker, the problems' own limits, one run of each case, differences in plain text of 80 columns, no saved
    /// outputs.
    #[must_use]
    pub fn new(runners: impl Into<RunnerSource>) -> Self {
        Self {
            jobs: 1,
            limits: LimitOverrides::default(),
            fail_fast: FailFast::default(),
            allow_unchecked: false,
            repeat: 1,
            look: Look { width: 80, colour: false },
            print_input: false,
            keep: None,
            measures: false,
            transcript: false,
            root: None,
            arguments: Vec::new(),
            shard: None,
            peers: Peers::default(),
            runners: runners.into(),
        }
    }
}

/// The compiler and the languages.
#[derive(Debug, Clone, Copy)]
pub struct Tools<'a> {
    /// The compiler, with its cache.
    pub compiler: &'a Compiler,
    /// The table of languages. It has the language of every submission.
    pub languages: &'a Languages,
}
