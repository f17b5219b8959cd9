//! What is judged against: problems, their limits and their test cases.
//!
//! First in the flow. It reads files and knows layouts; it never starts a program.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::bytes::Bytes;
use crate::checker::CheckerSpec;
use crate::notice::Notices;
use crate::time_limit::Margins;

mod additions;
mod arguments;
mod declared;
pub(crate) mod default_output;
mod domjudge;
mod groups;
mod kind;
mod language_codes;
pub(crate) mod layouts;
mod names;
mod natural;
pub(crate) mod on_demand;
mod package;
mod plain;
mod planned;
pub(crate) mod scoring;
mod settings;
mod static_validation;
mod test_case;
mod validator;
pub(crate) mod yaml;

pub use additions::Additions;
pub use arguments::ValidatorArgs;
pub(crate) use declared::declared;
pub use kind::{Format, Kind};
pub(crate) use language_codes::{code_of, language_id};
pub(crate) use layouts::Promise;
pub use layouts::Wish;
pub(crate) use names::{is_ignored, walk_error};
pub(crate) use natural::compare as natural_order;
pub use on_demand::OnDemand;
pub(crate) use package::is_case_name;
pub(crate) use planned::planned;
pub(crate) use settings::read_yaml;
pub use test_case::{CaseFiles, CaseSet, TestCase};

/// Tells the id of the language that a file's extension stands for.
pub type LanguageOf<'a> = &'a dyn Fn(&OsStr) -> Option<String>;

/// A problem: its limits, its checker and its test cases in judging order.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The short name: the name of its folder.
    pub id: String,
    /// The title in `problem.yaml`, if there is one.
    pub title: Option<String>,
    /// The folder it was read from.
    pub dir: PathBuf,
    /// By which version of the package format it is judged.
    pub format: Format,
    /// How it is judged: scoring, interactive, …
    pub kind: Kind,
    /// The limits that its files set; what they leave open is `None`.
    pub limits: ProblemLimits,
    /// The output limit if nobody states one: of the layout, and at least twice the largest answer.
    pub default_output: Bytes,
    /// What its package adds to the sources that are compiled for it.
    pub additions: Additions,
    /// How outputs are checked.
    pub checker: CheckerSpec,
    /// Input validators that do not lie where a package of the format has them.
    pub(crate) validators: Vec<PathBuf>,
    /// A testlib interactor, which submissions talk with; without one an interactive problem's output
    /// validator is its interactor.
    pub interactor: Option<Interactor>,
    /// In a package a case without an answer is an error; in a plain folder it is run only.
    pub is_package: bool,
    /// The cases, in the order in which they are reported; static validation is one too.
    pub cases: Vec<TestCase>,
    /// Which of the cases are made on demand, and what they must be; in the order of `cases`.
    pub on_demand: Vec<OnDemand>,
    /// The margins of a time limit that is to be inferred.
    pub(crate) margins: Margins,
    /// How cases are added up, where that is not left to the first that is not accepted.
    pub(crate) scoring: Option<scoring::Scoring>,
}

/// A program that submissions talk with, which is written with testlib.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interactor {
    /// Its source.
    pub source: PathBuf,
    /// Whether the problem's checker then has the word on what it wrote; else its own word is final.
    pub then_check: bool,
}

/// What a problem's own files say of its limits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProblemLimits {
    /// CPU time of a run.
    pub cpu_time: Option<Duration>,
    /// Wall time of a run.
    pub wall_time: Option<Duration>,
    /// Memory of a run.
    pub memory: Option<Bytes>,
    /// Standard output and standard error together; files each.
    pub output: Option<Bytes>,
    /// Size of a source file.
    pub code: Option<Bytes>,
    /// CPU time of a compilation.
    pub compilation_time: Option<Duration>,
    /// Memory of a compilation.
    pub compilation_memory: Option<Bytes>,
    /// CPU time of a validator's run.
    pub validation_time: Option<Duration>,
    /// Memory of a validator's run.
    pub validation_memory: Option<Bytes>,
    /// Output of a validator's run, its feedback files included.
    pub validation_output: Option<Bytes>,
    /// How often a case of a multi-pass problem may be run.
    pub validation_passes: Option<u32>,
}

/// What a problem is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// A case needs an answer, or is run only.
    Judging,
    /// The answers that lack are to be written.
    Answering,
}

impl Problem {
    /// A problem in `dir` that says nothing of itself and has no cases: what every reader of a
    /// layout begins with.
    pub(crate) fn bare(dir: &Path) -> Self {
        Self {
            id: id_of(dir),
            title: None,
            dir: dir.to_path_buf(),
            format: Format::default(),
            kind: Kind::default(),
            limits: ProblemLimits::default(),
            default_output: default_output::ELSEWHERE,
            additions: Additions::default(),
            checker: CheckerSpec::default(),
            validators: Vec::new(),
            interactor: None,
            is_package: false,
            cases: Vec::new(),
            on_demand: Vec::new(),
            margins: Margins::of(Format::default()),
            scoring: None,
        }
    }

