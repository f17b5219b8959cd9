//! The base of a comparison: sources from a revision, from another folder, or from one other file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::compile::same_sources;
use crate::notice::{Code, Notice, shown};
use crate::submission::Submission;

use super::git::{AsOf, GitError, OldFile, Revision};

/// What `--against` names.
#[derive(Debug, Clone)]
pub enum Against {
    /// A saved baseline, by its name.
    Baseline(String),
    /// A revision, and its name as typed.
    Git(Revision, String),
    /// A file, or a folder with the layout of the repository.
    Path(PathBuf),
}

/// Why there is no base to compare with.
#[derive(Debug, thiserror::Error)]
pub enum AgainstError {
    /// A name that is empty, for example an unset variable, or that is both a path and a revision.
    #[error(transparent)]
    Unclear(Notice),
    /// A name that is neither.
    #[error("`{0}` is neither a path nor a revision")]
    Neither(String, #[source] Box<GitError>),
    /// `path:` with a path that does not exist.
    #[error("no such file or folder: `{0}`")]
    NoPath(String),
    /// An error of git.
    #[error(transparent)]
    Git(#[from] GitError),
    /// One file for several solutions.
    #[error(transparent)]
    OneFile(Notice),
    /// A source could not be written to the folder where it is compiled.
    #[error("{action}")]
    Io {
        /// The action that failed.
        action: String,
        /// The system's error.
        #[source]
        source: io::Error,
    },
}

/// The base of one solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BaseSource {
    /// The source of the base.
    At(PathBuf),
    /// The source did not change, so there is nothing to measure.
    Unchanged,
    /// The solution has no base. The text is the reason.
    Missing(String),
}

impl BaseSource {
    /// `Unchanged` if the base has the same sources as `submission`.
    fn or_unchanged(self, submission: &Submission) -> Self {
        match self {
            Self::At(path) if same_sources(&submission.path, &path) => Self::Unchanged,
            other => other,
        }
    }
}

impl Against {
    /// Parses `baseline:NAME`, `git:REV`, `path:PATH`, or a bare name, which is an existing path or a revision.
    /// Paths are relative to `current`; revisions are looked up in the git repository that contains `root`.
    pub fn parse(word: &str, current: &Path, root: &Path) -> Result<Self, AgainstError> {
        let revision = |name: &str| Revision::resolve(root, name);
        if matches!(word, "" | "git:" | "path:") {
            return Err(AgainstError::Unclear(
                Code::UnknownPath
                    .says("the name of the base is empty")
                    .help("name a revision, a file or a folder"),
            ));
        }
        if let Some(name) = word.strip_prefix("baseline:") {
            return Ok(Self::Baseline(name.to_owned()));
        }
        if let Some(name) = word.strip_prefix("git:") {
            return Ok(Self::Git(revision(name)?, name.to_owned()));
        }
        if let Some(path) = word.strip_prefix("path:") {
            let path = current.join(path);
            if !path.exists() {
                return Err(AgainstError::NoPath(shown(&path, Some(current))));
            }
            return Ok(Self::Path(path));
        }
        let path = current.join(word);
        match (path.exists(), revision(word)) {
            (true, Ok(_)) => Err(AgainstError::Unclear(
                Code::UnknownPath
                    .says(format!("`{word}` is both a path and a revision"))
                    .help(format!("write `path:{word}` or `git:{word}`")),
            )),
            (true, Err(_)) => Ok(Self::Path(path)),
            (false, Ok(found)) => Ok(Self::Git(found, word.to_owned())),
            (false, Err(error @ (GitError::NoGit(_) | GitError::NoRepository(_)))) => {
                Err(AgainstError::Neither(word.to_owned(), Box::new(error)))
            }
            (false, Err(error)) => Err(error.into()),
        }
    }

