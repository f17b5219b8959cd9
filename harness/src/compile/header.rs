//! `testlib.h` for the checkers, interactors and validators that are written with it, and the headers that rbx gives to every
//! source.
//!
//! They are found next to the source, in the package, where the variable `TESTLIB` points, or in an installed rbx, and
//! copied to the folder of the compilation, so that the compiler sees no other file of the package. If they are not there,
//! rejudge has those of [`brought`](super::brought).

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::brought::{self, BroughtHeader};
use super::sources::{Sources, package_of};
use crate::language::Language;

/// The name of the header of testlib.
pub(super) const TESTLIB: &str = "testlib.h";
/// The headers that sources include without a folder: those that rbx gives to every source.
const NAMES: [&str; 3] = [TESTLIB, "jngen.h", "tgen.h"];
/// The variable with the path of the header of testlib, or its folder.
const VARIABLE: &str = "TESTLIB";

/// Folders of a package that may contain a header.
const FOLDERS: [&str; 4] = ["", "include", "files", "common"];

/// The headers that a source includes and that are not among its files.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Headers {
    /// Names and contents.
    pub(super) found: Vec<(&'static str, Vec<u8>)>,
    /// Those that were not found, and that rejudge brings along.
    pub(super) brought: Vec<&'static BroughtHeader>,
    /// The names of those that were not found.
    missing: Vec<&'static str>,
}

impl Headers {
    /// Whether the source includes only those that the compiler finds.
    pub(super) fn are_of_system(&self) -> bool {
        self.found.is_empty() && self.brought.is_empty()
    }

    /// Added to the compiler's message; empty if nothing is missing.
    pub(super) fn help(&self) -> String {
        let lines = self.missing.iter().map(|name| {
            let variable = if *name == TESTLIB {
                "set the variable `TESTLIB` to its path"
            } else {
                "into the folder that the variable `TESTLIB` names"
            };
            format!("\nhelp: put `{name}` next to the source or into the package, or {variable}")
        });
        lines.collect()
    }
}

/// What the places of headers depend on, besides the source.
#[derive(Default)]
pub(super) struct HeaderPlaces {
    /// The value of the variable.
    variable: Option<OsString>,
    /// The folder with the files of a user's programs.
    config: Option<PathBuf>,
    /// The folders of programs.
    path: OsString,
}

impl HeaderPlaces {
    pub(super) fn of_environment() -> Self {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let home = || set("HOME").map(|home| PathBuf::from(home).join(".config"));
        Self {
            variable: set(VARIABLE),
            config: set("XDG_CONFIG_HOME").map(PathBuf::from).or_else(home),
            path: set("PATH").unwrap_or_default(),
        }
    }

    /// The nearest header.
    pub(super) fn find(&self, source: &Path, name: &str) -> Option<PathBuf> {
        let exists = |path: &PathBuf| path.is_file();
        let mut places = self.of_package(source, name).into_iter();
        places.find(exists).or_else(|| {
            let mut places = self.of_rbx().into_iter().map(|folder| folder.join(name));
            places.find(exists)
        })
    }

    /// The possible paths of a header in the package and at the variable, the nearest first.
    fn of_package(&self, source: &Path, name: &str) -> Vec<PathBuf> {
        let source = std::path::absolute(source).unwrap_or_else(|_| source.to_owned());
        let root = package_of(&source);
        let mut folders: Vec<PathBuf> = source.parent().map(Path::to_owned).into_iter().collect();
        if let Some(root) = root {
            folders.extend(FOLDERS.map(|name| root.join(name)));
        }
        let mut places: Vec<PathBuf> = folders.iter().map(|folder| folder.join(name)).collect();
        if let Some(named) = &self.variable {
            let named = Path::new(named);
            if name == TESTLIB {
                places.push(named.to_owned());
            } else {
                places.push(named.with_file_name(name));
            }
            places.push(named.join(name));
        }
        places
    }

    /// The folders of headers of an installed rbx: those it has downloaded, and those it comes with.
    fn of_rbx(&self) -> Vec<PathBuf> {
        let mut folders: Vec<PathBuf> = self.config.iter().map(|dir| dir.join("rbx")).collect();
        let mut commands = std::env::split_paths(&self.path).map(|folder| folder.join("rbx"));
        // The command may be a link to that of an environment of its own.
        let command = commands.find_map(|path| path.canonicalize().ok());
        let environment = command.as_deref().and_then(Path::parent).and_then(Path::parent);
        let libraries = environment.map(|folder| fs::read_dir(folder.join("lib")));
        let libraries = libraries.and_then(Result::ok).into_iter().flatten().flatten();
        let mut found: Vec<PathBuf> = libraries
            .map(|entry| entry.path().join("site-packages/rbx/resources/predownloaded"))
            .filter(|folder| folder.is_dir())
            .collect();
        found.sort();
        folders.extend(found);
        folders
    }
}

