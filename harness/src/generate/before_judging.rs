//! Makes the cases that a generator of the package makes before they are judged.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::programs::{MakeError, build, io_error, limits as program_limits, words};
use crate::cache;
use crate::compile::{Compiler, Terms};
use crate::decide;
use crate::judge::Launch;
use crate::language::Languages;
use crate::left_behind::Temporary;
use crate::limits::of_validator;
use crate::problem::{GeneratedCase, Problem, ProblemLimits, with_line_ends};
use crate::sandbox::{Captured, Input, RunJob};
use crate::whole_file;

/// The file with what the generator writes to standard error.
const ANSWER: &str = "standard-error";

/// Whether the files of the case exist.
pub(super) fn is_there(case: &GeneratedCase) -> bool {
    let mut files = [&case.input, &case.answer].into_iter().flatten();
    files.all(|file| file.is_file())
}

/// Makes the files of a case of `problem`.
pub(super) fn make(
    problem: &Problem,
    case: &GeneratedCase,
    (languages, compiler): (&Languages, &Compiler),
    run: &mut RunJob<'_>,
) -> Result<(), MakeError> {
    let terms = Terms::of_program(problem);
    let artifact = build(languages, compiler, &case.program, terms, run)?;
    let limits = of_validator(&ProblemLimits {
        validation_time: case.cpu_time,
        validation_memory: case.memory,
        validation_output: Some(program_limits().output),
        ..ProblemLimits::default()
    });
    let temp = std::env::temp_dir();
    let folder = Temporary::new_in(&temp, "rejudge-generate-")
        .map_err(io_error("create a folder in", &temp))?;
    let mut launch = Launch::in_own_folder(&artifact, &case.args, folder, &limits);
    // A shell sends the messages to a file, which may be as large as an answer.
    let redirected = ["/bin/sh", "-c", "exec \"$0\" \"$@\" 2>standard-error"];
    launch.job.argv.splice(0..0, redirected.map(Into::into));
    let input = match &case.reads {
        Some(path) => Input::File(File::open(path).map_err(io_error("open", path))?),
        None => Input::Empty,
    };
    let execution = launch.run(input, run)?;
    let answer = match launch.left(ANSWER) {
        Some(mut file) => {
            Captured::read_from(&mut file).map_err(io_error("read", Path::new(ANSWER)))?
        }
        None => Captured::default(),
    };
    if let Some((_, evidence)) = decide::of_execution(&execution, &limits) {
        let tail = answer.as_slice().unwrap_or_default();
        return Err(MakeError::Failed {
            role: "generator",
            program: case.program.display().to_string(),
            evidence,
            words: words(tail),
        });
    }
    keep(case.input.as_deref(), &execution.stdout)?;
    if case.is_binary {
        return keep(case.answer.as_deref(), &answer);
    }
    let mut text = Vec::new();
    let mut reader = answer.reader().map_err(io_error("read", Path::new(ANSWER)))?;
    let read = reader.read_to_end(&mut text);
    read.map_err(io_error("read", Path::new(ANSWER)))?;
    let text = with_line_ends(&text).unwrap_or(text);
    keep(case.answer.as_deref(), &Captured::from_bytes(text))
}

fn keep(path: Option<&Path>, text: &Captured) -> Result<(), MakeError> {
    let Some(path) = path else {
        return Ok(());
    };
    cache::writable().map_err(io_error("write", path))?;
    let written = text.reader().and_then(|mut reader| whole_file::write(path, &mut reader));
    written.map_err(io_error("write", path))
}
