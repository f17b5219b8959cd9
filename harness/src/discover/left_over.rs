//! Reports what plain folders hold and nobody judges: one line for each kind.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::join::Left;
use super::not_judged::{LeftOvers, list};
use super::scope::Scope;
use super::source_texts::SourceTexts;
use crate::beside::TestlibRole;
use crate::notice::{Code, Few, Notice, Notices, few};
use crate::problem::Problem;
use crate::submission::Submission;

/// What the report of a tree's rest reads and changes.
pub(super) struct LeftReport<'a> {
    pub(super) scope: &'a Scope,
    pub(super) texts: &'a SourceTexts,
    pub(super) left_overs: &'a mut LeftOvers,
    pub(super) notices: &'a mut Notices,
}

impl LeftReport<'_> {
    /// Reports what is left of a tree. `named`: the command line names the source.
    pub(super) fn report(&mut self, left: &[&Left], named: bool) {
        let scope = self.scope;
        let mut without = Vec::new();
        let mut nothing = Vec::new();
        let mut helpers = Vec::new();
        let mut folders = BTreeSet::new();
        let mut unused = 0;
        let mut strays = Few::default();
        for left in left {
            match left {
                Left::Source(file) => without.push(scope.file(file)),
                Left::OwnsNothing(file) => nothing.push(scope.file(file)),
                Left::Helper(file) => {
                    let path = scope.file(file);
                    if self.texts.testlib_role(&path) == Some(TestlibRole::Checker) {
                        self.left_overs.checkers.insert(path);
                    } else {
                        helpers.push(path);
                    }
                }
                Left::Cases { folder, cases, .. } => {
                    folders.insert(scope.folder(*folder));
                    unused += cases;
                }
                Left::Stray(file) => strays.push(|| self.stray(&scope.file(file))),
                Left::Ambiguous { folder, sources, cases } => {
                    let sources: Vec<PathBuf> =
                        sources.iter().map(|file| scope.file(file)).collect();
                    self.report_ambiguous(&scope.folder(*folder), &sources, *cases);
                }
            }
        }
        self.notices.warnings.extend(strays.finish("answers without an input"));
        self.report_sources(&without, &nothing, named);
        report_helpers(&helpers, self.notices);
        if unused > 0 {
            let folders: Vec<PathBuf> = folders.into_iter().collect();
            let what = list(self.notices, &folders);
            self.notices.warn_help(
                Code::UnusedCases.says(format!(
                    "no solution uses {unused} of the cases in {what}"
                )),
                "give the cases and their solution the same name, or name both: `rejudge SOLUTION --cases DIR`",
            );
        }
    }

    fn report_sources(&mut self, without: &[PathBuf], nothing: &[PathBuf], named: bool) {
        const FEW: usize = 3;
        const HELP: &str = "name the folder of the cases: `rejudge SOLUTION --cases DIR`";
        if !without.is_empty() && !named {
            let folders: BTreeSet<PathBuf> =
                without.iter().filter_map(|path| Some(path.parent()?.to_path_buf())).collect();
            let folders: Vec<PathBuf> = folders.into_iter().collect();
            let what = if without.len() > FEW && folders.len() > 1 {
                format!("in {}", list(self.notices, &folders))
            } else {
                list(self.notices, without)
            };
            let count = without.len();
            self.notices.warn_help(
                Code::NotJudged
                    .says(format!("sources without test cases are not judged ({count}): {what}")),
                HELP,
            );
        }
        if !nothing.is_empty() {
            let what = list(self.notices, nothing);
            let message = Code::NotJudged.says(format!(
                "the cases next to these sources have other names, so they are not judged: {what}"
            ));
            if named {
                self.notices.error_help(message, HELP);
            } else {
                self.notices.warn_help(message, HELP);
            }
        }
    }

    fn report_ambiguous(&mut self, folder: &Path, sources: &[PathBuf], cases: usize) {
        let (shown, what) = (self.notices.show(folder), list(self.notices, sources));
        let what = format!(
            "{shown} has sources of different problems and cases that are named after none of them ({cases}): {what}"
        );
        // A single case is usually a scratch file.
        let report = if cases == 1 { Notices::warn_help } else { Notices::error_help };
        report(
            self.notices,
            Code::UnclearCases.says(what),
            "name the cases after their source, such as `a1.in` for `a.cpp`, or name the sources to judge on them: `rejudge a.cpp`",
        );
    }

    fn stray(&self, path: &Path) -> Notice {
        let is_answer = path.extension().is_some_and(|end| end == "ans" || end == "out");
        let shown = self.notices.show(path);
        if is_answer {
            let input = self.notices.show(&path.with_extension("in"));
            return Code::MissingInput
                .of_file(&shown, "has no input; it is ignored")
                .help(format!("write the input to {input}"));
        }
        Code::UnusedSetting.of_file(&shown, "is not part of a case; it is ignored")
    }
}

/// Reports helpers, in one line.
pub(super) fn report_helpers(helpers: &[PathBuf], notices: &mut Notices) {
    if helpers.is_empty() {
        return;
    }
    let what = list(notices, helpers);
    notices.warn_help(
        Code::NotJudged.says(format!("helpers are not judged: {what}")),
        "name a helper on the command line to judge it",
    );
}

/// Names the submissions that may read their input from a file.
pub(super) fn report_files_by_name(submissions: &[Submission], notices: &mut Notices) {
    let all = submissions.iter();
    let shown: Vec<String> = all
        .filter(|one| {
            !one.files.inputs.is_empty() && !one.files.are_stated && !one.files.are_optional
        })
        .map(|one| format!("{} ({})", one.name, few(&one.files.inputs)))
        .collect();
    if shown.is_empty() {
        return;
    }
    let names = few(&shown);
    notices.warn_help(
        Code::FilesByName
            .says(format!("the input is also in a file for solutions that name one: {names}")),
        "if such a solution prints nothing, the file that it names is its output",
    );
}

/// Warns of cases that are only run.
pub(super) fn report_unanswered(problem: &Problem, notices: &mut Notices) {
    let mut unanswered = Few::default();
    for case in &problem.cases {
        if case.has_answer() {
            continue;
        }
        unanswered.push(|| {
            let input = case.input();
            let answer = input.with_extension("ans");
            let is_usual = input.extension().is_some_and(|end| end == "in");
            let shown = notices.show(&input);
            let notice = Code::MissingAnswer.of_file(&shown, "has no answer; it is only run");
            if is_usual {
                notice.help(format!("write the answer to {}", notices.show(&answer)))
            } else {
                notice
            }
        });
    }
    let found = unanswered.finish("inputs without an answer");
    notices.warnings.extend(found);
}
