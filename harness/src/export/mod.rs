//! Writes a problem and its submissions as an archive that another judging system imports.
//!
//! It stands next to the flow: it reads files, judges nothing, and writes one archive, whole or not at all. The same
//! problem gives the same bytes. What a system cannot take is listed, never dropped silently.

use std::path::{Path, PathBuf};

use crate::checker_spec::CheckerSpec;
use crate::contest::ContestEntry;
use crate::import::{DraftText, names};
use crate::notice::{Code, Notice, shown};
use crate::problem::scoring::{PointGroup, Scoring};
use crate::problem::{Problem, StatedFiles, Streams, TestCase};
use crate::submission::Submission;

mod boca;
mod bundle;
mod domjudge;
mod hydro;
mod icpc;
mod input_args;
mod kattis;
mod kattis_facts;
mod kattis_points;
mod polygon;
mod programs;
mod samples;
mod sources;
mod submissions;

pub(crate) use bundle::{Bundle, plain_name};

/// A system that imports archives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ExportTarget {
    /// Problem package format: the version of the package; 2025-09 for problems in other layouts
    Icpc,
    /// problemtools and Kattis: the legacy version of the problem package format
    KattisLegacy,
    /// `DOMjudge`: the legacy format with `domjudge-problem.ini`
    Domjudge,
    /// Polygon: `problem.xml`
    Polygon,
    /// BOCA: `description/`, `input/`, `output/`, and scripts for each language
    Boca,
    /// Hydro: `problem.yaml`, `testdata/`
    Hydro,
    /// Participants: the samples as the statement numbers them, and the attachments; one archive for a whole contest
    Samples,
}

impl ExportTarget {
    /// The name of the system.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Icpc => "icpc",
            Self::KattisLegacy => "kattis-legacy",
            Self::Domjudge => "domjudge",
            Self::Polygon => "polygon",
            Self::Boca => "boca",
            Self::Hydro => "hydro",
            Self::Samples => "samples",
        }
    }

    /// Whether the archive needs no time limit: it has none, or the system infers it.
    pub(crate) fn infers(self) -> bool {
        matches!(self, Self::KattisLegacy | Self::Samples)
    }

    /// Whether the archive is a copy of the problem's folder.
    pub(crate) fn copies(self, problem: &Problem) -> bool {
        match self {
            Self::Icpc => icpc::is_whole_package(problem),
            Self::KattisLegacy => kattis::is_copied(problem),
            _ => false,
        }
    }
}

/// A problem to export.
pub(crate) struct ExportRequest<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) submissions: &'a [&'a Submission],
    /// The archive to write; it is never a part of itself.
    pub(crate) place: &'a Path,
    /// The folder that messages show paths relative to.
    pub(crate) base: Option<&'a Path>,
    /// Whether `rejudge.toml` has settings for the problem.
    pub(crate) is_configured: bool,
    /// What the contest calls the problem.
    pub(crate) entry: Option<&'a ContestEntry>,
}

/// A case with its files.
pub(super) struct BundledCase<'a> {
    pub(super) case: &'a TestCase,
    pub(super) input: PathBuf,
    pub(super) answer: DraftText,
}

/// Collects the files of the archive. The error names an input that does not exist, or a file that cannot be read.
pub(crate) fn bundle(target: ExportTarget, request: &ExportRequest<'_>) -> Result<Bundle, Notice> {
    let mut bundle = Bundle::of(request.problem);
    match target {
        ExportTarget::Icpc => icpc::fill(request, &mut bundle)?,
        ExportTarget::KattisLegacy => kattis::fill(request, &mut bundle)?,
        ExportTarget::Domjudge => domjudge::fill(request, &mut bundle)?,
        ExportTarget::Polygon => polygon::fill(request, &mut bundle)?,
        ExportTarget::Boca => boca::fill(request, &mut bundle)?,
        ExportTarget::Hydro => hydro::fill(request, &mut bundle)?,
        ExportTarget::Samples => samples::fill(request, &mut bundle)?,
    }
    Ok(bundle)
}

impl<'a> ExportRequest<'a> {
    /// The short name: lower-case letters and digits.
    pub(super) fn id(&self) -> String {
        names::id(&self.problem.id)
    }

    pub(super) fn title(&self) -> &str {
        self.problem.title.as_deref().unwrap_or(&self.problem.id)
    }

    pub(super) fn show(&self, path: &Path) -> String {
        shown(path, self.base)
    }

