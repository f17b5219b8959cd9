//! Opens the reports that a command writes, passes events to them, and keeps the first failure.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::project::Reported;
use super::report_files;
use super::stream::{self, ReportStream};
use crate::event::Event;
use crate::notice::{self, Notice};
use crate::report::Reporter;
use crate::report::html::{Earlier, Html};
use crate::report::json::Json;
use crate::report::junit::Junit;
use crate::report::markdown::Markdown;
use crate::report::points::PointsTable;

/// A reporter, and the human-readable name of its output.
pub(super) type NamedReporter = (String, Box<dyn Reporter>);

/// The reports of a command.
pub(super) struct Reporters {
    reporters: Vec<NamedReporter>,
    /// The first failure, with the name of its report.
    failure: Option<(String, io::Error)>,
}

impl Reporters {
    pub(super) fn new(reporters: Vec<NamedReporter>) -> Self {
        Self { reporters, failure: None }
    }

    /// Passes the event to each report, even if another one failed. An error: one of them failed, now or earlier;
    /// [`Reporters::result`] has its name.
    pub(super) fn tell(&mut self, event: &Event<'_>) -> io::Result<()> {
        for (name, reporter) in &mut self.reporters {
            if let Err(error) = reporter.event(event) {
                self.failure.get_or_insert_with(|| (name.clone(), error));
            }
        }
        match &self.failure {
            Some((_, error)) => Err(error.kind().into()),
            None => Ok(()),
        }
    }

    /// The first failure, if there was one.
    pub(super) fn result(self) -> Result<()> {
        match self.failure {
            None => Ok(()),
            // The reader has closed the pipe: no message is needed.
            Some((_, error)) if error.kind() == io::ErrorKind::BrokenPipe => Err(Reported.into()),
            Some((name, error)) => {
                Err(error).with_context(|| format!("cannot write the report to {name}"))
            }
        }
    }
}

/// A JSON report, and the name of the place it goes to.
pub(super) type NamedJson = (String, Json<Box<dyn Write>>);

/// The files of the reports, each if it is requested.
#[derive(Debug, Clone, Default)]
pub(super) struct ReportWriters<'a> {
    pub(super) json: Option<&'a Path>,
    pub(super) junit: Option<&'a Path>,
    pub(super) html: Option<&'a Path>,
    pub(super) markdown: Option<PathBuf>,
    pub(super) csv: Option<&'a Path>,
}

impl ReportWriters<'_> {
    /// Rejects reports that would corrupt each other, or a file in `read`.
    pub(super) fn check(&self, read: &[&Path]) -> Result<(), Notice> {
        let written = [
            (report_files::JSON, self.json),
            ("--junit", self.junit),
            ("--html", self.html),
            ("--markdown", self.markdown.as_deref()),
            ("--csv", self.csv),
        ];
        report_files::check(&written, read)?;
        report_files::check_folders(&written)
    }

    /// Whether the JSON report goes to standard output.
    pub(super) fn json_to_stdout(&self) -> bool {
        self.json == Some(Path::new("-"))
    }

    /// The stream of the report on the terminal.
    pub(super) fn stream(&self) -> ReportStream {
        stream::for_report(self.json_to_stdout())
    }

    /// A reporter for each file. The notices are part of JSON. The page compares the run with an `earlier` one.
    pub(super) fn open(
        &self,
        warnings: &[Notice],
        errors: &[Notice],
        earlier: Option<Earlier>,
    ) -> Result<Vec<NamedReporter>> {
        let quoted = |path: &Path| format!("`{}`", notice::shown(path, None));
        let mut reporters: Vec<NamedReporter> = Vec::new();
        if let Some((name, json)) = self.json_report(warnings, errors)? {
            reporters.push((name, Box::new(json)));
        }
        if let Some(path) = self.junit {
            let report = Junit::new(path).with_context(|| {
                format!("cannot write the JUnit report to `{}`", path.display())
            })?;
            reporters.push((quoted(path), Box::new(report)));
        }
        if let Some(path) = self.html {
            reporters.push((quoted(path), Box::new(page(path, earlier)?)));
        }
        if let Some(path) = &self.markdown {
            reporters.push((quoted(path), Box::new(Markdown::new(path.clone()))));
        }
        if let Some(path) = self.csv {
            let table = PointsTable::new(path).with_context(|| {
                format!("cannot write the table of points to `{}`", path.display())
            })?;
            reporters.push((quoted(path), Box::new(table)));
        }
        Ok(reporters)
    }

    /// The JSON report with its name, if there is one.
    pub(super) fn json_report(
        &self,
        warnings: &[Notice],
        errors: &[Notice],
    ) -> Result<Option<NamedJson>> {
        let Some(path) = self.json else {
            return Ok(None);
        };
        let (name, out): (_, Box<dyn Write>) = if self.json_to_stdout() {
            ("standard output".to_owned(), Box::new(io::stdout()))
        } else {
            let file = File::create(path)
                .with_context(|| format!("cannot write the JSON report to `{}`", path.display()))?;
            let quoted = format!("`{}`", notice::shown(path, None));
            (quoted, Box::new(file))
        };
        let json = Json::new(out).with_notices(warnings, errors)?;
        Ok(Some((name, json)))
    }
}

/// The page at `path`.
fn page(path: &Path, earlier: Option<Earlier>) -> Result<Html> {
    let page = Html::new(path);
    let page = page.with_context(|| format!("cannot write the page to `{}`", path.display()))?;
    Ok(match earlier {
        Some(earlier) => page.against(earlier),
        None => page,
    })
}
