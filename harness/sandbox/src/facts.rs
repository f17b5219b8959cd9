//! The protections and clocks that a [`Runner`](crate::Runner) has, and the reasons why others are missing. Plain data:
//! nothing here tries anything.

use std::sync::{Arc, OnceLock};

use crate::back_end::BackEnd;
use crate::error::SandboxError;
use crate::execution::Clock;
use crate::protection::Protection;

/// The required isolation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Isolation {
    /// Every protection; otherwise [`Runner::start`](crate::Runner::start) fails.
    Strict,
    /// Every protection that the machine offers.
    #[default]
    Auto,
    /// Only limits and clocks.
    Off,
}

/// Whether a [`Protection`] works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProtectionState {
    /// It works.
    Active,
    /// It does not work.
    Missing {
        /// What was tried, and the error of the system.
        why: String,
    },
}

/// The protections and clocks of a runner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The combination of protections.
    pub back_end: BackEnd,
    /// Every protection, in the order of [`Protection::ALL`].
    pub protections: Vec<(Protection, ProtectionState)>,
    /// How CPU time is measured.
    pub cpu_clock: Clock,
    /// How peak memory is measured, which also decides on the memory limit.
    pub memory_clock: Clock,
}

/// The facts of a runner that may still be starting. All copies share them.
#[derive(Debug, Clone, Default)]
pub struct PendingFacts(Arc<OnceLock<Option<Facts>>>);

impl PendingFacts {
    /// Waits until the runner is ready; `None` if it never was.
    pub fn wait(&self) -> Option<&Facts> {
        self.0.wait().as_ref()
    }

    /// `None` as long as the runner is not ready.
    pub(crate) fn known(&self) -> Option<&Facts> {
        self.0.get()?.as_ref()
    }

    /// The runner is ready, or gone. The first call counts.
    pub(crate) fn set(&self, facts: Option<Facts>) {
        let _ = self.0.set(facts);
    }
}

impl Facts {
    /// Those of a runner without any protection.
    pub fn none() -> Self {
        let missing = |protection| {
            let why = "there are no protections".to_owned();
            (protection, ProtectionState::Missing { why })
        };
        Self {
            back_end: BackEnd::Plain,
            protections: Protection::ALL.map(missing).into(),
            cpu_clock: Clock::Rusage,
            memory_clock: Clock::Rusage,
        }
    }

    /// The state of `protection`.
    pub fn state(&self, protection: Protection) -> &ProtectionState {
        static UNKNOWN: ProtectionState = ProtectionState::Missing { why: String::new() };
        let mut known = self.protections.iter();
        known.find(|(known, _)| *known == protection).map_or(&UNKNOWN, |(_, state)| state)
    }

    /// Whether `protection` works.
    pub fn has(&self, protection: Protection) -> bool {
        *self.state(protection) == ProtectionState::Active
    }

    /// The missing protections that [`Isolation::Strict`] requires, with the reasons. Of two alternatives, one is enough.
    pub fn missing(&self) -> impl Iterator<Item = (Protection, &str)> {
        self.protections.iter().filter_map(|(protection, state)| {
            let ProtectionState::Missing { why } = state else {
                return None;
            };
            let other = protection.alternative();
            let replaced = other.is_some_and(|other| self.has(other));
            (!replaced).then_some((*protection, why.as_str()))
        })
    }

    /// Fails if the protections are less than `isolation` requires.
    pub(crate) fn suffice(&self, isolation: Isolation) -> Result<(), SandboxError> {
        let mut missing = self.missing().peekable();
        if isolation != Isolation::Strict || missing.peek().is_none() {
            return Ok(());
        }
        let lines = missing.map(|(protection, why)| {
            format!("\n  {}: {why}\n    help: {}", protection.name(), protection.remedy())
        });
        Err(SandboxError::TooWeak { missing: lines.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts_without(missing: &[Protection]) -> Facts {
        let state = |protection| {
            if missing.contains(&protection) {
                let why = "no".to_owned();
                ProtectionState::Missing { why }
            } else {
                ProtectionState::Active
            }
        };
        Facts {
            back_end: BackEnd::Root,
            protections: Protection::ALL.map(|p| (p, state(p))).to_vec(),
            cpu_clock: Clock::Cgroup,
            memory_clock: Clock::Cgroup,
        }
    }

    #[test]
    fn strict_requires_everything_but_one_of_two_alternatives() {
        use Protection::{OtherUser, Seccomp, UserNamespace};
        for (missing, enough) in [
            (&[][..], true),
            (&[UserNamespace], true),
            (&[OtherUser], true),
            (&[OtherUser, UserNamespace], false),
            (&[Seccomp], false),
        ] {
            let facts = facts_without(missing);
            assert_eq!(facts.suffice(Isolation::Strict).is_ok(), enough);
            assert!(facts.suffice(Isolation::Auto).is_ok());
        }
        let error = facts_without(&[Seccomp]).suffice(Isolation::Strict).unwrap_err();
        assert!(error.to_string().contains("seccomp: no"), "{error}");
    }
}