    /// The real cases, in order. Cases without an answer are not carried, unless an interactor needs none.
    pub(super) fn cases(&self, bundle: &mut Bundle) -> Result<Vec<BundledCase<'a>>, Notice> {
        let mut cases = Vec::new();
        for case in &self.problem.cases {
            if case.is_static() {
                bundle.lose(format!("the static validation `{}`", case.name()));
                continue;
            }
            let input = case.input();
            if !input.is_file() {
                return Err(Code::MissingInput
                    .of_file(&self.show(&input), "does not exist")
                    .help(format!("make it: `rejudge generate {}`", self.problem.id)));
            }
            let answer = case.answer().filter(|path| path.is_file());
            let files = [Some(&input), answer.as_ref()];
            if files.iter().flatten().any(|file| bundle.leads_out(file)) {
                bundle.lose(format!(
                    "the case `{}`, which is a link out of the problem",
                    case.name()
                ));
                continue;
            }
            let answer = match answer {
                Some(path) => DraftText::In(path),
                None if self.problem.is_interactive() => DraftText::Here(Vec::new()),
                None => {
                    bundle.lose(format!("the case `{}`, which has no answer", case.name()));
                    continue;
                }
            };
            cases.push(BundledCase { case, input, answer });
        }
        Ok(cases)
    }

    /// Adds the files for participants.
    pub(super) fn attachments(&self, to: &str, bundle: &mut Bundle) -> Result<(), Notice> {
        match self.attachments_folder() {
            Some(folder) => bundle.tree(to, &folder, self.place),
            None => Ok(()),
        }
    }

    /// Lists the attachments of a system that has none.
    pub(super) fn lose_attachments(&self, bundle: &mut Bundle) {
        if self.attachments_folder().is_some() {
            bundle.lose("the attachments: hand them out yourself");
        }
    }

    fn attachments_folder(&self) -> Option<PathBuf> {
        let folder = self.problem.dir.join(samples::ATTACHMENTS);
        (self.problem.is_package && folder.is_dir()).then_some(folder)
    }

    /// The checker of all cases. A case or group with another one is not carried as it is.
    pub(super) fn checker(&self, bundle: &mut Bundle) -> &'a CheckerSpec {
        let problem = self.problem;
        let mut own = problem.cases.iter().filter(|case| !case.is_static());
        let Some(first) = own.next() else {
            return &problem.checker;
        };
        let usual = first.checker().unwrap_or(&problem.checker);
        let other = own.find(|case| case.checker().unwrap_or(&problem.checker) != usual);
        if let Some(other) = other {
            bundle.lose(format!(
                "the different checkers of cases: all are checked as `{}`, also `{}`",
                first.name(),
                other.name()
            ));
        }
        usual
    }

    /// Lists what of the points a system with groups alone does not know.
    pub(super) fn lose_required_samples(&self, bundle: &mut Bundle) {
        if let Some(Scoring::Points(points)) = &self.problem.scoring {
            let needs =
                |group: &&PointGroup| group.require_pass.iter().any(|name| name == "sample");
            if let Some(group) = points.groups.iter().find(needs) {
                bundle.lose(format!("`require_pass: sample` of the group `{}`", group.name));
            }
        }
    }

    /// Lists the input validators of a system that calls none.
    pub(super) fn lose_input_validators(&self, bundle: &mut Bundle) {
        let problem = self.problem;
        let has_own = problem.is_package && problem.dir.join("input_validators").is_dir();
        if has_own || !problem.validators.is_empty() {
            bundle.lose("the input validators, which this system cannot call");
        }
    }

    /// Lists the passes after the first one, if the problem has several.
    pub(super) fn lose_further_passes(&self, bundle: &mut Bundle) {
        if self.problem.kind.multi_pass {
            bundle.lose_decisive("the further passes of a multi-pass problem");
        }
    }

    /// Lists the files that solutions use in place of the standard streams.
    pub(super) fn lose_streams(&self, bundle: &mut Bundle) {
        let files = match &self.problem.streams {
            Streams::Unstated => return,
            Streams::Stated(files) | Streams::Either(files) => files,
        };
        if *files != StatedFiles::default() {
            bundle.lose("the files that solutions read and write: they use the standard streams");
        }
    }

    /// Lists what only packages can state about cases.
    pub(super) fn lose_settings_of_cases(&self, bundle: &mut Bundle) {
        let find = |has: fn(&TestCase) -> bool| self.problem.cases.iter().find(|case| has(case));
        if let Some(case) = find(|case| !case.args().is_empty()) {
            bundle
                .lose(format!("the arguments of submissions, such as those of `{}`", case.name()));
        }
        if let Some(case) = find(|case| case.beside().is_some()) {
            bundle.lose(format!("the folder of files of the case `{}`", case.name()));
        }
        for what in self.problem.not_carried() {
            bundle.lose(what);
        }
    }

    /// Lists the files that the package format compiles with submissions.
    pub(super) fn lose_included(&self, bundle: &mut Bundle) {
        if !self.problem.additions.include.is_empty() {
            bundle.lose("the files in `include/`, which are compiled with submissions");
        }
    }

    /// The CPU time limit in seconds. If none is set, the default, which is listed.
    pub(super) fn seconds(&self, bundle: &mut Bundle) -> f64 {
        let limit = self.problem.limits.cpu_time.unwrap_or_else(|| {
            let usual = crate::limits::DEFAULT_CPU_TIME;
            bundle.not_carried.push(
                Code::NotCarried
                    .says(format!(
                        "the problem sets no time limit; the archive has the default of {} s",
                        usual.as_secs()
                    ))
                    .help(format!(
                        "set the limit that `rejudge time {}` shows, and export again",
                        self.problem.id
                    )),
            );
            usual
        });
        limit.as_secs_f64()
    }

    /// The memory limit in MiB.
    pub(super) fn mebibytes(&self) -> u64 {
        let limit = self.problem.limits.memory.unwrap_or(crate::limits::DEFAULT_MEMORY);
        limit.get().div_ceil(1 << 20).max(1)
    }
}
