//! The report of `rejudge verify` as a page in HTML: the run of the submissions, and the findings.

use std::io;
use std::path::Path;
use std::time::Instant;

use crate::event::{Event, Outline, Summary};
use crate::report::Reporter as _;
use crate::report::html::{Findings, Html, PageCheck, PageFinding};

/// Collects what the page shows.
pub(super) struct VerifyPage {
    html: Html,
    findings: Findings,
    started: Instant,
    /// The first error of the page, which is reported at the end.
    result: io::Result<()>,
}

impl VerifyPage {
    /// A page that is written to `path`. A path that cannot be written is an error now.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Ok(Self {
            html: Html::new(path)?,
            findings: Findings::default(),
            started: Instant::now(),
            result: Ok(()),
        })
    }

    /// Starts the run of all problems.
    pub(super) fn start(&mut self, outline: &Outline, is_strict: bool) {
        self.findings.is_strict = is_strict;
        self.tell(&Event::Started(outline));
    }

    /// Adds a result of the submissions of one problem.
    pub(super) fn hear(&mut self, event: &Event<'_>) {
        // Each problem is a run of its own, and the page shows all of them as one.
        if matches!(event, Event::Case(_) | Event::Submission(_)) {
            self.tell(event);
        }
    }

    fn tell(&mut self, event: &Event<'_>) {
        if self.result.is_ok() {
            self.result = self.html.event(event);
        }
    }

    pub(super) fn finding(&mut self, finding: PageFinding) {
        self.findings.list.push(finding);
    }

    pub(super) fn check(&mut self, check: PageCheck) {
        self.findings.checks.push(check);
    }

    /// Writes the page.
    pub(super) fn finish(mut self, interrupted: bool) -> io::Result<()> {
        self.result?;
        self.html.findings(self.findings);
        self.html.event(&Event::Finished(&Summary {
            wall: self.started.elapsed(),
            interrupted,
            ..Summary::default()
        }))
    }
}
