//! The effect of null controls on decisions.

use super::*;

fn is_inconclusive_by_control(decision: &Decision) -> bool {
    matches!(decision, Decision::Inconclusive(Reason::NullControl { .. }))
}

#[test]
fn only_a_change_that_exceeds_its_null_control_is_decided() {
    // The change, the difference of the base from itself, and the decision; `None` is inconclusive.
    let table = [
        (9.06, 0.974, Some(Decision::Regression)),
        (9.06, 1.03, Some(Decision::Regression)),
        (1.1, 1.05, Some(Decision::Regression)),
        (1.1, 0.95, Some(Decision::Regression)),
        (0.11, 1.03, Some(Decision::Improvement)),
        (0.9, 0.95, Some(Decision::Improvement)),
        (1.1, 1.095, None),
        (1.06, 1.05, None),
        (0.95, 0.95, None),
        // No change was found, but the bias may hide one.
        (1.0, 1.05, None),
        (1.0, 0.95, None),
    ];
    for (change, null, expected) in table {
        let decided = decide(pass(change, null), Some(pass(change, null)));
        match expected {
            Some(expected) => assert_eq!(decided, expected, "{change} {null}"),
            None => assert!(is_inconclusive_by_control(&decided), "{change} {null}: {decided:?}"),
        }
    }
}

/// A null control of 60 pairs: `different` of them look 8 % slower, the others 8 % faster.
fn weak(different: usize) -> Pairs {
    let sign = |i: usize| if i < different { 0.08_f64 } else { -0.08 };
    of_logs(&(0..60).map(sign).collect::<Vec<_>>())
}

#[test]
fn a_null_control_that_looks_different_in_one_pass_only_is_ignored() {
    let slower = |null: Pairs| Pass { pairs: pairs(1.05, 60), null: Some(null) };
    // Forty of sixty pairs have a probability below one in fifty, and this happens in one of two passes.
    for (first, again) in [(40, 30), (30, 40), (20, 30), (30, 20)] {
        let alone = gate().judge(&[case(slower(weak(first.min(again))), None)]);
        let null = alone.cases[0].null.as_ref().unwrap();
        assert!((null.corrected_p < 0.05) == (first.min(again) == 20), "{null:?}");
        let decided = decide(slower(weak(first)), Some(slower(weak(again))));
        assert_eq!(decided, Decision::Regression, "{first} {again}");
    }
    // Forty pairs in both passes have a probability below one in five hundred: this is not chance.
    let both = decide(slower(weak(40)), Some(slower(weak(40))));
    assert!(is_inconclusive_by_control(&both), "{both:?}");
}

#[test]
fn a_small_but_significant_null_control_is_subtracted() {
    // A bias of 0.7 % is below the threshold, but leaves only about half a per cent of a change of 1.2 %.
    let both = |change, null| decide(pass(change, null), Some(pass(change, null)));
    assert!(is_inconclusive_by_control(&both(1.012, 1.007)));
    assert_eq!(both(1.03, 1.007), Decision::Regression);
    assert_eq!(both(1.0, 1.007), Decision::Pass);
    let again = gate().first_pass(&[case(pass(1.0, 1.007), None)]);
    assert_eq!(again, [0], "it needs a second pass");
}

