//! The languages that are tested, one test each: a sum, and the programs of `modes`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rejudge::language::{Languages, Profile};
use rejudge::sandbox::Exit;

use crate::languages::judge::Judge;

/// The languages that CI installs; there none of them may be skipped.
pub(crate) const CORE: [&str; 31] = [
    "ada",
    "awk",
    "bash",
    "c",
    "cobol",
    "cpp",
    "csharp",
    "d",
    "erlang",
    "forth",
    "fortran",
    "go",
    "gprolog",
    "haskell",
    "java",
    "javascript",
    "kotlin",
    "lisp",
    "lua",
    "nim",
    "ocaml",
    "pascal",
    "perl",
    "php",
    "prolog",
    "pypy3",
    "python3",
    "ruby",
    "rust",
    "sh",
    "tcl",
];

/// The languages that `.ci/full languages` installs; there none of them may be skipped.
pub(crate) const FULL: [&str; 30] = [
    "algol68",
    "bc",
    "bun",
    "chicken",
    "clisp",
    "clojure",
    "crystal",
    "dc",
    "deno",
    "ecl",
    "elixir",
    "elixirscript",
    "gambit",
    "gawk",
    "gdc",
    "guile",
    "haxe",
    "icon",
    "luajit",
    "mawk",
    "modula2",
    "objectivec",
    "octave",
    "pike",
    "racket",
    "raku",
    "sed",
    "sml",
    "vala",
    "wasm",
];

/// Languages that are tested wherever they are installed: they are too large for CI, or in no
/// Debian package.
pub(crate) const BEYOND: [&str; 5] = ["python2", "r", "scala", "typescript", "zig"];

/// Languages for which no compiler was available: their table entries come from the judges'
/// documentation.
const UNTRIED: [&str; 3] = ["fsharp", "julia", "swift"];

macro_rules! languages {
    ($($id:ident)*; full: $($full:ident)*; small: $($small:ident)*) => {
        /// The languages with a test below.
        const TESTED: &[&str] =
            &[$(stringify!($id),)* $(stringify!($full),)* $(stringify!($small)),*];

        mod sums {
            $(#[test] fn $id() { crate::languages::each::sums(stringify!($id)); })*
            $(#[test] #[ignore = "`.ci/full languages` installs it and runs it"]
            fn $full() { crate::languages::each::sums(stringify!($full)); })*
            $(#[test] #[ignore = "`.ci/full languages` installs it and runs it"]
            fn $small() { crate::languages::each::sums(stringify!($small)); })*
        }

        mod passes_every_mode {
            $(#[test] fn $id() { crate::languages::modes::passes_every_mode(stringify!($id)); })*
            $(#[test] #[ignore = "`.ci/full languages` installs it and runs it"]
            fn $full() { crate::languages::modes::passes_every_mode(stringify!($full)); })*
        }
    };
}

// The tests of the languages of `FULL` take minutes, so only `.ci/full languages` runs them. The small ones have only that of
// the sum.
languages! {
    ada awk bash c cobol cpp csharp d erlang forth fortran go gprolog haskell java javascript
    kotlin lisp lua nim ocaml pascal perl php prolog pypy3 python2 python3 r ruby rust scala sh tcl
    typescript zig;
    full:
    algol68 bun chicken clisp clojure crystal deno ecl elixir elixirscript gambit gawk gdc guile
    haxe icon luajit mawk modula2 objectivec octave pike racket raku sml vala wasm;
    small:
    bc dc sed
}

/// The program `stem` in the language `id`, among the fixtures in `folder`.
pub(crate) fn fixture(judge: &Judge, folder: &str, stem: &str, id: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(folder);
    let language = judge.languages.get(id).unwrap();
    let names = language.extensions.iter();
    let mut files = names.map(|extension| folder.join(format!("{stem}.{extension}")));
    files.find(|file| file.is_file()).unwrap()
}

fn sums(id: &str) {
    let mut judge = Judge::new(Profile::Judge);
    if !judge.has(judge.languages.get(id).unwrap()) {
        return;
    }
    let source = fixture(&judge, "languages", "sum", id);
    let input = match id {
        // Which writes `_` before negative numbers.
        "dc" => "4\n1 2\n3 _10\n",
        // Which cannot add: it prints the last word.
        "sed" => "4\n1 2\n3 -4\n",
        _ => "4\n1 2\n3 -10\n",
    };
    let (execution, output) = judge.run(&source, input);
    let words = String::from_utf8_lossy(&execution.stderr_tail);
    assert_eq!(execution.exit, Exit::Code(0), "{output:?}\n{words}");
    assert_eq!(output.trim(), "-4", "{words}");
    // `Syntax OK` is not a warning. The linker warns of every program of Poly/ML 5.7.
    let warnings = judge.built(&source).warnings().map(str::to_owned);
    assert_eq!(warnings.filter(|_| id != "sml"), None);
}

#[test]
fn every_language_of_the_table_is_tested_or_listed_as_untested() {
    let languages = Languages::load(&BTreeMap::new()).unwrap();
    let mut listed: Vec<&str> = [&CORE[..], &FULL, &BEYOND, &UNTRIED].concat();
    listed.sort_unstable();
    let all: Vec<&str> = languages.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(listed, all);
    let mut tried: Vec<&str> = [&CORE[..], &FULL, &BEYOND].concat();
    let mut tested = TESTED.to_vec();
    tried.sort_unstable();
    tested.sort_unstable();
    assert_eq!(tried, tested);
}

#[test]
fn the_guide_lists_the_tested_languages() {
    let guide = include_str!("../../guide/src/languages.md");
    for (ids, word) in [
        (&CORE[..], "always"),
        (&FULL, "by `.ci/full languages`"),
        (&BEYOND, "wherever"),
        (&UNTRIED, "never"),
    ] {
        let quoted: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
        let row = format!("| {} | {word}", quoted.join(", "));
        assert!(guide.contains(&row), "{row}");
    }
}
