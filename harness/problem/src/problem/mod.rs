//! Problems: their limits, their checkers and their test cases.
//!
//! The first stage of the flow. It reads files and knows the layouts; it never starts a program.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rejudge_quantity::Bytes;

use crate::checker_spec::{CheckerSpec, Convention};
use crate::notice::Notices;

mod additions;
mod arguments;
mod bounds;
mod by_id;
mod declared;
pub mod default_output;
mod domjudge;
mod gathered;
mod generated;
mod grammar;
mod groups;
mod kind;
mod language_codes;
pub mod layouts;
mod line_ends;
mod margins;
mod names;
mod natural;
mod new_case;
mod not_carried;
pub mod on_demand;
mod package;
mod package_cases;
mod plain;
mod planned;
mod read_options;
pub mod scoring;
mod settings;
mod static_validation;
mod streams;
mod test_case;
mod validator;
mod versions;
pub mod yaml;

pub use additions::{Additions, LocalIncludes};
pub use additions::{collection_of, is_code, repository_of};
pub use arguments::ValidatorArgs;
pub use bounds::{SETTINGS_FILE, bounds_of, leads_out_of_bounds, link_outside};
pub use by_id::ProblemsById;
pub use declared::{INVALID_ANSWER, declared};
pub use default_output::DefaultOutput;
pub use gathered::GatheredCase;
pub use generated::GeneratedCase;
pub use grammar::{GrammarFileError, is_grammar, open_grammar};
pub use kind::{Format, Kind};
pub use language_codes::{code_of, language_id};
pub use layouts::ForeignSubmission;
pub use layouts::archive;
pub use layouts::{
    InputWriter, PrintedPlans, TestAnswer, TestCommand, TestRecipe, TestRecipes, TestSource,
    has_recipes, recipes,
};
pub use line_ends::{LineEnds, with_line_ends};
pub use margins::Margins;
pub use names::{dangling_link, is_case_name, is_ignored, walk_error, warn_of_link};
pub use natural::compare as natural_order;
pub use new_case::{CaseModel, CasePlace};
pub use on_demand::{GENERATORS, OnDemand};
pub use package::{DATA_PARTS, PACKAGE_PARTS, unread};
pub use planned::{kind_in, planned, unreachable_limit};
pub use read_options::ReadOptions;
pub use settings::read_yaml;
pub use streams::is_file_name;
pub use streams::{StatedFiles, Streams};
pub use test_case::{CaseFiles, CaseSet, TestCase};

/// Returns the id of the language with this file extension, if there is one.
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
    /// The archive that was unpacked for it, if it is in one.
    pub archive: Option<UnpackedArchive>,
    /// The version of the package format whose rules apply.
    pub format: Format,
    /// The kind of problem: scoring, interactive, …
    pub kind: Kind,
    /// The limits that the problem's files set; `None` for those that they do not set.
    pub limits: ProblemLimits,
    /// The limits of languages on CPU time, memory and output, by an extension of their sources. They replace those in
    /// `limits`.
    pub limits_of_extensions: Vec<(String, ProblemLimits)>,
    /// The limits of single cases on CPU time and memory, by their names. They replace those in `limits`, but not those of
    /// languages.
    pub limits_of_cases: BTreeMap<String, ProblemLimits>,
    /// See [`Self::default_output`].
    pub default_output: DefaultOutput,
    /// Files and constants that the package adds to the sources compiled for it.
    pub additions: Additions,
    /// Where solutions read the input and write the output.
    pub streams: Streams,
    /// How outputs are checked.
    pub checker: CheckerSpec,
    /// The input validators, if they are not in the folder that the package format prescribes.
    pub validators: Vec<PathBuf>,
    /// A testlib interactor, which talks with the submissions. Without it, the output validator of
    /// an interactive problem is its interactor.
    pub interactor: Option<Interactor>,
    /// In a package, a case without an answer is an error; in a plain folder, it is only run.
    pub is_package: bool,
    /// The cases in the order of the report, including those of static validation.
    pub cases: Vec<TestCase>,
    /// The cases that are made on demand, with their sizes and hashes, in the order of `cases`.
    pub on_demand: Vec<OnDemand>,
    /// The cases that a generator makes before they are judged.
    pub generated: Vec<GeneratedCase>,
    /// The margins with which a time limit is inferred.
    pub margins: Margins,
    /// How the results of cases are combined. `None`: the first case that is not accepted decides.
    pub scoring: Option<scoring::Scoring>,
}

