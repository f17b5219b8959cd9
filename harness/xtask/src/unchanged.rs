//! Whether files are the same as in a base that is really known. A step that looks only at these files need not run then.
//!
//! The base is the first of these that is set:
//!
//! - `CI_BASE`: a revision;
//! - `CI_MERGE_REQUEST_DIFF_BASE_SHA`, as GitLab sets it, or `origin/$GITHUB_BASE_REF`: the target of a pull request;
//! - otherwise the last fifty commits: a file that any of them changed is a changed one. The parent alone would miss what an
//!   earlier commit of the same push changed.
//!
//! Changes that are not committed count. In doubt, for example in a shallow clone, everything is changed.

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, bail, ensure};

/// The number of commits that count if no base is known.
const COMMITS: usize = 50;

/// `unchanged PATH…`: exits with 0 if no file at or below the paths has changed, otherwise with 1. Prints the reason.
pub(crate) fn main(paths: &[String]) -> Result<ExitCode> {
    ensure!(!paths.is_empty(), "no path\nhelp: cargo xtask unchanged PATH…");
    let (is_unchanged, reason) = match changed(Path::new("."), base(), COMMITS, paths) {
        Ok((files, since)) if files.is_empty() => (true, format!("nothing has changed {since}")),
        Ok((files, since)) => (false, format!("{} has changed {since}, so this runs", files[0])),
        Err(error) => (false, format!("this runs, because no base is known: {error:#}")),
    };
    println!("{}: {reason}", paths.join(", "));
    Ok(ExitCode::from(u8::from(!is_unchanged)))
}

/// The base that the environment names.
fn base() -> Option<String> {
    let set = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let target = || set("GITHUB_BASE_REF").map(|branch| format!("origin/{branch}"));
    set("CI_BASE").or_else(|| set("CI_MERGE_REQUEST_DIFF_BASE_SHA")).or_else(target)
}

/// The changed files at or below `paths`, and the name of the base. Without a base, the last `commits` count.
fn changed(
    root: &Path,
    base: Option<String>,
    commits: usize,
    paths: &[String],
) -> Result<(Vec<String>, String)> {
    for path in paths {
        ensure!(root.join(path).exists(), "no such file or folder: `{path}`");
    }
    let (mut lines, since) = if let Some(base) = base {
        // Commits that only the target has do not count.
        let fork = git(root, &["merge-base", &base, "HEAD"], &[])?;
        let fork = fork.first().context("no common commit")?.clone();
        let changed = git(root, &["diff", "--name-only", &fork, "HEAD", "--"], paths)?;
        (changed, format!("since {base}"))
    } else {
        if git(root, &["rev-parse", "--is-shallow-repository"], &[])? != ["false"] {
            bail!("the clone is shallow");
        }
        // A merge counts with what it brings to its first parent.
        let count = commits.to_string();
        let log =
            ["log", "-m", "--first-parent", "--format=", "--name-only", "-n", &count, "HEAD", "--"];
        // Git counts only commits that changed the paths if it gets them, so it does not.
        let all = git(root, &log, &[])?;
        let changed = all.into_iter().filter(|file| is_below(file, paths)).collect();
        (changed, format!("in the last {commits} commits"))
    };
    lines.extend(git(
        root,
        &["ls-files", "--modified", "--deleted", "--others", "--exclude-standard", "--"],
        paths,
    )?);
    lines.extend(git(root, &["diff", "--cached", "--name-only", "--"], paths)?);
    Ok((lines, since))
}

/// Whether a file is one of the paths, or below one.
fn is_below(file: &str, paths: &[String]) -> bool {
    paths.iter().any(|path| Path::new(file).starts_with(path))
}

/// The lines that git prints.
fn git(root: &Path, arguments: &[&str], paths: &[String]) -> Result<Vec<String>> {
    let mut command = Command::new("git");
    let output = command.arg("-C").arg(root).args(arguments).args(paths).output();
    let output = output.context("cannot start git")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "git {}: {}", arguments.join(" "), errors.trim());
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A repository whose commits each write one file.
    fn repository(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("a folder");
        let run = |arguments: &[&str]| git(dir.path(), arguments, &[]).expect("git");
        run(&["init", "--quiet", "--initial-branch=main"]);
        run(&["config", "user.name", "ci"]);
        run(&["config", "user.email", "ci@example.com"]);
        for (number, file) in files.iter().enumerate() {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(path, number.to_string()).expect("a file");
            run(&["add", "."]);
            run(&["commit", "--quiet", "--message", file]);
        }
        dir
    }

    fn names(dir: &tempfile::TempDir, base: Option<&str>, path: &str) -> Vec<String> {
        let paths = [path.to_owned()];
        changed(dir.path(), base.map(str::to_owned), 3, &paths).expect("a base").0
    }

    #[test]
    fn an_earlier_commit_of_the_same_push_counts() {
        let dir = repository(&["code/a", "cases/1", "code/b"]);
        assert_eq!(names(&dir, Some("HEAD~2"), "cases"), ["cases/1"]);
        assert_eq!(names(&dir, Some("HEAD~1"), "cases"), [""; 0]);
        assert_eq!(names(&dir, None, "cases"), ["cases/1"]);
    }

    #[test]
    fn without_a_base_the_last_commits_count() {
        let files = ["cases/1", "code/a", "code/b", "code/c"];
        assert_eq!(names(&repository(&files), None, "cases"), [""; 0]);
        assert_eq!(names(&repository(&files[..3]), None, "cases"), ["cases/1"]);
    }

    #[test]
    fn what_is_not_committed_counts() {
        let dir = repository(&["cases/1", "code/a"]);
        assert_eq!(names(&dir, Some("HEAD"), "cases"), [""; 0]);
        std::fs::write(dir.path().join("cases/2"), "").expect("a file");
        assert_eq!(names(&dir, Some("HEAD"), "cases"), ["cases/2"]);
        git(dir.path(), &["add", "."], &[]).expect("git");
        assert_eq!(names(&dir, Some("HEAD"), "cases"), ["cases/2"]);
    }

    #[test]
    fn a_name_that_only_begins_alike_is_another_file() {
        assert!(is_below("cases/a/1.in", &["cases".to_owned()]));
        assert!(is_below("action.yml", &["action.yml".to_owned()]));
        assert!(!is_below("cases.md", &["cases".to_owned()]));
    }

    #[test]
    fn an_unknown_base_or_path_is_a_doubt() {
        let dir = repository(&["cases/1"]);
        let unknown = changed(dir.path(), Some("nowhere".to_owned()), 3, &["cases".to_owned()]);
        assert!(unknown.is_err());
        assert!(changed(dir.path(), None, 3, &["case".to_owned()]).is_err());
        let empty = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(empty.path().join("cases")).expect("a folder");
        assert!(changed(empty.path(), None, 3, &["cases".to_owned()]).is_err());
    }
}
