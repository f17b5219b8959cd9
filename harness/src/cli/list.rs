//! `rejudge list`: lists the problems and solutions that `run` would judge.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

use super::build_args::BuildArgs;
use super::exit::Exit;
use super::json_output::{JsonArgs, JsonOutput};
use super::project::Project;
use super::stream;
use super::time_limits::is_inferred;
use crate::checker_spec::CheckerSpec;
use crate::discover::Found;
use crate::limits::{self, LimitOverrides};
use crate::notice::{Notice, shown};
use crate::problem::{Problem, TestCase, Wish, layouts};
use crate::report::json_line;
use crate::submission::Submission;

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
pub(crate) fn list(args: &ListArgs) -> Result<Exit> {
    let wish = Wish {
        layout: args.layout.as_deref(),
        checked: false,
    };
    let cases = args.cases.as_deref();
    let mut output = args.json.open()?;
    let project = Project::open_as(wish, &args.paths, cases, &BuildArgs::default())?;
    report(args, &project.found, &mut output)
}

fn report(args: &ListArgs, found: &Found, output: &mut JsonOutput) -> Result<Exit> {
    for warning in &found.warnings {
        stream::warn(warning);
    }
    for error in &found.errors {
        stream::error(error);
    }
    let exit = output.write(
        |out| write_json(out, found, args.verbose),
        |out| write_text(out, found, args.verbose),
    )?;
    Ok(exit.or_fault(!found.errors.is_empty()))
}

fn submissions_of<'a>(found: &'a Found, id: &'a str) -> impl Iterator<Item = &'a Submission> {
    found
        .submissions
        .iter()
        .filter(move |one| one.problem == id)
}

fn write_text(out: &mut dyn Write, found: &Found, verbose: bool) -> io::Result<()> {
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
        let width = submissions_of(found, &problem.id)
            .map(|one| one.expected.label.chars().count())
            .max()
            .unwrap_or(0);
        for one in submissions_of(found, &problem.id) {
            writeln!(out, "  {:width$}  {}", one.expected.label, one.name)?;
        }
    }
    Ok(())
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
    let made: std::collections::BTreeSet<&str> = problem
        .on_demand
        .iter()
        .map(|one| one.name.as_str())
        .collect();
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
struct Group {
    name: String,
    cases: usize,
}

fn groups(problem: &Problem) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for case in &problem.cases {
        // In the order of names, cases of different groups can alternate.
        match groups.iter_mut().find(|group| group.name == case.group()) {
            Some(group) => group.cases += 1,
            None => groups.push(Group {
                name: case.group().to_owned(),
                cases: 1,
            }),
        }
    }
    groups
}

fn checker(problem: &Problem) -> String {
    let source = |source: &std::path::Path| shown(source, Some(&problem.dir));
    match &problem.checker {
        CheckerSpec::Exact => "exact".to_owned(),
        CheckerSpec::Lines(rule) => rule.word().to_owned(),
        CheckerSpec::Tokens(options) => {
            let mut words = vec!["tokens".to_owned()];
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
        CheckerSpec::Foreign {
            source: path,
            convention,
        } => format!("{} {}", convention.word(), source(path)),
    }
}

/// The files of a case, by their whole paths.
#[derive(Debug, Serialize)]
struct CaseLine<'a> {
    name: &'a str,
    input: String,
    /// `None`: the case is only run.
    answer: Option<String>,
}

impl<'a> CaseLine<'a> {
    fn of(case: &'a TestCase) -> Self {
        Self {
            name: case.name(),
            input: shown(&case.input(), None),
            answer: case.answer().map(|path| shown(&path, None)),
        }
    }
}

/// A line of `--json`.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line<'a> {
    Problem {
        schema: u32,
        problem: &'a str,
        title: Option<&'a str>,
        dir: String,
        package: bool,
        cpu_limit_ms: Option<u128>,
        wall_limit_ms: Option<u128>,
        memory_limit_bytes: u64,
        output_limit_bytes: u64,
        checker: String,
        groups: Vec<Group>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cases: Option<Vec<&'a str>>,
        case_files: Vec<CaseLine<'a>>,
    },
    Submission {
        schema: u32,
        submission: &'a str,
        path: String,
        problem: &'a str,
        language: &'a str,
        expected: &'a str,
    },
    Warning(NoticeLine<'a>),
    Error(NoticeLine<'a>),
}

/// An error or a warning in JSON.
#[derive(Debug, Serialize)]
struct NoticeLine<'a> {
    schema: u32,
    code: &'static str,
    file: Option<&'a str>,
    line: Option<u64>,
    column: Option<u64>,
    message: &'a str,
    help: Option<&'a str>,
}

impl<'a> NoticeLine<'a> {
    fn of(notice: &'a Notice) -> Self {
        let location = notice.location.as_ref();
        let place = location
            .map(|location| location.place)
            .filter(|place| place.line > 0);
        Self {
            schema: SCHEMA,
            code: notice.code.name(),
            file: location.map(|location| location.file.as_str()),
            line: place.map(|place| place.line),
            column: place.map(|place| place.column.max(1)),
            message: &notice.message,
            help: notice.help.as_deref(),
        }
    }
}

const SCHEMA: u32 = 1;

fn write_json(out: &mut dyn Write, found: &Found, verbose: bool) -> io::Result<()> {
    let mut line = |line: &Line<'_>| json_line::write(&mut *out, line);
    for problem in &found.problems {
        line(&problem_line(problem, verbose))?;
        for one in submissions_of(found, &problem.id) {
            line(&Line::Submission {
                schema: SCHEMA,
                submission: &one.name,
                path: shown(&one.path, None),
                problem: &one.problem,
                language: &one.language,
                expected: &one.expected.label,
            })?;
        }
    }
    for notice in &found.warnings {
        line(&Line::Warning(NoticeLine::of(notice)))?;
    }
    for notice in &found.errors {
        line(&Line::Error(NoticeLine::of(notice)))?;
    }
    Ok(())
}

fn problem_line(problem: &Problem, verbose: bool) -> Line<'_> {
    let limits = limits::of_solution(Some(problem), None, &LimitOverrides::default());
    let known = !is_inferred(problem);
    Line::Problem {
        schema: SCHEMA,
        problem: &problem.id,
        title: problem.title.as_deref(),
        dir: shown(&problem.dir, None),
        package: problem.is_package,
        cpu_limit_ms: known.then_some(limits.cpu_time.as_millis()),
        wall_limit_ms: known.then_some(limits.wall_time.as_millis()),
        memory_limit_bytes: limits.memory.get(),
        output_limit_bytes: limits.output.get(),
        checker: checker(problem),
        groups: groups(problem),
        cases: verbose.then(|| problem.cases.iter().map(TestCase::name).collect()),
        case_files: problem.cases.iter().map(CaseLine::of).collect(),
    }
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
  accepted      solutions/p/p.rs
  wrong_answer  solutions/p/wrong_answer/w.rs
";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn verbose_lists_every_case() {
        let mut out = Vec::new();
        write_text(&mut out, &found(), true).unwrap();
        assert!(
            String::from_utf8(out)
                .unwrap()
                .contains("  cases: 3\n    0\n    1\n    2\n")
        );
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
