//! Unit tests.

use std::sync::Arc;

use super::*;

fn points(max: Option<f64>, aggregation: Aggregation, cases: usize) -> Points {
    Points {
        secret: PointGroup {
            name: "secret".to_owned(),
            max,
            aggregation,
            require_pass: Vec::new(),
            cases,
            static_max: None,
        },
        groups: Vec::new(),
        all_cases: cases,
        fall_with_time: false,
        parts: PartRule::default(),
    }
}

#[test]
fn points_fall_from_half_of_the_limit_on() {
    // Milliseconds, the limit, and percentages: as `OIContest.get_test_score` of sinol-make gives them.
    for (taken, limit, percent, expected) in [
        (1000, 2000, 100.0, 100.0),
        (1001, 2000, 100.0, 99.0),
        (1500, 2000, 100.0, 50.0),
        (1999, 2000, 100.0, 1.0),
        (2000, 2000, 100.0, 1.0),
        (1750, 2000, 42.0, 11.0),
        (1100, 2000, 78.0, 70.0),
        (500, 1001, 33.5, 33.5),
        (501, 1001, 33.5, 33.0),
        (900, 1000, 0.0, 0.0),
    ] {
        let time = TimeShare {
            taken: Duration::from_micros(taken * 1000 + 999),
            limit: Duration::from_millis(limit),
        };
        let found = time.remainder_of(percent);
        assert!((found - expected).abs() < 1e-9, "{taken} of {limit} ms: {found}");
    }
}

#[test]
fn a_case_gets_its_share_or_what_the_validator_says_within_its_bounds() {
    use Aggregation::{Min, PassFail, Sum};
    // Aggregation, accepted, score.txt, score_multiplier.txt, and the expected result with a
    // maximum score of 100 for four cases; `-` means no file or no score.
    let bounded = [
        (Sum, true, "-", "-", "25"),
        (Min, true, "-", "-", "100"),
        (Sum, false, "-", "-", "0"),
        (PassFail, true, "-", "-", "-"),
        (Sum, true, "12.5\n", "-", "12.5"),
        (Sum, true, "1e1", "-", "10"),
        (Sum, true, "-", "0.5", "12.5"),
        (Sum, true, "1", "1", "it wrote both score.txt and score_multiplier.txt"),
        (Sum, false, "0", "-", "it wrote score.txt, but rejected the output"),
        (
            PassFail,
            true,
            "-",
            "1",
            "it wrote score_multiplier.txt, but `secret` gives all points or none (`pass-fail`)",
        ),
        (Sum, true, "25.1", "-", "score.txt contains 25.1, above the case's maximum score of 25"),
        (Sum, true, "-1", "-", "score.txt contains -1, which is below 0"),
        (Sum, true, "-", "1.01", "score_multiplier.txt contains 1.01, expected 0 to 1"),
        (Sum, true, "inf", "-", "score.txt does not contain a number: `inf`"),
        (Sum, true, "1 2", "-", "score.txt does not contain a number: `1 2`"),
        (Sum, true, "", "-", "score.txt does not contain a number: ``"),
    ];
    let unbounded = [
        (Sum, true, "1e6", "-", "1000000"),
        (Sum, false, "-", "-", "0"),
        (Sum, true, "-", "-", "it wrote no score.txt, but `secret` is unbounded"),
        (Min, true, "-", "1", "it wrote score_multiplier.txt, but `secret` is unbounded"),
    ];
    let bounded = bounded.into_iter().map(|row| (Some(100.0), row));
    let unbounded = unbounded.into_iter().map(|row| (None, row));
    for (max, (aggregation, accepted, score, multiplier, expected)) in bounded.chain(unbounded) {
        let file = |text: &str| (text != "-").then(|| text.as_bytes().to_vec());
        let files = ScoreFiles {
            score: file(score),
            multiplier: file(multiplier),
            points: false,
            partly: None,
        };
        let points = points(max, aggregation, 4);
        let case = |name: &str| TestCase::new(name, Arc::default());
        let found = match of_points(&points, &case("secret/1"), accepted, &files) {
            Ok(Some(score)) => score.to_string(),
            Ok(None) => "-".to_owned(),
            Err(fault) => fault.message,
        };
        assert_eq!(found, expected, "{files:?}");
        assert_eq!(of_points(&points, &case("sample/1"), accepted, &files), Ok(None));
    }
}
