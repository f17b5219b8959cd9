//! Creates one case: runs its generator, the reference solution and the input validators.
//!
//! Every program is compiled once and runs in the sandbox like a submission, with generous limits
//! of its own. This module writes no files of the problem.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use rejudge_checktestdata::{Grammar, Ruling};

use super::plan::GenerationPlan;
use super::programs::{
    MakeError, build, captured, copy_of, failed, file_name, io_error, joined, limits,
    messages_of_both, plain_path, script, stdin, succeeded,
};
use super::recipe::{AnswerSource, GeneratorCommand, IMAGES, Recipe, TEXTS};
use super::validator::ValidatorKind;
use super::viva::{self, is_viva, lacks_viva};
use super::{command, source, workplace};
use crate::compile::{Artifact, Compiler, Terms};
use crate::decide;
use crate::judge::{Launch, Solution};
use crate::language::Languages;
use crate::left_behind::Temporary;
use crate::problem::{Additions, Streams, TestCase, is_grammar};
use crate::sandbox::{Captured, Execution, Exit, Input, RunJob};
use crate::submission::FileNames;

/// Folders of input validators: the current name and that of the legacy format.
pub(crate) const VALIDATORS: [&str; 2] = ["input_validators", "input_format_validators"];

/// Creates cases and holds the compiled programs.
pub(crate) struct Maker<'a> {
    languages: &'a Languages,
    compiler: &'a Compiler,
    run: &'a mut RunJob<'a>,
    artifacts: HashMap<PathBuf, Artifact>,
    /// The package's folder.
    dir: PathBuf,
    /// What the package adds to the sources of its programs.
    additions: Additions,
    /// The folder of the package in which its generators run, in a copy of the package. `None`: they run alone.
    current: Option<&'static str>,
    /// Warnings: patterns that a case does not contain, and validators that are not run.
    warnings: Vec<String>,
    /// The validators that are grammars.
    grammars: HashMap<PathBuf, Grammar>,
    /// The validators that are not run.
    skipped: BTreeSet<PathBuf>,
}

