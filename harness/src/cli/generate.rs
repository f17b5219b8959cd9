//! `rejudge generate`: makes cases from `generators/generators.yaml`, or makes them again and compares.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Error, Result, bail};
use clap::Args;

use super::exit::CommandExit;
use super::sandbox::SandboxArgs;
use super::select::CaseFilter;
use super::session::Session;
use super::stream;
use super::workshop::Workshop;
use crate::attempts::run_fairly;
use crate::discover::problem_folders_below;
use crate::generate::{
    CaseStore, Discrepancy, GenerationPlan, Kept, LARGEST, MakeError, Maker, Unknown,
};
use crate::notice::{Code, Notices};
use crate::problem::has_recipes;
use crate::sandbox::{RunJob, RunnerSource};
use crate::show::progress::Progress;

mod counts;
mod foreign;

use counts::GenerationCounts;

/// Generate test cases, or check that they are up to date
#[derive(Debug, Args)]
pub(crate) struct GenerateArgs {
    /// Names or folders of problems, or folders of several problems [default: all problems that say how their cases are made]
    #[arg(value_name = "PROBLEM")]
    problems: Vec<String>,
    /// Change nothing; generate every case again and report each difference
    #[arg(long)]
    check: bool,
    /// Remove the files of cases that no rule makes
    #[arg(long, conflicts_with_all = ["check", "case"])]
    clean: bool,
    /// Generate only the cases whose name, or last part of the name, matches GLOB; repeatable
    #[arg(long, value_name = "GLOB")]
    case: Vec<String>,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

/// Makes or checks the cases. The exit status is 1 if a check finds a difference, and 2 if a case cannot be made.
pub(crate) fn generate(args: &GenerateArgs) -> Result<CommandExit> {
    let session = Session::start(args.sandbox)?;
    let workshop = Workshop::open()?;
    session.accept(&workshop.languages)?;
    let filter = CaseFilter::new(&args.case)?;
    let mut runner = session.runner()?;
    let mut outcome = GenerationCounts::default();
    let packages = args.packages(&workshop)?;
    if args.clean {
        foreign::refuse_clean(&workshop, &packages)?;
    }
    for dir in packages {
        let mut run = |job: &_, input| run_fairly(&mut runner, job, input);
        let done = args.package(&workshop, &filter, &dir, (session.runners(), &mut run));
        if let Some(exit) = session.signalled() {
            return Ok(exit);
        }
        outcome.add(&done?);
    }
    if outcome.cases == 0 && !args.case.is_empty() && !outcome.broken {
        stream::warn(format_args!("no case matches `--case {}`", args.case.join(" ")));
        return Ok(CommandExit::NothingSelected);
    }
    Ok(outcome.exit())
}

impl GenerateArgs {
    fn packages(&self, workshop: &Workshop) -> Result<Vec<PathBuf>> {
        let is_known = |dir: &Path| GenerationPlan::is_in(dir) || has_recipes(dir);
        if self.problems.is_empty() {
            if is_known(&workshop.current) {
                return Ok(vec![workshop.current.clone()]);
            }
            let mut packages = workshop.packages()?;
            packages.retain(|package| GenerationPlan::is_in(package));
            if packages.is_empty() {
                packages = problem_folders_below(&workshop.current, &is_known);
            }
            if packages.is_empty() {
                bail!(
                    Code::NoGenerators
                        .says("no problem here has a generators/generators.yaml")
                        .help("name a problem's folder, or write one")
                );
            }
            return Ok(packages);
        }
        let named = self.problems.iter().map(|named| {
            let folder = workshop.current.join(named);
            if has_recipes(&folder) {
                return Ok(vec![folder]);
            }
            let below = problem_folders_below(&folder, &is_known);
            if !workshop.is_package(named) && !below.is_empty() {
                return Ok(below);
            }
            let package = workshop.package(named)?;
            if !is_known(&package) {
                let package = workshop.show(&package);
                bail!(
                    Code::NoGenerators
                        .says(format!("`{package}` has no generators/generators.yaml"))
                        .help("describe its cases there, as the guide shows")
                );
            }
            Ok(vec![package])
        });
        let all: Vec<Vec<PathBuf>> = named.collect::<Result<_>>()?;
        Ok(all.concat())
    }

