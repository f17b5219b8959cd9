//! The output validator of a package, and the arguments that the settings pass to it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::grammar::is_grammar;
use super::versions::Dialect;
use super::{Format, LanguageOf};
use crate::checker_spec::{CheckerSpec, TokenOptions};
use crate::notice::{Code, Notice, Notices};

/// The folders of output validators: 2025-09, legacy.
const FOLDERS: [(&str, Format); 2] =
    [("output_validator", Format::V2025), ("output_validators", Format::Legacy)];

/// Where a package's checker comes from.
#[derive(Debug, Clone)]
pub(super) enum CheckerOrigin {
    /// The default output validator.
    Default,
    /// The sources of the package's own programs. The legacy format allows several.
    Own(Vec<PathBuf>),
}

impl CheckerOrigin {
    /// Whether it is a program in this folder.
    pub(super) fn is_in(&self, folder: &Path) -> bool {
        matches!(self, Self::Own(sources) if sources.iter().any(|one| one.starts_with(folder)))
    }

    /// The checker with these arguments. The error names the wrong argument.
    pub(super) fn with_args(&self, args: &[String]) -> Result<CheckerSpec, Notice> {
        let args_of = || args.to_vec();
        match self {
            Self::Default => TokenOptions::from_words(args).map(CheckerSpec::Tokens),
            Self::Own(sources) => Ok(match sources.as_slice() {
                [source] => CheckerSpec::Validator { source: source.clone(), args: args_of() },
                several => CheckerSpec::Validators { sources: several.to_vec(), args: args_of() },
            }),
        }
    }

    /// The checker of a group or a case with `args`, which come after the problem's `flags`.
    pub(super) fn with_more_args(
        &self,
        flags: &[String],
        args: &[String],
    ) -> Result<CheckerSpec, Notice> {
        match self {
            Self::Default => {
                // Faults in the flags are reported where they are set.
                let flags = TokenOptions::from_words(flags).unwrap_or_default();
                Ok(CheckerSpec::Tokens(TokenOptions::from_words(args)?.laid_over(flags)))
            }
            Self::Own(_) => self.with_args(&[flags, args].concat()),
        }
    }

    /// The program whose file or folder is called `name`, with or without its extension. If there
    /// is only one program, `name` is ignored.
    pub(super) fn select(&self, name: &str) -> Result<Self, Notice> {
        let Self::Own(sources) = self else {
            return Ok(self.clone());
        };
        let is_called = |source: &&PathBuf| {
            let names = [source.file_name(), source.file_stem()];
            sources.len() == 1 || names.contains(&Some(OsStr::new(name)))
        };
        match sources.iter().find(is_called) {
            Some(source) => Ok(Self::Own(vec![source.clone()])),
            None => Err(Code::MissingSource.says(format!("there is no output validator `{name}`"))),
        }
    }
}

/// Finds the program of the output validator. `wanted` is the legacy key `validation`: custom or
/// default.
pub(super) fn find(
    dir: &Path,
    (wanted, dialect): (Option<bool>, Dialect),
    language_of: LanguageOf<'_>,
    notices: &mut Notices,
) -> CheckerOrigin {
    let folders: Vec<PathBuf> = FOLDERS
        .iter()
        .filter(|(_, format)| dialect.reads(*format))
        .map(|(name, _)| dir.join(name))
        .filter(|folder| folder.is_dir())
        .collect();
    match (folders.as_slice(), wanted) {
        ([], Some(true)) => under_other_name(dir, language_of, notices),
        ([], _) => CheckerOrigin::Default,
        ([folder, ..], Some(false)) => {
            notices.warn_help(
                Code::UnusedSetting
                    .says(format!(
                        "{} is not used: `problem.yaml` sets `validation: default`",
                        notices.show(folder)
                    ))
                    .about(&notices.show(folder)),
                "write `validation: custom`, or remove the folder",
            );
            CheckerOrigin::Default
        }
        ([folder], _) if folder.ends_with(FOLDERS[1].0) => {
            programs_in(folder, language_of, notices)
        }
        ([folder], _) => match source_in(folder, language_of, notices) {
            Some(source) => CheckerOrigin::Own(vec![source]),
            None => CheckerOrigin::Default,
        },
        ([first, second, ..], _) => {
            notices.error_help(
                Code::Conflict
                    .says(format!(
                        "{} and {} both exist",
                        notices.show(first),
                        notices.show(second)
                    ))
                    .about(&notices.show(first)),
                "keep one of them",
            );
            CheckerOrigin::Default
        }
    }
}

/// The validator that a legacy package sets, if it has the folder of 2025-09 only. Otherwise nothing could check the
/// outputs, so this is a package for `DOMjudge`, which reads both folders.
fn under_other_name(
    dir: &Path,
    language_of: LanguageOf<'_>,
    notices: &mut Notices,
) -> CheckerOrigin {
    let (other, own) = (dir.join(FOLDERS[0].0), dir.join(FOLDERS[1].0));
    if !other.is_dir() {
        let settings = notices.show(&dir.join("problem.yaml"));
        notices.error_help(
            Code::MissingSource
                .says(format!("{settings} sets `validation: custom`, but has no output validator"))
                .about(&settings),
            format!("add its source to {}", notices.show(&own)),
        );
        return CheckerOrigin::Default;
    }
    let shown = notices.show(&other);
    notices.warn_help(
        Code::InvalidName
            .says(format!(
                "{shown} is read as in DOMjudge; problemtools ignores it in a legacy package"
            ))
            .about(&shown),
        format!("rename it to {}", notices.show(&own)),
    );
    source_in(&other, language_of, notices)
        .map_or(CheckerOrigin::Default, |source| CheckerOrigin::Own(vec![source]))
}

