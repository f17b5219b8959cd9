//! `--want`: the programs that it names.

use anyhow::{Error, Result};

use super::StressArgs;
use crate::notice::Code;
use crate::stress::{StressSources, Want, WantError, WantErrorKind, WantOfPrograms};

/// Reads the condition.
pub(super) fn parse(text: &str) -> Result<Want> {
    Want::parse(text).map_err(|error| refused(&error, &[]))
}

/// The mistake, with what to write instead.
fn refused(error: &WantError, programs: &[&str]) -> Error {
    let help = match error.kind {
        WantErrorKind::NoProgram => format!("the programs are `{}`", programs.join("`, `")),
        WantErrorKind::NeverHolds => {
            "a program gets one verdict; the output of the first reference is the answer, so it is never WA".to_owned()
        }
        _ => "write conditions such as `wa.py WA` or `a.py != b.py`, joined with `and`, `or`, `not` and parentheses"
            .to_owned(),
    };
    Code::InvalidOption.says(error.to_string()).help(help).into()
}

/// Adds the condition, whose names must be those of programs that run.
pub(super) fn add(args: &StressArgs, want: Want, sources: &mut StressSources) -> Result<()> {
    let text = args.want.as_deref().unwrap_or_default();
    let mut programs = Vec::new();
    for (index, name) in want.names().enumerate() {
        let is_named = |one: &str| one == name || one.ends_with(&format!("/{name}"));
        let mut all = sources.contestants.iter();
        let Some(found) = all.position(|one| is_named(&one.name)) else {
            let names: Vec<&str> =
                sources.contestants.iter().map(|one| one.name.as_str()).collect();
            return Err(refused(&want.unknown(text, index), &names));
        };
        programs.push(found);
    }
    // The only reference gives the answer, so it is never wrong.
    let first = sources.contestants.iter().position(|one| one.is_reference);
    let compares = !sources.problem.checker.is_program();
    want.check(text, &|name| compares && Some(programs[name]) == first)
        .map_err(|error| refused(&error, &[]))?;
    sources.want = Some(WantOfPrograms { want, programs });
    Ok(())
}
