//! The report as one HTML page that needs no network: a summary and the first failures as plain HTML, and everything
//! else as compressed data, which the page's own script shows.
//!
//! Nothing that comes from a program, a package or a path becomes markup: templates escape, data is base64, and the
//! script only sets text. [`clean`](crate::show::page::clean) makes control characters and characters that reorder text visible.

use std::io;
use std::path::Path;

use maud::Markup;

use crate::event::Event;
use crate::report::Reporter;
use crate::show::destination::Destination;
use crate::show::page::Assets;

mod collected;
mod details;
mod difference;
mod failures;
mod findings;
mod index;
mod page;
mod place;
mod plain_page;

use collected::Collected;
pub(crate) use findings::{Findings, PageCheck, PageFinding};
pub(crate) use plain_page::PlainPage;

/// The script of the page.
const SCRIPT: Assets = Assets(&[
    include_str!("html/dom.js"),
    include_str!("html/data.js"),
    include_str!("html/query.js"),
    include_str!("html/matrix.js"),
    include_str!("html/failure.js"),
    include_str!("html/setters.js"),
    include_str!("html/times.js"),
    include_str!("html/small.js"),
    include_str!("html/worth.js"),
    include_str!("html/overview.js"),
    include_str!("html/compare.js"),
    include_str!("html/history.js"),
    include_str!("html/app.js"),
]);

/// Collects the results of a run, and writes the page at the end.
pub(crate) struct Html {
    destination: Option<Destination>,
    run: Collected,
    /// The run to compare with.
    old: Option<Collected>,
    /// What was found about the problems themselves.
    findings: Option<Findings>,
}

impl Html {
    /// A page that is written to `path` at the end of the run. A path that cannot be written is an error now.
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        Ok(Self {
            destination: Some(Destination::open(path)?),
            run: Collected::default(),
            old: None,
            findings: None,
        })
    }

    /// Compares with the run that `old` has collected.
    pub(crate) fn against(self, old: Earlier) -> Self {
        Self { old: Some(old.0), ..self }
    }

    /// Shows what was found about the problems themselves.
    pub(crate) fn findings(&mut self, findings: Findings) {
        self.findings = Some(findings);
    }

    /// Writes the page.
    pub(crate) fn write(&mut self) -> io::Result<()> {
        let (run, old, findings) = (&self.run, self.old.as_ref(), self.findings.as_ref());
        self.destination.take().map_or(Ok(()), |destination| {
            destination.write(|out| page::write(out, run, old, findings))
        })
    }
}

impl Reporter for Html {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.run.add(event)?;
        match event {
            Event::Finished(_) => self.write(),
            _ => Ok(()),
        }
    }
}

/// Writes a page about the history of benchmarks to `path`. `headline` is its summary, `missing` what is missing, `content`
/// what it shows without its script, and `data` what the script draws.
pub(crate) fn write_history(
    path: &Path,
    headline: &str,
    missing: &[String],
    content: &Markup,
    data: &serde_json::Value,
) -> io::Result<()> {
    Destination::open(path)?.write(|out| page::write_history(out, headline, missing, content, data))
}

/// Collects the results of an earlier run, to compare with.
#[derive(Default)]
pub(crate) struct Earlier(Collected);

impl Reporter for Earlier {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        self.0.add(event)
    }
}

#[cfg(test)]
mod tests;
