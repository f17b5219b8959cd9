//! What other tools' packages state about their programs and cases, and no other format can.

use super::scoring::{PartRule, Scoring};
use super::{Problem, TestCase};
use crate::checker_spec::CheckerSpec;

impl Problem {
    /// What is lost of the points outside the layout that has them.
    pub fn lost_points(&self) -> Option<&'static str> {
        let Some(Scoring::Points(points)) = &self.scoring else {
            return None;
        };
        let partial = self.checker.is_program() || self.interactor.is_some();
        match points.parts {
            PartRule::Hydro if partial => Some(
                "the points of outputs that are accepted in part: Hydro reads shares or percentages",
            ),
            PartRule::OmegaUp if partial => {
                Some("the points of outputs that are accepted in part: omegaUp calls them wrong")
            }
            PartRule::Uoj if partial => Some(
                "the points of outputs that are accepted in part: UOJ reads shares, and rounds them",
            ),
            _ => None,
        }
    }

    /// What is lost when the problem is exported or imported.
    pub fn not_carried(&self) -> Vec<&'static str> {
        let has_call = |checker: &CheckerSpec| match checker {
            CheckerSpec::Foreign { call, .. } => !call.is_empty(),
            _ => false,
        };
        let mut checkers = self.cases.iter().filter_map(TestCase::checker);
        let mut lost = Vec::new();
        if has_call(&self.checker) || checkers.any(has_call) {
            lost.push("the arguments of the checker (`args_format_string`)");
        }
        if matches!(self.checker, CheckerSpec::FloatLines(_)) {
            lost.push("the lines of the checker: numbers are compared word by word");
        }
        if (self.interactor.as_ref()).is_some_and(|interactor| !interactor.call.is_empty()) {
            lost.push("the arguments of the interactor: testlib's come in another order");
        }
        if (self.interactor.as_ref()).is_some_and(|interactor| interactor.convention.is_some()) {
            lost.push("how the interactor reports its decision: it is read as one of testlib");
        }
        if !self.additions.links.is_empty() {
            lost.push("the links to standard streams (`symlinks`)");
        }
        if !self.additions.with_solutions.is_empty() {
            lost.push("the files that lie next to submissions");
        }
        if !self.limits_of_extensions.is_empty() {
            lost.push("the limits of single languages");
        }
        if !self.limits_of_cases.is_empty() {
            lost.push("the limits of single cases");
        }
        let Some(local) = &self.additions.local else {
            return lost;
        };
        if !local.flags.is_empty() {
            lost.push("the `flags` of the problem's programs");
        }
        if !local.linked.is_empty() {
            lost.push("the sources that are compiled with submissions");
        }
        if local.unbuffered_submissions || !local.unbuffered.is_empty() {
            lost.push("`unbuffered`: programs must flush their output");
        }
        lost
    }
}
