//! Our programs against those that `seccompiler` makes of the same rules, against a table of calls, and in the kernel.

#![expect(clippy::cast_possible_truncation, reason = "a filter looks at halves of arguments")]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch,
};

use super::bpf::{ArgumentTest, CallAction, CallRule, compile, segments};
use super::policy::{self, ARCHITECTURE, UNKNOWN};
use super::{Filter, FilterPolicy, ITSELF};

mod kernel;
mod machine;

use machine::{Call, run};

const OPEN: FilterPolicy = FilterPolicy::OPEN;
const CLOSED: FilterPolicy =
    FilterPolicy { unmapped_memory: false, attributes: false, signals: false };

fn call(number: u32, arguments: [u64; 6]) -> Call {
    Call { number, architecture: ARCHITECTURE, arguments }
}

/// The oracle: a program that allows the same calls as `rules`, and answers 1 to all others.
fn theirs(rules: &[(u32, CallRule)]) -> Vec<libc::sock_filter> {
    let (mut allowed, mut seen) = (BTreeMap::new(), BTreeSet::new());
    // Of several rules for a call the first counts.
    for &(number, rule) in rules.iter().filter(|rule| seen.insert(rule.0)) {
        let ways = match rule {
            CallRule::Always(CallAction::Allow) => Some(vec![]),
            CallRule::If { all, then: CallAction::Allow, .. } => Some(every_way(all)),
            CallRule::If { all, otherwise: CallAction::Allow, .. } => Some(none_of(all)),
            _ => None,
        };
        if let Some(ways) = ways {
            allowed.entry(i64::from(number)).or_insert(ways);
        }
    }
    let architecture =
        if cfg!(target_arch = "x86_64") { TargetArch::x86_64 } else { TargetArch::aarch64 };
    let refuse = SeccompAction::Errno(1);
    let filter = SeccompFilter::new(allowed, refuse, SeccompAction::Allow, architecture).unwrap();
    let program: BpfProgram = filter.try_into().unwrap();
    let copy = |i: &seccompiler::sock_filter| libc::sock_filter {
        code: i.code,
        jt: i.jt,
        jf: i.jf,
        k: i.k,
    };
    program.iter().map(copy).collect()
}

fn condition(test: &ArgumentTest, op: SeccompCmpOp, value: u32) -> SeccompCondition {
    let half = SeccompCmpArgLen::Dword;
    SeccompCondition::new(test.argument, half, op, value.into()).unwrap()
}

/// A rule for each choice of one value a test.
fn every_way(all: &[ArgumentTest]) -> Vec<SeccompRule> {
    let mut ways: Vec<Vec<SeccompCondition>> = vec![vec![]];
    for test in all {
        let mut longer = Vec::new();
        for way in &ways {
            for &value in test.values {
                let equal = SeccompCmpOp::MaskedEq(test.mask.into());
                let mut way = way.clone();
                way.push(condition(test, equal, value));
                longer.push(way);
            }
        }
        ways = longer;
    }
    ways.into_iter().map(|way| SeccompRule::new(way).unwrap()).collect()
}

/// A rule for each test that may fail; the oracle has no masked inequality.
fn none_of(all: &[ArgumentTest]) -> Vec<SeccompRule> {
    let fails = |test: &ArgumentTest| {
        assert_eq!(test.mask, u32::MAX);
        let values = test.values.iter();
        let differs = values.map(|&value| condition(test, SeccompCmpOp::Ne, value));
        SeccompRule::new(differs.collect()).unwrap()
    };
    all.iter().map(fails).collect()
}

/// The rule looked up, without any program.
fn plainly(rules: &[(u32, CallRule)], call: Call) -> CallAction {
    let mut rules = rules.iter();
    match rules.find(|&&(number, _)| number == call.number) {
        None => UNKNOWN,
        Some(&(_, CallRule::Always(action))) => action,
        Some(&(_, CallRule::If { all, then, otherwise })) => {
            let holds = |test: &ArgumentTest| {
                let argument = call.arguments[usize::from(test.argument)] as u32;
                test.values.contains(&(argument & test.mask))
            };
            if all.iter().all(holds) { then } else { otherwise }
        }
    }
}

