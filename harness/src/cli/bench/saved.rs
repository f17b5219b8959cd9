//! Saved baselines: making one, and comparing with one.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Result, ensure};
use rejudge_statistics::{CaseGate, Gate, Quantity};

use super::judged::{self, Choice};
use super::measure::{figures, take};
use super::{BenchStage, leave_out_uncounted};
use crate::bench::baseline::{self, Baseline, BaselineKey, BaselineMachine, BaselineSamples};
use crate::bench::gate::PROBE_RUNS;
use crate::bench::report::{BenchReport, CaseId, Comparison, LeftOut, MeasuredCase};
use crate::bench::sampling::ProgramCase;
use crate::bench::{BenchRunner, Meter, RunMeasurement, stored};
use crate::cli::exit::CommandExit;
use crate::cli::project::Selected;
use crate::cli::stream;
use crate::notice::{Code, shown};
use crate::sequence::SubmissionEntry;

/// Measures, and writes what was measured to the baseline `name`.
pub(super) fn save(
    stage: &BenchStage<'_>,
    mut selected: Selected,
    name: &str,
    root: &Path,
) -> Result<BenchReport> {
    let path = baseline::path_of(root, name)?;
    let old = Baseline::read(&path)?;
    let mut left_out = Vec::new();
    let program_cases = judged::choose(stage, &mut selected, &Choice::Usual, &mut left_out)?;
    let program_cases: Vec<ProgramCase> =
        program_cases.into_iter().map(|(program_case, _)| program_case).collect();
    ensure!(!program_cases.is_empty(), "no solution is accepted, so there is nothing to save");
    let entries = judged::entries(&selected);
    let mut runner = stage.runner(&entries)?;
    let meter = Meter::portable(runner.sandbox())?;
    let runs = stage.settings.runs;
    let timed = take(stage, &mut runner, &entries, &program_cases, runs, &mut left_out)?;
    let program_cases: Vec<ProgramCase> =
        timed.iter().map(|(program_case, _)| *program_case).collect();
    let mut new = Baseline::new(key(stage, &meter, &entries));
    runner.set_meter(meter);
    let counted = counts(stage, &mut runner, &entries, &program_cases, &mut left_out)?;
    let mut measured = Vec::new();
    for (program_case, counts) in counted {
        let case_id = judged::case_id(&entries, program_case);
        let (_, measurements) = timed
            .iter()
            .find(|(timed, _)| *timed == program_case)
            .expect("only timed program cases are counted");
        let cases = new.solutions.entry(case_id.submission.clone()).or_default();
        cases.insert(case_id.case.clone(), samples(measurements, instructions(&counts)));
        measured.push(MeasuredCase { figures: figures(measurements, Quantity::CpuTime)?, case_id });
    }
    if let Some(old) = &old {
        new.keep_unmeasured(old);
    }
    announce(old.as_ref(), &new, &shown(&path, Some(root)));
    new.write(&path)?;
    Ok(BenchReport {
        meter: format!("clocks and {}", runner.meter().name()),
        sandbox: Some(stage.session.facts().clone()),
        quantity: Quantity::CpuTime,
        measured,
        comparison: None,
        left_out,
    })
}

/// Says what changes in the file, old and new; on standard error, for it is no figure.
fn announce(old: Option<&Baseline>, new: &Baseline, path: &str) {
    let Some(old) = old else {
        stream::eprint_line(format_args!("{path}: new"));
        return;
    };
    let changes = baseline::changes(old, new);
    if changes.is_empty() {
        stream::eprint_line(format_args!("{path}: no count changed"));
    }
    for change in changes {
        stream::eprint_line(format_args!("{path}: {change}"));
    }
}

