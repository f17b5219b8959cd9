//! The arguments that a problem's settings pass to its programs.

use std::collections::BTreeMap;

/// Arguments for the input validators: the same for all, or different for each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValidatorArgs {
    /// Every validator gets these arguments.
    All(Vec<String>),
    /// By the name of the validator's file or folder. A validator that is not listed gets no
    /// arguments.
    ByName(BTreeMap<String, Vec<String>>),
}

impl Default for ValidatorArgs {
    fn default() -> Self {
        Self::All(Vec::new())
    }
}

impl ValidatorArgs {
    /// The arguments of the validator whose file or folder is called `name`. The settings may omit
    /// the extension.
    #[must_use]
    pub fn of(&self, name: &str) -> &[String] {
        match self {
            Self::All(args) => args,
            Self::ByName(by_name) => {
                let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
                let found = by_name.get(name).or_else(|| by_name.get(stem));
                found.map_or(&[], Vec::as_slice)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_validator_gets_its_own_arguments_or_the_common_ones() {
        let args = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
        let all = ValidatorArgs::All(args(&["--n", "5"]));
        assert_eq!(all.of("any.py"), ["--n", "5"]);
        let table = [("a.py".to_owned(), args(&["x"])), ("b".to_owned(), args(&["y"]))];
        let by_name = ValidatorArgs::ByName(table.into());
        assert_eq!(by_name.of("a.py"), ["x"]);
        assert_eq!(by_name.of("b.cpp"), ["y"]);
        assert!(by_name.of("c.py").is_empty());
    }
}
