//! `testlib.h` for the checkers, interactors and validators that are written with it.
//!
//! It is no part of us. It lies beside the source, in its package, or where the variable `TESTLIB` says; and it is
//! copied to where the source is compiled, so that no compiler sees more of the package than that.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::sources::Sources;

/// What it is called.
pub(super) const NAME: &str = "testlib.h";
/// Names the file, or its folder.
const VARIABLE: &str = "TESTLIB";

/// Said of a source that does not compile and wants a header that was not found.
pub(super) const MISSING: &str = "\nhelp: put `testlib.h` beside the source or into the package, or \
    name it in the variable `TESTLIB`";

/// Marks the root of a package.
const PACKAGE: [&str; 2] = ["problem.yaml", "problem.xml"];
/// Where packages keep it.
const FOLDERS: [&str; 4] = ["", "include", "files", "common"];
/// How far above a source the root of its package is looked for.
const DEPTH: usize = 6;

/// What became of the search.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Header {
    /// The source does not ask for it.
    Unwanted,
    /// Its text.
    Found(Vec<u8>),
    Missing,
}

/// The header that one of the sources may ask for and that does not lie among them.
pub(super) fn wanted_by(whole: &Sources, source: &Path) -> io::Result<Header> {
    if whole.files.iter().any(|file| file.name == NAME) {
        return Ok(Header::Unwanted);
    }
    let variable = std::env::var_os(VARIABLE);
    for file in &whole.files {
        let path = if source.is_dir() {
            source.join(&file.name)
        } else {
            source.to_owned()
        };
        match find(&path, &file.text, variable.as_deref())? {
            Header::Unwanted => {}
            found => return Ok(found),
        }
    }
    Ok(Header::Unwanted)
}

/// Looks for the header that the `text` of `source` may ask for.
fn find(source: &Path, text: &[u8], variable: Option<&OsStr>) -> io::Result<Header> {
    if !asks_for_it(text) {
        return Ok(Header::Unwanted);
    }
    match places(source, variable).find(|path| path.is_file()) {
        Some(path) => fs::read(path).map(Header::Found),
        None => Ok(Header::Missing),
    }
}

/// Whether `source`, a file or a folder, is written with testlib.
pub(crate) fn is_testlib(source: &Path) -> bool {
    if !source.is_dir() {
        return fs::read(source).is_ok_and(|text| asks_for_it(&text));
    }
    let files = super::sources::read_folder(source).unwrap_or_default();
    files
        .iter()
        .any(|file| file.name != NAME && asks_for_it(&file.text))
}

/// Whether there is an `#include "testlib.h"`.
fn asks_for_it(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n').any(|line| {
        let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else {
            return false;
        };
        let rest = rest.trim_ascii_start().strip_prefix(b"include");
        let name = rest.map(<[u8]>::trim_ascii_start);
        name.is_some_and(|name| {
            name.starts_with(b"\"testlib.h\"") || name.starts_with(b"<testlib.h>")
        })
    })
}

/// The root of the package that a source lies in.
pub(super) fn package_of(source: &Path) -> Option<PathBuf> {
    let is_root = |folder: &&Path| PACKAGE.iter().any(|name| folder.join(name).is_file());
    let above = source.ancestors().skip(1).take(DEPTH);
    above.into_iter().find(is_root).map(Path::to_owned)
}

/// Where it may be, the nearest first.
fn places(source: &Path, variable: Option<&OsStr>) -> impl Iterator<Item = PathBuf> {
    let source = std::path::absolute(source).unwrap_or_else(|_| source.to_owned());
    let root = package_of(&source);
    let mut folders: Vec<PathBuf> = source.parent().map(Path::to_owned).into_iter().collect();
    if let Some(root) = root {
        folders.extend(FOLDERS.map(|name| root.join(name)));
    }
    let mut places: Vec<PathBuf> = folders.iter().map(|folder| folder.join(NAME)).collect();
    if let Some(named) = variable.filter(|named| !named.is_empty()) {
        places.extend([PathBuf::from(named), Path::new(named).join(NAME)]);
    }
    places.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_include_asks_for_it() {
        for (text, expected) in [
            ("#include \"testlib.h\"\n", true),
            ("int x;\n  #  include <testlib.h> // here\n", true),
            ("// testlib.h\n", false),
            ("#include \"my_testlib.h\"\n", false),
            ("#include <bits/stdc++.h>\n", false),
            ("#define INCLUDE \"testlib.h\"\n", false),
        ] {
            assert_eq!(asks_for_it(text.as_bytes()), expected, "{text}");
        }
    }

    #[test]
    fn the_nearest_one_is_taken() {
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
            let variable = variable.map(|path| at(path).into_os_string());
            match find(&source, b"#include \"testlib.h\"", variable.as_deref()).unwrap() {
                Header::Found(text) => String::from_utf8(text).unwrap(),
                other => format!("{other:?}"),
            }
        };
        assert_eq!(found(None), "Missing");
        write("testlib.h");
        assert_eq!(found(None), "Missing", "above the package");
        write("shared/testlib.h");
        assert_eq!(found(Some("shared")), "shared/testlib.h");
        assert_eq!(found(Some("shared/testlib.h")), "shared/testlib.h");
        assert_eq!(found(Some("nowhere")), "Missing");
        for nearer in [
            "p/files/testlib.h",
            "p/include/testlib.h",
            "p/testlib.h",
            "p/output_validators/x/testlib.h",
        ] {
            write(nearer);
            assert_eq!(found(Some("shared")), nearer);
        }
        let unwanted = find(&source, b"int main() {}", None).unwrap();
        assert_eq!(unwanted, Header::Unwanted);
    }
}
