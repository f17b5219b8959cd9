//! The report for CI servers: `JUnit` XML with a suite for each submission and a test for each case.
//!
//! A test fails if the case's verdict contradicts the expectation, so a wrong solution that fails as expected passes.
//! The file is written at the end, to a temporary sibling that then replaces it. Jenkins' xUnit plugin accepts the
//! fewest elements and attributes of all readers: the report uses no others, and a test holds it to that schema.

use std::fmt::Write as _;
use std::io;
use std::path::Path;
use std::time::Duration;

use crate::event::{CaseResult, Event, Outline, SubmissionReport, Summary};
use crate::report::Reporter;
use crate::report::words::{Disturbed, NEAR_LIMIT, Sureness};
use crate::report::xml::Element;
use crate::show::destination::Destination;
use crate::show::words::clock;
use crate::verdict::Verdict;

/// Collects tests and writes them to a file at the end.
pub(crate) struct Junit {
    destination: Option<Destination>,
    suites: Vec<Element>,
    /// Of all suites.
    counts: Counts,
    /// The tests of the current suite.
    tests: Vec<TestElement>,
    /// Facts about the machine and the sandbox, added to every suite.
    properties: Vec<(&'static str, String)>,
}

/// The name of the suite about the run as a whole.
const RUN: &str = "rejudge";

/// A test, and what the counts of its suite need.
struct TestElement {
    element: Element,
    outcome: TestOutcome,
    wall: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TestOutcome {
    Passed,
    Failed,
    Skipped,
}

/// The numbers of tests.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    tests: usize,
    failures: usize,
    skipped: usize,
}

impl Counts {
    fn of(tests: &[TestElement]) -> Self {
        let count = |outcome| tests.iter().filter(|test| test.outcome == outcome).count();
        Self {
            tests: tests.len(),
            failures: count(TestOutcome::Failed),
            skipped: count(TestOutcome::Skipped),
        }
    }

    /// Adds the attributes that suites and the whole report have in common.
    fn on(self, element: Element) -> Element {
        element.with("tests", &self.tests).with("failures", &self.failures).with("errors", &0)
    }
}

impl Junit {
    /// A report that is written to `path` at the end of the run. A path that cannot be written is an error now.
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        Ok(Self {
            destination: Some(Destination::open(path)?),
            suites: Vec::new(),
            counts: Counts::default(),
            tests: Vec::new(),
            properties: Vec::new(),
        })
    }

    fn write(&mut self, summary: &Summary) -> io::Result<()> {
        self.run(summary);
        let root = Element::new("testsuites").with("name", "rejudge");
        let mut root = self.counts.on(root).with("time", &seconds(summary.wall));
        for suite in self.suites.drain(..) {
            root.push(suite);
        }
        let text = root.document();
        self.destination
            .take()
            .map_or(Ok(()), |destination| destination.write(|out| out.write_all(text.as_bytes())))
    }

    fn submission(&mut self, report: &SubmissionReport) {
        let mut tests = std::mem::take(&mut self.tests);
        tests.extend(whole(report));
        let mut suite = self.suite(&report.submission, &tests).with("file", &report.submission);
        suite.push(self.properties_of(report));
        self.push(suite, tests);
    }

    /// Adds a suite about the run as a whole, if something is missing in it or remarkable.
    fn run(&mut self, summary: &Summary) {
        let Summary { missing, remarks, .. } = summary;
        if missing.is_empty() && remarks.is_empty() {
            return;
        }
        let mut element =
            Element::new("testcase").with("name", "the run as a whole").with("classname", RUN);
        if let Some(first) = missing.first() {
            let failure = Element::new("failure").with("type", "incomplete");
            element.push(failure.with("message", first).text(&missing.join("\n")));
        }
        if !remarks.is_empty() {
            element.push(Element::new("system-out").text(&remarks.join("\n")));
        }
        let tests = vec![TestElement {
            element,
            outcome: if missing.is_empty() { TestOutcome::Passed } else { TestOutcome::Failed },
            wall: Duration::ZERO,
        }];
        let suite = self.suite(RUN, &tests);
        self.push(suite, tests);
    }

    /// A suite for these tests, which it does not contain yet. Adds their numbers to those of the report.
    fn suite(&mut self, name: &str, tests: &[TestElement]) -> Element {
        let counts = Counts::of(tests);
        self.counts.tests += counts.tests;
        self.counts.failures += counts.failures;
        let suite = Element::new("testsuite").with("name", name);
        counts
            .on(suite)
            .with("skipped", &counts.skipped)
            .with("time", &seconds(tests.iter().map(|test| test.wall).sum()))
    }

