//! The programs of a problem in the conventions of other systems: checkers made from rules, and scripts that call a
//! program of testlib as a validator of the package format.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::bundle::{Bundle, plain_name};
use crate::checker_spec::{CheckerSpec, LineRule, TokenOptions};
use crate::compile::{is_testlib, testlib_header};
use crate::plain_file;

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
    let sensitive = TokenOptions {
        case_sensitive: true,
        ..TokenOptions::default()
    };
    let (rule, name, options) = match spec {
        CheckerSpec::Exact => ("byte for byte", "EXACT", sensitive),
        CheckerSpec::Tokens(options) => ("word by word", "TOKENS", *options),
        CheckerSpec::Lines(LineRule::Whole) => ("line by line", "LINES", sensitive),
        CheckerSpec::Lines(rule @ (LineRule::Trimmed | LineRule::Ends)) => {
            if *rule == LineRule::Ends {
                bundle.lose("empty lines at the end of an output, which `lines:ends` counts");
            }
            (
                "line by line without blanks at the ends",
                "TRIMMED_LINES",
                sensitive,
            )
        }
        CheckerSpec::Lines(other) => {
            bundle.lose(format!(
                "the checker `{}`: outputs are compared word by word",
                other.word()
            ));
            ("word by word", "TOKENS", sensitive)
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
pub(super) fn flags(options: &TokenOptions) -> Vec<String> {
    crate::import::checker::flags(options)
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
    let names: Vec<String> = spec
        .sources()
        .iter()
        .map(|source| shown_name(source))
        .collect();
    bundle.lose(format!(
        "the checker `{}`, which this system cannot call: outputs are compared word by word",
        names.join("`, `")
    ));
    CheckerSpec::default()
}

fn shown_name(source: &Path) -> String {
    source
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Adds a program to `folder`: a source with the headers next to it that it includes, or all files of a folder.
pub(super) fn add_source(folder: &str, source: &Path, bundle: &mut Bundle) {
    if source.is_dir() {
        let entries = source.read_dir().into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_file() {
                bundle.copy(&format!("{folder}/{}", shown_name(&path)), &path);
            } else {
                bundle.lose(format!("`{}` in a folder of a program", shown_name(&path)));
            }
        }
        return;
    }
    bundle.copy(
        &format!("{folder}/{}", plain_name(&shown_name(source))),
        source,
    );
    add_headers(folder, source, bundle);
}

/// Adds the headers that a source includes, with that of testlib.
pub(super) fn add_headers(folder: &str, source: &Path, bundle: &mut Bundle) {
    for header in headers(source) {
        bundle.copy(&format!("{folder}/{}", shown_name(&header)), &header);
    }
    lose_missing_testlib(source, bundle);
}

/// Lists the header of testlib, if the source includes it and it is not found.
pub(super) fn lose_missing_testlib(source: &Path, bundle: &mut Bundle) {
    if is_testlib(source) && testlib_header(source).is_none() {
        bundle.lose(format_args!(
            "`testlib.h`, which `{}` includes and which is not found",
            shown_name(source)
        ));
    }
}

/// The headers next to a source that it needs, and that of testlib.
pub(super) fn headers(source: &Path) -> BTreeSet<PathBuf> {
    let mut open = vec![source.to_path_buf()];
    let mut seen: BTreeSet<PathBuf> = testlib_header(source).into_iter().collect();
    while let Some(path) = open.pop() {
        for header in headers_of(&path) {
            let is_known = seen.iter().any(|one| one.file_name() == header.file_name());
            if !is_known {
                seen.insert(header.clone());
                open.push(header);
            }
        }
    }
    seen
}

/// The files that a source includes and that lie next to it.
fn headers_of(source: &Path) -> Vec<PathBuf> {
    let text = plain_file::read(source).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let included = text.lines().filter_map(|line| {
        let rest = line
            .trim_start()
            .strip_prefix('#')?
            .trim_start()
            .strip_prefix("include")?;
        let name = rest.trim_start().strip_prefix(['"', '<'])?;
        let name = &name[..name.find(['"', '>'])?];
        (!name.contains('/')).then(|| source.with_file_name(name))
    });
    included.filter(|path| path.is_file()).collect()
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
        Self {
            run: CHECKER_RUN,
            programs: vec![("checker", source)],
        }
    }

    pub(super) fn interactor(interactor: &'a Path, checker: Option<&'a Path>) -> Self {
        let mut programs = vec![("interactor", interactor)];
        programs.extend(checker.map(|source| ("checker", source)));
        Self {
            run: INTERACTOR_RUN,
            programs,
        }
    }

    pub(super) fn input_validator(source: &'a Path) -> Self {
        Self {
            run: VALIDATOR_RUN,
            programs: vec![("validator", source)],
        }
    }

    /// Adds the sources and the scripts to `folder`.
    pub(super) fn add(&self, folder: &str, bundle: &mut Bundle) {
        let mut build =
            "#!/bin/sh\n# Compiles the programs.\nset -e\ncd \"$(dirname \"$0\")\"\n".to_owned();
        for (name, source) in &self.programs {
            // Two programs may have the same file name.
            bundle.copy(&format!("{folder}/{name}.cpp"), source);
            add_headers(folder, source, bundle);
            let _ = writeln!(build, "g++ -O2 -std=c++17 -o {name} {name}.cpp");
        }
        bundle.put_script(&format!("{folder}/build"), build);
        let run = self.run.replace("@EXIT@", EXIT_CODE.trim_end());
        bundle.put_script(&format!("{folder}/run"), run);
    }
}
