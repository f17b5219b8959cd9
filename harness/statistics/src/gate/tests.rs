use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use super::super::Quantity;
use super::*;

mod null;

fn gate() -> Gate {
    Gate::new(GateOptions::of(Quantity::CpuTime)).unwrap()
}

/// `count` pairs whose ratios are spread evenly over one per cent around `ratio`.
fn pairs(ratio: f64, count: usize) -> Pairs {
    let mut pairs = Pairs::default();
    for i in 0..count {
        let base = 0.05 + 0.001 * ((i * 7) % 10) as f64;
        let noise = 1.0 + 0.01 * (((i * 13) % count) as f64 / count as f64 - 0.5);
        pairs.push(base, base * ratio * noise);
    }
    pairs
}

fn pass(ratio: f64, null: f64) -> Pass {
    Pass { pairs: pairs(ratio, 60), null: Some(pairs(null, 60)) }
}

fn case(first: Pass, again: Option<Pass>) -> CaseGate {
    CaseGate { name: "1".to_owned(), threshold: None, floor: None, first, again }
}

fn decide(first: Pass, again: Option<Pass>) -> Decision {
    gate().judge(&[case(first, again)]).decision
}

#[test]
fn a_regression_must_be_found_in_both_passes() {
    use Decision::{Improvement, Inconclusive, Pass, Regression};
    let table = [
        (1.03, Some(1.03), Regression),
        (1.03, Some(1.0), Pass),
        (1.03, Some(0.9), Pass),
        (1.03, None, Inconclusive(Reason::NotMeasuredAgain)),
        (1.0, None, Pass),
        (1.0, Some(1.03), Pass),
        (1.008, Some(1.008), Pass),
        (0.9, None, Improvement),
        (0.9, Some(0.9), Improvement),
        (0.9, Some(1.0), Pass),
    ];
    for (first, again, expected) in table {
        let decided = decide(pass(first, 1.0), again.map(|again| pass(again, 1.0)));
        assert_eq!(decided, expected, "{first} {again:?}");
    }
}

#[test]
fn a_case_may_override_the_threshold_and_the_floor() {
    let slower = || case(pass(1.1, 1.0), Some(pass(1.1, 1.0)));
    let table = [
        (None, None, Decision::Regression),
        (Some(0.2), None, Decision::Pass),
        (None, Some(1e3), Decision::Pass),
        (Some(0.05), Some(0.0), Decision::Regression),
    ];
    for (threshold, floor, expected) in table {
        let overridden = CaseGate { threshold, floor, ..slower() };
        assert_eq!(gate().judge(&[overridden]).decision, expected, "{threshold:?} {floor:?}");
    }
}

#[test]
fn the_worst_decision_of_several_cases_counts() {
    let good = || case(pass(1.0, 1.0), None);
    let slow = || case(pass(1.1, 1.0), Some(pass(1.1, 1.0)));
    let empty = || case(Pass::default(), None);
    let faster = || case(pass(0.8, 1.0), None);
    let decide = |cases: &[CaseGate]| gate().judge(cases).decision;
    assert_eq!(decide(&[good(), good()]), Decision::Pass);
    assert_eq!(decide(&[good(), faster()]), Decision::Improvement);
    assert_eq!(decide(&[good(), empty(), slow()]), Decision::Regression);
    let nothing = Decision::Inconclusive(Reason::Sample(SampleError::Empty));
    assert_eq!(decide(&[good(), faster(), empty()]), nothing);
    assert_eq!(decide(&[]), Decision::Inconclusive(Reason::NoCase));
}

#[test]
fn unusable_samples_are_inconclusive_with_a_reason() {
    let with = |pairs: Pairs| decide(Pass { pairs, null: None }, None);
    let same = Pairs { base: vec![0.01; 60], new: vec![0.02; 60] };
    let mut zero = pairs(1.0, 60);
    zero.new[7] = 0.0;
    let table = [
        (same, "every run measured 0.02: the clock is too coarse for this case"),
        (pairs(2.0, 5), "5 pairs are too few: at least 6 are needed"),
        (zero, "run 8 of the new version measured 0, so no ratio can be computed"),
        (Pairs::default(), "no run was measured"),
    ];
    for (pairs, expected) in table {
        let Decision::Inconclusive(reason) = with(pairs) else {
            panic!("{expected}");
        };
        assert_eq!(reason.to_string(), expected);
    }
    let null = Pass { pairs: pairs(1.0, 60), null: Some(Pairs::default()) };
    let nothing = Decision::Inconclusive(Reason::Sample(SampleError::Empty));
    assert_eq!(decide(null, None), nothing);
}

