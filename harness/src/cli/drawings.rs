//! The drawings in the page of a run: the first wrong answers of each solution, by the problem's output visualizer.

use std::collections::HashMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use super::draw::printed;
use super::project::Selected;
use super::session::Session;
use super::stream;
use crate::attempts::run_fairly;
use crate::compile::Terms;
use crate::draw::{self, DrawnCase};
use crate::event::{CaseResult, Drawing, Event, Picture};
use crate::generate::{build, captured};
use crate::judge::Tools;
use crate::left_behind::Temporary;
use crate::problem::{Problem, TestCase};
use crate::sandbox::{Captured, RunJob};
use crate::submission::Submission;
use crate::verdict::Verdict;

/// The number of failures that are drawn: of one solution, and of all.
const OF_ONE: usize = 2;
const OF_ALL: usize = 40;

/// The most bytes of the pictures of a failure.
const BYTES: u64 = 8 << 20;

/// The failures to draw.
#[derive(Default)]
pub(super) struct Drawings {
    failures: Vec<FailureToDraw>,
    of_submission: HashMap<String, usize>,
}

struct FailureToDraw {
    problem: String,
    submission: String,
    case: String,
}

impl Drawings {
    /// Notes a failure. Before the last event, draws all of them, and passes the drawings to `tell`.
    pub(super) fn note(
        &mut self,
        event: &Event<'_>,
        session: &Session,
        tools: Tools<'_>,
        selected: &Selected,
        tell: &mut dyn FnMut(&Event<'_>),
    ) {
        match event {
            Event::Case(result) => self.case(result),
            Event::Finished(summary) if !summary.interrupted => {
                for failure in &self.failures {
                    match failure.draw(session, tools, selected) {
                        Ok(None) => {}
                        Ok(Some(drawing)) => tell(&Event::Drawn(&drawing)),
                        Err(error) => stream::warn(format_args!(
                            "cannot draw `{}` on `{}`: {error:#}",
                            failure.submission, failure.case
                        )),
                    }
                }
            }
            _ => {}
        }
    }

    fn case(&mut self, result: &CaseResult) {
        if result.permitted || result.verdict != Verdict::WrongAnswer {
            return;
        }
        let count = self.of_submission.entry(result.submission.clone()).or_default();
        if *count < OF_ONE && self.failures.len() < OF_ALL {
            *count += 1;
            self.failures.push(FailureToDraw {
                problem: result.problem.clone(),
                submission: result.submission.clone(),
                case: result.case.clone(),
            });
        }
    }
}

impl FailureToDraw {
    /// The drawing; `None` if the problem has no visualizer.
    fn draw(
        &self,
        session: &Session,
        tools: Tools<'_>,
        selected: &Selected,
    ) -> Result<Option<Drawing>> {
        let Some((problem, case, submission)) = self.find(selected) else {
            return Ok(None);
        };
        if !draw::has_visualizer(&problem.dir) || submission.is_answers() {
            return Ok(None);
        }
        let source = draw::visualizer(&problem.dir, &problem.id)?;
        let mut runner = session.runner()?;
        let mut run = |job: &_, input| run_fairly(&mut runner, job, input);
        let named = (submission.path.as_path(), self.submission.as_str());
        let output = printed(tools, named, problem, case, &mut run)?;
        let answer = case.answer().filter(|answer| answer.is_file());
        let mut painter = Painter {
            source,
            place: session.runners().options().work_base.clone(),
            case,
            left: BYTES,
        };
        Ok(Some(Drawing {
            submission: self.submission.clone(),
            problem: self.problem.clone(),
            case: self.case.clone(),
            output: painter.pictures(&output, answer.as_deref(), tools, &mut run)?,
            answer: match &answer {
                Some(answer) => {
                    painter.pictures(&captured(answer)?, Some(answer), tools, &mut run)?
                }
                None => Vec::new(),
            },
        }))
    }

    fn find<'a>(
        &self,
        selected: &'a Selected,
    ) -> Option<(&'a Problem, &'a TestCase, &'a Submission)> {
        let mut problems = selected.problems.iter();
        let problem = problems.find(|problem| problem.id == self.problem)?;
        let mut cases = problem.cases.iter();
        let case = cases.find(|case| case.name() == self.case)?;
        let mut submissions = selected.submissions.iter();
        let submission = submissions.find(|one| one.name == self.submission)?;
        Some((problem, case, submission))
    }
}

/// Draws the output and the answer of a case.
struct Painter<'a> {
    /// The source of the visualizer.
    source: PathBuf,
    /// Where its folder is created.
    place: PathBuf,
    case: &'a TestCase,
    /// The bytes that may still be used.
    left: u64,
}

impl Painter<'_> {
    fn pictures(
        &mut self,
        output: &Captured,
        answer: Option<&Path>,
        tools: Tools<'_>,
        run: &mut RunJob<'_>,
    ) -> Result<Vec<Picture>> {
        let visualizer =
            build(tools.languages, tools.compiler, &self.source, Terms::default(), run)?;
        let feedback = Temporary::new_in(&self.place, "rejudge-draw-")
            .context("cannot create a temporary folder")?;
        let scene = DrawnCase {
            input: &self.case.input(),
            answer: answer.unwrap_or(Path::new("/dev/null")),
            output,
            args: self.case.output_visualizer_args(),
        };
        let names = draw::draw(&visualizer, scene, &feedback, run)?;
        let mut pictures = Vec::with_capacity(names.len());
        for name in &names {
            let file = feedback.folder().file(Path::new(name))?;
            let mut bytes = Vec::new();
            file.take(self.left + 1).read_to_end(&mut bytes)?;
            let size = bytes.len() as u64;
            ensure!(size <= self.left, "the images have more than {BYTES} bytes");
            self.left -= size;
            pictures.push(Picture { media: draw::media(name), bytes });
        }
        Ok(pictures)
    }
}
