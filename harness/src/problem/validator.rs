//! The output validator of a package, and the arguments that its settings give to it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::LanguageOf;
use crate::checker::{CheckerSpec, TokenOptions};
use crate::notice::Notices;

/// The folders of output validators: 2025-09, legacy.
const FOLDERS: [&str; 2] = ["output_validator", "output_validators"];

/// Where a package's checker comes from.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    /// The default output validator.
    Default,
    /// A program of the package's own, its source.
    Own(PathBuf),
}

impl Origin {
    /// The checker with these arguments. The message says which argument is wrong.
    pub(super) fn with_args(&self, args: &[String]) -> Result<CheckerSpec, String> {
        match self {
            Self::Default => token_options(args),
            Self::Own(source) => Ok(CheckerSpec::Validator {
                source: source.clone(),
                args: args.to_vec(),
            }),
        }
    }
}

/// Finds the validator's program. `wanted` is legacy's `validation`: custom or default.
pub(super) fn find(
    dir: &Path,
    wanted: Option<bool>,
    language_of: LanguageOf<'_>,
    notices: &mut Notices,
) -> Origin {
    let folders: Vec<PathBuf> = FOLDERS
        .iter()
        .map(|name| dir.join(name))
        .filter(|folder| folder.is_dir())
        .collect();
    match (folders.as_slice(), wanted) {
        ([], Some(true)) => {
            notices.error_help(
                format!(
                    "{} asks for `validation: custom`, but has no output validator",
                    notices.show(&dir.join("problem.yaml"))
                ),
                format!("add its source to {}", notices.show(&dir.join(FOLDERS[1]))),
            );
            Origin::Default
        }
        ([], _) => Origin::Default,
        ([folder, ..], Some(false)) => {
            notices.warn_help(
                format!(
                    "{} is not used: `problem.yaml` asks for `validation: default`",
                    notices.show(folder)
                ),
                "write `validation: custom`, or remove the folder",
            );
            Origin::Default
        }
        ([folder], _) => source_in(folder, language_of, notices),
        ([first, second, ..], _) => {
            notices.error_help(
                format!(
                    "{} and {} are both there",
                    notices.show(first),
                    notices.show(second)
                ),
                "keep one of them",
            );
            Origin::Default
        }
    }
}

/// The legacy format's grader, if the package has one.
pub(super) fn find_grader(
    dir: &Path,
    language_of: LanguageOf<'_>,
    notices: &mut Notices,
) -> Option<PathBuf> {
    program_in(&dir.join("graders"), language_of, notices)
}

/// The static validator, if the package has one.
pub(super) fn find_static(
    dir: &Path,
    language_of: LanguageOf<'_>,
    notices: &mut Notices,
) -> Option<PathBuf> {
    program_in(&dir.join("static_validator"), language_of, notices)
}

/// The program in the folder, if there is such a folder.
fn program_in(
    folder: &Path,
    language_of: LanguageOf<'_>,
    notices: &mut Notices,
) -> Option<PathBuf> {
    if !folder.is_dir() {
        return None;
    }
    match source_in(folder, language_of, notices) {
        Origin::Own(source) => Some(source),
        Origin::Default => None,
    }
}

/// The program in a validator's folder: its one source, or the folder itself if there is more to it.
/// Legacy packages may keep it one folder deeper.
fn source_in(folder: &Path, language_of: LanguageOf<'_>, notices: &mut Notices) -> Origin {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders: Vec<PathBuf> = Vec::new();
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            notices.error(format!("cannot read {}: {error}", notices.show(folder)));
            return Origin::Default;
        }
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if super::is_ignored(&entry.file_name().to_string_lossy()) {
            continue;
        }
        if path.is_dir() {
            folders.push(path);
        } else {
            files.push(path);
        }
    }
    files.sort();
    folders.sort();
    let scripts = ["build", "run"].map(OsStr::new);
    let is_script = |path: &PathBuf| path.file_name().is_some_and(|name| scripts.contains(&name));
    if files.iter().any(is_script) {
        return Origin::Own(folder.to_path_buf());
    }
    let sources: Vec<&PathBuf> = files
        .iter()
        .filter(|path| {
            path.extension()
                .is_some_and(|ext| language_of(ext).is_some())
        })
        .collect();
    match (sources.as_slice(), folders.as_slice()) {
        // What lies beside it may be what it includes.
        ([source], []) if files.len() == 1 => Origin::Own((*source).clone()),
        ([], [inner]) => source_in(inner, language_of, notices),
        ([], [_, _, ..]) => {
            let names = folders.iter().filter_map(|path| path.file_name());
            let names: Vec<_> = names.map(OsStr::to_string_lossy).collect();
            notices.error_help(
                format!(
                    "{} has several programs: `{}`",
                    notices.show(folder),
                    names.join("`, `")
                ),
                "join them into one, which accepts what all of them accept",
            );
            Origin::Default
        }
        ([], _) => {
            notices.error_help(
                format!("{} has no source of a known language", notices.show(folder)),
                "add the validator's source, or remove the folder",
            );
            Origin::Default
        }
        _ => Origin::Own(folder.to_path_buf()),
    }
}

/// The flags of the default output validator.
fn token_options(args: &[String]) -> Result<CheckerSpec, String> {
    TokenOptions::from_words(args)
        .map(CheckerSpec::Tokens)
        .map_err(|error| error.to_string())
}