/// Finds the headers that the sources include and that are not among them.
pub(super) fn wanted_by(
    whole: &Sources,
    source: &Path,
    language: &Language,
) -> io::Result<Headers> {
    let places = HeaderPlaces::of_environment();
    let mut headers = Headers::default();
    for name in NAMES {
        let is_there = |known: &str| known.rsplit('/').next() == Some(name);
        if whole.files.iter().any(|file| is_there(&file.name)) {
            continue;
        }
        let mut users = whole.files.iter().filter(|file| includes(&file.text, name));
        if let Some(user) = users.next() {
            let path = if source.is_dir() { source.join(&user.name) } else { source.to_owned() };
            if let Some(path) = places.find(&path, name) {
                headers.found.push((name, fs::read(path)?));
            } else if let Some(header) = brought::header_for(language, name) {
                headers.brought.push(header);
            } else {
                headers.missing.push(name);
            }
        }
    }
    Ok(headers)
}

/// Whether tools give this header to every source.
pub(super) fn is_given(name: &str) -> bool {
    NAMES.contains(&name)
}

/// The path of testlib's header for a source file. `None`: the source does not include it, or it is not found.
pub(crate) fn place_of(source: &Path) -> Option<PathBuf> {
    if !is_testlib(source) {
        return None;
    }
    HeaderPlaces::of_environment().find(source, TESTLIB)
}

/// Whether `source`, a file or a folder, is written with testlib.
pub(crate) fn is_testlib(source: &Path) -> bool {
    if !source.is_dir() {
        return fs::read(source).is_ok_and(|text| includes(&text, TESTLIB));
    }
    let files = super::sources::read_folder(source).unwrap_or_default();
    files.iter().any(|file| file.name != TESTLIB && includes(&file.text, TESTLIB))
}

/// Whether the text contains `#include "NAME"`.
fn includes(text: &[u8], name: &str) -> bool {
    let quoted = [format!("\"{name}\""), format!("<{name}>")];
    text.split(|&byte| byte == b'\n').any(|line| {
        let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else {
            return false;
        };
        let rest = rest.trim_ascii_start().strip_prefix(b"include");
        let found = rest.map(<[u8]>::trim_ascii_start);
        found.is_some_and(|found| quoted.iter().any(|one| found.starts_with(one.as_bytes())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_include_needs_the_header() {
        for (text, expected) in [
            ("#include \"testlib.h\"\n", true),
            ("int x;\n  #  include <testlib.h> // here\n", true),
            ("// testlib.h\n", false),
            ("#include \"my_testlib.h\"\n", false),
            ("#include <bits/stdc++.h>\n", false),
            ("#define INCLUDE \"testlib.h\"\n", false),
        ] {
            assert_eq!(includes(text.as_bytes(), TESTLIB), expected, "{text}");
        }
    }

    #[test]
    fn the_nearest_header_is_used() {
        let folder = tempfile::tempdir().unwrap();
        let at = |path: &str| folder.path().join(path);
        let write = |path: &str| {
            fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            fs::write(at(path), path).unwrap();
        };
        let source = at("p/output_validators/x/check.cpp");
        write("p/output_validators/x/check.cpp");
        write("p/problem.yaml");
        let found = |variable: Option<&str>| {
            let places = HeaderPlaces {
                variable: variable.map(|path| at(path).into_os_string()),
                config: Some(at("config")),
                path: at("bin").into_os_string(),
            };
            let path = places.find(&source, TESTLIB);
            path.map_or("Missing".to_owned(), |path| fs::read_to_string(path).unwrap())
        };
        assert_eq!(found(None), "Missing");
        write("testlib.h");
        assert_eq!(found(None), "Missing", "above the package");
        write("shared/testlib.h");
        assert_eq!(found(Some("shared")), "shared/testlib.h");
        assert_eq!(found(Some("shared/testlib.h")), "shared/testlib.h");
        assert_eq!(found(Some("nowhere")), "Missing");
        // The headers of rbx come last: those of the command, then those it has downloaded.
        fs::create_dir(at("bin")).unwrap();
        write("env/bin/rbx");
        std::os::unix::fs::symlink(at("env/bin/rbx"), at("bin/rbx")).unwrap();
        for of_rbx in [
            "env/lib/python3.12/site-packages/rbx/resources/predownloaded/testlib.h",
            "config/rbx/testlib.h",
        ] {
            write(of_rbx);
            assert_eq!(found(None), of_rbx);
            assert_eq!(found(Some("shared")), "shared/testlib.h");
        }
        // Other headers lie next to that of testlib.
        write("shared/jngen.h");
        let places = HeaderPlaces {
            variable: Some(at("shared/testlib.h").into_os_string()),
            ..HeaderPlaces::default()
        };
        let jngen = places.find(&source, "jngen.h").unwrap();
        assert_eq!(fs::read_to_string(jngen).unwrap(), "shared/jngen.h");
        for nearer in [
            "p/files/testlib.h",
            "p/include/testlib.h",
            "p/testlib.h",
            "p/output_validators/x/testlib.h",
        ] {
            write(nearer);
            assert_eq!(found(Some("shared")), nearer);
        }
    }
}
