//! `rejudge verify`: checks problems themselves, for problem setters.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::slice;

use anyhow::{Context as _, Result};
use clap::Args;
use rejudge_quantity as quantity;

use super::build_args::BuildArgs;
use super::exit::CommandExit;
use super::json_output::JsonArgs;
use super::on_demand;
use super::opening::Opening;
use super::page_args::PageArgs;
use super::project::Project;
use super::report_files;
use super::sandbox::SandboxArgs;
use super::session::Session;
use super::stream;
use crate::disagreement::Disagreements;
use crate::discover::Found;
use crate::event::Event;
use crate::generate::MaterialiseError;
use crate::judge::{self, Options};
use crate::notice::{Code, Notice, folds, shown, visible};
use crate::problem::Problem;
use crate::sandbox::SandboxError;
use crate::show::progress::{Progress, Spinner};
use crate::strength::{MatrixCollector, StrengthReview};
use crate::submission::{Submission, SubmissionsByProblem};
use crate::verify::{
    self, CatchCounts, CheckCounts, Finding, FindingSubject, JudgingListener, Severity,
    VerifiedPrograms,
};

mod page;
mod report;

use page::VerifyPage;
use report::Report;

/// Check problems: cases, validators, submissions, limits and files
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Names or folders of the problems [default: all problems of the repository]
    #[arg(value_name = "PROBLEM")]
    problems: Vec<PathBuf>,
    /// Count warnings as errors
    #[arg(long)]
    strict: bool,
    /// Skip the submissions; check only cases, validators and files
    #[arg(long)]
    no_submissions: bool,
    /// Number of cases to run in parallel [default: physical cores minus one, at least one]
    #[arg(short, long, value_name = "N", value_parser = quantity::whole(1_u16, 1024))]
    jobs: Option<u16>,
    #[command(flatten)]
    json: JsonArgs,
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    build: BuildArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

impl VerifyArgs {
    fn jobs(&self, project: &Project) -> usize {
        self.jobs.map_or_else(|| project.jobs(), usize::from)
    }

    /// The arguments with which `rejudge run` judges one case again in the same way.
    fn arguments_of_rerun(&self) -> Vec<String> {
        let mut words = self.build.words();
        words.extend(self.sandbox.words());
        words
    }
}

/// Checks problems one by one.
struct Check<'a> {
    session: &'a Session,
    project: &'a Project,
    report: Report<'a>,
}

/// Checks each problem. The exit status is 1 if a problem has errors, and 2 if one cannot be checked.
pub(crate) fn verify(args: &VerifyArgs) -> Result<CommandExit> {
    let written = [(report_files::JSON, args.json.path()), ("--html", args.page.path())];
    let read: Vec<&Path> = args.problems.iter().map(PathBuf::as_path).collect();
    report_files::check(&written, &read)?;
    report_files::check_folders(&written)?;
    let page = args.page.open(VerifyPage::open)?;
    let output = args.json.open()?;
    let session = Session::start(args.sandbox)?;
    let mut project = Opening::of(&args.problems).to_run(&args.build).without_folders().open()?;
    session.accept(&project.languages)?;
    let mut found = std::mem::take(&mut project.found);
    let base = match &project.repository {
        Some(repository) => repository.root.clone(),
        None => std::env::current_dir().context("cannot determine the current folder")?,
    };
    let report = Report {
        args,
        base,
        output: RefCell::new(output),
        page: RefCell::new(page),
        annotations: RefCell::default(),
    };
    drop_names_in_packages(&mut found, &report.base);
    report.start(session.facts(), args.jobs(&project))?;
    let mut worst = CommandExit::Expected;
    for (notice, fold) in found.warnings.iter().zip(folds(&found.warnings)) {
        worst = worst.worse(report.folded("", &warning(notice), fold)?);
    }
    for notice in &found.errors {
        report.finding("", &Finding::of_notice(Severity::Error, notice))?;
        worst = CommandExit::Fault;
    }
    if found.problems.is_empty() {
        report.finish()?;
        return Ok(worst);
    }
    let check = Check { session: &session, project: &project, report };
    let judged: &[Submission] = if args.no_submissions { &[] } else { &found.submissions };
    let by_problem = SubmissionsByProblem::of(judged);
    for problem in found.problems {
        let result = check.problem(&problem, &by_problem.copied(&problem.id));
        if let Some(exit) = session.signalled() {
            check.report.write_page(true)?;
            return Ok(exit);
        }
        worst = worst.worse(result?);
    }
    check.report.finish()?;
    Ok(worst)
}

/// Drops warnings about names among the cases of packages: the check of a package's files reports each as an error.
fn drop_names_in_packages(found: &mut Found, base: &Path) {
    let packages = found.problems.iter().filter(|problem| problem.is_package);
    let packages: Vec<String> =
        packages.map(|problem| shown(&problem.dir.join("data"), Some(base))).collect();
    found.warnings.retain(|notice| {
        let file = notice.location.as_ref().map(|location| &location.file);
        let is_in = |data: &String| file.is_some_and(|file| Path::new(file).starts_with(data));
        notice.code != Code::InvalidName || !packages.iter().any(is_in)
    });
}

