//! Tests a validator with mutated files: small files of a problem, changed by every kind of
//! mutation.
//!
//! This module knows neither whether the files are inputs or outputs nor how the validator is run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::file_name;
use super::mutation::{Certainty, Mutation};
use super::{Finding, FindingSubject};
use crate::notice::Code;
use crate::problem::{Problem, TestCase};
use crate::sandbox::{Captured, SandboxError};

/// Larger files are not mutated: an error that a validator misses in a small file it misses in all.
const SMALL: u64 = 64 << 10;
/// The number of files to mutate; every mutation is applied to each.
const MUTATED_FILES: usize = 12;

/// The validator's decision on a mutated file.
pub(super) enum FileDecision {
    /// It accepts the file.
    Accepted,
    /// It rejects the file or was not run.
    Rejected,
    /// It failed; holds the reason.
    Failed(String),
}

/// The texts of the findings.
pub(super) struct Wording {
    pub(super) subject: FindingSubject,
    /// How certainly a file with this mutation is wrong.
    pub(super) is_wrong: fn(Mutation) -> Certainty,
    /// The text before and after the kind of mutation if a validator fails.
    pub(super) fails: [&'static str; 2],
    pub(super) failure_help: &'static str,
    /// The text before the kind of mutation if a mutated file is accepted.
    pub(super) accepts: &'static str,
    /// The origin of the mutated file, if it is not obvious.
    pub(super) made_of: &'static str,
    pub(super) acceptance_help: &'static str,
}

/// The results of one kind of mutation.
#[derive(Default)]
struct MutationResults {
    tried: usize,
    accepted: usize,
    example: Option<PathBuf>,
    failed: Option<(PathBuf, String)>,
}

impl MutationResults {
    fn add(&mut self, path: &Path, decision: FileDecision) {
        self.tried += 1;
        match decision {
            FileDecision::Accepted => {
                self.accepted += 1;
                self.example.get_or_insert(path.to_path_buf());
            }
            FileDecision::Rejected => {}
            FileDecision::Failed(how) => {
                self.failed.get_or_insert((path.to_path_buf(), how));
            }
        }
    }

    fn finding(self, mutation: Mutation, words: &Wording) -> Option<Finding> {
        let kind = mutation.words();
        if let Some((path, how)) = self.failed {
            let [before, after] = words.fails;
            let message = format!("{before} {kind}{after}, {how}");
            let finding = Finding::error(words.subject, Code::FailingProgram, message).at(path);
            return Some(finding.help(words.failure_help));
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
        let finding = Finding::warning(words.subject, Code::LenientValidator, message).at(path);
        Some(finding.help(words.acceptance_help))
    }
}

/// Mutates files from all parts of `problem` and runs the validator on them; returns the number of
/// mutated files. `path_of` gives the file of a case, if it has one. Calls `step` before each file.
pub(super) fn run(
    problem: &Problem,
    path_of: impl Fn(&TestCase) -> Option<PathBuf>,
    words: &Wording,
    findings: &mut Vec<Finding>,
    mut check: impl FnMut(&TestCase, &Captured) -> Result<FileDecision, SandboxError>,
    step: &mut dyn FnMut(&str),
) -> Result<usize, SandboxError> {
    let mut tallies: BTreeMap<Mutation, MutationResults> = BTreeMap::new();
    for (case, path, text) in small_files(problem, &path_of) {
        step(&format!("mutations of {}", file_name(&path)));
        for mutation in Mutation::ALL {
            if let Some(mutated) = mutation.apply(&text) {
                let decision = check(case, &Captured::from_bytes(mutated))?;
                tallies.entry(mutation).or_default().add(&path, decision);
            }
        }
    }
    let tried = tallies.values().map(|tally| tally.tried).sum();
    for (mutation, tally) in tallies {
        let failed = tally.failed.is_some();
        let Some(finding) = tally.finding(mutation, words) else {
            continue;
        };
        // If a case of the setter has this layout, accepting it is not an oversight.
        let mut paths = problem.cases.iter().filter_map(&path_of);
        if failed || !paths.any(|path| is_small(&path) && has_layout(&path, mutation)) {
            findings.push(finding);
        }
    }
    Ok(tried)
}

fn is_small(path: &Path) -> bool {
    let file = std::fs::metadata(path);
    file.is_ok_and(|file| (1..=SMALL).contains(&file.len()))
}

fn has_layout(path: &Path, mutation: Mutation) -> bool {
    std::fs::read(path).is_ok_and(|text| mutation.is_in(&text))
}

/// Small files that are not blank, from all parts of the problem: case, path, text.
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
    let stride = small.len().div_ceil(MUTATED_FILES).max(1);
    let chosen = small.into_iter().step_by(stride);
    chosen
        .filter_map(|(case, path)| {
            let text = std::fs::read(&path).ok()?;
            (!text.trim_ascii().is_empty()).then_some((case, path, text))
        })
        .collect()
}
