//! Tails of the binomial distribution, with a small relative error even in deep tails.

/// The probability that at least `least` of `draws` draws succeed. Each draw succeeds with probability `chance`.
pub(super) fn at_least(least: usize, draws: usize, chance: f64) -> f64 {
    if least == 0 {
        return 1.0;
    }
    if least > draws || chance <= 0.0 {
        return 0.0;
    }
    if chance >= 1.0 {
        return 1.0;
    }
    // The weights are relative to the most likely count and are computed from it in both directions. This needs no
    // factorials, nothing overflows, and a weight that underflows is below 1e-308 of the whole.
    let odds = chance / (1.0 - chance);
    let count = |n: usize| n as f64;
    let mode = ((count(draws) + 1.0) * chance) as usize;
    let mode = mode.min(draws);
    let (mut all, mut tail) = (0.0, 0.0);
    let mut add = |successes: usize, weight: f64| {
        all += weight;
        if successes >= least {
            tail += weight;
        }
    };
    let mut weight = 1.0;
    add(mode, weight);
    for successes in mode..draws {
        weight *= odds * count(draws - successes) / count(successes + 1);
        add(successes + 1, weight);
    }
    weight = 1.0;
    for successes in (1..=mode).rev() {
        weight *= count(successes) / count(draws - successes + 1) / odds;
        add(successes - 1, weight);
    }
    (tail / all).min(1.0)
}

/// The probability that at most `most` of `draws` fair coins show heads.
pub(super) fn coins_at_most(most: usize, draws: usize) -> f64 {
    at_least(draws.saturating_sub(most), draws, 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-12 * b.abs().max(1e-300)
    }

    #[test]
    fn tails_match_the_definition() {
        assert!(close(at_least(1, 3, 0.5), 7.0 / 8.0));
        assert!(close(at_least(3, 3, 0.1), 0.001));
        assert!(close(at_least(2, 3, 1.0 / 3.0), 7.0 / 27.0));
        assert!(close(coins_at_most(0, 60), 0.5_f64.powi(60)));
        assert!(close(coins_at_most(1, 4), 5.0 / 16.0));
    }

    #[test]
    fn the_ends_are_certain_or_impossible() {
        for chance in [0.0, 0.3, 1.0] {
            assert!(close(at_least(0, 5, chance), 1.0));
            assert!(at_least(6, 5, chance) < f64::MIN_POSITIVE);
        }
        assert!(close(coins_at_most(9, 5), 1.0));
        assert!(close(at_least(5, 5, 1.0), 1.0));
        assert!(at_least(1, 5, 0.0) < f64::MIN_POSITIVE);
    }

    #[test]
    fn complementary_tails_add_up_to_one_for_many_draws() {
        for (least, chance) in [(4000, 0.37), (3700, 0.37), (10, 0.001), (9999, 0.999)] {
            let above = at_least(least, 10_000, chance);
            let below = at_least(10_001 - least, 10_000, 1.0 - chance);
            assert!((above + below - 1.0).abs() < 1e-9, "{above} {below}");
        }
    }
}
