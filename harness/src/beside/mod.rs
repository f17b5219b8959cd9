//! The files that a source names and that the tool of its language finds by itself, if it is called on that one source:
//! headers, modules, parts. Only places are computed here; nothing is read.
//!
//! A judge of single files would not find them. Outside packages, rejudge compiles them with the source (`compile`), and does
//! not judge them (`discover`). Languages whose tools take only what the command line names (C#, Go, Kotlin, OCaml, Scala,
//! Swift) name nothing.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use crate::problem::is_code;

mod conduct;
mod included;
mod modules;
mod names;
mod program;
mod rust;
mod testlib;

pub(crate) use conduct::{Conduct, writes_file};
pub(crate) use included::IncludedName;
pub(crate) use program::is_program;
pub(crate) use testlib::TestlibRole;

/// More places than this are not the work of a person.
const MOST: usize = 10_000;

/// How the sources of a language name others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Syntax {
    Ada,
    C,
    D,
    Fortran,
    Haskell,
    Java,
    JavaScript,
    Julia,
    Lisp,
    Lua,
    Nim,
    Pascal,
    Perl,
    Php,
    Prolog,
    Python,
    R,
    Ruby,
    Rust,
    TypeScript,
    Zig,
}

/// The extensions of the files that are read in each syntax.
const SYNTAXES: [(Syntax, &[&str]); 21] = [
    (Syntax::Ada, &["adb", "ads", "ada"]),
    // Their headers have further ones: see `is_code`.
    (Syntax::C, &["c", "cc", "cpp", "cxx", "c++"]),
    (Syntax::D, &["d", "di"]),
    (Syntax::Fortran, &["f90", "f95", "f03", "f08", "for", "f", "inc"]),
    (Syntax::Haskell, &["hs", "lhs"]),
    (Syntax::Java, &["java"]),
    (Syntax::JavaScript, &["js", "mjs", "cjs"]),
    (Syntax::Julia, &["jl"]),
    (Syntax::Lisp, &["lisp", "cl"]),
    (Syntax::Lua, &["lua"]),
    (Syntax::Nim, &["nim"]),
    (Syntax::Pascal, &["pas", "pp", "p", "inc"]),
    (Syntax::Perl, &["pl", "pm"]),
    (Syntax::Php, &["php", "inc"]),
    (Syntax::Prolog, &["prolog", "plg", "pl"]),
    (Syntax::Python, &["py", "py2", "py3", "pypy", "pypy3"]),
    (Syntax::R, &["r", "R"]),
    (Syntax::Ruby, &["rb"]),
    (Syntax::Rust, &["rs"]),
    (Syntax::TypeScript, &["ts", "js"]),
    (Syntax::Zig, &["zig"]),
];

impl Syntax {
    /// The syntax of a file. `.inc` and `.h` belong to several languages, and never start a program.
    fn of(path: &Path) -> Option<Self> {
        let end = path.extension().and_then(OsStr::to_str)?;
        if let Some((syntax, _)) = SYNTAXES.iter().find(|(_, ends)| ends.contains(&end)) {
            return Some(*syntax);
        }
        is_code(path.file_name()?.to_str()?).then_some(Self::C)
    }

    /// Whether a file of this name may be part of a program in this syntax. Nothing else is: the answer of a case must not
    /// become part of a submission.
    fn takes(self, path: &Path) -> bool {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        let end = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        let own = SYNTAXES.iter().filter(|(syntax, _)| *syntax == self);
        own.flat_map(|(_, ends)| *ends).any(|known| *known == end)
            || self == Self::C && is_code(name)
    }
}

/// Whether the name of a file is that of a source, and not only of a header.
fn is_source(path: &Path) -> bool {
    let end = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    SYNTAXES.iter().any(|(_, ends)| ends.contains(&end))
}

/// A source whose text names others.
#[derive(Clone, Copy)]
pub(crate) struct NamingSource<'a> {
    /// The source with which the program starts.
    pub(crate) first: &'a Path,
    /// Where this source lies.
    pub(crate) place: &'a Path,
    pub(crate) text: &'a [u8],
}

impl NamingSource<'_> {
    /// The places at which the tool looks for what the source names, in its order. Most of them are empty.
    pub(crate) fn places(self) -> Vec<PathBuf> {
        let Some(syntax) = Syntax::of(self.first) else {
            return Vec::new();
        };
        let text = String::from_utf8_lossy(self.text);
        let finder = PlaceFinder {
            top: self.first.parent().unwrap_or(self.first),
            by: self.place,
            is_first: self.first == self.place,
        };
        let mut seen = BTreeSet::new();
        let mut places = match syntax {
            Syntax::C => included::c(self.text, &finder),
            Syntax::Rust => rust::places(&text, &finder),
            Syntax::Ada => modules::ada(&text, &finder),
            Syntax::D => modules::d(&text, &finder),
            Syntax::Haskell => modules::haskell(&text, &finder),
            Syntax::Java => modules::java(&text, &finder),
            Syntax::Nim => modules::nim(&text, &finder),
            Syntax::Pascal => modules::pascal(&text, &finder),
            Syntax::Python => modules::python(&text, &finder),
            Syntax::Perl => {
                [modules::perl(&text, &finder), names::of(syntax, &text, &finder)].concat()
            }
            _ => names::of(syntax, &text, &finder),
        };
        places.retain(|place| {
            syntax.takes(place)
                && place != self.place
                && seen.len() < MOST
                && seen.insert(place.clone())
        });
        places
    }
}

/// Whether a file may be part of the program that starts with the source `first`.
pub(crate) fn may_join(first: &Path, file: &Path) -> bool {
    Syntax::of(first).is_some_and(|syntax| syntax.takes(file))
}

/// Whether programs that start with this source look for others in their working folder, and not next to the source.
pub(crate) fn looks_in_work_folder(first: &Path) -> bool {
    use Syntax::{Lisp, Lua, Perl, Php, R, Ruby};
    let syntax = Syntax::of(first);
    syntax.is_some_and(|one| [Lisp, Lua, Perl, Php, R, Ruby].contains(&one))
}

/// What follows a word at the start of a text, and blanks after it.
fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(word)?;
    let is_whole = rest.starts_with(char::is_whitespace);
    is_whole.then(|| rest.trim_start())
}

/// Where names lead.
struct PlaceFinder<'a> {
    /// The folder of the source with which the program starts.
    top: &'a Path,
    /// The source that names others.
    by: &'a Path,
    is_first: bool,
}

impl PlaceFinder<'_> {
    /// The folder of the source that names others.
    fn folder(&self) -> &Path {
        self.by.parent().unwrap_or(self.by)
    }

    /// A path that is relative to the source that names it.
    fn beside(&self, name: &str) -> PathBuf {
        normal(&self.folder().join(name.trim_start_matches('/')))
    }

    /// A path that is relative to the first source.
    fn at_top(&self, name: &str) -> PathBuf {
        normal(&self.top.join(name.trim_start_matches('/')))
    }
}

/// The path without `.` and `..`, resolved as text.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests;
