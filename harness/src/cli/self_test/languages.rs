//! Judges programs of an installed language as a user would: by the command itself, on a folder of sources and cases.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::cli::languages;
use crate::cli::sandbox::SandboxArgs;
use crate::language::Language;
use crate::sandbox::Isolation;

/// Compiled languages, the usual ones first.
const COMPILED: [&str; 4] = ["c", "cpp", "rust", "go"];
/// Interpreted languages, the usual ones first.
const INTERPRETED: [&str; 6] = ["python3", "perl", "javascript", "ruby", "lua", "bash"];

/// The trial of a language.
pub(super) struct LanguageTrial {
    pub(super) id: String,
    pub(super) name: String,
    extension: String,
    /// A program that does nothing.
    hello: String,
}

/// The languages to try: one compiled and one interpreted, or all.
pub(super) fn choose(all: bool) -> Result<Vec<LanguageTrial>> {
    let (languages, compiler) = languages::load_of(None, Isolation::Auto)?;
    let installed = |one: &&Language| one.toolchain(compiler.cache()).is_ok();
    let installed = languages.iter().filter(installed);
    let mut trials: Vec<LanguageTrial> = installed.filter_map(trial).collect();
    if !all {
        let first = |ids: &[&str]| {
            let found = ids.iter().find(|id| trials.iter().any(|one| one.id == **id));
            found.map(|id| (*id).to_owned())
        };
        let chosen = [first(&COMPILED), first(&INTERPRETED)];
        trials.retain(|one| chosen.iter().flatten().any(|id| *id == one.id));
    }
    Ok(trials)
}

fn trial(language: &Language) -> Option<LanguageTrial> {
    Some(LanguageTrial {
        id: language.id.clone(),
        name: language.name.clone(),
        extension: language.extensions.first()?.clone(),
        hello: language.hello.clone()?,
    })
}

impl LanguageTrial {
    pub(super) fn promise(&self) -> String {
        format!("{} is judged correctly", self.name)
    }

    /// Judges a program that prints nothing, first where that is right, then where it is wrong, and a text that is not
    /// a program. Returns what is wrong with the verdicts.
    pub(super) fn judge(&self, sandbox: SandboxArgs) -> Result<Option<String>> {
        let folder = tempfile::tempdir().context("cannot create a folder")?;
        let right = self.verdict(&folder.path().join("right"), &self.hello, "", sandbox)?;
        let wrong = self.verdict(&folder.path().join("wrong"), &self.hello, "1\n", sandbox)?;
        let broken = self.verdict(&folder.path().join("broken"), "(((((\n", "1\n", sandbox)?;
        Ok(match (right.as_str(), wrong.as_str(), broken.as_str()) {
            ("AC", "WA", "CE" | "RTE" | "WA") => None,
            ("AC", "WA", other) => Some(format!("a text that is not a program gets {other}")),
            ("AC", other, _) => Some(format!("a wrong output gets {other} instead of WA")),
            (other, ..) => Some(format!("a correct program gets {other} instead of AC")),
        })
    }

    /// The verdict of a source on one case without input.
    fn verdict(
        &self,
        folder: &Path,
        source: &str,
        answer: &str,
        sandbox: SandboxArgs,
    ) -> Result<String> {
        let file = format!("hello.{}", self.extension);
        let write = |name: &str, text: &str| fs::write(folder.join(name), text);
        fs::create_dir(folder)
            .and_then(|()| write(&file, source))
            .and_then(|()| write("1.in", ""))
            .and_then(|()| write("1.ans", answer))
            .context("cannot write the files of the test")?;
        let executable = std::env::current_exe().context("cannot find the program itself")?;
        let ran = Command::new(executable)
            .args(["run", &file, "--json", "-", "--time-limit", "60"])
            .args(sandbox.words())
            .current_dir(folder)
            .env("REJUDGE_CACHE_DIR", folder.join("cache"))
            .stdin(Stdio::null())
            .output()
            .context("cannot start `rejudge run`")?;
        let lines = String::from_utf8_lossy(&ran.stdout);
        let lines = lines.lines().filter_map(|line| serde_json::from_str(line).ok());
        let verdict = lines
            .filter(|line: &Value| line["type"] == "submission")
            .find_map(|line| Some(line["verdict"].as_str()?.to_owned()));
        Ok(verdict.unwrap_or_else(|| {
            let said = String::from_utf8_lossy(&ran.stderr);
            format!("no verdict ({})", said.lines().next().unwrap_or_default())
        }))
    }
}
