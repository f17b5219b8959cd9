//! `--want`: the programs that it names.

use anyhow::Result;

use super::StressArgs;
use crate::stress::{StressSources, Want, WantOfPrograms};

/// Adds the condition, whose names must be those of programs that run.
pub(super) fn add(args: &StressArgs, want: Want, sources: &mut StressSources) -> Result<()> {
    let text = args.want.as_deref().unwrap_or_default();
    let mut programs = Vec::new();
    for (index, name) in want.names().enumerate() {
        let is_named = |one: &str| one == name || one.ends_with(&format!("/{name}"));
        let mut all = sources.contestants.iter();
        match all.position(|one| is_named(&one.name)) {
            Some(found) => programs.push(found),
            None => return Err(want.unknown(text, index).into()),
        }
    }
    // The only reference gives the answer, so it is never wrong.
    let first = sources.contestants.iter().position(|one| one.is_reference);
    let compares = !sources.problem.checker.is_program();
    want.check(text, &|name| compares && Some(programs[name]) == first)?;
    sources.want = Some(WantOfPrograms { want, programs });
    Ok(())
}
