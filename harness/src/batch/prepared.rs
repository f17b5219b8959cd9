//! A request as a submission and a problem.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rejudge_quantity::{self as quantity, QuantityError};
use tempfile::TempDir;

use super::case_files::{CaseFolder, CaseFolders};
use super::inline;
use super::languages;
use super::loaded::{LoadedProblems, ProblemLookup, UnusableProblem};
use super::program::{ProgramFault, ProgramText};
use super::request::{
    BatchRequest, CheckerSource, LanguageName, RequestedAmount, RequestedCase, RequestedCases,
    RequestedChecker, RequestedFile,
};
use crate::checker_spec::{CheckerSpec, Convention, JsonRule};
use crate::language::Language;
use crate::notice::{Code, Notice};
use crate::problem::{Problem, ProblemLimits};
use crate::submission::{Expectation, FileNames, Submission};

/// The folder of the source.
const SOURCE: &str = "source";

/// The tolerance of the checker of requests that name none.
const TOLERANCE: f64 = 1e-6;

/// The languages of programs around which a driver is put.
const DRIVEN: [&str; 2] = ["python3", "pypy3"];

/// Why a request is not judged as it stands.
#[derive(Debug)]
pub(super) enum RequestRefusal {
    /// It names no program.
    NoProgram { why: &'static str, total: usize },
    /// It is wrong.
    Request(Notice),
    /// Something fails here.
    Judge(String),
}

impl From<io::Error> for RequestRefusal {
    fn from(error: io::Error) -> Self {
        Self::Judge(format!("cannot write the files of the request: {error}"))
    }
}

fn wrong(why: impl Into<String>) -> RequestRefusal {
    RequestRefusal::Request(Code::InvalidValue.says(why))
}

/// What is wrong about the checker.
fn of_checker(notice: Notice) -> RequestRefusal {
    RequestRefusal::Request(notice.of("`checker`"))
}

/// A request that can be judged.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) submission: Submission,
    pub(super) problem: Problem,
    /// Whether the program carries its own tests.
    pub(super) has_own_tests: bool,
    /// The group of each case.
    pub(super) groups: Vec<Option<String>>,
    /// What tells one compilation from another.
    pub(super) program: blake3::Hash,
    /// The folder of the source.
    pub(super) folder: String,
    _source: TempDir,
    _cases: Option<Arc<CaseFolder>>,
}

/// What all requests share.
pub(super) struct Preparation<'a> {
    pub(super) place: ProblemLookup<'a>,
    pub(super) folders: &'a CaseFolders,
    pub(super) loaded: &'a LoadedProblems,
    /// The limits of requests that set none.
    pub(super) limits: ProblemLimits,
}

