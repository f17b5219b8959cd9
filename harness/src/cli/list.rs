//! `rejudge list`: lists the problems and solutions that `run` would judge.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

mod json;

use anyhow::Result;
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use super::exit::CommandExit;
use super::json_output::{JsonArgs, JsonOutput};
use super::project::Project;
use super::stream;
use super::time_limits::is_inferred;
use crate::cache::{Cache, Part};
use crate::checker_spec::{CheckerSpec, TokenOptions};
use crate::discover::{CasesBy, Found};
use crate::limits::{self, LimitOverrides};
use crate::notice::shown;
use crate::problem::{Problem, ReadOptions, layouts};
use crate::show::fit::padded;
use crate::submission::{Submission, SubmissionsByProblem};
use json::write_json;

/// Arguments of `rejudge list`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ListArgs {
    /// Solutions, problems, or folders of them [default: the repository around the current folder]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Folder or ZIP archive of the test cases, for solutions without cases of their own
    #[arg(long, value_name = "DIR")]
    pub(crate) cases: Option<PathBuf>,
    /// Layout of the problems [default: the only one that fits]
    #[arg(long, value_name = "NAME", value_parser = layouts::names())]
    pub(crate) layout: Option<String>,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
    /// List every case, not only the number of cases
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

/// Prints the problems and solutions. Warnings and errors go to standard error.
pub(crate) fn list(args: &ListArgs) -> Result<CommandExit> {
    let read_options = ReadOptions { layout: args.layout.as_deref(), ..ReadOptions::default() };
    let cases = args.cases.as_deref();
    let mut output = args.json.open()?;
    let project = Project::open_to_read(read_options, &args.paths, cases)?;
    report(args, &project.found, &mut output)
}

fn report(args: &ListArgs, found: &Found, output: &mut JsonOutput) -> Result<CommandExit> {
    stream::warn_of_all(&found.warnings);
    for error in &found.errors {
        stream::error(error);
    }
    let exit = output.write(
        |out| write_json(out, found, args.verbose),
        |out| write_text(out, found, args.verbose),
    )?;
    Ok(exit.or_fault(!found.errors.is_empty()))
}

fn write_text(out: &mut dyn Write, found: &Found, verbose: bool) -> io::Result<()> {
    let by_problem = SubmissionsByProblem::of(&found.submissions);
    for (index, problem) in found.problems.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        write!(out, "{}", problem.id)?;
        if let Some(title) = &problem.title {
            write!(out, "  {}", crate::notice::visible(title))?;
        }
        writeln!(out)?;
        let limits = limits::of_solution(Some(problem), None, &LimitOverrides::default());
        let time = if is_inferred(problem) {
            "CPU inferred when judged".to_owned()
        } else {
            let (cpu, wall) = (limits.cpu_time, limits.wall_time);
            format!("{} s CPU, {} s wall", cpu.as_secs_f64(), wall.as_secs_f64())
        };
        let (memory, output) = (limits.memory, limits.output);
        writeln!(out, "  limits: {time}, {memory} memory, {output} output")?;
        writeln!(out, "  checker: {}", checker(problem))?;
        write_cases(out, problem, verbose)?;
        write_submissions(out, found, by_problem.of_problem(&problem.id))?;
    }
    Ok(())
}

/// A line for each submission: the expected verdict, the source, and where the verdict is stated.
fn write_submissions(out: &mut dyn Write, found: &Found, own: &[&Submission]) -> io::Result<()> {
    let common = cases_by(found, own);
    if let [only] = common.as_slice() {
        writeln!(out, "  judged on: {}", only.sentence())?;
    }
    let labels = own.iter().map(|one| one.expected.label.width());
    let width = labels.max().unwrap_or(0);
    for one in own {
        let reasons = found.reasons.get(&one.path).copied().unwrap_or_default();
        let mut notes = vec![reasons.expected.word()];
        notes.extend(reasons.cases.filter(|_| common.len() > 1).map(CasesBy::sentence));
        let expected = padded(&one.expected.label, width);
        writeln!(out, "  expected: {expected}  {} ({})", one.name, notes.join("; "))?;
    }
    Ok(())
}

/// The different reasons why cases belong to the submissions of a problem.
fn cases_by(found: &Found, own: &[&Submission]) -> Vec<CasesBy> {
    let mut all: Vec<CasesBy> = Vec::new();
    for one in own {
        let reason = found.reasons.get(&one.path).and_then(|known| known.cases);
        all.extend(reason.filter(|reason| !all.contains(reason)));
    }
    all
}

