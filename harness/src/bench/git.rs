//! Reads the files of a revision through the `git` program. The work tree and the index are never changed.

use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::notice::{Code, Notice};
use crate::outside;

mod commits;

pub(crate) use commits::{PathCommit, PathHistory};

/// Why a revision cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum GitError {
    /// `git` is not installed, or cannot be started.
    #[error("cannot run `git`")]
    NoGit(#[source] io::Error),
    /// The folder is not in a git repository.
    #[error("`{0}` is not in a git repository, so there are no revisions to compare with")]
    NoRepository(String),
    /// The path is the root of a repository, not a file or a folder in it.
    #[error(transparent)]
    WholeRepository(Notice),
    /// There is no such revision.
    #[error(transparent)]
    NoRevision(Notice),
    /// Two revisions without a common ancestor.
    #[error(transparent)]
    NoMergeBase(Notice),
    /// The clone is partial, and a git command may have failed because of that.
    #[error(transparent)]
    Partial(Notice),
    /// A git command failed.
    #[error("`git {command}` failed: {message}")]
    Failed {
        /// The subcommand.
        command: String,
        /// The standard error of git.
        message: String,
    },
}

/// The notice of a missing revision. `shallow`: whether the clone is without older history.
fn missing_revision(what: &str, shallow: bool) -> Notice {
    if shallow {
        Code::UnknownPath
            .says(format!("{what}; this clone is shallow"))
            .help(
                "fetch the missing history with `git fetch --unshallow` (in hosted CI, check out with depth 0)",
            )
    } else {
        Code::UnknownPath.says(what).help(
            "run `git fetch` to update from the remote, or `git branch --all` to list the branches",
        )
    }
}

/// A revision of a repository.
#[derive(Debug, Clone)]
pub struct Revision {
    root: PathBuf,
    commit: String,
    /// The files that were renamed after this revision: old path, new path.
    renamed: Vec<(PathBuf, PathBuf)>,
}

/// The content of a path in a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AsOf {
    /// A file: its text, and its path in the revision.
    Text(Vec<u8>, PathBuf),
    /// A folder: its files, and its path in the revision.
    Folder(Vec<OldFile>, PathBuf),
    /// The path did not exist.
    Missing,
    /// The path was neither a regular file nor a folder of regular files, for example a link.
    NoFile,
}

/// A file of a folder in a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldFile {
    /// The path relative to the folder.
    pub path: PathBuf,
    /// The content.
    pub text: Vec<u8>,
    /// Whether the file is executable.
    pub executable: bool,
}

/// A line of `git ls-tree -z`: `100644 blob 0123… TAB path`.
struct TreeEntry<'a> {
    mode: &'a str,
    kind: &'a str,
    object: &'a str,
    path: &'a [u8],
}

impl<'a> TreeEntry<'a> {
    fn all(list: &'a [u8]) -> impl Iterator<Item = Self> {
        list.split(|byte| *byte == 0).filter_map(Self::parse)
    }

    fn parse(line: &'a [u8]) -> Option<Self> {
        let tab = line.iter().position(|byte| *byte == b'\t')?;
        let mut words = std::str::from_utf8(&line[..tab]).ok()?.split(' ');
        Some(Self {
            mode: words.next()?,
            kind: words.next()?,
            object: words.next()?,
            path: &line[tab + 1..],
        })
    }

    /// Whether it is a regular file, not a link.
    fn is_plain(&self) -> bool {
        self.kind == "blob" && self.mode.starts_with("100")
    }
}

impl Revision {
    /// Resolves `revision` in the repository that contains `folder`: any name that git knows, or `A...B` for the merge
    /// base of two revisions. An omitted side is `HEAD`.
    pub fn resolve(folder: &Path, revision: &str) -> Result<Self, GitError> {
        let root = root_of(folder)?;
        let commit = match revision.split_once("...") {
            None => commit(&root, revision)?,
            Some((left, right)) => merge_base(&root, left, right)?,
        };
        let renamed = renames(&root, &commit)?;
        Ok(Self { root, commit, renamed })
    }

