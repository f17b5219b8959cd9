//! A project that a worker received, opened as the submitter opened it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use clap::FromArgMatches as _;
use rejudge_cluster::{Cluster, ClusterError};
use tempfile::TempDir;

use super::super::project::{Project, Selected};
use super::super::session::Session;
use super::super::{Cli, on_demand, stream};
use super::submit::plan_digest;
use crate::diff::Look;
use crate::farm::{FarmError, FarmJob, MOST_JOB, MOST_LIST, TreeList, UnitOrder, unpack};
use crate::judge::Options;
use crate::manual;
use crate::problem::Problem;
use crate::sequence::SubmissionEntry;
use crate::shard::{Durations, PlanContext};
use clap::CommandFactory as _;

/// Number of projects that stay open.
const OPEN: usize = 3;

/// A project that could not be opened is opened again after this time: the reason, such as a full disk, may have passed.
const RETRY: Duration = Duration::from_secs(2);

/// A project that can be judged.
pub(super) struct OpenedProject {
    pub(super) job: FarmJob,
    pub(super) project: Project,
    pub(super) options: Options,
    selected: Selected,
    /// The problem of each submission, by index.
    problems: Vec<usize>,
    /// The problems without their cases.
    bare: Vec<Problem>,
    _folder: TempDir,
}

impl OpenedProject {
    /// The submission of a unit with its problem, and the problem without cases. `None`: there is no such submission, or
    /// no such case.
    pub(super) fn entry(&self, order: &UnitOrder) -> Option<(SubmissionEntry<'_>, &Problem)> {
        let submission = self.selected.submissions.get(order.entry)?;
        let index = self.problems[order.entry];
        let problem = &self.selected.problems[index];
        let entry = (submission, problem);
        (order.end <= problem.cases.len()).then_some((entry, &self.bare[index]))
    }
}

/// Why a run cannot be judged here.
#[derive(Debug, Clone)]
pub(super) enum UnusableProject {
    /// It is of another version.
    Version(String),
    /// Another reason.
    Other(String),
}

/// The projects that are open, by the name of their job.
#[derive(Default)]
pub(super) struct OpenProjects(Mutex<ProjectsByJob>);

#[derive(Default)]
struct ProjectsByJob {
    known: BTreeMap<String, Arc<OpenedProject>>,
    order: Vec<String>,
    /// The last job that failed, and when.
    failed: Option<(String, UnusableProject, Instant)>,
}

impl OpenProjects {
    /// The project of a job. The other threads wait while it is opened.
    pub(super) fn get(
        &self,
        name: &str,
        cluster: &Cluster,
        session: &Session,
    ) -> Result<Arc<OpenedProject>, UnusableProject> {
        let mut projects: MutexGuard<'_, ProjectsByJob> =
            self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = projects.known.get(name) {
            return Ok(Arc::clone(known));
        }
        if let Some((failed, why, when)) = &projects.failed
            && failed == name
            && when.elapsed() < RETRY
        {
            return Err(why.clone());
        }
        let opened = open(name, cluster, session).map(Arc::new).inspect_err(|why| {
            projects.failed = Some((name.to_owned(), why.clone(), Instant::now()));
        })?;
        if projects.order.len() >= OPEN {
            let oldest = projects.order.remove(0);
            projects.known.remove(&oldest);
        }
        projects.order.push(name.to_owned());
        projects.known.insert(name.to_owned(), Arc::clone(&opened));
        Ok(opened)
    }
}

fn open(
    name: &str,
    cluster: &Cluster,
    session: &Session,
) -> Result<OpenedProject, UnusableProject> {
    let other = |error: anyhow::Error| UnusableProject::Other(format!("{error:#}"));
    let received = |name: &str, most: u64| {
        let blob = cluster.blob(name, most);
        blob.map_err(FarmError::from)
    };
    let job = received(name, MOST_JOB).and_then(|bytes| FarmJob::read(&bytes));
    let job = job.map_err(|error| other(error.into()))?;
    if job.version != env!("CARGO_PKG_VERSION") {
        return Err(UnusableProject::Version(job.version));
    }
    opened(job, cluster, session).map_err(other)
}

fn opened(job: FarmJob, cluster: &Cluster, session: &Session) -> Result<OpenedProject> {
    let folder = tempfile::Builder::new().prefix("project-").tempdir()?;
    let list = TreeList::read(&cluster.blob(&job.tree, MOST_LIST)?)?;
    let root = unpack(&list, folder.path(), &mut |name, most| {
        cluster.blob(name, most).map_err(|error: ClusterError| error.into())
    })?;
    stream::note(format_args!("received {} files", list.files.len()));
    let matches = manual::complete(Cli::command()).try_get_matches_from(job.words());
    let cli = matches.and_then(|matches| Cli::from_arg_matches(&matches));
    let Some(super::super::Command::Run(args)) = cli.context("invalid options")?.command else {
        bail!("the options are not those of a run");
    };
    // Paths are relative to the current folder while the project is opened, and absolute afterwards.
    std::env::set_current_dir(&root).context("cannot enter the folder of the project")?;
    let mut project = args.open()?;
    let Some(mut selected) = project.select(args.selection())? else {
        bail!("the filters select nothing here");
    };
    session.accept(&project.languages)?;
    on_demand::make(session, project.tools(), &mut selected)?;
    for problem in &mut selected.problems {
        if let Some(limit) = job.limits.get(&problem.id) {
            problem.limits.cpu_time = Some(*limit);
        }
    }
    let mut options = args.options(session, &project);
    let (width, colour) = job.look;
    options.look = Look { width, colour };
    options.jobs = 1;
    let root = project.root().unwrap_or(&root).to_path_buf();
    finish(job, (project, selected, options), folder, &root)
}

/// Checks that the plan is that of the submitter.
fn finish(
    job: FarmJob,
    (project, selected, options): (Project, Selected, Options),
    folder: TempDir,
    root: &Path,
) -> Result<OpenedProject> {
    let by_id: BTreeMap<&str, usize> = selected
        .problems
        .iter()
        .enumerate()
        .map(|(index, problem)| (problem.id.as_str(), index))
        .collect();
    let problems: Vec<usize> =
        selected.submissions.iter().map(|submission| by_id[submission.problem.as_str()]).collect();
    let entries: Vec<SubmissionEntry<'_>> = selected
        .submissions
        .iter()
        .zip(&problems)
        .map(|(submission, problem)| (submission, &selected.problems[*problem]))
        .collect();
    let plan = PlanContext {
        tools: project.tools(),
        options: &options,
        root,
        durations: &Durations::default(),
        faulty: false,
    };
    if plan_digest(&entries, plan) != job.plan {
        bail!(
            "the plan has another digest here: the project depends on files outside its folder, or on the machine"
        );
    }
    let bare =
        selected.problems.iter().map(|problem| Problem { cases: Vec::new(), ..problem.clone() });
    Ok(OpenedProject {
        bare: bare.collect(),
        job,
        project,
        options,
        problems,
        selected,
        _folder: folder,
    })
}
