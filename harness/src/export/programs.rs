//! The programs of a problem in the conventions of other systems: checkers made from rules, and scripts that call a
//! program of testlib as a validator of the package format.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::bundle::{Bundle, plain_name};
use super::sources::shown_name;
use crate::checker_spec::{CheckerSpec, LineRule, TokenOptions};
use crate::compile::{TestlibPlace, is_testlib, testlib_header};
use crate::problem::{Interactor, Problem};

const COMPARE: &str = include_str!("compare.cpp");
const CHECKER_RUN: &str = include_str!("checker_run.sh");
const INTERACTOR_RUN: &str = include_str!("interactor_run.sh");
const VALIDATOR_RUN: &str = include_str!("validator_run.sh");
/// Turns the exit status of testlib into that of an output validator.
const EXIT_CODE: &str = include_str!("exit_code.sh");

/// How a system calls a checker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Calling {
    /// As testlib.
    Testlib,
    /// As an output validator of the package format.
    Validator,
}

/// A source in C++ that decides like a built-in checker; `None` for programs of the problem.
pub(super) fn comparison(
    spec: &CheckerSpec,
    calling: Calling,
    bundle: &mut Bundle,
) -> Option<String> {
    let sensitive = TokenOptions { case_sensitive: true, ..TokenOptions::default() };
    let (rule, name, options) = match spec {
        CheckerSpec::Exact => ("byte for byte", "EXACT", sensitive),
        CheckerSpec::Tokens(options) => {
            lose_exact_integers(options, bundle);
            ("word by word", "TOKENS", *options)
        }
        CheckerSpec::Lines(LineRule::Whole) => ("line by line", "LINES", sensitive),
        CheckerSpec::Lines(rule @ (LineRule::Trimmed | LineRule::Ends | LineRule::Hydro)) => {
            if *rule == LineRule::Ends {
                bundle.lose("empty lines at the end of an output, which `lines:ends` counts");
            }
            ("line by line without blanks at the ends", "TRIMMED_LINES", sensitive)
        }
        CheckerSpec::Lines(other) => {
            bundle
                .lose(format!("the checker `{}`: outputs are compared word by word", other.word()));
            ("word by word", "TOKENS", sensitive)
        }
        CheckerSpec::Json(rule) => {
            bundle.lose_decisive(format!(
                "the checker `{}`: outputs are compared word by word",
                rule.word()
            ));
            ("word by word", "TOKENS", sensitive)
        }
        CheckerSpec::FloatLines(rule) => {
            bundle.lose("the lines of the checker: numbers are compared word by word");
            ("word by word", "TOKENS", rule.as_tokens())
        }
        _ => return None,
    };
    let tolerance = |tolerance: Option<f64>| {
        tolerance.map_or_else(|| "-1.0L".to_owned(), |tolerance| format!("{tolerance:e}L"))
    };
    let main = match calling {
        Calling::Testlib => include_str!("main_testlib.cpp"),
        Calling::Validator => include_str!("main_validator.cpp"),
    };
    let text = COMPARE
        .replace("@RULE@", rule)
        .replace("@NAME@", name)
        .replace("@CASE@", &options.case_sensitive.to_string())
        .replace("@SPACE@", &options.space_change_sensitive.to_string())
        .replace("@ABSOLUTE@", &tolerance(options.float_absolute))
        .replace("@RELATIVE@", &tolerance(options.float_relative))
        .replace("@MAIN@", main.trim_end());
    Some(text)
}

/// The flags of the default output validator.
pub(super) fn flags(options: &TokenOptions, bundle: &mut Bundle) -> Vec<String> {
    lose_exact_integers(options, bundle);
    crate::import::checker::flags(options)
}

fn lose_exact_integers(options: &TokenOptions, bundle: &mut Bundle) {
    if options.exact_integers {
        bundle.lose("that integers must be equal: they are compared with the tolerance");
    }
}

/// The source of a program that compares like `spec`; word by word, if that is a program, which the system cannot call.
pub(super) fn comparison_or_fallback(
    spec: &CheckerSpec,
    calling: Calling,
    bundle: &mut Bundle,
) -> Option<String> {
    if spec.is_program() {
        let fallen = fallback(spec, bundle);
        return comparison(&fallen, calling, bundle);
    }
    comparison(spec, calling, bundle)
}

/// The word by word comparison, in place of a checker that the system cannot call.
pub(super) fn fallback(spec: &CheckerSpec, bundle: &mut Bundle) -> CheckerSpec {
    let names: Vec<String> = spec.sources().iter().map(|source| shown_name(source)).collect();
    bundle.lose_decisive(format!(
        "the checker `{}`, which this system cannot call: outputs are compared word by word",
        names.join("`, `")
    ));
    CheckerSpec::default()
}

