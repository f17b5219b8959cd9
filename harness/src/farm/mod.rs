//! Runs on many machines: a submitter puts units of work on a NATS server, workers judge them, and the submitter reports
//! their results as those of a local run.
//!
//! A worker gets the project as files, finds problems and submissions in it as the submitter does, and checks that its
//! plan has the same digest. So a unit only names its submission and its cases, and is judged by the ordinary judge. The
//! submitter puts the results in order with the judge's own sequencer, which also computes scores and verdicts.

use std::time::Duration;

mod cleaning;
mod cluster_lines;
mod cluster_state;
mod cluster_text;
mod fetched;
mod figures;
mod fitting;
mod job;
mod outcome;
mod paths;
mod sent;
mod source;
mod split;
mod tree;
mod unit;
mod worker_info;

pub(crate) use cleaning::clean;
pub(crate) use cluster_lines::write_cluster_json;
pub(crate) use cluster_state::cluster_state;
pub(crate) use cluster_text::write_cluster;
pub(crate) use fetched::unpack;
pub(crate) use figures::WorkerFigures;
pub(crate) use job::{FarmJob, MOST_JOB, Refusal, UnitOrder, valid_until};
pub(crate) use outcome::UnitOutcome;
pub(crate) use sent::send;
pub(crate) use source::{AgainNote, Books, FarmRun, QueueSource, workers};
pub(crate) use split::{UnitSizes, UnitSpan, split};
pub(crate) use tree::{MOST_LIST, TreeList};
pub(crate) use unit::{JudgedUnit, is_close_to_limit, judge_unit};
pub(crate) use worker_info::{WorkerInfo, words as machine_words};

/// The number of deliveries of a unit that may be lost.
pub(crate) const LOST_DELIVERIES: usize = 3;

/// How often a worker gives a sign of life.
pub(crate) const SIGN_OF_LIFE: Duration = Duration::from_secs(10);

/// Something that was received and is not valid.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FarmError {
    /// The server.
    #[error(transparent)]
    Cluster(#[from] rejudge_cluster::ClusterError),
    /// What was received is not valid.
    #[error("{what} is not valid: {why}")]
    Invalid { what: &'static str, why: String },
    /// A file cannot be read or written.
    #[error("cannot {action} `{}`: {source}", path.display())]
    File { action: &'static str, path: std::path::PathBuf, source: std::io::Error },
    /// Nobody knows which files a run needs.
    #[error("cannot tell which files the run `{run}` needs: {why}")]
    UnknownRun { run: String, why: String },
    /// The project cannot be sent.
    #[error("cannot send the project: {0}")]
    Unsendable(String),
}

impl FarmError {
    /// What to do about it.
    pub(crate) fn help(&self) -> Option<String> {
        match self {
            Self::Cluster(error) => error.help(),
            Self::Unsendable(_) => Some(
                "start rejudge in a smaller folder, or create an empty `rejudge.toml` in the folder of the problems"
                    .to_owned(),
            ),
            Self::UnknownRun { .. } => {
                Some("use the version of rejudge that submitted it".to_owned())
            }
            Self::Invalid { .. } | Self::File { .. } => None,
        }
    }
}
