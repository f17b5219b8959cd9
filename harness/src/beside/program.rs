//! Whether a source is a program of its own, or only a part that other sources name: by what it does, not by its name.
//!
//! A solution writes output. So a part has no function `main` in languages that start there, or is declared as a module, or
//! writes nothing when it is started. In doubt, it is a program.

use std::ffi::OsStr;
use std::path::Path;

use super::{Syntax, after_word, is_source};

/// Whether a source is a program. One in an unknown language is.
pub(crate) fn is_program(path: &Path, text: &[u8]) -> bool {
    let Some(syntax) = Syntax::of(path) else {
        return true;
    };
    let text = String::from_utf8_lossy(text);
    match syntax {
        // Headers may contain the `main` of those who include them.
        Syntax::C if !is_source(path) => false,
        Syntax::C | Syntax::D | Syntax::Java | Syntax::Rust | Syntax::Zig => {
            has_word(&text, "main")
        }
        Syntax::Ada => !has_word(&text.to_lowercase(), "package"),
        Syntax::Haskell => !is_haskell_module(&text),
        Syntax::Pascal => !starts_with_word(&text, "unit"),
        Syntax::Python | Syntax::Nim => prints_at_once(&text, syntax),
        Syntax::JavaScript | Syntax::TypeScript => !is_script_module(&text),
        Syntax::Lua => prints(&text, syntax) && (!returns_at_end(&text) || has_word(&text, "read")),
        // What is outside its tags is output.
        Syntax::Php => prints(&text, syntax) || text.contains("<?=") || text.contains("?>"),
        Syntax::Ruby => prints(&text, syntax) || text.contains("$>"),
        Syntax::Fortran
        | Syntax::Julia
        | Syntax::Lisp
        | Syntax::Perl
        | Syntax::Prolog
        | Syntax::R => prints(&text, syntax),
    }
}

/// Whether a source reads input, as far as the words of its text show; `true` for languages whose programs read it without a
/// word.
pub(crate) fn reads_input(path: &Path, text: &[u8]) -> bool {
    const ENDS: [&str; 24] = [
        "c", "cc", "cpp", "cxx", "c++", "py", "java", "js", "mjs", "ts", "rb", "php", "go", "rs",
        "kt", "cs", "pas", "hs", "ml", "swift", "scala", "d", "nim", "jl",
    ];
    const PARTS: [&[u8]; 7] =
        [b"read", b"scan", b"stdin", b"inputstream", b"getline", b"get_line", b"ifstream"];
    const WORDS: [&[u8]; 15] = [
        b"cin",
        b"gets",
        b"fgets",
        b"getc",
        b"fgetc",
        b"getchar",
        b"getchar_unlocked",
        b"getcontents",
        b"interact",
        b"fstream",
        b"argf",
        b"lines",
        b"get",
        b"fin",
        b"mmap",
    ];
    // `input()` of Python, `input!` of Rust.
    const CALLS: [&[u8]; 2] = [b"input", b"raw_input"];
    let end = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    if !end.as_deref().is_some_and(|end| ENDS.contains(&end)) {
        return true;
    }
    let text = text.to_ascii_lowercase();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut words = text.split(|byte| !is_word(*byte)).filter(|word| word.len() > 2);
    let is_known = words.any(|word| {
        WORDS.contains(&word) || PARTS.iter().any(|part| memchr::memmem::find(word, part).is_some())
    });
    let is_called = |word: &&[u8]| {
        let mut ends = memchr::memmem::find_iter(&text, word).map(|at| (at, at + word.len()));
        ends.any(|(at, end)| {
            let next = text[end..].trim_ascii_start().first();
            (at == 0 || !is_word(text[at - 1])) && matches!(next, Some(b'(' | b'!' | b',' | b')'))
        })
    };
    // `open("input.txt")` of Python.
    let opens = || {
        let mut lines = text.split(|byte| *byte == b'\n');
        lines.any(|line| {
            let call = memchr::memmem::find(line, b"open(").map(|at| &line[at..]);
            call.is_some_and(|call| {
                ["'w", "\"w", "'a", "\"a"]
                    .iter()
                    .all(|mode| memchr::memmem::find(call, mode.as_bytes()).is_none())
            })
        })
    };
    let is_python = end.as_deref() == Some("py");
    is_known
        || is_python && opens()
        || CALLS.iter().any(is_called)
        || memchr::memmem::find(&text, b"$<").is_some()
}

/// Whether a statement in the text of a source opens the file `name` to write it.
pub(crate) fn writes_file(text: &[u8], name: &str) -> bool {
    const WORDS: [&[u8]; 7] =
        [b"ofstream", b"writer", b"rewrite", b"outputstream", b"\"w", b"'w", b"ios::out"];
    let text = text.to_ascii_lowercase();
    let statements = text.split(|byte| matches!(byte, b';' | b'\n'));
    let name = name.to_ascii_lowercase();
    let mut naming =
        statements.filter(|part| memchr::memmem::find(part, name.as_bytes()).is_some());
    naming.any(|part| WORDS.iter().any(|word| memchr::memmem::find(part, word).is_some()))
}

