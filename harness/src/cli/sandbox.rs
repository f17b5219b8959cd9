//! The option for the isolation of programs, shared by all commands that run programs.

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};

use super::stream;
use crate::language::Languages;
use crate::notice::Code;
use crate::notice::few;
use crate::sandbox::{Facts, Isolation};
use crate::show::style::{BAD, WARN};

/// How much isolation there must be.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct SandboxArgs {
    /// Isolation of the programs from the machine
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "LEVEL",
        help_heading = "Sandbox",
        hide_short_help = true
    )]
    sandbox: IsolationWish,
}

/// The same for a machine that judges what others send.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct WorkerSandboxArgs {
    /// Isolation of the programs from the machine
    #[arg(
        long,
        value_enum,
        default_value = "strict",
        value_name = "LEVEL",
        help_heading = "Sandbox"
    )]
    sandbox: IsolationWish,
}

impl From<WorkerSandboxArgs> for SandboxArgs {
    fn from(args: WorkerSandboxArgs) -> Self {
        Self { sandbox: args.sandbox }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum IsolationWish {
    /// Require full isolation; otherwise refuse to run
    Strict,
    /// Use every protection that this machine offers; warn about missing ones
    #[default]
    Auto,
    /// No isolation: limits and clocks only
    Off,
}

impl SandboxArgs {
    /// The isolation to request from a runner.
    pub(crate) fn isolation(self) -> Isolation {
        match self.sandbox {
            IsolationWish::Strict => Isolation::Strict,
            IsolationWish::Auto => Isolation::Auto,
            IsolationWish::Off => Isolation::Off,
        }
    }

    /// The command-line arguments that request this isolation.
    pub(crate) fn words(self) -> Vec<String> {
        let value = match self.sandbox {
            IsolationWish::Auto => return Vec::new(),
            IsolationWish::Strict => "strict",
            IsolationWish::Off => "off",
        };
        vec!["--sandbox".to_owned(), value.to_owned()]
    }
}

/// Prints one line if programs are less isolated than they could be.
pub(crate) fn warn_if_weak(isolation: Isolation, facts: &Facts) {
    if let Some(line) = line(isolation, facts) {
        stream::eprint_line(line);
    }
}

/// Warns of commands that the repository's settings run outside the sandbox, and permits them. With strict isolation they
/// are an error.
pub(crate) fn accept(isolation: Isolation, languages: &Languages) -> Result<()> {
    let Some(what) = languages.runs_outside() else {
        return Ok(());
    };
    match isolation {
        Isolation::Strict => bail!(
            Code::Conflict
                .says(format!(
                    "{what} in `rejudge.toml` would run outside the sandbox, which must be strict"
                ))
                .help("remove it, or judge with `--sandbox auto` if you trust the repository")
        ),
        Isolation::Auto => {
            stream::warn(format_args!("{what} in `rejudge.toml` runs outside the sandbox"));
        }
        Isolation::Off => {}
    }
    languages.permit_outside();
    Ok(())
}

fn line(isolation: Isolation, facts: &Facts) -> Option<String> {
    if isolation == Isolation::Off {
        return Some(format!(
            "{BAD}warning: the sandbox is off{BAD:#}: programs can read, write and send everything that you can"
        ));
    }
    let missing: Vec<&str> = facts.missing().map(|(protection, _)| protection.name()).collect();
    (!missing.is_empty()).then(|| {
        format!(
            "{WARN}warning{WARN:#}: missing protections: {}; `rejudge doctor` explains how to enable them",
            few(&missing)
        )
    })
}
