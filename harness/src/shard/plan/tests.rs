//! The laws of the plan.

use proptest::prelude::*;

use super::*;

/// Names for as many units as the tests have.
fn names(count: usize) -> Vec<String> {
    (0..count).map(|index| format!("{index:03}.rs")).collect()
}

fn units<'a>(names: &'a [String], times: &[Option<u64>]) -> Vec<ShardUnit<'a>> {
    let units = names.iter().zip(times);
    units
        .map(|(name, time)| ShardUnit {
            problem: "p",
            submission: name,
            cpu: time.map(Duration::from_millis),
            compile: None,
        })
        .collect()
}

/// The load of each shard, in milliseconds.
fn loads(times: &[u64], assigned: &[usize], shards: usize) -> Vec<u64> {
    let mut loads = vec![0; shards];
    for (time, shard) in times.iter().zip(assigned) {
        loads[*shard] += time;
    }
    loads
}

/// The least load that the fullest shard can have, by trying everything.
fn optimum(times: &[u64], loads: &mut [u64], best: u64) -> u64 {
    let fullest = loads.iter().copied().max().unwrap_or(0);
    let Some((time, rest)) = times.split_first() else {
        return fullest.min(best);
    };
    let mut best = best;
    for shard in 0..loads.len() {
        // Shards with the same load are interchangeable.
        if fullest < best && !loads[..shard].contains(&loads[shard]) {
            loads[shard] += time;
            best = best.min(optimum(rest, loads, best));
            loads[shard] -= time;
        }
    }
    best
}

fn times() -> impl Strategy<Value = Vec<Option<u64>>> {
    prop::collection::vec(prop::option::weighted(0.8, 0_u64..1000), 0..60)
}

proptest! {
    #[test]
    fn every_unit_has_one_shard_and_round_robin_is_even(times in times(), shards in 1_usize..70) {
        let names = names(times.len());
        let assigned = assign(&units(&names, &times), shards);
        prop_assert_eq!(assigned.len(), times.len());
        prop_assert!(assigned.iter().all(|shard| *shard < shards));
        if times.iter().all(Option::is_none) {
            let counts = loads(&vec![1; times.len()], &assigned, shards);
            let (most, least) = (counts.iter().max().unwrap(), counts.iter().min().unwrap());
            prop_assert!(most - least <= 1);
        }
    }

    #[test]
    fn the_fullest_shard_has_at_most_four_thirds_of_the_optimum(
        times in prop::collection::vec(0_u64..50, 1..10), shards in 1_usize..5,
    ) {
        let names = names(times.len());
        let known: Vec<Option<u64>> = times.iter().copied().map(Some).collect();
        let assigned = assign(&units(&names, &known), shards);
        let fullest = loads(&times, &assigned, shards).into_iter().max().unwrap();
        let optimum = optimum(&times, &mut vec![0; shards], times.iter().sum());
        prop_assert!(3 * fullest <= 4 * optimum, "{} of {}", fullest, optimum);
    }

    #[test]
    fn the_order_of_the_units_does_not_matter(
        (times, order) in times().prop_flat_map(|times| {
            let order: Vec<usize> = (0..times.len()).collect();
            (Just(times), Just(order).prop_shuffle())
        }),
        shards in 1_usize..9,
    ) {
        let names = names(times.len());
        let units = units(&names, &times);
        let shuffled: Vec<ShardUnit<'_>> = order.iter().map(|&at| units[at]).collect();
        let assigned = assign(&units, shards);
        let expected: Vec<usize> = order.iter().map(|&at| assigned[at]).collect();
        prop_assert_eq!(assign(&shuffled, shards), expected);
    }
}

#[test]
fn an_unknown_unit_counts_as_the_median() {
    let names = names(4);
    // The unknown one counts 10, so it goes next to the other 10 and not next to the 1.
    let known = [Some(30), Some(10), None, Some(1)];
    assert_eq!(assign(&units(&names, &known), 2), [0, 1, 1, 1]);
    let known = [Some(5), Some(5), None, Some(5)];
    assert_eq!(assign(&units(&names, &known), 2), [0, 1, 0, 1]);
}

#[test]
fn units_that_took_no_time_go_round() {
    let names = names(5);
    assert_eq!(assign(&units(&names, &[Some(0); 5]), 3), [0, 1, 2, 0, 1]);
}

#[test]
fn a_shard_compiles_a_submission_once() {
    let unit = |submission, cpu, compile| ShardUnit {
        problem: "p",
        submission,
        cpu: Some(Duration::from_millis(cpu)),
        compile: Some(Duration::from_millis(compile)),
    };
    // The second unit of `a` costs shard 1 only 2: it has 14 then, less than the 20 of shard 0.
    let units = [unit("b", 20, 0), unit("a", 2, 10), unit("a", 2, 10), unit("c", 1, 2)];
    assert_eq!(assign(&units, 2), [0, 1, 1, 1]);
}
