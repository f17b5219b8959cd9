//! What a new baseline changes, for those who review it.

use super::Baseline;

/// What changed between two baselines, a line for each case: `sum.rs secret/1: 84.3 M → 96.9 M (+15.0 %)`.
#[must_use]
pub fn changes(old: &Baseline, new: &Baseline) -> Vec<String> {
    let mut lines = old.key.differences(&new.key);
    let places = |of: &Baseline| -> Vec<(String, String)> {
        let solutions = of.solutions.iter();
        solutions
            .flat_map(|(solution, cases)| cases.keys().map(|case| (solution.clone(), case.clone())))
            .collect()
    };
    let mut all = places(old);
    all.extend(places(new));
    all.sort();
    all.dedup();
    for (solution, case) in all {
        let of = |of: &Baseline| {
            let samples = of.solutions.get(&solution)?.get(&case)?;
            let mut counts = samples.instructions.clone();
            counts.sort_unstable();
            counts.get(counts.len() / 2).copied()
        };
        let line = match (of(old), of(new)) {
            (Some(then), Some(now)) if then != now => {
                #[expect(clippy::cast_precision_loss, reason = "for people to read")]
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
