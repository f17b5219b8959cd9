//! The common part of the commands for a package's own programs: the packages, the languages, the compiler.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::build_args::{self, BuildArgs};
use super::settings;
use crate::compile::Compiler;
use crate::config::Repository;
use crate::language::Languages;
use crate::notice::{Code, nearest, shown};

/// The repository around the current folder, its languages and its compiler.
pub(crate) struct Workshop {
    /// The current folder, as an absolute path.
    pub(crate) current: PathBuf,
    pub(crate) repository: Option<Repository>,
    pub(crate) languages: Languages,
    pub(crate) compiler: Compiler,
}

impl Workshop {
    /// Opens the repository around the current folder, without discovering problems.
    pub(crate) fn open() -> Result<Self> {
        Self::open_to_build(&BuildArgs::default())
    }

    /// Like [`Self::open`], with options for the compiler.
    pub(crate) fn open_to_build(build: &BuildArgs) -> Result<Self> {
        let current = std::env::current_dir().context("cannot determine the current folder")?;
        let repository = settings::locate(&current)?;
        Ok(Self {
            languages: build_args::languages(repository.as_ref())?,
            compiler: build.compiler(repository.as_ref())?,
            current,
            repository,
        })
    }

    /// The folder that paths are shown relative to.
    pub(crate) fn base(&self) -> &Path {
        self.repository.as_ref().map_or(&self.current, |repository| &repository.root)
    }

    /// A path in the form for messages.
    pub(crate) fn show(&self, path: &Path) -> String {
        shown(path, Some(self.base()))
    }

    /// The packages of the repository, sorted by name.
    pub(crate) fn packages(&self) -> Result<Vec<PathBuf>> {
        let Some(repository) = &self.repository else {
            return Ok(Vec::new());
        };
        let folder = repository.cases();
        if !folder.is_dir() {
            return Ok(Vec::new());
        }
        let unreadable = || format!("cannot read `{}`", self.show(&folder));
        let mut packages = Vec::new();
        for entry in folder.read_dir().with_context(unreadable)? {
            let path = entry.with_context(unreadable)?.path();
            if path.is_dir() {
                packages.push(path);
            }
        }
        packages.sort();
        Ok(packages)
    }

    /// Whether `named` is the folder of a package.
    pub(crate) fn is_package(&self, named: &str) -> bool {
        is_package(&self.current.join(named))
    }

    /// The package that `named` means: a folder, or the name of a problem of the repository.
    pub(crate) fn package(&self, named: &str) -> Result<PathBuf> {
        let folder = self.current.join(named);
        if is_package(&folder) {
            return Ok(folder);
        }
        let packages = self.packages()?;
        let of_name = |path: &&PathBuf| path.file_name() == Some(OsStr::new(named));
        if let Some(package) = packages.iter().find(of_name) {
            return Ok(package.clone());
        }
        let known = packages.iter().filter_map(|path| path.file_name()?.to_str());
        let help = match nearest(named, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`rejudge list` lists the problems".to_owned(),
        };
        bail!(Code::UnknownPath.says(format!("no such problem: `{named}`")).help(help))
    }
}

/// Whether a folder looks like a problem package.
fn is_package(folder: &Path) -> bool {
    ["problem.yaml", "data", "generators"].iter().any(|name| folder.join(name).exists())
}