/// An archive, and the folder that it was unpacked to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnpackedArchive {
    /// The archive.
    pub path: PathBuf,
    /// The folder with its files.
    pub folder: PathBuf,
}

impl UnpackedArchive {
    /// A path in the folder as users know it: in the archive.
    pub fn original(&self, path: &Path) -> Option<PathBuf> {
        Some(self.path.join(path.strip_prefix(&self.folder).ok()?))
    }
}

/// A program written with testlib that talks with submissions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interactor {
    /// The source file.
    pub source: PathBuf,
    /// Whether the checker decides on the interactor's output. If not, the interactor's verdict is
    /// final.
    pub then_check: bool,
    /// Its arguments, in which `{input_file}`, `{output_file}` and `{answer_file}` stand for paths. Empty: those of
    /// testlib.
    pub call: Vec<String>,
    /// How it reports its decision; `None`: as programs of testlib.
    pub convention: Option<Convention>,
}

/// The limits that a problem's own files set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProblemLimits {
    /// CPU time limit of a run.
    pub cpu_time: Option<Duration>,
    /// Wall time limit of a run.
    pub wall_time: Option<Duration>,
    /// Memory limit of a run.
    pub memory: Option<Bytes>,
    /// Limit of standard output and standard error together, and of each file that is written.
    pub output: Option<Bytes>,
    /// Size limit of a source file.
    pub code: Option<Bytes>,
    /// CPU time limit of a compilation.
    pub compilation_time: Option<Duration>,
    /// Memory limit of a compilation.
    pub compilation_memory: Option<Bytes>,
    /// CPU time limit of a validator's run.
    pub validation_time: Option<Duration>,
    /// Memory limit of a validator's run.
    pub validation_memory: Option<Bytes>,
    /// Output limit of a validator's run, including its feedback files.
    pub validation_output: Option<Bytes>,
    /// The largest number of passes on one case of a multi-pass problem.
    pub validation_passes: Option<u32>,
}

impl ProblemLimits {
    /// These limits on programs, where `own` sets no others.
    #[must_use]
    pub fn replaced_by(&self, own: &Self) -> Self {
        Self {
            cpu_time: own.cpu_time.or(self.cpu_time),
            memory: own.memory.or(self.memory),
            output: own.output.or(self.output),
            ..*self
        }
    }
}

impl Problem {
    /// A problem in `dir` without settings and without cases: the starting point of every layout's
    /// reader.
    pub fn bare(dir: &Path) -> Self {
        Self {
            id: id_of(dir),
            title: None,
            dir: dir.to_path_buf(),
            archive: None,
            format: Format::default(),
            kind: Kind::default(),
            limits: ProblemLimits::default(),
            limits_of_extensions: Vec::new(),
            limits_of_cases: BTreeMap::new(),
            default_output: DefaultOutput::of_layout(default_output::ELSEWHERE),
            additions: Additions::default(),
            streams: Streams::default(),
            checker: CheckerSpec::default(),
            validators: Vec::new(),
            interactor: None,
            is_package: false,
            cases: Vec::new(),
            on_demand: Vec::new(),
            generated: Vec::new(),
            margins: Margins::of(Format::default()),
            scoring: None,
        }
    }

    /// Reads the problem in `dir`, whatever its layout. `None`: it cannot be judged, for the
    /// reasons added to the errors in `notices`.
    pub fn load(dir: &Path, language_of: LanguageOf<'_>, notices: &mut Notices) -> Option<Self> {
        Self::load_as(ReadOptions::default(), dir, language_of, notices)
    }

    /// Reads the problem at `path` as `read_options` asks: a folder, a ZIP archive, or a source with its
    /// own cases.
    pub fn load_as(
        read_options: ReadOptions<'_>,
        path: &Path,
        language_of: LanguageOf<'_>,
        notices: &mut Notices,
    ) -> Option<Self> {
        let order = layouts::LoadRequest { options: read_options, language_of };
        let errors = notices.errors.len();
        // Descriptions name files relative to their folder: make its path absolute once, here.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let problem = layouts::load(&order, &path, notices);
        problem.filter(|_| notices.errors.len() == errors)
    }

