//! `rejudge self-test`: tries the sandbox and the compilers where rejudge is installed.

mod languages;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use clap::Args;
use serde::Serialize;

use super::exit::CommandExit;
use super::json_output::{JsonArgs, JsonOutput};
use super::sandbox::SandboxArgs;
use super::session::Session;
use super::stream;
use super::temporary::no_temporary_folder;
use crate::sandbox::{Facts, ProcessFolder};
use crate::self_test::{BuiltInProgram, CHECKS, SelfCheck, TestBench, open_secret, run_program};
use crate::show::json_line;
use crate::show::progress::Spinner;
use crate::show::style::{BAD, BOLD, GOOD};
use crate::show::words::Count;
use languages::LanguageTrial;

/// Try the sandbox and the compilers of this machine with honest and hostile programs
///
/// The programs for the sandbox are part of rejudge, so they need no compiler. Then rejudge judges a correct program, a
/// program with a wrong output and a text that is not a program, in one compiled and one interpreted language.
#[derive(Debug, Args)]
pub(crate) struct SelfTestArgs {
    /// Try every installed language
    #[arg(long)]
    all: bool,
    /// Show the checks that hold, too
    #[arg(short, long)]
    verbose: bool,
    /// Be this program instead. Judged programs are started with it
    #[arg(long, value_enum, value_name = "PROGRAM", hide = true)]
    program: Option<BuiltInProgram>,
    #[arg(hide = true, requires = "program")]
    argument: Option<String>,
    #[command(flatten)]
    sandbox: SandboxArgs,
    #[command(flatten)]
    json: JsonArgs,
}

impl SelfTestArgs {
    /// The exit code of the built-in program, if this process is one.
    pub(crate) fn as_program(&self) -> Option<ExitCode> {
        let argument = self.argument.as_deref().unwrap_or_default();
        self.program.map(|program| run_program(program, argument))
    }
}

/// The result of a check, in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CheckLine<'a> {
    r#type: &'static str,
    check: &'a str,
    promise: &'a str,
    holds: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
}

/// The last line, in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TrustLine {
    r#type: &'static str,
    version: &'static str,
    checks: usize,
    failed: usize,
    trusted: bool,
}

/// What was found so far.
struct SelfTest {
    output: JsonOutput,
    verbose: bool,
    checks: usize,
    failed: usize,
    /// Whether the sandbox broke a promise.
    is_open: bool,
    spinner: Spinner,
}

/// Makes all checks.
pub(crate) fn self_test(args: &SelfTestArgs) -> Result<CommandExit> {
    let mut test = SelfTest::start(args)?;
    // Before the session, whose own folder for temporary files is hidden from judged programs in any case.
    let attacked = ProcessFolder::new_in(&std::env::temp_dir())
        .map_err(|error| no_temporary_folder(&error))?;
    let _secret = open_secret(attacked.path()).context("cannot prepare the checks")?;
    let session = Session::start(args.sandbox)?;
    let mut bench =
        TestBench::new(session.runner()?, attacked).context("cannot prepare the checks")?;
    // Whatever keeps the languages from being read does not keep the sandbox from being tried.
    let tried = languages::choose(args.all);
    let all = CHECKS.len() + tried.as_ref().map_or(0, Vec::len);
    for check in &CHECKS {
        let SelfCheck { id, promise, .. } = check;
        test.step(all, promise);
        let result = (check.run)(&mut bench);
        if let Some(exit) = session.signalled() {
            return Ok(exit);
        }
        let why = result.with_context(|| format!("the check `{id}` could not be made"))?;
        test.is_open |= why.is_some();
        test.add(id, promise, why.as_deref())?;
    }
    let tried = tried?;
    for trial in &tried {
        test.step(all, &trial.promise());
        let why = trial.judge(args.sandbox)?;
        if let Some(exit) = session.signalled() {
            return Ok(exit);
        }
        test.add(&trial.id, &trial.promise(), why.as_deref())?;
    }
    test.finish(session.facts(), &tried)
}

impl SelfTest {
    fn start(args: &SelfTestArgs) -> Result<Self> {
        Ok(Self {
            output: args.json.open()?,
            verbose: args.verbose,
            checks: 0,
            failed: 0,
            is_open: false,
            spinner: Spinner::start(stream::note_of_work),
        })
    }

    /// Shows the check that is made now, on a terminal.
    fn step(&self, all: usize, promise: &str) {
        let number = self.checks + 1;
        let line = format!("check {number} of {all}: {promise}");
        self.spinner.say(&line);
    }

    fn add(&mut self, id: &str, promise: &str, why: Option<&str>) -> Result<()> {
        self.checks += 1;
        self.failed += usize::from(why.is_some());
        let line = CheckLine { r#type: "check", check: id, promise, holds: why.is_none(), why };
        let verbose = self.verbose;
        let text = |out: &mut dyn Write| match why {
            Some(why) => writeln!(out, "{BAD}no{BAD:#}    {promise}: {why}"),
            None if verbose => writeln!(out, "{GOOD}ok{GOOD:#}    {promise}"),
            None => Ok(()),
        };
        let (spinner, output) = (&self.spinner, &mut self.output);
        spinner.suspend(|| output.write(|out| json_line::write(out, &line), text))?;
        Ok(())
    }

    fn finish(mut self, facts: &Facts, tried: &[LanguageTrial]) -> Result<CommandExit> {
        self.spinner.finish();
        let (checks, failed) = (self.checks, self.failed);
        let line = TrustLine {
            r#type: "summary",
            version: env!("CARGO_PKG_VERSION"),
            checks,
            failed,
            trusted: failed == 0,
        };
        let text = |out: &mut dyn Write| -> io::Result<()> {
            let names: Vec<&str> = tried.iter().map(|trial| trial.name.as_str()).collect();
            let languages = match names.as_slice() {
                [] => "no language is installed".to_owned(),
                names => format!("languages: {}", names.join(", ")),
            };
            writeln!(out, "sandbox: {}; {languages}", facts.back_end.describe())?;
            let count = Count(checks, "check");
            if failed == 0 {
                return writeln!(
                    out,
                    "{BOLD}this installation can be trusted{BOLD:#}: {count}, and all hold"
                );
            }
            writeln!(
                out,
                "{BAD}this installation cannot be trusted{BAD:#}: {failed} of {count} fail"
            )
        };
        self.output.write(|out| json_line::write(out, &line), text)?;
        if self.is_open {
            stream::help("`rejudge doctor` says which protection is missing, and how to enable it");
        }
        if failed > 0 {
            return Ok(CommandExit::Unexpected);
        }
        Ok(CommandExit::Expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::schema;

    #[test]
    fn the_schema_of_self_test_is_up_to_date() {
        let lines = vec![
            schema::of_line_called::<CheckLine<'static>>("check"),
            schema::of_line_called::<TrustLine>("summary"),
        ];
        schema::is_up_to_date("self-test", lines);
    }
}
