//! `testlib.h` for the checkers, interactors and validators that are written with it.
//!
//! It is not part of rejudge. It is found next to the source, in the package, or where the variable
//! `TESTLIB` points, and copied to the folder of the compilation, so that the compiler sees no
//! other file of the package.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::sources::{Sources, package_of};

/// The name of the header.
pub(super) const NAME: &str = "testlib.h";
/// The variable with the path of the header or its folder.
const VARIABLE: &str = "TESTLIB";

/// Added to the compiler's message if the source includes a header that was not found.
pub(super) const MISSING: &str = "\nhelp: put `testlib.h` next to the source or into the package, or \
    set the variable `TESTLIB` to its path";

/// Folders of a package that may contain the header.
const FOLDERS: [&str; 4] = ["", "include", "files", "common"];
/// The result of the search.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Header {
    /// The source does not include it.
    Unwanted,
    /// The contents of the header.
    Found(Vec<u8>),
    Missing,
}

/// Finds the header if one of the sources includes it and it is not among them.
pub(super) fn wanted_by(whole: &Sources, source: &Path) -> io::Result<Header> {
    let is_header = |name: &str| name.rsplit('/').next() == Some(NAME);
    if whole.files.iter().any(|file| is_header(&file.name)) {
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

/// Finds the header if the `text` of `source` includes it.
fn find(source: &Path, text: &[u8], variable: Option<&OsStr>) -> io::Result<Header> {
    if !includes_it(text) {
        return Ok(Header::Unwanted);
    }
    match places(source, variable).find(|path| path.is_file()) {
        Some(path) => fs::read(path).map(Header::Found),
        None => Ok(Header::Missing),
    }
}

/// The path of the header for a source file. `None`: the source does not include it, or it is not found.
pub(crate) fn place_of(source: &Path) -> Option<PathBuf> {
    let variable = std::env::var_os(VARIABLE);
    let mut places = places(source, variable.as_deref());
    places.find(|path| is_testlib(source) && path.is_file())
}

/// Whether `source`, a file or a folder, is written with testlib.
pub(crate) fn is_testlib(source: &Path) -> bool {
    if !source.is_dir() {
        return fs::read(source).is_ok_and(|text| includes_it(&text));
    }
    let files = super::sources::read_folder(source).unwrap_or_default();
    files
        .iter()
        .any(|file| file.name != NAME && includes_it(&file.text))
}

/// Whether the text contains `#include "testlib.h"`.
fn includes_it(text: &[u8]) -> bool {
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

/// The possible paths of the header, the nearest first.
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
    fn only_an_include_needs_the_header() {
        for (text, expected) in [
            ("#include \"testlib.h\"\n", true),
            ("int x;\n  #  include <testlib.h> // here\n", true),
            ("// testlib.h\n", false),
            ("#include \"my_testlib.h\"\n", false),
            ("#include <bits/stdc++.h>\n", false),
            ("#define INCLUDE \"testlib.h\"\n", false),
        ] {
            assert_eq!(includes_it(text.as_bytes()), expected, "{text}");
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
