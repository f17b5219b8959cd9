//! `--gate criterion`: compares results that criterion has stored.

use std::path::Path;

use anyhow::Result;

use crate::bench::criterion;
use crate::bench::report::{BenchReport, CaseId, Comparison, LeftOut};
use crate::bench::settings::BenchSettings;
use crate::bench::stored;
use crate::cli::exit::CommandExit;
use crate::cli::stream;
use crate::notice::shown;
use crate::statistics::{Gate, Quantity};

/// The baseline that criterion creates from the previous run.
const LAST: &str = "base";

/// Compares the newest results with those that were saved as `against`.
pub(super) fn gate(
    settings: &BenchSettings,
    against: Option<&str>,
    root: &Path,
) -> Result<Result<BenchReport, CommandExit>> {
    let name = against.map_or(LAST, |word| word.strip_prefix("baseline:").unwrap_or(word));
    let home = criterion::home(root);
    let (old, new) = (
        criterion::read(&home, name)?,
        criterion::read(&home, "new")?,
    );
    let quantity = settings.options.quantity;
    let (mut cases, mut case_ids, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    for ((group, rest), sample) in new {
        let Some(base) = old.get(&(group.clone(), rest.clone())) else {
            let why = format!("`{name}` does not contain it");
            left_out.push(LeftOut {
                case: Some(rest),
                ..LeftOut::no_base(&group, why)
            });
            continue;
        };
        let over = settings.of_case(&group, &rest);
        let label = format!("{group} {rest}");
        let (base, sample) = (scaled(base, quantity), scaled(&sample, quantity));
        cases.push(stored::case(label, quantity, base, sample, over));
        case_ids.push(CaseId {
            problem: group.clone(),
            submission: group,
            case: rest,
        });
    }
    if cases.is_empty() {
        stream::error(format_args!(
            "{} has no benchmark that was saved both as `{name}` and as `new`",
            shown(&home, Some(root))
        ));
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