fn agree(
    rules: &[(u32, CallRule)],
    ours: &[libc::sock_filter],
    oracle: &[libc::sock_filter],
    c: Call,
) {
    let (result, _) = run(ours, c);
    assert_eq!(result, plainly(rules, c).code(), "{c:?}");
    let allowed = result == CallAction::Allow.code();
    let (theirs, _) = run(oracle, c);
    assert_eq!(allowed, theirs == CallAction::Allow.code(), "{c:?}");
}

/// Values at which tests may turn, with and without rubbish in the upper half.
fn arguments(values: Vec<u32>) -> impl Strategy<Value = [u64; 6]> {
    let low = prop_oneof![
        proptest::sample::select(values),
        0..5_u32,
        any::<u32>(),
        (0..32_u32).prop_map(|bit| 1 << bit),
    ];
    let high = prop_oneof![Just(0), Just(u64::from(u32::MAX)), any::<u64>()];
    let argument = (low, high).prop_map(|(low, high)| high << 32 | u64::from(low));
    proptest::array::uniform6(argument)
}

fn tested_values(rules: &[(u32, CallRule)]) -> Vec<u32> {
    let tests = rules.iter().flat_map(|(_, rule)| match rule {
        CallRule::Always(_) => &[][..],
        CallRule::If { all, .. } => all,
    });
    tests.flat_map(|test| test.values.iter().copied()).collect()
}

