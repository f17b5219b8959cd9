//! The machine-readable report: one JSON object per line, written as events happen.
//!
//! The guide documents the schema. Each line is written and flushed as a whole, so the file of an interrupted run is
//! valid. Keys may be added, but no key changes its meaning within one `schema`. The modules below have one type for
//! each line, which writes it and reads it: [`stored`](crate::report::stored) makes events of the lines of a file.

use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use crate::event::Event;
use crate::notice::Notice;
use crate::report::Reporter;
use crate::show::json_line::{self, milliseconds};
use crate::show::notice_line::NoticeLine;
use crate::show::verdict_code::VerdictCode;

pub(super) mod case;
pub(super) mod digest;
mod repeats;
pub(super) mod start;
pub(super) mod submission;
pub(super) mod summary;

use case::CaseLine;
use digest::{DigestLine, ShardDigests};
use start::StartLine;
use submission::SubmissionLine;
use summary::SummaryLine;

/// Writes JSON lines to `out`.
pub(crate) struct Json<W> {
    out: W,
    /// The lines of the notices, which follow the first line.
    notices: Vec<String>,
    /// Whole lines that are not written yet: a system call for each would take as long as all else here.
    lines: Vec<u8>,
    /// In the report of a shard, the digests of its lines.
    digests: Option<ShardDigests>,
}

/// Maximum size of the lines that are held back, in bytes.
const HELD: usize = 32 << 10;

impl<W: Write> Json<W> {
    /// A report that is written to `out` in whole lines.
    pub(crate) fn new(out: W) -> Self {
        Self { out, notices: Vec::new(), lines: Vec::new(), digests: None }
    }

    /// Adds the warnings and errors about what the run selects.
    pub(crate) fn with_notices(
        mut self,
        warnings: &[Notice],
        errors: &[Notice],
    ) -> io::Result<Self> {
        let warnings = warnings.iter().map(|notice| RunLine::Warning(notice.into()));
        let errors = errors.iter().map(|notice| RunLine::Error(notice.into()));
        for line in warnings.chain(errors) {
            self.notices.push(json_line::line(&line)?);
        }
        Ok(self)
    }

    /// Writes the notices, if that was not done: they are the whole report if nothing can be judged.
    pub(crate) fn write_notices(&mut self) -> io::Result<()> {
        self.take_notices();
        self.write_held()
    }

    fn take_notices(&mut self) {
        for line in std::mem::take(&mut self.notices) {
            self.hold(line);
        }
    }

    fn hold(&mut self, mut line: String) {
        line.push('\n');
        if let Some(digests) = &mut self.digests {
            digests.add(line.as_bytes());
        }
        self.lines.extend_from_slice(line.as_bytes());
    }

    fn hold_line(&mut self, line: &RunLine<'_>) -> io::Result<()> {
        self.hold(json_line::line(line)?);
        Ok(())
    }

    /// After the lines that `event` ends, their digest. It is written together with them.
    fn hold_digest(&mut self, event: &Event<'_>) -> io::Result<()> {
        let line = match (event, &mut self.digests) {
            (Event::Submission(_), Some(digests)) => digests.of_unit(),
            (Event::Started(_) | Event::Finished(_), Some(digests)) => digests.of_other(),
            _ => return Ok(()),
        };
        self.hold_line(&RunLine::Digest(line))
    }

    fn write_held(&mut self) -> io::Result<()> {
        self.out.write_all(&self.lines)?;
        self.lines.clear();
        self.out.flush()
    }
}

impl<W: Write> Reporter for Json<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        let line = match event {
            Event::Started(outline) => RunLine::Start(StartLine::from(*outline)),
            Event::Working(_) | Event::Failing(_) | Event::Drawn(_) => return Ok(()),
            Event::Paused => return self.write_held(),
            Event::Case(result) => RunLine::Case(Box::new(CaseLine::from(*result))),
            Event::Submission(report) => RunLine::Submission(SubmissionLine::from(*report)),
            Event::Finished(summary) => RunLine::Summary(SummaryLine::from(*summary)),
        };
        if let Event::Started(outline) = event {
            self.digests = outline.shard.as_ref().map(ShardDigests::new);
        }
        self.hold_line(&line)?;
        self.take_notices();
        self.hold_digest(event)?;
        match event {
            Event::Case(_) if self.lines.len() < HELD => Ok(()),
            _ => self.write_held(),
        }
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
enum RunLine<'a> {
    Start(StartLine<'a>),
    Warning(NoticeLine<'a>),
    Error(NoticeLine<'a>),
    Case(Box<CaseLine<'a>>),
    Submission(SubmissionLine<'a>),
    Summary(SummaryLine),
    Digest(DigestLine<'a>),
}

/// The duration of this number of milliseconds; zero if the number is not a valid duration of at most a century.
fn duration(milliseconds: f64) -> Duration {
    // So that sums do not overflow.
    const MOST: Duration = Duration::from_secs(100 * 366 * 86_400);
    // Through nanoseconds, which are whole numbers in our own reports.
    let duration = Duration::try_from_secs_f64((milliseconds * 1e6).round() / 1e9);
    duration.ok().filter(|one| *one <= MOST).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::schema;

    #[test]
    fn a_time_is_read_back_to_the_nanosecond() {
        for nanos in [0, 1, 999, 12_500_499, 12_500_500, 999_999_999] {
            for seconds in [0, 1, 59, 86_400, 1_000_000] {
                let time = Duration::new(seconds, nanos);
                let text = serde_json::to_string(&milliseconds(time)).unwrap();
                assert_eq!(duration(serde_json::from_str(&text).unwrap()), time);
            }
        }
    }

    #[test]
    fn the_schema_of_a_run_is_up_to_date() {
        let line = schema::of_line_of_every_version::<RunLine<'static>>();
        schema::is_up_to_date("run", vec![line]);
    }
}