/// The grader of a legacy package, if there is one.
pub(super) fn find_grader(
    dir: &Path,
    language_of: LanguageOf<'_>,
    notices: &mut Notices,
) -> Option<PathBuf> {
    program_in(&dir.join("graders"), language_of, notices)
}

/// The static validator, if there is one.
pub(super) fn find_static(
    dir: &Path,
    language_of: LanguageOf<'_>,
    notices: &mut Notices,
) -> Option<PathBuf> {
    program_in(&dir.join("static_validator"), language_of, notices)
}

/// The program in `folder`, if the folder exists.
fn program_in(
    folder: &Path,
    language_of: LanguageOf<'_>,
    notices: &mut Notices,
) -> Option<PathBuf> {
    if !folder.is_dir() {
        return None;
    }
    source_in(folder, language_of, notices)
}

/// The programs in the legacy folder of output validators, in order: each source and each folder is
/// one.
fn programs_in(folder: &Path, language_of: LanguageOf<'_>, notices: &mut Notices) -> CheckerOrigin {
    let Some(found) = Contents::of(folder, language_of, notices) else {
        return CheckerOrigin::Default;
    };
    let has_source = |inner: &&PathBuf| {
        let contents = Contents::of(inner, language_of, &mut Notices::default());
        contents.is_some_and(|inner| inner.has_script || !inner.sources.is_empty())
    };
    let folders: Vec<&PathBuf> = found.folders.iter().filter(has_source).collect();
    if found.has_script || found.sources.len() + folders.len() < 2 {
        // A single program. Other files may be its headers.
        let source = source_in(folder, language_of, notices);
        return source.map_or(CheckerOrigin::Default, |source| CheckerOrigin::Own(vec![source]));
    }
    let mut programs = found.sources.clone();
    for inner in folders {
        programs.extend(source_in(inner, language_of, notices));
    }
    programs.sort();
    CheckerOrigin::Own(programs)
}

/// The entries directly in a folder of programs, sorted by name.
struct Contents {
    files: Vec<PathBuf>,
    /// The files in a known language.
    sources: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    /// Whether there is a script called `build` or `run`.
    has_script: bool,
}

impl Contents {
    fn of(folder: &Path, language_of: LanguageOf<'_>, notices: &mut Notices) -> Option<Self> {
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => {
                notices.error(Notice::unreadable(&notices.show(folder), &error));
                return None;
            }
        };
        let paths = entries
            .flatten()
            .filter(|entry| !super::is_ignored(&entry.file_name().to_string_lossy()))
            .map(|entry| entry.path());
        let (mut folders, mut files): (Vec<_>, Vec<_>) = paths.partition(|path| path.is_dir());
        files.sort();
        folders.sort();
        let is_source = |path: &&PathBuf| {
            let extension = path.extension();
            is_grammar(path) || extension.is_some_and(|extension| language_of(extension).is_some())
        };
        let scripts = ["build", "run"].map(OsStr::new);
        let is_script = |path: &PathBuf| path.file_name().is_some_and(|n| scripts.contains(&n));
        Some(Self {
            sources: files.iter().filter(is_source).cloned().collect(),
            has_script: files.iter().any(is_script),
            files,
            folders,
        })
    }
}

/// The program in a folder: the only source, or the folder itself if it contains more files. Legacy
/// packages may have one more folder level.
fn source_in(folder: &Path, language_of: LanguageOf<'_>, notices: &mut Notices) -> Option<PathBuf> {
    let found = Contents::of(folder, language_of, notices)?;
    if found.has_script {
        return Some(folder.to_path_buf());
    }
    match (found.sources.as_slice(), found.folders.as_slice()) {
        // Files next to the source may be its headers.
        ([source], []) if found.files.len() == 1 || is_grammar(source) => Some(source.clone()),
        ([], [inner]) => source_in(inner, language_of, notices),
        ([], [_, _, ..]) => {
            let names = found.folders.iter().filter_map(|path| path.file_name());
            let names: Vec<_> = names.map(OsStr::to_string_lossy).collect();
            notices.error_help(
                Code::Conflict
                    .says(format!(
                        "{} has several programs: `{}`",
                        notices.show(folder),
                        names.join("`, `")
                    ))
                    .about(&notices.show(folder)),
                "keep one of them",
            );
            None
        }
        ([], _) => {
            notices.error_help(
                Code::MissingSource
                    .says(format!("{} has no source of a known language", notices.show(folder)))
                    .about(&notices.show(folder)),
                "add the validator's source, or remove the folder",
            );
            None
        }
        _ => Some(folder.to_path_buf()),
    }
}
