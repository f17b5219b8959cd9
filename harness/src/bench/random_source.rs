//! Random numbers, for the order of runs and for inputs. Any generator is good enough if it is independent of the
//! machine's rhythm.

use std::time::{SystemTime, UNIX_EPOCH};

/// `SplitMix64` (Steele, Lea and Flood, 2014).
#[derive(Debug, Clone)]
pub struct RandomSource(u64);

impl RandomSource {
    /// A generator that gives the same order for the same seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A generator that gives a different order every time: the seed comes from the clock and the process id.
    #[must_use]
    pub fn from_clock() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let nanos = now.map_or(0, |now| u64::from(now.subsec_nanos()) ^ now.as_secs() << 30);
        Self(nanos ^ u64::from(std::process::id()) << 48)
    }

    /// Any number of 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `bound`, or zero if that is zero. The bias of the remainder is below 2^-20 for bounds up to 2^44.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.next().checked_rem(bound).unwrap_or(0)
    }

    /// A number from 0 to 1, without 1.
    #[expect(clippy::cast_precision_loss, reason = "both numbers have at most 54 bits")]
    pub(crate) fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The toss of a fair coin.
    pub fn coin(&mut self) -> bool {
        self.next() & 1 == 1
    }

    /// Puts `items` in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            let among = end as u64 + 1;
            // Lists are short: the bias of the remainder is below 2^-50.
            let other = self.next() % among;
            items.swap(end, usize::try_from(other).unwrap_or(end));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_is_about_equally_likely() {
        let mut random = RandomSource::new(1);
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut items = [0, 1, 2];
            random.shuffle(&mut items);
            *seen.entry(items).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6);
        assert!(seen.values().all(|count| (850..1150).contains(count)), "{seen:?}");
        let heads = (0..1000).filter(|_| random.coin()).count();
        assert!((420..580).contains(&heads), "{heads}");
    }
}
