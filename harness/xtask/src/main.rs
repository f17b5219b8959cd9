//! The parts of continuous integration that need more than a line of shell: `cargo xtask`, from the root of the repository.
//!
//! Each file has one command. `.ci/run` and `.ci/full` start them; CONTRIBUTING says when.

mod bare;
mod behaviour;
mod busy;
mod costs;
mod files;
mod lint_programs;
mod nats;
mod pictures;
mod ports;
mod process;
mod recipes;
mod repository;
mod scratch;
mod slowest;
mod slurm;
mod unchanged;
mod verdicts;
mod wheel_sbom;

use std::process::ExitCode;

use anyhow::{Result, bail};

/// A command: its name, its arguments, and its code. The result is the exit status.
type Command = (&'static str, &'static str, fn(&[String]) -> Result<ExitCode>);

const COMMANDS: [Command; 13] = [
    ("unchanged", "PATH…", unchanged::main),
    ("lint-programs", "", lint_programs::main),
    ("slowest", "LOG…", slowest::main),
    ("bare", "COMMAND…", bare::main),
    ("behaviour", "check|update|pages [PROGRAM [LANGUAGE…]]", behaviour::main),
    ("busy", "COUNT COMMAND…", busy::main),
    ("costs", "", costs::main),
    ("repository", "URL [FOLDER]", repository::main),
    ("nats", "[--quick] PROGRAM", nats::main),
    ("pictures", "check|update PROGRAM", pictures::main),
    ("slurm", "PROGRAM [WHOLE.jsonl]", slurm::main),
    ("recipes", "[--dry-run FOLDER]", recipes::main),
    ("wheel-sbom", "WHEEL CHECKOUT COPY", wheel_sbom::main),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    run(&arguments).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::from(2)
    })
}

fn run(arguments: &[String]) -> Result<ExitCode> {
    let Some((name, rest)) = arguments.split_first() else {
        bail!("no command\n{}", usage());
    };
    let Some((_, _, code)) = COMMANDS.iter().find(|(known, ..)| known == name) else {
        bail!("no such command: `{name}`\n{}", usage());
    };
    code(rest)
}

fn usage() -> String {
    let lines = COMMANDS.map(|(name, arguments, _)| format!("cargo xtask {name} {arguments}"));
    format!("help: one of\n  {}", lines.map(|line| line.trim_end().to_owned()).join("\n  "))
}
