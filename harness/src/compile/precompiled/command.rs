//! The command lines that make and use a header, from that of a plain compilation.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::compile::brought::SEARCHED_LAST;
use crate::compile::message::MERGED_WORDS;

/// The name that the compiler gets for the leading directives, in the folder of the header.
pub(super) const LEAD: &str = "lead.h";
/// The stored header, which the compiler finds by [`LEAD`].
pub(super) const STORED: &str = "lead.h.gch";

/// The file in which the compiler lists what it has read.
pub(super) const FILES_READ: &str = "lead.d";

/// Lets Clang store the text of all files with the header. Otherwise it looks for them where they were.
const EMBED: [&str; 2] = ["-Xclang", "-fmodules-embed-all-files"];

/// Options that stay plain: with debug information, programs differ in it (g++ 12.2); the others make other files, or read
/// files before the leading directives.
const PLAIN: [&str; 8] = ["-g", "-M", "-include", "-imacros", "-fpch", "-save-temps", "-E", "-S"];

/// The words of a compiler that compiles one C or C++ source to a program.
#[derive(Debug)]
pub(super) struct PlainCommand {
    /// Without the source, the name of the program, and libraries.
    flags: Vec<OsString>,
    /// `c` or `c++`.
    language: &'static str,
}

impl PlainCommand {
    /// Reads the words of a job that compiles `source` alone. `None`: they have another form.
    pub(super) fn read(argv: &[OsString], source: &str) -> Option<Self> {
        let mut words = argv.get(MERGED_WORDS..)?.iter();
        let mut flags = vec![words.next()?.clone()];
        let (mut language, mut has_source, mut has_program) = (None, false, false);
        while let Some(word) = words.next() {
            let text = word.to_str()?;
            match text {
                "-x" => language = Some(words.next()?.to_str()?),
                "-o" => has_program = words.next().is_some(),
                SEARCHED_LAST => flags.extend([word.clone(), words.next()?.clone()]),
                _ if text == source && !has_source => has_source = true,
                _ if !text.starts_with('-') || text == "-" => return None,
                _ if PLAIN.iter().any(|plain| text.starts_with(plain)) => return None,
                _ if text.starts_with("-l") || text.starts_with("-Wl,") => {}
                // A folder that is named relative to the source, which may contain anything.
                _ if text.starts_with("-I") && !text.starts_with("-I/") => return None,
                _ => flags.push(word.clone()),
            }
        }
        let language = ["c", "c++"].into_iter().find(|known| language == Some(known))?;
        (has_source && has_program).then_some(Self { flags, language })
    }

    /// The words that make the header.
    pub(super) fn making(&self, by_clang: bool) -> Vec<OsString> {
        let kind = format!("{}-header", self.language);
        let words = ["-x", &kind, "-MD", "-MF", FILES_READ, "-o", STORED, LEAD];
        let embed: &[&str] = if by_clang { &EMBED } else { &[] };
        self.with(&[embed, &words].concat())
    }

    /// The words that preprocess `file` with these options.
    pub(super) fn preprocessing(&self, options: &[&str], file: &str) -> Vec<OsString> {
        self.with(&[&["-x", self.language, "-E", "-P"], options, &[file]].concat())
    }

    fn with(&self, more: &[&str]) -> Vec<OsString> {
        let more = more.iter().map(OsString::from);
        self.flags.iter().cloned().chain(more).collect()
    }
}

/// Lets the compiler of a job start with the header at `lead`.
pub(super) fn include(argv: &mut Vec<OsString>, lead: &Path) {
    let at = MERGED_WORDS + 1;
    argv.splice(at..at, [OsStr::new("-include"), lead.as_os_str()].map(OsStr::to_owned));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Option<PlainCommand> {
        let words = ["/bin/sh", "-c", "exec"].into_iter().chain(words.split_ascii_whitespace());
        PlainCommand::read(&words.map(OsString::from).collect::<Vec<_>>(), "a.cpp")
    }

    #[test]
    fn only_the_usual_form_of_a_command_is_understood() {
        let usual = read("g++ -idirafter tmp -x c++ -O2 -I/lib -o program a.cpp -lm").unwrap();
        let making = usual.making(false).join(OsStr::new(" "));
        assert_eq!(
            making,
            "g++ -idirafter tmp -O2 -I/lib -x c++-header -MD -MF lead.d -o lead.h.gch lead.h"
        );
        for other in [
            "g++ -O2 -o program a.cpp",
            "g++ -x c++ -o program a.cpp b.cpp",
            "g++ -x c++ -o program b.cpp",
            "g++ -x c++ a.cpp",
            "g++ -x fortran -o program a.cpp",
            "g++ -x c++ -O1 -g -o program a.cpp",
            "g++ -x c++ -include b.h -o program a.cpp",
            "g++ -x c++ -I. -o program a.cpp",
            "g++ -x c++ @more -o program a.cpp",
        ] {
            assert!(read(other).is_none(), "{other}");
        }
    }

    #[test]
    fn the_header_comes_before_all_other_options() {
        let mut argv = ["/bin/sh", "-c", "exec", "g++", "-O2"].map(OsString::from).to_vec();
        include(&mut argv, Path::new("/h/lead.h"));
        assert_eq!(argv[MERGED_WORDS..].join(OsStr::new(" ")), "g++ -include /h/lead.h -O2");
    }
}