fn key(stage: &BenchStage<'_>, meter: &Meter, entries: &[SubmissionEntry<'_>]) -> BaselineKey {
    let ids: BTreeSet<&str> =
        entries.iter().map(|(submission, _)| submission.language.as_str()).collect();
    let languages = ids.into_iter().filter_map(|id| stage.project.languages.get(id));
    BaselineKey::here(meter.name(), languages, stage.project.compiler.cache())
}

/// Counts the instructions of each program on each case twice, or more often if the counts differ.
fn counts(
    stage: &BenchStage<'_>,
    runner: &mut BenchRunner<'_>,
    entries: &[SubmissionEntry<'_>],
    program_cases: &[ProgramCase],
    left_out: &mut Vec<LeftOut>,
) -> Result<Vec<(ProgramCase, Vec<RunMeasurement>)>> {
    let mut countable = Vec::new();
    for &program_case in program_cases {
        let case_id = judged::case_id(entries, program_case);
        if !leave_out_uncounted(runner, &[program_case], &case_id, left_out)? {
            countable.push(program_case);
        }
    }
    let mut counted = Vec::new();
    let mut varying = Vec::new();
    for (program_case, measurements) in
        take(stage, runner, entries, &countable, PROBE_RUNS, left_out)?
    {
        let counts = instructions(&measurements);
        if counts.windows(2).all(|two| two[0] == two[1]) {
            counted.push((program_case, measurements));
        } else {
            varying.push(program_case);
        }
    }
    counted.extend(take(stage, runner, entries, &varying, stored::VARYING_COUNT_RUNS, left_out)?);
    counted.sort_by_key(|(program_case, _)| (program_case.program, program_case.case));
    Ok(counted)
}

fn instructions(measurements: &[RunMeasurement]) -> Vec<u64> {
    measurements.iter().filter_map(|measurement| measurement.instructions).collect()
}

fn samples(measurements: &[RunMeasurement], instructions: Vec<u64>) -> BaselineSamples {
    let micros = |measurement: &RunMeasurement| {
        u64::try_from(measurement.cpu.as_micros()).unwrap_or(u64::MAX)
    };
    BaselineSamples {
        instructions,
        cpu_us: measurements.iter().map(micros).collect(),
        memory_bytes: measurements.iter().map(|measurement| measurement.memory.get()).collect(),
    }
}

/// Compares with the baseline `name`; what was made under other conditions is not compared.
pub(super) fn compare(
    stage: &BenchStage<'_>,
    mut selected: Selected,
    name: &str,
    gate: &Gate,
    root: &Path,
) -> Result<Result<BenchReport, CommandExit>> {
    let path = baseline::path_of(root, name)?;
    let Some(old) = Baseline::read(&path)? else {
        let path = shown(&path, Some(root));
        stream::error(
            Code::UnknownPath
                .says(format!("no such baseline: `{name}` ({path})"))
                .help(format!("create it with `rejudge bench --save {name}`")),
        );
        return Ok(Err(CommandExit::NoBase));
    };
    let mut left_out = keep_solutions_in(&old, name, &mut selected);
    let known = |submission: &str, case: &str| {
        let cases = old.solutions.get(submission);
        cases.is_some_and(|cases| cases.contains_key(case))
    };
    let program_cases =
        judged::choose(stage, &mut selected, &Choice::Listed(&known), &mut left_out)?;
    let program_cases: Vec<ProgramCase> =
        program_cases.into_iter().map(|(program_case, _)| program_case).collect();
    let entries = judged::entries(&selected);
    let mut runner = stage.runner(&entries)?;
    let meter = match stage.quantity {
        Quantity::Instructions => Meter::portable(runner.sandbox())?,
        _ => Meter::Clocks,
    };
    let now = key(stage, &meter, &entries);
    let differences = differences(&old, &now, stage.quantity);
    if !differences.is_empty() {
        refuse(name, stage.quantity, &differences);
        return Ok(Err(CommandExit::NoBase));
    }
    let meter_name = meter.name();
    runner.set_meter(meter);
    let runs = stage.settings.runs;
    let taken = if stage.quantity == Quantity::Instructions {
        counts(stage, &mut runner, &entries, &program_cases, &mut left_out)?
    } else {
        take(stage, &mut runner, &entries, &program_cases, runs, &mut left_out)?
    };
    let (mut cases, mut case_ids) = (Vec::new(), Vec::new());
    for (program_case, measurements) in taken {
        let case_id = judged::case_id(&entries, program_case);
        cases.push(beside_stored(stage, &old, &case_id, &measurements));
        case_ids.push(case_id);
    }
    let base = format!("the baseline `{name}`");
    let mut comparison = Comparison::new(base, gate, gate.judge(&cases), cases, case_ids);
    if stage.quantity != Quantity::Instructions {
        comparison.caution = Some(stored::CAUTION.to_owned());
    }
    Ok(Ok(BenchReport {
        meter: meter_name,
        sandbox: Some(stage.session.facts().clone()),
        quantity: stage.quantity,
        measured: Vec::new(),
        comparison: Some(comparison),
        left_out,
    }))
}

/// Keeps the solutions that the baseline has, and returns the others.
fn keep_solutions_in(old: &Baseline, name: &str, selected: &mut Selected) -> Vec<LeftOut> {
    let mut left_out = Vec::new();
    selected.submissions.retain(|submission| {
        let has = old.solutions.contains_key(&submission.name);
        if !has {
            let why = format!("the baseline `{name}` does not contain it");
            left_out.push(LeftOut::no_base(&submission.name, why));
        }
        has
    });
    left_out
}

/// What was measured now, beside what the baseline has of it.
fn beside_stored(
    stage: &BenchStage<'_>,
    old: &Baseline,
    case_id: &CaseId,
    measurements: &[RunMeasurement],
) -> CaseGate {
    let name = format!("{} {}", case_id.submission, case_id.case);
    let samples = &old.solutions[&case_id.submission][&case_id.case];
    let base = values(samples, stage.quantity);
    let new = measurements.iter().map(|one| one.of(stage.quantity)).collect();
    let over = stage.settings.of_case(&case_id.problem, &case_id.case);
    stored::case(name, stage.quantity, base, new, over)
}

/// What keeps `old` from being compared with here and now.
fn differences(old: &Baseline, now: &BaselineKey, quantity: Quantity) -> Vec<String> {
    if quantity == Quantity::Instructions {
        return old.key.differences(now);
    }
    // The counter has no part in it.
    let now = BaselineKey { counter: old.key.counter.clone(), ..now.clone() };
    let mut found = old.key.differences(&now);
    let here = BaselineMachine::here();
    if old.machine != here {
        found.push(format!(
            "machine: `{}` then, `{}` now",
            old.machine.describe(),
            here.describe()
        ));
    }
    found
}

fn refuse(name: &str, quantity: Quantity, differences: &[String]) {
    stream::error(format_args!(
        "the baseline `{name}` was made under different conditions and cannot be compared"
    ));
    for difference in differences {
        stream::eprint_line(format_args!("  {difference}"));
    }
    if quantity == Quantity::Instructions {
        stream::help(format_args!("create it again with `rejudge bench --save {name}`"));
    } else {
        stream::help(
            "use `--counter instructions`, which is comparable between machines, or compare with a revision, which is \
             measured here",
        );
    }
}

/// The samples of one quantity, in its unit.
#[expect(clippy::cast_precision_loss, reason = "no figure of a run that ends is above 2^53")]
fn values(samples: &BaselineSamples, quantity: Quantity) -> Vec<f64> {
    let (stored, unit) = match quantity {
        Quantity::CpuTime | Quantity::WallTime => (&samples.cpu_us, 1e-6),
        Quantity::Memory => (&samples.memory_bytes, 1.0),
        Quantity::Instructions => (&samples.instructions, 1.0),
    };
    stored.iter().map(|value| *value as f64 * unit).collect()
}
