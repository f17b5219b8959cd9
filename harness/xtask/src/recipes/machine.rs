//! What the services have in common: each script of a recipe runs for real, in a copy of a small repository. Downloads come from
//! the folder of the release, `apt-get` and `sudo` install nothing, and artefacts are folders. What another service does is
//! left out, with a line.

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::files::write;
use crate::process::{command, output, run, status};

/// Programs that the machines of the services have, and what they do here.
const STUBS: [(&str, &str); 3] = [
    ("sudo", "exec \"$@\""),
    ("apt-get", "exit 0"),
    // The name of the last argument that looks like an address.
    (
        "curl",
        "for word; do case $word in https://*) cp \"$RELEASE_FILES/${word##*/}\" . ;; esac; done",
    ),
];

const PROGRAM: &str = r#"#include <stdio.h>
int main(void) { int a, b; scanf("%d %d", &a, &b); printf("%d\n", RESULT); }
"#;

/// The variables of a script.
pub(super) type Environment = BTreeMap<String, String>;

pub(super) struct Machine {
    /// This checkout.
    pub(super) root: PathBuf,
    /// The folder with the files of a release.
    pub(super) files: PathBuf,
    pub(super) scratch: PathBuf,
}

impl Machine {
    /// The folder of a recipe.
    pub(super) fn folder(&self, recipe: &str) -> PathBuf {
        self.scratch.join("dry").join(recipe)
    }

    /// The variables that all scripts have.
    pub(super) fn environment(&self) -> Result<Environment> {
        let stubs = self.scratch.join("stubs");
        for (name, body) in STUBS {
            let stub = stubs.join(name);
            write(&stub, format!("#!/bin/sh\n{body}\n"))?;
            fs::set_permissions(stub, Permissions::from_mode(0o755))?;
        }
        let mut environment = Environment::new();
        for name in ["HOME", "LANG"] {
            environment.extend(env::var(name).ok().map(|value| (name.to_owned(), value)));
        }
        let path = env::var("PATH").context("PATH is not set")?;
        environment.extend(pairs([
            ("PATH", format!("{}:{path}", stubs.display())),
            ("RELEASE_FILES", self.files.display().to_string()),
            ("REJUDGE_CACHE_DIR", self.scratch.join("cache").display().to_string()),
            ("TMPDIR", "/tmp".to_owned()),
        ]));
        Ok(environment)
    }
}

/// Names with their values.
pub(super) fn pairs<const N: usize>(
    pairs: [(&str, String); N],
) -> impl Iterator<Item = (String, String)> {
    pairs.into_iter().map(|(name, value)| (name.to_owned(), value))
}

/// Runs a script as a service does. A failure ends the dry run.
pub(super) fn shell(
    script: &str,
    folder: &Path,
    environment: &Environment,
    name: &str,
) -> Result<()> {
    println!("--- {name}");
    let mut bash = command("bash");
    bash.args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script]);
    let ended = status(bash.current_dir(folder).env_clear().envs(environment))?;
    ensure!(ended.success(), "{name}: {ended}:\n{script}");
    Ok(())
}

/// Makes a repository with a problem, and an origin that has its first commit.
pub(super) fn make_repository(place: &Path) -> Result<()> {
    let solution = |result| PROGRAM.replace("RESULT", result);
    for (name, text) in [
        (
            "cases/sum/problem.yaml",
            "problem_format_version: 2025-09\nname: Sum\nlimits: {time_limit: 5}\n".to_owned(),
        ),
        ("cases/sum/data/secret/1.in", "1 2\n".to_owned()),
        ("cases/sum/data/secret/1.ans", "3\n".to_owned()),
        (
            "cases/sum/generators/generators.yaml",
            "data: {secret: {data: {'1': {in: \"1 2\\n\", ans: \"3\\n\"}}}}\n".to_owned(),
        ),
        ("solutions/sum/sum.c", solution("a + b")),
        ("solutions/sum/wrong_answer/first.c", solution("a")),
    ] {
        write(&place.join(name), text)?;
    }
    git(place, &["init", "-q"])?;
    git(place, &["add", "."])?;
    git(place, &["commit", "-q", "-m", "problems: add one"])?;
    git(place, &["remote", "add", "origin", "."])?;
    git(place, &["fetch", "-q"])?;
    write(&place.join("solutions/sum/sum.c"), solution("b + a"))?;
    git(place, &["commit", "-q", "-am", "sum: add in another order"])
}

fn git(place: &Path, words: &[&str]) -> Result<()> {
    let settings = ["user.name=ci", "user.email=ci@example.com", "init.defaultBranch=main"];
    let mut git = command("git");
    git.current_dir(place);
    git.args(settings.iter().flat_map(|setting| ["-c", setting]));
    run(git.args(words))
}

/// The first commit of a repository from [`make_repository`].
pub(super) fn first_commit(place: &Path) -> Result<String> {
    let mut git = command("git");
    let commit = output(git.current_dir(place).args(["rev-parse", "HEAD^"]))?;
    Ok(commit.trim().to_owned())
}

/// Copies a file, or what is in a folder, into a folder.
pub(super) fn copy_into(source: &Path, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    // A folder's content, and not the folder.
    let source = if source.is_dir() { source.join(".") } else { source.to_owned() };
    run(command("cp").arg("--recursive").arg(source).arg(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::files::read;

    #[test]
    fn the_repository_has_two_commits_and_an_origin() {
        let dir = tempfile::tempdir().expect("a folder");
        make_repository(dir.path()).expect("a repository");
        let commit = first_commit(dir.path()).expect("a commit");
        let mut git = command("git");
        git.current_dir(dir.path()).args(["rev-parse", "origin/main"]);
        assert_eq!(output(&mut git).expect("a commit").trim(), commit);
        let solution = read(&dir.path().join("solutions/sum/sum.c")).expect("a file");
        assert!(solution.contains("b + a"));
    }

    #[test]
    fn downloads_come_from_the_folder() {
        let dir = tempfile::tempdir().expect("a folder");
        let machine = Machine {
            root: PathBuf::new(),
            files: dir.path().join("files"),
            scratch: dir.path().join("scratch"),
        };
        write(&machine.files.join("a.tar.gz"), "text").expect("a file");
        let mut environment = machine.environment().expect("variables");
        environment.extend(pairs([("NAME", "a.tar.gz".to_owned())]));
        let work = dir.path().join("work");
        fs::create_dir(&work).expect("a folder");
        let script = "sudo apt-get install nothing\ncurl --fail https://example.com/v1/$NAME";
        shell(script, &work, &environment, "script").expect("a success");
        assert_eq!(read(&work.join("a.tar.gz")).expect("a file"), "text");
        let error = shell("false | true\ntrue", &work, &environment, "name");
        let message = error.expect_err("a failure").to_string();
        assert!(message.starts_with("name: exit status: 1:\nfalse"), "{message}");
    }

    #[test]
    fn folders_are_copied_by_their_content() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = |name: &str| dir.path().join(name);
        write(&path("a/b/c.txt"), "c").expect("a file");
        copy_into(&path("a"), &path("x")).expect("a copy");
        copy_into(&path("a/b/c.txt"), &path("x")).expect("a copy");
        assert!(path("x/b/c.txt").exists() && path("x/c.txt").exists());
        assert!(copy_into(&path("missing"), &path("x")).is_err());
    }
}
