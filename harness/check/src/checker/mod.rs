//! Decides whether an output answers a case.
//!
//! It is the fourth stage of the flow: it sees files and bytes, never the program that wrote them.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rejudge_sandbox::{Captured, RunJob, SandboxError};

mod answer_words;
mod close;
mod decimal;
pub mod exact;
mod external;
mod feedback;
mod finding;
pub mod float_lines;
mod foreign;
mod grammar;
pub mod json_values;
mod line_parts;
pub mod lines;
mod matching;
mod normal_text;
mod number;
mod place;
mod several;
pub mod tokens;
mod window;

use answer_words::CheckerStop;
pub use external::{CheckerProgram, Protocol};
pub use feedback::Feedback;
pub use finding::FoundDifference;
pub use grammar::OutputGrammar;

pub use rejudge_problem::checker_spec::{
    AnswerWords, CheckerSpec, Convention, FloatJudge, FloatLines, JsonRule, LineRule, TokenOptions,
};

/// The decision of a checker on one output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckOutcome {
    /// The output is right.
    Accepted,
    /// The output is wrong; holds the reason.
    Wrong(Mismatch),
    /// There is no answer to compare with.
    Unchecked,
    /// The checker itself failed; holds its message.
    Fault(String),
}

/// Why an output is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mismatch {
    /// One line: ``token 3: expected `4`, got `5` ``, or the validator's own message.
    pub headline: String,
    /// The lines of the validator's message after the first.
    pub rest: Option<String>,
    /// The position of the first difference in the output and in the answer, if it is known.
    pub at: Option<Difference>,
}

impl Mismatch {
    /// What a program says about the output.
    fn of_message(message: &str) -> Self {
        let mut lines = message.trim().lines();
        lines.next();
        let rest = lines.collect::<Vec<_>>().join("\n");
        Self {
            headline: foreign::first_line(message),
            rest: (!rest.trim().is_empty()).then_some(rest),
            at: None,
        }
    }

    /// The headline, with all lines of the validator's message.
    pub fn words(&self) -> String {
        match &self.rest {
            Some(rest) => format!("{}\n{rest}", self.headline),
            None => self.headline.clone(),
        }
    }
}

/// The first place where an output and its answer differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// In the output.
    pub output: Position,
    /// In the answer.
    pub answer: Position,
}

/// A position in a text: line and column from 1, columns in characters; offsets in bytes from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: u64,
    /// Column in characters, from 1.
    pub column: u64,
    /// Offset of the start of the line in bytes, from 0.
    pub line_start: u64,
    /// Offset in bytes, from 0.
    pub offset: u64,
}

/// A checker that is ready for use: a [`CheckerSpec`] whose program, if any, is built.
#[derive(Debug, Clone)]
pub enum Checker {
    /// Byte for byte.
    Exact,
    /// The ICPC default output validator.
    Tokens(TokenOptions),
    /// Line by line.
    Lines(LineRule),
    /// Line by line, with a tolerance for numbers.
    FloatLines(FloatLines),
    /// As JSON values.
    Json(JsonRule),
    /// A program of the problem.
    Program(CheckerProgram),
    /// Several output validators with their names; each must accept.
    Programs(Vec<(String, CheckerProgram)>),
    /// A grammar that the output must follow; the answer does not matter.
    Grammar(OutputGrammar),
}

/// The files of a case that a checker may read.
#[derive(Debug, Clone, Copy)]
pub struct CheckerFiles<'a> {
    /// The input.
    pub input: &'a Path,
    /// The answer; without it nothing is checked.
    pub answer: Option<&'a Path>,
}

/// A checker's outcome and its messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The outcome.
    pub outcome: CheckOutcome,
    /// `judgemessage.txt` of an output validator, cut and safe to show.
    pub judge_message: Option<String>,
    /// `teammessage.txt` of an output validator, cut and safe to show.
    pub team_message: Option<String>,
    /// The bytes of `judgemessage.txt`, up to a limit; not safe to show.
    pub judge_bytes: Vec<u8>,
    /// The score files of an output validator.
    pub score_files: ScoreFiles,
    /// Whether a program of the checker exceeded a time limit.
    pub timed_out: bool,
}

/// The score files of an output validator, unparsed, up to a limit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScoreFiles {
    /// `score.txt`.
    pub score: Option<Vec<u8>>,
    /// `score_multiplier.txt`.
    pub multiplier: Option<Vec<u8>>,
    /// Whether a testlib program awarded points, which only problems with scores allow.
    pub points: bool,
    /// The message of a checker that accepted the output in part or awarded points. A part is a wrong answer for some
    /// judges, and without scores.
    pub partly: Option<String>,
}

impl ScoreFiles {
    /// Whether an output validator of the package wrote `score.txt`.
    pub fn is_own_score(&self) -> bool {
        self.score.is_some() && self.is_of_validator()
    }

