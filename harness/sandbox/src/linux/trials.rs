//! The results of trying the protections.

use std::io;

use super::handshake::WantedProtections;
use crate::facts::ProtectionState;
use crate::protection::Protection;

/// Collects the state of each protection.
#[derive(Debug)]
pub(super) struct Trials<'a> {
    wanted: &'a WantedProtections,
    states: Vec<(Protection, ProtectionState)>,
}

impl<'a> Trials<'a> {
    pub(super) fn new(wanted: &'a WantedProtections) -> Self {
        let states = Vec::new();
        Self { wanted, states }
    }

    /// For a trial whose results are discarded.
    pub(super) fn discarded() -> Trials<'static> {
        static EVERYTHING: WantedProtections = WantedProtections::EVERYTHING;
        Trials::new(&EVERYTHING)
    }

    /// The reason why `protection` must not be tried.
    fn excluded(&self, protection: Protection) -> Option<&'static str> {
        if !self.wanted.isolated && protection.isolates() {
            Some("isolation is switched off")
        } else if self.wanted.without.contains(&protection) {
            Some("it is switched off for a test")
        } else {
            None
        }
    }

    /// Whether `protection` may be tried.
    pub(super) fn permits(&self, protection: Protection) -> bool {
        self.excluded(protection).is_none()
    }

    /// Tries `protection` if permitted, and records the result.
    pub(super) fn attempt<T>(
        &mut self,
        protection: Protection,
        attempt: impl FnOnce() -> io::Result<T>,
    ) -> Option<T> {
        if let Some(why) = self.excluded(protection) {
            self.lacks(protection, why);
            return None;
        }
        match attempt() {
            Ok(value) => {
                self.has(protection);
                Some(value)
            }
            Err(error) => {
                self.lacks(protection, error.to_string());
                None
            }
        }
    }

    pub(super) fn has(&mut self, protection: Protection) {
        self.note(protection, ProtectionState::Active);
    }

    pub(super) fn lacks(&mut self, protection: Protection, why: impl Into<String>) {
        let why = why.into();
        self.note(protection, ProtectionState::Missing { why });
    }

    /// Fails with the recorded reason if one of `protections` is missing.
    pub(super) fn all_of(&self, protections: &[Protection]) -> io::Result<()> {
        for (protection, state) in &self.states {
            if let ProtectionState::Missing { why } = state
                && protections.contains(protection)
            {
                return Err(io::Error::other(why.clone()));
            }
        }
        Ok(())
    }

    /// The first result counts.
    fn note(&mut self, protection: Protection, state: ProtectionState) {
        if self.states.iter().all(|(noted, _)| *noted != protection) {
            self.states.push((protection, state));
        }
    }

    /// Every protection with its state; those that were never tried are missing for the reason `otherwise`.
    pub(super) fn finish(mut self, otherwise: &str) -> Vec<(Protection, ProtectionState)> {
        for protection in Protection::ALL {
            self.lacks(protection, otherwise);
        }
        self.states.sort_by_key(|&(protection, _)| protection);
        self.states
    }
}
