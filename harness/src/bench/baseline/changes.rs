//! The differences between an old and a new baseline, for reviewers.

use super::Baseline;

/// The differences between two baselines, one line for each case:
/// `sum.rs secret/1: 84300000 → 96945000 instructions (+15.00 %)`.
#[must_use]
pub fn changes(old: &Baseline, new: &Baseline) -> Vec<String> {
    let mut lines = old.key.differences(&new.key);
    let cases_of = |of: &Baseline| -> Vec<(String, String)> {
        let solutions = of.solutions.iter();
        solutions
            .flat_map(|(solution, cases)| cases.keys().map(|case| (solution.clone(), case.clone())))
            .collect()
    };
    let mut all = cases_of(old);
    all.extend(cases_of(new));
    all.sort();
    all.dedup();
    for (solution, case) in all {
        let count_in = |of: &Baseline| {
            let samples = of.solutions.get(&solution)?.get(&case)?;
            let mut counts = samples.instructions.clone();
            counts.sort_unstable();
            counts.get(counts.len() / 2).copied()
        };
        let line = match (count_in(old), count_in(new)) {
            (Some(then), Some(now)) if then != now => {
                #[expect(clippy::cast_precision_loss, reason = "for display")]
                let change = 100.0 * (now as f64 / (then as f64).max(1.0) - 1.0);
                format!("{then} → {now} instructions ({change:+.2} %)")
            }
            (None, Some(now)) => format!("new, {now} instructions"),
            (Some(then), None) => format!("gone, {then} instructions"),
            _ => continue,
        };
        lines.push(format!("{solution} {case}: {line}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::tests::baseline;
    use super::*;

    #[test]
    fn a_change_shows_old_and_new() {
        let old = baseline(&[("1", 1000), ("2", 5), ("3", 7)]);
        let mut new = baseline(&[("1", 1100), ("2", 5), ("4", 8)]);
        new.key.libc = "glibc 2.41".into();
        assert_eq!(
            changes(&old, &new),
            [
                "the C library: `glibc 2.36` then, `glibc 2.41` now",
                "a.rs 1: 1000 → 1100 instructions (+10.00 %)",
                "a.rs 3: gone, 7 instructions",
                "a.rs 4: new, 8 instructions",
            ]
        );
    }
}
