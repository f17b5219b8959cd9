//! `rejudge run -`: a source from standard input, judged like a file.

use std::fs;
use std::io::{self, IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use tempfile::TempDir;

use super::build_args;
use super::opening::Opening;
use super::project::Project;
use super::run_args::RunArgs;
use super::stream;
use crate::batch::language_called;
use crate::config::Repository;
use crate::discover::{MAX_SOURCE, fault_of_source};
use crate::notice::Code;
use crate::report::rerun::STANDARD_INPUT;

/// The name of the folder and of the file, in which no verdict is.
const NAME: &str = "stdin";

/// The text of a source, before anything is started.
pub(super) struct StandardText(Vec<u8>);

/// A source from standard input, as a file that is removed with this value.
pub(super) struct StandardSource {
    folder: TempDir,
    text: Vec<u8>,
}

/// Whether a path means standard input.
pub(super) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == STANDARD_INPUT
}

impl StandardText {
    /// Reads the source; `None`: no path is `-`.
    pub(super) fn read(args: &RunArgs) -> Result<Option<Self>> {
        let paths = &args.selection().paths;
        let given = paths.iter().filter(|path| is_standard_input(path)).count();
        if given == 0 && args.language().is_none() {
            return Ok(None);
        }
        check(args, given)?;
        if io::stdin().is_terminal() {
            stream::note("type or paste the source; Ctrl-D at the start of a line ends it");
        }
        let mut text = Vec::new();
        let read = io::stdin().lock().take(MAX_SOURCE + 1).read_to_end(&mut text);
        read.context("cannot read the source from standard input")?;
        if let Some((why, help)) = fault_of_source(&text) {
            let what = format!("the source from standard input {why}");
            return Err(Code::InvalidSource.says(what).help(help).into());
        }
        Ok(Some(Self(text)))
    }

    /// Stores the source below the temporary folder.
    pub(super) fn store(self) -> Result<StandardSource> {
        let folder = tempfile::Builder::new().prefix(NAME).tempdir();
        let folder = folder.context("cannot create a folder for the source")?;
        Ok(StandardSource { folder, text: self.0 })
    }
}

fn check(args: &RunArgs, given: usize) -> Result<()> {
    let wrong = |what: &str, help: &str| Err(Code::Conflict.says(what).help(help).into());
    let (others, selection) = (args.selection().paths.len() - given, args.selection());
    match (given, args.language()) {
        (0, _) => wrong(
            "`--language` is for a source from standard input",
            "add the path `-`; the language of a file follows from its extension",
        ),
        (_, None) => wrong(
            "the source from standard input has no language",
            "name it, as in `rejudge run - --language python3`; `rejudge languages` lists all",
        ),
        _ if given > 1 || others > 1 => wrong(
            "standard input is one source, and its cases are one folder or problem",
            "judge other sources by a command of their own",
        ),
        _ if others == 1 && selection.cases.is_some() => {
            wrong("the cases are named twice: by `--cases` and by a path", "keep one of them")
        }
        _ if others == 0 && selection.cases.is_none() => wrong(
            "there are no test cases for the source from standard input",
            "name a problem, as in `rejudge run - PROBLEM`, or the folder of the cases: `--cases DIR`",
        ),
        _ if args.needs_files() => wrong(
            "a source from standard input is judged once, and here",
            "write it to a file for `--watch`, `--failed` and `--nats`",
        ),
        _ => Ok(()),
    }
}

impl StandardSource {
    /// Opens the project of the source and its cases.
    pub(super) fn open(&self, args: &RunArgs) -> Result<Project> {
        let current = std::env::current_dir().context("cannot determine the current folder")?;
        let paths = &args.selection().paths;
        let named = paths.iter().find(|path| !is_standard_input(path));
        let around: Vec<PathBuf> =
            named.or(args.selection().cases.as_ref()).cloned().into_iter().collect();
        let repository = Repository::around(&current, &around)?;
        let languages = build_args::languages(repository.as_ref())?;
        let language = language_called(args.language().unwrap_or_default(), &languages)?;
        let path = self.folder.path().join(format!("{NAME}.{}", language.extensions[0]));
        fs::write(&path, &self.text).context("cannot store the source from standard input")?;
        let cases = match named {
            Some(name) => Some(cases_called(name, repository.as_ref())?),
            None => args.selection().cases.clone(),
        };
        let mut project = Opening::selected(args.selection(), args.build())
            .of_source(std::slice::from_ref(&path), &around)
            .cases(cases.as_deref())
            .open()?;
        project.compiler.leave_out(self.folder.path());
        for submission in &mut project.found.submissions {
            STANDARD_INPUT.clone_into(&mut submission.name);
            submission.language.clone_from(&language.id);
        }
        Ok(project)
    }
}

/// The folder of the cases: a path, or the problem of the repository.
fn cases_called(name: &Path, repository: Option<&Repository>) -> Result<PathBuf> {
    let in_repository = repository.map(|repository| repository.cases().join(name));
    let mut places = std::iter::once(name.to_path_buf()).chain(in_repository);
    places.find(|path| path.exists()).ok_or_else(|| {
        let what = format!("there is no problem and no folder `{}`", name.display());
        Code::UnknownPath.says(what).help("`rejudge list` shows the problems").into()
    })
}
