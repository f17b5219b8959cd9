//! Reads the overview that a validator written with testlib can log: which extremes of its variables an input reaches.

use std::collections::BTreeMap;

/// What is known about a variable of the inputs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct VariableBounds {
    pub(super) has_minimum: bool,
    pub(super) has_maximum: bool,
    least: LoggedBound,
    greatest: LoggedBound,
}

impl VariableBounds {
    /// The bounds, as the validator prints them, if they are the same for every input.
    pub(super) fn bounds(&self) -> (Option<String>, Option<String>) {
        (self.least.known(), self.greatest.known())
    }
}

/// A bound in the logs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
enum LoggedBound {
    #[default]
    Unknown,
    /// Every log has this one.
    Constant(String),
    /// It depends on the input.
    Varied,
}

impl LoggedBound {
    /// Adds the bound of one log; `?` stands for several.
    fn add(&mut self, logged: &str) {
        let is_same = match self {
            Self::Unknown => true,
            Self::Constant(known) => known == logged,
            Self::Varied => false,
        };
        *self =
            if is_same && logged != "?" { Self::Constant(logged.to_owned()) } else { Self::Varied };
    }

    fn known(&self) -> Option<String> {
        match self {
            Self::Constant(known) => Some(known.clone()),
            Self::Unknown | Self::Varied => None,
        }
    }
}

/// The variables and features of a problem's inputs.
#[derive(Debug, Default)]
pub(super) struct Overview {
    pub(super) variables: BTreeMap<String, VariableBounds>,
    /// Each feature, and whether an input has it.
    pub(super) features: BTreeMap<String, bool>,
}

impl Overview {
    /// Adds the log of one input.
    pub(super) fn add(&mut self, log: &str) {
        for line in log.lines() {
            // `"n": min-value-hit`, `constant-bounds "n": 1 100`, `feature "x": hit`
            let (kind, rest) = match line.split_once('"') {
                Some((kind, rest)) => (kind.trim(), rest),
                None => continue,
            };
            let Some((name, values)) = rest.rsplit_once("\":") else {
                continue;
            };
            let values: Vec<&str> = values.split_whitespace().collect();
            match kind {
                "feature" => {
                    let feature = self.features.entry(name.to_owned()).or_default();
                    *feature |= values.contains(&"hit");
                }
                "constant-bounds" => {
                    let variable = self.variables.entry(name.to_owned()).or_default();
                    let bound = |at: usize| values.get(at).copied().unwrap_or("?");
                    variable.least.add(bound(0));
                    variable.greatest.add(bound(1));
                }
                "" => {
                    let variable = self.variables.entry(name.to_owned()).or_default();
                    variable.has_minimum |= values.contains(&"min-value-hit");
                    variable.has_maximum |= values.contains(&"max-value-hit");
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logs_of_all_inputs_are_joined() {
        let mut overview = Overview::default();
        overview.add(
            "\"n\": min-value-hit\n\"a[i]\":\nconstant-bounds \"n\": 1 100\nfeature \"tree\":\n",
        );
        overview.add(
            "\"n\":\n\"a[i]\": max-value-hit\nfeature \"tree\": hit\nfeature \"path\":\nnonsense\n",
        );
        let n = &overview.variables["n"];
        assert_eq!((n.has_minimum, n.has_maximum), (true, false));
        let known = |bound: &str| Some(bound.to_owned());
        assert_eq!(n.bounds(), (known("1"), known("100")));
        let a = &overview.variables["a[i]"];
        assert_eq!((a.has_minimum, a.has_maximum), (false, true));
        assert_eq!(a.bounds(), (None, None));
        assert_eq!(
            overview.features.clone().into_iter().collect::<Vec<_>>(),
            [("path".to_owned(), false), ("tree".to_owned(), true)]
        );
    }

    #[test]
    fn a_bound_that_depends_on_the_input_is_unknown() {
        let mut overview = Overview::default();
        for bounds in ["1 100", "1 50", "1 100"] {
            overview.add(&format!("constant-bounds \"n\": {bounds}\n"));
        }
        let known = Some("1".to_owned());
        assert_eq!(overview.variables["n"].bounds(), (known, None));
        overview.add("constant-bounds \"n\": ? 100\n");
        assert_eq!(overview.variables["n"].bounds(), (None, None));
    }
}