    /// The full hash of the commit.
    #[must_use]
    pub fn commit(&self) -> &str {
        &self.commit
    }

    /// The abbreviated hash of the commit.
    #[must_use]
    pub fn short(&self) -> &str {
        self.commit.get(..10).unwrap_or(&self.commit)
    }

    /// The old content of `path` in the work tree. A file or folder that was renamed is found under its old name.
    pub fn file(&self, path: &Path) -> Result<AsOf, GitError> {
        let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let Ok(inside) = full.strip_prefix(&self.root) else {
            return Ok(AsOf::Missing);
        };
        match self.at(inside)? {
            AsOf::Missing => {}
            found => return Ok(found),
        }
        match self.old_name(inside) {
            Some(old) => self.at(old),
            None => Ok(AsOf::Missing),
        }
    }

    /// The old name of a path, derived from the files that were renamed to it or into it.
    fn old_name(&self, now: &Path) -> Option<&Path> {
        self.renamed.iter().find_map(|(old, new)| {
            let below = new.strip_prefix(now).ok()?;
            let folders = below.components().count();
            old.ends_with(below).then(|| old.ancestors().nth(folders))?
        })
    }

    fn at(&self, inside: &Path) -> Result<AsOf, GitError> {
        let literal = [OsStr::new("--literal-pathspecs"), OsStr::new("ls-tree")];
        let entry = self.git(literal.into_iter().chain([
            OsStr::new("-z"),
            OsStr::new(&self.commit),
            OsStr::new("--"),
            inside.as_os_str(),
        ]))?;
        let list = self.checked("ls-tree", entry)?;
        let Some(entry) = TreeEntry::all(&list).next() else {
            return Ok(AsOf::Missing);
        };
        if entry.is_plain() {
            return Ok(AsOf::Text(self.blob(&entry)?, inside.to_path_buf()));
        }
        if entry.kind != "tree" {
            return Ok(AsOf::NoFile);
        }
        let list = self.git(["ls-tree", "-r", "-z", entry.object])?;
        let list = self.checked("ls-tree", list)?;
        let mut files = Vec::new();
        for entry in TreeEntry::all(&list) {
            if !entry.is_plain() {
                return Ok(AsOf::NoFile);
            }
            files.push(OldFile {
                path: path_of(entry.path),
                text: self.blob(&entry)?,
                executable: entry.mode == "100755",
            });
        }
        Ok(AsOf::Folder(files, inside.to_path_buf()))
    }

    fn blob(&self, entry: &TreeEntry<'_>) -> Result<Vec<u8>, GitError> {
        let blob = self.git(["cat-file", "blob", entry.object])?;
        self.checked("cat-file", blob)
    }

    fn checked(&self, command: &str, output: Output) -> Result<Vec<u8>, GitError> {
        checked(&self.root, command, output)
    }

    fn git<W: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = W>) -> Result<Output, GitError> {
        run(&self.root, words)
    }
}

/// A path from git's output.
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes))
}

/// The root of the work tree that contains `folder`.
fn root_of(folder: &Path) -> Result<PathBuf, GitError> {
    let output = run(folder, ["rev-parse", "--show-toplevel"])?;
    let text = String::from_utf8_lossy(&output.stdout);
    let root = PathBuf::from(text.trim_end_matches('\n'));
    match output.status.success().then(|| root.canonicalize()) {
        Some(Ok(root)) => Ok(root),
        _ => Err(GitError::NoRepository(folder.display().to_string())),
    }
}

/// The names of the branches and tags of the repository that contains `folder`; none outside a repository.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let words =
        ["for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes"];
    let Ok(output) = run(folder, words) else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(str::to_owned).collect()
}

fn commit(root: &Path, revision: &str) -> Result<String, GitError> {
    let peeled = format!("{revision}^{{commit}}");
    // `--end-of-options`: a name that starts with a dash is not an option.
    let words = ["rev-parse", "--verify", "--quiet", "--end-of-options", &peeled];
    let output = run(root, words)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let hash = text.lines().last().unwrap_or_default().trim();
    let is_hash = hash.len() >= 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    if output.status.success() && is_hash {
        return Ok(hash.to_owned());
    }
    let what = format!("no such revision: `{revision}`");
    let shallow = is_shallow(root)?;
    Err(GitError::NoRevision(missing_revision(&what, shallow)))
}

