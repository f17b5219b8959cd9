//! In which order a generator takes a seed and a size, if nobody says so.

use std::fmt;

use super::arguments::{GeneratorTemplate, GeneratorValues};
use super::programs::StressPrograms;
use super::trial::StressTrials;
use crate::sandbox::{RunnerSource, SandboxError};

/// The orders of generators, the usual one first.
const ORDERS: [&str; 3] = ["{seed} {n:1..50}", "{seed}", "{n:1..50} {seed}"];

/// The size and the seeds with which an order is tried. If a seed is used as a size, a large one makes a large input.
const SIZE: i64 = 10;
const SMALL_SEED: u64 = 5;
const LARGE_SEEDS: [u64; 4] = [100_003, 100_019, 100_043, 100_049];

/// The most bytes of an input for a large seed: so many, and so many times those for the small seed.
const BYTES: usize = 1000;
const TIMES: usize = 100;

/// A generator that takes its arguments in another order than usual.
pub(crate) struct UnusualOrder {
    program: String,
    order: &'static str,
}

impl fmt::Display for UnusualOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { program, order } = self;
        let usual = ORDERS[0];
        write!(
            f,
            "note: the generator is run as `{program} {order}`: in `{program} {usual}` the seed does not work as one"
        )
    }
}

impl GeneratorTemplate {
    /// A generator whose arguments nobody wrote: they are in the usual order, until another one proves better.
    pub(crate) fn in_usual_order(program: &str) -> Self {
        Self::in_order(program, ORDERS[0])
    }

    fn in_order(program: &str, order: &str) -> Self {
        let mut template =
            Self::parse(&format!("generator {order}")).expect("the orders are commands");
        program.clone_into(&mut template.program);
        template.is_guess = true;
        template
    }
}

impl StressPrograms {
    /// Finds the order of the arguments of each generator for which nobody wrote them.
    pub(crate) fn find_orders(
        &mut self,
        source: &RunnerSource,
    ) -> Result<Vec<UnusualOrder>, SandboxError> {
        let mut unusual = Vec::new();
        for index in 0..self.generators.len() {
            if !self.generators[index].template.is_guess {
                continue;
            }
            let usual = self.generators[index].template.clone();
            for order in ORDERS {
                let template = GeneratorTemplate::in_order(&usual.program, order);
                let is_usual = template == usual;
                self.generators[index].template = template;
                if has_seed(&mut StressTrials::new(self, source, None)?, index)? {
                    let program = usual.program.clone();
                    unusual.extend((!is_usual).then_some(UnusualOrder { program, order }));
                    break;
                }
                self.generators[index].template = usual.clone();
            }
        }
        self.take_turns();
        Ok(unusual)
    }
}

/// Whether the seed that a generator gets works as one: the input depends on it, and its size does not.
fn has_seed(trials: &mut StressTrials<'_>, generator: usize) -> Result<bool, SandboxError> {
    let mut input = |seed| trials.generate(generator, &GeneratorValues::new(seed, vec![SIZE]));
    let Ok(small) = input(SMALL_SEED)? else {
        return Ok(false);
    };
    let mut first = None;
    for seed in LARGE_SEEDS {
        let Ok(large) = input(seed)? else {
            return Ok(false);
        };
        if large.len() > BYTES + TIMES * small.len() {
            return Ok(false);
        }
        if first.get_or_insert_with(|| large.clone()) != &large {
            return Ok(true);
        }
    }
    Ok(false)
}
