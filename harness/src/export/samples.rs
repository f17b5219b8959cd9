//! What participants get besides the statement: the samples, numbered as in the statement, and the attachments.
//!
//! `BAPCtools` and `DOMjudge` offer the same files: `1.in`, `1.ans` and so on, with the attachments next to them.

use std::path::{Path, PathBuf};

use super::ExportRequest;
use super::bundle::Bundle;
use crate::notice::{Code, Notice};
use crate::problem::{Format, Problem, TestCase};
use crate::shown_samples::shown_samples;

/// The folder of files for participants.
pub(super) const ATTACHMENTS: &str = "attachments";

/// The start of the names of samples.
const SAMPLE: &str = "sample/";

/// Files that set what of a sample is shown.
const SHOWN_ENDS: [&str; 5] =
    ["in.statement", "ans.statement", "in.download", "ans.download", "out"];

/// The files of a sample that participants get.
struct Sample {
    name: String,
    input: Option<PathBuf>,
    answer: Option<PathBuf>,
    beside: Option<PathBuf>,
}

pub(super) fn fill(request: &ExportRequest<'_>, bundle: &mut Bundle) -> Result<(), Notice> {
    let problem = request.problem;
    request.attachments("", bundle)?;
    bundle.attachments = bundle.len();
    for (number, sample) in (1..).zip(samples(problem)) {
        let ends = [("in", &sample.input), ("ans", &sample.answer)];
        let own = || ends.iter().filter_map(|(end, from)| Some((end, from.as_ref()?)));
        for (end, from) in own() {
            let name = format!("{number}.{end}");
            if bundle.has(&name) {
                return Err(clash(request, &name, &sample.name));
            }
            bundle.copy(&name, from);
        }
        if let Some(folder) = &sample.beside {
            bundle.tree(&format!("{number}.files"), folder, request.place)?;
        }
        bundle.cases += usize::from(own().next().is_some() || sample.beside.is_some());
    }
    if bundle.len() == 0 {
        let place = if problem.is_package {
            request.show(&problem.dir.join("data/sample"))
        } else {
            "`sample/`".to_owned()
        };
        bundle.decisive.push(
            Code::NoCases
                .says(format!("`{}` has neither samples nor attachments", problem.id))
                .help(format!("samples are the cases in {place}")),
        );
    }
    Ok(())
}

/// An attachment and a sample with the same name.
fn clash(request: &ExportRequest<'_>, name: &str, sample: &str) -> Notice {
    let attachment = request.problem.dir.join(ATTACHMENTS).join(name);
    let (_, end) = name.rsplit_once('.').unwrap_or(("", name));
    let what = format!("has the name that `{sample}` gets");
    let help = "rename the attachment, or put it in place of the sample: data/";
    Code::Conflict
        .of_file(&request.show(&attachment), what)
        .help(format!("{help}{sample}.{end}.download"))
}

/// Adds the files of samples to the attachments, for systems that offer no samples of interactive problems.
pub(super) fn as_attachments(request: &ExportRequest<'_>, bundle: &mut Bundle) {
    let problem = request.problem;
    if !problem.is_package || !problem.kind.interactive && !problem.kind.multi_pass {
        return;
    }
    for (number, sample) in (1..).zip(samples(problem)) {
        for (end, from) in [("in", sample.input), ("ans", sample.answer)] {
            let name = format!("{ATTACHMENTS}/{number}.{end}");
            if let Some(from) = from.filter(|_| !bundle.has(&name)) {
                bundle.copy(&name, &from);
            }
        }
    }
}

/// Whether something else is shown of the case than its input and its answer.
pub(super) fn is_shown_otherwise(problem: &Problem, case: &TestCase) -> bool {
    let file = |end: &str| problem.dir.join(format!("data/{}.{end}", case.name()));
    problem.is_package && SHOWN_ENDS.iter().any(|end| file(end).is_file())
}

/// The samples in the order of the statement. One that has no file to download keeps its number.
fn samples(problem: &Problem) -> Vec<Sample> {
    let data = problem.dir.join("data");
    let cases = problem.cases.iter().filter(|case| case.name().starts_with(SAMPLE));
    let mut samples: Vec<Sample> = cases.map(|case| of_case(problem, case, &data)).collect();
    if problem.is_package {
        for name in shown_samples(&data) {
            if samples.iter().all(|sample| sample.name != name) {
                let own = |end: &str| filled(data.join(format!("{name}.{end}.download")));
                let (input, answer) = (own("in"), own("ans"));
                samples.push(Sample { name, input, answer, beside: None });
            }
        }
        samples.sort_by(|left, right| left.name.cmp(&right.name));
    }
    samples
}

fn of_case(problem: &Problem, case: &TestCase, data: &Path) -> Sample {
    let own = |end: &str| {
        let file = data.join(format!("{}.{end}", case.name()));
        Some(file).filter(|file| problem.is_package && file.is_file())
    };
    // The text of the legacy format: these files are for the validator.
    let is_secret = problem.kind.interactive && problem.format == Format::Legacy;
    let judged = |file: Option<PathBuf>| file.filter(|_| !is_secret);
    let input = own("in.download").or_else(|| judged(Some(case.input())));
    let answer = own("ans.download").or_else(|| own("out")).or_else(|| judged(case.answer()));
    Sample {
        name: case.name().to_owned(),
        input: input.and_then(filled),
        answer: answer.and_then(filled),
        beside: case.beside(),
    }
}

/// A file that is not empty: an empty one states that there is nothing to download.
fn filled(file: PathBuf) -> Option<PathBuf> {
    file.metadata().is_ok_and(|found| found.is_file() && found.len() > 0).then_some(file)
}
