//! `rejudge run --nats`: submits a run, and reports it as if it were judged here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, Error, Result};
use rejudge_cluster::{Cluster, Row, SigningKey, Table, is_token};

use super::super::nats_args::RunOnWorkersArgs;
use super::super::project::Selected;
use super::super::stream;
use super::super::submitted_run::SubmittedRun;
use super::connecting::{SUBMITTER, of_cluster, of_farm};
use crate::checker_spec::CheckerSpec;
use crate::event::{Event, Summary};
use crate::farm::{
    Books, FarmJob, FarmRun, QueueSource, UnitSizes, UnitSpan, WorkerInfo, send, split, workers,
};
use crate::judge::Options;
use crate::judge::gather::gather_entries;
use crate::machine::Machine;
use crate::notice::Code;
use crate::notice::few;
use crate::sequence::SubmissionEntry;
use crate::shard::{self, PlanContext, ShardNumber};
use crate::show::words::Count;
use crate::time_limit::is_inferred;

/// The problems whose time limits are still to be inferred.
pub(in crate::cli) fn unset_limits(options: &Options, selected: &Selected) -> Vec<String> {
    if options.limits.cpu_time.is_some() {
        return Vec::new();
    }
    let unset = selected.problems.iter().filter(|one| is_inferred(one));
    unset.map(|problem| problem.id.clone()).collect()
}