    /// The submissions inside the problem in `dir`. `None`: the layout has no folder for
    /// submissions, or is not foreign.
    pub fn own_submissions(
        read_options: ReadOptions<'_>,
        dir: &Path,
        language_of: LanguageOf<'_>,
        notices: &mut Notices,
    ) -> Option<Vec<ForeignSubmission>> {
        layouts::submissions(dir, read_options, language_of, notices)
    }

    /// Whether a file is a program of the problem, and so not a solution.
    pub fn has_program(&self, path: &Path) -> bool {
        let checkers = self.cases.iter().filter_map(TestCase::checker);
        let mut checkers = std::iter::once(&self.checker).chain(checkers);
        let interactor = self.interactor.as_ref().map(|one| one.source.as_path());
        let local = self.additions.local.as_ref();
        interactor == Some(path)
            || self.generated.iter().any(|case| case.program == path)
            || local.is_some_and(|local| local.has_program(path))
            || self.validators.iter().any(|one| one == path)
            || checkers.any(|checker| checker.sources().iter().any(|one| one == path))
    }

    /// Whether a path lies in the folder that a package has for its submissions.
    pub fn is_in_submissions(&self, path: &Path) -> bool {
        self.is_package && path.starts_with(self.dir.join("submissions"))
    }

    /// Whether submissions talk with an interactor.
    pub fn is_interactive(&self) -> bool {
        self.kind.interactive || self.interactor.is_some()
    }

    /// Whether graders of the legacy format decide the verdict of a submission.
    pub fn is_graded(&self) -> bool {
        matches!(self.scoring, Some(scoring::Scoring::Grading(_)))
    }

    /// Checks every case with `checker`, whatever the problem's files set.
    pub fn set_checker(&mut self, checker: CheckerSpec) {
        self.checker = checker;
        let mut last: Option<(Arc<CaseSet>, Arc<CaseSet>)> = None;
        for case in &mut self.cases {
            if case.set.checker.is_none() || case.is_static() {
                continue;
            }
            let set = match &last {
                Some((old, new)) if Arc::ptr_eq(old, &case.set) => Arc::clone(new),
                _ => Arc::new(CaseSet { checker: None, ..(*case.set).clone() }),
            };
            let old = std::mem::replace(&mut case.set, Arc::clone(&set));
            last = Some((old, set));
        }
    }

    /// Whether `dir` holds cases in a known layout.
    pub fn is_in(dir: &Path) -> bool {
        layouts::is_in(dir)
    }

    /// The names of the files that may describe a problem, in all layouts.
    pub fn signs() -> impl Iterator<Item = &'static str> {
        layouts::signs()
    }

    /// Whether `dir` has a file that describes a problem, in any layout.
    pub fn is_described_in(dir: &Path) -> bool {
        layouts::is_described(dir)
    }

    /// The folders of the problems in a file that has several of them. `None`: it is one problem, or no such file.
    pub fn problems_in_file(path: &Path) -> Option<Vec<PathBuf>> {
        layouts::problems_in_file(path)
    }

    /// Whether `path` is a file that holds the cases of a problem, such as an archive.
    pub fn is_file(path: &Path) -> bool {
        layouts::is_file_of_cases(path)
    }

    /// Whether a problem can be read from `path`: a folder, an archive, or a source with its own
    /// cases.
    pub fn can_be_at(path: &Path) -> bool {
        path.is_dir() || Self::is_file(path) || layouts::is_source_with_cases(path)
    }

    /// The path of the problem that a source file solves, found from the file's location.
    pub fn home_of(source: &Path, language_of: LanguageOf<'_>) -> Option<PathBuf> {
        layouts::home_of(source, language_of)
    }

    /// Whether `dir` is a problem package.
    pub fn is_package_in(dir: &Path) -> bool {
        layouts::is_icpc(dir)
    }

    /// Whether `dir` is a task of CMS.
    pub fn is_cms_task_in(dir: &Path) -> bool {
        layouts::is_cms_task(dir)
    }
}

/// The id of the problem in `dir`: the folder's name.
fn id_of(dir: &Path) -> String {
    let name = dir.file_name().map(OsStr::to_os_string).or_else(|| {
        let full = dir.canonicalize().ok()?;
        full.file_name().map(OsStr::to_os_string)
    });
    name.map_or_else(|| "problem".to_owned(), |name| name.to_string_lossy().into_owned())
}
