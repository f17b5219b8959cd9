//! Which back ends are tested where: a machine of continuous integration that lost one must not stay green.

use rejudge_sandbox::BackEnd::{self, Plain, Root, RootCgroup1, User};

use crate::fixture::Fixture;
use crate::shape::{self, GROUPS};

/// What the machines of continuous integration have, in the order of [`shape::all`]: for root, and for a user without
/// control groups. Those with cgroup v2 are virtual ones, which are told by a variable what they must find.
const DECLARED: [[BackEnd; 4]; 2] = [[RootCgroup1, Root, Plain, Plain], [User, User, Plain, Plain]];

/// In a variable, the one back end that must be found on this machine.
pub(crate) const PROMISED: &str = "REJUDGE_TEST_BACK_END";

#[test]
fn the_back_ends_are_those_that_are_declared() {
    let found: Vec<BackEnd> =
        shape::all().iter().map(|shape| Fixture::in_shape(shape).facts().back_end).collect();
    if let Ok(promised) = std::env::var(PROMISED) {
        let fixture = Fixture::new();
        let facts = fixture.facts();
        assert_eq!(promised, facts.back_end.name(), "{facts:?}");
        let lacks = facts.missing().map(|(protection, _)| protection);
        let lacks: Vec<_> = match facts.back_end {
            Plain => Vec::new(),
            User => lacks.filter(|lack| !GROUPS.contains(lack)).collect(),
            _ => lacks.collect(),
        };
        assert!(lacks.is_empty(), "{lacks:?}: {facts:?}");
    } else if std::env::var_os("CI").is_some() {
        let root = rustix::process::geteuid().is_root();
        assert_eq!(found, DECLARED[usize::from(!root)]);
    }
}

#[test]
fn in_ci_root_has_every_protection() {
    let root = rustix::process::geteuid().is_root();
    if root && std::env::var_os("CI").is_some() {
        let fixture = Fixture::new();
        let lacks: Vec<_> = fixture.facts().missing().collect();
        assert!(lacks.is_empty(), "{lacks:?}");
    }
}
