//! Whether a source is a program of its own, or only a part that other sources name: by what it does, not by its name.
//!
//! A solution writes output. So a part has no function `main` in languages that start there, or is declared as a module, or
//! writes nothing when it is started. In doubt, it is a program.

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
