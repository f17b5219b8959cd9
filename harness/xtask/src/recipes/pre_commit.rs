//! Runs the hooks that a configuration of pre-commit names, from this checkout, with the wheel of the release.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::files::read;
use crate::process::quoted;

use super::linters::Linters;
use super::machine::{Machine, make_repository, pairs, shell};
use super::yaml::{items, parse, text};

pub(super) fn dry_run(
    machine: &Machine,
    linters: &Linters,
    name: &str,
    config: &Value,
) -> Result<()> {
    let hooks = parse(&read(&machine.root.join(".pre-commit-hooks.yaml"))?)?;
    let hooks = hooks.as_array().context("the hooks are not a list")?;
    let known = ids(hooks.iter());
    check_names(config, &known)?;
    let work = machine.folder(name);
    make_repository(&work)?;
    let mut environment = machine.environment()?;
    let path = std::env::var("PATH").context("PATH is not set")?;
    let home = machine.scratch.join("pre-commit-home");
    environment.extend(pairs([
        ("PRE_COMMIT_HOME", home.display().to_string()),
        ("PIP_FIND_LINKS", machine.files.display().to_string()),
        // It downloads packages for real.
        ("PATH", format!("{}:{path}", linters.programs().display())),
    ]));
    let root = quoted(&machine.root);
    for hook in known {
        let script = format!("pre-commit try-repo {root} {hook} --all-files --verbose");
        shell(&script, &work, &environment, &format!("{name}: {hook}"))?;
    }
    Ok(())
}

fn check_names(config: &Value, known: &BTreeSet<String>) -> Result<()> {
    let repositories = items(config, "repos").into_iter();
    let named = ids(repositories.flat_map(|one| items(one, "hooks")));
    let unknown: Vec<_> = named.difference(known).map(String::as_str).collect();
    ensure!(unknown.is_empty(), "no hook is called {}", unknown.join(", "));
    Ok(())
}

fn ids<'a>(hooks: impl Iterator<Item = &'a Value>) -> BTreeSet<String> {
    hooks.map(|hook| text(&hook["id"])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_configuration_names_hooks_of_this_checkout() {
        let known = BTreeSet::from(["rejudge".to_owned(), "other".to_owned()]);
        let config =
            |id: &str| parse(&format!("repos: [{{hooks: [{{id: {id}}}]}}]")).expect("YAML");
        assert!(check_names(&config("rejudge"), &known).is_ok());
        assert!(check_names(&config("rejduge"), &known).is_err());
    }
}
