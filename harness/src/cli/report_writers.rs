//! Opens the reports that a command writes to files: JSON, `JUnit`, HTML, Markdown.

use std::fs::File;
use std::io::{self, LineWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::report_files;
use crate::notice::{self, Notice};
use crate::report::Reporter;
use crate::report::html::Html;
use crate::report::json::Json;
use crate::report::junit::Junit;
use crate::report::markdown::Markdown;

/// A reporter, and the human-readable name of its output.
pub(super) type NamedReporter = (String, Box<dyn Reporter>);

/// A JSON report, and the name of the place it goes to.
pub(super) type NamedJson = (String, Json<Box<dyn Write>>);

/// The files of the reports, each if it is requested.
#[derive(Debug, Clone, Default)]
pub(super) struct ReportWriters<'a> {
    pub(super) json: Option<&'a Path>,
    pub(super) junit: Option<&'a Path>,
    pub(super) html: Option<&'a Path>,
    pub(super) markdown: Option<PathBuf>,
}

impl ReportWriters<'_> {
    /// Rejects reports that would corrupt each other, or a file in `read`.
    pub(super) fn check(&self, read: &[&Path]) -> Result<(), Notice> {
        let written = [
            (report_files::JSON, self.json),
            ("--junit", self.junit),
            ("--html", self.html),
            ("--markdown", self.markdown.as_deref()),
        ];
        report_files::check(&written, read)
    }

    /// Whether the JSON report goes to standard output.
    pub(super) fn json_to_stdout(&self) -> bool {
        self.json == Some(Path::new("-"))
    }

    /// A reporter for each file. The notices are part of JSON.
    pub(super) fn open(
        &self,
        warnings: &[Notice],
        errors: &[Notice],
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
            reporters.push((quoted(path), Box::new(page(path)?)));
        }
        if let Some(path) = &self.markdown {
            reporters.push((quoted(path), Box::new(Markdown::new(path.clone()))));
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
            (quoted, Box::new(LineWriter::new(file)))
        };
        let json = Json::new(out).with_notices(warnings, errors)?;
        Ok(Some((name, json)))
    }
}

/// The page at `path`.
pub(super) fn page(path: &Path) -> Result<Html> {
    Html::new(path).with_context(|| format!("cannot write the page to `{}`", path.display()))
}
