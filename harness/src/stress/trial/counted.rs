//! The instructions of runs, for `--slowest`. Unlike CPU times, they hardly differ between runs of the same program.

use super::early::standard_input;
use super::{Performance, RunnerUse, StressTrials};
use crate::attempts::run_fairly;
use crate::bench::{Meter, MeterError};
use crate::notice::Code;
use crate::sandbox::SandboxError;

/// Which counter of instructions is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InstructionChoice {
    /// None.
    Never,
    /// The processor's counter, if it can be read. It does not slow a run down.
    IfFree,
    /// The processor's counter, or callgrind.
    Always,
}

impl StressTrials<'_> {
    /// The counter for runs of one program.
    pub(in crate::stress) fn meter(
        &mut self,
        contestant: usize,
        choice: InstructionChoice,
    ) -> Result<Meter, MeterError> {
        if self.programs.contestants[contestant].single.is_some() {
            // Another launcher runs it.
            if choice != InstructionChoice::Always {
                return Ok(Meter::Clocks);
            }
            let what =
                "the instructions of a program that talks with an interactor cannot be counted";
            let notice = Code::InvalidOption.says(what);
            return Err(MeterError::Nothing(notice.help("omit `--counter` to compare CPU time")));
        }
        let runner = self.runner(RunnerUse::Contestant(contestant))?;
        match choice {
            InstructionChoice::Always => Meter::instructions(runner),
            InstructionChoice::IfFree => Ok(Meter::hardware(runner)?),
            InstructionChoice::Never => Ok(Meter::Clocks),
        }
    }

    /// The performance of one program on a valid input, and its instructions if they are counted. Its output is not
    /// compared with that of a reference.
    pub(in crate::stress) fn measure(
        &mut self,
        contestant: usize,
        input: &[u8],
        meter: &Meter,
    ) -> Result<(Performance, Option<u64>), SandboxError> {
        super::rewrite(&self.input, input)?;
        let before = meter.before();
        let performance = self.perform(contestant, input, None, None)?;
        let instructions = match meter {
            Meter::Clocks => None,
            Meter::Hardware(_) => meter.since(before),
            Meter::Callgrind(_) if performance.fails() => None,
            Meter::Callgrind(_) => self.counted(meter, contestant, input)?,
        };
        Ok((performance, instructions))
    }

    /// The instructions of one more run, under callgrind. None if callgrind cannot run the program. The launcher of the
    /// program keeps its next run prepared, so another one runs callgrind.
    fn counted(
        &mut self,
        meter: &Meter,
        contestant: usize,
        input: &[u8],
    ) -> Result<Option<u64>, SandboxError> {
        let mut launch = self.programs.contestants[contestant].launch(input)?;
        launch.job = meter.wrap(launch.job);
        let given = standard_input(&launch, input);
        let runner = self.runner(RunnerUse::Checker)?;
        let execution = run_fairly(runner, &launch.job, given)?;
        let measured = meter.read(&execution, None);
        Ok(measured.ok().and_then(|one| one.instructions))
    }
}
