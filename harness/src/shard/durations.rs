//! The times of an earlier run, by which a plan divides the work.

use std::collections::HashMap;
use std::io::BufRead;
use std::time::Duration;

use super::plan::ShardUnit;
use crate::report::stored::{StoredBlock, StoredError, StoredReport};

/// The CPU time of each submission on all of its cases, and the time of its compiler, if it ran.
#[derive(Debug, Default)]
pub(crate) struct Durations(HashMap<(String, String), (Duration, Option<Duration>)>);

impl Durations {
    /// The times in the JSON report `from`, which messages call `name`. A report that ends early has fewer.
    pub(crate) fn read(name: &str, from: impl BufRead) -> Result<Self, StoredError> {
        let mut report = StoredReport::new(name, from);
        let mut durations = HashMap::new();
        while let Some(block) = report.next()? {
            if let StoredBlock::Submission(cases, report) = block {
                let cpu = cases.iter().map(|case| case.usage.cpu()).sum();
                let key = (report.problem, report.submission);
                durations.insert(key, (cpu, report.build.time));
            }
        }
        Ok(Self(durations))
    }

    /// The CPU time of a submission on all of its cases.
    #[cfg(feature = "nats")]
    pub(crate) fn cpu(&self, problem: &str, submission: &str) -> Option<Duration> {
        let known = self.0.get(&(problem.to_owned(), submission.to_owned()));
        known.map(|(cpu, _)| *cpu)
    }

    /// The unit of a submission.
    pub(super) fn unit<'a>(&self, problem: &'a str, submission: &'a str) -> ShardUnit<'a> {
        let known = self.0.get(&(problem.to_owned(), submission.to_owned()));
        ShardUnit {
            problem,
            submission,
            cpu: known.map(|(cpu, _)| *cpu),
            compile: known.and_then(|(_, compile)| *compile),
        }
    }
}
