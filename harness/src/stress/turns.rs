//! Which generator makes the input of a round.

use super::arguments::GeneratorTemplate;

/// The number of turns of a generator with sizes, for each turn of one that only has a seed: its small inputs take little
/// time and find the most.
const OF_SIZES: usize = 4;

/// The generators in the order of their turns, which repeats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GeneratorTurns(Vec<usize>);

impl GeneratorTurns {
    pub(super) fn new<'a>(templates: impl Iterator<Item = &'a GeneratorTemplate>) -> Self {
        let has_sizes: Vec<bool> = templates.map(GeneratorTemplate::has_sizes).collect();
        let of_sizes = |index: &usize| has_sizes[*index];
        let mut turns: Vec<usize> = (0..has_sizes.len()).collect();
        for _ in 1..OF_SIZES {
            turns.extend((0..has_sizes.len()).filter(of_sizes));
        }
        Self(turns)
    }

    /// The generator of a round, and the number of its turn, both from the number of the round; `None` without generators.
    pub(super) fn of_round(&self, round: u64) -> Option<(usize, u64)> {
        let length = self.0.len() as u64;
        let (cycle, at) = ((round - 1).checked_div(length)?, (round - 1) % length);
        let at = usize::try_from(at).ok()?;
        let generator = self.0[at];
        let count = |turns: &[usize]| turns.iter().filter(|one| **one == generator).count() as u64;
        Some((generator, cycle * count(&self.0) + count(&self.0[..=at])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generators_with_sizes_have_more_turns() {
        let of = |commands: &[&str], last: u64| -> Vec<(usize, u64)> {
            let templates: Vec<GeneratorTemplate> =
                commands.iter().map(|one| GeneratorTemplate::parse(one).unwrap()).collect();
            let turns = GeneratorTurns::new(templates.iter());
            (1..=last).filter_map(|round| turns.of_round(round)).collect()
        };
        let alone = [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5)];
        assert_eq!(of(&["a {n:1..9} {seed}"], 5), alone);
        assert_eq!(of(&["a {seed}"], 5), alone);
        let both = [(0, 1), (1, 1), (1, 2), (1, 3), (1, 4), (0, 2), (1, 5)];
        assert_eq!(of(&["a {seed}", "b {n:1..9} {seed}"], 7), both);
        assert_eq!(of(&[], 5), []);
    }
}
