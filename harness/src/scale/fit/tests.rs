use super::*;

/// Sixteen sizes from `low` to `high`, with seeded random noise relative to the value.
fn samples(low: f64, high: f64, noise: f64, value: impl Fn(f64) -> f64) -> Vec<SizeSample> {
    let mut rng = fastrand::Rng::with_seed(11);
    let sizes = (0..16).map(|i| (low * (high / low).powf(f64::from(i) / 15.0)).round());
    sizes
        .map(|n| SizeSample {
            n,
            value: value(n) * (1.0 + noise * (2.0 * rng.f64() - 1.0)),
            spread: noise / 2.0,
        })
        .collect()
}

fn growth(samples: &[SizeSample]) -> Growth {
    Growth::of(samples).unwrap()
}

/// A start-up cost of 1 ms, plus 300 ms at the largest size.
fn program(family: Family, top: f64) -> impl Fn(f64) -> f64 {
    move |n| 0.001 + 0.3 * family.share(n, top)
}

#[test]
fn every_family_is_recognised_despite_noise() {
    for family in &Family::ALL[1..8] {
        let top = if *family == Family::Log { 1e18 } else { 1e6 };
        for noise in [0.0, 0.02, 0.06] {
            let low = if *family == Family::Log { 1.0 } else { 1e3 };
            let found = growth(&samples(low, top, noise, program(*family, top)));
            assert_eq!(found.best().family, *family, "{noise}: {found:?}");
            let (slowest, fastest) = found.range();
            assert!(slowest <= *family && *family <= fastest);
        }
    }
    let found = growth(&samples(4.0, 26.0, 0.03, program(Family::Exponential, 26.0)));
    assert_eq!(found.to_string(), "2ⁿ");
}

#[test]
fn the_effect_of_caches_is_not_mistaken_for_a_logarithm() {
    // An operation costs twice as much once the data no longer fits the cache. No family has such a step.
    let cached = |n: f64| 0.001 + 3e-7 * n * if n > 5e4 { 2.0 } else { 1.0 };
    let found = growth(&samples(1e3, 1e6, 0.03, cached));
    let (slowest, fastest) = found.range();
    assert_eq!(slowest, Family::Linear, "{found}");
    assert!(fastest <= Family::Linearithmic, "{found}");
}

#[test]
fn families_that_differ_strongly_are_never_confused() {
    use Family::{Cube, Linear, Linearithmic, RootTimes, Square};
    for (family, others) in [
        (Linear, [RootTimes, Square]),
        (Linearithmic, [RootTimes, Square]),
        (RootTimes, [Linearithmic, Square]),
        (Square, [RootTimes, Cube]),
    ] {
        let found = growth(&samples(1e3, 1e6, 0.1, program(family, 1e6)));
        for other in others {
            assert!(found.fits().iter().all(|fit| fit.family != other), "{found:?}");
        }
    }
}

#[test]
fn a_narrow_range_of_sizes_gives_a_range_of_families() {
    let found = growth(&samples(1e5, 4e5, 0.05, program(Family::Linearithmic, 4e5)));
    let (slowest, fastest) = found.range();
    assert!(slowest <= Family::Linear && fastest >= Family::Linearithmic, "{found}");
    assert!(found.to_string().starts_with("between "), "{found}");
}

#[test]
fn constant_figures_have_the_family_1_and_no_largest_size() {
    for noise in [0.0, 0.05, 0.1] {
        let found = growth(&samples(1e3, 1e6, noise, |_| 0.0012));
        assert_eq!(found.to_string(), "1", "{noise}");
        assert_eq!(found.largest(1.0), (None, None));
        assert_eq!(found.largest(0.0001).0, Some(0));
    }
}

#[test]
fn one_high_figure_at_the_end_is_not_growth() {
    let mut flat = samples(1e3, 1e6, 0.05, |_| 0.0012);
    flat[15].value *= 3.0;
    let found = growth(&flat);
    assert!(found.fits().iter().all(|fit| fit.family != Family::Exponential), "{found}");
}

#[test]
fn the_start_up_cost_is_not_mistaken_for_growth() {
    let slow_start = |n: f64| 0.2 + 0.3 * (n / 1e6).powi(2);
    let found = growth(&samples(1e3, 1e6, 0.02, slow_start));
    assert_eq!(found.best().family, Family::Square, "{found:?}");
    assert!((found.best().start() - 0.2).abs() < 0.02);
}

#[test]
fn the_largest_size_is_where_the_curve_reaches_the_limit() {
    let found = growth(&samples(1e3, 1e6, 0.01, program(Family::Square, 1e6)));
    let (least, most) = found.largest(1.0);
    // 0.001 + 0.3 (n / 1e6)² = 1.
    let expected = 1e6 * (0.999_f64 / 0.3).sqrt();
    for n in [least.unwrap(), most.unwrap()] {
        assert!((n as f64 / expected - 1.0).abs() < 0.1, "{n} {expected}");
    }
}

#[test]
fn too_few_or_invalid_samples_give_no_fit() {
    let good = samples(1e3, 1e6, 0.0, |n| n);
    assert_eq!(Growth::of(&[]), None);
    assert_eq!(Growth::of(&good[..5]), None);
    assert_eq!(Growth::of(&[good[0]; 16]), None);
    for (value, spread) in [(0.0, 0.1), (f64::NAN, 0.1), (1.0, f64::NAN), (-1.0, 0.1)] {
        let mut bad = good.clone();
        bad[3] = SizeSample { n: 5.0, value, spread };
        assert_eq!(Growth::of(&bad), None, "{value} {spread}");
    }
}
