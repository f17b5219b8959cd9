//! A validator on trial: small files of a problem, spoilt in every way that we know, and what is said of them.
//!
//! It knows neither inputs nor outputs, nor how a validator is asked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::inputs::file_name;
use super::mutation::{Certainty, Mutation};
use super::{Finding, Subject};
use crate::problem::{Problem, TestCase};
use crate::sandbox::{Captured, SandboxError};

/// Files above this are not spoilt: what a validator overlooks in a small one it overlooks in all.
const SMALL: u64 = 64 << 10;
/// How many files are spoilt, in every way each.
const SPOILT: usize = 12;

/// What is said of a spoilt file.
pub(super) enum Said {
    /// It is taken for a good one.
    Accepted,
    /// It is not, or nobody was asked.
    Refused,
    /// Neither: in words, how the validator failed.
    Failed(String),
}

/// The words in which the findings are told.
pub(super) struct Words {
    pub(super) subject: Subject,
    /// How sure it is that a file spoilt so is wrong.
    pub(super) is_wrong: fn(Mutation) -> Certainty,
    /// Before the kind of mutation, and after it, where a validator fails.
    pub(super) fails: [&'static str; 2],
    pub(super) mend_failure: &'static str,
    /// Before the kind of mutation, where a spoilt file is accepted.
    pub(super) accepts: &'static str,
    /// What a spoilt file was made of, if that is not plain.
    pub(super) made_of: &'static str,
    pub(super) mend_acceptance: &'static str,
}

/// What became of the files that were spoilt in one way.
#[derive(Default)]
struct Tally {
    tried: usize,
    accepted: usize,
    example: Option<PathBuf>,
    failed: Option<(PathBuf, String)>,
}

impl Tally {
    fn add(&mut self, path: &Path, said: Said) {
        self.tried += 1;
        match said {
            Said::Accepted => {
                self.accepted += 1;
                self.example.get_or_insert(path.to_path_buf());
            }
            Said::Refused => {}
            Said::Failed(how) => {
                self.failed.get_or_insert((path.to_path_buf(), how));
            }
        }
    }

    fn finding(self, mutation: Mutation, words: &Words) -> Option<Finding> {
        let kind = mutation.words();
        if let Some((path, how)) = self.failed {
            let [before, after] = words.fails;
            let message = format!("{before} {kind}{after}, {how}");
            let finding = Finding::error(words.subject, message).at(path);
            return Some(finding.help(words.mend_failure));
        }
        let suspicious = match (words.is_wrong)(mutation) {
            Certainty::Sure => self.accepted > 0,
            Certainty::Likely => self.accepted == self.tried,
            Certainty::Unknown => false,
        };
        let path = self.example.filter(|_| suspicious)?;
        let message = format!(
            "{} {kind} ({}in {} of {} tried)",
            words.accepts, words.made_of, self.accepted, self.tried
        );
        let finding = Finding::warning(words.subject, message).at(path);
        Some(finding.help(words.mend_acceptance))
    }
}

/// Spoils files from all over `problem`, `path_of` each case that has one, and asks what is said of them; how many
/// spoilt files there were. `step` is called before every file.
pub(super) fn hold(
    problem: &Problem,
    path_of: impl Fn(&TestCase) -> Option<PathBuf>,
    words: &Words,
    findings: &mut Vec<Finding>,
    mut ask: impl FnMut(&TestCase, &Captured) -> Result<Said, SandboxError>,
    step: &mut dyn FnMut(&str),
) -> Result<usize, SandboxError> {
    let mut tallies: BTreeMap<Mutation, Tally> = BTreeMap::new();
    for (case, path, text) in small_files(problem, &path_of) {
        step(&format!("mutations of {}", file_name(&path)));
        for mutation in Mutation::ALL {
            if let Some(spoilt) = mutation.apply(&text) {
                let said = ask(case, &Captured::from_bytes(spoilt))?;
                tallies.entry(mutation).or_default().add(&path, said);
            }
        }
    }
    let tried = tallies.values().map(|tally| tally.tried).sum();
    for (mutation, tally) in tallies {
        let failed = tally.failed.is_some();
        let Some(finding) = tally.finding(mutation, words) else {
            continue;
        };
        // What a case of the setter's own has is no oversight.
        let mut paths = problem.cases.iter().filter_map(&path_of);
        if failed || !paths.any(|path| is_small(&path) && is_laid_out(&path, mutation)) {
            findings.push(finding);
        }
    }
    Ok(tried)
}

fn is_small(path: &Path) -> bool {
    let file = std::fs::metadata(path);
    file.is_ok_and(|file| (1..=SMALL).contains(&file.len()))
}

fn is_laid_out(path: &Path, mutation: Mutation) -> bool {
    std::fs::read(path).is_ok_and(|text| mutation.is_in(&text))
}

/// Small files from all over the problem, of those that are not blank: case, path, text.
fn small_files<'a>(
    problem: &'a Problem,
    path_of: &impl Fn(&TestCase) -> Option<PathBuf>,
) -> Vec<(&'a TestCase, PathBuf, Vec<u8>)> {
    let small: Vec<_> = problem
        .cases
        .iter()
        .filter_map(|case| Some((case, path_of(case)?)))
        .filter(|(_, path)| is_small(path))
        .collect();
    let stride = small.len().div_ceil(SPOILT).max(1);
    let chosen = small.into_iter().step_by(stride);
    chosen
        .filter_map(|(case, path)| {
            let text = std::fs::read(&path).ok()?;
            (!text.trim_ascii().is_empty()).then_some((case, path, text))
        })
        .collect()
}
