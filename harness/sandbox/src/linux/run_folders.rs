//! The files of one run: its cell, its working folder, and the files of the judge that it may see.
//!
//! Without a mount namespace there is only a working folder on disk.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use super::cell_files::{CellFiles, WORK};
use super::folder_copy::FolderCopy;
use super::fork_server::ForkServer;
use super::landlock::{Reach, Ruleset, StreamAccess};
use super::mounts::{self, Access, Root};
use super::namespaces::Cell;
use super::plan::{LaunchPlan, RunPlace};
use super::processors::Processors;
use super::protections::Protections;
use super::protocol::ProgramSpec;
use super::step::{SetupError, Step};
use super::{identity, system, unmounted, work_dir};

/// The cell and the folders of one run.
#[derive(Debug)]
pub(super) struct RunFolders {
    /// Creates the processes of later runs; first, because it is in the namespaces of the cell.
    pub(super) fork_server: Option<ForkServer>,
    pub(super) cell: Cell,
    pub(super) work_dir: CString,
    /// The mounts for the cell's mount namespace, in this order.
    pub(super) mounts: Vec<(OwnedFd, CString)>,
    pub(super) rules: Option<Ruleset>,
    /// A folder that must be removed.
    fresh: bool,
    /// Files given to the program's user, which must be taken back.
    given: bool,
    /// The copy of the working folder in memory.
    pub(super) folder_copy: Option<FolderCopy>,
    /// The number of bytes copied into memory.
    pub(super) taken: u64,
    pub(super) reuse: Reuse,
}

/// Whether other runs may have the same folders, and so the same cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reuse {
    No,
    /// If the first program leaves no trace.
    Possible,
    /// A program ran in them.
    Used,
}

impl RunFolders {
    /// Prepares `cell` for `program`. `fresh` names the working folder for a run without a mount namespace.
    pub(super) fn new(
        cell: Cell,
        program: &ProgramSpec,
        fresh: &CStr,
        protections: &Protections,
    ) -> Result<Self, SetupError> {
        let in_memory = cell.files.is_some();
        let given = program.work_dir.is_some() && protections.user.is_some() && !in_memory;
        let mut folders = Self {
            fork_server: None,
            cell,
            work_dir: program.work_dir.clone().unwrap_or_else(|| {
                let work = if in_memory { WORK } else { fresh };
                work.to_owned()
            }),
            mounts: Vec::new(),
            rules: None,
            fresh: program.work_dir.is_none() && !in_memory,
            given,
            folder_copy: None,
            taken: 0,
            reuse: Reuse::No,
        };
        folders.set_up(program, protections)?;
        if let Some(files) = &folders.cell.files {
            files.age().map_err(failed(Step::MakeWorkDir))?;
        }
        if protections.landlock {
            let rules = folders.rules(program, protections);
            folders.rules = rules.map_err(failed(Step::RestrictFiles))?;
        }
        Ok(folders)
    }

    /// Lets the program open its streams by their names too. Returns whether this needed a new rule.
    pub(super) fn admit(
        &mut self,
        streams: &[OwnedFd],
        protections: &Protections,
    ) -> Result<bool, SetupError> {
        if let Some(user) = protections.user {
            identity::give_streams(streams, user).map_err(failed(Step::Stdio))?;
        }
        let Some(rules) = &self.rules else {
            return Ok(false);
        };
        let mut new_rule = false;
        let accesses = [StreamAccess::Read, StreamAccess::Write];
        for (stream, access) in streams.iter().zip(accesses) {
            let allowed = rules.allow_stream(stream.as_fd(), access);
            new_rule |= allowed.map_err(failed(Step::RestrictFiles))?;
        }
        if new_rule {
            // Another program could open these files.
            self.reuse = Reuse::No;
        }
        Ok(new_rule)
    }

    /// The plan for a run here.
    pub(super) fn plan(
        &self,
        program: &ProgramSpec,
        protections: &Protections,
        processors: &Processors,
    ) -> LaunchPlan {
        let mounts =
            self.new_mounts().iter().map(|(tree, target)| (tree.as_raw_fd(), target.clone()));
        let place = RunPlace {
            work_dir: self.work_dir.clone(),
            mount_namespace: self.files().map(|files| files.mounts.as_raw_fd()),
            mounts: mounts.collect(),
            last_number: (self.cell.last_number.as_ref())
                .filter(|_| self.reuse == Reuse::Used)
                .map(AsRawFd::as_raw_fd),
        };
        LaunchPlan::new(place, program, protections, processors)
    }

