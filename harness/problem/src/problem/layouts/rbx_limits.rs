//! The limits of a problem of rbx: those of `problem.rbx.yml`, replaced by the profile `.limits/local.yml`, with which
//! `rbx run` judges; and the `modifiers` of languages.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use rejudge_quantity::Bytes;

use super::companion::mebibytes;
use super::fields::{Fields, TableFile};
use super::rbx_keys;
use crate::notice::Notices;
use crate::problem::ProblemLimits;

/// The profile, below the folder of the problem.
const PROFILE: &str = ".limits/local.yml";

/// The limits of a language, as a package or a profile states them.
#[derive(Debug, Clone, Copy, Default)]
struct Modifier {
    /// In milliseconds.
    time: Option<f64>,
    factor: Option<f64>,
    /// In MiB.
    memory: Option<f64>,
}

/// The limits of a package or a profile.
#[derive(Debug, Default)]
struct RbxLimits {
    /// In milliseconds.
    time: Option<f64>,
    /// In MiB.
    memory: Option<f64>,
    /// In KiB.
    output: Option<f64>,
    modifiers: BTreeMap<String, Modifier>,
}

/// The limits of the problem, and those of languages by their extensions, which are also rbx's names for them.
pub(super) fn read(
    root: &Path,
    table: &Fields<'_>,
    notices: &mut Notices,
) -> (ProblemLimits, Vec<(String, ProblemLimits)>) {
    let mut stated = RbxLimits::of(table, notices);
    let path = root.join(PROFILE);
    if path.is_file()
        && let Some(file) = TableFile::read(&path, notices)
    {
        let profile = file.fields();
        rbx_keys::PROFILE.name_unused(&profile, notices);
        if !profile.flag("inheritFromPackage") {
            stated.replace(RbxLimits::of(&profile, notices));
        }
    }
    stated.limits()
}

impl RbxLimits {
    fn of(table: &Fields<'_>, notices: &mut Notices) -> Self {
        let positive = |table: &Fields<'_>, key: &str, notices: &mut Notices| {
            table.number(key, notices).filter(|number| *number > 0.0)
        };
        let mut modifiers = BTreeMap::new();
        if let Some(all) = table.table("modifiers", notices) {
            for (key, _) in all.entries() {
                let Some(own) = all.table(&key.name, notices) else {
                    continue;
                };
                rbx_keys::MODIFIER.name_unused(&own, notices);
                let modifier = Modifier {
                    time: positive(&own, "time", notices),
                    factor: positive(&own, "timeMultiplier", notices),
                    memory: positive(&own, "memory", notices),
                };
                modifiers.insert(key.name.clone(), modifier);
            }
        }
        Self {
            time: positive(table, "timeLimit", notices),
            memory: positive(table, "memoryLimit", notices),
            output: positive(table, "outputLimit", notices),
            modifiers,
        }
    }

    /// Applies a profile. A limit that it states also replaces those of languages in the package.
    fn replace(&mut self, profile: Self) {
        for modifier in self.modifiers.values_mut() {
            if profile.time.is_some() {
                modifier.time = None;
            }
            if profile.memory.is_some() {
                modifier.memory = None;
            }
        }
        self.time = profile.time.or(self.time);
        self.memory = profile.memory.or(self.memory);
        self.output = profile.output.or(self.output);
        for (language, own) in profile.modifiers {
            let modifier = self.modifiers.entry(language).or_default();
            modifier.time = own.time.or(modifier.time);
            modifier.factor = own.factor.or(modifier.factor);
            modifier.memory = own.memory.or(modifier.memory);
        }
    }

    fn limits(&self) -> (ProblemLimits, Vec<(String, ProblemLimits)>) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "too large is the largest"
        )]
        let output = (self.output).map(|kibibytes| Bytes((kibibytes * 1024.0) as u64));
        let of_languages = self.modifiers.iter().map(|(language, modifier)| {
            let factor = modifier.factor.unwrap_or(1.0);
            let time = modifier.time.or(self.time);
            let own = ProblemLimits {
                cpu_time: time.map(|ms| milliseconds((ms * factor).floor())),
                memory: modifier.memory.map(mebibytes),
                ..ProblemLimits::default()
            };
            (language.clone(), own)
        });
        let of_problem = ProblemLimits {
            cpu_time: self.time.map(milliseconds),
            memory: self.memory.map(mebibytes),
            output,
            ..ProblemLimits::default()
        };
        (of_problem, of_languages.collect())
    }
}

fn milliseconds(ms: f64) -> Duration {
    Duration::from_secs_f64(ms.clamp(1.0, 1e8) / 1e3)
}
