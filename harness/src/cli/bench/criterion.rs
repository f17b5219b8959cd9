//! `--gate criterion`: compares results that criterion has stored.

use std::path::Path;

use anyhow::Result;
use rejudge_statistics::{Gate, Quantity};

use crate::bench::criterion;
use crate::bench::report::{BenchReport, CaseId, Comparison, LeftOut};
use crate::bench::settings::BenchSettings;
use crate::bench::stored;
use crate::cli::exit::CommandExit;
use crate::cli::stream;
use crate::notice::shown;

/// The baseline that early releases of criterion moved the previous run to. Later ones copy the newest run to it, unless that run
/// was compared with a named baseline.
const LAST: &str = "base";

/// Compares the newest results with those that were saved as `against`.
pub(super) fn gate(
    settings: &BenchSettings,
    against: Option<&str>,
    root: &Path,
) -> Result<Result<BenchReport, CommandExit>> {
    let name = against.map_or(LAST, |word| word.strip_prefix("baseline:").unwrap_or(word));
    let home = criterion::home(root);
    let (old, new) = (criterion::read(&home, name)?, criterion::read(&home, "new")?);
    let quantity = settings.options.quantity;
    let (mut cases, mut case_ids, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    // A count may repeat exactly, but what is called `base` was copied.
    let is_copy =
        |base: &[f64], new: &[f64]| base == new && (!quantity.repeats_itself() || name == LAST);
    let mut copies = 0;
    for ((group, rest), sample) in new {
        let Some(base) = old.get(&(group.clone(), rest.clone())) else {
            let why = format!("`{name}` does not contain it");
            left_out.push(LeftOut { case: Some(rest), ..LeftOut::no_base(&group, why) });
            continue;
        };
        if is_copy(base, &sample) {
            copies += 1;
            let why = format!("`{name}` has the same samples as `new`");
            left_out.push(LeftOut { case: Some(rest), ..LeftOut::no_base(&group, why) });
            continue;
        }
        let over = settings.of_case(&group, &rest);
        let label = format!("{group} {rest}");
        let (base, sample) = (scaled(base, quantity), scaled(&sample, quantity));
        cases.push(stored::case(label, quantity, base, sample, over));
        case_ids.push(CaseId { problem: group.clone(), submission: group, case: rest });
    }
    if cases.is_empty() {
        let home = shown(&home, Some(root));
        if copies > 0 {
            stream::error(format_args!(
                "{home} has the same samples as `{name}` and as `new`: criterion stores the newest results under both names"
            ));
        } else {
            stream::error(format_args!(
                "{home} has no benchmark that was saved both as `{name}` and as `new`"
            ));
        }
        stream::help(
            "run `cargo bench -- --save-baseline main` on the old code and `cargo bench` on the new, then compare with \
             `--against main`",
        );
        return Ok(Err(CommandExit::NoBase));
    }
    let gate = Gate::new(settings.options)?;
    let base = format!("criterion's `{name}`");
    let mut comparison = Comparison::new(base, &gate, gate.judge(&cases), cases, case_ids);
    comparison.caution = Some(format!("this is advice: {}", stored::CAUTION));
    Ok(Ok(BenchReport {
        meter: String::from("criterion's stored samples"),
        sandbox: None,
        quantity,
        measured: Vec::new(),
        comparison: Some(comparison),
        left_out,
    }))
}

/// The sample in our units. Criterion's times are in nanoseconds; other quantities are used unchanged.
fn scaled(sample: &[f64], quantity: Quantity) -> Vec<f64> {
    let unit = match quantity {
        Quantity::CpuTime | Quantity::WallTime => 1e-9,
        Quantity::Memory | Quantity::Instructions => 1.0,
    };
    sample.iter().map(|value| value * unit).collect()
}