    /// The mounts that the cell's namespace does not have yet.
    fn new_mounts(&self) -> &[(OwnedFd, CString)] {
        match self.reuse {
            Reuse::Used => &[],
            Reuse::No | Reuse::Possible => &self.mounts,
        }
    }

    /// Whether the program left no trace in the files. Whether it left one in the pid namespace, the next process there
    /// finds out.
    pub(super) fn are_as_new(&self) -> bool {
        self.files().is_some_and(CellFiles::are_as_new)
    }

    /// Whether it still shows what `program` needs.
    pub(super) fn is_current(&self, program: &ProgramSpec, protections: &Protections) -> bool {
        let same = self.mounts.iter().all(|(tree, path)| {
            let path = path_of(path);
            let (shown, there) = (rustix::fs::fstat(tree), rustix::fs::stat(path));
            let file = |stat: rustix::fs::Stat| (stat.st_dev, stat.st_ino);
            matches!((shown, there), (Ok(shown), Ok(there)) if file(shown) == file(there))
        });
        // A file that was missing may exist now.
        let above = |path: &Path| {
            let mut shown = self.mounts.iter().map(|(_, shown)| path_of(shown));
            shown.any(|shown| path.starts_with(shown))
                || protections.root().is_some_and(|root| root.shows(path))
        };
        same && wanted(program).all(|(path, _)| above(path) || !path.exists())
    }

    fn set_up(
        &mut self,
        program: &ProgramSpec,
        protections: &Protections,
    ) -> Result<(), SetupError> {
        if self.fresh {
            work_dir::make(&self.work_dir).map_err(failed(Step::MakeWorkDir))?;
        }
        if let Some(user) = protections.user
            && (self.fresh || self.given)
        {
            identity::give(&self.work_dir, user).map_err(failed(Step::EnterWorkDir))?;
        }
        let (Some(root), Some(inside)) = (protections.root(), &mut self.cell.files) else {
            return Ok(());
        };
        // If the kernel does not count these files as memory, their size is limited, and counted after the run.
        let most = if protections.counts_files { MOST } else { program.limits.memory.get() };
        // A file that is too long must come to the limit of a file first.
        let size = program.limits.file_size.get().saturating_add(1).min(most);
        inside.resize(size.next_multiple_of(ROOM)).map_err(failed(Step::MakeWorkDir))?;
        let mut shown: Option<&Path> = None;
        for (path, access) in in_order(program) {
            let below = shown.is_some_and(|folder| path.starts_with(folder));
            if access == Access::Read && (below || root.shows(path)) {
                continue;
            }
            let step = match access {
                Access::Read => Step::ShowFiles,
                Access::Write => Step::EnterWorkDir,
            };
            let shown_now = match access {
                Access::Read => self.show(root, path, below, protections.user.is_some()),
                Access::Write => self.carry(root, path, below, program, protections.user),
            };
            match shown_now {
                Ok(true) if !below => shown = Some(path),
                // If a missing file matters, the program reports it.
                Err(error) if access == Access::Read && is_missing(&error) => {}
                Err(error) => return Err(failed(step)(error)),
                Ok(_) => {}
            }
        }
        Ok(())
    }

    /// Shows `path`. If the program is an `other` user, shows a copy of a file that only its owner may read. Returns
    /// whether it is a folder.
    fn show(&mut self, root: &Root, path: &Path, below: bool, other: bool) -> io::Result<bool> {
        let tree = match std::fs::metadata(path)? {
            data if other && data.is_file() && data.mode() & 0o004 == 0 => {
                self.taken += data.len();
                root.copy_to_read(path)?
            }
            _ => root.clone_to_read(path)?,
        };
        let folder = unmounted::is_folder(tree.as_fd())?;
        self.put(root, path, tree, !below && !root.shows(path))?;
        Ok(folder)
    }