    /// A human-readable description.
    #[must_use]
    pub fn describe(&self, folder: &Path) -> String {
        match self {
            Self::Baseline(name) => format!("the baseline `{name}`"),
            Self::Git(revision, name) if revision.commit().starts_with(name.as_str()) => {
                format!("the revision {}", revision.short())
            }
            Self::Git(revision, name) => format!("`{name}` ({})", revision.short()),
            Self::Path(path) => format!("`{}`", shown(path, Some(folder))),
        }
    }

    /// The base of `submission`: a file or a folder of files, either in another folder or as a copy in `scratch`.
    /// No other solution may use the same `scratch`.
    pub fn source(
        &self,
        submission: &Submission,
        solutions: usize,
        scratch: &Path,
    ) -> Result<BaseSource, AgainstError> {
        match self {
            Self::Baseline(_) => Ok(BaseSource::Missing(String::from("a baseline has no sources"))),
            Self::Git(revision, name) => as_of(revision, name, submission, scratch),
            Self::Path(path) if path.is_dir() => {
                Ok(below(path, submission).or_unchanged(submission))
            }
            Self::Path(path) if solutions == 1 => {
                Ok(BaseSource::At(path.clone()).or_unchanged(submission))
            }
            Self::Path(path) => Err(AgainstError::OneFile(
                Code::InvalidOption
                    .says(format!(
                        "cannot compare {solutions} solutions with the single file `{}`",
                        path.display()
                    ))
                    .help("name one solution on the command line"),
            )),
        }
    }
}

fn as_of(
    revision: &Revision,
    name: &str,
    submission: &Submission,
    scratch: &Path,
) -> Result<BaseSource, AgainstError> {
    let io_error = |source| AgainstError::Io {
        action: format!("cannot write the source as of `{name}` to `{}`", scratch.display()),
        source,
    };
    let base = |path: &Path| scratch.join(path.file_name().unwrap_or_default());
    let (files, base) = match revision.file(&submission.path)? {
        AsOf::Text(text, path) => {
            let file = OldFile { path: PathBuf::new(), text, executable: false };
            (vec![file], base(&path))
        }
        AsOf::Folder(files, path) => (files, base(&path)),
        AsOf::Missing => {
            return Ok(BaseSource::Missing(format!("`{name}` does not contain it")));
        }
        AsOf::NoFile => {
            return Ok(BaseSource::Missing(format!(
                "it is neither a regular file nor a folder of regular files in `{name}`"
            )));
        }
    };
    write(&files, &base).map_err(io_error)?;
    Ok(BaseSource::At(base).or_unchanged(submission))
}

/// Writes the files of a folder to `base`. A single file has an empty path and becomes `base` itself.
fn write(files: &[OldFile], base: &Path) -> io::Result<()> {
    for file in files {
        // Joining an empty path would append a slash.
        let path =
            if file.path.as_os_str().is_empty() { base.to_owned() } else { base.join(&file.path) };
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, &file.text)?;
        if file.executable {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}

/// The file or folder in `folder` that is the base of `submission`: it has the same path as in the repository, or the
/// same name.
fn below(folder: &Path, submission: &Submission) -> BaseSource {
    let name = Path::new(&submission.name);
    let inside = name.strip_prefix("solutions").unwrap_or(name);
    let places = [Some(name), Some(inside), name.file_name().map(Path::new)];
    let candidates = places.into_iter().flatten().map(|place| folder.join(place));
    match candidates
        .into_iter()
        .find(|path| path.exists() && path.is_dir() == submission.path.is_dir())
    {
        Some(path) => BaseSource::At(path),
        None => BaseSource::Missing(format!("`{}` does not contain it", folder.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specimen;
    use crate::submission::Expectation;

    #[test]
    fn a_folder_holds_a_solution_at_its_place_or_by_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let name = "solutions/sum/sum.rs";
        let submission = specimen::submission(name, Expectation::accepted());
        let found = || below(folder.path(), &submission);
        assert!(matches!(found(), BaseSource::Missing(_)));
        for place in ["sum.rs", "sum/sum.rs", name] {
            let path = folder.path().join(place);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "").unwrap();
            assert_eq!(found(), BaseSource::At(path), "{place}");
        }
    }
}
