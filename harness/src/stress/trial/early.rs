//! Programs that start before their turn, so that a round waits less: the launchers start them while rejudge follows and
//! checks another program.
//!
//! The references and solutions of a round do not depend on each other, so each one starts together with the one before it.
//! The generator of the next round starts together with the programs of this one. If processors are idle, the programs
//! run side by side; otherwise they take turns, and only the work of the launchers and of rejudge overlaps. If each thread
//! of rejudge has a processor of its own, nothing overlaps, and nothing starts before its turn.
//!
//! No result depends on it. Limits are those of CPU time. A run over a limit is repeated if others may have disturbed it:
//! see [`follow_fairly`]. A program that is not needed after all is killed, and does not count.
//!
//! [`follow_fairly`]: crate::attempts::follow_fairly

use super::{RunnerUse, StressTrials};
use crate::judge::{Launch, Solution};
use crate::sandbox::{Input, OwnProcessor, SandboxError, WorkDir};
use crate::stress::arguments::GeneratorValues;
use crate::stress::programs::Contestant;

/// What has started.
#[derive(Default)]
pub(super) struct EarlyPrograms {
    generator: Option<(usize, GeneratorValues)>,
    contestant: Option<(usize, Launch)>,
}

impl StressTrials<'_> {
    /// Starts a generator. Call [`StressTrials::generate`] with the same values later.
    pub(in crate::stress) fn start_generator(
        &mut self,
        generator: usize,
        values: GeneratorValues,
    ) -> Result<(), SandboxError> {
        let launch = self.generator_launch(generator, &values)?;
        if self.request(RunnerUse::Generator, &launch, &Input::Empty)? {
            self.early.generator = Some((generator, values));
        }
        Ok(())
    }

    /// Whether the last generator that started is this one.
    pub(super) fn has_started(&mut self, generator: usize, values: &GeneratorValues) -> bool {
        let started = self.early.generator.take();
        started.is_some_and(|(index, started)| index == generator && started == *values)
    }

    /// Starts a program, unless it has started, and then the next one. Returns whether the program has started.
    pub(super) fn start_contestant(
        &mut self,
        index: usize,
        input: &[u8],
        next: Option<usize>,
    ) -> Result<(Launch, bool), SandboxError> {
        let contestants = &self.programs.contestants;
        let started = self.early.contestant.take().filter(|(early, _)| *early == index);
        let mut has_started = started.is_some();
        let launch = match started {
            Some((_, launch)) => launch,
            None => contestants[index].launch(input)?,
        };
        if let Some(next) = next.filter(|&next| contestants[next].single.is_none()) {
            let mut request = |index: usize, launch: &Launch| {
                let given = standard_input(launch, input);
                self.request(RunnerUse::Contestant(index), launch, &given)
            };
            has_started = has_started || request(index, &launch)?;
            let launch = contestants[next].launch(input)?;
            if request(next, &launch)? {
                self.early.contestant = Some((next, launch));
            }
        }
        Ok((launch, has_started))
    }

    /// Kills the program that has started before its turn: its result would tell nothing.
    pub(super) fn withdraw_contestant(&mut self) {
        if let Some((index, _)) = self.early.contestant.take()
            && let Some(runner) = self.runners.get_mut(&RunnerUse::Contestant(index))
        {
            runner.withdraw();
        }
    }

    /// Starts a program if it has a launcher of its own, and no folder that must exist until it has ended, and if something
    /// can overlap.
    fn request(
        &mut self,
        wanted: RunnerUse,
        launch: &Launch,
        input: &Input,
    ) -> Result<bool, SandboxError> {
        let may_start = !OwnProcessor::this_thread_has_one()
            && launch.job.work_dir == WorkDir::Fresh
            && !self.shares_runner(wanted);
        if may_start {
            self.runner(wanted)?.request(&launch.job, input);
        }
        Ok(may_start)
    }
}

impl Contestant {
    /// The program, ready to run on an input.
    pub(super) fn launch(&self, input: &[u8]) -> Result<Launch, SandboxError> {
        let solution =
            Solution { artifact: &self.artifact, files: &self.files, limits: &self.limits };
        solution.launch_on(&[], None, || Ok(input))
    }
}

/// The standard input of a program that is ready to run on `input`.
pub(super) fn standard_input(launch: &Launch, input: &[u8]) -> Input {
    if launch.reads_only_files() { Input::Empty } else { Input::Bytes(input.to_vec()) }
}