    fn push(&mut self, mut suite: Element, tests: Vec<TestElement>) {
        for test in tests {
            suite.push(test.element);
        }
        self.suites.push(suite);
    }

    fn properties_of(&self, report: &SubmissionReport) -> Element {
        let mut properties = Element::new("properties");
        let mut add = |name: &'static str, value: &str| {
            let property = Element::new("property").with("name", &name);
            properties.push(property.with("value", &value));
        };
        for (name, value) in &self.properties {
            add(name, value);
        }
        if let Some(score) = &report.score {
            add("score", &score.score.to_string());
            if let Some(max) = score.max {
                add("max_score", &max.to_string());
            }
        }
        properties
    }
}

impl Reporter for Junit {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Case(result) => self.tests.push(test(result)),
            Event::Submission(report) => self.submission(report),
            Event::Finished(summary) => return self.write(summary),
            Event::Started(outline) => self.properties = properties(outline),
            Event::Working(_) | Event::Failing(_) | Event::Paused | Event::Drawn(_) => {}
        }
        Ok(())
    }
}

/// A time as the schema wants it: seconds, with at most three decimals.
fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

/// The protections and clocks of a sandbox, and the machine's sources of noise.
fn properties(outline: &Outline) -> Vec<(&'static str, String)> {
    let facts = &outline.sandbox;
    let missing: Vec<&str> = facts.missing().map(|(missing, _)| missing.name()).collect();
    let noise = serde_json::to_string(outline.origin.noise()).unwrap_or_default();
    vec![
        ("sandbox.back_end", facts.back_end.name().to_owned()),
        ("sandbox.lacks", missing.join(" ")),
        ("sandbox.cpu_clock", clock(facts.cpu_clock).to_owned()),
        ("sandbox.memory_clock", clock(facts.memory_clock).to_owned()),
        ("machine.noise", noise),
    ]
}

/// The test of a case.
fn test(result: &CaseResult) -> TestElement {
    let wall = result.usage.wall;
    let mut element = Element::new("testcase")
        .with("name", &result.case)
        .with("classname", &result.submission)
        .with("time", &seconds(wall));
    let outcome = if result.verdict == Verdict::Skipped {
        let reason = result.reason.as_deref().unwrap_or_default();
        element.push(Element::new("skipped").with("message", &reason));
        TestOutcome::Skipped
    } else if result.permitted {
        TestOutcome::Passed
    } else {
        let reason = result.reason.as_deref().unwrap_or(result.verdict.words());
        element.push(failure(result.verdict, reason, result.diff.as_deref().unwrap_or_default()));
        TestOutcome::Failed
    };
    let notes = notes(result);
    if !notes.is_empty() {
        element.push(Element::new("system-out").text(&notes));
    }
    if let Some(stderr) = &result.stderr {
        element.push(Element::new("system-err").text(stderr));
    }
    TestElement { element, outcome, wall }
}

/// The lines about how the verdict was confirmed, then the transcript. The schema has no properties of tests.
fn notes(result: &CaseResult) -> String {
    let mut notes = String::new();
    if let Some(nearness) = result.nearness {
        // Writing to a `String` cannot fail.
        let _ = writeln!(notes, "confirmation: {}", Sureness(nearness));
    }
    if let Some(disturbance) = &result.disturbance {
        let name = if disturbance.stands { "disturbed" } else { "run_again" };
        let _ = writeln!(notes, "{name}: {}", Disturbed(disturbance));
    }
    if result.near_limit {
        let _ = writeln!(notes, "near_limit: {NEAR_LIMIT}");
    }
    if let Some(transcript) = &result.transcript {
        let _ = write!(notes, "{transcript}");
    }
    notes
}

/// A test for the submission as a whole, if its failure shows in no case: it did not compile, was not judged, or never
/// got a verdict that it must get.
fn whole(report: &SubmissionReport) -> Option<TestElement> {
    if report.met || report.failed > 0 {
        return None;
    }
    let mut element = Element::new("testcase")
        .with("name", "the submission as a whole")
        .with("classname", &report.submission);
    element.push(failure(
        report.verdict,
        &report.why_unexpected(),
        report.build.error.as_deref().unwrap_or_default(),
    ));
    Some(TestElement { element, outcome: TestOutcome::Failed, wall: Duration::ZERO })
}

fn failure(verdict: Verdict, message: &str, details: &str) -> Element {
    Element::new("failure").with("type", &verdict.code()).with("message", &message).text(details)
}

#[cfg(test)]
mod tests;