/// A warning when judging may be an error of the problem setter.
fn warning(notice: &Notice) -> Finding {
    if notice.code.is_of_ignored() {
        Finding::of_notice(Severity::Error, notice)
    } else {
        Finding::of_notice(Severity::Warning, notice)
    }
}

/// The finding about a problem some of whose cases cannot be made.
fn unmade(error: MaterialiseError) -> Finding {
    if let MaterialiseError::Notice(notice) = &error {
        return Finding::of_notice(Severity::Error, notice);
    }
    // With its causes.
    let message = format!("{:#}", anyhow::Error::from(error));
    Finding::error(FindingSubject::Package, Code::FailingProgram, message)
}

impl Check<'_> {
    /// Checks one problem and reports the findings.
    fn problem(&self, problem: &Problem, submissions: &[Submission]) -> Result<CommandExit> {
        let mut findings = Vec::new();
        let problems = slice::from_ref(problem);
        let faults = on_demand::faults(self.session, self.project.tools(), problems);
        findings.extend(faults.into_iter().map(|(_, error)| unmade(error)));
        // A problem without all of its cases cannot be checked.
        let is_made = findings.is_empty();
        let looked = if is_made {
            self.check_all(problem, submissions, &mut findings)?
        } else {
            CheckCounts::default()
        };
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        if let Some(archive) = &problem.archive {
            for path in findings.iter_mut().filter_map(|finding| finding.path.as_mut()) {
                *path = archive.original(path).unwrap_or_else(|| path.clone());
            }
        }
        let is_faulty = !is_made || looked.submissions.not_judged;
        let mut exit = CommandExit::Expected.or_fault(is_faulty);
        for finding in &findings {
            exit = exit.worse(self.report.finding(&problem.id, finding)?);
        }
        self.report.problem(problem, &looked, &findings)?;
        Ok(exit)
    }

    fn check_all(
        &self,
        problem: &Problem,
        submissions: &[Submission],
        findings: &mut Vec<Finding>,
    ) -> Result<CheckCounts, SandboxError> {
        let spinner = Spinner::start(stream::note_of_work);
        let mut number = 0_usize;
        let step = &mut |what: &str| {
            let what = visible(what);
            spinner.say(&format!("{}: {number} files checked, now {what}", problem.id));
            number += 1;
        };
        verify::files(problem, findings);
        let runners = self.session.runners();
        let tools = self.project.tools();
        let mut programs = VerifiedPrograms::build(problem, tools, runners, findings)?;
        let inputs = verify::inputs(problem, &mut programs, findings, step)?;
        let answers = verify::answers(problem, &mut programs, findings, step)?;
        drop(programs);
        drop(spinner);
        let (submissions, strength) = self.submissions(problem, submissions, findings)?;
        Ok(CheckCounts { inputs, answers, submissions, strength })
    }

    fn submissions(
        &self,
        problem: &Problem,
        submissions: &[Submission],
        findings: &mut Vec<Finding>,
    ) -> Result<(verify::SubmissionCounts, Option<CatchCounts>), SandboxError> {
        let args = self.report.args;
        if submissions.is_empty() {
            if !args.no_submissions {
                let message =
                    "there are no submissions, so nothing shows that the problem can be solved";
                let finding =
                    Finding::warning(FindingSubject::Submission, Code::NoSolutions, message);
                findings.push(finding.at(&problem.dir));
            }
            return Ok((verify::SubmissionCounts::default(), None));
        }
        let tools = self.project.tools();
        let options = Options {
            jobs: args.jobs(self.project),
            // The distance to the time limit is checked too, so times matter.
            measures: true,
            root: self.project.root().map(Path::to_path_buf),
            ..Options::new(self.session.runners().clone())
        };
        let problems = slice::from_ref(problem);
        let mut listener = JudgingListener::default();
        let mut collector = MatrixCollector::default();
        let mut disagreements = Disagreements::new(submissions.iter().map(|one| (one, problem)));
        let mut progress = Progress::new(stream::note_of_work);
        let judged = judge::judge(problems, submissions, tools, &options, &mut |event| {
            match event {
                Event::Started(outline) => progress.expect(outline.cases),
                Event::Working(work) => progress.work(*work),
                Event::Submission(report) => progress.skip(report.cases - report.run),
                _ => {}
            }
            listener.hear(event);
            collector.hear(event);
            disagreements.hear(event);
            if let Some(page) = &mut *self.report.page.borrow_mut() {
                page.hear(event);
            }
        });
        progress.finish();
        if judged?.interrupted {
            return Err(SandboxError::Interrupted);
        }
        let looked = verify::submissions(&listener, submissions, findings);
        findings.extend(disagreements.notices().iter().map(|notice| Finding {
            subject: FindingSubject::Submission,
            ..Finding::of_notice(Severity::Warning, notice)
        }));
        let spinner = Spinner::start(stream::note_of_work);
        spinner.say(&format!("{}: judging again with other time limits", problem.id));
        verify::half(&listener, submissions, findings);
        verify::twice(&listener, problem, submissions, tools, &options, findings)?;
        let matrix = collector.finish().into_iter().next();
        let strength = matrix.map(|matrix| StrengthReview::of(matrix, Vec::new()).counts());
        Ok((looked, strength))
    }
}
