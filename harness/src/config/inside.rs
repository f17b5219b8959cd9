//! Settings that name files outside the repository are refused: with those of others, any file of the user's could get into
//! reports.

use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use super::{Config, ConfigError, FILE_NAME};
use crate::beside::normal;
use crate::checker_spec::CheckerSpec;
use crate::notice::{Code, Location, Place, visible};
use crate::problem::repository_of;

/// A setting that names a file or a folder.
struct NamedPath {
    /// The keys that lead to it.
    keys: Vec<String>,
    path: PathBuf,
}

impl Config {
    /// Refuses a file or folder that is not in the repository with this `root`, or that a link leads out of it. `text` is what
    /// this was read from.
    pub(super) fn stay_inside(&self, root: &Path, text: &str) -> Result<(), ConfigError> {
        let real = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
        let bounds = repository_of(&real);
        let leads_out = |named: &NamedPath| {
            let path = root.join(&named.path).canonicalize();
            let path = path.unwrap_or_else(|_| normal(&real.join(&named.path)));
            !path.starts_with(bounds)
        };
        let Some(named) = self.paths().into_iter().find(leads_out) else {
            return Ok(());
        };
        let location = Location {
            file: FILE_NAME.to_owned(),
            place: Place::in_text(text, place_of(text, &named.keys)),
        };
        let what = format!(
            "`{}` names `{}`, which is not in the repository",
            named.keys.join("."),
            visible(&named.path.to_string_lossy())
        );
        let notice = Code::LinkOutside.at(&location, what);
        Err(ConfigError(
            notice.help("move or copy it into the repository, or name it on the command line"),
        ))
    }

    fn paths(&self) -> Vec<NamedPath> {
        let mut all = Vec::new();
        let mut add = |keys: &[&str], path: &Path| {
            let keys = keys.iter().map(|&key| key.to_owned()).collect();
            let path = path.to_path_buf();
            all.push(NamedPath { keys, path });
        };
        let lists = [("include", Some(&self.include)), ("folders", self.folders.as_ref())];
        for (key, list) in lists {
            list.into_iter().flatten().for_each(|path| add(&[key], path));
        }
        if let Some(path) = &self.template {
            add(&["template"], path);
        }
        let sources = |word: &Option<String>| {
            // A word that cannot be parsed is an error of its own.
            let checker = word.as_deref().and_then(|word| CheckerSpec::parse(word).ok());
            let sources = checker.map(|checker| checker.sources().to_vec());
            sources.unwrap_or_default()
        };
        for path in sources(&self.defaults.checker) {
            add(&["defaults", "checker"], &path);
        }
        for (id, problem) in &self.problems {
            for path in sources(&problem.checker) {
                add(&["problems", id, "checker"], &path);
            }
            if let Some(path) = &problem.interactor {
                add(&["problems", id, "interactor"], path);
            }
        }
        all
    }
}

/// The place of the value with these keys in a text that has been parsed before.
fn place_of(text: &str, keys: &[String]) -> Option<Range<usize>> {
    let table = DeTable::parse(text).ok()?;
    let (last, above) = keys.split_last()?;
    let mut at = table.get_ref();
    for key in above {
        match at.get(key.as_str())?.get_ref() {
            DeValue::Table(inner) => at = inner,
            _ => return None,
        }
    }
    Some(at.get(last.as_str())?.span())
}

#[cfg(test)]
mod tests {
    use super::super::Repository;
    use super::*;

    #[test]
    fn no_setting_names_a_file_outside_the_repository() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("repository");
        std::fs::create_dir_all(root.join("lib")).unwrap();
        std::fs::write(folder.path().join("outside.cpp"), "").unwrap();
        std::os::unix::fs::symlink("..", root.join("link")).unwrap();
        std::os::unix::fs::symlink("lib", root.join("own")).unwrap();
        for (text, key) in [
            ("include = ['lib', '/etc']", "include"),
            ("include = ['..']", "include"),
            ("include = ['link']", "include"),
            ("include = ['own', 'lib/../lib', 'missing']", ""),
            ("folders = ['../other']", "folders"),
            ("template = '../outside.cpp'", "template"),
            ("[defaults]\nchecker = 'testlib:../outside.cpp'", "defaults.checker"),
            ("[problems.a]\nchecker = 'testlib:link/outside.cpp'", "problems.a.checker"),
            ("[problems.a]\ninteractor = '../outside.cpp'", "problems.a.interactor"),
            ("[problems.a]\nchecker = 'testlib:lib/a.cpp'", ""),
        ] {
            std::fs::write(root.join(FILE_NAME), text).unwrap();
            let opened = Repository::open(&root).map(drop).map_err(|error| error.to_string());
            match opened {
                Ok(()) => assert_eq!(key, "", "{text}"),
                Err(error) => {
                    let line = text.lines().count();
                    let start = format!("{FILE_NAME}:{line}:");
                    let fits =
                        error.starts_with(&start) && error.contains(&format!("`{key}` names"));
                    assert!(!key.is_empty() && fits, "{text}: {error}");
                }
            }
        }
        // The repository of git counts.
        std::fs::create_dir(folder.path().join(".git")).unwrap();
        std::fs::write(root.join(FILE_NAME), "include = ['..']").unwrap();
        assert!(Repository::open(&root).is_ok());
    }
}