impl Preparation<'_> {
    /// Writes the files of the request. `token`: what a program with its own tests prints at their end.
    pub(super) fn prepare(
        &self,
        request: &BatchRequest,
        token: &str,
    ) -> Result<Prepared, RequestRefusal> {
        check_shape(request)?;
        let language = self.language(request)?;
        let limits = limits(request, &self.limits)?;
        let total = total(request);
        let text = request.program().map_err(|fault| match fault {
            ProgramFault::NoProgram(why) => RequestRefusal::NoProgram { why, total },
            ProgramFault::Invalid(why) => wrong(why),
        })?;
        check_driver(request, language)?;
        let ProgramText { text, has_own_tests } = request.with_driver(text);
        let folder = tempfile::Builder::new().prefix("request-").tempdir()?;
        let path = write_source(request, language, folder.path(), &text)?;
        let mut groups = Vec::new();
        let (mut problem, cases) =
            match inline::cases(request, token).map_err(|why| wrong(why.to_string()))? {
                Some(inline) => {
                    groups = inline.groups;
                    let cases = self.folders.get(&inline.texts)?;
                    let problem = Problem::gathered(folder.path(), Some("request"), cases.cases());
                    (problem, Some(cases))
                }
                None => (self.loaded_problem(request, &path)?, None),
            };
        if let Some(most) = request.limit_cases {
            problem.cases.truncate(most);
        }
        problem.limits = over(&problem.limits, &limits);
        set_limits_of_cases(request, &mut problem)?;
        if let Some(checker) = self.checker(request, cases.is_some(), folder.path())? {
            problem.set_checker(checker);
        }
        groups.resize(problem.cases.len(), None);
        let files = FileNames::of(&problem, &path, text.as_bytes());
        let submission = Submission {
            name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            path,
            problem: problem.id.clone(),
            language: language.id.clone(),
            entrypoint: None,
            expected: Expectation::bare("any verdict"),
            files,
        };
        Ok(Prepared {
            submission,
            problem,
            has_own_tests,
            groups,
            program: digest(language, &text),
            folder: format!("{}/", folder.path().join(SOURCE).display()),
            _source: folder,
            _cases: cases,
        })
    }

    fn language(&self, request: &BatchRequest) -> Result<&Language, RequestRefusal> {
        let of_path = || {
            let extension = request.path.as_ref()?.extension()?.to_str()?;
            Some(LanguageName::Text(extension.to_owned()))
        };
        let name = request.language.clone().or_else(of_path);
        let name = name.ok_or_else(|| wrong("it has no `language`"))?;
        let found = languages::named(&name, self.place.tools.languages);
        found.map_err(RequestRefusal::Request)
    }

    fn loaded_problem(
        &self,
        request: &BatchRequest,
        source: &Path,
    ) -> Result<Problem, RequestRefusal> {
        let name = match (&request.cases, &request.problem) {
            (Some(RequestedCases::Path(path)), _) => path,
            (_, Some(name)) => name,
            _ => return Err(wrong("it has no cases: add `cases` or `problem`")),
        };
        let problem = self.loaded.get(name, source, &self.place);
        problem.map(|problem| (*problem).clone()).map_err(|why| match why {
            UnusableProblem::Named(why) => RequestRefusal::Request(why),
            UnusableProblem::NotMade(why) => RequestRefusal::Judge(why),
        })
    }

    /// The checker; `None`: that of the problem.
    fn checker(
        &self,
        request: &BatchRequest,
        is_inline: bool,
        folder: &Path,
    ) -> Result<Option<CheckerSpec>, RequestRefusal> {
        let tolerance = Some(TOLERANCE);
        match &request.checker {
            _ if request.check.is_some() => Ok(Some(CheckerSpec::Exact)),
            Some(RequestedChecker::Word(word)) => {
                let checker = CheckerSpec::parse(word).map_err(of_checker)?;
                let checker = checker.with_absolute_sources().map_err(|(path, error)| {
                    wrong(format!("`checker`: cannot read `{}`: {error}", path.display()))
                })?;
                Ok(Some(checker))
            }
            Some(RequestedChecker::Program(program)) => {
                self.checker_program(program, folder).map(Some)
            }
            None if request.function.is_some() => {
                Ok(Some(CheckerSpec::Json(JsonRule { tolerance })))
            }
            None if is_inline => Ok(Some(CheckerSpec::numbers(TOLERANCE))),
            None => Ok(None),
        }
    }

    fn checker_program(
        &self,
        program: &CheckerSource,
        folder: &Path,
    ) -> Result<CheckerSpec, RequestRefusal> {
        let name = LanguageName::Text(program.language.clone());
        let language = languages::named(&name, self.place.tools.languages).map_err(of_checker)?;
        let folder = folder.join("checker");
        fs::create_dir(&folder)?;
        let source = folder.join(format!("checker.{}", language.extensions[0]));
        fs::write(&source, &program.source)?;
        match program.convention.as_deref() {
            None => Ok(CheckerSpec::Validator { source, args: Vec::new() }),
            Some("testlib") => Ok(CheckerSpec::Testlib { source }),
            Some(word) => {
                let convention = Convention::of_word(word)
                    .ok_or_else(|| wrong(format!("`checker`: there is no convention `{word}`")))?;
                Ok(CheckerSpec::Foreign { source, convention, call: Vec::new() })
            }
        }
    }
}

fn check_shape(request: &BatchRequest) -> Result<(), RequestRefusal> {
    if let Some(schema) = request.schema.filter(|schema| *schema != crate::show::json_line::SCHEMA)
    {
        return Err(wrong(format!("it has the schema {schema}; this version knows 1")));
    }
    if request.cases.is_some() && request.problem.is_some() {
        return Err(wrong("it has `cases` and `problem`; keep one"));
    }
    if request.function.is_some() && request.check.is_some() {
        return Err(wrong("it has `function` and `check`; keep one"));
    }
    if request.check.is_some() && request.checker.is_some() {
        return Err(wrong("a program that checks itself needs no `checker`"));
    }
    if request.limit_cases == Some(0) {
        return Err(wrong("`limit_cases` is 0"));
    }
    Ok(())
}

