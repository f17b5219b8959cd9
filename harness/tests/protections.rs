//! The protections of the sandbox on this machine: the runner reports each of them, and each can be turned off.

use rejudge::sandbox::{
    Facts, Interrupt, Isolation, Protection, ProtectionState, Runner, RunnerOptions,
};

fn facts(change: impl FnOnce(&mut RunnerOptions)) -> Facts {
    let folder = tempfile::tempdir().unwrap();
    let mut options = RunnerOptions::new(folder.path(), Interrupt::new().unwrap());
    change(&mut options);
    Runner::start(&options).unwrap().facts().clone()
}

#[test]
fn each_protection_is_listed_once_and_a_missing_one_is_explained() {
    let facts = facts(|_| {});
    let listed = facts.protections.iter().map(|(protection, _)| *protection);
    assert_eq!(listed.collect::<Vec<_>>(), Protection::ALL);
    for (protection, state) in &facts.protections {
        assert_ne!(*state, ProtectionState::Missing { why: String::new() }, "{protection:?}");
    }
}

#[test]
fn a_protection_that_is_turned_off_is_the_only_one_missing() {
    let all = facts(|_| {});
    for left_out in [
        Protection::NetworkNamespace,
        Protection::OtherUser,
        Protection::Seccomp,
        Protection::Landlock,
        Protection::MemoryGroup,
        Protection::CpuAccount,
    ] {
        let facts = facts(|options| options.without = vec![left_out]);
        assert!(!facts.has(left_out), "{left_out:?}");
        for protection in Protection::ALL {
            let expected = all.has(protection) && protection != left_out;
            assert_eq!(facts.has(protection), expected, "{protection:?} without {left_out:?}");
        }
    }
}

#[test]
fn strict_starts_only_if_no_protection_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = RunnerOptions::new(folder.path(), Interrupt::new().unwrap());
    options.isolation = Isolation::Strict;
    let enough = facts(|_| {}).missing().next().is_none();
    assert_eq!(Runner::start(&options).is_ok(), enough);
    options.without = vec![Protection::Seccomp];
    let error = Runner::start(&options).unwrap_err().to_string();
    assert!(error.contains("seccomp: it is switched off for a test"), "{error}");
}

#[test]
fn without_isolation_there_are_clocks_and_no_protections() {
    let (all, off) = (facts(|_| {}), facts(|options| options.isolation = Isolation::Off));
    assert_eq!(off.cpu_clock, all.cpu_clock);
    assert_eq!(off.memory_clock, all.memory_clock);
    for protection in [Protection::PidNamespace, Protection::Seccomp, Protection::OtherUser] {
        assert!(!off.has(protection), "{protection:?}");
    }
}
