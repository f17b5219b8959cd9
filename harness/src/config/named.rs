//! Settings that name nothing: a problem, folder or file that does not exist. Such a setting has no effect, which is
//! never what its author meant.

use std::path::Path;

use walkdir::{DirEntry, WalkDir};

use super::{FILE_NAME, Repository};
use crate::checker_spec::CheckerSpec;
use crate::notice::{Code, Notice, nearest, shown};

/// How deep below the root a problem of a repository with several contests may lie.
const DEPTH: usize = 5;

impl Repository {
    /// Warnings about the settings that name nothing. `known` are ids of problems that exist.
    pub(crate) fn names_of_nothing(&self, known: &[&str]) -> Vec<Notice> {
        let config = &self.config;
        let mut warnings = Vec::new();
        let folders = config.folders.iter().flatten().map(|dir| ("folders", dir));
        let include = config.include.iter().map(|dir| ("include", dir));
        for (key, folder) in folders.chain(include) {
            let path = self.root.join(folder);
            if !path.is_dir() {
                warnings.push(self.missing(key, &path, "folder"));
            }
        }
        if let Some(template) = &config.template {
            let path = self.root.join(template);
            if !path.is_file() {
                warnings.push(self.missing("template", &path, "file"));
            }
        }
        warnings.extend(self.no_checker("defaults", config.defaults.checker.as_deref()));
        for (id, problem) in &config.problems {
            warnings.extend(self.no_checker(&format!("problems.{id}"), problem.checker.as_deref()));
            if let Some(source) = &problem.interactor {
                let path = self.root.join(source);
                if !path.exists() {
                    let key = format!("problems.{id}.interactor");
                    warnings.push(self.missing(&key, &path, "file"));
                }
            }
            if !known.contains(&id.as_str()) && !self.has_problem(id) {
                warnings.push(self.no_problem(id, known));
            }
        }
        warnings
    }

    fn missing(&self, key: &str, path: &Path, what: &str) -> Notice {
        let path = shown(path, Some(&self.root));
        let message = format!("`{key}` names `{path}`, but no such {what} exists");
        Code::MissingFile.at(&FILE_NAME.to_owned(), message)
    }

    /// A warning if the checker is a program that does not exist.
    fn no_checker(&self, table: &str, word: Option<&str>) -> Option<Notice> {
        let word = word?;
        // A word that cannot be parsed is an error of its own.
        let checker = CheckerSpec::parse(word).ok()?;
        let source = checker.sources().first()?;
        let path = self.root.join(source);
        if path.exists() {
            return None;
        }
        let near = CheckerSpec::nearest_word(word);
        Some(Notice {
            help: near.map(|near| format!("did you mean `{near}`?")),
            ..self.missing(&format!("{table}.checker"), &path, "file")
        })
    }

    fn no_problem(&self, id: &str, known: &[&str]) -> Notice {
        let mut names: Vec<String> = known.iter().map(|&name| name.to_owned()).collect();
        for folder in [self.cases(), self.solutions()] {
            let entries = folder.read_dir().into_iter().flatten().flatten();
            names.extend(entries.map(|entry| entry.file_name().to_string_lossy().into_owned()));
        }
        let near = nearest(id, names.iter().map(String::as_str));
        let message = format!("`[problems.{}]` names no problem", crate::notice::visible(id));
        Notice {
            help: near
                .map(|name| format!("did you mean `[problems.{}]`?", crate::notice::visible(name))),
            ..Code::UnknownProblem.at(&FILE_NAME.to_owned(), message)
        }
    }

    /// Whether a problem with this id may exist. A command reads only the problems that it is about, so any file or
    /// folder of that name counts.
    fn has_problem(&self, id: &str) -> bool {
        if self.cases().join(id).exists() || self.solutions().join(id).exists() {
            return true;
        }
        let last = Path::new(id).file_name();
        let is_visible = |entry: &DirEntry| {
            entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.')
        };
        let entries = WalkDir::new(&self.root).max_depth(DEPTH);
        let entries = entries.into_iter().filter_entry(is_visible).flatten();
        entries
            .skip(1)
            .any(|entry| Some(entry.file_name()) == last || entry.path().file_stem() == last)
    }
}