/// The digest of a plan, which submitter and workers compute.
pub(super) fn plan_digest(entries: &[SubmissionEntry<'_>], plan: PlanContext<'_>) -> String {
    // The rest of the command line does not change what is judged.
    let options = Options { arguments: Vec::new(), ..plan.options.clone() };
    let plan = PlanContext { options: &options, faulty: false, ..plan };
    shard::part(entries, ShardNumber { number: 1, of: 1 }, plan).plan
}

/// Sends what workers must know, and returns its name. From then on, the run has all of its files.
fn send_job(cluster: &Cluster, id: &str, run: &mut FarmRun, job: &FarmJob) -> Result<String> {
    let bytes = serde_json::to_vec(job).expect("a job is always JSON");
    let put = cluster.blob_total().and_then(|all| cluster.put_blob(&bytes, all.lifetime));
    put.map_err(|error| of_cluster(&error))?;
    let name = Cluster::blob_name(&bytes);
    run.jobs.retain(|known| *known != name);
    run.jobs.push(name.clone());
    run.is_sending = false;
    let row = cluster.put(Table::Runs, id, &to_bytes(run));
    row.map_err(|error| of_cluster(&error))?;
    Ok(name)
}

/// Every run may be judged elsewhere.
#[expect(clippy::unnecessary_wraps, reason = "a build without workers refuses")]
pub(in crate::cli) fn check(_: &RunOnWorkersArgs) -> Result<()> {
    Ok(())
}

/// Lets workers judge. `None`: the run is judged here.
pub(in crate::cli) fn judge(
    submitted: &SubmittedRun<'_>,
    on_event: &mut dyn FnMut(&Event<'_>),
) -> Result<Option<Summary>> {
    let nats = submitted.args.nats();
    let Some(url) = nats.url() else {
        return Ok(None);
    };
    if let Some(name) = nats.run().filter(|name| !is_token(name) || name.len() > 40) {
        return Err(Code::InvalidOption
            .says(format!("`{name}` is not a name for a run"))
            .help("use at most 40 letters, digits, `-` and `_`")
            .into());
    }
    let key = nats.sign_key()?;
    let interrupt = submitted.session.interrupt();
    let access = nats.access();
    let cluster = access.connect(url, ("rejudge run", SUBMITTER), interrupt)?;
    submitted.on(&cluster, &key, on_event).map(Some)
}

impl SubmittedRun<'_> {
    fn on(
        &self,
        cluster: &Cluster,
        key: &SigningKey,
        on_event: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Summary> {
        let public = key.public();
        cluster.prepare().map_err(|error| of_cluster(&error))?;
        let nats = self.args.nats();
        let batches = UnitSizes { cases: nats.batch(), durations: self.plan.durations };
        let units = split(self.entries, self.plan.options, batches);
        let alive = workers(cluster).map_err(|error| of_cluster(&error))?;
        let reference =
            nats.reference().map_or_else(|| common_class(&alive, &public), str::to_owned);
        let mut run = self.begun(units.len(), reference);
        let (id, jobs) = self.id(cluster, &run, &units)?;
        run.jobs = jobs;
        // Before the files: from now on, nobody removes what this run sends.
        let row = cluster.put(Table::Runs, &id, &to_bytes(&run));
        row.map_err(|error| of_cluster(&error))?;
        let job = self.job(cluster, &run)?;
        stream::note(format_args!(
            "run {id}: {} for {}",
            Count(units.len(), "unit"),
            Count(alive.len(), "worker")
        ));
        let job_name = send_job(cluster, &id, &mut run, &job)?;
        let mut look = |workers: &[(String, WorkerInfo)], judged: usize| {
            run.judged = judged;
            warn_of_none(workers, &public);
            // The row only informs others.
            let _ = cluster.put(Table::Runs, &id, &to_bytes(&run));
        };
        let mut source = QueueSource {
            cluster,
            run: &id,
            job: &job_name,
            key,
            entries: self.entries,
            tools: self.plan.tools,
            options: self.plan.options,
            units: &units,
            reference: &job.reference,
            interrupt: self.session.interrupt(),
            patience: nats.patience(),
            look: &mut look,
            books: Books::new(units.len()),
        };
        let submitted = source.submit();
        submitted.map_err(|error| of_cluster(&error))?;
        let facts = self.session.facts();
        let (tools, options) = (self.plan.tools, self.plan.options);
        let summary = gather_entries(self.entries, tools, options, facts, &mut source, on_event);
        let abandoned = source.books.abandoned();
        let fault = source.books.take_fault();
        run.judged = source.books.judged();
        run.is_over = !summary.interrupted && fault.is_none() && abandoned.is_none();
        if let Some(fault) = fault {
            return Err(of_cluster(&fault));
        }
        if let Some(missing) = abandoned {
            return Err(self.abandoned(&units, &missing, nats.patience()));
        }
        // What nobody needs any more, or what a later run submits again.
        cluster.withdraw(&id).map_err(|error| of_cluster(&error))?;
        let kept = cluster.put(Table::Runs, &id, &to_bytes(&run));
        kept.map_err(|error| of_cluster(&error))?;
        Ok(summary)
    }

    /// The run before anything of it is on the server.
    fn begun(&self, units: usize, reference: String) -> FarmRun {
        FarmRun {
            plan: plan_digest(self.entries, self.plan),
            units,
            judged: 0,
            reference,
            is_over: false,
            jobs: Vec::new(),
            is_sending: true,
            since: None,
        }
    }

    /// The error of a run that no worker took on.
    fn abandoned(&self, units: &[UnitSpan], missing: &[usize], patience: Duration) -> Error {
        let names = missing.iter().map(|unit| {
            let span = &units[*unit];
            let (submission, problem) = self.entries[span.entry];
            let cases = &problem.cases[span.first..span.end];
            match (cases.first(), cases.last()) {
                (Some(first), Some(last)) if cases.len() > 1 => {
                    format!("{} ({} to {})", submission.name, first.name(), last.name())
                }
                (Some(only), _) => format!("{} ({})", submission.name, only.name()),
                _ => submission.name.clone(),
            }
        });
        let names: Vec<String> = names.collect();
        let what = format!(
            "there was no worker for {} s, and {} of {} have no result: {}",
            patience.as_secs_f64(),
            missing.len(),
            Count(units.len(), "unit"),
            few(&names)
        );
        let notice = Code::UnavailableServer.says(what);
        notice
            .help("start a worker with `rejudge work --nats URL --trust KEY`; the same command then goes on with this run")
            .into()
    }

    /// What workers must know. Sends the files.
    fn job(&self, cluster: &Cluster, run: &FarmRun) -> Result<FarmJob> {
        let current = std::env::current_dir().context("cannot determine the current folder")?;
        let root = self.project.root().unwrap_or(&current);
        let root =
            root.canonicalize().with_context(|| format!("cannot read `{}`", root.display()))?;
        let below = |word: &str| below(&root, &current, word);
        let mut options = Vec::new();
        for (name, value) in self.args.decisive_options(self.project) {
            let is_path = matches!(&*name, "--cases" | "--interactor");
            let value = match value {
                Some(value) if name == "--checker" => {
                    let (prefix, path) = CheckerSpec::split(&value);
                    let path = if path.is_empty() { String::new() } else { below(path)? };
                    Some(format!("{prefix}{path}"))
                }
                Some(value) if is_path => Some(below(&value)?),
                value => value,
            };
            options.push((name, value));
        }
        let paths = self.args.selection().paths.iter().map(|path| below(&path.to_string_lossy()));
        let paths = paths.collect::<Result<_>>()?;
        let sent = send(cluster, &root).map_err(|error| of_farm(&error))?;
        let (tree, files, bytes) = sent;
        if bytes > 0 {
            stream::note(format_args!("sent {bytes} bytes of {}", Count(files, "file")));
        }
        let problems: BTreeMap<&str, Option<Duration>> = self
            .entries
            .iter()
            .map(|(_, problem)| (problem.id.as_str(), problem.limits.cpu_time))
            .collect();
        let limits = self.unset.iter().filter_map(|id| {
            let limit = problems.get(id.as_str()).copied().flatten()?;
            Some((id.clone(), limit))
        });
        let look = self.plan.options.look;
        Ok(FarmJob {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            plan: run.plan.clone(),
            tree,
            options,
            paths,
            limits: limits.collect(),
            look: (look.width, look.colour),
            reference: run.reference.clone(),
        })
    }

    /// The name of the run on the server: that of an unfinished run of the same plan, or a new one. With the jobs that it has.
    fn id(
        &self,
        cluster: &Cluster,
        run: &FarmRun,
        units: &[UnitSpan],
    ) -> Result<(String, Vec<String>)> {
        let digest = blake3::hash(format!("{} {units:?}", run.plan).as_bytes());
        let prefix = &digest.to_hex()[..16];
        let rows = cluster.rows(Table::Runs).map_err(|error| of_cluster(&error))?;
        let known = |row: &Row| serde_json::from_slice::<FarmRun>(&row.value).ok();
        if let Some(name) = self.args.nats().run() {
            let id = named(name, prefix, &rows)?;
            let row = rows.iter().find(|row| row.key == id);
            let jobs = row.and_then(known).map(|known| known.jobs);
            return Ok((id, jobs.unwrap_or_default()));
        }
        let open = rows.iter().rev().find_map(|row| {
            let known = known(row).filter(|known| !known.is_over)?;
            row.key.starts_with(prefix).then(|| (row.key.clone(), known.jobs))
        });
        if let Some(open) = open {
            stream::note(format_args!("an earlier run was not finished, and goes on"));
            return Ok(open);
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        Ok((format!("{prefix}-{now}"), Vec::new()))
    }
}

/// The run with this name, or a new one: a name is that of `rejudge cluster`, or only the end that a user chose.
fn named(name: &str, prefix: &str, rows: &[Row]) -> Result<String> {
    let is_whole = rows.iter().any(|row| row.key == name);
    let is_of_plan = name.split_once('-').is_some_and(|(start, _)| start == prefix);
    match (is_whole, is_of_plan) {
        (_, true) => Ok(name.to_owned()),
        (false, false) => Ok(format!("{prefix}-{name}")),
        (true, false) => Err(Code::InvalidOption
            .says(format!(
                "`{name}` is a run of another plan: problems, submissions, options or the version have changed"
            ))
            .help("restore what has changed, or start a new run with another name after `--run`")
            .into()),
    }
}

fn to_bytes(run: &FarmRun) -> Vec<u8> {
    serde_json::to_vec(run).expect("a run is always JSON")
}

/// The class with the most places for units; without workers, that of this machine.
fn common_class(workers: &[(String, WorkerInfo)], key: &str) -> String {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, info) in workers.iter().filter(|(_, info)| info.takes_work_of(key)) {
        *places.entry(&info.class).or_default() += info.jobs;
    }
    let most = places.into_iter().max_by_key(|(_, jobs)| *jobs);
    let own = || Machine::this().cpu.unwrap_or_default();
    most.map_or_else(own, |(class, _)| class.to_owned())
}

/// Warns once if no worker takes the units.
pub(super) fn warn_of_none(workers: &[(String, WorkerInfo)], key: &str) {
    static WARNED: std::sync::Once = std::sync::Once::new();
    if workers.iter().any(|(_, info)| info.takes_work_of(key)) {
        return;
    }
    let able = workers.iter().any(|(_, info)| info.takes_work());
    WARNED.call_once(|| match (workers, able) {
        ([], _) => stream::warn(format_args!(
            "no worker is there; start one with `rejudge work --nats URL --trust {key}`"
        )),
        (_, true) => stream::warn(format_args!(
            "no worker that is there trusts your key; start one with `--trust {key}`"
        )),
        (_, false) => {
            stream::warn("the workers that are there have another version of rejudge, or failed");
        }
    });
}

/// A path of the command line, relative to the root. What names no file stays as it is.
fn below(root: &Path, current: &Path, word: &str) -> Result<String> {
    let Ok(full) = current.join(word).canonicalize() else {
        return Ok(word.to_owned());
    };
    let Ok(relative) = full.strip_prefix(root) else {
        return Err(Code::InvalidOption
            .says(format!(
                "`{word}` is outside `{}`, and workers get only what is in there",
                root.display()
            ))
            .help("copy it there, or start rejudge in a folder above both")
            .into());
    };
    let relative =
        if relative == Path::new("") { PathBuf::from(".") } else { relative.to_path_buf() };
    let text = relative.to_str().map(str::to_owned);
    text.with_context(|| format!("the name of `{word}` is not Unicode"))
}
