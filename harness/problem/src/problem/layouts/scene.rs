//! What the readers of foreign layouts have in common: names in a package are resolved inside it,
//! and missing inputs and answers are reported.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

pub(super) use super::folder_names::names_in;
use super::{store, unreached};
use crate::checker_spec::CheckerSpec;
use crate::expectation::Expectation;
use crate::name_text;
use crate::notice::{Code, Few, Notice, Notices};
use crate::problem::{
    CaseFiles, CaseSet, Format, GeneratedCase, LanguageOf, Problem, ReadOptions, TestCase,
    ValidatorArgs,
};

/// The folder to read, and how.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    /// The folder, absolute or relative to the current one.
    pub(super) root: &'a Path,
    pub(super) options: ReadOptions<'a>,
    pub(super) language_of: LanguageOf<'a>,
}

impl Scene<'_> {
    /// The id of the language of a source, by its extension.
    pub(super) fn language(&self, path: &Path) -> Option<String> {
        (self.language_of)(path.extension()?)
    }

    /// Whether a file is a source in a known language.
    pub(super) fn is_source(&self, path: &Path) -> bool {
        self.language(path).is_some()
    }
}

impl Problem {
    /// The problem in `dir` without settings and without cases, for a reader to complete. Submissions are held to the rules
    /// of 2025-09, which are stricter than the legacy ones.
    pub(super) fn foreign(dir: &Path) -> Self {
        Self { format: Format::V2025, ..Self::bare(dir) }
    }
}

/// A submission inside a foreign package, and what the package expects of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ForeignSubmission {
    /// The source file, or the outputs.
    pub path: PathBuf,
    /// The expectation.
    pub expected: Expectation,
    /// The extension of the language, if the package states one that need not be that of the file.
    pub written_in: Option<&'static str>,
}

impl ForeignSubmission {
    /// A submission whose extension tells its language.
    pub(super) fn new(path: PathBuf, expected: Expectation) -> Self {
        Self { path, expected, written_in: None }
    }
}

/// The files of one case as a layout names them, relative to the root.
pub(super) struct CaseFileNames<'a> {
    pub(super) name: &'a str,
    pub(super) input: &'a str,
    /// `None`: the case has no answer, and that is not an error.
    pub(super) answer: Option<&'a str>,
}

/// The name of a file without contents, for a case that names none.
pub(super) const EMPTY: &str = "";

/// Collects cases whose files are named by a description.
pub(super) struct Gatherer<'a> {
    scene: Scene<'a>,
    set: Arc<CaseSet>,
    cases: Vec<TestCase>,
    names: BTreeSet<String>,
    /// The folder of files that are not below the root.
    elsewhere: Option<PathBuf>,
    no_input: Few,
    no_answer: Few,
    odd: Few,
}

impl<'a> Gatherer<'a> {
    pub(super) fn new(scene: Scene<'a>) -> Self {
        let set = Arc::new(CaseSet { root: scene.root.to_path_buf(), ..CaseSet::default() });
        Self {
            scene,
            set,
            cases: Vec::new(),
            names: BTreeSet::new(),
            elsewhere: None,
            no_input: Few::default(),
            no_answer: Few::default(),
            odd: Few::default(),
        }
    }

    /// Sets the checker of the cases that are added from now on.
    pub(super) fn checked_by(&mut self, checker: Option<CheckerSpec>) {
        if self.set.checker != checker {
            self.set = Arc::new(CaseSet { checker, ..(*self.set).clone() });
        }
    }

    /// Sets the arguments of input validators for the cases that are added from now on.
    pub(super) fn validated_with(&mut self, args: Vec<String>) {
        let args = ValidatorArgs::All(args);
        if self.set.input_validator_args != args {
            self.set = Arc::new(CaseSet { input_validator_args: args, ..(*self.set).clone() });
        }
    }

    /// Searches `folder` for files that are not below the root.
    pub(super) fn also_in(&mut self, folder: PathBuf) {
        self.elsewhere = Some(folder);
    }

    fn find(&self, name: &str) -> Result<PathBuf, Outside> {
        if name == EMPTY {
            let key = blake3::hash(b"a file without contents");
            let folder = store::materialise(&key, |root| store::write_new(root, "empty", b""));
            return folder.map(|folder| folder.join("empty")).map_err(|_| Outside::NoCache);
        }
        let path = inside(self.scene.root, name)?;
        match &self.elsewhere {
            Some(folder) if !path.is_file() => inside(folder, name),
            _ => Ok(path),
        }
    }

