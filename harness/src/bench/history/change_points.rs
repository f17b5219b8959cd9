//! Finds the points at which a series of figures shifted for good: E-divisive with means replaced by energy distances.
//!
//! D. Matteson and N. James, *A Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data*, JASA
//! 109, 2014. It assumes nothing about the distribution of the noise. D. Daly and others, *The Use of Change Point
//! Detection to Identify Software Performance Regressions in a Continuous Integration System*, ICPE 2020, report on it
//! in practice. A segment is divided where the energy distance between its two parts is largest, if a permutation test
//! finds this distance too large for chance; then its parts are examined in the same way.

use crate::bench::RandomSource;

/// The least number of figures in a segment: a single outlier is not a shift.
const LEAST: usize = 2;

/// The permutations of a test, and the most of them that may divide at least as well: p is at most 0.01.
const PERMUTATIONS: usize = 299;
const MOST_AS_GOOD: usize = 2;

/// The indices at which a new segment starts, in order.
pub(super) fn change_points(series: &[f64]) -> Vec<usize> {
    // The same seed for every series: the same figures always give the same answer.
    let mut random = RandomSource::new(1);
    let mut found = Vec::new();
    divide(series, 0, &mut random, &mut found);
    found
}

fn divide(segment: &[f64], start: usize, random: &mut RandomSource, found: &mut Vec<usize>) {
    let Some((at, distance)) = best_division(segment) else {
        return;
    };
    if !is_significant(segment, distance, random) {
        return;
    }
    divide(&segment[..at], start, random, found);
    found.push(start + at);
    divide(&segment[at..], start + at, random, found);
}

/// Whether few random orders of the figures can be divided as well.
fn is_significant(segment: &[f64], distance: f64, random: &mut RandomSource) -> bool {
    // Equal distances differ by rounding.
    let bound = distance * (1.0 - 1e-9);
    let mut shuffled = segment.to_vec();
    let mut as_good = 0;
    for _ in 0..PERMUTATIONS {
        random.shuffle(&mut shuffled);
        as_good += usize::from(best_division(&shuffled).is_some_and(|(_, other)| other >= bound));
        if as_good > MOST_AS_GOOD {
            return false;
        }
    }
    true
}

/// The division with the largest energy distance between its parts, and that distance; `None` if there is none.
fn best_division(series: &[f64]) -> Option<(usize, f64)> {
    let count = series.len();
    let distance = |a: usize, b: usize| (series[a] - series[b]).abs();
    let to_all = |one: usize, others: std::ops::Range<usize>| -> f64 {
        others.map(|other| distance(one, other)).sum()
    };
    // The sums of the distances within the left part, within the right part, and between both; they change by one
    // figure at a time.
    let (mut left, mut between) = (0.0, 0.0);
    let mut right: f64 = (0..count).map(|one| to_all(one, 0..one)).sum();
    let mut best: Option<(usize, f64)> = None;
    for at in 1..count {
        let moved = at - 1;
        let (to_left, to_right) = (to_all(moved, 0..moved), to_all(moved, at..count));
        left += to_left;
        right -= to_right;
        between += to_right - to_left;
        if at < LEAST || count - at < LEAST {
            continue;
        }
        let energy = energy(at, count - at, left, right, between);
        if energy > 0.0 && best.is_none_or(|(_, most)| energy > most) {
            best = Some((at, energy));
        }
    }
    best
}

/// The scaled energy distance of two parts, from the sums of distances.
#[expect(clippy::cast_precision_loss, reason = "numbers of commits are far below 2^52")]
fn energy(left_count: usize, right_count: usize, left: f64, right: f64, between: f64) -> f64 {
    let (m, n) = (left_count as f64, right_count as f64);
    let mean_between = between / (m * n);
    let mean_left = left / (m * (m - 1.0) / 2.0);
    let mean_right = right / (n * (n - 1.0) / 2.0);
    m * n / (m + n) * (2.0 * mean_between - mean_left - mean_right)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures around `level` with noise of up to `noise`, sometimes far above.
    fn noisy(rng: &mut fastrand::Rng, level: f64, noise: f64, count: usize) -> Vec<f64> {
        let mut figure = || {
            let outlier = if rng.u8(0..12) == 0 { 5.0 } else { 1.0 };
            level * (1.0 + noise * rng.f64() * outlier)
        };
        (0..count).map(|_| figure()).collect()
    }

    #[test]
    fn a_lasting_shift_is_found_at_its_place() {
        let mut rng = fastrand::Rng::with_seed(3);
        for (before, after) in [(10, 10), (20, 8), (6, 25)] {
            let mut series = noisy(&mut rng, 1.0, 0.03, before);
            series.extend(noisy(&mut rng, 1.2, 0.03, after));
            assert_eq!(change_points(&series), [before], "{series:?}");
        }
    }

    #[test]
    fn two_shifts_are_two_points() {
        let parts = [(1.0, 12), (1.5, 12), (1.1, 12)];
        let exact = (0..30).filter(|seed| {
            let mut rng = fastrand::Rng::with_seed(*seed);
            let series =
                parts.iter().flat_map(|(level, count)| noisy(&mut rng, *level, 0.02, *count));
            let found = change_points(&series.collect::<Vec<f64>>());
            assert!(found.contains(&12) && found.contains(&24), "{found:?}");
            found.len() == 2
        });
        // At a level of 1 %, noise sometimes adds a point to one of the three segments.
        let exact = exact.count();
        assert!(exact >= 25, "{exact}");
    }

    #[test]
    fn an_outlier_is_not_a_shift() {
        let mut series = vec![1.0; 20];
        series[11] = 3.0;
        assert_eq!(change_points(&series), [0; 0]);
    }

    #[test]
    fn noise_alone_is_rarely_a_shift() {
        let mut rng = fastrand::Rng::with_seed(5);
        let alarms = (0..100).filter(|_| !change_points(&noisy(&mut rng, 1.0, 0.1, 30)).is_empty());
        // One of a hundred is expected.
        assert!(alarms.count() <= 5);
    }

    #[test]
    fn a_short_or_constant_series_has_no_shift() {
        for series in [&[][..], &[1.0], &[1.0, 2.0, 3.0], &[2.0; 30]] {
            assert_eq!(change_points(series), [0; 0], "{series:?}");
        }
    }
}
