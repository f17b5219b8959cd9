//! Makes the missing tests of packages of other tools.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Error, Result, bail};

use super::{GenerationCounts, SharedFaults, report};
use crate::cli::select::CaseFilter;
use crate::cli::stream;
use crate::cli::workshop::Workshop;
use crate::generate::{Dialogues, ForeignMaker, GenerationPlan, Maker, TestResult};
use crate::judge::Tools;
use crate::notice::{Code, Notice, Notices};
use crate::problem::{PrintedPlans, TestRecipe, TestRecipes, recipes};
use crate::sandbox::{RunJob, RunnerSource};
use crate::show::progress::{Progress, Spinner};

/// Refuses `--clean` for packages of other tools: only rules state which files belong to no case.
pub(super) fn refuse_clean(workshop: &Workshop, packages: &[PathBuf]) -> Result<()> {
    let mut others = packages.iter().filter(|dir| !GenerationPlan::is_in(dir));
    let Some(dir) = others.next() else {
        return Ok(());
    };
    let shown = workshop.show(dir);
    let what = "which has no generators/generators.yaml";
    bail!(
        Code::InvalidOption
            .says(format!("`--clean` does not apply to `{shown}`, {what}"))
            .help("remove the files of the tests yourself, and generate without `--clean`")
    );
}

/// Makes or checks the tests of the package in `dir`.
pub(super) fn package(
    workshop: &Workshop,
    (filter, check): (&CaseFilter, bool),
    dir: &Path,
    (runners, run): (&RunnerSource, &mut RunJob<'_>),
) -> Result<GenerationCounts> {
    let mut notices = Notices::relative_to(Some(workshop.base()));
    let language_of = |extension: &OsStr| {
        let language = workshop.languages.by_extension(extension.to_str()?);
        language.map(|language| language.id.clone())
    };
    let mut recipes = recipes(dir, &language_of, &PrintedPlans::new(), &mut notices);
    let mut spinner = Spinner::start(stream::note_of_work);
    spinner.say(&format!("making the inputs of {}", workshop.show(dir)));
    if let Some(first) = recipes.as_ref().filter(|found| !found.plan_programs.is_empty()) {
        let plans = printed_plans(workshop, dir, first, run)?;
        notices = Notices::relative_to(Some(workshop.base()));
        recipes = crate::problem::recipes(dir, &language_of, &plans, &mut notices);
    }
    spinner.suspend(|| report(&notices));
    let broken = !notices.errors.is_empty();
    let Some(recipes) = recipes else {
        return Ok(GenerationCounts { broken: true, ..GenerationCounts::default() });
    };
    let id = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
    let id = id.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let maker = Maker::new(&workshop.languages, &workshop.compiler, run, dir);
    let maker = maker.with_additions(&recipes.additions).running_in(recipes.current);
    let interactor = recipes.interactor.as_ref();
    let dialogues = interactor.filter(|one| one.then_check).map(|interactor| {
        let tools = Tools { compiler: &workshop.compiler, languages: &workshop.languages };
        Dialogues::new(dir, interactor, &recipes.additions, tools, runners)
    });
    let has_empty_answers = interactor.is_some() && dialogues.is_none();
    let mut maker = ForeignMaker::new(dir, &recipes, maker, check).with_dialogues(dialogues);
    let mut counts = GenerationCounts { broken, ..GenerationCounts::default() };
    let written = maker.run_writer();
    spinner.finish();
    let written = written.unwrap_or_else(|error| {
        stream::report_error(
            &Error::from(error).context(format!("cannot make the inputs of `{id}`")),
        );
        counts.broken = true;
        Vec::new()
    });
    let warnings = maker.warnings();
    let is_explained = !warnings.is_empty();
    for message in warnings {
        stream::warn(format_args!("{id}: {message}"));
    }
    if has_empty_answers {
        stream::note(format_args!("{id}: the answers of an interactive problem are empty"));
    }
    let is_new = |test: &&TestRecipe| recipes.tests.iter().all(|known| known.input != test.input);
    let all = recipes.tests.iter().chain(written.iter().filter(is_new));
    let tests: Vec<&TestRecipe> = all.filter(|test| filter.matches(&test.name)).collect();
    if recipes.tests.is_empty() && written.is_empty() && !counts.broken && !is_explained {
        stream::warn(format_args!("{id}: the package describes no tests"));
    }
    make_tests(&mut maker, &tests, (&id, check), &mut counts)?;
    if counts.cases > 0 {
        let line = counts.line(&id, check);
        stream::print(|out| writeln!(out, "{line}"))?;
    }
    Ok(counts)
}

/// Makes or checks these tests of the package `id`.
fn make_tests(
    maker: &mut ForeignMaker<'_, '_>,
    tests: &[&TestRecipe],
    (id, check): (&str, bool),
    counts: &mut GenerationCounts,
) -> Result<()> {
    let mut progress = Progress::new(stream::note_of_work);
    progress.expect(tests.len());
    let mut shared = SharedFaults::default();
    for test in tests {
        progress.begin(&format!("{id} {}", test.name));
        counts.cases += 1;
        match maker.make(test) {
            Ok(TestResult::Made) => counts.made += 1,
            Ok(TestResult::Unchanged) => counts.unchanged += 1,
            Ok(TestResult::Different) => {
                counts.different += 1;
                progress.suspend(|| stream::error(difference(id, test, check)));
            }
            Err(error) => {
                let fatal = error.is_fatal();
                let is_new = shared.is_new(&error);
                let error = Error::from(error).context(format!("cannot make `{id}/{}`", test.name));
                if fatal {
                    return Err(error);
                }
                if is_new {
                    progress.suspend(|| stream::report_error(&error));
                }
                counts.failed += 1;
            }
        }
        progress.skip(1);
    }
    progress.finish();
    shared.report(id);
    Ok(())
}

/// Runs the programs that print test plans.
fn printed_plans(
    workshop: &Workshop,
    dir: &Path,
    recipes: &TestRecipes,
    run: &mut RunJob<'_>,
) -> Result<PrintedPlans> {
    let mut maker = Maker::new(&workshop.languages, &workshop.compiler, run, dir)
        .with_additions(&recipes.additions);
    let mut plans = PrintedPlans::new();
    for program in &recipes.plan_programs {
        let shown = workshop.show(program);
        let text = maker
            .plan_of(program)
            .with_context(|| format!("cannot run the generator script `{shown}`"))?;
        plans.insert(program.clone(), text);
    }
    Ok(plans)
}

/// The message about a test that is made differently.
fn difference(id: &str, test: &TestRecipe, check: bool) -> Notice {
    let name = &test.name;
    if check {
        return Code::Conflict.says(format!("{id}: `{name}` differs from the generated test"));
    }
    let answer = &test.answer;
    Code::Conflict
        .says(format!(
            "{id}: the stored answer `{answer}` differs from that of the generated input, which is not written"
        ))
        .help("remove the answer, and generate again")
}
