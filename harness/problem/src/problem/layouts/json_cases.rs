//! Cases that a tool stores as strings: CPH's files, and exports in JSON. They are written to
//! files, once.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::companion::CompanionProblem;
use super::{json, store};
use crate::checker_spec::CheckerSpec;
use crate::notice::{Code, Notice, Notices};
use crate::plain_file;
use crate::problem::{CaseFiles, CaseSet, Problem, TestCase};

/// Reads a problem of CPH from the file that messages call `shown`.
pub(super) fn read_companion(path: &Path, shown: &str) -> Result<CompanionProblem, Notice> {
    read_json(path, shown)
}

/// Reads a JSON file that messages call `shown`.
fn read_json<T: DeserializeOwned>(path: &Path, shown: &str) -> Result<T, Notice> {
    let text = plain_file::read_text(path).map_err(|error| Notice::unreadable(shown, &error))?;
    json::parse(&text, shown)
}

/// Reads a file of CPH.
pub(super) fn load_prob(path: &Path, notices: &mut Notices) -> Option<Problem> {
    let shown = notices.show(path);
    let problem = match read_companion(path, &shown) {
        Ok(problem) => problem,
        Err(fault) => {
            notices.error(fault);
            return None;
        }
    };
    if problem.interactive {
        notices.error_help(
            Code::Unsupported.of_file(
                &shown,
                "describes an interactive problem, whose samples are not test cases",
            ),
            "talk to it yourself: `rejudge exec SOURCE`",
        );
        return None;
    }
    let texts = problem.tests.iter().zip(1..).map(|(test, number)| CaseText {
        name: number.to_string(),
        input: test.input.clone(),
        answer: Some(test.output.clone()),
        checker: None,
    });
    let cases = written(&texts.collect::<Vec<_>>(), path, notices)?;
    Some(Problem {
        title: Some(problem.name.clone()),
        limits: problem.limits(),
        streams: problem.streams(),
        cases,
        ..Problem::foreign(path.parent().unwrap_or(path))
    })
}

/// A case that is not stored in files.
pub(super) struct CaseText {
    pub(super) name: String,
    pub(super) input: String,
    pub(super) answer: Option<String>,
    /// The checker, if the case has one of its own.
    pub(super) checker: Option<CheckerSpec>,
}

/// Writes the cases that `path` contains as strings to files.
pub(super) fn written(
    texts: &[CaseText],
    path: &Path,
    notices: &mut Notices,
) -> Option<Vec<TestCase>> {
    let shown = notices.show(path);
    if texts.is_empty() {
        notices.error_help(
            Code::NoCases.of_file(&shown, "has no test cases"),
            "add some with the tool that made the file",
        );
        return None;
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"texts 2\n");
    for text in texts {
        for part in [Some(&text.name), Some(&text.input), text.answer.as_ref()] {
            // A length that no text has marks a missing answer.
            let length = part.map_or(u64::MAX, |part| part.len() as u64);
            hasher.update(&length.to_le_bytes());
            hasher.update(part.map_or(&[][..], String::as_bytes));
        }
    }
    let folder = store::materialise(&hasher.finalize(), |folder| {
        for (text, number) in texts.iter().zip(1..) {
            store::write_new(folder, format!("{number}.in"), text.input.as_bytes())?;
            if let Some(answer) = &text.answer {
                store::write_new(folder, format!("{number}.ans"), answer.as_bytes())?;
            }
        }
        Ok(())
    });
    let folder = match folder {
        Ok(folder) => folder,
        Err(error) => {
            notices.error(error.notice(&format!("the cases of {shown}")));
            return None;
        }
    };
    let set = Arc::new(CaseSet {
        root: folder,
        input: ".in",
        answer: Some(".ans"),
        ..CaseSet::default()
    });
    let cases = texts.iter().zip(1..).map(|(text, number)| {
        let set = match &text.checker {
            None => Arc::clone(&set),
            own => Arc::new(CaseSet { checker: own.clone(), ..(*set).clone() }),
        };
        let files = CaseFiles {
            input: PathBuf::from(format!("{number}.in")),
            answer: text.answer.as_ref().map(|_| PathBuf::from(format!("{number}.ans"))),
        };
        TestCase::with_files(text.name.as_str(), set, files)
    });
    Some(cases.collect())
}

/// Reads an export: a list of `{input, output}`.
pub(super) fn load_export(path: &Path, notices: &mut Notices) -> Option<Problem> {
    #[derive(serde::Deserialize)]
    struct ExportedCase {
        input: String,
        output: Option<String>,
    }
    let shown = notices.show(path);
    let pairs: Vec<ExportedCase> = match read_json(path, &shown) {
        Ok(pairs) => pairs,
        Err(fault) => {
            let is_json = fault.code != Code::UnreadableFile;
            let help = "cases in JSON are a list of `{\"input\": …, \"output\": …}`";
            notices.error(if is_json { fault.help(help) } else { fault });
            return None;
        }
    };
    let texts = pairs.into_iter().zip(1..).map(|(pair, number)| CaseText {
        name: number.to_string(),
        input: pair.input,
        answer: pair.output,
        checker: None,
    });
    let cases = written(&texts.collect::<Vec<_>>(), path, notices)?;
    Some(Problem { cases, ..Problem::foreign(path.parent().unwrap_or(path)) })
}
