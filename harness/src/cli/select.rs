//! Selects the problems, solutions and cases to judge.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Args;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::problem::{Problem, ProblemsById, ReadOptions, TestCase, layouts};
use crate::submission::Submission;

/// What to judge
#[derive(Debug, Clone, Args)]
pub(crate) struct SelectArgs {
    /// Solutions, problems (by name or folder), folders of solutions, problem packages or repositories
    /// [default: the repository around the current folder]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Folder or ZIP archive of the test cases, for solutions without cases of their own
    #[arg(long, value_name = "DIR", help_heading = "Selection")]
    pub(crate) cases: Option<PathBuf>,
    /// Layout of the problems [default: the only one that fits]
    #[arg(long, value_name = "NAME", value_parser = layouts::names(), help_heading = "Selection",
        hide_short_help = true)]
    pub(crate) layout: Option<String>,
    /// Judge only the cases whose name, or last part of the name, matches GLOB; repeatable
    #[arg(long, value_name = "GLOB", help_heading = "Selection")]
    pub(crate) case: Vec<String>,
    /// Checker: `exact`, `tokens`, `lines`, `float:EPS`, `numbers:EPS`, `json`, `testlib:PATH`, or the path of an output validator
    /// [default: the problem's]
    #[arg(long, value_name = "CHECKER", help_heading = "Selection")]
    pub(crate) checker: Option<String>,
    /// Source of a testlib interactor that the solutions talk to; `--checker` then checks the interactor's output
    #[arg(long, value_name = "PATH", help_heading = "Selection", hide_short_help = true)]
    pub(crate) interactor: Option<PathBuf>,
}

impl SelectArgs {
    /// The request for the way problems are read.
    pub(crate) fn read_options(&self) -> ReadOptions<'_> {
        ReadOptions {
            layout: self.layout.as_deref(),
            checked: self.checker.is_some(),
            ..ReadOptions::default()
        }
    }

    /// The command-line arguments that set how a case is judged, with the folder `cases`.
    pub(crate) fn words(&self, cases: Option<&Path>) -> Vec<String> {
        let shown = |path: Option<&Path>| Some(path?.to_string_lossy().into_owned());
        let given = [
            ("--cases", shown(cases)),
            ("--layout", self.layout.clone()),
            ("--checker", self.checker.clone()),
            ("--interactor", shown(self.interactor.as_deref())),
        ];
        given
            .into_iter()
            .filter_map(|(flag, value)| Some([flag.to_owned(), value?]))
            .flatten()
            .collect()
    }
}

/// The cases that `--case` selects.
pub(crate) struct CaseFilter(Option<GlobSet>);

impl CaseFilter {
    /// A filter for any of `globs`; an empty list selects everything.
    pub(crate) fn new(globs: &[String]) -> Result<Self> {
        if globs.is_empty() {
            return Ok(Self(None));
        }
        let mut set = GlobSetBuilder::new();
        for glob in globs {
            let compiled = GlobBuilder::new(glob)
                .build()
                .with_context(|| format!("`--case {glob}` is not a glob"))?;
            set.add(compiled);
        }
        Ok(Self(Some(set.build()?)))
    }

    /// Whether the filter selects this case, by its whole name or the last part of it.
    fn selects(&self, case: &TestCase) -> bool {
        self.matches(case.name())
    }

    /// Whether the filter selects a case with this name.
    pub(crate) fn matches(&self, name: &str) -> bool {
        let Some(set) = &self.0 else { return true };
        let last = name.rsplit('/').next().unwrap_or(name);
        set.is_match(name) || set.is_match(last)
    }

    /// Removes all cases of a problem but the selected ones.
    pub(crate) fn retain(&self, problem: &mut Problem) {
        problem.retain_cases(|case| self.selects(case));
    }

    /// Removes all cases but the selected ones, and problems and submissions without cases. A submission that must fail
    /// on some case need not fail on a part of the cases.
    pub(crate) fn apply(&self, problems: &mut Vec<Problem>, submissions: &mut Vec<Submission>) {
        if self.0.is_none() {
            return;
        }
        let mut reduced = BTreeSet::new();
        for problem in problems.iter_mut() {
            let all = problem.cases.len();
            self.retain(problem);
            if problem.cases.len() < all {
                reduced.insert(problem.id.clone());
            }
        }
        problems.retain(|problem| !problem.cases.is_empty());
        let known = ProblemsById::of(problems);
        submissions.retain(|submission| known.get(&submission.problem).is_some());
        for submission in submissions.iter_mut().filter(|one| reduced.contains(&one.problem)) {
            submission.expected.waive();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specimen;
    use crate::submission::Expectation;

    #[test]
    fn a_glob_selects_by_the_whole_name_or_its_last_part_and_waives_required_failures() {
        let table: [(&[&str], usize); 5] =
            [(&[], 3), (&["0"], 1), (&["[01]"], 2), (&["*"], 3), (&["x*"], 0)];
        for (globs, expected) in table {
            let globs: Vec<String> = globs.iter().map(|&glob| glob.to_owned()).collect();
            let mut problems = vec![specimen::problem(3)];
            let wrong = Expectation::of_folder("wrong_answer").unwrap();
            let mut submissions = vec![specimen::submission("a.rs", wrong)];
            CaseFilter::new(&globs).unwrap().apply(&mut problems, &mut submissions);
            let cases: usize = problems.iter().map(|problem| problem.cases.len()).sum();
            assert_eq!(cases, expected, "{globs:?}");
            assert_eq!(submissions.len(), usize::from(expected > 0));
            let required =
                submissions.first().map_or(0, |one| one.expected.rules[0].required.len());
            // Only a part of the cases may leave out the one on which it fails.
            assert_eq!(required, usize::from(expected == 3), "{globs:?}");
        }
        assert!(CaseFilter::new(&[String::from("[")]).is_err());
    }
}
