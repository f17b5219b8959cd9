//! The inputs on which no program failed. Small inputs repeat, and another trial would tell nothing new.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// How often an input must pass until it is not tried again: a program may fail by chance.
const ENOUGH: u8 = 3;

/// More inputs are not remembered, so that the memory is bounded.
const MOST: usize = 1 << 20;

type Digest = [u8; blake3::OUT_LEN];

/// How often each input passed.
#[derive(Debug, Default)]
pub(super) struct PassedInputs(Mutex<HashMap<Digest, u8>>);

impl PassedInputs {
    /// Whether the input passed often enough.
    pub(super) fn is_enough(&self, input: &[u8]) -> bool {
        let passed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        passed.get(&digest(input)).is_some_and(|&times| times >= ENOUGH)
    }

    /// Call it when no program failed on the input.
    pub(super) fn add(&self, input: &[u8]) {
        let mut passed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let digest = digest(input);
        if passed.len() < MOST || passed.contains_key(&digest) {
            let times = passed.entry(digest).or_default();
            *times = times.saturating_add(1);
        }
    }
}

fn digest(input: &[u8]) -> Digest {
    *blake3::hash(input).as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_passes_three_times() {
        let passed = PassedInputs::default();
        for _ in 0..3 {
            assert!(!passed.is_enough(b"1\n"));
            passed.add(b"1\n");
        }
        assert!(passed.is_enough(b"1\n"));
        assert!(!passed.is_enough(b"2\n"));
    }
}