    /// Reads the problem in `dir`, whatever its layout. `None`: it cannot be judged, and the errors
    /// in `notices` say why.
    pub fn load(dir: &Path, language_of: LanguageOf<'_>, notices: &mut Notices) -> Option<Self> {
        Self::load_as(Wish::default(), dir, language_of, notices)
    }

    /// Reads the problem at `path`: a folder, a ZIP archive, or a source with cases of its own; in the
    /// way that is wished for.
    pub fn load_as(
        wish: Wish<'_>,
        path: &Path,
        language_of: LanguageOf<'_>,
        notices: &mut Notices,
    ) -> Option<Self> {
        let purpose = Purpose::Judging;
        let order = layouts::Order {
            purpose,
            wish,
            language_of,
        };
        Self::load_for(&order, path, notices)
    }

    /// Reads the problem in `dir` for `rejudge answer`: a case without an answer is as good as any,
    /// and its answer's path is where that is to be written.
    pub(crate) fn load_to_answer(
        dir: &Path,
        language_of: LanguageOf<'_>,
        notices: &mut Notices,
    ) -> Option<Self> {
        let purpose = Purpose::Answering;
        let wish = Wish::default();
        let order = layouts::Order {
            purpose,
            wish,
            language_of,
        };
        Self::load_for(&order, dir, notices)
    }

    fn load_for(order: &layouts::Order<'_>, path: &Path, notices: &mut Notices) -> Option<Self> {
        let errors = notices.errors.len();
        // Files that a description names lie in its folder, whose path is put before theirs once.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let problem = layouts::load(order, &path, notices);
        problem.filter(|_| notices.errors.len() == errors)
    }

    /// The submissions that the problem in `dir` has inside of it; `None`: it is none of the foreign
    /// layouts that have a place for them.
    pub(crate) fn promises(
        wish: Wish<'_>,
        dir: &Path,
        language_of: LanguageOf<'_>,
        notices: &mut Notices,
    ) -> Option<Vec<Promise>> {
        layouts::promises(dir, wish, language_of, notices)
    }

    /// Whether submissions talk with an interactor.
    pub fn is_interactive(&self) -> bool {
        self.kind.interactive || self.interactor.is_some()
    }

    /// Whether graders of the legacy format have the last word on a submission.
    pub(crate) fn is_graded(&self) -> bool {
        matches!(self.scoring, Some(scoring::Scoring::Grading(_)))
    }

    /// Has every case checked by `checker`, whatever its files say.
    pub fn set_checker(&mut self, checker: CheckerSpec) {
        self.checker = checker;
        let mut last: Option<(Arc<CaseSet>, Arc<CaseSet>)> = None;
        for case in &mut self.cases {
            if case.set.checker.is_none() || case.is_static() {
                continue;
            }
            let set = match &last {
                Some((old, new)) if Arc::ptr_eq(old, &case.set) => Arc::clone(new),
                _ => Arc::new(CaseSet {
                    checker: None,
                    ..(*case.set).clone()
                }),
            };
            let old = std::mem::replace(&mut case.set, Arc::clone(&set));
            last = Some((old, set));
        }
    }

    /// Whether `dir` holds cases in a layout that is known.
    pub(crate) fn is_in(dir: &Path) -> bool {
        layouts::is_in(dir)
    }

    /// Whether `dir` has a file that describes a problem, in any layout.
    pub(crate) fn is_described_in(dir: &Path) -> bool {
        layouts::is_described(dir)
    }

    /// Whether `path` is a file that holds the cases of a problem, as an archive does.
    pub(crate) fn is_file(path: &Path) -> bool {
        layouts::is_file_of_cases(path)
    }

    /// Whether a problem can be read from `path`: a folder, or a file that stands for cases.
    pub(crate) fn can_be_at(path: &Path) -> bool {
        path.is_dir() || Self::is_file(path) || layouts::is_source_with_cases(path)
    }

    /// The path of the problem that a source file is for, by where it lies.
    pub(crate) fn home_of(source: &Path, language_of: LanguageOf<'_>) -> Option<PathBuf> {
        layouts::home_of(source, language_of)
    }

    /// The sources in `dir` that have cases of their own.
    pub(crate) fn sources_with_cases(dir: &Path, language_of: LanguageOf<'_>) -> Vec<PathBuf> {
        layouts::sources_with_cases(dir, language_of)
    }

    /// Whether `dir` is a problem package.
    pub(crate) fn is_package_in(dir: &Path) -> bool {
        layouts::is_icpc(dir)
    }
}

/// The id of the problem in `dir`: the folder's name.
fn id_of(dir: &Path) -> String {
    let name = dir.file_name().map(OsStr::to_os_string).or_else(|| {
        let full = dir.canonicalize().ok()?;
        full.file_name().map(OsStr::to_os_string)
    });
    name.map_or_else(
        || "problem".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}
