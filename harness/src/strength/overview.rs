//! Reads the overview that a validator written with testlib can log: which extremes of its variables an input reaches.

use std::collections::BTreeMap;

/// What is known about a variable of the inputs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct VariableBounds {
    pub(super) has_minimum: bool,
    pub(super) has_maximum: bool,
    /// The bounds, as the validator prints them, if they are the same for every input.
    pub(super) least: Option<String>,
    pub(super) greatest: Option<String>,
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
                    let known = |at: usize| values.get(at).filter(|value| **value != "?");
                    let variable = self.variables.entry(name.to_owned()).or_default();
                    variable.least = known(0).map(|value| (*value).to_owned());
                    variable.greatest = known(1).map(|value| (*value).to_owned());
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
        assert_eq!(
            (n.least.as_deref(), n.greatest.as_deref()),
            (Some("1"), Some("100"))
        );
        let a = &overview.variables["a[i]"];
        assert_eq!(
            (a.has_minimum, a.has_maximum, a.least.is_none()),
            (false, true, true)
        );
        assert_eq!(
            overview.features.clone().into_iter().collect::<Vec<_>>(),
            [("path".to_owned(), false), ("tree".to_owned(), true)]
        );
    }
}
