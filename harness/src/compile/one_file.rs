//! A C or C++ source with the files that it includes by their paths, as one text that compiles alone.
//!
//! Each included file replaces the line that includes it, as the preprocessor does. `testlib.h` stays a header: other
//! systems have it. Nothing is compiled here.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::brought::BroughtHeader;
use super::header::{HeaderPlaces, TESTLIB, is_given};
use super::local_includes::find;
use crate::beside::{IncludedName, normal};
use crate::problem::LocalIncludes;

/// More bytes or inclusions are not those of one source: headers that include each other twice grow without end.
const MOST_BYTES: usize = 16 << 20;
const MOST_INCLUSIONS: usize = 10_000;

/// A source that includes no file of its package.
#[derive(Debug)]
pub(crate) struct OneFile {
    pub(crate) text: Vec<u8>,
    /// The header of testlib, if the text includes it.
    pub(crate) testlib: Option<TestlibPlace>,
}

/// Where the header of testlib is. `None`: it is the one that is brought along.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TestlibPlace(pub(crate) Option<PathBuf>);

/// The source without includes of files that are found by `local`.
pub(crate) fn in_one_file(source: &Path, local: &LocalIncludes) -> io::Result<OneFile> {
    let mut joiner = Joiner {
        local,
        source: normal(&std::path::absolute(source)?),
        open: Vec::new(),
        inclusions: 0,
        out: OneFile { text: Vec::new(), testlib: None },
    };
    joiner.add(&joiner.source.clone(), &fs::read(source)?)?;
    Ok(joiner.out)
}

struct Joiner<'a> {
    local: &'a LocalIncludes,
    /// The first file.
    source: PathBuf,
    /// The files whose text is being added.
    open: Vec<PathBuf>,
    /// The number of files that replaced a line.
    inclusions: usize,
    out: OneFile,
}

impl Joiner<'_> {
    /// Adds the text of the file in `real`.
    fn add(&mut self, real: &Path, text: &[u8]) -> io::Result<()> {
        self.open.push(real.to_owned());
        let mut comment = BlockComment::default();
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let directive = if comment.is_open { Directive::Other } else { Directive::of(line) };
            comment.pass(line);
            match directive {
                Directive::Include(name) if self.include(real, &name)? => {}
                // In the first file, compilers ignore it.
                Directive::Once if self.open.len() > 1 => {}
                _ => self.out.text.extend_from_slice(line),
            }
            if self.out.text.len() > MOST_BYTES || self.inclusions > MOST_INCLUSIONS {
                let shown = crate::notice::shown(&self.source, None);
                let why = format!("`{shown}` and the files that it includes are too large");
                return Err(io::Error::other(why));
            }
        }
        self.open.pop();
        Ok(())
    }

    /// Adds what `by` includes as `name`. Returns false if the line must stay.
    fn include(&mut self, by: &Path, name: &IncludedName<'_>) -> io::Result<bool> {
        let last = name.name.rsplit('/').next().unwrap_or_default();
        let found = if name.may_be_local() { find(by, name.name, self.local)? } else { None };
        if last == TESTLIB && (found.is_some() || name.name == TESTLIB) {
            let place = found.map(|file| file.real).or_else(|| self.given(by, TESTLIB));
            self.out.testlib = Some(TestlibPlace(place));
            self.line(&format!("#include \"{TESTLIB}\""));
            return Ok(true);
        }
        let (real, text) = match found {
            Some(file) => (file.real, file.text),
            None if is_given(name.name) => match self.given(by, name.name) {
                Some(path) => {
                    let text = fs::read(&path)?;
                    (path, text)
                }
                None => match BroughtHeader::of_name(name.name) {
                    Some(header) => (PathBuf::from(header.name), header.text.to_vec()),
                    None => return Ok(false),
                },
            },
            None => return Ok(false),
        };
        // Only a file with a guard includes itself, and then nothing is included again.
        if self.open.contains(&real) {
            self.line("");
            return Ok(true);
        }
        let is_once = has_once(&text);
        self.inclusions += 1;
        if is_once {
            let guard = guard(&real, &self.local.root);
            self.line(&format!("#ifndef {guard}\n#define {guard}"));
        }
        self.add(&real, &text)?;
        if !self.out.text.ends_with(b"\n") {
            self.line("");
        }
        if is_once {
            self.line("#endif");
        }
        Ok(true)
    }

    /// A header that tools give to every source.
    fn given(&self, by: &Path, name: &str) -> Option<PathBuf> {
        let places = HeaderPlaces::of_environment();
        places.find(by, name).or_else(|| places.find(&self.source, name))
    }

    fn line(&mut self, line: &str) {
        self.out.text.extend_from_slice(line.as_bytes());
        self.out.text.push(b'\n');
    }
}

/// A name that stands for the file in place of `#pragma once`.
fn guard(real: &Path, root: &Path) -> String {
    let below = real.strip_prefix(root).unwrap_or(real).to_string_lossy();
    let hash = blake3::hash(below.as_bytes()).to_hex();
    format!("INCLUDED_ONCE_{}", &hash.as_str()[..16].to_uppercase())
}