#[test]
fn with_more_cases_each_case_needs_more_evidence() {
    // 43 of 60 pairs are positive, a p of about 0.001: significant for a single case, but not among two hundred tests.
    let mut weak = Pairs::default();
    for i in 0..60 {
        weak.push(0.05 + 1e-6 * f64::from(i), if i < 43 { 0.06 } else { 0.045 });
    }
    let alone = case(Pass { pairs: weak, null: None }, None);
    assert_eq!(gate().first_pass(std::slice::from_ref(&alone)), [0]);
    let mut many = vec![case(pass(1.0, 1.0), None); 100];
    many[42].first.pairs = alone.first.pairs;
    assert!(gate().first_pass(&many).is_empty());
}

#[test]
fn the_detectable_increase_grows_with_noise_and_shrinks_with_more_pairs() {
    let detectable = |spread: f64, count: usize| {
        let mut pairs = Pairs::default();
        for i in 0..count {
            let deviation = ((i * 17) % count) as f64 / count as f64 - 0.5;
            pairs.push(0.05, 0.05 * (spread * deviation).exp());
        }
        gate().judge(&[case(Pass { pairs, null: None }, None)]).detectable()
    };
    let [calm, noisy, longer] =
        [(0.02, 59), (0.2, 59), (0.2, 599)].map(|(s, n)| detectable(s, n).unwrap());
    assert!(
        0.01 < calm && calm < longer && longer < noisy && noisy < 0.2,
        "{calm} {longer} {noisy}"
    );
    assert_eq!(detectable(0.2, 5), None);
}

/// Samples with faults: most figures are valid, and a few are arbitrary floating-point numbers.
fn figures() -> impl Strategy<Value = Vec<f64>> {
    let sound = 0.01..0.02;
    let any = proptest::num::f64::ANY;
    let one = prop_oneof![50 => sound, 1 => any];
    prop_oneof![
        4 => vec(one, 0..70),
        1 => vec(proptest::num::f64::POSITIVE, 60),
        1 => vec(any, 60)
    ]
}

proptest! {
    #[test]
    fn every_sample_gets_a_decision(
        base in figures(), new in figures(), null in option::of(figures()), again: bool
    ) {
        let sound = |side: &[f64]| !side.is_empty() && side.iter().all(|x| x.is_finite() && *x > 0.0);
        let length = base.len().min(new.len());
        let pass = Pass {
            pairs: Pairs { base: base[..length].to_vec(), new: new[..length].to_vec() },
            null: null.map(|null| Pairs { base: null.clone(), new: null }),
        };
        let sides = [&pass.pairs].into_iter().chain(&pass.null).flat_map(|pairs| [&pairs.base, &pairs.new]);
        let all_sound = sides.into_iter().all(|side| sound(side));
        let report = gate().judge(&[case(pass.clone(), again.then_some(pass))]);
        let decided = !matches!(report.decision, Decision::Inconclusive(_));
        prop_assert!(all_sound || !decided, "{report:?}");
        prop_assert!(report.detectable().is_none_or(|detectable| detectable >= 0.01));
    }

    #[test]
    fn a_regression_in_one_direction_is_an_improvement_in_the_other(ratios in vec(-0.2..0.3_f64, 60)) {
        let there = Pairs { base: vec![0.05; 60], new: ratios.iter().map(|d| 0.05 * d.exp()).collect() };
        let back = Pairs { base: there.new.clone(), new: there.base.clone() };
        let decide = |pairs: Pairs| {
            let pass = Pass { pairs, null: None };
            decide(pass.clone(), Some(pass))
        };
        let mirrored = match decide(there) {
            Decision::Regression => Decision::Improvement,
            Decision::Improvement => Decision::Regression,
            other => other,
        };
        prop_assert_eq!(decide(back), mirrored);
    }
}
