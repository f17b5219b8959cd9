//! Where the input of a round comes from.

use super::arguments::GeneratorValues;
use super::programs::StressPrograms;

/// Where the input of a round comes from.
#[derive(Debug, Clone)]
pub(super) enum InputOrigin {
    Generated {
        generator: usize,
        values: GeneratorValues,
    },
    /// A changed case.
    Mutated,
}

impl InputOrigin {
    /// What made the input.
    pub(super) fn command(&self, programs: &StressPrograms) -> String {
        match self {
            Self::Generated { generator, values } => {
                programs.generators[*generator].template.command(values)
            }
            Self::Mutated => "a changed case".to_owned(),
        }
    }

    /// Whether an invalid input is nobody's fault.
    pub(super) fn may_be_invalid(&self, programs: &StressPrograms) -> bool {
        match self {
            Self::Generated { generator, .. } => {
                programs.generators[*generator].template.is_varied()
            }
            Self::Mutated => true,
        }
    }
}