    fn package(
        &self,
        workshop: &Workshop,
        filter: &CaseFilter,
        dir: &Path,
        (runners, run): (&RunnerSource, &mut RunJob<'_>),
    ) -> Result<GenerationCounts> {
        if !GenerationPlan::is_in(dir) {
            return foreign::package(workshop, (filter, self.check), dir, (runners, run));
        }
        let mut notices = Notices::relative_to(Some(workshop.base()));
        let plan = GenerationPlan::read(dir, &mut notices);
        let store = CaseStore::open(dir, &mut notices);
        let (Some(mut plan), Some(mut store)) = (plan, store) else {
            report(&notices);
            return Ok(GenerationCounts { broken: true, ..GenerationCounts::default() });
        };
        let (settings, changed) = if self.check {
            (store.compare_settings(&plan)?, 0)
        } else {
            let changed = store.keep_settings(&plan, &|name| filter.matches(name))?;
            (Vec::new(), changed)
        };
        plan.read_settings(&mut notices);
        report(&notices);
        for finding in &settings {
            stream::error(message(finding, "test_group.yaml", workshop));
        }
        let maker = Maker::new(&workshop.languages, &workshop.compiler, run, dir);
        let done = self.cases(workshop, filter, &plan, maker, &mut store);
        let unknown = match &done {
            Ok(_) if self.case.is_empty() && !plan.is_partial => {
                self.report_unknown(workshop, &plan, &store)?
            }
            _ => Unknown::default(),
        };
        if !self.check {
            // After an interruption too: the list must contain the cases that were moved to the cache.
            store.finish(&unknown.listed)?;
        }
        let mut outcome = done?;
        outcome.broken |= !notices.errors.is_empty();
        outcome.different += settings.len();
        outcome.changed_settings = changed;
        if self.check {
            outcome.different += unknown.files.len() + unknown.listed.len();
        }
        if outcome.cases > 0 {
            let line = outcome.line(&plan.id, self.check);
            stream::print(|out| writeln!(out, "{line}"))?;
        }
        Ok(outcome)
    }

    fn cases(
        &self,
        workshop: &Workshop,
        filter: &CaseFilter,
        plan: &GenerationPlan,
        mut maker: Maker<'_>,
        store: &mut CaseStore,
    ) -> Result<GenerationCounts> {
        let cases: Vec<_> = plan.cases.iter().filter(|case| filter.matches(&case.name)).collect();
        let mut progress = Progress::new(stream::note_of_work);
        progress.expect(cases.len());
        let mut outcome = GenerationCounts { cases: cases.len(), ..GenerationCounts::default() };
        let mut shared = SharedFaults::default();
        for case in cases {
            progress.begin(&format!("{} {}", plan.id, case.name));
            let made = match maker.make(plan, case) {
                Ok(made) => made,
                Err(error) => {
                    let fatal = error.is_fatal();
                    let is_new = shared.is_new(&error);
                    let name = format!("cannot make `{}/{}`", plan.id, case.name);
                    let error = Error::from(error).context(name);
                    if fatal {
                        return Err(error);
                    }
                    if is_new {
                        progress.suspend(|| stream::report_error(&error));
                    }
                    outcome.failed += 1;
                    continue;
                }
            };
            for message in maker.warnings() {
                progress.suspend(|| stream::warn(format_args!("{}: {message}", plan.id)));
            }
            let name = || format!("case `{}/{}`", plan.id, case.name);
            if self.check {
                let findings = store.compare(&case.name, &made).with_context(name)?;
                outcome.different += usize::from(!findings.is_empty());
                outcome.unchanged += usize::from(findings.is_empty());
                let report = |finding| stream::error(message(finding, &case.name, workshop));
                progress.suspend(|| findings.iter().for_each(report));
            } else {
                match store.keep(&case.name, &made).with_context(name)? {
                    Kept::Made => outcome.made += 1,
                    Kept::Unchanged => outcome.unchanged += 1,
                }
            }
            progress.skip(1);
        }
        progress.finish();
        shared.report(&plan.id);
        Ok(outcome)
    }

    /// Reports files and listed names that belong to no case of the plan. In a check these are errors. Otherwise files
    /// are warnings, unless the user wants them to be removed, and names are removed from the list of large cases without
    /// a message.
    fn report_unknown(
        &self,
        workshop: &Workshop,
        plan: &GenerationPlan,
        store: &CaseStore,
    ) -> Result<Unknown> {
        let mut unknown = store.unknown(plan);
        if self.clean {
            for file in store.remove(&std::mem::take(&mut unknown.files))? {
                stream::note(format_args!("removed {}", workshop.show(&file)));
            }
        }
        for file in &unknown.files {
            let notice = Code::UnusedFile
                .of_file(
                    &workshop.show(file),
                    "belongs to no case in generators/generators.yaml",
                )
                .help("list it there (`copy:` uses it as it is), or remove it: `rejudge generate --clean`");
            if self.check {
                stream::error(notice);
            } else {
                stream::warn(notice);
            }
        }
        for name in unknown.listed.iter().filter(|_| self.check) {
            stream::error(format_args!(
                "{}: `{name}` is not a case in generators/generators.yaml",
                workshop.show(&plan.dir.join("generators/large.toml"))
            ));
        }
        Ok(unknown)
    }
}

/// Faults of programs, each of which is reported for the first case that it concerns.
#[derive(Debug, Default)]
struct SharedFaults(BTreeMap<String, usize>);

impl SharedFaults {
    /// Whether the error has not been reported. A fault that is known is counted.
    fn is_new(&mut self, error: &MakeError) -> bool {
        if !error.is_shared() {
            return true;
        }
        match self.0.entry(error.to_string()) {
            Entry::Vacant(new) => {
                new.insert(0);
                true
            }
            Entry::Occupied(mut known) => {
                *known.get_mut() += 1;
                false
            }
        }
    }