/// Rules of any shape; the few values that tests have are leaked.
fn any_rules() -> impl Strategy<Value = Vec<(u32, CallRule)>> {
    let refuse = (1..40_i32).prop_map(CallAction::Errno);
    let values = proptest::collection::vec(0..8_u32, 1..4);
    let test = (0..6_u8, prop_oneof![Just(u32::MAX), Just(7), Just(0x10)], values);
    let test = test.prop_map(|(argument, mask, values)| ArgumentTest {
        argument,
        mask,
        // A value with bits that the mask takes away is never found; the oracle takes them from the value too.
        values: values.into_iter().map(|value| value & mask).collect::<Vec<_>>().leak(),
    });
    let plain = |mut tests: Vec<ArgumentTest>| {
        for test in &mut tests {
            test.mask = u32::MAX;
        }
        &*tests.leak()
    };
    let tests = proptest::collection::vec(test, 1..3);
    let rule = prop_oneof![
        Just(CallRule::Always(CallAction::Allow)),
        refuse.clone().prop_map(CallRule::Always),
        (tests.clone(), refuse.clone()).prop_map(|(all, otherwise)| CallRule::If {
            all: all.leak(),
            then: CallAction::Allow,
            otherwise,
        }),
        (tests, refuse).prop_map(move |(all, then)| CallRule::If {
            all: plain(all),
            then,
            otherwise: CallAction::Allow,
        }),
    ];
    let rules = proptest::collection::btree_map(0..600_u32, rule, 0..200);
    rules.prop_map(|rules| rules.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_rules_mean_what_they_mean_to_the_oracle(
        rules in any_rules(),
        several in proptest::collection::vec(arguments((0..8).collect()), 4),
    ) {
        let (ours, oracle) = (compile(ARCHITECTURE, &rules, UNKNOWN), theirs(&rules));
        for number in (0..602).chain([1 << 30, u32::MAX]) {
            for &arguments in &several {
                agree(&rules, &ours, &oracle, call(number, arguments));
            }
        }
    }

    #[test]
    fn the_policy_means_what_it_means_to_the_oracle(
        several in proptest::collection::vec(
            arguments(tested_values(&policy::rules(OPEN))), 16,
        ),
    ) {
        for policy in [OPEN, CLOSED] {
            let rules = policy::rules(policy);
            let (ours, oracle) = (Filter::new(policy).0, theirs(&rules));
            for number in (0..500).chain([1 << 30, (1 << 30) + 59, u32::MAX]) {
                for &arguments in &several {
                    agree(&rules, &ours, &oracle, call(number, arguments));
                }
            }
        }
    }
}

/// What the kernel does with two filters, of which `last` was installed last.
fn both(first: &Filter, last: &Filter, c: Call) -> u32 {
    let allow = CallAction::Allow.code();
    match run(&last.0, c).0 {
        code if code == allow => run(&first.0, c).0,
        code => code,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn the_filter_of_a_launcher_and_the_rest_are_the_whole_filter(
        several in proptest::collection::vec(
            arguments(tested_values(&policy::rules(CLOSED))), 16,
        ),
    ) {
        for bits in 0..8 {
            let policy = FilterPolicy {
                unmapped_memory: bits & 1 > 0,
                attributes: bits & 2 > 0,
                signals: bits & 4 > 0,
            };
            let (whole, [common, rest]) = (Filter::new(policy), Filter::parts(policy));
            for number in (0..500).chain([1 << 30, (1 << 30) + 59, u32::MAX]) {
                for &arguments in &several {
                    let c = call(number, arguments);
                    prop_assert_eq!(both(&common, &rest, c), run(&whole.0, c).0, "{:?} {:?}", policy, c);
                }
            }
        }
    }
}

#[test]
fn the_rest_of_a_filter_is_short() {
    let [common, rest] = Filter::parts(OPEN);
    let [length, of_whole] = [&rest, &Filter::new(OPEN)].map(|one| one.0.len());
    assert!(length * 5 < of_whole, "{length} of {of_whole}");
    let i386 = Call { architecture: 0x4000_0003, ..call(1, [0; 6]) };
    assert_eq!(both(&common, &rest, i386), UNKNOWN.code());
}

#[test]
fn the_depth_is_logarithmic_in_the_number_of_rules() {
    let longest = |program: &[libc::sock_filter]| {
        let steps = (0..1000).map(|number| run(program, call(number, [u64::MAX; 6])).1);
        steps.max().unwrap()
    };
    for count in [1, 2, 10, 100, 300] {
        let allow = CallRule::Always(CallAction::Allow);
        let rules: Vec<(u32, CallRule)> = (0..count).map(|n| (n * 3, allow)).collect();
        let pieces = segments(&rules, UNKNOWN).len();
        // Four before the tree, the answer, and at most two jumps a level.
        let bound = 5 + 2 * (pieces.ilog2() as usize + 1);
        assert!(longest(&compile(ARCHITECTURE, &rules, UNKNOWN)) <= bound);
    }
    let ours = Filter::new(OPEN).0;
    let oracle = theirs(&policy::rules(OPEN));
    assert!(longest(&ours) <= 25, "{}", longest(&ours));
    assert!(longest(&oracle) > 10 * longest(&ours));
    assert!(ours.len() < 300, "{}", ours.len());
}

#[test]
fn the_filter_names_the_process_only_where_signals_are_its_own() {
    let named = |policy| {
        let program = Filter::new(policy).0;
        program.iter().filter(|one| one.k == ITSELF).count()
    };
    assert_eq!(named(OPEN), 0);
    // Calls of neighbouring numbers have their rules in common.
    assert!(named(CLOSED) >= 4);
}

#[test]
fn calls_of_another_architecture_do_not_exist() {
    let program = Filter::new(OPEN).0;
    let i386 = Call { architecture: 0x4000_0003, ..call(1, [0; 6]) };
    assert_eq!(run(&program, i386).0, UNKNOWN.code());
    let x32_write = call((1 << 30) + 1, [0; 6]);
    assert_eq!(run(&program, x32_write).0, UNKNOWN.code());
}

#[test]
fn no_call_has_two_rules() {
    let rules = policy::named_rules(OPEN);
    let mut numbers: Vec<_> = rules.iter().map(|rule| rule.0).collect();
    let count = numbers.len();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), count);
}