    /// Whether the scores are those of an output validator of a package, and not of a checker of another judge.
    pub fn is_of_validator(&self) -> bool {
        !self.points && self.partly.is_none()
    }
}

impl Checked {
    /// Whether the checker printed `message`: in `judgemessage.txt`, or in the explanation of a
    /// built-in checker.
    pub fn says(&self, message: &str) -> bool {
        let built_in = match &self.outcome {
            CheckOutcome::Wrong(mismatch) => mismatch.headline.contains(message),
            _ => false,
        };
        built_in || memchr::memmem::find(&self.judge_bytes, message.as_bytes()).is_some()
    }
}

impl From<CheckOutcome> for Checked {
    fn from(outcome: CheckOutcome) -> Self {
        Self {
            outcome,
            judge_message: None,
            team_message: None,
            judge_bytes: Vec::new(),
            score_files: ScoreFiles::default(),
            timed_out: false,
        }
    }
}

/// Checks one output; `run` starts the checker's program, if it has one. The program writes to `feedback`, or to a
/// new folder if there is none. `Err` is only a failure or an interruption of the sandbox.
pub fn check(
    checker: &Checker,
    case: CheckerFiles<'_>,
    output: &Captured,
    feedback: Option<&Feedback>,
    run: &mut RunJob<'_>,
) -> Result<Checked, SandboxError> {
    let Some(answer) = case.answer else {
        return Ok(CheckOutcome::Unchecked.into());
    };
    let compared = match checker {
        Checker::Exact => compare(output, answer, |o, a| exact::compare(o, a)),
        Checker::Tokens(options) => compare(output, answer, |o, a| tokens::compare(o, a, options))
            .and_then(|outcome| {
                unless_answer_fails(outcome, output.len(), answer, options.answers)
            }),
        Checker::Lines(rule) => compare(output, answer, |o, a| lines::compare(o, a, *rule)),
        Checker::FloatLines(rule) => {
            compare(output, answer, |o, a| float_lines::compare(o, a, rule))
        }
        Checker::Json(rule) => compare(output, answer, |o, a| json_values::compare(o, a, *rule)),
        Checker::Program(program) => {
            return match feedback {
                Some(feedback) => program.check(case, output, feedback, run),
                None => program.check(case, output, &Feedback::new()?, run),
            };
        }
        Checker::Programs(programs) => {
            let temporary = std::env::temp_dir();
            let place = feedback.map_or(temporary.as_path(), Feedback::around);
            return several::check(programs, case, output, place, run);
        }
        Checker::Grammar(grammar) => return Ok(grammar.check(output)),
    };
    let outcome = compared.unwrap_or_else(|error| CheckOutcome::Fault(error.to_string()));
    Ok(outcome.into())
}

/// The outcome, unless the checker cannot read a word of the answer before the difference. The output has `length` bytes.
fn unless_answer_fails(
    outcome: CheckOutcome,
    length: u64,
    answer: &Path,
    words: AnswerWords,
) -> Result<CheckOutcome, CompareError> {
    if words == AnswerWords::Any {
        return Ok(outcome);
    }
    let stop = match &outcome {
        CheckOutcome::Wrong(Mismatch { at, .. }) => at.map(|Difference { output, answer }| {
            CheckerStop { answer: answer.offset, output_ended: output.offset >= length }
        }),
        _ => None,
    };
    let fault = File::open(answer).and_then(|file| answer_words::fault(file, words, stop));
    let fault = fault.map_err(|error| CompareError::Answer(answer.to_path_buf(), error))?;
    Ok(fault.map_or(outcome, CheckOutcome::Fault))
}

/// Why a built-in checker cannot compare an output with an answer.
#[derive(Debug, thiserror::Error)]
enum CompareError {
    #[error("cannot read the answer `{}`: {}", .0.display(), .1)]
    Answer(PathBuf, io::Error),
    #[error("cannot compare the output with `{}`: {}", .0.display(), .1)]
    Output(PathBuf, io::Error),
}

/// Runs a built-in checker on an output and the answer's file.
fn compare(
    output: &Captured,
    answer: &Path,
    by: impl FnOnce(&mut dyn io::Read, &mut dyn io::Read) -> io::Result<Option<FoundDifference>>,
) -> Result<CheckOutcome, CompareError> {
    let unreadable = |error| CompareError::Answer(answer.to_path_buf(), error);
    let mut file = File::open(answer).map_err(unreadable)?;
    let compared: io::Result<_> = (|| {
        let Some(finding) = by(&mut output.reader()?, &mut file)? else {
            return Ok(CheckOutcome::Accepted);
        };
        let mismatch = finding.explain(output.reader()?, File::open(answer)?)?;
        Ok(CheckOutcome::Wrong(mismatch))
    })();
    compared.map_err(|error| CompareError::Output(answer.to_path_buf(), error))
}

#[cfg(test)]
mod tests;
