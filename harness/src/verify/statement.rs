//! Checks that there is a statement and that its samples are those that are judged.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Finding, FindingSubject};
use crate::notice::Code;
use crate::problem::Problem;

/// Folders of statements: of 2025-09, then of the legacy format.
const FOLDERS: [&str; 2] = ["statement", "problem_statement"];

/// A sample as a statement shows it.
#[derive(Debug, PartialEq, Eq)]
struct ShownSample {
    /// Whether it is an input; otherwise it is an output.
    input: bool,
    text: String,
    /// Line of the statement, from 1.
    line: usize,
}

/// Checks the statements of `problem`.
pub(super) fn check(problem: &Problem, findings: &mut Vec<Finding>) {
    let statements = statements(&problem.dir);
    if statements.is_empty() {
        let finding = Finding::warning(
            FindingSubject::Statement,
            Code::MissingStatement,
            "there is no statement",
        );
        findings.push(
            finding.at(problem.dir.join(FOLDERS[0])).help("write it to `statement/problem.en.md`"),
        );
    }
    let samples = samples(problem);
    for path in statements {
        let Ok(text) = fs::read_to_string(&path) else {
            // A statement may be a PDF, which is not checked.
            continue;
        };
        compare(&path, &text, &samples, findings);
    }
}

fn statements(dir: &Path) -> Vec<PathBuf> {
    let folders = FOLDERS.iter().map(|name| dir.join(name));
    let entries = folders.filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let is_text = [".md", ".tex", ".pdf"].iter().any(|end| name.ends_with(end));
            name.starts_with("problem.") && is_text
        })
        .collect();
    // DOMjudge has the statement beside `problem.yaml`.
    let beside = ["problem.pdf", "problem.html", "problem.txt"].map(|name| dir.join(name));
    found.extend(beside.into_iter().filter(|path| path.is_file()));
    found.sort();
    found
}

/// The samples as the statement should show them: inputs and outputs, in order.
fn samples(problem: &Problem) -> Vec<(String, String)> {
    let cases = problem.cases.iter().filter(|case| case.name().starts_with("sample/"));
    let read = |path: &Path| {
        let mut special = path.as_os_str().to_owned();
        special.push(".statement");
        fs::read_to_string(special).or_else(|_| fs::read_to_string(path))
    };
    cases
        .filter_map(|case| Some((read(&case.input()).ok()?, read(&case.answer()?).ok()?)))
        .collect()
}

fn compare(path: &Path, text: &str, samples: &[(String, String)], findings: &mut Vec<Finding>) {
    let asked = text.matches("{{nextsample}}").count() + text.matches("\\nextsample").count();
    if asked > samples.len() {
        let message = format!("asks for {asked} samples, but `data/sample` has {}", samples.len());
        findings
            .push(Finding::error(FindingSubject::Statement, Code::WrongSample, message).at(path));
    }
    for shown in shown_samples(text) {
        let judged = |(input, answer): &(String, String)| {
            let text = if shown.input { input } else { answer };
            same(text, &shown.text)
        };
        if samples.iter().any(judged) {
            continue;
        }
        let (kind, ending) = if shown.input { ("input", "in") } else { ("output", "ans") };
        let message = format!(
            "line {}: the sample {kind} shown is not in any `.{ending}` file of `data/sample`",
            shown.line
        );
        let finding =
            Finding::error(FindingSubject::Statement, Code::WrongSample, message).at(path);
        findings.push(finding.help("correct the statement or the sample"));
    }
}

/// Ignores blanks at the ends of lines and empty lines at both ends, because readers do not see
/// them.
fn same(one: &str, other: &str) -> bool {
    let lines = |text: &str| -> Vec<String> {
        let trimmed = text.trim_matches(['\n', '\r']);
        trimmed.lines().map(|line| line.trim_end().to_owned()).collect()
    };
    lines(one) == lines(other)
}

/// The code blocks after headings such as `Sample Input 1`, in Markdown or in LaTeX.
fn shown_samples(text: &str) -> Vec<ShownSample> {
    let mut found = Vec::new();
    let mut heading = None;
    let mut block: Option<(usize, String)> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let bare = line.trim();
        let fence = bare.starts_with("```") || bare.starts_with("~~~");
        let begins = fence || bare.starts_with("\\begin{verbatim}");
        let ends = fence || bare.starts_with("\\end{verbatim}");
        match &mut block {
            Some(_) if ends => {
                if let (Some((line, text)), Some(input)) = (block.take(), heading) {
                    found.push(ShownSample { input, text, line });
                }
            }
            Some((_, text)) => {
                text.push_str(line);
                text.push('\n');
            }
            None if begins => block = Some((number + 1, String::new())),
            None if is_heading(bare) => heading = sample_kind(bare),
            None => {}
        }
    }
    found
}

fn is_heading(line: &str) -> bool {
    let sections = ["\\section", "\\subsection", "\\paragraph"];
    let bold = line.starts_with("**") && line.trim_end_matches(':').ends_with("**");
    line.starts_with('#') || bold || sections.iter().any(|section| line.starts_with(section))
}

/// Whether a heading announces a sample's input (`true`) or its output.
fn sample_kind(heading: &str) -> Option<bool> {
    let heading = heading.to_ascii_lowercase();
    if !heading.contains("sample") && !heading.contains("example") {
        return None;
    }
    match (heading.contains("input"), heading.contains("output")) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_the_code_blocks_under_sample_headings() {
        let text = "# Sum\n```\nnot a sample\n```\n## Sample Input 1\n\n```text\n1 2\n```\n\
                    ## Sample Output 1\n~~~\n3\n~~~\n## Notes\n```\n7\n```\n";
        let shown = shown_samples(text);
        let table: Vec<_> = shown.iter().map(|s| (s.input, s.text.as_str(), s.line)).collect();
        assert_eq!(table, [(true, "1 2\n", 8), (false, "3\n", 12)]);
        let tex = "\\section*{Sample input}\n\\begin{verbatim}\n5\n\\end{verbatim}\n";
        assert_eq!(shown_samples(tex).len(), 1);
    }

    #[test]
    fn a_statement_with_a_different_sample_is_reported() {
        let path = Path::new("statement/problem.en.md");
        let samples = [("1 2\n".to_owned(), "3\n".to_owned())];
        for (text, found) in [
            ("**Sample input**\n```\n1 2 \n\n```\n", 0),
            ("**Sample input**\n```\n1 3\n```\n", 1),
            ("**Sample output:**\n```\n1 2\n```\n", 1),
            ("{{nextsample}}\n", 0),
            ("{{nextsample}} {{nextsample}}\n", 1),
        ] {
            let mut findings = Vec::new();
            compare(path, text, &samples, &mut findings);
            assert_eq!(findings.len(), found, "{text}");
        }
    }
}