fn has_once(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n');
    lines.any(is_once)
}

/// What a line tells the preprocessor.
enum Directive<'a> {
    Include(IncludedName<'a>),
    /// `#pragma once`.
    Once,
    Other,
}

impl<'a> Directive<'a> {
    fn of(line: &'a [u8]) -> Self {
        if let Some(included) = IncludedName::of(line) {
            return Self::Include(included);
        }
        if is_once(line) { Self::Once } else { Self::Other }
    }
}

/// Whether a line is `#pragma once`.
fn is_once(line: &[u8]) -> bool {
    let words = line.trim_ascii().strip_prefix(b"#").and_then(|rest| {
        let rest = rest.trim_ascii_start().strip_prefix(b"pragma")?;
        Some(rest.trim_ascii_start())
    });
    words == Some(b"once")
}

/// Whether a comment of several lines is open.
#[derive(Default)]
struct BlockComment {
    is_open: bool,
}

impl BlockComment {
    /// Reads a line.
    fn pass(&mut self, line: &[u8]) {
        let mut at = 0;
        let mut quote = None;
        while at < line.len() {
            let two = &line[at..line.len().min(at + 2)];
            let before = at.checked_sub(1).map(|before| line[before]);
            match (self.is_open, quote, line[at]) {
                (true, ..) => {
                    if two == b"*/" {
                        self.is_open = false;
                        at += 1;
                    }
                }
                (false, Some(_), b'\\') => at += 1,
                (false, Some(end), byte) if byte == end => quote = None,
                (false, None, b'/') if two == b"//" => return,
                (false, None, b'/') if two == b"/*" => {
                    self.is_open = true;
                    at += 1;
                }
                (false, None, b'"') => quote = Some(b'"'),
                // Between digits, it separates them.
                (false, None, b'\'')
                    if !before.is_some_and(|byte| byte.is_ascii_alphanumeric()) =>
                {
                    quote = Some(b'\'');
                }
                (false, ..) => {}
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        dir
    }

    fn joined(dir: &Path, local: &LocalIncludes) -> (String, Option<TestlibPlace>) {
        let one = in_one_file(&dir.join("a/x.cpp"), local).unwrap();
        (String::from_utf8(one.text).unwrap(), one.testlib)
    }

    #[test]
    fn each_included_file_replaces_its_line() {
        let dir = written(&[
            (
                "a/x.cpp",
                "#include <set>\n#include \"b.h\" // b\n/* a comment\n#include \"b.h\"\n*/\n#include \"made.h\"\n\
                 #include \"../up.h\"\n#include \"missing.h\"\nint main() { return '\"'; } /*\n#include \"b.h\"*/\n",
            ),
            ("a/b.h", "#ifndef B\n#define B\n#include \"b.h\"\nint b;\n#endif"),
            ("up.h", "#pragma once\nint up = 1'000;\n"),
            ("made.h", "#error stored\n"),
        ]);
        let root = dir.path().canonicalize().unwrap();
        let mut local = LocalIncludes::within(&root);
        local.folders.push(root.clone());
        let made = (root.join("made.h"), "int made;\n".to_owned());
        local.rewritten.push(made);
        let (text, testlib) = joined(&root, &local);
        let guard = guard(&root.join("up.h"), &root);
        let expected = format!(
            "#include <set>\n#ifndef B\n#define B\n\nint b;\n#endif\n/* a comment\n#include \"b.h\"\n*/\nint made;\n\
             #ifndef {guard}\n#define {guard}\nint up = 1'000;\n#endif\n#include \"missing.h\"\n\
             int main() {{ return '\"'; }} /*\n#include \"b.h\"*/\n"
        );
        assert_eq!(text, expected);
        assert_eq!(testlib, None);
    }

    #[test]
    fn the_header_of_testlib_is_found_and_stays_one() {
        let dir = written(&[
            ("a/x.cpp", "#include \"lib/own.h\"\n"),
            ("a/lib/own.h", "#include \"../../t/testlib.h\"\nint own;\n"),
            ("t/testlib.h", "int testlib;\n"),
        ]);
        let root = dir.path().canonicalize().unwrap();
        let (text, testlib) = joined(&root, &LocalIncludes::within(&root));
        assert_eq!(text, "#include \"testlib.h\"\nint own;\n");
        let place = TestlibPlace(Some(root.join("t/testlib.h")));
        assert_eq!(testlib, Some(place));
    }

    #[test]
    fn a_text_that_grows_without_end_is_an_error() {
        let double = |next: usize| format!("#include \"{next}.h\"\n#include \"{next}.h\"\n");
        let mut files: Vec<(String, String)> =
            (0..40).map(|at| (format!("a/{at}.h"), double(at + 1))).collect();
        files.push(("a/40.h".to_owned(), "x".repeat(1000)));
        files.push(("a/x.cpp".to_owned(), double(0)));
        let files: Vec<(&str, &str)> =
            files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let dir = written(&files);
        let root = dir.path().canonicalize().unwrap();
        let error = in_one_file(&root.join("a/x.cpp"), &LocalIncludes::within(&root)).unwrap_err();
        assert!(error.to_string().contains("too large"), "{error}");
    }
}