/// The files of a created case, by their endings.
#[derive(Debug, Default)]
pub(crate) struct Made(pub(super) BTreeMap<&'static str, Captured>);

impl Made {
    /// The input and the answer, if the case has both.
    pub(super) fn pair(&self) -> Option<(&Captured, &Captured)> {
        Some((self.0.get("in")?, self.0.get("ans")?))
    }
}

impl<'a> Maker<'a> {
    /// Creates a maker for the package in `dir`; it has compiled nothing yet.
    pub(crate) fn new(
        languages: &'a Languages,
        compiler: &'a Compiler,
        run: &'a mut RunJob<'a>,
        dir: &Path,
    ) -> Self {
        Self {
            languages,
            compiler,
            run,
            artifacts: HashMap::new(),
            dir: dir.to_owned(),
            additions: Additions::constants_in(dir),
            current: None,
            warnings: Vec::new(),
            grammars: HashMap::new(),
            skipped: BTreeSet::new(),
        }
    }

    /// Sets what the package adds to the sources of its programs.
    pub(crate) fn with_additions(mut self, additions: &Additions) -> Self {
        self.additions = additions.clone();
        self
    }

    /// Lets generators run in this folder of a copy of the package.
    pub(crate) fn running_in(mut self, current: Option<&'static str>) -> Self {
        self.current = current;
        self
    }

    /// The warnings since the last call.
    pub(crate) fn warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// Creates `case` of `plan`.
    pub(crate) fn make(&mut self, plan: &GenerationPlan, case: &Recipe) -> Result<Made, MakeError> {
        let judged = plan.judged(case);
        let mut made = self.generated(&case.attempts)?;
        for (ending, path) in &case.copies {
            made.0.insert(ending, captured(path)?);
        }
        for (ending, text) in &case.texts {
            let text = Captured::from_bytes(text.clone().into_bytes());
            made.0.insert(ending, text);
        }
        if let Some(input) = made.0.get("in") {
            let root = case.root();
            if !matches!(root, "invalid_input" | "testing_tool_test") {
                self.validate(plan, judged, input)?;
            }
            self.match_patterns(case, "in", input)?;
            if !made.0.contains_key("ans") {
                let input = stdin(input)?;
                if let Some(answer) = self.answer(case, judged, input)? {
                    made.0.insert("ans", answer);
                }
            }
            if matches!(root, "valid_output" | "invalid_output") && !made.0.contains_key("out") {
                return Err(MakeError::MissingFile("out"));
            }
        } else if case.root() != "sample" || !is_shown(&made) {
            return Err(MakeError::MissingFile("in"));
        }
        for (ending, other) in &case.links {
            let text = made.0.get(other).ok_or(MakeError::MissingFile(other))?;
            let copy = copy_of(text)?;
            made.0.insert(ending, copy);
        }
        if let Some(answer) = made.0.get("ans") {
            self.match_patterns(case, "ans", answer)?;
        }
        Ok(made)
    }

    /// The files that the first successful attempt of the generator makes.
    fn generated(&mut self, attempts: &[GeneratorCommand]) -> Result<Made, MakeError> {
        let mut result = Ok(Made::default());
        for command in attempts {
            result = self.attempt(command);
            if !matches!(result, Err(MakeError::Failed { .. })) {
                break;
            }
        }
        result
    }

    /// Runs a generator in a new folder. It prints the input, or writes files called `testcase`.
    fn attempt(&mut self, program: &GeneratorCommand) -> Result<Made, MakeError> {
        let (launch, execution) = self.run_in_folder(program)?;
        let mut made = Made::default();
        for ending in TEXTS.into_iter().chain(IMAGES) {
            let name = format!("{}.{ending}", command::FILES);
            if let Some(mut file) = launch.left(&name) {
                let read =
                    Captured::read_from(&mut file).map_err(io_error("read", Path::new(&name)))?;
                made.0.insert(ending, read);
            }
        }
        if !made.0.contains_key("in") {
            if execution.stdout.is_empty() {
                return Err(MakeError::Nothing(program.shown.clone()));
            }
            made.0.insert("in", execution.stdout);
        }
        Ok(made)
    }

    /// Runs a generator in a new folder, whose files can be read afterwards.
    pub(super) fn run_in_folder(
        &mut self,
        program: &GeneratorCommand,
    ) -> Result<(Launch, Execution), MakeError> {
        let temp = std::env::temp_dir();
        let folder = Temporary::new_in(&temp, "rejudge-generate-")
            .map_err(io_error("create a folder in", &temp))?;
        let (current, dir) = (self.current, self.dir.clone());
        if let Some(current) = current {
            let copied = workplace::copy_package(&dir, current, &folder);
            copied.map_err(io_error("copy", &dir))?;
        }
        let artifact = self.artifact(program)?;
        let mut launch = Launch::in_own_folder(artifact, &program.args, folder, &limits());
        if let Some(current) = current {
            let own = program.source.strip_prefix(&dir).ok();
            let own = own.filter(|_| workplace::script_of_installed(&program.source).is_none());
            workplace::enter(&mut launch, artifact, own, current);
        }
        let execution = launch.run(Input::Empty, self.run)?;
        succeeded("generator", program, &execution)?;
        Ok((launch, execution))
    }

    /// The answer to an input, if the case needs one.
    fn answer(
        &mut self,
        case: &Recipe,
        judged: &TestCase,
        input: Input,
    ) -> Result<Option<Captured>, MakeError> {
        match &case.answer {
            AnswerSource::Unneeded => Ok(None),
            AnswerSource::Empty => Ok(Some(Captured::default())),
            AnswerSource::Given => Err(MakeError::MissingFile("ans")),
            AnswerSource::Solved(program) => self.solve(program, judged, input).map(Some),
        }
    }

    /// The output of a solution. The case's arguments follow its own.
    fn solve(
        &mut self,
        program: &GeneratorCommand,
        judged: &TestCase,
        input: Input,
    ) -> Result<Captured, MakeError> {
        let args = [&program.args[..], judged.args()].concat();
        let artifact = self.artifact(program)?;
        let launch = Launch::with_args(artifact, &args, judged.beside(), &limits())?;
        let execution = launch.run(input, self.run)?;
        succeeded("reference solution", program, &execution)?;
        Ok(execution.stdout)
    }

    /// Remembers which patterns the file with this ending does not contain.
    fn match_patterns(
        &mut self,
        case: &Recipe,
        ending: &str,
        file: &Captured,
    ) -> Result<(), MakeError> {
        let of_file = case.patterns.iter().filter(|(known, _)| *known == ending);
        for (_, pattern) in of_file {
            let mut bytes = Vec::new();
            let mut reader = file.reader().map_err(io_error("read", &plain_path(ending)))?;
            let read = reader.read_to_end(&mut bytes);
            read.map_err(io_error("read", &plain_path(ending)))?;
            let text = String::from_utf8_lossy(&bytes);
            // As Python's `re`, in which `\Z` is the end of the text.
            let found = fancy_regex::Regex::new(&format!("(?ms){}", pattern.replace("\\Z", "\\z")))
                .and_then(|regex| regex.is_match(&*text))
                .map_err(|error| MakeError::Pattern(pattern.clone(), error.to_string()))?;
            if !found {
                let name = &case.name;
                let message = format!("`{name}.{ending}` does not match `{pattern}`");
                self.warnings.push(message);
            }
        }
        Ok(())
    }

    /// Every input validator must exit with code 42, or with 0 if it is written with testlib.
    fn validate(
        &mut self,
        plan: &GenerationPlan,
        judged: &TestCase,
        made: &Captured,
    ) -> Result<(), MakeError> {
        for folder in VALIDATORS {
            let folder = plan.dir.join(folder);
            let validators = source::files_in(&folder).map_err(io_error("read", &folder))?;
            for validator in validators {
                if lacks_viva(&validator) {
                    let name = file_name(&validator);
                    let message = format!("`{name}` is not run, because Viva is not installed");
                    if self.skipped.insert(validator) {
                        self.warnings.push(message);
                    }
                    continue;
                }
                if is_grammar(&validator) {
                    self.compare(validator, made)?;
                    continue;
                }
                let args = judged.input_validator_args(&file_name(&validator));
                let kind = ValidatorKind::of(&validator);
                self.accept((&validator, kind), &args, judged.beside(), made)?;
            }
        }
        Ok(())
    }

    /// A grammar must accept an input.
    fn compare(&mut self, validator: PathBuf, input: &Captured) -> Result<(), MakeError> {
        let name = file_name(&validator);
        let grammar = match self.grammars.entry(validator) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let grammar = source::grammar(new.key(), &self.additions)?;
                new.insert(grammar)
            }
        };
        let time = limits().cpu_time;
        let evidence = match source::check(grammar, input, time)? {
            Ruling::Valid => return Ok(()),
            Ruling::Invalid(why) | Ruling::Failed(why) => why,
            Ruling::TimedOut => format!("it takes longer than {} s", time.as_secs()),
        };
        Err(MakeError::Rejected { validator: name, evidence, words: String::new() })
    }

    /// A validator must accept an input.
    pub(super) fn accept(
        &mut self,
        (validator, kind): (&Path, ValidatorKind),
        args: &[String],
        beside: Option<PathBuf>,
        input: &Captured,
    ) -> Result<(), MakeError> {
        let program = GeneratorCommand {
            source: validator.to_owned(),
            files: Vec::new(),
            args: args.to_vec(),
            shown: file_name(validator),
        };
        let artifact = self.artifact(&program)?;
        let (launch, input) = kind.launch(artifact, args, beside, &limits(), input)?;
        let execution = launch.run(input, self.run)?;
        let evidence = match execution.exit {
            Exit::Code(code) if kind.accepts(code) => return Ok(()),
            Exit::Code(code) => format!("exit code {code}, not {}", kind.accepting_code()),
            _ => decide::of_execution(&execution, &limits())
                .map_or_else(String::new, |(_, evidence)| evidence),
        };
        Err(MakeError::Rejected {
            validator: program.shown,
            evidence,
            words: messages_of_both(&execution),
        })
    }

    /// What a solution of the package prints, or writes to its file.
    pub(super) fn solved(
        &mut self,
        program: &GeneratorCommand,
        streams: &Streams,
        input: &Captured,
    ) -> Result<Captured, MakeError> {
        let files = FileNames::of_streams(streams).unwrap_or_default();
        if !self.artifacts.contains_key(&program.source) {
            let terms = Terms::of_solution(&self.dir, &self.additions);
            let source = &program.source;
            let artifact = build(self.languages, self.compiler, source, terms, self.run)?;
            self.artifacts.insert(source.clone(), artifact);
        }
        let solution = Solution {
            artifact: &self.artifacts[&program.source],
            files: &files,
            limits: &limits(),
        };
        let launch = solution.launch_on(&program.args, None, || input.reader())?;
        let standard = if launch.reads_only_files() { Input::Empty } else { stdin(input)? };
        let execution = launch.run(standard, self.run)?;
        succeeded("main solution", program, &execution)?;
        if let Some((_, evidence)) = launch.decide(&execution, &limits()) {
            return Err(failed("main solution", program, evidence, &execution));
        }
        Ok(execution.stdout)
    }

    /// The program of a command, compiled on its first use.
    fn artifact(&mut self, program: &GeneratorCommand) -> Result<&Artifact, MakeError> {
        let source = &program.source;
        if !self.artifacts.contains_key(source) {
            let installed = workplace::script_of_installed(source);
            let terms = Terms::with_constants(&self.additions);
            let artifact = match program.files.as_slice() {
                [] if installed.is_some() => {
                    let text = installed.unwrap_or_default();
                    script(self.languages, self.compiler, &text, terms, self.run)?
                }
                [] if is_viva(source) => viva::build(self.compiler, source, terms, self.run)?,
                [] => build(self.languages, self.compiler, source, terms, self.run)?,
                files => joined(self.languages, self.compiler, files, terms, self.run)?,
            };
            self.artifacts.insert(source.clone(), artifact);
        }
        Ok(&self.artifacts[source])
    }
}

/// Whether a case without an input shows something to contestants.
fn is_shown(made: &Made) -> bool {
    made.0.contains_key("in.statement") || made.0.contains_key("interaction")
}
