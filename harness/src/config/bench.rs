//! `[bench]` of `rejudge.toml`: what to measure, how often, and what counts as slower.

use std::collections::BTreeMap;

use serde::de::{Deserialize, Deserializer, Error as _};

/// `[bench]`. The statistics have defaults for `None`.
#[derive(Debug, Default, Clone, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Bench {
    /// The cases to measure, as globs of `PROBLEM/CASE`. Empty: the slowest of each group.
    pub cases: Vec<String>,
    /// The number of runs of each program on each case, if nothing is compared.
    #[serde(deserialize_with = "runs")]
    pub runs: Option<usize>,
    /// The number of pairs in each pass of a comparison.
    #[serde(deserialize_with = "runs")]
    pub pairs: Option<usize>,
    /// The confidence level of the intervals over all cases together, for example 0.95.
    #[serde(deserialize_with = "level")]
    pub level: Option<f64>,
    /// The smallest increase of CPU time to report, in per cent.
    #[serde(deserialize_with = "size")]
    pub threshold: Option<f64>,
    /// The smallest increase of peak memory to report, in per cent.
    #[serde(deserialize_with = "size")]
    pub memory_threshold: Option<f64>,
    /// The smallest increase of instructions to report, in per cent.
    #[serde(deserialize_with = "size")]
    pub instructions_threshold: Option<f64>,
    /// The smallest difference of CPU time to report, in milliseconds.
    #[serde(deserialize_with = "size")]
    pub floor_ms: Option<f64>,
    /// Other thresholds for some cases, by a glob of `PROBLEM/CASE`. The longest matching glob
    /// wins.
    pub overrides: BTreeMap<String, CaseOverride>,
}

/// `[bench.overrides."PROBLEM/CASE"]`.
#[derive(Debug, Default, Clone, Copy, PartialEq, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CaseOverride {
    /// The smallest increase to report, whatever is compared, in per cent.
    #[serde(deserialize_with = "size")]
    pub threshold: Option<f64>,
    /// The smallest difference of CPU time to report, in milliseconds.
    #[serde(deserialize_with = "size")]
    pub floor_ms: Option<f64>,
}

fn size<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    let size = f64::deserialize(from)?;
    if (0.0..=1e6).contains(&size) {
        Ok(Some(size))
    } else {
        Err(D::Error::custom(format!("must be a number from 0 to 1000000, got `{size}`")))
    }
}

fn level<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    let level = f64::deserialize(from)?;
    if (0.5..1.0).contains(&level) {
        Ok(Some(level))
    } else {
        Err(D::Error::custom(format!("a level must be at least 0.5 and below 1, got `{level}`")))
    }
}

fn runs<'de, D: Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
    let number = i64::deserialize(from)?;
    match usize::try_from(number) {
        Ok(runs @ 1..=10_000) => Ok(Some(runs)),
        _ => Err(D::Error::custom(format!("must be from 1 to 10000, got `{number}`"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_key_and_refuses_nonsense() {
        let bench: Bench = toml::from_str(
            "cases = [\"sum/*\"]\nruns = 5\npairs = 30\nlevel = 0.99\nthreshold = 2\n\
             memory_threshold = 5\ninstructions_threshold = 0.5\nfloor_ms = 1.5\n\
             [overrides.\"sum/big\"]\nthreshold = 3\nfloor_ms = 2\n",
        )
        .unwrap();
        assert_eq!((bench.runs, bench.pairs), (Some(5), Some(30)));
        assert_eq!(bench.overrides["sum/big"].threshold, Some(3.0));
        for bad in [
            "runs = 0",
            "pairs = -1",
            "level = 1",
            "threshold = -1",
            "floor_ms = nan",
            "overrides = { a = { pairs = 1 } }",
        ] {
            assert!(toml::from_str::<Bench>(bad).is_err(), "{bad}");
        }
    }
}