fn check_driver(request: &BatchRequest, language: &Language) -> Result<(), RequestRefusal> {
    if !request.needs_driver() || DRIVEN.contains(&language.id.as_str()) {
        return Ok(());
    }
    let name = &language.name;
    Err(RequestRefusal::Request(
        Code::InvalidValue
            .says(format!("`function` and `check` are for Python 3, not for {name}"))
            .help("judge a whole program: one that reads its input and prints"),
    ))
}

/// What tells one compilation from another.
fn digest(language: &Language, text: &str) -> blake3::Hash {
    let mut digest = blake3::Hasher::new();
    digest.update(language.id.as_bytes()).update(&[0]).update(text.as_bytes());
    digest.finalize()
}

/// The number of cases, as far as the request alone says it.
fn total(request: &BatchRequest) -> usize {
    let all = match &request.cases {
        Some(RequestedCases::List(cases)) => cases.len(),
        Some(RequestedCases::Parallel(lists)) => lists.inputs.len(),
        _ => 0,
    };
    all.min(request.limit_cases.unwrap_or(usize::MAX))
}

fn write_source(
    request: &BatchRequest,
    language: &Language,
    folder: &Path,
    text: &str,
) -> Result<PathBuf, RequestRefusal> {
    let own = request.path.as_ref().and_then(|path| path.file_name());
    let name = match own {
        Some(own) if !request.needs_driver() => PathBuf::from(own),
        _ => PathBuf::from(format!("solution.{}", language.extensions[0])),
    };
    let folder = folder.join(SOURCE);
    fs::create_dir(&folder)?;
    for (file, content) in &request.files {
        let path = Path::new(file);
        let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
        if !is_inside || file.is_empty() || path == name {
            return Err(wrong(format!("`{}` is not a name for a file", file.escape_debug())));
        }
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        let bytes = match content {
            RequestedFile::Text(text) => Cow::Borrowed(text.as_bytes()),
            RequestedFile::Base64(encoded) => {
                let decoded = BASE64_STANDARD.decode(&encoded.base64);
                Cow::Owned(decoded.map_err(|error| {
                    wrong(format!("the file `{}` is not base64: {error}", file.escape_debug()))
                })?)
            }
        };
        fs::write(path, bytes)?;
    }
    let path = folder.join(name);
    fs::write(&path, text)?;
    Ok(path)
}

/// The limits of the request, otherwise those of all.
fn limits(request: &BatchRequest, all: &ProblemLimits) -> Result<ProblemLimits, RequestRefusal> {
    let time = |name, amount: Option<&RequestedAmount>| read(name, amount, quantity::time);
    let size = |name, amount: Option<&RequestedAmount>| read(name, amount, quantity::size);
    let own = ProblemLimits {
        cpu_time: time("time_limit", request.time_limit.as_ref())?,
        wall_time: time("wall_limit", request.wall_limit.as_ref())?,
        memory: size("memory_limit", request.memory_limit.as_ref())?,
        output: size("output_limit", request.output_limit.as_ref())?,
        compilation_time: time("compile_limit", request.compile_limit.as_ref())?,
        ..ProblemLimits::default()
    };
    Ok(over(all, &own))
}

fn read<Q>(
    name: &str,
    amount: Option<&RequestedAmount>,
    read: fn(&str) -> Result<Q, QuantityError>,
) -> Result<Option<Q>, RequestRefusal> {
    let Some(amount) = amount else {
        return Ok(None);
    };
    let read = read(&amount.to_string());
    read.map(Some).map_err(|error| wrong(format!("`{name}`: {error}")))
}

/// `own`, and where it has none, `all`.
fn over(all: &ProblemLimits, own: &ProblemLimits) -> ProblemLimits {
    ProblemLimits {
        wall_time: own.wall_time.or(all.wall_time),
        compilation_time: own.compilation_time.or(all.compilation_time),
        ..all.replaced_by(own)
    }
}

fn set_limits_of_cases(
    request: &BatchRequest,
    problem: &mut Problem,
) -> Result<(), RequestRefusal> {
    let Some(RequestedCases::List(cases)) = &request.cases else {
        return Ok(());
    };
    let own = |case: &RequestedCase| -> Result<Option<Duration>, RequestRefusal> {
        read("time_limit", case.time_limit.as_ref(), quantity::time)
    };
    for (requested, case) in cases.iter().zip(&problem.cases) {
        if let Some(cpu_time) = own(requested)? {
            let limits = ProblemLimits { cpu_time: Some(cpu_time), ..ProblemLimits::default() };
            problem.limits_of_cases.insert(case.name().to_owned(), limits);
        }
    }
    Ok(())
}
