//! DMOJ: `init.yml` and next to it an archive, which is read in place.
//!
//! DMOJ keeps a problem's limits in its database, except for the output limit, so there are no
//! others here.

use rejudge_quantity::Bytes;

use super::fields::{Fields, TableFile};
use super::points::{self, Share};
use super::scene::Scene;
use super::{dmoj_cases, dmoj_keys, dmoj_programs};
use crate::checker_spec::CheckerSpec;
use crate::notice::Notices;
use crate::problem::scoring::Aggregation;
use crate::problem::{Additions, LocalIncludes, Problem, ProblemLimits, Streams};

const FILE: &str = "init.yml";

/// Reads the problem.
pub(super) fn load(scene: &Scene<'_>, notices: &mut Notices) -> Option<Problem> {
    let path = scene.root.join(FILE);
    let file = TableFile::read_of_python(&path, notices)?;
    let table = file.fields();
    let mut local = LocalIncludes::within(scene.root);
    local.unbuffered_submissions = table.flag("unbuffered");
    dmoj_programs::signature(scene.root, &table, &mut local, notices)?;
    dmoj_keys::PROBLEM.name_unused(&table, notices);
    let mut read = dmoj_cases::read(scene, &table, local, notices)?;
    let interactor =
        dmoj_programs::interactor(&table, &read.shares, &mut read.local, scene.options, notices);
    let partial = gives_points(Some(&read.checker))
        || interactor.is_some()
        || read.cases.iter().any(|case| gives_points(case.checker()));
    let scoring = points::scoring(judged_in_order(read.shares, partial), &read.cases);
    Some(Problem {
        limits: ProblemLimits { output: output_limit(&table, notices), ..ProblemLimits::default() },
        checker: read.checker,
        interactor,
        streams: streams(&table, notices)?,
        is_package: true,
        cases: read.cases,
        generated: read.generated,
        scoring,
        additions: Additions {
            local: Some(read.local),
            links: dmoj_keys::links(&table, notices),
            ..Additions::default()
        },
        ..Problem::foreign(scene.root)
    })
}

/// `file_io`: the names of the files with the input and the output.
fn streams(table: &Fields<'_>, notices: &mut Notices) -> Option<Streams> {
    if !table.has("file_io") {
        return Some(Streams::default());
    }
    let files = table.table("file_io", notices)?;
    dmoj_keys::FILE_IO.name_unused(&files, notices);
    let [input, output] = ["input", "output"].map(|key| files.text(key, notices));
    if input.is_none() && output.is_none() {
        return Some(Streams::default());
    }
    files.stated_files(input, output, notices)
}

/// The output limit in `output_limit_length`, in bytes.
fn output_limit(table: &Fields<'_>, notices: &mut Notices) -> Option<Bytes> {
    let number = table.number("output_limit_length", notices)?;
    if number < 1.0 {
        table.fault("`output_limit_length` must be at least 1", notices);
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "too large is the largest"
    )]
    Some(Bytes(number as u64))
}

/// Whether a checker may give a part of the points.
fn gives_points(checker: Option<&CheckerSpec>) -> bool {
    matches!(checker, Some(CheckerSpec::Testlib { .. } | CheckerSpec::Foreign { .. }))
}

/// The shares as DMOJ judges them: a failed case of 0 points ends the submission, so everything after it requires it. A
/// batch gets the lowest points of its cases.
fn judged_in_order(mut shares: Vec<Share>, partial: bool) -> Vec<Share> {
    let mut zero: Vec<String> = Vec::new();
    for share in &mut shares {
        share.requires.extend(zero.iter().cloned());
        if share.points <= 0.0 {
            zero.push(share.name.clone());
        }
        if partial {
            share.aggregation = Aggregation::Min;
        }
    }
    shares
}
