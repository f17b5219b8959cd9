//! What is here, as `list` shows it: the problems, their limits, checkers and cases, and the submissions.

use std::path::Path;

use serde::Serialize;

use crate::cache::Part;
use crate::checker_spec::{CheckerSpec, TokenOptions};
use crate::notice::shown;
use crate::problem::Problem;

mod contest;
mod json;
mod text;

pub(crate) use contest::{MeasuredAccepted, MeasuredTimes, write_contest};
pub(crate) use json::{write_contest_json, write_json};
pub(crate) use text::write_text;

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
    let cache = crate::cache::dir().join(Part::Cases.folder());
    let source = |source: &Path| {
        // A program that rejudge made from one of the package has its name.
        let is_made = !source.starts_with(&problem.dir) && source.starts_with(&cache);
        let name = source.file_name().filter(|_| is_made);
        shown(name.map_or(source, Path::new), Some(&problem.dir))
    };
    match &problem.checker {
        CheckerSpec::Exact => "exact".to_owned(),
        CheckerSpec::Lines(rule) => rule.word().to_owned(),
        CheckerSpec::Json(rule) => rule.word(),
        CheckerSpec::FloatLines(rule) => token_words("lines", &rule.as_tokens()),
        CheckerSpec::Tokens(options) if options.exact_integers => {
            format!("numbers:{:e}", options.float_absolute.unwrap_or_default())
        }
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
    use crate::discover::Found;
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
        write_text(&mut out, &found(), false, None).unwrap();
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
        write_text(&mut out, &found(), true, None).unwrap();
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
