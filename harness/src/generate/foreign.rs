//! Makes the missing tests of packages of other tools: Polygon, rbx, CMS, sinol, Library Checker.
//!
//! Tests that exist stay as they are: their tool may have made them on another system.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::command::split;
use super::compare::{self, FileComparison};
use super::dialogue::Dialogues;
use super::maker::Maker;
use super::programs::{MakeError, captured, copy_of, file_name, io_error, words};
use super::recipe::GeneratorCommand;
use super::validator::ValidatorKind;
use crate::left_behind::write_beneath;
use crate::problem::{InputWriter, TestAnswer, TestCommand, TestRecipe, TestRecipes, TestSource};
use crate::sandbox::Captured;

/// What became of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TestResult {
    /// A file of it was missing, and was made.
    Made,
    /// Its files exist.
    Unchanged,
    /// Another text was made than one of its files has: in a check, or the answer of a missing input.
    Different,
}

/// Makes the tests of one package.
pub(crate) struct ForeignMaker<'a, 'm> {
    dir: PathBuf,
    recipes: &'a TestRecipes,
    maker: Maker<'m>,
    /// Present if answers come from an interactor.
    dialogues: Option<Dialogues<'m>>,
    /// Whether to make every file again and to compare it.
    check: bool,
    /// The inputs that the package's writer wrote, by their paths.
    written: BTreeMap<String, Captured>,
    warnings: Vec<String>,
}

impl<'a, 'm> ForeignMaker<'a, 'm> {
    /// A maker for the package in `dir`.
    pub(crate) fn new(dir: &Path, recipes: &'a TestRecipes, maker: Maker<'m>, check: bool) -> Self {
        Self {
            dir: dir.to_owned(),
            recipes,
            maker,
            dialogues: None,
            check,
            written: BTreeMap::new(),
            warnings: Vec::new(),
        }
    }

    /// Lets answers be what an interactor writes.
    pub(crate) fn with_dialogues(mut self, dialogues: Option<Dialogues<'m>>) -> Self {
        self.dialogues = dialogues;
        self
    }

    /// Runs the program that writes all inputs, if there is one; returns the tests whose inputs are missing.
    pub(crate) fn run_writer(&mut self) -> Result<Vec<TestRecipe>, MakeError> {
        let Some(writer) = &self.recipes.writer else {
            return Ok(Vec::new());
        };
        let command = GeneratorCommand {
            source: writer.program.clone(),
            files: Vec::new(),
            args: Vec::new(),
            shown: writer.program.display().to_string(),
        };
        let (files, words) = self.maker.files_of(&command, |name| is_input(writer, name))?;
        let name = file_name(&writer.program);
        if files.is_empty() {
            let (prefix, folder) = (&writer.prefix, writer.folders[0]);
            self.warnings
                .push(format!("`{name}` wrote no file `{prefix}*.in` into `{folder}/`{words}"));
        } else if !words.is_empty() {
            self.warnings.push(format!("the messages of `{name}`:{words}"));
        }
        let mut tests = Vec::new();
        for (name, text) in files {
            let [inputs, answers] = writer.folders;
            let stem = name.strip_suffix(".in").unwrap_or(&name);
            let test = TestRecipe {
                name: stem.to_owned(),
                input: format!("{inputs}/{name}"),
                answer: format!("{answers}/{stem}.out"),
                source: TestSource::Stored,
                answered: TestAnswer::Solved,
                validators: writer.validators.clone(),
            };
            self.written.insert(test.input.clone(), text);
            if !self.dir.join(&test.input).exists() {
                tests.push(test);
            }
        }
        Ok(tests)
    }

    /// The warnings since the last call.
    pub(crate) fn warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// Makes the missing files of a test. An input that does not fit the stored answer is not written.
    pub(crate) fn make(&mut self, test: &TestRecipe) -> Result<TestResult, MakeError> {
        let (input_at, answer_at) = (self.dir.join(&test.input), self.dir.join(&test.answer));
        let (has_input, has_answer) = (input_at.is_file(), answer_at.is_file());
        if has_input && has_answer && !self.check {
            return Ok(TestResult::Unchanged);
        }
        let mut result = TestResult::Unchanged;
        let input = if has_input && !self.check {
            captured(&input_at)?
        } else {
            let input = self.input(test, &input_at)?;
            self.maker.validated(&test.validators, &input)?;
            input
        };
        // A dialogue has no certain end, and the package's tool may have stored an answer that nothing reads.
        let is_settled = has_answer && self.recipes.interactor.is_some();
        if has_answer && !is_settled && !self.check {
            // The stored answer may be that of another input.
            let answer = self.answer(test, &input)?;
            if !self.is_same(&test.answer, &answer)? {
                return Ok(TestResult::Different);
            }
        }
        if !has_input || self.check {
            self.keep(&test.input, &input, &mut result)?;
        }
        if !is_settled && (!has_answer || self.check) {
            let answer = self.answer(test, &input)?;
            self.keep(&test.answer, &answer, &mut result)?;
        }
        Ok(result)
    }

