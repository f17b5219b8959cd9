//! Lints the recipes in the guide, the action, the template and the hooks: workflows of GitHub with actionlint, the others
//! against their schemas. With `--dry-run`, runs each recipe, as far as this machine can, with the files of a release that
//! `.ci/release` wrote to a folder.
//!
//! Needs npm, and Python with venv. The linters stay in `target/recipes`.

mod expression;
mod github;
mod gitlab;
mod guide;
mod linters;
mod machine;
mod pre_commit;
mod yaml;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::Value;

use crate::files::read;
use crate::process::{command, output, run};
use crate::repository::{BEFORE_LINKS, set_address};
use crate::scratch::with_scratch;

use guide::{Recipe, RecipeKind};
use linters::Linters;
use machine::Machine;

/// `recipes [--dry-run FOLDER]`: the folder has the files of a release.
pub(crate) fn main(arguments: &[String]) -> Result<ExitCode> {
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    let files = match words[..] {
        [] => None,
        ["--dry-run", folder] => {
            Some(fs::canonicalize(folder).with_context(|| format!("no such folder: {folder}"))?)
        }
        _ => bail!("wrong arguments\nhelp: cargo xtask recipes [--dry-run FOLDER]"),
    };
    with_scratch("recipes", |scratch| {
        let linters = Linters::installed(scratch)?;
        let recipes = guide::recipes(Path::new("."))?;
        linters.lint(&recipes, scratch)?;
        check_address(scratch)?;
        match files {
            Some(files) => dry_run(&recipes, files, &linters),
            None => Ok(()),
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The small repositories are outside this checkout, whose settings would count below it. They stay after a failure.
fn dry_run(recipes: &[Recipe], files: PathBuf, linters: &Linters) -> Result<()> {
    let scratch = tempfile::Builder::new().prefix("recipes-").tempdir()?;
    let machine =
        Machine { root: std::env::current_dir()?, files, scratch: scratch.path().to_owned() };
    let ran = run_all(recipes, &machine, linters);
    if ran.is_err() {
        eprintln!("the repositories are in {}", scratch.keep().display());
    }
    ran
}

fn run_all(recipes: &[Recipe], machine: &Machine, linters: &Linters) -> Result<()> {
    for recipe in recipes {
        let name = &recipe.name;
        let parsed = || yaml::parse(&recipe.text);
        match recipe.kind {
            RecipeKind::GitHub => github::dry_run(machine, name, &parsed()?)?,
            RecipeKind::GitLab => gitlab::dry_run(machine, name, &parsed()?)?,
            RecipeKind::PreCommit => pre_commit::dry_run(machine, linters, name, &parsed()?)?,
            RecipeKind::GitLabTemplate | RecipeKind::Kubernetes | RecipeKind::Other => {}
        }
    }
    println!("every recipe runs");
    Ok(())
}

/// The address of the project gets to every place, once.
fn check_address(scratch: &Path) -> Result<()> {
    const URL: &str = "https://forge.example/someone/rejudge";
    let archive = scratch.join("head.tar");
    let folder = scratch.join("addressed");
    fs::create_dir(&folder)?;
    run(command("git").args(["archive", "HEAD", "--output"]).arg(&archive))?;
    let mut tar = command("tar");
    tar.arg("--extract").arg("--file").arg(&archive);
    run(tar.arg("--directory").arg(&folder))?;

    set_address(URL, &folder)?;
    let mut cargo = command("cargo");
    cargo.args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"]);
    let metadata = output(cargo.arg(folder.join("Cargo.toml")))?;
    let metadata = serde_json::from_str(&metadata)?;
    let without = crates_without(&metadata, URL)?;
    ensure!(without.is_empty(), "the crates {} have no address", without.join(", "));
    let readme = read(&folder.join("README.md"))?;
    let relative: Vec<_> = relative_links(&readme).collect();
    ensure!(
        relative.is_empty(),
        "other sites do not resolve these links of README.md:\n{}",
        relative.join("\n")
    );
    ensure!(set_address(URL, &folder).is_err(), "the address can be set twice");
    Ok(())
}

/// The published crates without an address.
fn crates_without<'a>(metadata: &'a Value, url: &str) -> Result<Vec<&'a str>> {
    let packages = metadata["packages"].as_array().context("no crates")?;
    let is_published = |package: &&Value| package["publish"] != serde_json::json!([]);
    let published: Vec<_> = packages.iter().filter(is_published).collect();
    ensure!(!published.is_empty(), "no crate is published");
    let without = published.iter().filter(|package| package["repository"] != url);
    Ok(without.filter_map(|package| package["name"].as_str()).collect())
}

/// The links in a text that start neither with a protocol nor with `#`.
fn relative_links(text: &str) -> impl Iterator<Item = &str> {
    let links = BEFORE_LINKS.iter().flat_map(|before| text.split(*before).skip(1));
    let links = links.filter_map(|link| link.lines().next());
    links.filter(|link| !link.starts_with("https://") && !link.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    use serde_json::json;

    #[test]
    fn published_crates_need_the_address() {
        let metadata = json!({"packages": [
            {"name": "a", "publish": null, "repository": "U"},
            {"name": "b", "publish": null, "repository": null},
            {"name": "c", "publish": [], "repository": null},
            {"name": "d", "publish": null, "repository": "V"},
        ]});
        assert_eq!(crates_without(&metadata, "U").expect("crates"), ["b", "d"]);
        assert!(crates_without(&json!({"packages": []}), "U").is_err());
    }

    #[test]
    fn links_to_files_are_relative() {
        let text = "[a](https://x.example/A.md) [b](#part)\n[c](C.md#part) [d](D.md)";
        let found: Vec<_> = relative_links(text).collect();
        assert_eq!(found, ["C.md#part) [d", "D.md)"]);
    }
}