/// Whether the text of a source has a word for random numbers.
pub(crate) fn draws_numbers(text: &[u8]) -> bool {
    const WORDS: [&[u8]; 10] = [
        b"rand",
        b"srand",
        b"random",
        b"randint",
        b"randrange",
        b"mt19937",
        b"mt19937_64",
        b"randomize",
        b"thread_rng",
        b"rnd",
    ];
    let text = text.to_ascii_lowercase();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    text.split(|byte| !is_word(*byte)).any(|word| WORDS.contains(&word))
}

/// The words with which a language writes output.
fn output_words(syntax: Syntax) -> &'static [&'static str] {
    match syntax {
        Syntax::Python => &["print", "stdout", "write", "exec", "eval"],
        Syntax::Nim => &["echo", "stdout", "write", "writeLine"],
        Syntax::JavaScript | Syntax::TypeScript => {
            &["console", "stdout", "writeSync", "writeFile", "writeFileSync", "eval"]
        }
        Syntax::Lua => &["print", "write", "load"],
        Syntax::Perl => &["print", "printf", "say", "syswrite", "STDOUT", "eval"],
        Syntax::Php => &[
            "echo",
            "print",
            "printf",
            "vprintf",
            "print_r",
            "var_dump",
            "fwrite",
            "fputs",
            "file_put_contents",
            "exit",
            "die",
            "eval",
        ],
        Syntax::Fortran => &["print", "write", "PRINT", "WRITE"],
        Syntax::Julia => &["print", "println", "printf", "show", "write", "stdout", "eval"],
        Syntax::Lisp => &["format", "print", "princ", "prin1", "write", "terpri", "eval"],
        Syntax::Prolog => &["write", "writeln", "print", "format", "nl", "put_char"],
        Syntax::R => &["cat", "print", "write", "writeLines", "message", "eval"],
        Syntax::Ruby => &[
            "puts", "print", "printf", "p", "pp", "putc", "write", "STDOUT", "stdout", "display",
            "eval",
        ],
        _ => &[],
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

fn has_word(text: &str, wanted: &str) -> bool {
    words(text).any(|word| word == wanted)
}

fn prints(text: &str, syntax: Syntax) -> bool {
    let output = output_words(syntax);
    words(text).any(|word| output.contains(&word))
}

fn starts_with_word(text: &str, word: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        let end = if rest.starts_with("//") {
            rest.find('\n')
        } else if rest.starts_with('{') {
            rest.find('}').map(|at| at + 1)
        } else if rest.starts_with("(*") {
            rest.find("*)").map(|at| at + 2)
        } else {
            return words(rest).next().is_some_and(|first| first.eq_ignore_ascii_case(word));
        };
        rest = rest[end.unwrap_or(rest.len())..].trim_start();
    }
}

fn is_haskell_module(text: &str) -> bool {
    let mut lines = text.lines().filter_map(|line| after_word(line, "module"));
    lines.next().is_some_and(|rest| words(rest).next() != Some("Main"))
}

/// Whether a script exports something, and neither reads input nor prints outside functions.
fn is_script_module(text: &str) -> bool {
    if !prints(text, Syntax::JavaScript) {
        return true;
    }
    let exports = text.lines().any(|line| {
        let line = line.trim_start();
        after_word(line, "export").is_some()
            || line.starts_with("exports.")
            || line.starts_with("module.exports")
    });
    let reads = ["stdin", "readline", "readFileSync"].iter().any(|word| has_word(text, word));
    exports && !reads && !prints(&outside_braces(text), Syntax::JavaScript)
}

fn outside_braces(text: &str) -> String {
    let mut depth = 0_usize;
    text.chars()
        .filter(|c| {
            match c {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        })
        .collect()
}

fn returns_at_end(text: &str) -> bool {
    let last = text.lines().rfind(|line| !line.trim().is_empty());
    last.is_some_and(|line| line.starts_with("return"))
}

/// The words that begin a definition, whose block does nothing until it is called.
const DEFINITIONS: [&str; 11] = [
    "def",
    "class",
    "async",
    "proc",
    "func",
    "template",
    "macro",
    "iterator",
    "converter",
    "method",
    "type",
];

/// The words that begin a statement that only names others.
const IMPORTS: [&str; 2] = ["import", "from"];

/// Whether a source whose blocks are indented prints when it is started: outside definitions, or in a function that is
/// called there.
fn prints_at_once(text: &str, syntax: Syntax) -> bool {
    if !prints(text, syntax) {
        return false;
    }
    let mut outside = String::new();
    let mut defined: Vec<&str> = Vec::new();
    let mut is_in_definition = false;
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or(line);
        let is_indented = line.starts_with(char::is_whitespace);
        let first = words(line).next().unwrap_or_default();
        if !is_indented && !line.trim().is_empty() && !line.starts_with([')', ']', '}']) {
            is_in_definition = DEFINITIONS.contains(&first) || IMPORTS.contains(&first);
        }
        if DEFINITIONS.contains(&first) {
            let name = words(line).find(|word| !DEFINITIONS.contains(word));
            defined.extend(name);
        }
        if !is_in_definition {
            outside.push_str(line);
            outside.push('\n');
        }
    }
    let output = output_words(syntax);
    words(&outside).any(|word| output.contains(&word) || defined.contains(&word))
}