fn merge_base(root: &Path, left: &str, right: &str) -> Result<String, GitError> {
    let or_head = |name: &str| if name.is_empty() { "HEAD" } else { name }.to_owned();
    let (left, right) = (or_head(left), or_head(right));
    let commits = [commit(root, &left)?, commit(root, &right)?];
    let output = run(root, ["merge-base", &commits[0], &commits[1]])?;
    if !output.status.success() {
        let shallow = is_shallow(root)?;
        let what = format!("`{left}` and `{right}` have no common ancestor");
        return Err(GitError::NoMergeBase(missing_revision(&what, shallow)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.trim().to_owned())
}

fn is_shallow(root: &Path) -> Result<bool, GitError> {
    let output = run(root, ["rev-parse", "--is-shallow-repository"])?;
    Ok(output.stdout.starts_with(b"true"))
}

/// Whether git may lack objects of the repository that a remote has.
fn is_partial(root: &Path) -> Result<bool, GitError> {
    let words = ["config", "--get-regexp", r"^remote\..*\.promisor$"];
    Ok(run(root, words)?.status.success())
}

/// Old and new paths of the files that were renamed between a commit and the index. The work tree is not compared,
/// because git would pass its files through filters that the repository's settings name.
fn renames(root: &Path, commit: &str) -> Result<Vec<(PathBuf, PathBuf)>, GitError> {
    let words = [
        "diff-index",
        "--cached",
        "--no-ext-diff",
        "--no-textconv",
        "--name-status",
        "--find-renames",
        "--diff-filter=R",
        "-z",
        commit,
    ];
    let output = run(root, words)?;
    let list = checked(root, "diff-index", output)?;
    // The output repeats `R100 NUL old NUL new NUL`.
    let fields: Vec<&[u8]> = list.split(|byte| *byte == 0).collect();
    let renamed = fields.chunks_exact(3);
    Ok(renamed.map(|entry| (path_of(entry[1]), path_of(entry[2]))).collect())
}

fn run<W: AsRef<OsStr>>(
    folder: &Path,
    words: impl IntoIterator<Item = W>,
) -> Result<Output, GitError> {
    let output = command(folder)?.args(words).output();
    output.map_err(GitError::NoGit)
}

/// `git` in this folder. It starts no program that the repository's own settings name, so it does not fetch what a partial
/// clone is missing either.
fn command(folder: &Path) -> Result<Command, GitError> {
    let missing = || GitError::NoGit(ErrorKind::NotFound.into());
    let git = outside::look_up("git").ok_or_else(missing)?;
    let folder = std::path::absolute(folder).map_err(GitError::NoGit)?;
    let mut command = outside::command(&git);
    command
        .args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"])
        .arg("-C")
        .arg(folder)
        .env("LC_ALL", "C")
        .env("GIT_NO_LAZY_FETCH", "1")
        // Earlier versions do not know the variable above. No protocol has this name.
        .env("GIT_ALLOW_PROTOCOL", "none")
        // Do not refresh the index, and do not ask for credentials.
        .env("GIT_OPTIONAL_LOCKS", "0")
        .env("GIT_TERMINAL_PROMPT", "0");
    Ok(command)
}

fn checked(root: &Path, command: &str, output: Output) -> Result<Vec<u8>, GitError> {
    if output.status.success() {
        return Ok(output.stdout);
    }
    if is_partial(root)? {
        let what =
            format!("`git {command}` failed: this clone is partial, and rejudge fetches nothing");
        let help = "fetch what is missing with `git fetch --refetch --no-filter`";
        return Err(GitError::Partial(Code::UnknownPath.says(what).help(help)));
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(GitError::Failed { command: command.to_owned(), message: said.trim().to_owned() })
}