fn write_cases(out: &mut dyn Write, problem: &Problem, verbose: bool) -> io::Result<()> {
    let groups: Vec<String> = groups(problem)
        .iter()
        .map(|group| match group.name.as_str() {
            "" => group.cases.to_string(),
            name => format!("{name} {}", group.cases),
        })
        .collect();
    writeln!(out, "  cases: {}", groups.join(", "))?;
    let made: std::collections::BTreeSet<&str> =
        problem.on_demand.iter().map(|one| one.name.as_str()).collect();
    for case in problem.cases.iter().filter(|_| verbose) {
        let name = case.name();
        let note = match case.answer() {
            None if case.is_static() => " (static validation)",
            None => " (run only)",
            Some(_) if made.contains(name) => " (made on demand)",
            Some(_) => "",
        };
        writeln!(out, "    {name}{note}")?;
    }
    Ok(())
}

/// A group of cases.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ListedGroup {
    name: String,
    cases: usize,
}

fn groups(problem: &Problem) -> Vec<ListedGroup> {
    let mut groups: Vec<ListedGroup> = Vec::new();
    for case in &problem.cases {
        // In the order of names, cases of different groups can alternate.
        match groups.iter_mut().find(|group| group.name == case.group()) {
            Some(group) => group.cases += 1,
            None => groups.push(ListedGroup { name: case.group().to_owned(), cases: 1 }),
        }
    }
    groups
}

fn checker(problem: &Problem) -> String {
    let cache = Cache::open().map(|cache| cache.part(Part::Cases));
    let source = |source: &Path| {
        // A program that rejudge made from one of the package has its name.
        let is_made = !source.starts_with(&problem.dir)
            && cache.as_ref().is_ok_and(|cache| source.starts_with(cache));
        let name = source.file_name().filter(|_| is_made);
        shown(name.map_or(source, Path::new), Some(&problem.dir))
    };
    match &problem.checker {
        CheckerSpec::Exact => "exact".to_owned(),
        CheckerSpec::Lines(rule) => rule.word().to_owned(),
        CheckerSpec::FloatLines(rule) => token_words("lines", &rule.as_tokens()),
        CheckerSpec::Tokens(options) => token_words("tokens", options),
        CheckerSpec::Validator { source: path, args }
        | CheckerSpec::Static { source: path, args } => {
            let mut words = vec![source(path)];
            words.extend(args.iter().cloned());
            words.join(" ")
        }
        CheckerSpec::Validators { sources, args } => {
            let mut words: Vec<String> = sources.iter().map(|path| source(path)).collect();
            words.extend(args.iter().cloned());
            words.join(" ")
        }
        CheckerSpec::Testlib { source: path } => format!("testlib {}", source(path)),
        CheckerSpec::Foreign { source: path, convention, .. } => {
            format!("{} {}", convention.word(), source(path))
        }
    }
}

/// A built-in comparison with its options.
fn token_words(comparison: &str, options: &TokenOptions) -> String {
    let mut words = vec![comparison.to_owned()];
    if options.case_sensitive {
        words.push("case_sensitive".to_owned());
    }
    if options.space_change_sensitive {
        words.push("space_change_sensitive".to_owned());
    }
    if let Some(tolerance) = options.float_absolute {
        words.push(format!("float_absolute_tolerance {tolerance:e}"));
    }
    if let Some(tolerance) = options.float_relative {
        words.push(format!("float_relative_tolerance {tolerance:e}"));
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specimen;
    use crate::submission::Expectation;

    fn found() -> Found {
        let mut problem = specimen::problem(3);
        problem.title = Some("A \u{1b}[31mtitle".to_owned());
        let wrong = Expectation::of_folder("wrong_answer").unwrap();
        Found {
            problems: vec![problem],
            submissions: vec![
                specimen::submission("solutions/p/p.rs", Expectation::accepted()),
                specimen::submission("solutions/p/wrong_answer/w.rs", wrong),
            ],
            ..Found::default()
        }
    }

    #[test]
    fn text_shows_limits_cases_and_expectations() {
        let mut out = Vec::new();
        write_text(&mut out, &found(), false).unwrap();
        let expected = "\
p  A \\u{1b}[31mtitle
  limits: 10 s CPU, 30 s wall, 2 GiB memory, 8 MiB output
  checker: tokens
  cases: 3
  expected: accepted      solutions/p/p.rs (default)
  expected: wrong_answer  solutions/p/wrong_answer/w.rs (default)
";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn verbose_lists_every_case() {
        let mut out = Vec::new();
        write_text(&mut out, &found(), true).unwrap();
        assert!(String::from_utf8(out).unwrap().contains("  cases: 3\n    0\n    1\n    2\n"));
    }

    #[test]
    fn json_has_one_object_per_line() {
        let mut out = Vec::new();
        write_json(&mut out, &found(), false).unwrap();
        let lines: Vec<serde_json::Value> = String::from_utf8(out)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0]["type"], "problem");
        assert_eq!(lines[0]["cpu_limit_ms"], 10_000);
        assert_eq!(lines[0]["groups"][0]["cases"], 3);
        assert_eq!(lines[2]["expected"], "wrong_answer");
        let files = lines[0]["case_files"].as_array().unwrap();
        assert_eq!(files.len(), 3);
        assert!(files[0]["input"].as_str().unwrap().ends_with("0.in"));
    }
}
