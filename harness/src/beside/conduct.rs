//! What a source does, as far as the words of its text show: whether it reads input as solutions do, or does what only the
//! helpers of a problem do.

use std::ffi::OsStr;
use std::path::Path;

use memchr::memmem;

use super::is_program;

/// What the words in the text of a source show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Conduct {
    pub(crate) reads_input: bool,
    pub(crate) draws_numbers: bool,
    /// It writes an input. Or it reads none, and writes files, calls other programs, draws random numbers, or is a script that
    /// prints nothing.
    is_busy: bool,
}

impl Conduct {
    /// That of the source at `path` with this text.
    pub(crate) fn of(path: &Path, text: &[u8]) -> Self {
        let lower = text.to_ascii_lowercase();
        let draws_numbers = words(&lower).any(is_of_chance);
        let is_text = !text.trim_ascii().is_empty();
        let reads_input = reads_input(path, &lower);
        let is_busy = writes_input(&lower)
            || !reads_input
                && (draws_numbers
                    || writes_files(&lower)
                    || has_any(&lower, &CALLS)
                    || is_text && is_script(path) && !is_program(path, text));
        Self { reads_input, draws_numbers, is_busy }
    }

    /// Whether it is a helper. A program that reads nothing and prints its answer is a wrong solution.
    pub(crate) fn is_of_helper(self) -> bool {
        self.is_busy
    }
}

/// Whether a program in the language needs no function `main`, so that one which prints nothing is none.
fn is_script(path: &Path) -> bool {
    const ENDS: [&str; 7] = ["py", "js", "mjs", "ts", "rb", "php", "jl"];
    path.extension().and_then(OsStr::to_str).is_some_and(|end| ENDS.contains(&end))
}

/// What opens a file to write it.
const WRITES: [&[u8]; 8] = [
    b"ofstream",
    b"filewriter",
    b"printwriter(\"",
    b"printwriter(new f",
    b"rewrite",
    b"fileoutputstream",
    b"ios::out",
    b"writefile",
];

/// How files are opened to write them, by functions that are called so.
const OPENS: &[u8] = b"open";
const MODES: [&[u8]; 10] = [
    b"\"w\"", b"'w'", b"\"wb\"", b"'wb'", b"\"wt\"", b"'wt'", b"\"w+\"", b"'w+'", b"\"a\"", b"'a'",
];

/// What calls other programs, or reads arguments.
const CALLS: [&[u8]; 7] = [
    b"system(",
    b"popen",
    b"subprocess",
    b"processbuilder",
    b"child_process",
    b"sys.argv",
    b"os.exec",
];

fn has_any(text: &[u8], parts: &[&[u8]]) -> bool {
    parts.iter().any(|part| memmem::find(text, part).is_some())
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !is_of_word(*byte)).filter(|word| word.len() > 2)
}

fn is_of_chance(word: &[u8]) -> bool {
    matches!(
        word,
        b"rand"
            | b"srand"
            | b"random"
            | b"randint"
            | b"randrange"
            | b"randomize"
            | b"mt19937"
            | b"mt19937_64"
            | b"thread_rng"
            | b"rnd"
    )
}

/// Whether a text in lower case reads input; `true` for languages whose programs read it without a word.
fn reads_input(path: &Path, text: &[u8]) -> bool {
    const ENDS: [&str; 24] = [
        "c", "cc", "cpp", "cxx", "c++", "py", "java", "js", "mjs", "ts", "rb", "php", "go", "rs",
        "kt", "cs", "pas", "hs", "ml", "swift", "scala", "d", "nim", "jl",
    ];
    const PARTS: [&[u8]; 8] = [
        b"read",
        b"scan",
        b"stdin",
        b"inputstream",
        b"getline",
        b"get_line",
        b"ifstream",
        // `$<` of Ruby.
        b"$<",
    ];
    let end = path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    let end = end.as_deref().unwrap_or_default();
    if !ENDS.contains(&end) || has_any(text, &PARTS) {
        return true;
    }
    let is_word = |word: &[u8]| {
        matches!(
            word,
            b"cin"
                | b"gets"
                | b"fgets"
                | b"getc"
                | b"fgetc"
                | b"getchar"
                | b"getchar_unlocked"
                | b"getcontents"
                | b"interact"
                | b"fstream"
                | b"argf"
                | b"lines"
                | b"get"
                | b"fin"
                | b"mmap"
        )
    };
    // `cin.tie(nullptr)` reads nothing.
    let tied = [b"cin.tie".as_slice(), b"cin.sync_with_stdio"];
    let tied: usize = tied.iter().map(|call| memmem::find_iter(text, call).count()).sum();
    words(text).filter(|word| is_word(word)).nth(tied).is_some()
        || calls_input(text)
        || end == "py" && opens_to_read(text)
}