    /// Adds a case if its files exist and are inside the package.
    pub(super) fn add(&mut self, named: &CaseFileNames<'_>, notices: &Notices) {
        let input = match self.find(named.input) {
            Ok(path) => path,
            Err(why) => return self.odd.push(|| odd(named.input, why)),
        };
        if !input.is_file() {
            let path = notices.show(&input);
            return self.no_input.push(|| Notice {
                code: Code::MissingInput,
                location: None,
                message: format!("{path} does not exist: the input of case `{}`", named.name),
                help: None,
            });
        }
        let answer = match named.answer.map(|answer| self.find(answer)).transpose() {
            Ok(answer) => answer,
            Err(why) => {
                let name = named.answer.unwrap_or_default();
                return self.odd.push(|| odd(name, why));
            }
        };
        let lacks = answer.as_ref().filter(|path| !path.is_file());
        if let Some(path) = lacks
            && !self.scene.options.answering
        {
            let path = notices.show(path);
            return self.no_answer.push(|| Notice {
                code: Code::MissingAnswer,
                location: None,
                message: format!("{path} does not exist: the answer of case `{}`", named.name),
                help: None,
            });
        }
        let mut name = named.name.to_owned();
        while !self.names.insert(name.clone()) {
            name.push('\'');
        }
        let files = CaseFiles { input, answer };
        let set = Arc::clone(&self.set);
        self.cases.push(TestCase::with_files(name, set, files));
    }

    /// Adds a case whose files may be made before it is judged; those that exist must be inside the package.
    pub(super) fn add_generated(&mut self, case: &GeneratedCase, (input, answer): (&str, &str)) {
        let file = |made: &Option<PathBuf>, name: &str| match made {
            Some(path) => Ok(path.clone()),
            None => self.find(name),
        };
        match (file(&case.input, input), file(&case.answer, answer)) {
            (Ok(input), Ok(answer)) => {
                let files = CaseFiles { input, answer: Some(answer) };
                self.names.insert(case.name.clone());
                let set = Arc::clone(&self.set);
                let case = TestCase::with_files(case.name.clone(), set, files);
                self.cases.push(case);
            }
            (Err(why), _) => self.odd.push(|| odd(input, why)),
            (_, Err(why)) => self.odd.push(|| odd(answer, why)),
        }
    }

    /// The path of a file that a description names.
    pub(super) fn path_of(&self, name: &str) -> Option<PathBuf> {
        self.find(name).ok().filter(|path| path.is_file())
    }

    /// Returns the cases. `help` explains how to create missing files.
    pub(super) fn finish(self, help: &str, notices: &mut Notices) -> Vec<TestCase> {
        unreached::warn(self.scene.root, &self.cases, notices);
        let mut errors = self.odd.finish("names like that");
        errors.extend(self.no_input.finish("missing inputs"));
        errors.extend(self.no_answer.finish("missing answers"));
        if let Some(last) = errors.last_mut() {
            last.help.get_or_insert_with(|| help.to_owned());
        } else if self.cases.is_empty() {
            let shown = notices.show(self.scene.root);
            notices.error_help(Code::NoCases.of_file(&shown, "has no test cases"), help);
        }
        notices.errors.extend(errors);
        self.cases
    }
}

fn odd(name: &str, why: Outside) -> Notice {
    Notice {
        code: Code::InvalidPath,
        location: None,
        message: format!("`{}` {why}", crate::notice::visible(name)),
        help: Some("name the package's files by their paths relative to the package".to_owned()),
    }
}

/// Why a name in a package is not the name of a file in the package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Outside {
    #[error("leads out of the package")]
    Parent,
    #[error("is an absolute path")]
    Absolute,
    #[error("is a symbolic link that leads out of the package")]
    Link,
    /// An empty file stands for it, but there is no cache to hold one.
    #[error("cannot be made, because the cache cannot be written to")]
    NoCache,
}

/// The path of the package's file `name`.
pub(super) fn inside(root: &Path, name: &str) -> Result<PathBuf, Outside> {
    let name = name.replace('\\', "/");
    let mut path = root.to_path_buf();
    let mut is_link = false;
    for part in name_text::path(&name).components() {
        match part {
            Component::Normal(part) => {
                path.push(part);
                is_link |= path.is_symlink();
            }
            Component::CurDir => {}
            Component::ParentDir => return Err(Outside::Parent),
            Component::RootDir | Component::Prefix(_) => return Err(Outside::Absolute),
        }
    }
    if !is_link {
        return Ok(path);
    }
    let (Ok(real), Ok(root)) = (path.canonicalize(), root.canonicalize()) else {
        return Ok(path);
    };
    if real.starts_with(root) { Ok(path) } else { Err(Outside::Link) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("package");
        std::fs::create_dir(&root).unwrap();
        std::fs::write(root.join("a"), "").unwrap();
        std::fs::write(dir.path().join("secret"), "").unwrap();
        for (name, expected) in [("a", "a"), ("./a", "a"), ("x\\y", "x/y")] {
            assert_eq!(inside(&root, name), Ok(root.join(expected)), "{name}");
        }
        let table = [
            ("../secret", Outside::Parent),
            ("x/../../secret", Outside::Parent),
            ("/etc/passwd", Outside::Absolute),
        ];
        for (name, why) in table {
            assert_eq!(inside(&root, name), Err(why), "{name}");
        }
        std::os::unix::fs::symlink("../secret", root.join("link")).unwrap();
        std::os::unix::fs::symlink("a", root.join("fine")).unwrap();
        assert_eq!(inside(&root, "link"), Err(Outside::Link));
        assert_eq!(inside(&root, "fine"), Ok(root.join("fine")));
    }
}