/// Whether a program is a source in C++, which every system compiles with testlib.
pub(super) fn is_cpp(source: &Path) -> bool {
    let extension = source.extension().unwrap_or_default();
    let known = ["cpp", "cc", "cxx", "c++"];
    source.is_file() && known.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// The input validators in C++; the others are listed.
pub(super) fn validators<'a>(problem: &'a Problem, bundle: &mut Bundle) -> Vec<&'a Path> {
    let mut found = Vec::new();
    for source in &problem.validators {
        if is_cpp(source) {
            found.push(source.as_path());
        } else {
            bundle.lose(format!(
                "the input validator `{}`, which is not a source in C++",
                shown_name(source)
            ));
        }
    }
    found
}

/// The interactor, if it is a source in C++; otherwise it is listed.
pub(super) fn interactor<'a>(problem: &'a Problem, bundle: &mut Bundle) -> Option<&'a Interactor> {
    let interactor = problem.interactor.as_ref()?;
    if is_cpp(&interactor.source) {
        return Some(interactor);
    }
    bundle.lose_decisive(format!(
        "the interactor `{}`, which is not a source in C++: the archive judges the outputs only",
        shown_name(&interactor.source)
    ));
    None
}

/// Adds a program to `folder`: a source, or all files of a folder.
pub(super) fn add_source(folder: &str, source: &Path, bundle: &mut Bundle) {
    if !source.is_dir() {
        bundle.put_program(folder, &plain_name(&shown_name(source)), source);
        return;
    }
    let entries = source.read_dir().into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in &paths {
        if path.is_file() {
            bundle.copy(&format!("{folder}/{}", shown_name(path)), path);
        } else {
            bundle.lose(format!("`{}` in a folder of a program", shown_name(path)));
        }
    }
    bundle.fill_in(folder);
    let has_header = paths.iter().any(|path| path.ends_with("testlib.h"));
    if is_testlib(source) && !has_header {
        let header = paths.iter().find_map(|path| testlib_header(path));
        bundle.put_testlib(folder, Some(TestlibPlace(header)));
    }
}

/// Lists the header of testlib if a program of a package, which is copied as it is, includes it from elsewhere.
pub(super) fn lose_outside_testlib(dir: &Path, bundle: &mut Bundle) {
    const FOLDERS: [&str; 4] =
        ["input_validators", "output_validator", "output_validators", "answer_validators"];
    let root = std::path::absolute(dir).unwrap_or_else(|_| dir.to_path_buf());
    let files = FOLDERS.into_iter().flat_map(|folder| {
        let walk = walkdir::WalkDir::new(root.join(folder)).sort_by_file_name();
        walk.into_iter().flatten().map(walkdir::DirEntry::into_path)
    });
    let is_inside = |path: &Path| {
        let header = testlib_header(path);
        header.is_some_and(|header| header.starts_with(&root))
    };
    let mut users = files.filter(|path| is_cpp(path) && is_testlib(path) && !is_inside(path));
    if let Some(user) = users.next() {
        bundle.lose(format_args!(
            "`testlib.h`, which `{}` includes and which is not in the package",
            shown_name(&user)
        ));
    }
}

/// A program of testlib, compiled by a script and called by another one.
pub(super) struct Adapted<'a> {
    /// The script that calls the programs.
    pub(super) run: &'static str,
    /// The name of each program and its source.
    pub(super) programs: Vec<(&'static str, &'a Path)>,
}

impl<'a> Adapted<'a> {
    pub(super) fn checker(source: &'a Path) -> Self {
        Self { run: CHECKER_RUN, programs: vec![("checker", source)] }
    }

    pub(super) fn interactor(interactor: &'a Path, checker: Option<&'a Path>) -> Self {
        let mut programs = vec![("interactor", interactor)];
        programs.extend(checker.map(|source| ("checker", source)));
        Self { run: INTERACTOR_RUN, programs }
    }

    pub(super) fn input_validator(source: &'a Path) -> Self {
        Self { run: VALIDATOR_RUN, programs: vec![("validator", source)] }
    }

    /// Adds the sources and the scripts to `folder`.
    pub(super) fn add(&self, folder: &str, bundle: &mut Bundle) {
        let mut build =
            "#!/bin/sh\n# Compiles the programs.\nset -e\ncd \"$(dirname \"$0\")\"\n".to_owned();
        for (name, source) in &self.programs {
            // Two programs may have the same file name.
            bundle.put_program(folder, &format!("{name}.cpp"), source);
            let _ = writeln!(build, "g++ -O2 -std=c++17 -o {name} {name}.cpp");
        }
        bundle.put_script(&format!("{folder}/build"), build);
        let run = self.run.replace("@EXIT@", EXIT_CODE.trim_end());
        bundle.put_script(&format!("{folder}/run"), run);
    }
}
