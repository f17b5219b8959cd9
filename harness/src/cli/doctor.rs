//! `rejudge doctor`: reports the protections, clocks and noise of this machine.

use std::io;

use anyhow::{Context as _, Result};
use clap::Args;

use super::exit::CommandExit;
use super::json_output::JsonArgs;
use super::languages;
use super::session::with_help;
use super::temporary::no_temporary_folder;
use crate::doctor::{self, Diagnosis, Surroundings};
use crate::machine::{Machine, Noise};
use crate::sandbox::{self, Interrupt, Runner, RunnerOptions};

/// Report the protections and clocks of this machine, and what disturbs measurements
#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Exit with status 1 if a protection is missing
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    json: JsonArgs,
}

/// Examines the machine and prints the findings.
pub(crate) fn doctor(args: &DoctorArgs) -> Result<CommandExit> {
    let mut output = args.json.open()?;
    let found = look(args.strict)?;
    output.write(
        |out| writeln!(out, "{}", found.json().map_err(io::Error::other)?),
        |out| doctor::write(&found, out),
    )?;
    Ok(if args.strict && !found.is_sound() {
        CommandExit::Unexpected
    } else {
        CommandExit::Expected
    })
}

fn look(strict: bool) -> Result<Diagnosis> {
    // First, before rejudge itself puts load on the machine.
    let noise = Noise::here();
    let folder = sandbox::work_base().map_err(|error| no_temporary_folder(&error))?;
    let interrupt = Interrupt::new().context("cannot create a pipe")?;
    let runner = Runner::start(&RunnerOptions::new(folder.path(), interrupt)).map_err(with_help)?;
    Ok(Diagnosis {
        machine: Machine::this(),
        noise,
        facts: runner.facts().clone(),
        surroundings: Surroundings::here(),
        languages: languages::installed(strict)?,
    })
}