    fn input(&mut self, test: &TestRecipe, at: &Path) -> Result<Captured, MakeError> {
        match &test.source {
            TestSource::Stored => match self.written.get(&test.input) {
                Some(known) => copy_of(known),
                None => captured(at),
            },
            TestSource::Copy(path) => captured(path),
            TestSource::Made(command) => self.output(command),
        }
    }

    /// The output of a generator, or the file that it wrote instead.
    fn output(&mut self, command: &TestCommand) -> Result<Captured, MakeError> {
        let words = split(&command.line).map_err(|error| MakeError::Command(error.to_string()))?;
        let program = GeneratorCommand {
            source: command.program.clone(),
            files: Vec::new(),
            args: words.into_iter().skip(1).collect(),
            shown: command.line.clone(),
        };
        let Some(file) = &command.file else {
            return self.maker.printed(&program);
        };
        // testlib names the files of several tests by their numbers.
        let padded = format!("{file:0>2}");
        let (files, _) = self.maker.files_of(&program, |name| name == file || name == padded)?;
        let found = files.into_iter().next().map(|(_, text)| text);
        found.ok_or_else(|| MakeError::NoFile(command.line.clone(), file.clone()))
    }

    fn answer(&mut self, test: &TestRecipe, input: &Captured) -> Result<Captured, MakeError> {
        let solution = match &test.answered {
            TestAnswer::Copy(path) => return captured(path),
            TestAnswer::SolvedBy(path) => Some(path),
            TestAnswer::Solved => self.recipes.solution.as_ref(),
        };
        if self.recipes.interactor.is_some() && self.dialogues.is_none() {
            return Ok(Captured::default());
        }
        let Some(source) = solution else {
            return Err(MakeError::NoSolution);
        };
        if let Some(dialogues) = &mut self.dialogues {
            return dialogues.answer(source, input);
        }
        let program = GeneratorCommand {
            source: source.clone(),
            files: Vec::new(),
            args: Vec::new(),
            shown: source.display().to_string(),
        };
        self.maker.solved(&program, &self.recipes.streams, input)
    }

    fn keep(&self, below: &str, text: &Captured, result: &mut TestResult) -> Result<(), MakeError> {
        if !self.check {
            *result = TestResult::Made;
            return self.write(below, text);
        }
        if !self.is_same(below, text)? {
            *result = TestResult::Different;
        }
        Ok(())
    }

    fn is_same(&self, below: &str, text: &Captured) -> Result<bool, MakeError> {
        let path = self.dir.join(below);
        let found = compare::with_file(text, &path).map_err(io_error("read", &path))?;
        Ok(found == FileComparison::Same)
    }

    fn write(&self, below: &str, text: &Captured) -> Result<(), MakeError> {
        let path = self.dir.join(below);
        let written = text
            .reader()
            .and_then(|mut reader| write_beneath(&self.dir, Path::new(below), &mut reader));
        written.map_err(io_error("write", &path))
    }
}

/// Whether a program that writes inputs may have written this one.
fn is_input(writer: &InputWriter, name: &str) -> bool {
    name.starts_with(&writer.prefix) && name.strip_suffix(".in").is_some()
}

impl Maker<'_> {
    /// The text that a program without arguments prints.
    pub(crate) fn plan_of(&mut self, program: &Path) -> Result<String, MakeError> {
        let command = GeneratorCommand {
            source: program.to_owned(),
            files: Vec::new(),
            args: Vec::new(),
            shown: program.display().to_string(),
        };
        let printed = self.printed(&command)?;
        let mut text = String::new();
        let read = printed.reader().and_then(|mut reader| reader.read_to_string(&mut text));
        read.map_err(io_error("read the output of", program))?;
        Ok(text)
    }

    /// What a generator prints.
    fn printed(&mut self, program: &GeneratorCommand) -> Result<Captured, MakeError> {
        let (_, execution) = self.run_in_folder(program)?;
        if execution.stdout.is_empty() {
            return Err(MakeError::Nothing(program.shown.clone()));
        }
        Ok(execution.stdout)
    }

    /// The files that a generator leaves in its folder, by their names, and its messages.
    fn files_of(
        &mut self,
        program: &GeneratorCommand,
        wanted: impl FnMut(&str) -> bool,
    ) -> Result<(Vec<(String, Captured)>, String), MakeError> {
        let (launch, execution) = self.run_in_folder(program)?;
        let mut names =
            launch.left_names(wanted).map_err(io_error("list the files of", &program.source))?;
        names.sort();
        let mut files = Vec::new();
        for name in names {
            if let Some(mut file) = launch.left(&name) {
                let text = Captured::read_from(&mut file);
                files.push((name, text.map_err(io_error("read", &program.source))?));
            }
        }
        Ok((files, words(&execution.stderr_tail)))
    }

    /// An input must be valid for every validator.
    fn validated(
        &mut self,
        validators: &[(PathBuf, Vec<String>)],
        input: &Captured,
    ) -> Result<(), MakeError> {
        for (validator, args) in validators {
            let kind = ValidatorKind::of_foreign(validator);
            self.accept((validator, kind), args, None, input)?;
        }
        Ok(())
    }
}
