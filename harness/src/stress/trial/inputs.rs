//! The inputs of trials: generators make them, and input validators decide whether they are valid.

use std::time::Duration;

use rejudge_checktestdata::Ruling;

use super::{RunnerUse, StressTrials, bytes_of};
use crate::decide;
use crate::generate::words;
use crate::judge::InSandbox;
use crate::judge::Launch;
use crate::sandbox::{Captured, Exit, Input, SandboxError};
use crate::stress::arguments::GeneratorValues;
use crate::stress::fault::InputFault;
use crate::stress::programs::ValidatorProgram;

/// The signal of `abort()`.
const SIGABRT: i32 = 6;

/// Why a generator made no input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum GeneratorFault {
    #[error("the generator `{command}` failed: {evidence}{words}")]
    Failed { command: String, evidence: String, words: String },
    #[error("the generator `{0}` printed nothing")]
    Nothing(String),
}

/// What a grammar objects to.
fn ruled(ruling: Ruling, validator: &str, time: Duration) -> Option<InputFault> {
    let validator = validator.to_owned();
    match ruling {
        Ruling::Valid => None,
        Ruling::Invalid(why) => Some(InputFault::Invalid { validator, why }),
        Ruling::Failed(why) => Some(InputFault::BrokenValidator { validator, why }),
        Ruling::TimedOut => {
            let why = format!("it takes longer than {} s", time.as_secs_f64());
            Some(InputFault::BrokenValidator { validator, why })
        }
    }
}

impl StressTrials<'_> {
    /// The output of a generator. The inner error is the generator's fault.
    pub(crate) fn generate(
        &mut self,
        generator: usize,
        values: &GeneratorValues,
    ) -> InSandbox<Vec<u8>, GeneratorFault> {
        let programs = self.programs;
        let launch = self.generator_launch(generator, values)?;
        let has_started = self.has_started(generator, values);
        self.counts.generator += 1;
        let execution = self.run(RunnerUse::Generator, &launch, Input::Empty, has_started)?;
        let command = || programs.generators[generator].template.command(values);
        if let Some((_, evidence)) = decide::of_execution(&execution, &programs.limits) {
            return Ok(Err(GeneratorFault::Failed {
                command: command(),
                evidence,
                words: words(&execution.stderr_tail),
            }));
        }
        if execution.stdout.is_empty() {
            return Ok(Err(GeneratorFault::Nothing(command())));
        }
        Ok(Ok(bytes_of(&execution.stdout, u64::MAX)?))
    }

    /// A generator, ready to run.
    pub(super) fn generator_launch(
        &self,
        generator: usize,
        values: &GeneratorValues,
    ) -> Result<Launch, SandboxError> {
        let programs = self.programs;
        let one = &programs.generators[generator];
        let args = one.template.fill(values);
        Launch::with_args(&one.artifact, &args, None, &programs.limits)
    }

    /// What the validators object to; `None`: all accept the input.
    pub(in crate::stress) fn validate(
        &mut self,
        input: &[u8],
    ) -> Result<Option<InputFault>, SandboxError> {
        let programs = self.programs;
        for (index, validator) in programs.validators.iter().enumerate() {
            let args = programs.problem.cases.first();
            let args = args.map(|case| case.input_validator_args(&validator.name));
            let args = args.unwrap_or_default();
            self.counts.validator += 1;
            let artifact = match &validator.check {
                ValidatorProgram::Program(artifact) => artifact,
                ValidatorProgram::Grammar(grammar) => {
                    let time = programs.limits.cpu_time;
                    match ruled(grammar.check(input, time), &validator.name, time) {
                        None => continue,
                        fault => return Ok(fault),
                    }
                }
            };
            let kind = validator.kind;
            let text = Captured::from_bytes(input.to_vec());
            let (launch, text) = kind.launch(artifact, &args, None, &programs.limits, &text)?;
            let execution = self.run(RunnerUse::Validator(index), &launch, text, false)?;
            let words = kind.words(&execution);
            let evidence = decide::of_execution(&execution, &programs.limits);
            let why = evidence.map_or_else(String::new, |(_, evidence)| evidence);
            let validator = validator.name.clone();
            let (is_valid, why) = match execution.exit {
                Exit::Code(code) if kind.accepts(code) => (true, why),
                Exit::Code(code) => {
                    let valid = kind.accepting_code();
                    (false, format!("exit code {code}, not {valid}{words}"))
                }
                // A failed assertion is how many validators reject an input.
                Exit::Signal(SIGABRT) => (false, why + &words),
                Exit::Killed(_) | Exit::Stopped | Exit::Signal(_) => {
                    let why = why + &words;
                    return Ok(Some(InputFault::BrokenValidator { validator, why }));
                }
            };
            if !is_valid {
                return Ok(Some(InputFault::Invalid { validator, why }));
            }
        }
        Ok(None)
    }
}