    /// Reports how many more cases of the problem each fault concerns.
    fn report(&self, problem: &str) {
        for (message, count) in self.0.iter().filter(|(_, count)| **count > 0) {
            let cases = if *count == 1 { "case" } else { "cases" };
            let message = message.lines().next().unwrap_or_default();
            stream::error(format_args!(
                "cannot make {count} more {cases} of `{problem}`: {message}"
            ));
        }
    }
}

/// Prints the errors and the warnings.
fn report(notices: &Notices) {
    for error in &notices.errors {
        stream::error(error);
    }
    for warning in &notices.warnings {
        stream::warn(warning);
    }
}

/// The message for a finding of a check.
fn message(finding: &Discrepancy, name: &str, workshop: &Workshop) -> String {
    match finding {
        Discrepancy::Missing(path) => format!("{} is missing", workshop.show(path)),
        Discrepancy::Differs(path, at) => {
            format!("{} differs from the generated file: {at}", workshop.show(path))
        }
        Discrepancy::TooLarge(path, size) => format!(
            "{} has {size}: cases above {LARGEST} do not belong in a repository",
            workshop.show(path)
        ),
        Discrepancy::NotListed(path, size) => {
            format!("{} does not list `{name}`, which has {size}", workshop.show(path))
        }
        Discrepancy::OtherSum(path, key) => {
            format!(
                "{}: `{name}`: `{key}` differs from that of the generated file",
                workshop.show(path)
            )
        }
        Discrepancy::Surplus(path) => {
            format!("{} exists, but its key in generators.yaml is empty", workshop.show(path))
        }
        Discrepancy::Stale(path) => {
            format!("{} lists `{name}`, which is not above {LARGEST}", workshop.show(path))
        }
    }
}
