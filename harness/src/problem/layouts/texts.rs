//! Cases that a tool stores as strings: CPH's files, and exports in JSON. They are written to
//! files, once.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::companion::CompanionProblem;
use super::parts::ForeignProblem;
use super::store;
use crate::notice::{Code, Notice, Notices};
use crate::plain_file;
use crate::problem::{CaseFiles, CaseSet, TestCase};

pub(super) fn read_companion(path: &Path) -> Result<CompanionProblem, String> {
    let text = plain_file::read_text(path).map_err(|error| format!(" cannot read it: {error}"))?;
    serde_json::from_str(&text).map_err(|error| {
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        format!("{}:{}: {message}", error.line(), error.column())
    })
}

/// Reads a file of CPH.
pub(super) fn load_prob(path: &Path, notices: &mut Notices) -> Option<ForeignProblem> {
    let shown = notices.show(path);
    let problem = match read_companion(path) {
        Ok(problem) => problem,
        Err(why) => {
            notices.error(
                Code::InvalidValue
                    .says(format!("{shown}:{why}"))
                    .about(&shown),
            );
            return None;
        }
    };
    if problem.interactive {
        notices.error_help(
            Code::Unsupported
                .says(format!(
                    "{shown} describes an interactive problem, whose samples are not test cases"
                ))
                .about(&shown),
            "talk to it yourself: `rejudge exec SOURCE`",
        );
        return None;
    }
    let texts = problem.tests.iter().zip(1..).map(|(test, number)| Text {
        name: number.to_string(),
        input: test.input.clone(),
        answer: Some(test.output.clone()),
    });
    let cases = written(&texts.collect::<Vec<_>>(), path, notices)?;
    Some(ForeignProblem {
        title: Some(problem.name.clone()),
        limits: problem.limits(),
        ..ForeignProblem::plain(cases)
    })
}

/// A case that is not stored in files.
pub(super) struct Text {
    pub(super) name: String,
    pub(super) input: String,
    pub(super) answer: Option<String>,
}

/// Writes the cases that `path` contains as strings to files.
pub(super) fn written(texts: &[Text], path: &Path, notices: &mut Notices) -> Option<Vec<TestCase>> {
    let shown = notices.show(path);
    if texts.is_empty() {
        notices.error_help(
            Code::NoCases
                .says(format!("{shown} has no test cases"))
                .about(&shown),
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
            store::write_new(folder, &format!("{number}.in"), text.input.as_bytes())?;
            if let Some(answer) = &text.answer {
                store::write_new(folder, &format!("{number}.ans"), answer.as_bytes())?;
            }
        }
        Ok(())
    });
    let folder = match folder {
        Ok(folder) => folder,
        Err(error) => {
            notices.error(
                Code::UnreadableFile.says(format!("cannot read the cases of {shown}: {error}")),
            );
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
        let files = CaseFiles {
            input: PathBuf::from(format!("{number}.in")),
            answer: text
                .answer
                .as_ref()
                .map(|_| PathBuf::from(format!("{number}.ans"))),
        };
        TestCase::with_files(text.name.as_str(), Arc::clone(&set), files)
    });
    Some(cases.collect())
}

/// Reads an export: a list of `{input, output}`.
pub(super) fn load_export(path: &Path, notices: &mut Notices) -> Option<ForeignProblem> {
    #[derive(serde::Deserialize)]
    struct Pair {
        input: String,
        output: Option<String>,
    }
    let shown = notices.show(path);
    let text = match plain_file::read_text(path) {
        Ok(text) => text,
        Err(error) => {
            notices.error(Notice::unreadable(&shown, &error));
            return None;
        }
    };
    let pairs: Vec<Pair> = match serde_json::from_str(&text) {
        Ok(pairs) => pairs,
        Err(error) => {
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default();
            notices.error_help(
                Code::InvalidSyntax
                    .says(format!(
                        "{shown}:{}:{}: {message}",
                        error.line(),
                        error.column()
                    ))
                    .about(&shown),
                "cases in JSON are a list of `{\"input\": …, \"output\": …}`",
            );
            return None;
        }
    };
    let texts = pairs.into_iter().zip(1..).map(|(pair, number)| Text {
        name: number.to_string(),
        input: pair.input,
        answer: pair.output,
    });
    let cases = written(&texts.collect::<Vec<_>>(), path, notices)?;
    Some(ForeignProblem::plain(cases))
}