/// `input()` of Python, `input!` of Rust.
fn calls_input(text: &[u8]) -> bool {
    const CALLS: [&[u8]; 2] = [b"input", b"raw_input"];
    CALLS.iter().any(|word| {
        memmem::find_iter(text, word).any(|at| {
            let next = text[at + word.len()..].trim_ascii_start().first();
            (at == 0 || !is_of_word(text[at - 1]))
                && matches!(next, Some(b'(' | b'!' | b',' | b')'))
        })
    })
}

/// `open("input.txt")` of Python.
fn opens_to_read(text: &[u8]) -> bool {
    let mut lines = text.split(|byte| *byte == b'\n');
    lines.any(|line| {
        let call = memmem::find(line, b"open(").map(|at| &line[at..]);
        call.is_some_and(|call| !has_any(call, &[b"'w", b"\"w", b"'a", b"\"a"]))
    })
}

/// The statements of a text, as far as their ends show.
fn statements(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| matches!(byte, b';' | b'\n'))
}

/// Whether a statement opens a file to write it.
fn opens_to_write(statement: &[u8]) -> bool {
    has_any(statement, &WRITES) || has_any(statement, &[OPENS]) && has_any(statement, &MODES)
}

/// Whether a text writes files, other than what a solution prints.
fn writes_files(text: &[u8]) -> bool {
    const PRINTS: [&[u8]; 2] = [b"stdout", b"(output)"];
    statements(text).any(|part| opens_to_write(part) && !has_any(part, &PRINTS))
}

/// Whether a text in lower case opens a file to write it that is called like an input.
fn writes_input(text: &[u8]) -> bool {
    const ENDS: [&[u8]; 2] = [b".in\"", b".in'"];
    // A line may open an input to read it, and the output to write it.
    let mut calls = statements(text).flat_map(|part| part.split(|byte| *byte == b')'));
    calls.any(|call| has_any(call, &ENDS) && opens_to_write(call))
}

/// Whether a statement in the text of a source opens the file `name` to write it.
pub(crate) fn writes_file(text: &[u8], name: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let name = name.to_ascii_lowercase();
    statements(&text)
        .any(|part| memmem::find(part, name.as_bytes()).is_some() && opens_to_write(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reads_nothing_and_serves_others_is_a_helper() {
        for (name, text, is_helper) in [
            ("a.cpp", "int main() { int n; std::cin >> n; std::ofstream log(\"x\"); }", false),
            ("a.cpp", "int main() { puts(\"42\"); }", false),
            ("a.cpp", "int main() { std::cin.tie(nullptr); std::mt19937 chance(1); }", true),
            ("a.cpp", "int main() { std::cin.tie(nullptr); std::cin >> n; srand(n); }", false),
            (
                "a.cpp",
                "int main() { fscanf(f, \"%u\", &seed); freopen(\"data.in\", \"w\", stdout); }",
                true,
            ),
            (
                "a.cpp",
                "int main() { freopen(\"a.in\", \"r\", stdin); freopen(\"a.out\", \"w\", stdout); scanf(\"%d\", &n); }",
                false,
            ),
            ("a.cpp", "int main() { FILE *f = fopen(\"1.in\", \"w\"); fprintf(f, \"1\"); }", true),
            (
                "a.cpp",
                "int main() { freopen(\"1.out\", \"w\", stdout); puts(\"win\"); putchar('a'); }",
                false,
            ),
            ("A.java", "PrintWriter p = new PrintWriter(System.out); p.println(\"what\");", false),
            ("A.java", "PrintWriter p = new PrintWriter(\"1.in\"); p.println(1);", true),
            ("a.py", "print('weird', \"a\")\n", false),
            ("a.py", "print(42)\n", false),
            ("a.py", "", false),
            ("a.py", "n = int(input())\n", false),
            ("a.py", "print(open('1.in').read())\n", false),
            ("a.py", "import random\nprint(random.randint(1, 9))\n", true),
            ("a.py", "open('input/input01.txt', 'w').write('1')\n", true),
            ("a.py", "a, b = open('x.in', 'r'), open('x.out', 'w')\nb.write(a.read())\n", false),
            ("a.py", "import os, sys\nos.system('./a.out < ' + sys.argv[1])\n", true),
            ("a.py", "[[5, ['0.in', '0.out']]]\n", true),
            ("a.rb", "puts $<.sum(&:to_i)\n", false),
            ("a.lua", "math.random()\n", false),
            ("a.rs", "fn nothing() {}\n", false),
        ] {
            assert_eq!(
                Conduct::of(Path::new(name), text.as_bytes()).is_of_helper(),
                is_helper,
                "{text}"
            );
        }
    }

    #[test]
    fn the_statement_shows_whether_a_file_is_read_or_written() {
        let text = b"ifstream in(\"a.txt\"); ofstream out(\"b.txt\");\nopen('c.txt', 'w')";
        let written = ["a.txt", "b.txt", "c.txt"].map(|name| writes_file(text, name));
        assert_eq!(written, [false, true, true]);
    }
}