#[test]
fn the_report_contains_the_subtracted_part_and_the_rest() {
    let report = gate().judge(&[case(pass(1.1, 0.95), Some(pass(1.1, 0.95)))]);
    let shown = &report.cases[0];
    let rest = |effect: &Option<Effect>| effect.clone().unwrap().rest.unwrap();
    let (first, again) = (rest(&shown.first), rest(&shown.again));
    // The far end of an interval around a decrease of 5 %.
    assert!((0.05..0.06).contains(&first.subtracted), "{first:?}");
    assert_eq!(shown.subtracted(), Some(first.subtracted));
    assert_eq!(shown.subtracted(), Some(again.subtracted));
    for (rest, whole) in [(&first, &shown.first), (&again, &shown.again)] {
        let whole = whole.as_ref().unwrap();
        let product = (1.0 + rest.effect) * (1.0 + rest.subtracted);
        assert!((product - (1.0 + whole.effect)).abs() < 1e-9, "{rest:?}");
        assert!(rest.difference > 0.0 && rest.difference < whole.difference);
    }
    // The subtraction makes changes harder to detect.
    let alone = shown.first.as_ref().unwrap().detectable.unwrap();
    assert!(report.detectable().unwrap() > alone + 0.05);
    let calm = gate().judge(&[case(pass(1.1, 1.0), Some(pass(1.1, 1.0)))]);
    assert_eq!(calm.cases[0].subtracted(), None);
    let decided = decide(pass(1.0, 1.05), Some(pass(1.0, 1.05)));
    let Decision::Inconclusive(reason) = decided else {
        panic!("{decided:?}");
    };
    let reason = reason.to_string();
    assert!(reason.starts_with("the base differs from itself by +5."), "{reason}");
}

#[test]
fn a_null_control_affects_only_its_own_case() {
    let slow = || case(pass(1.1, 1.0), Some(pass(1.1, 1.0)));
    let noisy = || case(pass(1.0, 1.05), Some(pass(1.0, 1.05)));
    let good = || case(pass(1.0, 1.0), None);
    let cases = [slow(), noisy(), good()];
    assert_eq!(gate().first_pass(&cases), [0, 1]);
    let report = gate().judge(&cases);
    assert_eq!(report.cases[0].decision, Decision::Regression);
    assert!(is_inconclusive_by_control(&report.cases[1].decision));
    assert_eq!(report.decision, Decision::Regression);
    assert!(is_inconclusive_by_control(&gate().judge(&[good(), noisy()]).decision));
}

/// Pairs with these logarithms of ratios.
fn of_logs(logs: &[f64]) -> Pairs {
    Pairs { base: vec![0.05; logs.len()], new: logs.iter().map(|log| 0.05 * log.exp()).collect() }
}

fn both(change: &[f64], null: Option<&[f64]>) -> Decision {
    let pass = Pass { pairs: of_logs(change), null: null.map(of_logs) };
    super::decide(pass.clone(), Some(pass))
}

/// Logarithms of ratios around a random centre between `-most` and `most`, so that controls often look different.
fn logs(most: f64) -> impl Strategy<Value = Vec<f64>> {
    (-most..most, 0.0..most)
        .prop_flat_map(|(middle, spread)| vec(middle - spread..=middle + spread, 60))
}

proptest! {
    #[test]
    fn a_null_control_never_adds_a_finding(change in logs(0.3), null in logs(0.3)) {
        let with = both(&change, Some(&null));
        if matches!(with, Decision::Regression | Decision::Improvement) {
            prop_assert_eq!(both(&change, None), with);
        }
    }

    #[test]
    fn a_change_that_exceeds_every_pair_of_the_null_control_is_a_regression(null in logs(0.5), above in vec(0.02..1.0_f64, 60)) {
        let most = null.iter().fold(0.0, |most: f64, log| most.max(log.abs()));
        let change: Vec<f64> = above.iter().map(|above| most + above).collect();
        prop_assert_eq!(both(&change, Some(&null)), Decision::Regression);
    }

    #[test]
    fn a_change_equal_to_its_null_control_is_never_a_finding(change in logs(0.5), mirrored: bool) {
        let null: Vec<f64> = change.iter().map(|log| if mirrored { -log } else { *log }).collect();
        let decided = both(&change, Some(&null));
        prop_assert!(matches!(decided, Decision::Pass) || is_inconclusive_by_control(&decided), "{:?}", decided);
    }

    #[test]
    fn the_direction_of_the_null_control_does_not_matter(change in logs(0.3), null in logs(0.3)) {
        let there = both(&change, Some(&null));
        let mirrored: Vec<f64> = null.iter().map(|log| -log).collect();
        let back = both(&change, Some(&mirrored));
        prop_assert!(there == back || (is_inconclusive_by_control(&there) && is_inconclusive_by_control(&back)), "{:?} {:?}", there, back);
    }
}