    /// Copies the folder `path` into memory and shows the copy there.
    fn carry(
        &mut self,
        root: &Root,
        path: &Path,
        below: bool,
        program: &ProgramSpec,
        user: Option<u32>,
    ) -> io::Result<bool> {
        let (tree, folder_copy) = FolderCopy::take(path, program, user)?;
        self.put(root, path, tree, !below && !root.shows(path))?;
        self.taken += folder_copy.taken;
        self.folder_copy = Some(folder_copy);
        Ok(true)
    }

    /// Plans a mount of `tree` at `path`, with a new mount point if `new`.
    fn put(&mut self, root: &Root, path: &Path, tree: OwnedFd, new: bool) -> io::Result<()> {
        if new {
            let folder = unmounted::is_folder(tree.as_fd())?;
            self.make_target(root, path, folder)?;
        }
        let target = CString::new(path.as_os_str().as_bytes())?;
        self.mounts.push((tree, target));
        Ok(())
    }

    /// Creates the mount point for `path`.
    fn make_target(&mut self, root: &Root, path: &Path, folder: bool) -> io::Result<()> {
        let in_tmp = path.strip_prefix(mounts::TMP).or_else(|_| path.strip_prefix(mounts::SHM));
        match (in_tmp, &mut self.cell.files) {
            // It goes with the cell.
            (Ok(inside), Some(own)) => own.make_mount_point(inside, folder),
            _ => root.make_mount_point(path.strip_prefix("/").unwrap_or(path), folder),
        }
    }

    /// The Landlock rules of the program.
    fn rules(
        &self,
        program: &ProgramSpec,
        protections: &Protections,
    ) -> io::Result<Option<Ruleset>> {
        let mut reach = Reach::default();
        let paths = in_order(program);
        if let (Some(root), Some(own)) = (protections.root(), self.files()) {
            reach.read_in.push(root.inside.as_fd());
            reach.write_in.push(own.tmp.as_fd());
        } else {
            // Without a namespace, settings and `/proc` are the system's own.
            let all = system::folders().chain(["/etc", "/proc", "/sys"]);
            for folder in all {
                reach.readable.push(Path::new(folder));
            }
            reach.readable.extend(paths.keys().copied());
            if self.fresh {
                reach.writable.push(path_of(&self.work_dir));
            }
        }
        let writable = paths.iter().filter(|(_, access)| **access == Access::Write);
        match &self.folder_copy {
            Some(folder_copy) => reach.write_in.push(folder_copy.away()),
            None => reach.writable.extend(writable.map(|(path, _)| *path)),
        }
        Ruleset::new(&reach).map_err(io::Error::other)
    }

    /// The files that the run sees, if it has a mount namespace of its own.
    pub(super) fn files(&self) -> Option<&CellFiles> {
        self.cell.files.as_ref()
    }

    /// Removes everything that other runs could see, after all processes of the run have ended, and returns the cell.
    pub(super) fn leave(self) -> io::Result<Cell> {
        drop(self.fork_server);
        if self.given {
            match identity::give(&self.work_dir, 0) {
                Err(error) if is_missing(&error) => {}
                other => other?,
            }
        }
        if self.fresh {
            work_dir::remove(&self.work_dir)?;
        }
        Ok(self.cell)
    }
}

/// The step by which the file system of a run grows: a multiple of every page size.
const ROOM: u64 = 64 << 10;
/// More than any machine has, in bytes.
const MOST: u64 = 1 << 46;

/// The paths that `program` needs.
fn wanted(program: &ProgramSpec) -> impl Iterator<Item = (&Path, Access)> {
    let files = program.argv.iter().take(1).chain(&program.readable);
    let files = files.map(|path| (path_of(path), Access::Read));
    let work_dir = program.work_dir.iter().map(|dir| (path_of(dir), Access::Write));
    files.filter(|(path, _)| path.is_absolute()).chain(work_dir)
}

/// The same, parents first. A path that it both reads and writes is there once, to be written.
fn in_order(program: &ProgramSpec) -> BTreeMap<&Path, Access> {
    wanted(program).collect()
}

fn path_of(text: &CStr) -> &Path {
    Path::new(OsStr::from_bytes(text.to_bytes()))
}

fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn failed(step: Step) -> impl Fn(io::Error) -> SetupError {
    move |error| step.refused(&error)
}
